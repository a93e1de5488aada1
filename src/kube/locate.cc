#include "kube/locate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "input/read_text.h"
#include "kube/proxy.h"

namespace wmap::kube {
namespace {

constexpr std::string_view kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount/";

// The cluster whose pod this process is in.
std::optional<Target> InCluster(const Environment& environment, const FileSystem& files) {
  std::string host = environment("KUBERNETES_SERVICE_HOST");
  std::string port = environment("KUBERNETES_SERVICE_PORT");
  std::string token_file = Cat(kServiceAccount, "token");
  if (host.empty() || port.empty() || !files.Stat(token_file)) return std::nullopt;
  Target target;
  bool is_ipv6 = host.find(':') != std::string::npos;
  target.cluster.server =
      is_ipv6 ? Cat("https://[", host, "]:", port) : Cat("https://", host, ':', port);
  target.cluster.authority.file = Cat(kServiceAccount, "ca.crt");
  target.user.token_file = std::move(token_file);
  target.name_space = input::ReadText(files, Cat(kServiceAccount, "namespace")).value_or("default");
  return target;
}

}  // namespace

Result<Kubeconfig> LoadKubeconfig(const std::string& kubeconfig_flag,
                                  const Environment& environment, const FileSystem& files) {
  if (!kubeconfig_flag.empty()) {
    return Kubeconfig::Load({&kubeconfig_flag, 1}, files, Kubeconfig::Absent::kError);
  }
  return Kubeconfig::Load(DefaultPaths(environment("KUBECONFIG"), environment("HOME")), files,
                          Kubeconfig::Absent::kSkipped);
}

namespace {

Result<Target> FindTargetOf(const Kubeconfig& config, const std::string& kubeconfig_flag,
                            const Overrides& overrides, const Environment& environment,
                            const FileSystem& files) {
  bool is_chosen = !overrides.context.empty() || !overrides.cluster.empty() ||
                   !overrides.user.empty() || !overrides.server.empty();
  if (!config.empty() || is_chosen) return config.Resolve(overrides);
  if (std::optional<Target> target = InCluster(environment, files)) {
    if (!overrides.name_space.empty()) target->name_space = overrides.name_space;
    target->user.impersonation = overrides.impersonation;
    return *std::move(target);
  }
  if (!kubeconfig_flag.empty()) {
    return Fail(Code::kNotDefined,
                Cat("no cluster configured: there is none in the kubeconfig ", kubeconfig_flag));
  }
  std::string named = environment("KUBECONFIG");
  bool is_there = std::ranges::any_of(
      DefaultPaths(named, environment("HOME")),
      [&](const std::string& path) { return !path.empty() && files.Stat(path).has_value(); });
  if (named.empty()) named = "~/.kube/config";
  return Fail(Code::kNotDefined,
              is_there ? Cat("no cluster configured: there is none in the kubeconfig ", named)
                       : Cat("no cluster configured: there is no kubeconfig ", named,
                             "; set KUBECONFIG or give --kubeconfig"));
}

}  // namespace

Result<Target> FindTarget(const std::string& kubeconfig_flag, const Overrides& overrides,
                          const Environment& environment, const FileSystem& files) {
  WMAP_TRY(Kubeconfig config, LoadKubeconfig(kubeconfig_flag, environment, files));
  WMAP_TRY(Target target, FindTargetOf(config, kubeconfig_flag, overrides, environment, files));
  WMAP_TRY(target.environment_proxy, EnvironmentProxy(target.cluster.server, environment));
  return target;
}

}  // namespace wmap::kube
