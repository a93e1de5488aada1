#include "input/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

#include "base/check.h"
#include "base/text.h"
#include "json/writer.h"
#include "tests/fake/memory_file_system.h"
#include "tests/support/shared_data.h"

namespace wmap::input {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What came of a call: objects as "source kind/name", problems as "E source: message".
struct Outcome {
  std::vector<std::string> objects;
  std::vector<std::string> json;
  std::vector<std::string> problems;
  std::vector<std::string> excerpts;
  Summary summary;
};

class Collector {
 public:
  void operator()(const Object& object) {
    const json::Value& v = object.value;
    outcome.objects.push_back(Cat(object.source.Describe(), ' ', v.Get("kind").text_or_empty(), '/',
                                  v.Get("metadata").Get("name").text_or_empty()));
    outcome.json.push_back(json::ToJson(v));
  }
  void operator()(const Problem& problem) {
    bool is_error = problem.severity == Problem::Severity::kError;
    outcome.problems.push_back(Cat(is_error ? "E " : "W ", problem.Describe()));
    outcome.excerpts.push_back(problem.excerpt);
  }
  Outcome outcome;
};

Outcome ReadFrom(const FileSystem& files, std::vector<std::string> names,
                 const Options& options = {}) {
  Collector collector;
  auto objects = [&](const Object& object) { collector(object); };
  auto problems = [&](const Problem& problem) { collector(problem); };
  collector.outcome.summary = Read(names, files, options, objects, problems);
  return collector.outcome;
}

Outcome ReadFrom(std::string_view text, const Options& options = {}) {
  Collector collector;
  auto objects = [&](const Object& object) { collector(object); };
  auto problems = [&](const Problem& problem) { collector(problem); };
  collector.outcome.summary = ReadText(text, "f", options, objects, problems);
  return collector.outcome;
}

std::string Pod(std::string_view name) {
  return Cat(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")", name, R"("}})");
}

std::string Gzip(std::string_view text) {
  z_stream zlib{};
  WMAP_CHECK(deflateInit2(&zlib, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&zlib, text.size()) + 64, '\0');
  std::string copy(text);
  zlib.next_in = reinterpret_cast<Bytef*>(copy.data());
  zlib.avail_in = static_cast<uInt>(copy.size());
  zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
  zlib.avail_out = static_cast<uInt>(packed.size());
  WMAP_CHECK(deflate(&zlib, Z_FINISH) == Z_STREAM_END);
  packed.resize(zlib.total_out);
  deflateEnd(&zlib);
  return packed;
}

TEST(Json, SeveralValuesFollowEachOther) {
  Outcome got = ReadFrom(Pod("a") + "\n" + Pod("b") + Pod("c") + "\n\n");
  EXPECT_THAT(got.objects, ElementsAre("f:1:1 Pod/a", "f:2:1 Pod/b", "f:2:57 Pod/c"));
  EXPECT_THAT(got.problems, IsEmpty());
}

TEST(Json, ListsAreTakenApartWhereverTheirKindStands) {
  std::string items = Cat("[", Pod("a"), ",\n", Pod("b"), "]");
  for (const std::string& text :
       {Cat(R"({"kind":"List","apiVersion":"v1","items":)", items, "}"),
        Cat(R"({"apiVersion":"v1","items":)", items, R"(,"kind":"List","metadata":{"x":[1]}})"),
        Cat(R"({"items":)", items, "}"),
        Cat(R"({"apiVersion":"v1","extra":1,"kind":"List","items":)", items, "}")}) {
    Outcome got = ReadFrom(text);
    EXPECT_THAT(got.objects, ElementsAre(HasSubstr("item 1 Pod/a"), HasSubstr("item 2 Pod/b")))
        << text;
    EXPECT_THAT(got.problems, IsEmpty()) << text;
  }
}

