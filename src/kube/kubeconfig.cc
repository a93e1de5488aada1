#include "kube/kubeconfig.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/arena.h"
#include "base/base64.h"
#include "base/text.h"
#include "input/read_text.h"
#include "json/value.h"
#include "json/writer.h"
#include "kube/proxy.h"
#include "yaml/reader.h"

namespace wmap::kube {

using json::Value;

// Reads one file into a Kubeconfig. The first fault of a field ends it: who the user is must not be
// guessed.
class KubeconfigReader {
 public:
  KubeconfigReader(const std::string& path, Kubeconfig& to) : to_(to) {
    std::size_t slash = path.rfind('/');
    folder_ = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  }

  Result<void> Read(const Value& file) {
    if (file.is_null()) return {};
    if (!file.is_object()) return Fail(Code::kInvalid, "is no kubeconfig: not an object");
    std::string current = Text(file, "current-context");
    if (to_.current_context_.empty()) to_.current_context_ = std::move(current);
    EachNamed(file, "clusters", "cluster", to_.clusters_, &KubeconfigReader::ReadCluster);
    EachNamed(file, "users", "user", to_.users_, &KubeconfigReader::ReadUser);
    EachNamed(file, "contexts", "context", to_.contexts_, &KubeconfigReader::ReadContext);
    if (!fault_.empty()) return Fail(Code::kInvalid, std::move(fault_));
    return {};
  }

 private:
  template <typename T>
  using ReadEntry = void (KubeconfigReader::*)(const Value&, Kubeconfig::Entry<T>&);

  // Calls `read` for the entries of a list [{name: ..., <field>: {...}}] whose names are new.
  template <typename T>
  void EachNamed(const Value& file, std::string_view list_name, std::string_view field,
                 Kubeconfig::Entries<T>& to, ReadEntry<T> read) {
    const Value* list = Typed(file, list_name, &Value::is_array, "a list");
    if (list == nullptr) return;
    Kubeconfig::Entries<T> mine;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Value& item = (*list)[i];
      at_ = Cat(list_name, '[', i, ']');
      if (!item.is_object()) return Wrong(at_, item, "an object");
      std::string name = Text(item, "name");
      at_ = Cat(list_name, '[', i, "].", field);
      const Value* body = item.Find(field);
      Value empty;
      if (body == nullptr || body->is_null()) {
        body = &empty;
      } else if (!body->is_object()) {
        return Wrong(at_, *body, "an object");
      }
      auto [entry, is_new] = mine.try_emplace(name);
      if (!is_new) {
        SetFault(Cat("has ", Quote(name), " twice in its ", list_name));
        return;
      }
      (this->*read)(*body, entry->second);
    }
    at_.clear();
    to.merge(mine);
  }

  void ReadContext(const Value& body, Kubeconfig::Entry<Kubeconfig::Context>& to) {
    to.value = {Text(body, "cluster"), Text(body, "user"), Text(body, "namespace")};
  }

  void ReadCluster(const Value& body, Kubeconfig::Entry<Cluster>& to) {
    Cluster& cluster = to.value;
    cluster.server = Text(body, "server");
    cluster.authority = ReadPem(body, "certificate-authority");
    cluster.tls_server_name = Text(body, "tls-server-name");
    cluster.proxy_url = Text(body, "proxy-url");
    cluster.insecure = Flag(body, "insecure-skip-tls-verify");
    cluster.disable_compression = Flag(body, "disable-compression");
    if (const Value* list = Typed(body, "extensions", &Value::is_array, "a list")) {
      for (const Value& item : list->items()) {
        if (item.Get("name").text_or_empty() == "client.authentication.k8s.io/exec") {
          cluster.exec_config = json::ToJson(item.Get("extension"));
        }
      }
    }
    if (cluster.insecure && !cluster.authority.empty()) {
      to.unusable = "it has both a certificate authority and insecure-skip-tls-verify; keep one";
    }
  }

