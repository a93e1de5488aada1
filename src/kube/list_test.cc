#include "kube/list.h"

#include <gtest/gtest.h>

#include "input/input.h"
#include "json/writer.h"
#include "tests/fake/http_server.h"

namespace wmap::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpServer;

ApiType Pods() {
  ApiType type;
  type.version = "v1";
  type.kind = "Pod";
  type.plural = "pods";
  type.namespaced = true;
  return type;
}

std::string Page(const std::string& items, const std::string& next, const std::string& version) {
  return R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" + version +
         R"(","continue":")" + next + R"("},"items":[)" + items + "]}";
}

class ListTest : public ::testing::Test {
 protected:
  // The objects as texts; the error last, if there is one.
  std::vector<std::string> Read(HttpServer& server, const ListQuery& query) {
    surroundings_.files = &input::SystemFileSystem();
    surroundings_.clock = &SystemClock();
    Target target;
    target.cluster.server = server.url();
    Client::Options options;
    options.first_pause_ms = 1;
    auto client = *Client::Make(target, surroundings_, options);
    List list(*client, query);
    std::vector<std::string> objects;
    auto done =
        list.Read([&](const json::Value& object) { objects.push_back(json::ToJson(object)); });
    if (!done) objects.push_back(done.error().Describe());
    version_ = list.resource_version();
    return objects;
  }

  Surroundings surroundings_;
  std::string version_;
};

TEST_F(ListTest, ReadsPageByPage) {
  HttpServer server([](const std::string& head) {
    bool second = head.find("continue=a%2Fb%3D") != std::string::npos;
    return HttpServer::Reply(
        200, second ? Page(R"({"metadata":{"name":"c"}})", "", "9")
                    : Page(R"({"metadata":{"name":"a"}},{"metadata":{"name":"b"}})", "a/b=", "7"));
  });
  EXPECT_THAT(
      Read(server,
           {.type = Pods(), .name_space = "demo", .label_selector = "a=b,c", .page_size = 2}),
      ElementsAre(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})",
                  R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}})",
                  R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"c"}})"));
  EXPECT_EQ(version_, "7");
  EXPECT_THAT(server.requests()[0],
              HasSubstr("GET /api/v1/namespaces/demo/pods?labelSelector=a%3Db%2Cc&limit=2 "));
}

TEST_F(ListTest, OnlyAListIsAList) {
  std::string body;
  HttpServer server([&](const std::string&) { return HttpServer::Reply(200, body); });
  for (const char* other : {R"({"kind":"Status","metadata":{}})", R"({"metadata":{}})", "[]", "",
                            R"({"kind":"PodList","metadata":{},"items":{}})",
                            R"({"kind":"PodList","metadata":{},"items":[{}])", "<html>",
                            R"({"kind":"PodList","metadata":{},"items":[{},7]})",
                            R"({"kind":"PodList","metadata":{},"items":[null]})"}) {
    body = other;
    EXPECT_THAT(Read(server, {.type = Pods()}), ElementsAre(HasSubstr("is no list"))) << other;
  }
  body = R"({"kind":"PodList","metadata":{"resourceVersion":"8"},"items":null})";
  EXPECT_THAT(Read(server, {.type = Pods()}), ElementsAre());
  EXPECT_EQ(version_, "8");
}

TEST_F(ListTest, MetadataGetsTheTypeThatItIsOf) {
  HttpServer server([](const std::string&) {
    return HttpServer::Reply(
        200, R"({"kind":"PartialObjectMetadataList","metadata":{},"items":[{"kind":)"
             R"("PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}}]})");
  });
  EXPECT_THAT(Read(server, {.type = Pods(), .metadata_only = true}),
              ElementsAre(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})"));
  EXPECT_THAT(server.requests()[0], HasSubstr("as=PartialObjectMetadataList"));
}

TEST_F(ListTest, GoesOnWhenTheServerHasForgotten) {
  HttpServer server([](const std::string& head) {
    if (head.find("continue=old") != std::string::npos) {
      return HttpServer::Reply(
          410, R"({"kind":"Status","message":"too old","metadata":{"continue":"new"}})");
    }
    if (head.find("continue=new") != std::string::npos) {
      return HttpServer::Reply(200, Page(R"({"metadata":{"name":"b"}})", "", "9"));
    }
    return HttpServer::Reply(200, Page(R"({"metadata":{"name":"a"}})", "old", "7"));
  });
  EXPECT_THAT(Read(server, {.type = Pods()}), ElementsAre(HasSubstr("\"a\""), HasSubstr("\"b\"")));
  EXPECT_EQ(version_, "7");
}

TEST_F(ListTest, ReadsAllAtOnceWhenThereIsNoWayToGoOn) {
  HttpServer server([](const std::string& head) {
    if (head.find("continue=") != std::string::npos) return HttpServer::Reply(410, "{}");
    bool paged = head.find("limit=") != std::string::npos;
    return HttpServer::Reply(
        200, paged ? Page(R"({"metadata":{"name":"a"}})", "old", "7")
                   : Page(R"({"metadata":{"name":"a"}},{"metadata":{"name":"b"}})", "", "8"));
  });
  EXPECT_THAT(Read(server, {.type = Pods()}),
              ElementsAre(HasSubstr("\"a\""), HasSubstr("\"a\""), HasSubstr("\"b\"")));
}

TEST_F(ListTest, WhatIsNoListIsTold) {
  std::string body = R"({"kind":"PodList","metadata":{},"items":[{"metadata":)";
  HttpServer server([&](const std::string&) { return HttpServer::Reply(200, body); });
  EXPECT_THAT(Read(server, {.type = Pods()}),
              ElementsAre(HasSubstr("GET /api/v1/pods is no list: ")));
  body = "[]";
  EXPECT_THAT(Read(server, {.type = Pods()}), ElementsAre(HasSubstr("is no list")));
  // As older servers write an empty one.
  body = R"({"kind":"PodList","metadata":{"resourceVersion":"3"},"items":null})";
  EXPECT_THAT(Read(server, {.type = Pods()}), ElementsAre());
}

TEST_F(ListTest, SeveralRunSideBySide) {
  HttpServer server([](const std::string& head) {
    if (head.find("/namespaces/n3/") != std::string::npos) return HttpServer::Reply(403, "{}");
    return HttpServer::Reply(200, Page(R"({"metadata":{"name":"a"}})", "", "7"));
  });
  surroundings_.files = &input::SystemFileSystem();
  surroundings_.clock = &SystemClock();
  Target target;
  target.cluster.server = server.url();
  auto client = *Client::Make(target, surroundings_, {});
  std::vector<ListQuery> queries;
  for (int i = 0; i < 12; ++i) {
    queries.push_back({.type = Pods(), .name_space = "n" + std::to_string(i)});
  }
  std::vector<std::size_t> objects;
  std::vector<std::string> ends;
  ReadLists(
      *client, queries, [&](std::size_t list, const json::Value&) { objects.push_back(list); },
      [&](std::size_t, const Result<std::string>& version) {
        ends.push_back(version ? *version : std::string(CodeName(version.error().code())));
      });
  EXPECT_THAT(objects, ElementsAre(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_EQ(ends[3], "forbidden");
  EXPECT_EQ(ends[4], "7");
}

}  // namespace
}  // namespace wmap::kube
