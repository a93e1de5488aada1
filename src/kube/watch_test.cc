#include "kube/watch.h"

#include <atomic>
#include <gtest/gtest.h>

#include "input/input.h"
#include "json/writer.h"
#include "tests/fake/http_server.h"

namespace wmap::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpServer;

std::string Event(const std::string& type, const std::string& name, const std::string& version) {
  return R"({"type":")" + type +
         R"(","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + name +
         R"(","resourceVersion":")" + version + "\"}}}\n";
}

std::string Stream(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + body;
}

class WatchTest : public ::testing::Test {
 protected:
  // Takes what comes until there are so many changes, or an error.
  void Run(HttpServer& server, std::size_t enough) {
    surroundings_.files = &input::SystemFileSystem();
    surroundings_.clock = &SystemClock();
    Target target;
    target.cluster.server = server.url();
    auto client = *Client::Make(target, surroundings_, {});
    ApiType pods;
    pods.version = "v1";
    pods.kind = "Pod";
    pods.plural = "pods";
    Watch watch(*client, {.type = pods}, "5");
    for (int turn = 0; turn < 500 && seen_.size() < enough; ++turn) {
      auto taken = watch.Take([&](Watch::Change change, const json::Value& object) {
        seen_.push_back((change == Watch::Change::kGone ? "-" : "+") +
                        std::string(object.Get("metadata").Get("name").as_string()));
      });
      if (!taken) {
        seen_.push_back(std::string(CodeName(taken.error().code())));
        return;
      }
      ASSERT_TRUE(client->Wait(10));
    }
  }

  Surroundings surroundings_;
  std::vector<std::string> seen_;
};

TEST_F(WatchTest, GoesOnWhereItWas) {
  std::atomic<int> calls = 0;
  HttpServer server([&](const std::string&) {
    switch (++calls) {
      case 1:  // cut in the middle of an event
        return Stream(Event("ADDED", "a", "6") + Event("BOOKMARK", "", "9") + "{\"type\":\"MOD");
      case 2:
        return HttpServer::Reply(503, "{}");
      default:
        return Stream(Event("MODIFIED", "a", "10") + Event("DELETED", "a", "11"));
    }
  });
  Run(server, 3);
  EXPECT_THAT(seen_, ElementsAre("+a", "+a", "-a"));
  EXPECT_THAT(server.requests()[0],
              HasSubstr("GET /api/v1/pods?watch=1&allowWatchBookmarks=true&timeoutSeconds=300&"
                        "resourceVersion=5 "));
  EXPECT_THAT(server.requests()[1], HasSubstr("resourceVersion=9 "));
  EXPECT_THAT(server.requests()[2], HasSubstr("resourceVersion=9 "));
}

TEST_F(WatchTest, SaysWhenItHasMissedSomething) {
  HttpServer in_stream([](const std::string&) {
    return Stream(
        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,"
        "\"message\":\"too old\"}}\n");
  });
  Run(in_stream, 1);
  HttpServer as_answer([](const std::string&) { return HttpServer::Reply(410, "{}"); });
  Run(as_answer, 2);
  HttpServer forbidden([](const std::string&) { return HttpServer::Reply(403, "{}"); });
  Run(forbidden, 3);
  EXPECT_THAT(seen_, ElementsAre("expired", "expired", "forbidden"));
}

TEST_F(WatchTest, GivesUpWhereTheCredentialsAreRefused) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(401, "{}"); });
  Run(server, 1);
  EXPECT_THAT(seen_, ElementsAre("unauthenticated"));
  EXPECT_EQ(server.requests().size(), 1);
}

}  // namespace
}  // namespace wmap::kube