  void ReadUser(const Value& body, Kubeconfig::Entry<User>& to) {
    User& user = to.value;
    user.certificate = ReadPem(body, "client-certificate");
    user.key = ReadPem(body, "client-key");
    user.token = Text(body, "token");
    user.token_file = Path(Text(body, "tokenFile"));
    user.username = Text(body, "username");
    user.password = Text(body, "password");
    user.impersonation.user = Text(body, "as");
    user.impersonation.uid = Text(body, "as-uid");
    user.impersonation.groups = Texts(body, "as-groups");
    if (const Value* extra = Typed(body, "as-user-extra", &Value::is_object, "an object")) {
      for (const auto& [key, value] : extra->members()) {
        for (std::string& text : Texts(*extra, key)) {
          user.impersonation.extra.emplace_back(key, std::move(text));
        }
      }
    }
    if (const Value* plugin = Typed(body, "exec", &Value::is_object, "an object")) {
      ReadPlugin(*plugin, to);
    }
    if (const Value* provider = Typed(body, "auth-provider", &Value::is_object, "an object")) {
      to.unusable =
          Cat("its auth-provider ", Quote(provider->Get("name").text_or_empty()),
              " is a kind of authentication that kubectl has given up; use an exec plugin");
    }
  }

  void ReadPlugin(const Value& body, Kubeconfig::Entry<User>& to) {
    std::string outer = std::exchange(at_, at_ + ".exec");
    ExecPlugin& plugin = to.value.plugin;
    plugin.api_version = Text(body, "apiVersion");
    plugin.command = Text(body, "command");
    if (plugin.command.find('/') != std::string::npos) plugin.command = Path(plugin.command);
    plugin.arguments = Texts(body, "args");
    plugin.install_hint = Text(body, "installHint");
    plugin.provide_cluster_info = Flag(body, "provideClusterInfo");
    if (const Value* list = Typed(body, "env", &Value::is_array, "a list")) {
      for (const Value& item : list->items()) {
        plugin.environment.emplace_back(item.Get("name").text_or_empty(),
                                        item.Get("value").text_or_empty());
      }
    }
    std::string mode = Text(body, "interactiveMode");
    using Interactive = ExecPlugin::Interactive;
    if (mode == "Never") {
      plugin.interactive = Interactive::kNever;
    } else if (mode == "Always") {
      plugin.interactive = Interactive::kAlways;
    } else if (!mode.empty() && mode != "IfAvailable") {
      SetFault(Cat(at_, ".interactiveMode is ", Quote(mode),
                   "; it must be Never, IfAvailable or Always"));
    }
    static constexpr std::array kVersions = {
        std::string_view("client.authentication.k8s.io/v1"),
        std::string_view("client.authentication.k8s.io/v1beta1")};
    if (plugin.command.empty()) {
      to.unusable = "its exec plugin has no command";
    } else if (std::ranges::find(kVersions, plugin.api_version) == kVersions.end()) {
      to.unusable = Cat("its exec plugin has the apiVersion ", Quote(plugin.api_version),
                        "; supported are ", kVersions[0], " and ", kVersions[1]);
    }
    at_ = std::move(outer);
  }

  // `<name>-data`, base64, or the file `<name>`.
  Pem ReadPem(const Value& body, std::string_view name) {
    Pem pem{{}, Path(Text(body, name))};
    std::string data_name = Cat(name, "-data");
    std::string data = Text(body, data_name);
    if (data.empty()) return pem;
    if (std::optional<std::string> text = DecodeBase64(data)) {
      pem.text = *std::move(text);
    } else {
      SetFault(Cat(FieldName(data_name), " is no base64"));
    }
    return pem;
  }

  std::string Path(std::string path) const {
    return path.empty() || path.front() == '/' ? path : folder_ + path;
  }

  std::string FieldName(std::string_view name) const {
    return at_.empty() ? std::string(name) : Cat(at_, '.', name);
  }
  void SetFault(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
  }
  void Wrong(std::string_view what, const Value& value, std::string_view expected) {
    SetFault(Cat(what, " must be ", expected, ", not ",
                 value.is_array() || value.is_object() ? "an " : "a ", json::TypeName(value.type()),
                 value.is_number() || value.is_bool() ? "; put it in quotes" : ""));
  }

