#include "kube/patch.h"

#include <atomic>
#include <gtest/gtest.h>

#include "input/input.h"
#include "tests/fake/http_server.h"

namespace wmap::kube {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::HttpServer;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* kChanged = R"({"kind":"Deployment","metadata":{"name":"web"}})";

ApiType Deployments() {
  return {.group = "apps",
          .version = "v1",
          .kind = "Deployment",
          .plural = "deployments",
          .singular = "deployment",
          .short_names = {},
          .namespaced = true};
}

class PatchTest : public ::testing::Test {
 protected:
  Result<std::string> Send(const std::string& url) {
    surroundings_.files = &input::SystemFileSystem();
    surroundings_.clock = &SystemClock();
    target_.cluster.server = url;
    options_.first_pause_ms = 1;
    client_ = *Client::Make(target_, surroundings_, options_);
    return SendPatch(*client_, patch_);
  }

  Surroundings surroundings_;
  Target target_;
  Client::Options options_;
  Patch patch_ = {.type = Deployments(),
                  .name_space = "demo",
                  .name = "web",
                  .body = R"({"spec":{"replicas":2}})"};
  std::unique_ptr<Client> client_;
};

// What is sent for `patch`: head and body.
class PatchRequest : public PatchTest {
 protected:
  std::string Sent() {
    HttpServer server([](const std::string&) { return HttpServer::Reply(200, kChanged); });
    auto body = Send(server.url());
    EXPECT_TRUE(body) << body.error().Describe();
    EXPECT_EQ(body.value_or(""), kChanged);
    return server.requests().size() == 1 ? server.requests()[0] : "";
  }
};

TEST_F(PatchRequest, OfAMergePatch) {
  std::string sent = Sent();
  EXPECT_THAT(sent, StartsWith("PATCH /apis/apps/v1/namespaces/demo/deployments/web"
                               "?fieldValidation=Strict HTTP/1.1\r\n"));
  EXPECT_THAT(sent, HasSubstr("Content-Type: application/merge-patch+json\r\n"));
  EXPECT_THAT(sent, EndsWith("\r\n\r\n{\"spec\":{\"replicas\":2}}"));
}

TEST_F(PatchRequest, OfAMergePatchOfOneVersion) {
  patch_.resource_version = "17";
  EXPECT_THAT(Sent(), EndsWith(R"({"spec":{"replicas":2},"metadata":{"resourceVersion":"17"}})"));
  patch_.body = R"({"metadata":{"resourceVersion":"1","labels":{"a":null}},"z":1,"b":1e400})";
  EXPECT_THAT(Sent(), EndsWith("\r\n\r\n"
                               R"({"metadata":{"resourceVersion":"17","labels":{"a":)"
                               R"(null}},"z":1,"b":1e400})"));
}

TEST_F(PatchRequest, OfAJsonPatch) {
  patch_.form = Patch::Form::kJson;
  patch_.body = R"([{"op":"remove","path":"/a"}])";
  patch_.field_manager = "wmap & co";
  std::string sent = Sent();
  EXPECT_THAT(sent, HasSubstr("?fieldManager=wmap%20%26%20co&fieldValidation=Strict HTTP"));
  EXPECT_THAT(sent, HasSubstr("Content-Type: application/json-patch+json\r\n"));
  EXPECT_THAT(sent, EndsWith("\r\n\r\n" + patch_.body));
  patch_.resource_version = "17";
  EXPECT_THAT(Sent(), EndsWith(R"([{"op":"remove","path":"/a"},{"op":"add","path":)"
                               R"("/metadata/resourceVersion","value":"17"}])"));
}

TEST_F(PatchRequest, OfAnApply) {
  patch_.form = Patch::Form::kApply;
  patch_.field_manager = "wmap";
  std::string sent = Sent();
  EXPECT_THAT(sent, HasSubstr("web?fieldManager=wmap&fieldValidation=Strict HTTP"));
  EXPECT_THAT(sent, HasSubstr("Content-Type: application/apply-patch+yaml\r\n"));
  patch_.force = true;
  patch_.dry_run = true;
  patch_.subresource = "scale";
  EXPECT_THAT(Sent(), HasSubstr("/web/scale?fieldManager=wmap&fieldValidation=Strict"
                                "&force=true&dryRun=All HTTP"));
}

TEST_F(PatchRequest, OfATypeWithoutNamespaces) {
  patch_.type = {.group = "",
                 .version = "v1",
                 .kind = "Node",
                 .plural = "nodes",
                 .singular = "node",
                 .short_names = {}};
  patch_.name = "a:b c";
  EXPECT_THAT(Sent(), StartsWith("PATCH /api/v1/nodes/a%3Ab%20c?"));
}

TEST_F(PatchTest, RefusesWhatCannotBeMeant) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(200, kChanged); });
  const Patch good = patch_;
  auto refused = [&](auto change, Code code = Code::kInvalid) {
    patch_ = good;
    change(patch_);
    auto body = Send(server.url());
    EXPECT_FALSE(body);
    if (body) return std::string();
    EXPECT_EQ(body.error().code(), code);
    return body.error().Describe();
  };
  for (const char* step : {"", ".", "..", "a/b", "a%2Fb"}) {
    EXPECT_THAT(refused([&](Patch& patch) { patch.name = step; }), HasSubstr("is no name"));
    refused([&](Patch& patch) { patch.name_space = step; });
    if (*step != '\0') refused([&](Patch& patch) { patch.subresource = step; });
  }
  EXPECT_THAT(refused([](Patch& patch) { patch.body = "[]"; }), HasSubstr("no object"));
  EXPECT_THAT(refused([](Patch& patch) { patch.form = Patch::Form::kJson; }), HasSubstr("array"));
  EXPECT_THAT(refused([](Patch& patch) { patch.form = Patch::Form::kApply; }),
              HasSubstr("field manager"));
  EXPECT_THAT(refused([](Patch& patch) { patch.force = true; }), HasSubstr("only an apply"));
  refused([](Patch& patch) { patch.body = "{a: 1}"; }, Code::kSyntax);
  refused([](Patch& patch) {
    patch.body = R"({"metadata":null})";
    patch.resource_version = "1";
  });
  EXPECT_THAT(server.requests(), SizeIs(0));
}

