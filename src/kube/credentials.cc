#include "kube/credentials.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/arena.h"
#include "base/base64.h"
#include "base/text.h"
#include "base/time.h"
#include "input/read_text.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"
#include "kube/process.h"

namespace wmap::kube {
namespace {

using json::Value;

constexpr std::int64_t kTokenFileSeconds = 60;
// A proof that ends this soon could end on its way.
constexpr std::int64_t kMarginSeconds = 10;
// A plugin whose proofs are refused one after the other is left alone for so long.
constexpr std::int64_t kRefusalSeconds = 30;
constexpr std::int64_t kPluginTimeoutMs = 60'000;

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// What a header or a line on a terminal cannot hold.
bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

// ` of cluster "east"`, or "" where it has no name.
std::string Of(std::string_view what, const std::string& name) {
  return name.empty() ? std::string() : Cat(" of ", what, ' ', Quote(name));
}

std::string AuthorityOf(const Cluster& cluster) {
  return Cat("the certificate-authority", Of("cluster", cluster.name));
}

// The value of KUBERNETES_EXEC_INFO.
Result<std::string> ExecInfo(const ExecPlugin& plugin, const Cluster& cluster, bool interactive,
                             const FileSystem& files) {
  std::string text =
      Cat(R"({"apiVersion":")", plugin.api_version, '"',
          R"(,"kind":"ExecCredential","spec":{"interactive":)", interactive ? "true" : "false");
  if (plugin.provide_cluster_info) {
    text += R"(,"cluster":{"server":)";
    json::WriteString(cluster.server, text);
    auto add = [&](std::string_view name, std::string_view value) {
      if (value.empty()) return;
      CatTo(text, ",\"", name, "\":");
      json::WriteString(value, text);
    };
    add("tls-server-name", cluster.tls_server_name);
    add("proxy-url", cluster.proxy_url);
    if (!cluster.authority.empty()) {
      WMAP_TRY(std::string authority, ReadPem(cluster.authority, AuthorityOf(cluster), files));
      add("certificate-authority-data", EncodeBase64(authority));
    }
    if (cluster.insecure) text += R"(,"insecure-skip-tls-verify":true)";
    if (cluster.disable_compression) text += R"(,"disable-compression":true)";
    if (!plugin.cluster_config.empty()) CatTo(text, R"(,"config":)", plugin.cluster_config);
    text += '}';
  }
  return text + "}}";
}

// What a plugin said, for a message: one line of it, or "".
std::string Said(std::string_view text) {
  text = Trimmed(text);
  if (text.empty()) return "";
  std::string line;
  for (char c : text.substr(0, 400)) {
    line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return Cat(": ", line);
}

struct PluginAnswer {
  Credentials::Proof proof;
  std::int64_t valid_until = 0;
};

// Reads an ExecCredential.
Result<PluginAnswer> ReadAnswer(const std::string& text, const ExecPlugin& plugin) {
  Arena arena;
  Result<Value> answer = json::Read(text, arena);
  if (!answer || !answer->is_object()) {
    return Fail(Code::kInvalid, Cat("what it printed is no ExecCredential: ",
                                    text.empty() ? "nothing" : Quote(Trimmed(text), 60)));
  }
  std::string_view kind = answer->Get("kind").text_or_empty();
  if (kind != "ExecCredential") {
    return Fail(Code::kInvalid,
                Cat("it printed an object of kind ", Quote(kind), " instead of an ExecCredential"));
  }
  std::string_view version = answer->Get("apiVersion").text_or_empty();
  if (version != plugin.api_version) {
    return Fail(Code::kInvalid, Cat("it answered with apiVersion ", Quote(version),
                                    "; the kubeconfig asks for ", Quote(plugin.api_version)));
  }
  Value status = answer->Get("status");
  PluginAnswer read;
  std::string_view token = status.Get("token").text_or_empty();
  read.proof.certificate = status.Get("clientCertificateData").text_or_empty();
  read.proof.key = status.Get("clientKeyData").text_or_empty();
  if (read.proof.certificate.empty() != read.proof.key.empty()) {
    return Fail(Code::kInvalid, "it gave one of clientCertificateData and clientKeyData alone");
  }
  if (token.empty() && read.proof.certificate.empty()) {
    return Fail(Code::kInvalid, "it gave neither a token nor a client certificate");
  }
  if (HasControls(token)) return Fail(Code::kInvalid, "its token has line ends in it");
  if (!token.empty()) read.proof.authorization = Cat("Bearer ", token);
  std::string_view until = status.Get("expirationTimestamp").text_or_empty();
  if (!until.empty()) {
    std::optional<std::int64_t> seconds = ParseTime(until);
    if (!seconds) {
      return Fail(Code::kInvalid, Cat("its expirationTimestamp ", Quote(until), " is no time"));
    }
    read.valid_until = *seconds;
  }
  return read;
}

}  // namespace

std::int64_t Surroundings::Within(std::int64_t timeout_ms) const {
  if (deadline_ms == 0) return timeout_ms;
  std::int64_t left = std::max<std::int64_t>(deadline_ms - NowMs(), 1);
  return timeout_ms == 0 ? left : std::min(timeout_ms, left);
}

Result<std::string> ReadPem(const Pem& pem, std::string_view what, const FileSystem& files) {
  if (!pem.text.empty() || pem.file.empty()) return pem.text;
  Result<std::string> text = input::ReadText(files, pem.file);
  if (!text) return Fail(std::move(text).error().In(Cat(what, ", ", pem.file)));
  return text;
}

Result<std::string> ReadAuthority(const Cluster& cluster, const FileSystem& files) {
  std::string what = AuthorityOf(cluster);
  WMAP_TRY(std::string text, ReadPem(cluster.authority, what, files));
  bool is_given = !cluster.authority.empty();
  if (is_given && !text.contains("-----BEGIN ")) {
    return Fail(Code::kInvalid,
                Cat(what, cluster.authority.file.empty() ? "" : ", ", cluster.authority.file,
                    ": it is no certificate; one begins with -----BEGIN CERTIFICATE-----"));
  }
  return text;
}

Credentials::Credentials(const Target& target, const Surroundings& surroundings)
    : user_(target.user), cluster_(target.cluster), surroundings_(surroundings) {}

Result<const Credentials::Proof*> Credentials::Get() {
  std::int64_t now = surroundings_.clock->UnixSeconds();
  if (!is_current_ || (valid_until_ != 0 && now + kMarginSeconds >= valid_until_)) {
    WMAP_TRY_VOID(Refresh());
  }
  return &proof_;
}

bool Credentials::Renew(std::uint64_t number) {
  if (user_.plugin.empty() && user_.token_file.empty()) return false;
  // Another request has found that before.
  if (number != proof_.number || !is_current_) return true;
  // A file may hold another token by now, and costs nothing to read.
  std::int64_t now = surroundings_.clock->UnixSeconds();
  if (!user_.plugin.empty() && refused_at_ && now - *refused_at_ < kRefusalSeconds) return false;
  refused_at_ = now;
  is_current_ = false;
  return true;
}

void Credentials::Accept(std::uint64_t number) {
  if (number == proof_.number) refused_at_.reset();
}

Result<void> Credentials::Refresh() {
  Proof proof;
  valid_until_ = 0;
  std::string of_user = Of("user", user_.name);
  proof.number = proof_.number + 1;
  WMAP_TRY(proof.certificate, ReadPem(user_.certificate, Cat("the client-certificate", of_user),
                                      *surroundings_.files));
  WMAP_TRY(proof.key, ReadPem(user_.key, Cat("the client-key", of_user), *surroundings_.files));
  std::string token = user_.token;
  if (!user_.token_file.empty()) {
    Result<std::string> text = input::ReadText(*surroundings_.files, user_.token_file);
    if (!text && token.empty()) {
      return Fail(
          std::move(text).error().In(Cat("the tokenFile", of_user, ", ", user_.token_file)));
    }
    if (text) token = Trimmed(*text);
    valid_until_ = surroundings_.clock->UnixSeconds() + kTokenFileSeconds + kMarginSeconds;
  }
  if (HasControls(token)) return Fail(Code::kInvalid, "the user's token has line ends in it");
  if (!token.empty()) {
    proof.authorization = Cat("Bearer ", token);
  } else if (!user_.username.empty()) {
    proof.authorization = Cat("Basic ", EncodeBase64(Cat(user_.username, ':', user_.password)));
  }
  proof_ = std::move(proof);
  if (!user_.plugin.empty()) WMAP_TRY_VOID(RunPlugin());
  is_current_ = true;
  return {};
}

Result<void> Credentials::RunPlugin() {
  const ExecPlugin& plugin = user_.plugin;
  using Interactive = ExecPlugin::Interactive;
  std::string name = Cat("credential plugin ", plugin.command);
  if (plugin.interactive == Interactive::kAlways && !surroundings_.is_interactive) {
    return Fail(Error(Code::kInvalid, "it wants to ask a question, and there is no terminal")
                    .In(std::move(name)));
  }
  bool interactive = plugin.interactive != Interactive::kNever && surroundings_.is_interactive;
  Command command;
  command.program = plugin.command;
  command.arguments = plugin.arguments;
  command.environment = plugin.environment;
  WMAP_TRY(std::string info, ExecInfo(plugin, cluster_, interactive, *surroundings_.files));
  command.environment.emplace_back("KUBERNETES_EXEC_INFO", std::move(info));
  command.shares_input = interactive;
  // Somebody who is asked may take the time.
  std::int64_t asked_ms = surroundings_.plugin_timeout_ms;
  command.timeout_ms = surroundings_.Within(interactive     ? 0
                                            : asked_ms == 0 ? kPluginTimeoutMs
                                                            : std::min(asked_ms, kPluginTimeoutMs));
  Result<Outcome> outcome = RunProcess(
      command,
      [&](std::string_view text) {
        if (interactive) surroundings_.tell(text);
      },
      [&] {
        if (!interactive) surroundings_.tell(Cat("waiting for the ", name, '\n'));
      });
  if (!outcome) {
    Error error = std::move(outcome).error();
    if (error.code() == Code::kNotFound && !plugin.install_hint.empty()) {
      error = Error(Code::kNotFound, Cat(error.message(), "\n", plugin.install_hint));
    }
    return Fail(std::move(error).In(std::move(name)));
  }
  if (outcome->exit_code != 0) {
    return Fail(Error(Code::kUnreadable,
                      Cat("it failed with exit code ", outcome->exit_code, Said(outcome->err)))
                    .In(std::move(name)));
  }
  if (!interactive && !outcome->err.empty()) surroundings_.tell(outcome->err);
  Result<PluginAnswer> answer = ReadAnswer(outcome->out, plugin);
  if (!answer) return Fail(std::move(answer).error().In(std::move(name)));
  if (!answer->proof.authorization.empty()) proof_.authorization = answer->proof.authorization;
  if (!answer->proof.certificate.empty()) {
    proof_.certificate = answer->proof.certificate;
    proof_.key = answer->proof.key;
  }
  valid_until_ = answer->valid_until;
  std::int64_t now = surroundings_.clock->UnixSeconds();
  if (valid_until_ != 0 && valid_until_ <= now) {
    // The server has the last word; asking for every request would not better it.
    if (!std::exchange(told_of_end_, true)) {
      surroundings_.tell(Cat(name, ": what it gave has ended already, at ", TimeText(valid_until_),
                             "; the clock of this machine says ", TimeText(now), '\n'));
    }
    valid_until_ = now + kMarginSeconds + kTokenFileSeconds;
  }
  return {};
}

}  // namespace wmap::kube
