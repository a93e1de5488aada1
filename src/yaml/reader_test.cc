#include "yaml/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/text.h"
#include "json/writer.h"
#include "tests/support/shared_data.h"

namespace wmap::yaml {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Json(std::string_view text) {
  Arena arena;
  auto value = Read(text, arena);
  return value ? json::ToJson(*value, {.order = json::WriteOptions::Order::kSource})
               : "error: " + value.error().message();
}

// "line:column message".
std::string Fault(std::string_view text, const ReadOptions& options = {}) {
  Arena arena;
  auto value = Read(text, arena, nullptr, options);
  if (value) return "read: " + json::ToJson(*value);
  if (!value.error().range()) return "nowhere " + value.error().message();
  json::LineColumn place = json::PlaceOf(text, value.error().range()->begin);
  return Cat(place.line, ':', place.column, ' ', value.error().message());
}

// Each document as JSON or error, in order.
std::vector<std::string> All(std::string_view text) {
  std::vector<std::string> all;
  Arena arena;
  Documents documents(text);
  while (true) {
    auto document = documents.Next(arena);
    if (document && !*document) return all;
    all.push_back(document ? Cat((*document)->number, '@', (*document)->first_line, ' ',
                                 json::ToJson((*document)->value))
                           : document.error().Describe());
  }
}

TEST(Reader, ReadsBlockAndFlowStyles) {
  EXPECT_EQ(Json("b: [1, {x: y z}]\na:\n- one\n-\n  - two\nc: |\n  l1\n  l2\nd: >-\n  f1\n  f2\n"),
            R"({"b":[1,{"x":"y z"}],"a":["one",["two"]],"c":"l1\nl2\n","d":"f1 f2"})");
}

TEST(Reader, TextWithoutContentIsNull) {
  for (std::string_view text : {"", "\n", "# c\n", "---\n", "--- # c\n", "...\n"}) {
    EXPECT_EQ(Json(text), "null") << text;
  }
}

TEST(Reader, AliasesShareTheAnchorsMemory) {
  Arena arena;
  auto value = Read("a: &x {k: [1]}\nb: *x\n", arena);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->Get("a").members().data(), value->Get("b").members().data());
}

TEST(Reader, ANumberIsWhatItsPlaceMakesOfItBehindAnAliasToo) {
  EXPECT_EQ(Json("a: &x 1e6\n*x : 2\n"), R"({"a":1000000,"1e+06":2})");
  EXPECT_EQ(Json("&x 1e6: 1\nb: *x\n"), R"({"1e+06":1,"b":1000000})");
  EXPECT_EQ(Json("&x .inf: {*x : 1}\n"), R"({".inf":{".inf":1}})");
}

TEST(Reader, MergesMappingsAndTheOwnKeyWins) {
  EXPECT_EQ(Json("- &a {x: 1, z: 2}\n- <<: *a\n  z: 3\n- z: 3\n  <<: *a\n"),
            R"([{"x":1,"z":2},{"z":3,"x":1},{"z":3,"x":1}])");
}

TEST(Reader, OfSeveralMergedMappingsTheFirstWins) {
  EXPECT_EQ(Json("- &a {x: 1}\n- &b {x: 2, z: 3}\n- <<: [*a, *b]\n  k: v\n- <<: *b\n  <<: *a\n"),
            R"([{"x":1},{"x":2,"z":3},{"k":"v","x":1,"z":3},{"x":2,"z":3}])");
  EXPECT_EQ(Json("<<: {a: {b: 1}}\n"), R"({"a":{"b":1}})");
  EXPECT_EQ(Json("\"<<\": 1\n"), R"({"<<":1})");
}

TEST(Reader, MergeOfAnythingElseIsAnError) {
  EXPECT_EQ(Fault("a: 1\n<<: 5\n"),
            "2:5 the merge key \"<<\" takes a mapping or a list of mappings");
  EXPECT_THAT(Fault("<<: [{a: 1}, 2]\n"), HasSubstr("takes a mapping"));
}

