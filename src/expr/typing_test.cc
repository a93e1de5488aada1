// What is said of expressions on documents of a known shape.
#include "expr/typing.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"

namespace wmap::expr {
namespace {

// A shape as an example: an object has the members that stand there, those with "?" may be absent;
// an array has items like its first; a text is a kind ("string", "number", "boolean", "any"), or
// the strings that may stand there, "A|B"; {"*": x} is a map of x.
class Example final : public DocumentTypes {
 public:
  explicit Example(std::string_view text) {
    auto value = json::Read(text, arena_);
    EXPECT_TRUE(value.has_value()) << text;
    if (value) nodes_.push_back(*value);
  }

  Known Root() override { return Describe(nodes_[0], false); }

  Known Member(const Known& of, std::string_view key) override {
    json::Value object = nodes_[of.handle];
    if (!object.is_object()) return {.answer = Known::Answer::kMissing};
    if (const json::Value* member = object.Find(key)) return Describe(*member, false);
    if (const json::Value* member = object.Find(Cat(key, '?'))) return Describe(*member, true);
    if (const json::Value* member = object.Find("*")) return Describe(*member, true);
    return {.answer = Known::Answer::kMissing};
  }

  Known Item(const Known& of) override {
    json::Value value = nodes_[of.handle];
    if (value.is_array()) return Describe(value[0], false);
    if (!value.is_object() || value.size() == 0) return {.answer = Known::Answer::kMissing};
    return Describe(value.members()[0].value, false);
  }

 private:
  Known Describe(const json::Value& value, bool may_be_absent) {
    Known known = {.answer = Known::Answer::kThere, .kinds = Kinds::None()};
    known.handle = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(value);
    std::string_view text = value.text_or_empty();
    if (text == "any") return {};
    if (value.is_object()) {
      known.kinds = Kinds::kObject;
    } else if (value.is_array()) {
      known.kinds = Kinds::kArray;
    } else if (text == "number") {
      known.kinds = Kinds::kNumber;
    } else if (text == "boolean") {
      known.kinds = Kinds::kBoolean;
    } else {
      known.kinds = Kinds::kString;
      if (text != "string") known.texts = Texts(text);
    }
    if (may_be_absent) known.kinds |= Kinds::kNull;
    return known;
  }

