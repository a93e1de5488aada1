#include "kube/client.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

#include "input/input.h"
#include "tests/fake/http_server.h"

namespace wmap::kube {
namespace {

using ::testing::HasSubstr;
using testing::HttpServer;
using ::testing::Not;
using ::testing::SizeIs;

class ClientTest : public ::testing::Test {
 protected:
  std::unique_ptr<Client> Connect(const std::string& url) {
    surroundings_.files = &input::SystemFileSystem();
    surroundings_.clock = &SystemClock();
    surroundings_.tell = [this](std::string_view text) { told_ += text; };
    target_.cluster.server = url;
    options_.first_pause_ms = 1;
    auto client = Client::Make(target_, surroundings_, options_);
    EXPECT_TRUE(client) << client.error().Describe();
    return *std::move(client);
  }

  Surroundings surroundings_;
  Target target_;
  Client::Options options_;
  std::string told_;
};

TEST_F(ClientTest, SendsWhoAsks) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(200, "{}"); });
  target_.user.token = "secret";
  target_.user.impersonation = {"jane", "7", {"a", "b"}, {{"Some/Key", "x\r\nEvil: 1"}}};
  auto client = Connect(server.url());
  auto body = client->Read({.path = "/api/v1/pods?limit=5"});
  ASSERT_TRUE(body) << body.error().Describe();
  EXPECT_EQ(*body, "{}");
  ASSERT_THAT(server.requests(), SizeIs(1));
  std::string head = server.requests()[0];
  EXPECT_THAT(head, HasSubstr("GET /api/v1/pods?limit=5 HTTP/1.1\r\n"));
  EXPECT_THAT(head, HasSubstr("Authorization: Bearer secret\r\n"));
  EXPECT_THAT(head, HasSubstr("Accept-Encoding: gzip\r\n"));
  EXPECT_THAT(head, HasSubstr("Impersonate-User: jane\r\nImpersonate-Uid: 7\r\n"
                              "Impersonate-Group: a\r\nImpersonate-Group: b\r\n"
                              "Impersonate-Extra-Some%2FKey: xEvil: 1\r\n"));
}

TEST_F(ClientTest, BoundsTheHeadersOfAnAnswer) {
  HttpServer server([](const std::string&) {
    std::string headers;
    while (headers.size() < std::size_t{2} << 20)
      headers += "X-More: " + std::string(1000, 'x') + "\r\n";
    return HttpServer::Reply(200, "{}", headers);
  });
  auto body = Connect(server.url())->Read({.path = "/api"});
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kLimit);
  EXPECT_THAT(body.error().message(), HasSubstr("larger than 256 KiB"));
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(ClientTest, TheDeadlineBoundsEverything) {
  HttpServer server(
      [](const std::string&) { return HttpServer::Reply(503, "{}", "Retry-After: 30\r\n"); });
  surroundings_.clock = &SystemClock();
  surroundings_.deadline_ms = surroundings_.NowMs() + 2'000;
  auto client = Connect(server.url());
  EXPECT_FALSE(client->Read({.path = "/api"}));
  EXPECT_THAT(server.requests(), SizeIs(1));
  EXPECT_LE(client->NowMs(), surroundings_.deadline_ms);
  EXPECT_EQ(surroundings_.Within(1), 1);
  EXPECT_LE(surroundings_.Within(0), 2'000);
}

TEST_F(ClientTest, TellsErrorsInTheServersWords) {
  const std::string forbidden =
      R"({"kind":"Status","status":"Failure","message":"pods is forbidden: nope","code":403})";
  std::atomic<int> status = 403;
  HttpServer server([&](const std::string&) {
    return HttpServer::Reply(status, status == 403 ? forbidden : "<html>");
  });
  auto client = Connect(server.url());
  auto body = client->Read({.path = "/api/v1/pods"});
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kForbidden);
  EXPECT_EQ(body.error().message(), "pods is forbidden: nope");
  status = 404;
  EXPECT_EQ(client->Read({.path = "/x?y=z"}).error().message(),
            "the server answered 404 to GET /x");
  status = 302;
  EXPECT_THAT(client->Read({.path = "/x"}).error().message(),
              HasSubstr("is the address that of an API server?"));
  status = 401;
  EXPECT_EQ(client->Read({.path = "/x"}).error().code(), Code::kUnauthenticated);
  EXPECT_THAT(server.requests(), SizeIs(4));  // nothing of this is tried again
}