TEST(Reader, RepeatedKeyNamesBothLines) {
  EXPECT_EQ(Fault("a: 1\nb:\n  x: 1\n  y: 2\n  x: 3\n"),
            "5:3 key \"x\" is repeated, first in line 3");
  EXPECT_EQ(Fault("1: a\n\"1\": b\n"), "2:1 key \"1\" is repeated, first in line 1");
  EXPECT_EQ(Fault("\"\": a\n'': b\n"), "2:1 key \"\" is repeated, first in line 1");
}

TEST(Reader, ByteOrderMarkAndCarriageReturnsAreNoContent) {
  EXPECT_EQ(Json("\xEF\xBB\xBF"
                 "a: b\r\nc: |\r\n  x\r\n  y\r\nd: \"q\r\n  r\"\r\n"),
            R"({"a":"b","c":"x\ny\n","d":"q r"})");
}

TEST(Reader, KnownMistakesGetAPlaceAndAHint) {
  struct Mistake {
    std::string_view text;
    std::string_view fault;
  };
  const Mistake kMistakes[] = {
      {"a:\n\tb: 1\n",
       "2:1 a character that cannot start a value; a tab cannot indent; use spaces"},
      {"a:\n  b: 1\n \tc: 1\n", "a tab cannot indent; use spaces"},
      {"a: |\n\tx\n", "2:1 a tab cannot indent; use spaces"},
      {"image: {user}/app:1\nb: 2\n", "fill in the placeholder"},
      {"image: {{ .Values.image }}\n", "render it first (helm template)"},
      {"image: {{ .Values.image }}:{{ .Values.tag }}\n", "render it first (helm template)"},
      {"a: \"open\nb: 1\n", "1:4 the quote is not closed"},
      {"a: 'open\nb: 1\n", "1:4 the quote is not closed"},
      {"a:\n  b:1\n  c: 2\n", "a space is missing behind the colon of \"b:1\""},
      {"a: b: c\n",
       "1:5 a \": \" where no key can stand; indent the line as its neighbours are, or "
       "put text that holds \": \" in quotes"},
      {"a: @x\n",
       "1:4 a character that cannot start a value; put text that begins with \"@\" in "
       "quotes"},
      {"a: [1, 2\nb: 3\n", "the bracket was opened in line 1"},
      {"a: 1\n  b: 2\n", "2:4 a \": \" where no key can stand"},
      {"a:\n- 1\n b: 2\n", "3:3 a \": \" where no key can stand; indent the line"},
      {"a:\n  b: 1\n c: 2\n",
       "3:2 neither a key nor the end of the mapping; indent the line as what "
       "starts in line 1 is"},
      {"a: *x\n", "1:4 no anchor &x before this alias"},
      {"a: &x [*x]\n", "1:8 the value of anchor &x contains itself"},
      {"? [1]\n: 2\n", "1:3 a key must be text, not a sequence"},
      {"~: 2\n", "1:1 a key must be text, not null"},
      {"a: .inf\n", "1:4 .inf is a number that JSON, and so Kubernetes, cannot hold"},
      {"&x .nan: 1\na: *x\n", "2:4 the value of anchor &x is a number that JSON"},
      {"&x -.inf : 1\na: [*x]\n", "2:5 the value of anchor &x is a number that JSON"},
      {"a: !!int x\n", "1:4 \"x\" is text, and its tag is !!int"},
      {"a: \"\\q\"\n", "an escape that YAML does not have"},
      {"a: b\n---\nc: d\n", "3:1 a second document where one was expected"},
  };
  for (const Mistake& mistake : kMistakes) {
    EXPECT_THAT(Fault(mistake.text), HasSubstr(mistake.fault)) << mistake.text;
  }
}

TEST(Reader, BytesThatAreNoTextAreRefusedWithTheirPlace) {
  EXPECT_THAT(Fault(std::string_view("a: b\nc: \0d\n", 11)), HasSubstr("2:4 a control character"));
  EXPECT_THAT(Fault("a: b\nc: \xFFz\n"), HasSubstr("2:4 bytes that are no UTF-8"));
  EXPECT_THAT(Fault("a: \xE2\x82"), HasSubstr("1:4 "));
}

TEST(Reader, PlacesCountCharacters) { EXPECT_THAT(Fault("\"äöü\": @\n"), HasSubstr("1:8 ")); }