  // The member `name`; null where it is absent, null, or, which is a fault, of another type.
  const Value* Typed(const Value& body, std::string_view name, bool (Value::*is)() const,
                     std::string_view expected) {
    const Value* value = body.Find(name);
    if (value == nullptr || value->is_null()) return nullptr;
    if ((value->*is)()) return value;
    Wrong(FieldName(name), *value, expected);
    return nullptr;
  }
  std::string Text(const Value& body, std::string_view name) {
    const Value* value = Typed(body, name, &Value::is_string, "a text");
    return value == nullptr ? std::string() : std::string(value->as_string());
  }
  bool Flag(const Value& body, std::string_view name) {
    const Value* value = body.Find(name);
    if (value == nullptr || value->is_null()) return false;
    if (!value->is_bool()) SetFault(Cat(FieldName(name), " must be true or false"));
    return value->is_true();
  }
  std::vector<std::string> Texts(const Value& body, std::string_view name) {
    std::vector<std::string> texts;
    const Value* list = Typed(body, name, &Value::is_array, "a list");
    if (list == nullptr) return texts;
    for (const Value& item : list->items()) {
      if (!item.is_string()) Wrong(Cat(FieldName(name), "[]"), item, "a text");
      texts.emplace_back(item.text_or_empty());
    }
    return texts;
  }

  Kubeconfig& to_;
  std::string folder_;  // "" or with a slash at its end
  std::string at_;      // the entry that is being read, "users[1].user"
  std::string fault_;   // the first one
};

namespace {

// The line of `text` that an error speaks of, as ":3", or "".
std::string LineOf(const Error& error, std::string_view text) {
  if (!error.range()) return "";
  std::size_t at = std::min(error.range()->begin, text.size());
  return Cat(':', 1 + std::ranges::count(text.substr(0, at), '\n'));
}

std::vector<std::string> KeysOf(const auto& entries) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) names.push_back(name);
  return names;
}

std::string NamesOf(const auto& entries) {
  std::vector<std::string> names = KeysOf(entries);
  return names.empty() ? "there is none" : Cat("there is ", Join(names, ", "));
}

// The entry `name`, which `wanted_by` refers to.
template <typename Entries>
auto Find(const Entries& entries, std::string_view what, const std::string& name,
          std::string_view wanted_by) -> Result<const typename Entries::mapped_type*> {
  auto found = entries.find(name);
  if (found == entries.end()) {
    return Fail(Code::kNotFound, Cat("the kubeconfig has no ", what, ' ', Quote(name), wanted_by,
                                     "; ", NamesOf(entries)));
  }
  if (!found->second.unusable.empty()) {
    return Fail(Code::kInvalid, Cat("the kubeconfig's ", what, ' ', Quote(name),
                                    " cannot be used: ", found->second.unusable));
  }
  return &found->second;
}

void Replace(std::string& value, const std::string& by) {
  if (!by.empty()) value = by;
}

void ReplaceFile(Pem& pem, const std::string& file) {
  if (!file.empty()) pem = {{}, file};
}

void Apply(const Overrides& overrides, Target& target) {
  Cluster& cluster = target.cluster;
  User& user = target.user;
  Replace(target.name_space, overrides.name_space);
  Replace(cluster.server, overrides.server);
  Replace(cluster.tls_server_name, overrides.tls_server_name);
  ReplaceFile(cluster.authority, overrides.authority_file);
  if (overrides.insecure) {
    cluster.insecure = true;
    cluster.authority = {};
  } else if (!overrides.authority_file.empty()) {
    cluster.insecure = false;
  }
  ReplaceFile(user.certificate, overrides.certificate_file);
  ReplaceFile(user.key, overrides.key_file);
  if (!overrides.token.empty()) {
    // Whoever gives a token means that one and nothing else.
    user.token = overrides.token;
    user.token_file.clear();
    user.username.clear();
    user.password.clear();
    user.plugin = {};
  }
  const Impersonation& as = overrides.impersonation;
  Replace(user.impersonation.user, as.user);
  Replace(user.impersonation.uid, as.uid);
  if (!as.groups.empty()) user.impersonation.groups = as.groups;
  if (!as.extra.empty()) user.impersonation.extra = as.extra;
}

Result<void> CheckCluster(Cluster& cluster) {
  if (cluster.server.empty()) return Fail(Code::kInvalid, "the cluster has no server address");
  if (cluster.server.find("://") == std::string::npos) {
    cluster.server.insert(0, "https://");
  } else if (!cluster.server.starts_with("https://") && !cluster.server.starts_with("http://")) {
    return Fail(Code::kInvalid, Cat("the server address ", Quote(cluster.server),
                                    " begins neither with https:// nor with http://"));
  }
  while (cluster.server.ends_with('/')) cluster.server.pop_back();
  if (!cluster.proxy_url.empty() && !IsSupportedProxy(cluster.proxy_url)) {
    return Fail(Code::kInvalid, Cat("the proxy-url ", Quote(WithoutSecrets(cluster.proxy_url)),
                                    " is of a kind that is not supported; supported are http, "
                                    "https and socks5"));
  }
  return {};
}