TEST_F(ClientTest, TellsWhatIsSaidInPlainWords) {
  std::string said = "Client sent an HTTP request to an HTTPS server.\n";
  HttpServer server([&](const std::string&) { return HttpServer::Reply(400, said); });
  auto client = Connect(server.url());
  EXPECT_EQ(client->Read({.path = "/api"}).error().message(),
            "the server answered 400 to GET /api: Client sent an HTTP request to an HTTPS server.");
  for (const char* other : {"<html>no</html>", "{\"a\": 1}", "\x1b[31m red", ""}) {
    said = other;
    EXPECT_EQ(client->Read({.path = "/api"}).error().message(),
              "the server answered 400 to GET /api");
  }
}

TEST_F(ClientTest, SaysWhenNoCredentialsWereSent) {
  const std::string forbidden =
      R"({"kind":"Status","message":"User \"system:anonymous\" cannot get path","code":403})";
  std::atomic<int> status = 401;
  HttpServer server([&](const std::string&) { return HttpServer::Reply(status, forbidden); });
  auto client = Connect(server.url());
  EXPECT_THAT(client->Read({.path = "/api"}).error().message(),
              HasSubstr("without credentials (401 Unauthorized); no credentials were sent"));
  status = 403;
  EXPECT_THAT(client->Read({.path = "/api"}).error().message(),
              HasSubstr("cannot get path; no credentials were sent"));
  target_.user.token = "secret";
  client = Connect(server.url());
  EXPECT_THAT(client->Read({.path = "/api"}).error().message(), Not(HasSubstr("were sent")));
}

TEST_F(ClientTest, TellsWhatAProxyAnswers) {
  std::atomic<int> status = 407;
  HttpServer proxy([&](const std::string&) { return HttpServer::Reply(status, "block"); });
  target_.cluster.proxy_url = "http://jane:secret@" + proxy.url().substr(7);
  auto client = Connect("https://api.example.com:6443");
  Error error = client->Read({.path = "/api"}).error();
  EXPECT_EQ(error.message(), "cannot connect to https://api.example.com:6443: the proxy " +
                                 proxy.url() +
                                 " answered 407; it wants a name and a password, as in "
                                 "http://NAME:PASSWORD@HOST");
  EXPECT_THAT(proxy.requests(), SizeIs(1)) << "asking again would not help";
  EXPECT_THAT(proxy.requests()[0], HasSubstr("CONNECT api.example.com:6443 HTTP/1.1"));
  status = 503;
  options_.most_attempts = 3;
  client = Connect("https://api.example.com:6443");
  EXPECT_THAT(client->Read({.path = "/api"}).error().message(), HasSubstr("answered 503"));
  EXPECT_THAT(proxy.requests(), SizeIs(4));
}

TEST_F(ClientTest, TakesTheProxyThatWasFoundAndNoOther) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(200, "{}"); });
  HttpServer proxy([](const std::string&) { return HttpServer::Reply(200, "[]"); });
  ASSERT_EQ(setenv("http_proxy", proxy.url().c_str(), 1), 0);
  EXPECT_EQ(*Connect(server.url())->Read({.path = "/api"}), "{}");
  ASSERT_EQ(setenv("NO_PROXY", "*", 1), 0);
  target_.environment_proxy = proxy.url();
  EXPECT_EQ(*Connect(server.url())->Read({.path = "/api"}), "[]");
  unsetenv("http_proxy");
  unsetenv("NO_PROXY");
}

TEST_F(ClientTest, GivesUpConnectionsThatAreSilent) {
  HttpServer silent(
      [](const std::string&) {
        return std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
      },
      HttpServer::Connections::kKept);
  auto client = Connect(silent.url());
  auto exchange = client->Start({.path = "/x", .may_be_silent = true});
  ASSERT_TRUE(exchange && (*exchange)->AwaitHead());
  ASSERT_TRUE(client->Reconnect());
  EXPECT_TRUE((*exchange)->is_done());
  auto body = (*exchange)->ReadAll(100);
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kLimit);
  EXPECT_TRUE((*exchange)->may_retry());
  exchange->reset();
  EXPECT_TRUE(client->Start({.path = "/x", .may_be_silent = true}));
}