TEST(Reader, DepthIsLimited) {
  ReadOptions options{.max_depth = 3};
  EXPECT_EQ(Fault("a: {b: [1]}", options), R"(read: {"a":{"b":[1]}})");
  EXPECT_EQ(Fault("a: {b: [{}]}", options),
            "1:9 more than 3 mappings and sequences inside each other");
  EXPECT_THAT(Fault(std::string(200000, '[')), HasSubstr("more than 1000"));
  std::string block;
  for (int i = 0; i < 2000; ++i) block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(Fault(block), HasSubstr("more than 1000"));
}

TEST(Reader, AliasExpansionIsLimited) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    CatTo(laughs, "a", i, ": &a", i, " [");
    for (int k = 0; k < 10; ++k) CatTo(laughs, k == 0 ? "" : ", ", "*a", i - 1);
    laughs += "]\n";
  }
  Arena arena;
  auto value = Read(laughs, arena);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), Code::kLimit);
  EXPECT_THAT(value.error().message(), HasSubstr("would add more than 64 MiB"));
  EXPECT_LT(arena.bytes_used(), 100000u);

  std::string merges = "m0: &m0 {k0: &v " + std::string(100000, 'x') + "}\n";
  for (int i = 1; i < 2000; ++i) {
    CatTo(merges, "m", i, ": &m", i, " {<<: *m", i - 1, ", k", i, ": *v}\n");
  }
  EXPECT_THAT(Fault(merges), HasSubstr("would add more than 64 MiB"));
}

TEST(Reader, AliasBudgetIsExact) {
  // One alias of a node of 32 bytes and 8 bytes of text.
  EXPECT_THAT(Fault("[&a 12345678x, *a]", {.max_alias_bytes = 41}), HasSubstr("read"));
  EXPECT_THAT(Fault("[&a 12345678x, *a]", {.max_alias_bytes = 40}), HasSubstr("aliases"));
}

TEST(Documents, AreCutAtSeparatorLines) {
  EXPECT_THAT(All("a: 1\n--- # c\nb: 2\n---   \n---\n# only\n---\r\nc: 3\r\n...\n---\nd: 4"),
              ElementsAre(R"(1@1 {"a":1})", R"(2@2 {"b":2})", R"(3@8 {"c":3})", R"(4@11 {"d":4})"));
}

TEST(Documents, SeparatorMayCarryContent) {
  EXPECT_THAT(All("--- {a: 1}\n--- [2]\n--- text\n--- |\n x\n"),
              ElementsAre(R"(1@1 {"a":1})", "2@2 [2]", R"(3@3 "text")", R"(4@4 "x\n")"));
}

TEST(Documents, DashesInTextAreText) {
  EXPECT_THAT(
      All("a: |\n  ---\n  b: 1\n---\nc: \"x\n\n---y\"\n---\nd: 1\n"),
      ElementsAre(R"(1@1 {"a":"---\nb: 1\n"})", R"(2@5 {"c":"x\n---y"})", R"(3@9 {"d":1})"));
}

TEST(Documents, DirectivesBelongToTheFollowingDocument) {
  EXPECT_THAT(All("# c\n%YAML 1.1\n---\na: 1\n---\nb: 2\n...\n%TAG ! tag:x,1:\n---\nc: !t 3\n"),
              ElementsAre(R"(1@1 {"a":1})", R"(2@6 {"b":2})", R"(3@8 {"c":"3"})"));
}

TEST(Documents, EachMayStartWithAByteOrderMark) {
  EXPECT_THAT(All("\xEF\xBB\xBF---\na: 1\n\xEF\xBB\xBF---\nb: 2\n---\n\xEF\xBB\xBF"
                  "c: 3\n"),
              ElementsAre(R"(1@2 {"a":1})", R"(2@4 {"b":2})", R"(3@6 {"c":3})"));
}

TEST(Documents, FaultsCostOneDocument) {
  EXPECT_THAT(
      All("a: &x 1\n---\nb: *x\n---\nc: 3\n"),
      ElementsAre(R"(1@1 {"a":1})", HasSubstr("document 2: no anchor &x"), R"(3@5 {"c":3})"));
  EXPECT_THAT(All("a: [\n"), ElementsAre(HasSubstr("a value is missing")));
}

