#include "kube/credentials.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>

#include "input/input.h"
#include "kube/process.h"

namespace wmap::kube {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class FakeClock final : public Clock {
 public:
  std::int64_t MonotonicNanos() const override { return now * 1'000'000'000; }
  std::int64_t UnixSeconds() const override { return now; }
  std::int64_t now = 1'800'000'000;  // 2027-01-15T08:00:00Z
};

// Real plugins: shell scripts in a folder of their own.
class Plugin : public ::testing::Test {
 protected:
  Plugin() {
    std::string pattern = ::testing::TempDir() + "/plugin.XXXXXX";
    folder_ = mkdtemp(pattern.data());
    target_.cluster.server = "https://west.invalid:6443";
    ExecPlugin& plugin = target_.user.plugin;
    plugin.api_version = "client.authentication.k8s.io/v1";
    plugin.command = folder_ + "/give-token";
    plugin.interactive = ExecPlugin::Interactive::kNever;
    plugin.install_hint = "install give-token first";
    surroundings_.files = &input::SystemFileSystem();
    surroundings_.clock = &clock_;
    surroundings_.tell = [this](std::string_view text) { told_ += text; };
  }
  ~Plugin() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& script) {
    std::ofstream(target_.user.plugin.command) << "#!/bin/sh\n" << script;
    chmod(target_.user.plugin.command.c_str(), 0700);
  }
  static std::string Answer(const std::string& status,
                            const std::string& version = "client.authentication.k8s.io/v1") {
    return "cat <<END\n{\"apiVersion\":\"" + version +
           "\",\"kind\":\"ExecCredential\",\"status\":{" + status + "}}\nEND\n";
  }
  std::string ErrorOf() {
    Credentials credentials(target_, surroundings_);
    auto proof = credentials.Get();
    return proof ? "none" : proof.error().Describe();
  }

