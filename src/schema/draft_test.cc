#include "schema/draft.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "json/reader.h"
#include "schema/draft_place.h"
#include "schema/draft_samples.h"
#include "schema/sample_schema.h"

namespace wmap::schema {
namespace {

constexpr std::string_view kTemplate =
    R"({"type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object",
    "properties": {"nodeSelector": {"type": "object"}, "volumes": {"type": "array"},
    "containers": {"type": "array", "items": {"type": "object", "properties":
    {"name": {"type": "string"}, "image": {"type": "string"}}}}}}}})";

class DraftTest : public ::testing::Test {
 protected:
  json::Value Json(std::string text) {
    for (std::size_t at = text.find("TEMPLATE"); at != std::string::npos;
         at = text.find("TEMPLATE")) {
      text.replace(at, 8, kTemplate);
    }
    Result<json::Value> value = json::Read(text, arena_);
    EXPECT_TRUE(value.has_value()) << text;
    return value ? *value : json::Value();
  }

  // Of a kind whose spec and status have these properties (JSON).
  Result<Draft> Make(const std::string& spec, const std::string& status = "",
                     std::vector<json::Value> samples = {}) {
    samples_ = std::move(samples);
    DraftRequest request;
    request.kind = {"mine.example.org", "v2", "FlowJob"};
    request.schema = Schema(
        Json(Cat(R"({"type": "object", "properties": {"spec": {"type": "object",
               "properties": {)",
                 spec, R"(}}, "status": {"type": "object", "properties": {)", status, "}}}}")));
    request.samples = samples_;
    return MakeDraft(request, built_ins_);
  }

  // The draft is valid, and has nothing to warn of.
  void ExpectSound(const Draft& draft) {
    std::vector<definition::Loaded> loaded = definition::LoadText(draft.text);
    ASSERT_EQ(loaded.size(), 1U);
    ASSERT_NE(loaded[0].karta, nullptr) << draft.text;
    EXPECT_TRUE(loaded[0].findings.empty()) << definition::Render(loaded[0].findings, draft.text);
  }

  std::string TextOf(const std::string& spec, const std::string& status = "") {
    Result<Draft> draft = Make(spec, status);
    if (!draft) return draft.error().message();
    ExpectSound(*draft);
    return draft->text;
  }

  BuiltIns built_ins_;
  Arena arena_;
  std::vector<json::Value> samples_;
};

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(DraftTest, OneSetOfPodsIsTheRoots) {
  std::string text = TextOf(R"("copies": {"type": "integer"}, "replicas": {"type": "integer",
      "default": 3}, "template": TEMPLATE)");
  EXPECT_THAT(text, HasSubstr("podTemplateSpecPath: .spec.template\n"));
  EXPECT_THAT(text, HasSubstr("replicasPath: .spec.replicas // 3\n"));
  EXPECT_THAT(text, Not(HasSubstr("childComponents")));
}

TEST_F(DraftTest, NamesOfListsInListsAreJoined) {
  std::string text = TextOf(R"("sets": {"type": "array", "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "parts": {"type": "array", "items": {"type": "object",
      "required": ["name"], "properties": {"name": {"type": "string"}, "template": TEMPLATE}}}}}})");
  EXPECT_THAT(text, HasSubstr(R"x(.spec.sets[]? | (.name // "") as $of0 | .parts[]?)x"));
  EXPECT_THAT(text, HasSubstr(R"x("\($of0)-\(.name)")x"));
  EXPECT_THAT(text, HasSubstr("podTemplateSpecPath: .spec.sets[]? | .parts[]? | .template\n"));
}

TEST_F(DraftTest, KeysOfMapsAreNames) {
  std::string text =
      TextOf(R"("roles": {"type": "object", "additionalProperties": {"type": "object",
      "properties": {"replicas": {"type": "integer"}, "template": TEMPLATE}}})");
  EXPECT_THAT(text, HasSubstr("instanceIdPath: (.spec.roles // {}) | to_entries[] | .key\n"));
  EXPECT_THAT(text, HasSubstr("replicasPath: .spec.roles[]? | .replicas // 1\n"));
}