TEST(Documents, ErrorsPointIntoTheWholeText) {
  std::string_view text = "a: 1\n---\n\nx: 1\nx: 2\n";
  Documents documents(text);
  Arena arena;
  ASSERT_TRUE(documents.Next(arena));
  auto second = documents.Next(arena);
  ASSERT_FALSE(second);
  EXPECT_EQ(text.substr(second.error().range()->begin), "x: 2\n");
  EXPECT_THAT(second.error().Describe(), HasSubstr("first in line 4"));
}

TEST(FindDocument, CutsTheSameHoweverTheTextArrives) {
  std::string_view text =
      "\xEF\xBB\xBF# c\n---\na: 1\r\n--- # x\nb: 2\n...\n%YAML 1.1\n---\nc: |\n  ---\n---\n--- {d: "
      "1}\n"
      "---\n\xEF\xBB\xBF"
      "e: 1\n----\n---";
  std::vector<std::string> whole;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t scanned = 0;
    auto found = *FindDocument(text.substr(at), true, &scanned);
    whole.emplace_back(text.substr(at + found.begin, found.end - found.begin));
    at += found.next;
  }
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t scanned = 0;
    std::optional<DocumentText> found;
    for (std::size_t size = 1; !found; ++size) {
      bool final = at + size > text.size();
      found = FindDocument(text.substr(at, size), final, &scanned);
    }
    pieces.emplace_back(text.substr(at + found->begin, found->end - found->begin));
    at += found->next;
  }
  EXPECT_EQ(pieces, whole);
  EXPECT_EQ(whole.size(), 8u);
}

TEST(Places, AreThoseOfKeysAndValues) {
  json::SourceMap map;
  Arena arena;
  ASSERT_TRUE(Read("# c\nspec:\n  a/b: [1,  x]\n  k: &v {z: 1}\n  l: *v\n", arena, &map));
  using Place = json::LineColumn;
  EXPECT_EQ(map.Find("/spec")->key, (Place{2, 1}));
  EXPECT_EQ(map.Find("/spec")->value, (Place{3, 3}));
  EXPECT_EQ(map.Find("/spec/a~1b")->key, (Place{3, 3}));
  EXPECT_EQ(map.Find("/spec/a~1b")->value, (Place{3, 8}));
  EXPECT_EQ(map.Find("/spec/a~1b/1")->value, (Place{3, 13}));
  EXPECT_EQ(map.Find("/spec/k/z")->key, (Place{4, 10}));
  EXPECT_EQ(map.Find("/spec/l")->value, (Place{5, 6}));
  EXPECT_EQ(map.Find("")->value, (Place{2, 1}));
}

TEST(Places, MayBeThoseBelowAPointerOnly) {
  json::SourceMap map;
  Arena arena;
  Reader reader;
  ASSERT_TRUE(reader.Read("items:\n- a: 1\n- a: 2\n- a: 3\n", arena,
                          {.map = &map, .root = "/items/1", .first_line = 10}));
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.Find("")->value, (json::LineColumn{12, 3}));
  EXPECT_EQ(map.Find("/a")->value, (json::LineColumn{12, 6}));
}

TEST(Manifests, OfRealProjectsAreRead) {
  WMAP_REQUIRE_SHARED();
  std::size_t read = 0;
  for (std::string_view ending : {".yaml", ".yml"}) {
    for (const auto& path :
         testing::FilesBelowOrDie(testing::SharedDir() + "/data/manifests", ending)) {
      std::string text = testing::ReadFileOrDie(path);
      bool is_malformed = path.find("/malformed/") != std::string::npos;
      Documents documents(text);
      std::vector<std::string> faults;
      Arena arena;
      while (true) {
        auto document = documents.Next(arena);
        if (document && !*document) break;
        if (!document) {
          EXPECT_TRUE(document.error().range()) << path;
          faults.push_back(document.error().Describe());
        }
        ++read;
      }
      if (is_malformed) {
        EXPECT_THAT(faults, ElementsAre(HasSubstr("fill in the placeholder"))) << path;
      } else {
        EXPECT_THAT(faults, IsEmpty()) << path;
      }
    }
  }
  EXPECT_GT(read, 500u);
}

}  // namespace
}  // namespace wmap::yaml
