#include "kube/kubeconfig.h"

#include <gtest/gtest.h>

#include "tests/fake/memory_file_system.h"

namespace wmap::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Paths = std::vector<std::string>;

// Reference case 27: the files, and who is asked for what.
class KubeconfigMerge : public ::testing::Test {
 protected:
  KubeconfigMerge() {
    files_.Add("/w/one/a.yaml", R"(apiVersion: v1
kind: Config
current-context: alpha
clusters:
- name: east
  cluster: {server: "https://east.invalid:6443", certificate-authority: ca.crt}
users:
- name: red
  user: {token: first}
contexts:
- name: alpha
  context: {cluster: east, user: red}
)");
    files_.Add("/w/two/b.yaml", R"(apiVersion: v1
kind: Config
current-context: beta
clusters:
- name: east
  cluster: {server: "https://other.invalid:6443", proxy-url: "socks5://localhost:1080"}
- name: west
  cluster: {server: "https://west.invalid:6443", tls-server-name: west.example, some-future-field: 1}
users:
- name: red
  user: {token: second, client-certificate: c.crt, client-key: c.key}
contexts:
- name: beta
  context: {cluster: west, user: red, namespace: lab}
- name: alpha
  context: {cluster: west, user: red, namespace: other}
)");
    files_.Add("/w/bad.yaml", "apiVersion: v1\nkind: Config\nclusters: [\n");
    files_.Add("/w/empty.yaml", "");
  }

  Result<Target> Resolve(const Paths& paths, const Overrides& overrides = {},
                         Kubeconfig::Absent absent = Kubeconfig::Absent::kSkipped) {
    Result<Kubeconfig> config = Kubeconfig::Load(paths, files_, absent);
    if (!config) return std::unexpected(config.error());
    return config->Resolve(overrides);
  }
  std::string ErrorOf(const Paths& paths, const Overrides& overrides = {},
                      Kubeconfig::Absent absent = Kubeconfig::Absent::kSkipped) {
    Result<Target> target = Resolve(paths, overrides, absent);
    return target ? "none" : target.error().Describe();
  }

  testing::MemoryFileSystem files_;
};

TEST_F(KubeconfigMerge, TheFirstFileWinsEntryByEntry) {
  for (const Paths& paths :
       {Paths{"/w/one/a.yaml", "/w/two/b.yaml"}, Paths{"/w/missing.yaml", "", "/w/one/a.yaml"}}) {
    auto target = Resolve(paths);
    ASSERT_TRUE(target) << target.error().Describe();
    EXPECT_EQ(target->context, "alpha");
    EXPECT_EQ(target->cluster.server, "https://east.invalid:6443");
    EXPECT_EQ(target->cluster.authority.file, "/w/one/ca.crt");
    EXPECT_EQ(target->cluster.proxy_url, "");
    EXPECT_EQ(target->user.token, "first");
    EXPECT_TRUE(target->user.certificate.empty());
    EXPECT_EQ(target->name_space, "default");
  }
}

TEST_F(KubeconfigMerge, TheOrderOfTheFilesDecides) {
  for (const Paths& paths :
       {Paths{"/w/two/b.yaml", "/w/one/a.yaml"}, Paths{"/w/empty.yaml", "/w/two/b.yaml"}}) {
    auto target = Resolve(paths);
    ASSERT_TRUE(target) << target.error().Describe();
    EXPECT_EQ(target->context, "beta");
    EXPECT_EQ(target->cluster.server, "https://west.invalid:6443");
    EXPECT_EQ(target->cluster.tls_server_name, "west.example");
    EXPECT_EQ(target->user.token, "second");
    EXPECT_EQ(target->user.certificate.file, "/w/two/c.crt");
    EXPECT_EQ(target->name_space, "lab");
  }
}

TEST_F(KubeconfigMerge, AContextMayMixFiles) {
  auto target = Resolve({"/w/one/a.yaml", "/w/two/b.yaml"}, {.context = "beta"});
  ASSERT_TRUE(target) << target.error().Describe();
  EXPECT_EQ(target->cluster.server, "https://west.invalid:6443");
  EXPECT_EQ(target->user.token, "first");
  EXPECT_EQ(target->name_space, "lab");
}

