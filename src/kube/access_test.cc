#include "kube/access.h"

#include <gtest/gtest.h>

#include "input/input.h"
#include "tests/fake/http_server.h"

namespace wmap::kube {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::HttpServer;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class AccessTest : public ::testing::Test {
 protected:
  std::vector<AccessAnswer> Ask(const std::string& url,
                                const std::vector<AccessQuestion>& questions) {
    Surroundings surroundings;
    surroundings.files = &input::SystemFileSystem();
    surroundings.clock = &SystemClock();
    Target target;
    target.cluster.server = url;
    Client::Options options;
    options.first_pause_ms = 1;
    auto client = Client::Make(target, surroundings, options);
    EXPECT_TRUE(client) << client.error().Describe();
    return AskAccess(**client, questions);
  }
  AccessAnswer AskOne(int status, const std::string& body) {
    HttpServer server([&](const std::string&) { return HttpServer::Reply(status, body); });
    std::vector<AccessAnswer> answers = Ask(server.url(), {{.verb = "list", .resource = "pods"}});
    EXPECT_THAT(answers, SizeIs(1));
    return answers.empty() ? AccessAnswer() : answers[0];
  }
};

TEST_F(AccessTest, AsksForAllThatIsGiven) {
  HttpServer server(
      [](const std::string&) { return HttpServer::Reply(201, R"({"status":{"allowed":true}})"); });
  std::vector<AccessAnswer> answers = Ask(server.url(), {{.verb = "patch",
                                                          .group = "apps",
                                                          .resource = "deployments",
                                                          .subresource = "scale",
                                                          .name_space = "demo",
                                                          .name = "a\"b"},
                                                         {.verb = "list", .resource = "nodes"}});
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0].access, Access::kYes);
  EXPECT_THAT(answers[0].reason, IsEmpty());
  std::vector<std::string> requests = server.requests();
  ASSERT_THAT(requests, SizeIs(2));
  if (requests[0].contains("nodes")) std::swap(requests[0], requests[1]);
  EXPECT_THAT(requests[0],
              StartsWith("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews HTTP"));
  EXPECT_THAT(requests[0], HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(
      requests[0],
      EndsWith(R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",)"
               R"("spec":{"resourceAttributes":{"group":"apps","name":"a\"b",)"
               R"("namespace":"demo","resource":"deployments","subresource":"scale",)"
               R"("verb":"patch"}}})"));
  EXPECT_THAT(requests[1],
              EndsWith(R"("spec":{"resourceAttributes":{"resource":"nodes","verb":"list"}}})"));
}

TEST_F(AccessTest, SaysNoWithAReason) {
  AccessAnswer no = AskOne(201, R"({"status":{"allowed":false,"denied":true,"reason":"frozen"}})");
  EXPECT_EQ(no.access, Access::kNo);
  EXPECT_EQ(no.reason, "frozen");
  no = AskOne(201, R"({"status":{"allowed":false}})");
  EXPECT_EQ(no.access, Access::kNo);
  EXPECT_EQ(no.reason, "");
  no = AskOne(201, R"({"status":{"allowed":false,"reason":"a","evaluationError":"b"}})");
  EXPECT_EQ(no.access, Access::kNo);
  EXPECT_EQ(no.reason, "a; b");
}

TEST_F(AccessTest, SaysThatItDoesNotKnow) {
  AccessAnswer answer = AskOne(403, R"({"kind":"Status","message":"may not ask"})");
  EXPECT_EQ(answer.access, Access::kUnknown);
  EXPECT_EQ(answer.reason, "may not ask");
  for (const char* body :
       {"", "<html>", "{}", R"({"status":{"allowed":"true"}})", R"({"status":1})"}) {
    answer = AskOne(201, body);
    EXPECT_EQ(answer.access, Access::kUnknown) << body;
    EXPECT_THAT(answer.reason, HasSubstr("no review"));
  }
}

TEST_F(AccessTest, OneThatFailsLeavesTheOthers) {
  HttpServer server([](const std::string& request) {
    if (request.contains("\"v3\"")) return HttpServer::Reply(500, "{}");
    bool allowed = request.contains("\"v7\"");
    return HttpServer::Reply(
        201, allowed ? R"({"status":{"allowed":true}})" : R"({"status":{"allowed":false}})");
  });
  std::vector<AccessQuestion> questions;
  for (int i = 0; i < 20; ++i) {
    questions.push_back({.verb = "v" + std::to_string(i), .resource = "pods"});
  }
  std::vector<AccessAnswer> answers = Ask(server.url(), questions);
  ASSERT_THAT(answers, SizeIs(20));
  for (int i = 0; i < 20; ++i) {
    Access expected = i == 3 ? Access::kUnknown : i == 7 ? Access::kYes : Access::kNo;
    EXPECT_EQ(answers[static_cast<std::size_t>(i)].access, expected) << i;
  }
}

TEST_F(AccessTest, NoQuestionsNoRequests) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(201, "{}"); });
  EXPECT_THAT(Ask(server.url(), {}), IsEmpty());
  EXPECT_THAT(server.requests(), IsEmpty());
}

}  // namespace
}  // namespace wmap::kube