TEST(Json, ItemsOfTypedListsGetItsType) {
  for (
      const char* text :
      {R"({"kind":"JobList","apiVersion":"batch/v1","metadata":{},"items":[{"metadata":{"name":"a"}}]})",
       R"({"apiVersion":"batch/v1","items":[{"metadata":{"name":"a"}}],"kind":"JobList"})",
       R"({"items":[{"metadata":{"name":"a"}}],"kind":"JobList","apiVersion":"batch/v1"})"}) {
    Outcome got = ReadFrom(text);
    EXPECT_THAT(got.json,
                ElementsAre(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"}})"))
        << text;
  }
}

TEST(Json, ListsInsideListsCountOn) {
  Outcome got =
      ReadFrom(Cat(R"({"apiVersion":"v1","kind":"List","items":[)", Pod("a"),
                   R"(,{"apiVersion":"v1","kind":"PodList","items":[)",
                   R"({"metadata":{"name":"b"}},{"metadata":{"name":"c"}}]},)", Pod("d"), "]}"));
  EXPECT_THAT(got.objects, ElementsAre(HasSubstr("item 1 Pod/a"), HasSubstr("item 2 Pod/b"),
                                       HasSubstr("item 3 Pod/c"), HasSubstr("item 4 Pod/d")));
}

TEST(Json, EmptyListsAreFine) {
  Outcome got = ReadFrom(R"({"apiVersion":"v1","kind":"List","items":[]}
      {"kind":"PodList","apiVersion":"v1","items":null} {"items":[],"kind":"List"})");
  EXPECT_THAT(got.objects, IsEmpty());
  EXPECT_THAT(got.problems, IsEmpty());
}

TEST(Json, ReadsTheSameThroughAWindowOfAnySize) {
  std::string text = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\n\"items\":[\n";
  for (int i = 0; i < 40; ++i) {
    CatTo(text, i == 0 ? "" : ",\n ", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p)", i,
          R"(","labels":{"x":")", std::string(static_cast<std::size_t>(i * 7 % 90), 'y'),
          R"("}}})");
  }
  text +=
      "\n]}\n" + Pod("last") + "\n---\n" + "apiVersion: v1\nkind: Pod\nmetadata: {name: yaml}\n";
  Outcome whole = ReadFrom(text);
  ASSERT_THAT(whole.objects, SizeIs(42));
  EXPECT_EQ(whole.objects.back(), "f:46:1 Pod/yaml");
  EXPECT_THAT(whole.problems, IsEmpty());
  testing::MemoryFileSystem files;
  files.Add("f", text);
  for (std::size_t window : {1, 17, 64, 300, 1000}) {
    for (std::size_t reads : {1, 3, 50, 10000}) {
      files.LimitReads(reads);
      Outcome got = ReadFrom(files, {"f"}, {.window_bytes = window});
      EXPECT_EQ(got.objects, whole.objects) << window << ' ' << reads;
      EXPECT_EQ(got.json, whole.json) << window << ' ' << reads;
      EXPECT_THAT(got.problems, IsEmpty()) << window << ' ' << reads;
    }
  }
}

TEST(Json, TruncatedListDeliversWhatIsThere) {
  std::string text = Cat(R"({"apiVersion":"v1","kind":"List","items":[)", Pod("a"), ",", Pod("b"),
                         ",", Pod("c"), "]}");
  std::size_t third = text.find(Pod("c"));
  for (std::size_t size = third + 1; size < text.size(); ++size) {
    Outcome got = ReadFrom(std::string_view(text).substr(0, size));
    bool is_third_there = size >= third + Pod("c").size();
    EXPECT_THAT(got.objects, SizeIs(is_third_there ? 3 : 2)) << size;
    ASSERT_THAT(got.problems, SizeIs(1)) << size;
    EXPECT_THAT(got.problems[0],
                AllOf(HasSubstr("E f:1:"), HasSubstr("truncated: "),
                      HasSubstr(is_third_there ? "3 items were read" : "2 items were read")));
  }
}

