#include "kube/discovery.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "input/input.h"
#include "kube/cache.h"
#include "tests/fake/http_server.h"

namespace wmap::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpServer;
using ::testing::SizeIs;

constexpr const char* kCore =
    R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{},
"versions":[{"version":"v1","freshness":"Current","resources":[{"resource":"pods","responseKind":
{"group":"","version":"","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":
["get","list","watch"],"shortNames":["po"],"subresources":[{"subresource":"log"}]}]}]}]})";
constexpr const char* kGroups =
    R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[
{"metadata":{"name":"ray.io"},"versions":[
{"version":"v1","freshness":"Current","resources":[{"resource":"rayclusters","responseKind":
{"kind":"RayCluster"},"scope":"Namespaced","verbs":["list"]}]},
{"version":"v1alpha1","freshness":"Current","resources":[{"resource":"rayclusters","responseKind":
{"kind":"RayCluster"},"scope":"Namespaced","verbs":["list"]}]}]},
{"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]}]})";

bool Asks(const std::string& head, const std::string& path) {
  return head.starts_with("GET " + path + " ");
}

class DiscoveryTest : public ::testing::Test {
 protected:
  Result<Discovery> Load(HttpServer& server, const std::string& cache = "") {
    surroundings_.files = &input::SystemFileSystem();
    surroundings_.clock = &SystemClock();
    Target target;
    target.cluster.server = server.url();
    client_ = *Client::Make(target, surroundings_, {});
    return Discovery::Load(*client_, cache);
  }

  Surroundings surroundings_;
  std::unique_ptr<Client> client_;
};

TEST_F(DiscoveryTest, FindsTypesByTheirNamesAsKubectlDoes) {
  Discovery discovery;
  ASSERT_TRUE(discovery.Add(kCore) && discovery.Add(kGroups));
  for (const char* name : {"po", "PODS", "Pod", "pod", "pods.v1", "pods.v1."}) {
    auto found = discovery.Named(name);
    ASSERT_THAT(found, SizeIs(1)) << name;
    EXPECT_EQ(found[0]->kind, "Pod");
  }
  for (const char* name : {"rayclusters", "RayCluster.ray.io", "raycluster.v1.ray.io"}) {
    auto found = discovery.Named(name);
    ASSERT_THAT(found, SizeIs(1)) << name;
    EXPECT_EQ(found[0]->version, "v1");
  }
  EXPECT_EQ(discovery.Named("rayclusters.v1alpha1.ray.io").at(0)->version, "v1alpha1");
  for (const char* name : {"", "raycluster.v2.ray.io", "pods.ray.io", "pods.v2", ".ray.io"}) {
    EXPECT_THAT(discovery.Named(name), SizeIs(0)) << name;
  }
}

TEST_F(DiscoveryTest, IsAskedForWhatIsNew) {
  HttpServer server([](const std::string& head) {
    return HttpServer::Reply(200, Asks(head, "/api") ? kCore : kGroups, "ETag: \"a\"\r\n");
  });
  auto discovery = Load(server);
  ASSERT_TRUE(discovery) << discovery.error().Describe();
  Request question = discovery->Question();
  EXPECT_EQ(question.path, "/apis");
  EXPECT_EQ(question.known_etag, "\"a\"");
  Answer answer;
  answer.status = 304;
  EXPECT_FALSE(discovery->Answered(answer));
  answer.status = 200;
  answer.body = R"({"kind":"APIGroupList"})";
  EXPECT_FALSE(discovery->Answered(answer));
  answer.body = R"({"kind":"APIGroupDiscoveryList","items":[]})";
  answer.etag = "\"b\"";
  auto newer = discovery->Answered(answer);
  ASSERT_TRUE(newer);
  EXPECT_NE(newer->Find("", "v1", "Pod"), nullptr) << "the core group stays";
  EXPECT_EQ(newer->Find("ray.io", "v1", "RayCluster"), nullptr);
  EXPECT_EQ(newer->Question().known_etag, "\"b\"");
}

TEST_F(DiscoveryTest, ReadsTheAggregatedForm) {
  HttpServer server([](const std::string& head) {
    return HttpServer::Reply(200, Asks(head, "/api") ? kCore : kGroups);
  });
  auto discovery = Load(server);
  ASSERT_TRUE(discovery) << discovery.error().Describe();
  const ApiType* pod = discovery->Find("", "v1", "Pod");
  ASSERT_NE(pod, nullptr);
  EXPECT_EQ(pod->ApiVersion(), "v1");
  EXPECT_EQ(pod->Path("demo"), "/api/v1/namespaces/demo/pods");
  EXPECT_EQ(pod->Path("a?b=c/.."), "/api/v1/namespaces/a%3Fb%3Dc%2F../pods");
  EXPECT_EQ(pod->Path(""), "/api/v1/pods");
  EXPECT_THAT(pod->short_names, ElementsAre("po"));
  EXPECT_TRUE(pod->can_list && pod->can_watch && pod->namespaced);
  EXPECT_EQ(discovery->Find("ray.io", "", "RayCluster")->version, "v1");
  EXPECT_EQ(discovery->Find("ray.io", "v1alpha1", "RayCluster")->Path("x"),
            "/apis/ray.io/v1alpha1/namespaces/x/rayclusters");
  EXPECT_EQ(discovery->Find("ray.io", "v2", "RayCluster"), nullptr);
  EXPECT_THAT(discovery->unavailable(), ElementsAre("metrics.k8s.io/v1beta1"));
}

TEST_F(DiscoveryTest, AsksOnlyWhetherWhatItKeptStillHolds) {
  std::string folder = ::testing::TempDir() + "/discovery_test_cache";
  std::filesystem::remove_all(folder);
  HttpServer server([](const std::string& head) {
    if (head.find("If-None-Match: \"e1\"") != std::string::npos) {
      return std::string("HTTP/1.1 304 X\r\nETag: \"e1\"\r\nConnection: close\r\n\r\n");
    }
    return HttpServer::Reply(200, Asks(head, "/api") ? kCore : kGroups, "ETag: \"e1\"\r\n");
  });
  for (int round = 0; round < 2; ++round) {
    auto discovery = Load(server, folder);
    ASSERT_TRUE(discovery) << discovery.error().Describe();
    EXPECT_THAT(discovery->types(), SizeIs(3));
  }
  EXPECT_THAT(server.requests()[3], HasSubstr("If-None-Match"));
  // What is damaged is fetched anew.
  WriteCache(folder, "apis", "\"e1\"\n{\"kind\":");
  auto discovery = Load(server, folder);
  ASSERT_TRUE(discovery) << discovery.error().Describe();
  EXPECT_THAT(discovery->types(), SizeIs(3));
  std::filesystem::remove_all(folder);
}

TEST_F(DiscoveryTest, AsksOlderServersGroupByGroup) {
  HttpServer server([](const std::string& head) {
    if (Asks(head, "/api"))
      return HttpServer::Reply(200, R"({"kind":"APIVersions","versions":["v1"]})");
    if (Asks(head, "/apis")) {
      return HttpServer::Reply(200, R"({"kind":"APIGroupList","groups":[{"name":"batch","versions":[
{"version":"v1"},{"version":"v1beta1"}],"preferredVersion":{"version":"v1"}}]})");
    }
    if (Asks(head, "/api/v1")) {
      return HttpServer::Reply(200, R"({"resources":[{"name":"pods","kind":"Pod","namespaced":true,
"verbs":["list"]},{"name":"pods/log","kind":"Pod","verbs":["get"]}]})");
    }
    if (Asks(head, "/apis/batch/v1")) {
      return HttpServer::Reply(200,
                               R"({"resources":[{"name":"jobs","kind":"Job","verbs":["list"]}]})");
    }
    return HttpServer::Reply(404, "{}");
  });
  auto discovery = Load(server);
  ASSERT_TRUE(discovery) << discovery.error().Describe();
  EXPECT_THAT(discovery->types(), SizeIs(2));
  EXPECT_TRUE(discovery->Find("batch", "", "Job")->can_list);
  EXPECT_THAT(discovery->unavailable(), ElementsAre("batch/v1beta1"));
}

TEST_F(DiscoveryTest, ASiteThatIsNoApiServerIsTold) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(404, "<html>"); });
  auto discovery = Load(server);
  ASSERT_FALSE(discovery);
  EXPECT_EQ(discovery.error().message(), "the server answered 404 to GET /api");
}

TEST(CacheFolder, NamesTheServer) {
  EXPECT_EQ(CacheFolder("", "/users/x", "https://10.0.0.1:6443/k8s"),
            "/users/x/.kube/cache/wmap/10.0.0.1_6443_k8s");
  EXPECT_EQ(CacheFolder("/c", "/users/x", "https://a"), "/c/wmap/a");
  EXPECT_EQ(CacheFolder("", "", "https://a"), "");
}

}  // namespace
}  // namespace wmap::kube
