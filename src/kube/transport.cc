#include "kube/transport.h"

#include <algorithm>
#include <curl/curl.h>
#include <dlfcn.h>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "kube/escape.h"
#include "kube/proxy.h"

namespace wmap::kube {
namespace {

// --- libcurl -------------------------------------------------------------------------------------

// It is loaded when a server is first talked to: its three dozen libraries would triple the time
// that the commands take that need none.

// Its functions that are used here, under their names without "curl_".
struct Curl {
  decltype(&curl_easy_init) easy_init;
  decltype(&curl_easy_cleanup) easy_cleanup;
  decltype(&curl_easy_setopt) easy_setopt;
  decltype(&curl_easy_getinfo) easy_getinfo;
  decltype(&curl_easy_strerror) easy_strerror;
  decltype(&curl_multi_init) multi_init;
  decltype(&curl_multi_cleanup) multi_cleanup;
  decltype(&curl_multi_setopt) multi_setopt;
  decltype(&curl_multi_add_handle) multi_add_handle;
  decltype(&curl_multi_remove_handle) multi_remove_handle;
  decltype(&curl_multi_perform) multi_perform;
  decltype(&curl_multi_poll) multi_poll;
  decltype(&curl_multi_info_read) multi_info_read;
  decltype(&curl_multi_strerror) multi_strerror;
  decltype(&curl_slist_append) slist_append;
  decltype(&curl_slist_free_all) slist_free_all;
};

constexpr const char* kLibrary = "libcurl.so.4";

struct Loaded {
  Curl curl{};
  std::string missing;  // why it cannot be used, or ""
};

template <typename Function>
void Find(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr && missing.empty()) missing = Cat(kLibrary, " has no ", name);
}

Loaded Load() {
  Loaded loaded;
  std::string& missing = loaded.missing;
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    missing =
        Cat("talking to a cluster needs ", kLibrary, " (Debian's package libcurl4): ", dlerror());
    return loaded;
  }
  Curl& curl = loaded.curl;
  decltype(&curl_global_init) global_init = nullptr;
  Find(library, "curl_global_init", global_init, missing);
  Find(library, "curl_easy_init", curl.easy_init, missing);
  Find(library, "curl_easy_cleanup", curl.easy_cleanup, missing);
  Find(library, "curl_easy_setopt", curl.easy_setopt, missing);
  Find(library, "curl_easy_getinfo", curl.easy_getinfo, missing);
  Find(library, "curl_easy_strerror", curl.easy_strerror, missing);
  Find(library, "curl_multi_init", curl.multi_init, missing);
  Find(library, "curl_multi_cleanup", curl.multi_cleanup, missing);
  Find(library, "curl_multi_setopt", curl.multi_setopt, missing);
  Find(library, "curl_multi_add_handle", curl.multi_add_handle, missing);
  Find(library, "curl_multi_remove_handle", curl.multi_remove_handle, missing);
  Find(library, "curl_multi_perform", curl.multi_perform, missing);
  Find(library, "curl_multi_poll", curl.multi_poll, missing);
  Find(library, "curl_multi_info_read", curl.multi_info_read, missing);
  Find(library, "curl_multi_strerror", curl.multi_strerror, missing);
  Find(library, "curl_slist_append", curl.slist_append, missing);
  Find(library, "curl_slist_free_all", curl.slist_free_all, missing);
  if (missing.empty() && global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    missing = Cat(kLibrary, " cannot be initialised");
  }
  return loaded;
}

// The one of this process, from any thread. kUnreadable when the machine has none.
Result<const Curl*> LoadCurl() {
  static const Loaded loaded = Load();
  if (!loaded.missing.empty()) return Fail(Code::kUnreadable, loaded.missing);
  return &loaded.curl;
}

// --- Requests ------------------------------------------------------------------------------------

constexpr long kYes = 1;
constexpr long kNo = 0;
// How long one wait lasts when nothing happens; libcurl's own timers end it earlier.
constexpr std::int64_t kTurnMs = 1000;

// Bytes a second; what comes more slowly for as long as silence is borne has stopped.
constexpr std::int64_t kSlowest = 100;
// Of a head with all its headers. Only newer versions of libcurl have a bound of their own.
constexpr std::size_t kMostHeadBytes = std::size_t{256} << 10;

long AsLong(std::int64_t value) {
  return static_cast<long>(std::min<std::int64_t>(value, std::numeric_limits<long>::max()));
}