TEST(Json, FaultInAListSaysHowFarItWasRead) {
  Outcome got = ReadFrom(Cat("{\"kind\":\"List\",\"items\":[\n", Pod("a"), ",\n{\"x\": tru}]}"));
  EXPECT_THAT(got.objects, SizeIs(1));
  EXPECT_THAT(got.problems,
              ElementsAre(AllOf(HasSubstr("E f:3:7 item 2: "), HasSubstr("; 1 item was read"))));
  EXPECT_THAT(got.excerpts, ElementsAre(HasSubstr("{\"x\": tru}]}\n      ^")));
}

TEST(Json, WhatIsNoObjectIsLeftAside) {
  Outcome got = ReadFrom(R"([1] {"a":1} {"apiVersion":"v1"} {"kind":"List","items":[7,null]})");
  EXPECT_THAT(got.objects, IsEmpty());
  EXPECT_THAT(got.problems,
              ElementsAre("W f:1:1: left aside: no Kubernetes object but array",
                          "W f:1:5: left aside: no Kubernetes object, it has no kind",
                          "W f:1:13: left aside: no Kubernetes object, it has no kind",
                          "W f:1:57 item 1: left aside: no Kubernetes object but number",
                          "W f:1:59 item 2: left aside: no Kubernetes object but null"));
  EXPECT_EQ(got.summary.warnings, 5u);
  EXPECT_EQ(got.summary.errors, 0u);
}

TEST(Json, AnArrayOfObjectsIsTakenApart) {
  std::string text = Cat("[", Pod("a"), ", ", R"({"kind":"List","items":[)", Pod("b"), "]}, 7]");
  for (std::size_t window : {16, 4096}) {
    Outcome got = ReadFrom(text, {.window_bytes = window});
    EXPECT_THAT(got.objects, ElementsAre("f:1:2 item 1 Pod/a", "f:1:59 item 2 Pod/b"));
    EXPECT_THAT(got.problems,
                ElementsAre(HasSubstr("item 3: left aside: no Kubernetes object but number")));
  }
  EXPECT_THAT(ReadFrom(text.substr(0, 90)).problems, ElementsAre(HasSubstr("truncated")));
  EXPECT_THAT(ReadFrom("- {apiVersion: v1, kind: Pod}\n- {apiVersion: v1, kind: Job}").objects,
              ElementsAre("f:1:1 item 1 Pod/", "f:1:1 item 2 Job/"));
  EXPECT_THAT(ReadFrom("[{apiVersion: v1, kind: Pod}]").objects, SizeIs(1));
}

TEST(Json, DocumentsAreGivenWholeOnRequest) {
  Outcome got =
      ReadFrom(R"({"kind":"List","items":[1]} 2 "x")", {.unit = Options::Unit::kDocuments});
  EXPECT_THAT(got.json, ElementsAre(R"({"items":[1],"kind":"List"})", "2", "\"x\""));
  got = ReadFrom("a: 1\n---\n- 2\n", {.unit = Options::Unit::kDocuments});
  EXPECT_THAT(got.json, ElementsAre(R"({"a":1})", "[2]"));
}

TEST(Json, DocumentsMayBeValuesThatYamlKnowsToo) {
  struct Row {
    std::string_view text;
    std::vector<std::string> documents;
  };
  const Row kRows[] = {
      {"1\n2\n", {"1", "2"}},
      {"true\nfalse null", {"true", "false", "null"}},
      {R"("a" "b")", {"\"a\"", "\"b\""}},
      {R"("\ud83d\ude00")", {"\"\U0001F600\""}},
      {"1.50", {"1.50"}},
      {"1\n{\"a\":1}\n", {"1", R"({"a":1})"}},
      {"1 apple", {"\"1 apple\""}},
      {"true: 1", {R"({"true":1})"}},
      {"- 1\n- 2", {"[1,2]"}},
      {"\"a\": 1", {R"({"a":1})"}},
      {"name: x", {R"({"name":"x"})"}},
  };
  for (const Row& row : kRows) {
    for (std::size_t window : {4, 4096}) {
      Outcome got = ReadFrom(std::string(row.text),
                             {.unit = Options::Unit::kDocuments, .window_bytes = window});
      EXPECT_EQ(got.json, row.documents) << row.text;
      EXPECT_THAT(got.problems, IsEmpty()) << row.text;
    }
  }
}