TEST_F(KubeconfigMerge, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf({"/w/bad.yaml", "/w/one/a.yaml"}), HasSubstr("kubeconfig /w/bad.yaml:"));
  EXPECT_THAT(ErrorOf({"/w/missing.yaml"}), HasSubstr("no cluster configured"));
  EXPECT_EQ(ErrorOf({"/w/one/a.yaml", "/w/two/b.yaml"}, {.context = "gamma"}),
            "the kubeconfig has no context \"gamma\"; there is alpha, beta");
  EXPECT_THAT(ErrorOf({"/w/missing.yaml"}, {}, Kubeconfig::Absent::kError),
              HasSubstr("/w/missing.yaml: cannot open: No such file"));
}

std::string ErrorOfText(const std::string& text, const Overrides& overrides = {}) {
  testing::MemoryFileSystem files;
  files.Add("/c", text);
  Result<Kubeconfig> config = Kubeconfig::Load(Paths{"/c"}, files, Kubeconfig::Absent::kError);
  if (!config) return config.error().Describe();
  Result<Target> target = config->Resolve(overrides);
  return target ? "none" : target.error().Describe();
}

// A kubeconfig of one cluster and one user.
std::string One(std::string_view cluster, std::string_view user) {
  return "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
         "clusters: [{name: k, cluster: {" +
         std::string(cluster) + "}}]\nusers: [{name: u, user: {" + std::string(user) + "}}]\n";
}

TEST(Kubeconfig, RefusesWhatItCannotUse) {
  EXPECT_EQ(ErrorOfText(One("server: 'https://a'", "token: 12345")),
            "kubeconfig /c: users[0].user.token must be a text, not a number; put it in quotes");
  EXPECT_EQ(ErrorOfText("clusters: {a: 1}"),
            "kubeconfig /c: clusters must be a list, not an object");
  EXPECT_EQ(ErrorOfText("- 1"), "kubeconfig /c: is no kubeconfig: not an object");
  EXPECT_EQ(ErrorOfText("users: [{name: u}, {name: u}]"),
            "kubeconfig /c: has \"u\" twice in its users");
  EXPECT_THAT(ErrorOfText(One("server: 'https://a', certificate-authority-data: '*'", "")),
              HasSubstr("clusters[0].cluster.certificate-authority-data is no base64"));
  EXPECT_THAT(ErrorOfText(One("server: 'https://a', proxy-url: 'ftp://p'", "")),
              HasSubstr("proxy-url \"ftp://p\" is of a kind that is not supported"));
  EXPECT_THAT(ErrorOfText(One("server: 'ldap://a'", "")),
              HasSubstr("begins neither with https://"));
  EXPECT_THAT(ErrorOfText(One("", "")), HasSubstr("no server address"));
  EXPECT_THAT(ErrorOfText(One("server: 'https://a'", "client-key: k")),
              HasSubstr("client key without certificate"));
  EXPECT_THAT(ErrorOfText(One("server: 'https://a'", "auth-provider: {name: gcp}")),
              HasSubstr("auth-provider \"gcp\""));
  EXPECT_THAT(ErrorOfText(One("server: 'https://a'", "exec: {command: x, apiVersion: v9}")),
              HasSubstr("has the apiVersion \"v9\"; supported are client.authentication"));
  EXPECT_THAT(ErrorOfText(One("server: 'https://a', insecure-skip-tls-verify: true, "
                              "certificate-authority: ca",
                              "")),
              HasSubstr("both a certificate authority and insecure-skip-tls-verify"));
  EXPECT_THAT(ErrorOfText("current-context: c\ncontexts: [{name: c, context: {cluster: k}}]"),
              HasSubstr("no cluster \"k\", which context \"c\" refers to; there is none"));
  EXPECT_THAT(ErrorOfText(One("server: 'https://a'", ""), {.impersonation = {.groups = {"g"}}}),
              HasSubstr("give --as too"));
}

