#include "kube/access.h"

#include <deque>
#include <memory>
#include <string_view>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"

namespace wmap::kube {
namespace {

using json::Value;

// More would only wait for each other in the server.
constexpr std::size_t kQuestionsAtOnce = 8;

Request RequestOf(const AccessQuestion& question) {
  Arena arena;
  json::ObjectBuilder builder;
  auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) builder.Add(key, json::MakeString(arena, value));
  };
  add("namespace", question.name_space);
  add("verb", question.verb);
  add("group", question.group);
  add("resource", question.resource);
  add("subresource", question.subresource);
  add("name", question.name);
  Value attributes = builder.Finish(arena);
  builder.Add("resourceAttributes", attributes);
  Value spec = builder.Finish(arena);
  builder.Add("apiVersion", json::MakeString(arena, "authorization.k8s.io/v1"));
  builder.Add("kind", json::MakeString(arena, "SelfSubjectAccessReview"));
  builder.Add("spec", spec);
  Request request;
  request.method = "POST";
  request.path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  request.content_type = "application/json";
  request.body = json::ToJson(builder.Finish(arena));
  return request;
}

AccessAnswer Interpret(const std::string& body) {
  Arena arena;
  Result<Value> review = json::Read(body, arena);
  Value status = review ? review->Get("status") : Value();
  Value allowed = status.Get("allowed");
  if (!allowed.is_bool()) {
    return {Access::kUnknown, "the server's answer to the question is no review"};
  }
  AccessAnswer answer;
  answer.access = allowed.is_true() ? Access::kYes : Access::kNo;
  answer.reason = status.Get("reason").text_or_empty();
  std::string_view failed = status.Get("evaluationError").text_or_empty();
  if (!failed.empty()) CatTo(answer.reason, answer.reason.empty() ? "" : "; ", failed);
  return answer;
}

struct Asked {
  Request request;
  Result<std::unique_ptr<Exchange>> exchange;
};

AccessAnswer Finish(Client& client, Asked asked) {
  if (!asked.exchange) return {Access::kUnknown, asked.exchange.error().Describe()};
  Result<Answer> answer = client.Finish(asked.request, *std::move(asked.exchange));
  if (!answer) return {Access::kUnknown, answer.error().Describe()};
  if (!answer->is_success()) {
    return {Access::kUnknown, ErrorOf(*answer, asked.request).Describe()};
  }
  return Interpret(answer->body);
}

}  // namespace

std::vector<AccessAnswer> AskAccess(Client& client, std::span<const AccessQuestion> questions) {
  std::vector<AccessAnswer> answers;
  std::deque<Asked> under_way;
  std::size_t next = 0;
  while (answers.size() < questions.size()) {
    for (; next < questions.size() && under_way.size() < kQuestionsAtOnce; ++next) {
      Request request = RequestOf(questions[next]);
      auto exchange = client.Start(request);
      under_way.push_back({std::move(request), std::move(exchange)});
    }
    answers.push_back(Finish(client, std::move(under_way.front())));
    under_way.pop_front();
  }
  return answers;
}

}  // namespace wmap::kube