TEST(Json, ManagedFieldsAreLeftOut) {
  Outcome got = ReadFrom(R"({"kind":"List","items":[{"apiVersion":"v1","kind":"Pod",
      "metadata":{"name":"a","managedFields":[{"x":1}]}}]})");
  EXPECT_THAT(got.json, ElementsAre(Pod("a")));
}

TEST(Json, FlowStyleYamlIsReadAsYaml) {
  Outcome got = ReadFrom("{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n" + Pod("b"));
  EXPECT_THAT(got.objects, ElementsAre("f:1:1 Pod/a", "f:3:1 Pod/b"));
  EXPECT_THAT(got.problems, IsEmpty());
}

TEST(Json, TheErrorIsThatOfTheReaderThatCameFarther) {
  EXPECT_THAT(ReadFrom("{\"a\": \"\\ud83d\\ude00\",\n \"b\": tru x}").problems,
              ElementsAre(HasSubstr("E f:2:7: ")));
  EXPECT_THAT(ReadFrom("{a: 1,\n b: [}\n").problems, ElementsAre(HasSubstr("E f:2:6: ")));
}

TEST(Json, ObjectsHaveALimit) {
  std::string text = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + Pod("a") +
                     ",{\"x\":\"" + std::string(10 << 20, 'x');
  Outcome got = ReadFrom(text, {.window_bytes = 1 << 16, .max_object_bytes = 1 << 20});
  EXPECT_THAT(got.objects, SizeIs(1));
  EXPECT_THAT(got.problems, ElementsAre(HasSubstr("larger than 1 MiB")));
  EXPECT_LT(got.summary.bytes, std::uint64_t{3} << 20);
}

TEST(Json, ItemsThatWaitForTheirKindHaveALimit) {
  std::string text = "{\"items\":[{\"a\":1}";
  while (text.size() < (1 << 20)) text += ",{\"metadata\":{\"name\":\"some-name\"}}";
  Outcome got = ReadFrom(text, {.window_bytes = 4096, .max_object_bytes = 1 << 18});
  EXPECT_THAT(got.problems, ElementsAre(HasSubstr("write it before the items")));
}

TEST(Yaml, CaseOfManyOddDocuments) {
  WMAP_REQUIRE_SHARED();
  std::string path = testing::SharedDir() + "/cases/25-yaml-streams/input.yaml";
  std::string text = testing::ReadFileOrDie(path);
  Outcome got = ReadFrom(text);
  EXPECT_THAT(got.objects, ElementsAre("f:3:1 Job/j1", "f:8:1 Job/j2", "f:16:1 Job/j3",
                                       "f:22:1 ConfigMap/not-a-workload", "f:32:1 item 1 Job/j4",
                                       "f:32:1 item 2 Job/j5", "f:45:1 Job/j6", "f:47:1 Job/",
                                       "f:52:1 Job/j8", "f:74:1 Job/j10"));
  EXPECT_THAT(got.problems,
              ElementsAre("E f:71:3: document 9: key \"parallelism\" is repeated, first in line 70",
                          "E f:93:1: document 11: a character that cannot start a value; a tab "
                          "cannot indent; use spaces",
                          HasSubstr("E f:98:39: document 12: no anchor &base")));
  EXPECT_THAT(got.json[3],
              HasSubstr(R"("script":"first\n---\napiVersion: batch/v1\nkind: Job\n")"));
  EXPECT_THAT(
      got.json[8],
      HasSubstr(R"({"image":"app","name":false,"resources":{"limits":{"nvidia.com/gpu":2}}})"));
  EXPECT_THAT(got.json[9], HasSubstr(R"("first\n---second")"));
  for (const std::string& json : got.json) EXPECT_EQ(json.find("\\r"), std::string::npos);

  testing::MemoryFileSystem files;
  files.Add("f", text);
  for (std::size_t window : {1, 50, 777}) {
    files.LimitReads(window * 3);
    Outcome again = ReadFrom(files, {"f"}, {.window_bytes = window});
    EXPECT_EQ(again.objects, got.objects);
    EXPECT_EQ(again.json, got.json);
    EXPECT_EQ(again.problems, got.problems);
    EXPECT_EQ(again.excerpts, got.excerpts);
  }
}