TEST_F(ClientTest, WaitsForABusyServer) {
  std::atomic<int> calls = 0;
  HttpServer server([&](const std::string&) {
    switch (++calls) {
      case 1:
        return HttpServer::Reply(429, "{}", "Retry-After: 1\r\n");
      case 2:
        return HttpServer::Reply(503, "{}");
      default:
        return HttpServer::Reply(200, "[1]");
    }
  });
  auto client = Connect(server.url());
  auto body = client->Read({.path = "/x"});
  ASSERT_TRUE(body) << body.error().Describe();
  EXPECT_EQ(*body, "[1]");
  EXPECT_EQ(told_, "the server answered 429 to GET /x; trying again in 1 s\n");
}

TEST_F(ClientTest, GivesUpInTheEnd) {
  HttpServer server([](const std::string&) { return HttpServer::Reply(503, "{}"); });
  options_.most_attempts = 3;
  auto client = Connect(server.url());
  auto body = client->Read({.path = "/x"});
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kUnavailable);
  EXPECT_THAT(server.requests(), SizeIs(3));
}

TEST_F(ClientTest, RepeatsWhatWasCut) {
  std::atomic<int> calls = 0;
  HttpServer server([&](const std::string&) -> std::string {
    switch (++calls) {
      case 1:
        return "";  // closed without a word
      case 2:
        return "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1";  // cut in the body
      case 3:
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n";  // in a chunk
      default:
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
               "chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n";
    }
  });
  auto client = Connect(server.url());
  auto body = client->Read({.path = "/x"});
  ASSERT_TRUE(body) << body.error().Describe();
  EXPECT_EQ(*body, "[1,2]");
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(told_, "");
}

TEST_F(ClientTest, AnswersTheFirst401WithANewToken) {
  HttpServer server([](const std::string& head) {
    bool fresh = head.find("Bearer two") != std::string::npos;
    return fresh ? HttpServer::Reply(200, "[]") : HttpServer::Reply(401, "{}");
  });
  std::string file = ::testing::TempDir() + "/client_test_token";
  auto write = [&](const char* text) {
    std::FILE* to = std::fopen(file.c_str(), "w");
    std::fputs(text, to);
    std::fclose(to);
  };
  write("one");
  target_.user.token_file = file;
  auto client = Connect(server.url());
  EXPECT_EQ(client->Read({.path = "/x"}).error().code(), Code::kUnauthenticated);
  EXPECT_THAT(server.requests(), SizeIs(2));
  write("two");
  auto body = client->Read({.path = "/x"});
  EXPECT_TRUE(body) << body.error().Describe();
}

TEST_F(ClientTest, NeverHangs) {
  std::atomic<bool> over = false;
  HttpServer server([&](const std::string&) {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return std::string();
  });
  options_.request_timeout_ms = 200;
  auto client = Connect(server.url());
  auto body = client->Read({.path = "/x"});
  over = true;
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kLimit);
  EXPECT_THAT(body.error().message(), HasSubstr("in time"));
}

TEST_F(ClientTest, SaysThatNobodyIsThere) {
  std::string url;
  {
    HttpServer server([](const std::string&) { return std::string(); });
    url = server.url();
  }
  auto client = Connect(url);
  auto body = client->Read({.path = "/x"});
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), Code::kUnreachable);
  EXPECT_THAT(body.error().message(), HasSubstr("cannot connect to " + url));
  EXPECT_THAT(body.error().message(), Not(HasSubstr("trying again")));
}

TEST_F(ClientTest, ExchangesRunSideBySide) {
  HttpServer server([](const std::string& head) {
    return HttpServer::Reply(200, head.substr(4, head.find(' ', 4) - 4));
  });
  auto client = Connect(server.url());
  auto a = client->Open({.path = "/a"});
  auto b = client->Open({.path = "/b"});
  ASSERT_TRUE(a && b);
  EXPECT_EQ((*b)->ReadAll(100).value_or("?"), "/b");
  char buffer[1];
  std::string text;
  while (true) {
    auto size = (*a)->Read(buffer);
    ASSERT_TRUE(size);
    if (*size == 0) break;
    text.append(buffer, *size);
  }
  EXPECT_EQ(text, "/a");
}

}  // namespace
}  // namespace wmap::kube