// A header that is sent. None may hold a line end, whatever it was made of.
void AddHeader(const Curl& curl, curl_slist*& list, std::string_view name, std::string_view value) {
  std::string line = Cat(name, ": ", value);
  std::erase_if(line, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  list = curl.slist_append(list, line.c_str());
}

// "host" and "port" of "https://host:port/path".
struct Address {
  std::string scheme;
  std::string host;
  std::string port;
  std::string path;
};
Address Split(const std::string& url) {
  Address parts;
  std::size_t host = url.find("://") + 3;
  parts.scheme = url.substr(0, host - 3);
  std::size_t path = std::min(url.find('/', host), url.size());
  parts.path = url.substr(path);
  std::string authority = url.substr(host, path - host);
  std::size_t colon = authority.rfind(':');
  if (colon == std::string::npos || authority.find(']', colon) != std::string::npos) {
    parts.host = authority;
    parts.port = parts.scheme == "https" ? "443" : "80";
  } else {
    parts.host = authority.substr(0, colon);
    parts.port = authority.substr(colon + 1);
  }
  return parts;
}

}  // namespace

// --- Exchange ------------------------------------------------------------------------------------

class Exchange::Impl {
 public:
  Impl(Transport::Impl& owner, const Curl& library, const std::string& server_url)
      : transport(owner), curl(library), server(server_url) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl();

  static std::size_t OnHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t OnBody(char* data, std::size_t size, std::size_t count, void* self);
  Error WhatFailed();
  std::optional<Error> ProxyRefusal();
  std::string_view arrived() const { return std::string_view(body).substr(read); }

  Transport::Impl& transport;
  const Curl& curl;
  const std::string& server;
  CURL* easy = nullptr;
  curl_slist* headers_sent = nullptr;
  curl_slist* connect_to = nullptr;
  std::string body_sent;
  char error_text[CURL_ERROR_SIZE] = {};
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::size_t head_bytes = 0;
  bool has_head = false;
  std::string body;  // received; what stands before `read` was used
  std::size_t read = 0;
  bool is_done = false;
  bool may_retry = false;
  std::uint64_t proof_number = 0;
  bool is_anonymous = false;
  CURLcode result = CURLE_OK;
};

class Transport::Impl {
 public:
  Impl(const Target& reached, const Options& chosen, const Curl& library)
      : target(reached),
        proxy(reached.cluster.proxy_url.empty() ? reached.environment_proxy
                                                : reached.cluster.proxy_url),
        options(chosen),
        curl(library) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (multi != nullptr) curl.multi_cleanup(multi);
  }

  Result<void> Wait(std::int64_t timeout_ms);
  Result<void> Connect();
  Result<void> Reconnect();
  void Configure(Exchange::Impl& exchange, const Request& request,
                 const Credentials::Proof& proof) const;
  void SetTls(CURL* easy, const Credentials::Proof& proof) const;
  void SetServerName(Exchange::Impl& exchange, std::string& url) const;

  const Target target;
  const std::string proxy;  // or ""
  const Options options;
  const Curl& curl;
  CURLM* multi = nullptr;
  std::string authority;  // PEM, or ""
  std::set<Exchange::Impl*> exchanges;
};

Exchange::Impl::~Impl() {
  if (easy != nullptr) {
    curl.multi_remove_handle(transport.multi, easy);
    curl.easy_cleanup(easy);
  }
  transport.exchanges.erase(this);
  curl.slist_free_all(headers_sent);
  curl.slist_free_all(connect_to);
}

std::size_t Exchange::Impl::OnHeader(char* data, std::size_t size, std::size_t count, void* self) {
  Impl& exchange = *static_cast<Impl*>(self);
  std::string_view line(data, size * count);
  exchange.head_bytes += line.size();
  if (exchange.head_bytes > kMostHeadBytes) return 0;
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    // The head of an interim answer is followed by another one.
    exchange.headers.clear();
    exchange.status = 0;
    std::size_t space = line.find(' ');
    for (std::size_t i = space + 1; space != std::string_view::npos && i < line.size(); ++i) {
      if (line[i] < '0' || line[i] > '9' || exchange.status > 99) break;
      exchange.status = exchange.status * 10 + (line[i] - '0');
    }
  } else if (line.empty()) {
    exchange.has_head = exchange.status >= 200;
  } else if (std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    exchange.headers.emplace_back(ToLower(line.substr(0, colon)), value);
  }
  return size * count;
}

