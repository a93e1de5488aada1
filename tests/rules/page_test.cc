// docs/rules.md against the registry of rules: each rule has a section with its severity, its
// summary and two examples; the wrong one has a finding of the rule, and the right one has none.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/load.h"
#include "definition/rule_list.h"
#include "json/writer.h"
#include "schema/history.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap::rules {
namespace {

using definition::Finding;
using definition::Rule;
using definition::Severity;
using json::Value;

struct Section {
  std::string head;  // "error · `wmap check`"
  std::string text;
  std::vector<std::string> examples;  // the wrong one and the right one
};

// By the names of rules, as the headings of level 3.
std::map<std::string, Section> SectionsOf(std::string_view page) {
  std::map<std::string, Section> sections;
  Section* section = nullptr;
  bool is_code = false;
  for (std::size_t begin = 0; begin < page.size();) {
    std::size_t end = std::min(page.find('\n', begin), page.size());
    std::string_view line = page.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("```")) {
      is_code = !is_code;
      if (section != nullptr && is_code) section->examples.emplace_back();
    } else if (is_code) {
      if (section != nullptr) CatTo(section->examples.back(), line, '\n');
    } else if (line.starts_with("## ")) {
      section = nullptr;
    } else if (line.starts_with("### ")) {
      section = &sections[std::string(line.substr(4))];
    } else if (section != nullptr && !line.empty()) {
      if (section->head.empty()) {
        section->head = line;
      } else {
        CatTo(section->text, section->text.empty() ? "" : " ", line);
      }
    }
  }
  return sections;
}

const std::string& Page() {
  static const std::string* page =
      new std::string(testing::ReadFileOrDie(Cat(testing::RepoDir(), "/docs/rules.md")));
  return *page;
}

// The schema at the end of the page.
std::string SchemaText() {
  std::size_t begin = Page().find("apiVersion: apiextensions.k8s.io/v1");
  return Page().substr(begin, Page().find("```", begin) - begin);
}

// `over` laid over `base`, member by member at the top.
Value Over(const Value& base, const Value& over, Arena& arena) {
  json::ObjectBuilder object;
  for (const json::Member& member : base.members()) object.Add(member.key, member.value);
  if (over.is_object()) {
    for (const json::Member& member : over.members()) object.Add(member.key, member.value);
  }
  return object.Finish(arena);
}

Value Parsed(std::string_view text, Arena& arena) {
  Result<Value> value = yaml::Read(text, arena);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *value : Value();
}

// An example as a whole document: what it leaves out is the same in all of them.
std::string DocumentOf(const std::string& example, Arena& arena) {
  Result<Value> given = yaml::Read(example, arena);
  if (!given || given->Find("apiVersion") != nullptr) return example;
  Value root = Parsed(
      "{name: flowjob, kind: {group: mine.example.org, version: v2, kind: FlowJob},"
      " statusDefinition: {statusMappings: {}}}",
      arena);
  json::ObjectBuilder structure;
  structure.Add("rootComponent", Over(root, given->Get("rootComponent"), arena));
  for (std::string_view name : {"childComponents", "additionalChildKinds"}) {
    if (given->Find(name) != nullptr) structure.Add(name, given->Get(name));
  }
  json::ObjectBuilder spec;
  spec.Add("structureDefinition", structure.Finish(arena));
  json::ObjectBuilder instructions;
  if (given->Find("gangScheduling") != nullptr) {
    instructions.Add("gangScheduling", given->Get("gangScheduling"));
    spec.Add("optimizationInstructions", instructions.Finish(arena));
  }
  json::ObjectBuilder annotations;
  json::ObjectBuilder metadata;
  metadata.Add("name", Value::String("flowjob"));
  Value extensions = given->Get("extensions");
  if (!extensions.is_null()) {
    std::string text =
        extensions.is_string() ? std::string(extensions.as_string()) : json::ToJson(extensions);
    annotations.Add(definition::kExtensionsAnnotation, json::MakeString(arena, text));
    metadata.Add("annotations", annotations.Finish(arena));
  }
  json::ObjectBuilder document;
  document.Add("apiVersion", Value::String(definition::kApiVersion));
  document.Add("kind", Value::String(definition::kKind));
  document.Add("metadata", metadata.Finish(arena));
  document.Add("spec", spec.Finish(arena));
  return json::ToJson(document.Finish(arena));
}

class Judge {
 public:
  Judge() : releases_(built_ins_) {
    Arena arena;
    // A release before, which had the kind in another version.
    releases_.Add(
        Parsed("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, "
               "spec: {group: mine.example.org, names: {kind: FlowJob}, versions: [{name: "
               "v1alpha1}]}}",
               arena),
        "v0");
    releases_.Add(Parsed(SchemaText(), arena), "v1");
  }

  // "V7 wrong-kind": the rules that an example breaks.
  std::vector<std::string> RulesOf(const std::string& example) {
    Arena arena;
    std::string document = DocumentOf(example, arena);
    std::vector<std::string> ids;
    definition::LoadOptions options;
    options.thorough = true;
    options.further = [&](const definition::Karta& karta, definition::Report& report) {
      schema::History history =
          schema::CheckHistory(karta, built_ins_, releases_, report.options(), false);
      for (const schema::ReleaseFinding& found : history.found) ids.push_back(found.finding.id);
    };
    for (const definition::Loaded& loaded : definition::LoadText(document, options)) {
      for (const Finding& finding : loaded.findings) ids.push_back(finding.id);
    }
    return ids;
  }

 private:
  schema::BuiltIns built_ins_;
  schema::Releases releases_;
};

std::string HeadOf(const Rule& rule) {
  return Cat(definition::SeverityName(rule.severity), " · `wmap ",
             rule.of == Rule::Of::kCheck ? "check" : "validate", "`");
}

std::string Capital(std::string_view text) {
  std::string capital(text);
  if (capital[0] >= 'a' && capital[0] <= 'z') capital[0] = static_cast<char>(capital[0] - 32);
  return capital;
}

TEST(RulesPage, HasASectionForEveryRule) {
  std::map<std::string, Section> sections = SectionsOf(Page());
  EXPECT_EQ(sections.size(), definition::Rules().size());
  for (const Rule& rule : definition::Rules()) {
    const Section& section = sections[std::string(rule.id)];
    EXPECT_NE(Page().find(Cat("[", rule.id, "](#", ToLower(rule.id), ")")), std::string::npos)
        << rule.id << " is not in the table at the top";
    EXPECT_EQ(section.head, HeadOf(rule)) << rule.id;
    EXPECT_TRUE(section.text.starts_with(Cat(Capital(rule.summary), "."))) << rule.id;
    // What is too large has no place on a page.
    EXPECT_EQ(section.examples.size(), rule.id == "limit" ? 0U : 2U) << rule.id;
  }
}

TEST(RulesPage, ShowsWhatIsWrongAndWhatIsRight) {
  Judge judge;
  for (const auto& [rule, section] : SectionsOf(Page())) {
    if (section.examples.size() != 2) continue;
    EXPECT_THAT(judge.RulesOf(section.examples[0]), ::testing::Contains(rule)) << rule;
    EXPECT_THAT(judge.RulesOf(section.examples[1]), ::testing::IsEmpty()) << rule;
  }
}

TEST(Rules, HaveNamesOfTheirOwn) {
  for (const Rule& rule : definition::Rules()) EXPECT_EQ(definition::FindRule(rule.id), &rule);
  EXPECT_EQ(definition::FindRule("V0"), nullptr);
}

}  // namespace
}  // namespace wmap::rules