TEST_F(PatchTest, TellsRefusalsApartInTheServersWords) {
  struct Case {
    int status;
    Code code;
  };
  for (const Case& one : {Case{400, Code::kInvalid},
                          {401, Code::kUnauthenticated},
                          {403, Code::kForbidden},
                          {404, Code::kNotFound},
                          {405, Code::kInvalid},
                          {409, Code::kConflict},
                          {410, Code::kExpired},
                          {413, Code::kInvalid},
                          {415, Code::kInvalid},
                          {422, Code::kInvalid},
                          {500, Code::kUnavailable},
                          {503, Code::kUnavailable},
                          {504, Code::kUnavailable}}) {
    HttpServer server([&](const std::string&) {
      return HttpServer::Reply(one.status, R"({"kind":"Status","message":"the words"})");
    });
    auto body = Send(server.url());
    ASSERT_FALSE(body);
    EXPECT_EQ(body.error().code(), one.code) << one.status;
    const std::string& message = body.error().message();
    EXPECT_THAT(message, StartsWith(one.status == 401 ? "the server does not" : "the words"));
    // Only a server that failed may have stored something before.
    EXPECT_EQ(message.contains("not known"), one.status >= 500) << one.status;
    EXPECT_THAT(server.requests(), SizeIs(1)) << one.status;
  }
}

TEST_F(PatchTest, TellsTheCausesThatTheMessageLacks) {
  HttpServer server([](const std::string&) {
    return HttpServer::Reply(
        422, R"({"kind":"Status","message":"rejected: one","details":{"causes":[{"message":"one"},)"
             R"({"message":"no such path"},{"reason":"x"}]}})");
  });
  EXPECT_EQ(Send(server.url()).error().message(), "rejected: one: no such path");
}