  FakeClock clock_;
  Surroundings surroundings_;
  Target target_;
  std::string folder_;
  std::string told_;
};

TEST_F(Plugin, IsAskedAgainBeforeItsTokenEnds) {
  // Counts its calls.
  Write("echo x >> " + folder_ + "/calls\nN=$(wc -l < " + folder_ + "/calls)\n" +
        Answer(R"("token":"t$N","expirationTimestamp":"2027-01-15T08:01:00Z")"));
  Credentials credentials(target_, surroundings_);
  auto proof = credentials.Get();
  ASSERT_TRUE(proof) << proof.error().Describe();
  EXPECT_EQ((*proof)->authorization, "Bearer t1");
  clock_.now += 49;
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer t1");
  clock_.now += 1;
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer t2");
}

TEST_F(Plugin, IsAskedAgainWhenTheServerRefuses) {
  Write("echo x >> " + folder_ + "/calls\nN=$(wc -l < " + folder_ + "/calls)\n" +
        Answer(R"("token":"t$N")"));
  Credentials credentials(target_, surroundings_);
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer t1");
  EXPECT_TRUE(credentials.Renew((*credentials.Get())->number));
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer t2");
}

TEST_F(Plugin, LearnsOfTheCluster) {
  target_.user.plugin.provide_cluster_info = true;
  target_.user.plugin.environment = {{"MODE", "quiet"}};
  target_.user.plugin.arguments = {"--for", "west"};
  target_.cluster.authority.text = "PEM";
  target_.user.plugin.cluster_config = R"({"audience":"x"})";
  Write("printf '%s|%s|%s' \"$KUBERNETES_EXEC_INFO\" \"$MODE\" \"$*\" > " + folder_ + "/seen\n" +
        Answer(R"("token":"t")"));
  EXPECT_EQ(ErrorOf(), "none");
  std::ifstream seen(folder_ + "/seen");
  std::string text{std::istreambuf_iterator<char>(seen), {}};
  EXPECT_EQ(text,
            R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
            R"("spec":{"interactive":false,"cluster":{"server":"https://west.invalid:6443",)"
            R"("certificate-authority-data":"UEVN","config":{"audience":"x"}}}}|quiet|--for west)");
}

TEST_F(Plugin, SaysWhyItFailed) {
  Write("echo session expired >&2; exit 1\n");
  EXPECT_EQ(ErrorOf(), "credential plugin " + target_.user.plugin.command +
                           ": it failed with exit code 1: session expired");
  Write("echo garbage\n");
  EXPECT_THAT(ErrorOf(), HasSubstr("no ExecCredential: \"garbage\""));
  Write("true\n");
  EXPECT_THAT(ErrorOf(), HasSubstr("no ExecCredential: nothing"));
  Write(Answer(R"("token":"t")", "client.authentication.k8s.io/v1beta1"));
  EXPECT_THAT(ErrorOf(), HasSubstr("it answered with apiVersion "
                                   "\"client.authentication.k8s.io/v1beta1\"; the kubeconfig asks "
                                   "for \"client.authentication.k8s.io/v1\""));
  Write(Answer(""));
  EXPECT_THAT(ErrorOf(), HasSubstr("neither a token nor a client certificate"));
  Write(Answer(R"("token":"a\nb")"));
  EXPECT_THAT(ErrorOf(), HasSubstr("line ends"));
  Write(Answer(R"("token":"t","expirationTimestamp":"soon")"));
  EXPECT_THAT(ErrorOf(), HasSubstr("expirationTimestamp \"soon\" is no time"));
  Write("kill -9 $$\n");
  EXPECT_THAT(ErrorOf(), HasSubstr("exit code 137"));
  Write("yes\n");
  EXPECT_THAT(ErrorOf(), HasSubstr("writes more than 1024 KiB and was stopped"));
  target_.user.plugin.command = folder_ + "/nowhere";
  EXPECT_THAT(ErrorOf(), HasSubstr("install give-token first"));
  target_.user.plugin.interactive = ExecPlugin::Interactive::kAlways;
  EXPECT_THAT(ErrorOf(), HasSubstr("wants to ask a question, and there is no terminal"));
}

TEST_F(Plugin, WarningsOfOneThatWorksAreShown) {
  Write("echo soon over >&2\n" + Answer(R"("token":"t")"));
  EXPECT_EQ(ErrorOf(), "none");
  EXPECT_EQ(told_, "soon over\n");
}

TEST_F(Plugin, ATokenFileIsReadAgain) {
  target_.user.plugin = {};
  target_.user.token_file = folder_ + "/token";
  EXPECT_THAT(ErrorOf(), StartsWith("the tokenFile, " + folder_ + "/token: cannot open"));
  std::ofstream(target_.user.token_file) << "one\n";
  Credentials credentials(target_, surroundings_);
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer one");
  std::ofstream(target_.user.token_file) << "two\n";
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer one");
  clock_.now += 61;
  EXPECT_EQ((*credentials.Get())->authorization, "Bearer two");
}

TEST_F(Plugin, PlainUsersHaveNothingNewToGive) {
  target_.user.plugin = {};
  target_.user.username = "jane";
  target_.user.password = "secret";
  Credentials credentials(target_, surroundings_);
  EXPECT_EQ((*credentials.Get())->authorization, "Basic amFuZTpzZWNyZXQ=");
  EXPECT_FALSE(credentials.Renew((*credentials.Get())->number));
}

TEST_F(Plugin, IsAskedOnceForAllThatIsRefused) {
  Write("echo x >> " + folder_ + "/calls\n" + Answer(R"("token":"t")"));
  auto calls = [&] {
    std::ifstream file(folder_ + "/calls");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  Credentials credentials(target_, surroundings_);
  auto number = [&] { return (*credentials.Get())->number; };
  std::uint64_t first = number();
  EXPECT_TRUE(credentials.Renew(first));
  EXPECT_TRUE(credentials.Renew(first));
  std::uint64_t second = number();
  EXPECT_NE(first, second);
  EXPECT_TRUE(credentials.Renew(first)) << "another request has done that";
  EXPECT_EQ(number(), second);
  EXPECT_EQ(calls(), 2);
  EXPECT_FALSE(credentials.Renew(second)) << "asking again would give no better one";
  EXPECT_EQ(number(), second);
  credentials.Accept(second);
  EXPECT_TRUE(credentials.Renew(second)) << "it was good once, and may be so again";
  EXPECT_NE(number(), second);
  EXPECT_EQ(calls(), 3);
}

TEST_F(Plugin, IsNotAskedForEachRequestWhenWhatItGivesHasEnded) {
  Write("echo x >> " + folder_ + "/calls\n" +
        Answer(R"("token":"t","expirationTimestamp":"2027-01-15T07:00:00Z")"));
  Credentials credentials(target_, surroundings_);
  std::uint64_t number = (*credentials.Get())->number;
  EXPECT_EQ((*credentials.Get())->number, number);
  EXPECT_THAT(told_,
              HasSubstr("what it gave has ended already, at 2027-01-15T07:00:00Z; the clock of "
                        "this machine says 2027-01-15T08:00:00Z"));
  told_.clear();
  clock_.now += 100;
  EXPECT_NE((*credentials.Get())->number, number);
  EXPECT_EQ(told_, "") << "it was said";
}

TEST_F(Plugin, EndsWithTheTimeForARequest) {
  Write("sleep 100\n");
  surroundings_.plugin_timeout_ms = 200;
  EXPECT_THAT(ErrorOf(), HasSubstr("did not end within 1 s"));
}

TEST_F(Plugin, FilesAreNamedWithWhoWantsThem) {
  target_.user = {};
  target_.user.name = "jane";
  target_.user.token_file = "/nowhere/token";
  EXPECT_THAT(ErrorOf(), StartsWith("the tokenFile of user \"jane\", /nowhere/token: "));
  target_.user.token_file.clear();
  target_.user.certificate.file = "/nowhere/crt";
  EXPECT_THAT(ErrorOf(), StartsWith("the client-certificate of user \"jane\", /nowhere/crt: "));
  Cluster cluster;
  cluster.name = "east";
  cluster.authority.text = "no certificate";
  auto authority = ReadAuthority(cluster, input::SystemFileSystem());
  ASSERT_FALSE(authority);
  EXPECT_EQ(authority.error().message(),
            "the certificate-authority of cluster \"east\": it is no certificate; one begins with "
            "-----BEGIN CERTIFICATE-----");
}

TEST(RunProcess, EndsWhatTakesTooLong) {
  Command command{.program = "sh", .arguments = {"-c", "sleep 60 & wait"}, .environment = {}};
  command.timeout_ms = 50;
  auto outcome = RunProcess(command, [](std::string_view) {}, [] {});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("did not end within"));
}

}  // namespace
}  // namespace wmap::kube