TEST(Yaml, LineEndsOfOtherSystemsChangeNoObject) {
  std::string text =
      "# first\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # why\ndata:\n  "
      "script: |\n    one\n    ---\n    two\n  folded: >-\n    x\n    y\n--- # next\n\n# only this"
      "\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b,\n  labels: {a: \"x\n  y\"}}\n---\n"
      "kind: Pod\napiVersion: v1\nmetadata:\n- no: mapping\n";
  std::string other;
  for (char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
  Outcome lines = ReadFrom(text);
  Outcome returns = ReadFrom(other);
  EXPECT_THAT(lines.objects, Contains("f:2:1 ConfigMap/a"));
  EXPECT_THAT(lines.objects, Contains("f:18:1 Pod/b"));
  EXPECT_EQ(returns.objects, lines.objects);
  EXPECT_EQ(returns.json, lines.json);
  EXPECT_EQ(returns.problems, lines.problems);
}

TEST(Yaml, FaultComesWithItsLineAndACaret) {
  Outcome got = ReadFrom("a: 1\n---\nspec:\n\tx: 1\n");
  EXPECT_THAT(got.excerpts, Contains(HasSubstr("\n^")).Times(1));
}

TEST(Yaml, ASingleDocumentHasNoNumber) {
  EXPECT_THAT(ReadFrom("a: [\n").problems, ElementsAre(HasSubstr("E f:2:1: a value is missing")));
}

TEST(Yaml, BinaryDataEndsTheFile) {
  std::string text = "apiVersion: v1\nkind: Pod\n---\na: \x01\n---\nb: \x01\n";
  Outcome got = ReadFrom(text);
  EXPECT_THAT(got.objects, SizeIs(1));
  EXPECT_THAT(got.problems,
              ElementsAre(AllOf(HasSubstr("E f:4:4: "), HasSubstr("control character"))));
}

TEST(Yaml, GarbageIsRefusedBeforeAllOfItIsRead) {
  std::string garbage;
  std::uint32_t state = 12345;
  while (garbage.size() < (4u << 20)) {
    state = state * 1664525 + 1013904223;
    garbage += static_cast<char>(state >> 24);
  }
  for (const std::string& text :
       {garbage, std::string(4 << 20, '['), "\"" + std::string(4 << 20, 'a'),
        std::string(4 << 20, '\0'), "{\"a\":\"" + std::string(4 << 20, 'a')}) {
    Outcome got = ReadFrom(text, {.window_bytes = 1 << 16, .max_object_bytes = 1 << 20});
    EXPECT_THAT(got.problems, SizeIs(1));
    EXPECT_LT(got.problems[0].size() + got.excerpts[0].size(), 1000u);
    EXPECT_LE(got.summary.bytes, std::uint64_t{2} << 20);
  }
}

TEST(Yaml, Utf16IsNamed) {
  EXPECT_THAT(ReadFrom("\xFF\xFE"
                       "a")
                  .problems,
              ElementsAre(HasSubstr("E f: the file is UTF-16")));
}

TEST(Places, AreGivenForDefinitionsOnly) {
  const std::string kKarta = "apiVersion: run.ai/v1alpha1\nkind: Karta\nspec: {x: 1}\n";
  struct Case {
    std::string text;
    json::LineColumn x;
  };
  const Case kCases[] = {
      {"a: 1\n---\n" + kKarta, {5, 11}},
      {"kind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n- apiVersion: run.ai/v1alpha1\n"
       "  kind: Karta\n  spec:\n    x: 1\n",
       {8, 8}},
      {"{\"kind\":\"List\",\"items\":[\n" + Pod("a") +
           ",\n {\"apiVersion\":\"run.ai/v1alpha1\",\"kind\":\"Karta\",\n\"spec\":{\"x\":1}}]}",
       {4, 13}},
  };
  for (const Case& c : kCases) {
    for (std::size_t window : {16, 100000}) {
      int with_places = 0;
      auto objects = [&](const Object& object) {
        bool is_definition = object.value.Get("kind").text_or_empty() == "Karta";
        ASSERT_EQ(object.places != nullptr, is_definition);
        if (!is_definition) return;
        ++with_places;
        ASSERT_NE(object.places->Find("/spec/x"), nullptr);
        EXPECT_EQ(object.places->Find("/spec/x")->value, c.x) << c.text;
      };
      ReadText(c.text, "f", {.window_bytes = window}, objects, [](const Problem&) {});
      EXPECT_EQ(with_places, 1) << c.text;
    }
  }
}

TEST(Problems, AreCappedPerFile) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "7\n";
  Outcome got = ReadFrom("{\"kind\":\"List\",\"items\":[7" + [] {
    std::string more;
    for (int i = 1; i < 100; ++i) more += ",7";
    return more;
  }() + "]}");
  EXPECT_THAT(got.problems, SizeIs(11));
  EXPECT_EQ(got.problems.back(), "W f: and 90 more problems");
  EXPECT_EQ(got.summary.warnings, 100u);
}