std::size_t Exchange::Impl::OnBody(char* data, std::size_t size, std::size_t count, void* self) {
  Impl& exchange = *static_cast<Impl*>(self);
  if (exchange.read == exchange.body.size()) {
    exchange.body.clear();
    exchange.read = 0;
  }
  exchange.body.append(data, size * count);
  return size * count;
}

// What a proxy says instead of leading to the server; nothing when it does.
std::optional<Error> Exchange::Impl::ProxyRefusal() {
  long answer = 0;
  curl.easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &answer);
  if (has_head || answer == 0 || answer / 100 == 2) return std::nullopt;
  may_retry = answer == 429 || answer >= 500;
  return Error(
      Code::kUnreachable,
      Cat("cannot connect to ", server, ": the proxy ", WithoutSecrets(transport.proxy),
          " answered ", answer,
          answer == 407 ? "; it wants a name and a password, as in http://NAME:PASSWORD@HOST"
                        : ""));
}

Error Exchange::Impl::WhatFailed() {
  std::string why = error_text[0] != '\0' ? error_text : curl.easy_strerror(result);
  may_retry = false;
  if (std::optional<Error> refusal = ProxyRefusal()) return *std::move(refusal);
  if (head_bytes > kMostHeadBytes) {
    return Error(Code::kLimit, Cat("the headers of an answer of ", server, " are larger than ",
                                   kMostHeadBytes >> 10, " KiB"));
  }
  switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return Error(Code::kUnreachable,
                   transport.proxy.empty()
                       ? Cat("cannot connect to ", server, ": ", why,
                             "; is the cluster running, and is it the right context?")
                       : Cat("cannot connect to ", server, " through the proxy ",
                             WithoutSecrets(transport.proxy), ": ", why));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return Error(Code::kUnreachable, Cat("the certificate of ", server, " is not trusted: ", why,
                                           "; compare certificate-authority in the kubeconfig"));
    case CURLE_SSL_CERTPROBLEM:
      return Error(Code::kUnreachable,
                   Cat("the client certificate for ", server, " cannot be used: ", why));
    case CURLE_OPERATION_TIMEDOUT:
      may_retry = has_head;
      return Error(Code::kLimit, has_head ? Cat("the answer of ", server, " stopped coming: ", why)
                                          : Cat("no answer of ", server, " in time: ", why));
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_BAD_CONTENT_ENCODING:
      may_retry = true;
      return Error(Code::kUnreachable, Cat("the connection to ", server, " was cut: ", why));
    default:
      return Error(Code::kUnreachable, Cat("cannot talk to ", server, ": ", why));
  }
}

Exchange::Exchange(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Exchange::~Exchange() = default;

bool Exchange::has_head() const { return impl_->has_head; }
int Exchange::status() const { return impl_->status; }
std::uint64_t Exchange::proof_number() const { return impl_->proof_number; }
bool Exchange::is_anonymous() const { return impl_->is_anonymous; }
bool Exchange::is_done() const { return impl_->is_done; }
bool Exchange::may_retry() const { return impl_->may_retry; }
bool Exchange::was_refused() const { return impl_->result == CURLE_COULDNT_CONNECT; }
std::string_view Exchange::arrived() const { return impl_->arrived(); }
void Exchange::Consume(std::size_t size) { impl_->read += size; }

Result<void> Exchange::AwaitHead() {
  while (!impl_->has_head && !impl_->is_done) WMAP_TRY_VOID(impl_->transport.Wait(kTurnMs));
  if (impl_->has_head) return {};
  if (impl_->result == CURLE_OK) impl_->result = CURLE_GOT_NOTHING;
  return Fail(impl_->WhatFailed());
}

std::string_view Exchange::header(std::string_view name) const {
  for (const auto& [key, value] : impl_->headers) {
    if (key == name) return value;
  }
  return {};
}

Result<std::size_t> Exchange::Read(std::span<char> to) {
  while (arrived().empty() && !impl_->is_done) WMAP_TRY_VOID(impl_->transport.Wait(kTurnMs));
  std::size_t size = std::min(to.size(), arrived().size());
  arrived().copy(to.data(), size);
  Consume(size);
  if (size == 0 && impl_->result != CURLE_OK) return Fail(impl_->WhatFailed());
  return size;
}

Result<std::string> Exchange::ReadAll(std::size_t most) {
  while (!impl_->is_done && arrived().size() <= most) {
    WMAP_TRY_VOID(impl_->transport.Wait(kTurnMs));
  }
  if (arrived().size() > most) {
    return Fail(Code::kLimit,
                Cat("an answer of ", impl_->server, " is larger than ", most >> 20, " MiB"));
  }
  if (impl_->result != CURLE_OK) return Fail(impl_->WhatFailed());
  std::string all = std::exchange(impl_->body, {});
  all.erase(0, std::exchange(impl_->read, 0));
  return all;
}

// --- Transport -----------------------------------------------------------------------------------

void Transport::Impl::SetTls(CURL* easy, const Credentials::Proof& proof) const {
  auto set = [&](CURLoption option, const std::string& text) {
    if (text.empty()) return;
    // Copied: what is set here may end before the handle does.
    curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY};
    curl.easy_setopt(easy, option, &blob);
  };
  set(CURLOPT_CAINFO_BLOB, authority);
  set(CURLOPT_SSLCERT_BLOB, proof.certificate);
  set(CURLOPT_SSLKEY_BLOB, proof.key);
  curl.easy_setopt(easy, CURLOPT_SSLVERSION, AsLong(CURL_SSLVERSION_TLSv1_2));
  if (target.cluster.insecure) {
    curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, kNo);
    curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, kNo);
  }
}