  std::span<const std::string> Texts(std::string_view text) {
    std::vector<std::string>& list = texts_.emplace_back();
    for (std::size_t at = 0; at <= text.size();) {
      std::size_t end = std::min(text.find('|', at), text.size());
      list.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    return list;
  }

  Arena arena_;
  std::deque<json::Value> nodes_;
  std::deque<std::vector<std::string>> texts_;
};

constexpr std::string_view kJob = R"({
  "spec": {"suspend": "boolean", "replicas?": "number", "mode": "Once|Always", "note?": "string",
           "groups?": [{"name": "string", "size?": "number", "tags?": {"*": "string"}}],
           "crews": {"*": {"size": "number"}}, "steps": ["string"], "free": "any"},
  "status?": {"phase?": "Running|Failed", "conditions?": [{"type": "string", "status": "string"}]}
})";

Typing TypingOf(std::string_view source) {
  auto program = Program::Compile(source);
  if (!program) {
    ADD_FAILURE() << source << ": " << program.error().Describe();
    return {};
  }
  Example example(kJob);
  return TypeOf(*program, example);
}

// "missing .spec.replica at `replica`"; several with "; " between them.
std::string IssuesOf(std::string_view source) {
  std::vector<std::string> texts;
  for (const Issue& issue : TypingOf(source).issues) {
    std::string_view at = source.substr(issue.range.begin, issue.range.end - issue.range.begin);
    std::string what;
    switch (issue.kind) {
      case Issue::Kind::kMissing:
        what = Cat("missing ", PathText(issue.path));
        break;
      case Issue::Kind::kNullItems:
        what = Cat("null ", PathText(issue.path));
        break;
      case Issue::Kind::kMayFail:
      case Issue::Kind::kAbsent:
        what = Cat("absent ", PathText(issue.path), " in ", issue.detail);
        break;
      case Issue::Kind::kNeverEqual:
      case Issue::Kind::kNeverWorks:
        what = issue.detail;
        break;
    }
    texts.push_back(Cat(what, " at `", at, '`'));
  }
  return Join(texts, "; ");
}

struct Case {
  std::string_view source;
  std::string_view expected;
};

void CheckIssues(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(IssuesOf(c.source), c.expected) << c.source;
}

TEST(Typing, NamesWhatNoDocumentHas) {
  CheckIssues({
      {".spec.replicas // 1", ""},
      {".spec.replica // 1", "missing .spec.replica at `replica`"},
      {".spec.groups[]?.nam", "missing .spec.groups[].nam at `nam`"},
      {"[.spec.groups[]? | .siz] | add", "missing .spec.groups[].siz at `siz`"},
      // Told once, where it happens first.
      {".spec.grups[]?.name.first", "missing .spec.grups at `grups`"},
      {".replicas", "missing .replicas at `replicas`"},
      {".spec.suspend.now", "missing .spec.suspend.now at `now`"},
      {".spec.suspend[]?", "missing .spec.suspend[] at `[]`"},
      {".spec.crews.haul.size", ""},
      {".spec.crews[].weight", "missing .spec.crews[].weight at `weight`"},
      {".spec.free.any.thing[]?.at.all", ""},
      // What nothing is known of may be absent, too.
      {".spec.free.any.thing[].at.all", "null .spec.free.any.thing at `.spec.free.any.thing[]`"},
      {"def f: .nme; [.spec.groups[]? | f]", "missing .spec.groups[].nme at `nme`"},
      {".spec.groups[]? | {name, weight}", "missing .spec.groups[].weight at `weight`"},
      {".spec | has(\"suspnd\")", "missing .spec.suspnd at `has(\"suspnd\")`"},
      {"{a: .spec} | .a.mod", "missing .spec.mod at `mod`"},
      // What is asked of several is meant for those that have it.
      {".spec.crews[], .spec.groups[]? | .name", ""},
      {"def f: .weight; (.spec.crews[] | f), (.spec.groups[]? | f)",
       "missing .spec.crews[].weight at `weight`"},
      {"def f: .name; (.spec.crews[] | f), (.spec.groups[]? | f)", ""},
  });
}

TEST(Typing, KnowsThatAnAlternativeMayBeMissing) {
  auto has_alternative = [](std::string_view source) {
    Typing typing = TypingOf(source);
    EXPECT_FALSE(typing.issues.empty()) << source;
    return std::ranges::any_of(typing.issues, &Issue::has_alternative);
  };
  EXPECT_TRUE(has_alternative(".spec.replicas // .spec.size // 1"));
  EXPECT_TRUE(has_alternative(".spec.size // .spec.replicas // 1"));
  EXPECT_FALSE(has_alternative(".spec.size // 1"));
  EXPECT_FALSE(has_alternative(".spec.size // .spec.replicas.x"));
  EXPECT_TRUE(has_alternative(".spec | .size // .replicas"));
}

TEST(Typing, TellsOfWhatMayBeAbsentAndIsIterated) {
  CheckIssues({
      {".spec.groups[].name", "null .spec.groups at `.spec.groups[]`"},
      {".spec.groups[]?.name", ""},
      {"(.spec.groups // [])[].name", ""},
      {"select(.spec.groups) | .spec.groups[].name", ""},
      {"if .spec.groups then .spec.groups[].name else empty end", ""},
      {"select(.spec.groups != null and any(.spec.groups[]; .name)) | .spec.groups[].name", ""},
      {"try .spec.groups[].name", ""},
      {".spec.crews[].size", ""},
      {".spec.steps[]", ""},
      {"any(.status.conditions[]; .type == \"Ready\")",
       "null .status.conditions at `.status.conditions[]`"},
      {".spec.groups | map(.name)", "null .spec.groups at `map(.name)`"},
      {".spec.groups[]?.tags | to_entries[]", "null .spec.groups[].tags at `to_entries`"},
      {".spec.groups // {} | to_entries[] | .value", ""},
  });
}

TEST(Typing, TellsOfComparisonsThatNeverHold) {
  CheckIssues({
      {".status.phase == \"Running\"", ""},
      {".status.phase == \"Runing\"",
       ".status.phase, a string or null: Running, Failed, is never \"Runing\" at "
       "`.status.phase == \"Runing\"`"},
      {".status.phase | IN(\"Running\", \"Faild\")",
       ".status.phase, a string or null: Running, Failed, is never \"Faild\" at "
       "`IN(\"Running\", \"Faild\")`"},
      {".spec.suspend == true", ""},
      {".spec.suspend == \"true\"",
       ".spec.suspend, a boolean, is never equal to a string at `.spec.suspend == \"true\"`"},
      {".spec.suspend == null", ""},
      {".spec.note == null", ""},
      {"(.status.phase // \"None\") == \"None\"", ""},
      {"def f($p): .status.phase == $p; f(\"Running\") or f(\"Faild\")",
       ".status.phase, a string: Running, Failed, is never \"Faild\" at "
       "`.status.phase == $p`"},
      {".spec.free == \"x\"", ""},
      {".spec.groups[]? | (.size | type) == \"int\"", ""},
  });
}

TEST(Typing, TellsOfCountersThatAreLeftOutAtZero) {
  CheckIssues({
      {".status.phase == \"\"", "absent .status.phase in == \"\" at `.status.phase == \"\"`"},
      {"(.status.phase // \"\") == \"\"", ""},
      // 0 may well be what is meant.
      {".spec.replicas == 0", ""},
  });
}

TEST(Typing, AsksForNothingByAStepThatMayFail) {
  CheckIssues({
      {"if any(.status.conditions[]?; .type == \"a\") then 1 else .status.conditions[] end",
       "null .status.conditions at `.status.conditions[]`"},
  });
}

TEST(Typing, TellsOfOperationsThatNeverWork) {
  CheckIssues({
      {".spec.mode + 1",
       "+ between .spec.mode, a string: Once, Always, and a number at `.spec.mode + 1`"},
      {".spec.replicas - 1", "absent .spec.replicas in - at `.spec.replicas - 1`"},
      {"(.spec.replicas // 1) - 1", ""},
      {".spec.replicas + 1", "absent .spec.replicas in + at `.spec.replicas + 1`"},
      {"if .spec.replicas == null then 0 else .spec.replicas * 2 end", ""},
      {".spec.replicas as $n | if $n == null then 0 else $n * 2 end", ""},
      {".spec.note | split(\",\")", "absent .spec.note in split at `split(\",\")`"},
      {"(.spec.note // \"\") | split(\",\")", ""},
      {".spec.crews[0]", "a number as index, where .spec.crews, an object at `.spec.crews[0]`"},
      {".spec.note + \"x\"", ""},
      {".spec.mode - \"x\"",
       "- between .spec.mode, a string: Once, Always, and a string at `.spec.mode - \"x\"`"},
      {"[.spec.groups[]? | .size // 1] | add", ""},
      {".spec.free * 2", ""},
      {"try (.spec.mode + 1) catch 0", ""},
  });
}

TEST(Typing, SaysWhatIsGiven) {
  struct Given {
    std::string_view source;
    std::string_view kinds;
  };
  for (const Given& c : std::vector<Given>{
           {"1", "a number"},
           {".spec.suspend", "a boolean"},
           {".spec.replicas", "a number or null"},
           {".spec.replicas // 1", "a number"},
           {".spec.groups[]? | .size // 0", "a number"},
           {".spec.groups | length", "a number"},
           {"[.spec.groups[]?.name] | join(\",\")", "a string"},
           {".status.phase", "a string or null"},
           {".status.phase // \"None\"", "a string"},
           {".status.phase == \"Failed\"", "a boolean"},
           {"if .spec.suspend then null else .spec.mode end", "a string or null"},
           {".spec.groups[]? | select(.size > 1) | .tags", "an object or null"},
           {".spec.replicas * 2", "a number"},
           {"{a: .spec.mode} | .a, .b", "a string or null"},
           {"[.spec.groups[]? | .size // 1] | add // 0", "a number"},
           {".spec.crews | keys[]", "a string"},
           {".spec.free", "anything"},
           {".spec | to_entries[] | .key", "a string"},
           {"reduce .spec.crews[] as $c (0; . + $c.size)", "a number"},
           {"first(.spec.groups[]?.name)", "a string"},
       }) {
    EXPECT_EQ(TypingOf(c.source).kinds.Describe(), c.kinds) << c.source;
  }
  Typing phase = TypingOf(".status.phase // \"None\"");
  EXPECT_TRUE(phase.has_all_texts);
  EXPECT_EQ(Join(phase.texts, " "), "Failed None Running");
  EXPECT_FALSE(TypingOf(".spec.note").has_all_texts);
}

TEST(Typing, CountsResults) {
  struct Counted {
    std::string_view source;
    std::string_view count;
  };
  for (const Counted& c : std::vector<Counted>{
           {".spec.mode", "one result"},
           {"1, 2", "2 results"},
           {"empty", "no result"},
           {".spec.groups[].name", "one result for each item of .spec.groups"},
           {".spec.groups[]?.name", "one result for each item of .spec.groups"},
           {".spec.groups[]? | .size // 1", "one result for each item of .spec.groups"},
           {".spec.groups[]?.size // 1", "at least 1 results"},
           {"(.spec.groups // [])[] | .name", "one result for each item of .spec.groups"},
           {".spec.crews | to_entries[] | .key", "one result for each item of .spec.crews"},
           {".spec.crews | keys[]", "one result for each item of .spec.crews"},
           {".spec.crews[].size", "one result for each item of .spec.crews"},
           {".spec.groups // [] | map(.name)[]", "one result for each item of .spec.groups"},
           {"[.spec.groups[]? | .name] | sort[]", "one result for each item of .spec.groups"},
           {".spec.groups[]? | select(.size > 1) | .name",
            "one result for each item of .spec.groups, where .size > 1"},
           {".spec.groups[]? | .tags // {} | .[]",
            "one result for each item of .spec.groups and each of .spec.groups[].tags"},
           {"if .spec.suspend then 0 else 1 end", "one result"},
           {"if .spec.suspend then empty else 1 end", "0 to 1 results"},
           {"first(.spec.groups[]?)", "0 to 1 results"},
           {"\"x\\(.spec.groups[]?.name)\"", "one result for each item of .spec.groups"},
           {"[.spec.groups[]?] | length", "one result"},
           {".spec.mode as $m | .spec.steps[] | . + $m", "one result for each item of .spec.steps"},
           {"def f(g): g | . ; f(.spec.steps[])", "one result for each item of .spec.steps"},
       }) {
    EXPECT_EQ(TypingOf(c.source).count.Describe(), c.count) << c.source;
  }
}

TEST(Typing, SaysWhatIsOpen) {
  Typing typing = TypingOf(".spec.free.a.b, .spec.mode");
  ASSERT_EQ(typing.open.size(), 1U);
  EXPECT_EQ(PathText(typing.open[0]), ".spec.free");
  EXPECT_TRUE(TypingOf(".spec.mode").open.empty());
}

TEST(Typing, GivesUpOnWhatIsTooLarge) {
  std::string wide = ".";
  for (int i = 0; i < 40; ++i) wide += " | (.spec, .status)";
  EXPECT_FALSE(TypingOf(wide).is_complete);
  EXPECT_TRUE(TypingOf(wide).issues.empty());
}

}  // namespace
}  // namespace wmap::expr