TEST(Kubeconfig, AFaultyEntryHarmsThoseAloneWhoUseIt) {
  EXPECT_EQ(
      ErrorOfText(One("server: 'https://a'", "") + "\n# a second user, of a kind that is gone\n"),
      "none");
  std::string two = One("server: 'https://a'", "token: t");
  two.insert(two.rfind(']'), ", {name: old, user: {auth-provider: {name: gcp}}}");
  EXPECT_EQ(ErrorOfText(two), "none");
  EXPECT_THAT(ErrorOfText(two, {.user = "old"}), HasSubstr("cannot be used"));
}

TEST(Kubeconfig, ReadsPlugins) {
  testing::MemoryFileSystem files;
  files.Add("/k/c", One("server: 'https://a/', extensions: [{name: "
                        "client.authentication.k8s.io/exec, extension: {audience: x}}]",
                        "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./give, "
                        "args: [--for, west], env: [{name: MODE, value: quiet}], "
                        "interactiveMode: Never, installHint: install it, "
                        "provideClusterInfo: true}, as: jane, as-groups: [a, b], "
                        "as-user-extra: {reason: [one, two]}"));
  auto config = Kubeconfig::Load(Paths{"/k/c"}, files, Kubeconfig::Absent::kError);
  ASSERT_TRUE(config) << config.error().Describe();
  auto target = config->Resolve({});
  ASSERT_TRUE(target) << target.error().Describe();
  EXPECT_EQ(target->cluster.server, "https://a");
  const ExecPlugin& plugin = target->user.plugin;
  EXPECT_EQ(plugin.command, "/k/./give");
  EXPECT_THAT(plugin.arguments, ElementsAre("--for", "west"));
  EXPECT_THAT(plugin.environment, ElementsAre(std::pair("MODE", "quiet")));
  EXPECT_EQ(plugin.interactive, ExecPlugin::Interactive::kNever);
  EXPECT_EQ(plugin.cluster_config, R"({"audience":"x"})");
  EXPECT_EQ(target->user.impersonation.user, "jane");
  EXPECT_THAT(target->user.impersonation.groups, ElementsAre("a", "b"));
  EXPECT_THAT(target->user.impersonation.extra,
              ElementsAre(std::pair("reason", "one"), std::pair("reason", "two")));
}

TEST(Kubeconfig, FlagsReplace) {
  testing::MemoryFileSystem files;
  files.Add("/c", One("server: 'https://a', certificate-authority: ca",
                      "username: u, password: p, exec: {apiVersion: "
                      "client.authentication.k8s.io/v1, command: give}"));
  auto config = Kubeconfig::Load(Paths{"/c"}, files, Kubeconfig::Absent::kError);
  ASSERT_TRUE(config) << config.error().Describe();
  auto target =
      config->Resolve({.name_space = "n", .server = "http://b", .token = "t", .insecure = true});
  ASSERT_TRUE(target) << target.error().Describe();
  EXPECT_EQ(target->name_space, "n");
  EXPECT_EQ(target->cluster.server, "http://b");
  EXPECT_TRUE(target->cluster.insecure);
  EXPECT_TRUE(target->cluster.authority.empty());
  EXPECT_EQ(target->user.token, "t");
  EXPECT_TRUE(target->user.plugin.empty());
  EXPECT_EQ(target->user.username, "");
  // A server alone is enough.
  auto bare = Kubeconfig().Resolve({.server = "localhost:8443"});
  ASSERT_TRUE(bare) << bare.error().Describe();
  EXPECT_EQ(bare->cluster.server, "https://localhost:8443");
}

TEST(DefaultPaths, AreThoseOfTheVariableOrTheHome) {
  EXPECT_THAT(DefaultPaths("", "/users/x"), ElementsAre("/users/x/.kube/config"));
  EXPECT_THAT(DefaultPaths("a:/b:", "/users/x"), ElementsAre("a", "/b", ""));
  EXPECT_THAT(Kubeconfig().ContextNames(), IsEmpty());
}

}  // namespace
}  // namespace wmap::kube