// The name that the certificate must have is that of the URL, so the URL gets it, and the
// connection goes where it always did.
void Transport::Impl::SetServerName(Exchange::Impl& exchange, std::string& url) const {
  const std::string& name = target.cluster.tls_server_name;
  if (name.empty()) return;
  Address real = Split(url);
  url = Cat(real.scheme, "://", name, ':', real.port, real.path);
  exchange.connect_to =
      curl.slist_append(exchange.connect_to, Cat("::", real.host, ':', real.port).c_str());
  curl.easy_setopt(exchange.easy, CURLOPT_CONNECT_TO, exchange.connect_to);
  AddHeader(curl, exchange.headers_sent, "Host", Cat(real.host, ':', real.port));
}

void Transport::Impl::Configure(Exchange::Impl& exchange, const Request& request,
                                const Credentials::Proof& proof) const {
  CURL* easy = exchange.easy;
  auto set = [&](CURLoption option, auto value) { curl.easy_setopt(easy, option, value); };
  auto header = [&](std::string_view name, std::string_view value) {
    AddHeader(curl, exchange.headers_sent, name, value);
  };
  std::string url = target.cluster.server + request.path;
  SetServerName(exchange, url);
  SetTls(easy, proof);
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PATH_AS_IS, kYes);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, kYes);
  // Who ends does not wait for a name to resolve.
  set(CURLOPT_QUICK_EXIT, kYes);
  set(CURLOPT_HTTP_VERSION,
      AsLong(options.http1_only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
  // Without TLS there is no HTTP/2, and whether there is would only be known from the first head:
  // that of a watch may take a minute.
  if (url.starts_with("https:")) set(CURLOPT_PIPEWAIT, kYes);
  set(CURLOPT_TCP_KEEPALIVE, kYes);
  set(CURLOPT_TCP_KEEPIDLE, AsLong(30));
  set(CURLOPT_TCP_KEEPINTVL, AsLong(10));
  set(CURLOPT_CONNECTTIMEOUT_MS, AsLong(options.connect_timeout_ms));
  if (request.send_once) set(CURLOPT_FRESH_CONNECT, kYes);
  if (request.timeout_ms > 0) set(CURLOPT_TIMEOUT_MS, AsLong(request.timeout_ms));
  if (!request.may_be_silent) {
    set(CURLOPT_LOW_SPEED_LIMIT, AsLong(kSlowest));
    set(CURLOPT_LOW_SPEED_TIME, AsLong(options.silence_s));
  }
  set(CURLOPT_BUFFERSIZE, AsLong(std::int64_t{256} << 10));
  if (!target.cluster.disable_compression) set(CURLOPT_ACCEPT_ENCODING, "gzip");
  // Names are resolved by the proxy, as in Go's clients. Without one, or where libcurl would not
  // take it, nothing of the environment counts: that was looked at before.
  bool socks5 = proxy.starts_with("socks5://");
  set(CURLOPT_PROXY, socks5 ? Cat("socks5h://", proxy.substr(9)).c_str() : proxy.c_str());
  set(CURLOPT_NOPROXY, "");
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, kYes);
  set(CURLOPT_USERAGENT, options.user_agent.c_str());
  header("Accept", request.accept);
  if (!request.known_etag.empty()) header("If-None-Match", request.known_etag);
  if (!proof.authorization.empty()) header("Authorization", proof.authorization);
  const Impersonation& as = target.user.impersonation;
  if (!as.user.empty()) header("Impersonate-User", as.user);
  if (!as.uid.empty()) header("Impersonate-Uid", as.uid);
  for (const std::string& group : as.groups) header("Impersonate-Group", group);
  // The API server undoes the encoding.
  for (const auto& [key, value] : as.extra) {
    header(Cat("Impersonate-Extra-", PercentEncoded(key)), value);
  }
  if (request.method != "GET") set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (!request.body.empty()) {
    exchange.body_sent = request.body;
    header("Content-Type", request.content_type);
    header("Expect", "");
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(exchange.body_sent.size()));
    set(CURLOPT_POSTFIELDS, exchange.body_sent.data());
  }
  set(CURLOPT_HTTPHEADER, exchange.headers_sent);
  set(CURLOPT_HEADERFUNCTION, &Exchange::Impl::OnHeader);
  set(CURLOPT_HEADERDATA, static_cast<void*>(&exchange));
  set(CURLOPT_WRITEFUNCTION, &Exchange::Impl::OnBody);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&exchange));
  set(CURLOPT_ERRORBUFFER, static_cast<char*>(exchange.error_text));
  set(CURLOPT_PRIVATE, static_cast<void*>(&exchange));
}