TEST_F(DraftTest, LeaderAndWorkersShareTheSizeOfTheirGroup) {
  std::string text = TextOf(R"("replicas": {"type": "integer"}, "group": {"type": "object",
      "properties": {"size": {"type": "integer"}, "leaderTemplate": TEMPLATE,
      "workerTemplate": TEMPLATE}})");
  EXPECT_THAT(text, HasSubstr("then 0 else .spec.replicas // 1 end"));
  EXPECT_THAT(text, HasSubstr("[(.spec.group.size // 1) - 1, 0]"));
}

TEST_F(DraftTest, NumbersOfOneRoleAreNotThoseOfItsNeighbour) {
  std::string text = TextOf(R"("replicas": {"type": "integer"}, "template": TEMPLATE,
      "prefill": {"type": "object", "properties": {"replicas": {"type": "integer"},
      "template": TEMPLATE}})");
  EXPECT_THAT(text, HasSubstr("else .spec.prefill.replicas // 1 end"));
}

TEST_F(DraftTest, VariantsOfWhatStandsElsewhereAreLeftOut) {
  std::string text = TextOf(R"("template": TEMPLATE, "templateOverrides": {"type": "array",
      "items": TEMPLATE})");
  EXPECT_THAT(text, HasSubstr("# Left out: .spec.templateOverrides is a variant"));
  EXPECT_THAT(text, Not(HasSubstr("childComponents")));
}

TEST_F(DraftTest, KindsWithoutPodsHaveNone) {
  EXPECT_EQ(TextOf(R"("mode": {"type": "string"})"),
            "nothing in FlowJob (mine.example.org/v2) describes pods");
  EXPECT_THAT(TextOf(R"("any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true})"),
              HasSubstr("the schema says nothing of .spec.any"));
  EXPECT_THAT(TextOf(R"("object": {"type": "object", "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true})"),
              HasSubstr(".spec.object holds objects of other kinds"));
}

TEST_F(DraftTest, WordsOfAnEnumAreOnlyThese) {
  std::string text = TextOf(R"("template": TEMPLATE)", R"("phase": {"type": "string",
      "enum": ["Pending", "Running", "Weird"]})");
  EXPECT_THAT(text, HasSubstr(R"(if $phase == "Running" then "running")"));
  EXPECT_THAT(text, HasSubstr("# Words that say nothing by themselves: Weird."));
  EXPECT_THAT(text, Not(HasSubstr("failed")));
}

TEST_F(DraftTest, TextsOfStrangersStayTexts) {
  std::string text =
      TextOf(R"("te\nmplates": {"type": "array", "x-kubernetes-list-map-keys": ["a-b"],
      "items": {"type": "object", "required": ["a-b"], "properties": {"a-b": {"type": "string"},
      "template": TEMPLATE}}})",
             R"("phase": {"type": "string", "enum": ["Running", "Failed", "a\nb: c"]})");
  EXPECT_THAT(text, HasSubstr(R"(.spec["te\nmplates"][]? | .["a-b"])"));
}

TEST_F(DraftTest, SamplesFillWhatASchemaLeavesOpen) {
  json::Value sample = Json(R"({"apiVersion": "mine.example.org/v2", "kind": "FlowJob",
      "metadata": {"name": "a"}, "spec": {"any": {"crews": [{"name": "x", "size": 2, "template":
      {"spec": {"containers": [{"name": "main", "image": "i", "resources": {}}],
      "restartPolicy": "Never", "nodeSelector": {}}}}]}}})");
  Result<Draft> draft = Make(
      R"("any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true})", "", {sample});
  ASSERT_TRUE(draft.has_value());
  EXPECT_THAT(draft->text, HasSubstr("podTemplateSpecPath: .spec.any.crews[]? | .template\n"));
}

// A FlowJob with the spec, and pods of it with these labels, all in JSON.
std::string SampleText(std::string_view spec, std::vector<std::string> pods) {
  std::string text = Cat(R"([{"apiVersion": "mine.example.org/v2", "kind": "FlowJob",
      "metadata": {"name": "north", "uid": "u"}, "spec": )",
                         spec, "}");
  for (const std::string& labels : pods) {
    CatTo(text, R"(, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": )",
          labels, R"(, "ownerReferences": [{"apiVersion": "mine.example.org/v2",
          "kind": "FlowJob", "name": "north", "uid": "u", "controller": true}]},
          "spec": {"containers": [{"name": "main", "image": "i"}]}})");
  }
  return text + "]";
}