TEST_F(PatchTest, BoundsTheCausesThatItTells) {
  HttpServer server([](const std::string&) {
    std::string causes;
    for (int i = 0; i < 17; ++i) {
      causes += (i == 0 ? "" : ",") + (R"({"message":"no )" + std::to_string(i) + "!\"}");
    }
    return HttpServer::Reply(
        422, R"({"kind":"Status","message":"no","details":{"causes":[)" + causes + "]}}");
  });
  EXPECT_THAT(Send(server.url()).error().message(), EndsWith("no 14!: no 15!"));
}

TEST_F(PatchTest, IsSentAgainWhenTheServerIsTooBusyToTakeIt) {
  std::atomic<int> calls = 0;
  HttpServer server([&](const std::string&) {
    return ++calls < 3 ? HttpServer::Reply(429, "{}", calls == 1 ? "Retry-After: 1\r\n" : "")
                       : HttpServer::Reply(200, kChanged);
  });
  std::string told;
  surroundings_.tell = [&](std::string_view text) { told += text; };
  auto body = Send(server.url());
  ASSERT_TRUE(body) << body.error().Describe();
  EXPECT_EQ(calls, 3);
  EXPECT_THAT(told, HasSubstr("trying again in 1 s"));
}

TEST_F(PatchTest, ServerThatStaysBusyHasChangedNothing) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(429, "{}"); });
  auto body = Send(server.url());
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kUnavailable);
  EXPECT_THAT(body.error().message(), Not(HasSubstr("not known")));
  EXPECT_THAT(server.requests(), SizeIs(6));
}

TEST_F(PatchTest, IsSentAgainWithNewCredentials) {
  HttpServer server([](const std::string& request) {
    return request.contains("Bearer two") ? HttpServer::Reply(200, kChanged)
                                          : HttpServer::Reply(401, "{}");
  });
  std::string file = ::testing::TempDir() + "wmap-patch-token";
  auto write = [&](const char* text) {
    std::FILE* to = std::fopen(file.c_str(), "w");
    std::fputs(text, to);
    std::fclose(to);
  };
  write("one");
  target_.user.token_file = file;
  EXPECT_EQ(Send(server.url()).error().code(), Code::kUnauthenticated);
  write("two");
  EXPECT_TRUE(SendPatch(*client_, patch_));
  std::remove(file.c_str());
}

TEST_F(PatchTest, IsTriedAgainWhereNobodyListened) {
  std::string url;
  {
    HttpServer server([](const std::string&) { return std::string(); });
    url = server.url();
  }
  options_.most_attempts = 3;
  auto body = Send(url);
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kUnreachable);
  EXPECT_THAT(body.error().message(), HasSubstr("cannot connect"));
  EXPECT_THAT(body.error().message(), Not(HasSubstr("not known")));
}

// Answers that leave open whether the change was made.
const std::string kSilence;
const std::string kCutHead = "HTTP/1.1 4";
const std::string kBusy = HttpServer::Reply(503, "{}", "Retry-After: 1\r\n");

TEST_F(PatchTest, IsNeverSentAgainWhenItMayHaveBeenMade) {
  for (const std::string& answer : {kSilence, kCutHead, kBusy}) {
    for (Patch::Form form : {Patch::Form::kMerge, Patch::Form::kApply}) {
      HttpServer server([&](const std::string&) { return answer; });
      patch_.form = form;
      patch_.field_manager = "wmap";
      auto body = Send(server.url());
      ASSERT_FALSE(body);
      EXPECT_THAT(body.error().message(), EndsWith(kNotKnown));
      EXPECT_THAT(server.requests(), SizeIs(1)) << answer;
    }
  }
}