Result<void> CheckUser(const User& user) {
  if (user.certificate.empty() != user.key.empty()) {
    return Fail(Code::kInvalid, user.key.empty() ? "the user has a client certificate without key"
                                                 : "the user has a client key without certificate");
  }
  const Impersonation& as = user.impersonation;
  if (as.user.empty() && !as.empty()) {
    return Fail(Code::kInvalid, "impersonation of a uid or of groups needs a user: give --as too");
  }
  return {};
}

}  // namespace

Result<Kubeconfig> Kubeconfig::Load(std::span<const std::string> paths, const FileSystem& files,
                                    Absent absent) {
  Kubeconfig config;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    Result<std::string> text = input::ReadText(files, path);
    if (!text) {
      if (absent == Absent::kSkipped && text.error().code() == Code::kNotFound) continue;
      return Fail(std::move(text).error().In(Cat("kubeconfig ", path)));
    }
    Arena arena;
    Result<Value> value = yaml::Read(*text, arena);
    if (!value) {
      std::string place = Cat("kubeconfig ", path, LineOf(value.error(), *text));
      return Fail(std::move(value).error().In(std::move(place)));
    }
    if (Result<void> read = KubeconfigReader(path, config).Read(*value); !read) {
      return Fail(std::move(read).error().In(Cat("kubeconfig ", path)));
    }
  }
  return config;
}

std::vector<std::string> Kubeconfig::ContextNames() const { return KeysOf(contexts_); }
std::vector<std::string> Kubeconfig::ClusterNames() const { return KeysOf(clusters_); }
std::vector<std::string> Kubeconfig::UserNames() const { return KeysOf(users_); }

Result<Target> Kubeconfig::Resolve(const Overrides& overrides) const {
  Target target;
  target.context = overrides.context.empty() ? current_context_ : overrides.context;
  Context context;
  if (!target.context.empty()) {
    WMAP_TRY(const auto* entry, Find(contexts_, "context", target.context, ""));
    context = entry->value;
  }
  Replace(context.cluster, overrides.cluster);
  Replace(context.user, overrides.user);
  std::string wanted_by =
      target.context.empty() ? "" : Cat(", which context ", Quote(target.context), " refers to");
  if (!context.cluster.empty()) {
    WMAP_TRY(const auto* entry, Find(clusters_, "cluster", context.cluster,
                                     overrides.cluster.empty() ? wanted_by : ""));
    target.cluster = entry->value;
    target.cluster.name = context.cluster;
  } else if (overrides.server.empty()) {
    return Fail(target.context.empty() ? Code::kNotDefined : Code::kNotFound,
                target.context.empty()
                    ? Cat("no cluster configured: the kubeconfig has no current context; choose "
                          "one with --context (",
                          NamesOf(contexts_), ")")
                    : Cat("context ", Quote(target.context), " names no cluster"));
  }
  if (!context.user.empty()) {
    WMAP_TRY(const auto* entry,
             Find(users_, "user", context.user, overrides.user.empty() ? wanted_by : ""));
    target.user = entry->value;
    target.user.name = context.user;
  }
  target.name_space = context.name_space.empty() ? "default" : context.name_space;
  Apply(overrides, target);
  target.user.plugin.cluster_config = target.cluster.exec_config;
  WMAP_TRY_VOID(CheckCluster(target.cluster));
  WMAP_TRY_VOID(CheckUser(target.user));
  return target;
}

std::vector<std::string> DefaultPaths(std::string_view kubeconfig_variable, std::string_view home) {
  if (kubeconfig_variable.empty()) return {Cat(home, "/.kube/config")};
  std::vector<std::string> paths;
  while (true) {
    std::size_t colon = kubeconfig_variable.find(':');
    paths.emplace_back(kubeconfig_variable.substr(0, colon));
    if (colon == std::string_view::npos) return paths;
    kubeconfig_variable.remove_prefix(colon + 1);
  }
}

}  // namespace wmap::kube