TEST(Files, AreReadInTheOrderOfTheirNames) {
  testing::MemoryFileSystem files;
  for (const char* name :
       {"d/b.yaml", "d/a/z.yml", "d/a/x.json", "d/c.txt", "d/d.yaml.gz", "d/.yaml"}) {
    std::string text = Pod(name);
    files.Add(name, std::string_view(name).ends_with(".gz") ? Gzip(text) : text);
  }
  Outcome got = ReadFrom(files, {"d"});
  EXPECT_THAT(got.objects,
              ElementsAre("d/a/x.json:1:1 Pod/d/a/x.json", "d/a/z.yml:1:1 Pod/d/a/z.yml",
                          "d/b.yaml:1:1 Pod/d/b.yaml", "d/d.yaml.gz:1:1 Pod/d/d.yaml.gz"));
  EXPECT_EQ(got.summary.files, 4u);
}

TEST(Files, CasesOfDefinitionsAreNoObjectsOfAFolder) {
  testing::MemoryFileSystem files;
  files.Add("d/a.yaml", Pod("a"));
  files.Add("d/a.cases.yaml", "cases: []\n");
  Outcome got = ReadFrom(files, {"d"});
  EXPECT_THAT(got.objects, ElementsAre("d/a.yaml:1:1 Pod/a"));
  EXPECT_THAT(got.problems, IsEmpty());
  EXPECT_THAT(ReadFrom(files, {"d/a.cases.yaml"}).problems, SizeIs(1));
}

TEST(Files, NamedOnesMayHaveAnyName) {
  testing::MemoryFileSystem files;
  files.Add("x.txt", Pod("a"));
  files.SetStandardInput(Pod("b"));
  EXPECT_THAT(ReadFrom(files, {"x.txt", "-"}).objects,
              ElementsAre("x.txt:1:1 Pod/a", "<stdin>:1:1 Pod/b"));
}

TEST(Files, LoopsAreReportedAndNotFollowed) {
  testing::MemoryFileSystem files;
  files.Add("d/a.yaml", Pod("a"));
  files.Add("d/e/b.yaml", Pod("b"));
  files.Link("d/e/up", "d");
  files.Link("d/twice", "d/e");
  files.Link("d/again.yaml", "d/a.yaml");
  files.Link("d/self.yaml", "d/self.yaml");
  files.Link("d/gone", "nowhere");
  Outcome got = ReadFrom(files, {"d"});
  EXPECT_THAT(got.objects, ElementsAre("d/a.yaml:1:1 Pod/a", "d/e/b.yaml:1:1 Pod/b"));
  EXPECT_THAT(got.problems, ElementsAre("E d/e/up: a link back to the folder d, which is above it; "
                                        "not followed",
                                        "E d/self.yaml: cannot open: No such file or directory"));
}