TEST_F(PatchTest, OfOneVersionIsSentAgain) {
  for (const std::string& answer : {kSilence, kBusy}) {
    std::atomic<int> calls = 0;
    HttpServer server([&](const std::string&) {
      return ++calls == 1 ? answer : HttpServer::Reply(200, kChanged);
    });
    patch_.resource_version = "17";
    auto body = Send(server.url());
    EXPECT_TRUE(body) << body.error().Describe();
    EXPECT_EQ(calls, 2);
  }
}

TEST_F(PatchTest, AConflictAfterALostAnswerMayBeOneWithItself) {
  std::atomic<int> calls = 0;
  HttpServer server([&](const std::string&) {
    return ++calls == 1 ? kSilence
                        : HttpServer::Reply(409, R"({"kind":"Status","message":"modified"})");
  });
  patch_.resource_version = "17";
  auto body = Send(server.url());
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kUnreachable);
  EXPECT_THAT(body.error().message(), HasSubstr(std::string(kNotKnown)));
  EXPECT_THAT(body.error().message(), EndsWith("asked again: modified"));
}

TEST_F(PatchTest, DryRunIsSentAsOftenAsOneLikes) {
  std::atomic<int> calls = 0;
  HttpServer server([&](const std::string&) {
    return ++calls < 4 ? kSilence
                       : HttpServer::Reply(409, R"({"kind":"Status","message":"modified"})");
  });
  patch_.dry_run = true;
  auto body = Send(server.url());
  ASSERT_FALSE(body);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(body.error().code(), Code::kConflict);
  EXPECT_EQ(body.error().message(), "modified");
}

TEST_F(PatchTest, AnAnswerThatIsCutAfterItsHeadSaysThatItWasMade) {
  HttpServer server(
      [](const std::string&) { return "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"k"; });
  for (const char* version : {"", "17"}) {
    patch_.resource_version = version;
    auto body = Send(server.url());
    ASSERT_FALSE(body);
    EXPECT_THAT(body.error().message(), StartsWith("the change was made, but "));
  }
  EXPECT_THAT(server.requests(), SizeIs(2));
}

TEST_F(PatchTest, AnAnswerOfSomebodyElseIsNone) {
  for (const char* answer : {"<html>", "{}", R"({"metadata":1})", ""}) {
    HttpServer server([&](const std::string&) { return HttpServer::Reply(200, answer); });
    auto body = Send(server.url());
    ASSERT_FALSE(body);
    EXPECT_EQ(body.error().code(), Code::kUnreachable);
    EXPECT_THAT(body.error().message(), EndsWith(kNotKnown));
  }
}

TEST_F(PatchTest, AnAnswerThatDoesNotComeIsOneThatMayHaveBeenMade) {
  std::atomic<bool> over = false;
  HttpServer server([&](const std::string&) {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return std::string();
  });
  options_.request_timeout_ms = 200;
  patch_.resource_version = "17";
  auto body = Send(server.url());
  over = true;
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kLimit);
  EXPECT_THAT(body.error().message(), EndsWith(kNotKnown));
  EXPECT_THAT(server.requests(), SizeIs(1));
}

// libcurl sends a request again by itself when a connection from before is closed without an
// answer.
TEST_F(PatchTest, IsNotSentAgainByTheTransport) {
  auto answer = [](const std::string& request) {
    if (request.starts_with("PATCH")) return std::string();
    return std::string("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  };
  options_.most_attempts = 1;
  for (bool is_dry : {false, true}) {
    HttpServer server(answer, HttpServer::Connections::kKept);
    patch_.resource_version = "17";
    patch_.dry_run = is_dry;
    EXPECT_FALSE(Send(server.url()));
    EXPECT_TRUE(client_->Read({.path = "/api"}));
    std::size_t before = server.requests().size();
    EXPECT_FALSE(SendPatch(*client_, patch_));
    // That a dry run is shows that the other half of this test can fail.
    EXPECT_THAT(server.requests(), SizeIs(before + (is_dry ? 2 : 1)));
  }
}

}  // namespace
}  // namespace wmap::kube