Result<void> Transport::Impl::Wait(std::int64_t timeout_ms) {
  CURLMcode code = CURLM_OK;
  if (timeout_ms > 0) {
    code = curl.multi_poll(multi, nullptr, 0, static_cast<int>(timeout_ms), nullptr);
  }
  int running = 0;
  if (code == CURLM_OK) code = curl.multi_perform(multi, &running);
  int left = 0;
  while (CURLMsg* message = curl.multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    void* self = nullptr;
    curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
    auto* exchange = static_cast<Exchange::Impl*>(self);
    exchange->is_done = true;
    exchange->result = message->data.result;
  }
  if (code == CURLM_OK) return {};
  return Fail(Code::kUnreachable, Cat("libcurl: ", curl.multi_strerror(code)));
}

Result<void> Transport::Impl::Connect() {
  multi = curl.multi_init();
  if (multi == nullptr) return Fail(Code::kUnreadable, "libcurl cannot be initialised");
  curl.multi_setopt(multi, CURLMOPT_PIPELINING, AsLong(CURLPIPE_MULTIPLEX));
  return {};
}

// A request of HTTP/2 that is ended leaves its connection to the others; only without the pool of
// connections none of them is taken again.
Result<void> Transport::Impl::Reconnect() {
  for (Exchange::Impl* exchange : exchanges) {
    if (exchange->is_done) continue;
    curl.multi_remove_handle(multi, exchange->easy);
    exchange->is_done = true;
    exchange->result = CURLE_OPERATION_TIMEDOUT;
  }
  curl.multi_cleanup(multi);
  return Connect();
}

Result<std::unique_ptr<Transport>> Transport::Make(const Target& target,
                                                   const Surroundings& surroundings,
                                                   const Options& options) {
  WMAP_TRY(const Curl* curl, LoadCurl());
  auto impl = std::make_unique<Impl>(target, options, *curl);
  WMAP_TRY(impl->authority, ReadAuthority(target.cluster, *surroundings.files));
  WMAP_TRY_VOID(impl->Connect());
  return std::unique_ptr<Transport>(new Transport(std::move(impl)));
}

Transport::Transport(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transport::~Transport() = default;

Result<std::unique_ptr<Exchange>> Transport::Start(const Request& request,
                                                   const Credentials::Proof& proof) {
  auto exchange =
      std::make_unique<Exchange::Impl>(*impl_, impl_->curl, impl_->target.cluster.server);
  exchange->easy = impl_->curl.easy_init();
  if (exchange->easy == nullptr) return Fail(Code::kLimit, "libcurl has no memory for a request");
  exchange->proof_number = proof.number;
  exchange->is_anonymous = proof.is_nothing();
  impl_->Configure(*exchange, request, proof);
  impl_->curl.multi_add_handle(impl_->multi, exchange->easy);
  impl_->exchanges.insert(exchange.get());
  WMAP_TRY_VOID(Wait(0));
  return std::unique_ptr<Exchange>(new Exchange(std::move(exchange)));
}

Result<void> Transport::Wait(std::int64_t timeout_ms) { return impl_->Wait(timeout_ms); }
Result<void> Transport::Reconnect() { return impl_->Reconnect(); }

}  // namespace wmap::kube