TEST(Files, UnreadableOnesDoNotHideTheOthers) {
  testing::MemoryFileSystem files;
  files.Add("d/a.yaml", Pod("a"));
  files.Add("d/b.yaml", Pod("b"));
  files.Add("d/e/c.yaml", Pod("c"));
  files.Add("d/f.yaml", Pod("f") + Pod("g"));
  files.MakeUnreadable("d/a.yaml");
  files.MakeUnreadable("d/e");
  files.BreakAfter("d/f.yaml", Pod("f").size() + 10);
  Outcome got = ReadFrom(files, {"nope", "d"});
  EXPECT_THAT(got.objects, ElementsAre("d/b.yaml:1:1 Pod/b", "d/f.yaml:1:1 Pod/f"));
  EXPECT_THAT(got.problems, ElementsAre("E nope: cannot open: No such file or directory",
                                        "E d/a.yaml: cannot open: Permission denied",
                                        "E d/e: cannot open the folder: Permission denied",
                                        "E d/f.yaml: cannot read: Input/output error"));
  EXPECT_EQ(got.summary.errors, 4u);
}

TEST(Files, FolderWithoutFilesIsAWarning) {
  testing::MemoryFileSystem files;
  files.Add("d/readme.txt", "x");
  EXPECT_THAT(ReadFrom(files, {"d"}).problems,
              ElementsAre("W d: no file named *.yaml, *.yml or *.json in it"));
}

TEST(Gzip, IsUnpackedWhateverItsName) {
  testing::MemoryFileSystem files;
  files.Add("x", Gzip(Pod("a")) + Gzip("\n" + Pod("b")));
  files.LimitReads(5);
  EXPECT_THAT(ReadFrom(files, {"x"}).objects, ElementsAre("x:1:1 Pod/a", "x:2:1 Pod/b"));
}

TEST(Gzip, DamageIsReported) {
  std::string packed = Gzip(Pod("a") + std::string(100, ' ') + Pod("b"));
  std::string broken = packed;
  broken[packed.size() / 2] = static_cast<char>(broken[packed.size() / 2] ^ 0x55);
  EXPECT_THAT(ReadFrom(packed.substr(0, packed.size() - 9)).problems,
              ElementsAre(HasSubstr("E f: the gzip data ends too early")));
  EXPECT_THAT(ReadFrom(broken).problems, Contains(HasSubstr("E f")));
  EXPECT_THAT(ReadFrom(packed + "junk").problems, ElementsAre(HasSubstr("gzip data is damaged")));
}

TEST(Gzip, BombsAreRefused) {
  std::string bomb = Gzip(std::string(8 << 20, ' '));
  Outcome got = ReadFrom(bomb, {.window_bytes = 1 << 16, .max_unpacked_bytes = 1 << 20});
  EXPECT_THAT(got.problems, ElementsAre(HasSubstr("unpacks to more than")));
  EXPECT_LT(got.summary.bytes, std::uint64_t{3} << 20);
}

TEST(Recordings, AreReadCompletely) {
  WMAP_REQUIRE_SHARED();
  Outcome got = ReadFrom(SystemFileSystem(), {testing::SharedDir() + "/data/lifecycles"});
  std::vector<std::string> errors;
  for (const std::string& problem : got.problems) {
    if (problem.starts_with("E ")) errors.push_back(problem);
  }
  EXPECT_THAT(errors, IsEmpty());
  EXPECT_GT(got.summary.objects, 2000u);
}

TEST(SystemFiles, SayWhyTheyCannotBeRead) {
  Outcome got = ReadFrom(SystemFileSystem(), {"/nonexistent/x.yaml"});
  EXPECT_THAT(got.problems,
              ElementsAre("E /nonexistent/x.yaml: cannot open: No such file or directory"));
}

}  // namespace
}  // namespace wmap::input