constexpr std::string_view kPod = R"({"spec": {"containers": [{"name": "main", "image": "i"}]}})";

TEST_F(DraftTest, LabelsThatEndWithTheNameOfAnInstanceAreFollowed) {
  std::string spec = Cat(R"({"crews": [{"name": "sort", "template": )", kPod,
                         R"(}, {"name": "sort-all", "template": )", kPod, "}]}");
  json::Value samples = Json(SampleText(
      spec, {R"({"mine/crew": "north-0-sort"})", R"({"mine/crew": "north-0-sort-all"})"}));
  Result<Draft> draft = Make(R"("crews": {"type": "array", "items": {"type": "object",
      "required": ["name"], "properties": {"name": {"type": "string"}, "template": TEMPLATE}}})",
                             "", {samples.items().begin(), samples.items().end()});
  ASSERT_TRUE(draft.has_value());
  ExpectSound(*draft);
  EXPECT_THAT(draft->text, HasSubstr(R"("crew": {"podInstance": )"));
  EXPECT_THAT(draft->text, HasSubstr(R"(labels["mine/crew"] | split("-") | last)"));
}

TEST_F(DraftTest, PodsThatAreNumberedInTheirGroupHaveALeader) {
  std::string spec = Cat(R"({"group": {"size": 2, "workerTemplate": )", kPod, "}}");
  json::Value samples =
      Json(SampleText(spec, {R"({"mine/worker-index": "0"})", R"({"mine/worker-index": "1"})"}));
  Result<Draft> draft =
      Make(R"("group": {"type": "object", "properties": {"size": {"type": "integer"},
      "leaderTemplate": TEMPLATE, "workerTemplate": TEMPLATE}})",
           "", {samples.items().begin(), samples.items().end()});
  ASSERT_TRUE(draft.has_value());
  ExpectSound(*draft);
  EXPECT_THAT(
      draft->text,
      HasSubstr("podTemplateSpecPath: .spec.group.leaderTemplate // .spec.group.workerTemplate"));
  EXPECT_THAT(draft->text, HasSubstr(R"(labels["mine/worker-index"] | select(. != "0"))"));
}

TEST_F(DraftTest, LabelsWithTheNameOfTheWorkloadAreAboutItAlone) {
  std::string spec = Cat(R"({"head": )", kPod, R"(, "rest": {"spec": {"containers":
      [{"name": "other", "image": "i"}]}}})");
  json::Value samples = Json(SampleText(spec, {R"({"mine/id": "north-head", "app": "x"})"}));
  Result<Draft> draft = Make(R"("head": TEMPLATE, "rest": TEMPLATE)", "",
                             {samples.items().begin(), samples.items().end()});
  ASSERT_TRUE(draft.has_value());
  EXPECT_THAT(draft->text, Not(HasSubstr("mine/id")));
}

TEST_F(DraftTest, WordsOfStatesAreKnownInAnyForm) {
  EXPECT_EQ(StatusOfWord("NOT_READY"), definition::Status::kInitializing);
  EXPECT_EQ(StatusOfWord("notReady"), definition::Status::kInitializing);
  EXPECT_EQ(StatusOfWord("Succeeded"), definition::Status::kCompleted);
  EXPECT_EQ(StatusOfWord("Scored"), std::nullopt);
}

TEST_F(DraftTest, MadeUpObjectsHaveWhatTheDraftReads) {
  Result<Draft> draft = Make(R"("crews": {"type": "array", "items": {"type": "object",
      "required": ["name"], "properties": {"name": {"type": "string"},
      "replicas": {"type": "integer"}, "template": TEMPLATE}}})");
  ASSERT_TRUE(draft.has_value());
  DraftRequest request;
  request.kind = {"mine.example.org", "v2", "FlowJob"};
  json::Value object = MakeObject(request, *draft, arena_);
  const json::Value& crew = object.Get("spec").Get("crews")[0];
  EXPECT_EQ(crew.Get("name").text_or_empty(), "crew");
  EXPECT_EQ(crew.Get("replicas").as_int(), 2);
  EXPECT_TRUE(crew.Get("template").Get("spec").Get("containers").is_array());
}

}  // namespace
}  // namespace wmap::schema
