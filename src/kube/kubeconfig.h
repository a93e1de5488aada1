// The kubeconfig, as kubectl reads it: which cluster to talk to, as whom.
//
// Several files are merged entry by entry: for each name of a cluster, a user or a context the
// first file that has it wins with its whole entry, and so does the first current-context. Unknown
// fields are ignored, as are `preferences`. Relative paths in a file are relative to its folder.
//
// Nothing is contacted here, and no certificate or token file is read: a Target says what a client
// will need. Pure but for reading the files named. All types are values; const use is thread-safe.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fs.h"

namespace wmap::kube {

// PEM text, or the file that it stands in; both empty = not given. `text` wins, as in kubectl.
struct Pem {
  std::string text;
  std::string file;

  bool empty() const { return text.empty() && file.empty(); }
};

// A program that gives credentials (client-go's "exec" plugins).
struct ExecPlugin {
  enum class Interactive { kIfAvailable, kNever, kAlways };

  std::string api_version;
  std::string command;  // a path, or a name to be found on PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string install_hint;
  Interactive interactive = Interactive::kIfAvailable;
  bool provide_cluster_info = false;
  // JSON of the cluster's extension "client.authentication.k8s.io/exec", or "".
  std::string cluster_config;

  // An empty command: no plugin.
  bool empty() const { return command.empty(); }
};

// The API server.
struct Cluster {
  std::string server;  // "https://10.0.0.1:6443", perhaps with a path
  Pem authority;       // empty = the system's
  std::string tls_server_name;
  std::string proxy_url;
  bool insecure = false;  // its certificate is not verified
  bool disable_compression = false;
  std::string exec_config;  // see ExecPlugin::cluster_config
  std::string name = {};    // in the kubeconfig, for messages; "" when it is in none
};

// Whom to act as; see the API server's documentation of impersonation.
struct Impersonation {
  std::string user = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::vector<std::pair<std::string, std::string>> extra = {};  // key, one value; keys may repeat

  bool empty() const { return user.empty() && uid.empty() && groups.empty() && extra.empty(); }
};

// Whoever asks. Of several ways to authenticate, all that are given are used.
struct User {
  Pem certificate;
  Pem key;
  std::string token;
  std::string token_file;  // read again from time to time; wins over `token`
  std::string username;
  std::string password;
  ExecPlugin plugin;
  Impersonation impersonation;
  std::string name = {};  // in the kubeconfig, for messages; "" when it is in none
};

// One cluster, one user.
struct Target {
  std::string context;     // "" when there is none, as inside a cluster
  std::string name_space;  // "default" when nothing says otherwise
  Cluster cluster;
  std::string environment_proxy = {};  // taken where the cluster has no proxy_url
  User user;
};

// What the flags of a command say; empty = not given.
struct Overrides {
  std::string context = {};
  std::string cluster = {};
  std::string user = {};
  std::string name_space = {};
  std::string server = {};
  std::string tls_server_name = {};
  std::string authority_file = {};
  std::string certificate_file = {};
  std::string key_file = {};
  std::string token = {};
  bool insecure = false;
  Impersonation impersonation = {};
};

class Kubeconfig {
 public:
  // Whether a file may be absent: those of $KUBECONFIG may, one that a flag names may not.
  enum class Absent { kSkipped, kError };

  // Reads and merges `paths`; empty ones are skipped. Errors name the file, and the line where
  // there is one: kSyntax, kInvalid (a field of the wrong type, a name twice in one file),
  // kNotFound, kUnreadable.
  static Result<Kubeconfig> Load(std::span<const std::string> paths, const FileSystem& files,
                                 Absent absent);

  // Nothing is in it, neither cluster nor context.
  bool empty() const { return contexts_.empty() && clusters_.empty(); }
  const std::string& current_context() const { return current_context_; }
  // Ascending.
  std::vector<std::string> ContextNames() const;
  std::vector<std::string> ClusterNames() const;
  std::vector<std::string> UserNames() const;

  // The target of a context (that of `overrides`, else the current one), with what `overrides`
  // replaces. kNotFound when a name that it needs is in no file; the message lists those that are.
  // kNotDefined when no cluster is chosen at all.
  // kInvalid when what it finds cannot be used: no server, a proxy or a kind of authentication
  // that is not supported.
  Result<Target> Resolve(const Overrides& overrides) const;

 private:
  friend class KubeconfigReader;
  struct Context {
    std::string cluster;
    std::string user;
    std::string name_space;
  };
  // What makes an entry unusable is said when it is used: the others work.
  template <typename T>
  struct Entry {
    T value;
    std::string unusable;
  };
  template <typename T>
  using Entries = std::map<std::string, Entry<T>, std::less<>>;

  std::string current_context_;
  Entries<Cluster> clusters_;
  Entries<User> users_;
  Entries<Context> contexts_;
};

// The files that make up the kubeconfig when no flag names one: those of $KUBECONFIG, separated by
// ':', else the one in the home folder.
std::vector<std::string> DefaultPaths(std::string_view kubeconfig_variable, std::string_view home);

}  // namespace wmap::kube
