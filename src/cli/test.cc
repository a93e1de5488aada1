// `wmap test`: runs the cases that stand beside definitions, or records new ones.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/case_runner.h"
#include "cli/commands.h"
#include "cli/session.h"
#include "cli/table.h"
#include "definition/load.h"
#include "input/input.h"
#include "input/read_text.h"
#include "inspect/case_file.h"
#include "inspect/reading.h"
#include "inspect/report_json.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

using inspect::Case;
using inspect::Difference;
using json::Value;

bool IsCaseFile(std::string_view name) { return name.ends_with(inspect::kCaseFileEnding); }

bool MayHoldDefinitions(std::string_view name) {
  return !IsCaseFile(name) &&
         (name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json"));
}

// What a column of a table can hold of a value.
std::string Start(std::string_view text) {
  constexpr std::size_t kMost = 72;
  std::string safe = Safe(text);
  if (safe.size() <= kMost) return safe;
  return Cat(StartOf(safe, kMost), "...");
}

struct Outcome {
  std::string file;
  std::uint32_t line = 0;
  std::string name;
  std::vector<Difference> differences;
  std::string error = {};  // why it could not be tried

  bool passed() const { return differences.empty() && error.empty(); }
};

struct Heard : Output {
  void Write(std::string_view more) override { text += more; }
  std::string text;
};

class Tester {
 public:
  Tester(const TestOptions& options, const Context& context)
      : options_(options), context_(context) {}

  int Run() {
    for (const std::string& name : options_.files) TestNamed(name);
    if (outcomes_.empty() && exit_code_ == kOk) {
      Complain(empty_.empty() ? Cat("there are no cases (*", inspect::kCaseFileEnding, ") in ",
                                    Join(options_.files, ", "))
                              : Cat("the list of cases is empty in ", Join(empty_, ", ")));
    }
    Print();
    return exit_code_ != kOk ? exit_code_ : Failed() > 0 ? kFailed : kOk;
  }

 private:
  void Complain(std::string_view what) {
    context_.err->Write(Cat("error: ", Safe(what), '\n'));
    exit_code_ = kUsage;
  }

  void TestNamed(const std::string& name) {
    Result<FileInfo> info = context_.files->Stat(name);
    if (!info) return Complain(Cat(name, ": ", info.error().message()));
    if (info->type != FileInfo::Type::kDirectory) return TestFile(name);
    TestFolder(name);
  }

  void TestFolder(const std::string& folder) {
    Result<FileInfo> info = context_.files->Stat(folder);
    // Links may lead in circles.
    if (!info || std::ranges::find(walked_, *info) != walked_.end()) return;
    walked_.push_back(*info);
    for (const std::string& path : PathsIn(folder)) {
      Result<FileInfo> found = context_.files->Stat(path);
      if (found && found->type == FileInfo::Type::kDirectory) {
        TestFolder(path);
      } else if (IsCaseFile(path)) {
        TestFile(path);
      }
    }
  }

  // What stands in a folder, in the order of names.
  std::vector<std::string> PathsIn(const std::string& folder) {
    Result<std::vector<std::string>> names = context_.files->List(folder.empty() ? "." : folder);
    if (!names) {
      Complain(Cat(folder, ": ", names.error().message()));
      return {};
    }
    std::ranges::sort(*names);
    for (std::string& name : *names) {
      name = Cat(folder, folder.empty() || folder.ends_with('/') ? "" : "/", name);
    }
    return *std::move(names);
  }

  void TestFile(const std::string& file) {
    Result<std::string> text = input::ReadText(*context_.files, file);
    if (!text) return Complain(Cat(file, ": ", text.error().message()));
    Arena arena;
    Result<std::vector<Case>> cases = inspect::ReadCases(*text, arena);
    if (!cases) return Complain(Cat(file, ": ", cases.error().Describe()));
    if (cases->empty()) empty_.push_back(file);
    const definition::Registry* registry = RegistryFor(FolderOf(file));
    for (const Case& one : *cases) {
      if (registry != nullptr) {
        TestCase(file, one, *registry);
      } else {
        outcomes_.push_back({file, one.line, one.name, {}, "the definitions have errors"});
      }
    }
  }

  // The definitions that stand in the folder of a case file, and those of --definitions. Null when
  // they have errors, which are told once.
  const definition::Registry* RegistryFor(const std::string& folder) {
    // A folder has several names.
    Result<FileInfo> place = context_.files->Stat(folder.empty() ? "." : folder);
    auto [at, is_new] =
        registries_.try_emplace(place ? Cat(place->device, ' ', place->inode) : folder);
    if (!is_new) return at->second.get();
    InputOptions input;
    input.definitions = options_.definitions;
    input.lenient = options_.lenient;
    std::vector<std::string> beside;
    for (const std::string& path : PathsIn(folder)) {
      Result<FileInfo> info = context_.files->Stat(path);
      if (info && info->type == FileInfo::Type::kFile && MayHoldDefinitions(path)) {
        beside.push_back(path);
      }
    }
    auto registry = std::make_unique<definition::Registry>();
    // What is wrong with --definitions is so for each folder, and told once.
    Heard heard;
    Context listening = context_;
    listening.err = &heard;
    int code = AddDefinitions(input, listening, *registry, beside);
    if (told_.insert(heard.text).second) context_.err->Write(heard.text);
    if (code != kOk) {
      exit_code_ = code;
      return nullptr;
    }
    at->second = std::move(registry);
    return at->second.get();
  }

  void TestCase(const std::string& file, const Case& one, const definition::Registry& registry) {
    Outcome outcome{file, one.line, one.name, {}};
    CaseRunner runner(registry, context_);
    std::vector<std::string> unread = runner.AddCase(one, file);
    for (std::string& problem : unread) {
      outcome.differences.push_back(
          {"files", "a file that can be read", "an error", {std::move(problem)}});
      exit_code_ = kUsage;
    }
    // What is read of the rest then says nothing of the definition.
    if (unread.empty()) Judge(one, runner, outcome);
    outcomes_.push_back(std::move(outcome));
  }

  static void Judge(const Case& one, CaseRunner& runner, Outcome& outcome) {
    Arena arena;
    Value reading = runner.Reading(arena);
    if (one.expect.is_null()) {
      outcome.differences.push_back(
          {"expect", "nothing yet", "`wmap test --record -f FILE` prints what it can be"});
    } else {
      outcome.differences = inspect::Compare(one.expect, reading, runner.report());
      std::string absence = runner.Absence();
      for (Difference& difference : outcome.differences) {
        if (!absence.empty() && (difference.path.empty() || difference.path == "workload"))
          difference.got = Cat("no workload: ", absence);
      }
    }
  }

  void Print() const {
    switch (options_.format) {
      case TestOptions::Format::kTable:
        return PrintTable();
      case TestOptions::Format::kJson:
        return PrintJson();
      case TestOptions::Format::kJunit:
        return PrintJunit();
    }
  }

  std::size_t Failed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(outcomes_, [](const Outcome& o) { return !o.passed(); }));
  }

  // Calls `each` with the outcomes of one file, which stand together, and how many failed.
  template <typename F>
  void ForEachFile(F each) const {
    for (std::size_t i = 0; i < outcomes_.size();) {
      std::size_t end = i;
      std::size_t failed = 0;
      while (end < outcomes_.size() && outcomes_[end].file == outcomes_[i].file) {
        failed += outcomes_[end++].passed() ? 0 : 1;
      }
      each(std::span(outcomes_).subspan(i, end - i), failed);
      i = end;
    }
  }

  void PrintTable() const {
    if (outcomes_.empty()) return;
    Table files({"FILE", "PASSED", "FAILED"});
    Table cases({"FILE", "CASE", "RESULT"});
    ForEachFile([&](std::span<const Outcome> outcomes, std::size_t failed) {
      files.Add({{Safe(outcomes[0].file)},
                 {Cat(outcomes.size() - failed)},
                 {failed == 0 ? "-" : Cat(failed), failed == 0 ? Colour::kNone : Colour::kRed}});
      for (const Outcome& outcome : outcomes) {
        bool passed = outcome.passed();
        cases.Add({{Safe(outcome.file)},
                   {Safe(outcome.name)},
                   {passed                  ? "passed"
                    : outcome.error.empty() ? "failed"
                                            : "not tried",
                    passed ? Colour::kGreen : Colour::kRed}});
      }
    });
    context_.out->Write((options_.verbose ? cases : files).Render(context_.colour));
    for (const Outcome& outcome : outcomes_) {
      if (!outcome.differences.empty()) PrintFailed(outcome);
    }
    context_.out->Write(Cat('\n', outcomes_.size() - Failed(), " passed, ", Failed(), " failed\n"));
  }

  void PrintFailed(const Outcome& outcome) const {
    context_.out->Write(
        Cat('\n', Safe(outcome.file), ':', outcome.line, ": ", Safe(outcome.name), '\n'));
    Table differences({"FIELD", "EXPECTED", "GOT"});
    std::string notes;
    for (const Difference& difference : outcome.differences) {
      differences.Add({{difference.path.empty() ? "(all)" : Safe(difference.path)},
                       {Start(difference.expected)},
                       {Start(difference.got)}});
      for (const std::string& note : difference.notes) CatTo(notes, "  ", Safe(note), '\n');
    }
    context_.out->Write(Cat(differences.Render(context_.colour, 2), notes));
  }

  void PrintJson() const {
    Arena arena;
    std::vector<Value> items;
    for (const Outcome& outcome : outcomes_) {
      std::vector<Value> differences;
      for (const Difference& difference : outcome.differences) {
        json::ObjectBuilder entry;
        entry.Add("path", Value::String(difference.path));
        entry.Add("expected", Value::String(difference.expected));
        entry.Add("got", Value::String(difference.got));
        if (!difference.notes.empty()) {
          std::vector<Value> notes;
          for (const std::string& note : difference.notes) notes.push_back(Value::String(note));
          entry.Add("notes", json::MakeArray(arena, notes));
        }
        differences.push_back(entry.Finish(arena));
      }
      json::ObjectBuilder item;
      item.Add("file", Value::String(outcome.file));
      item.Add("line", Value::Int(outcome.line));
      item.Add("name", Value::String(outcome.name));
      item.Add("passed", Value::Bool(outcome.passed()));
      if (!outcome.error.empty()) item.Add("error", Value::String(outcome.error));
      item.Add("differences", json::MakeArray(arena, differences));
      items.push_back(item.Finish(arena));
    }
    json::ObjectBuilder report;
    report.Add("apiVersion", Value::String(inspect::kApiVersion));
    report.Add("kind", Value::String("TestReport"));
    report.Add("passed", Value::Int(static_cast<std::int64_t>(outcomes_.size() - Failed())));
    report.Add("failed", Value::Int(static_cast<std::int64_t>(Failed())));
    report.Add("cases", json::MakeArray(arena, items));
    context_.out->Write(Cat(json::ToJson(report.Finish(arena), {.indent = 4}), '\n'));
  }

  static std::string Xml(std::string_view text) {
    std::string escaped;
    for (char c : Safe(text)) {
      switch (c) {
        case '&':
          escaped += "&amp;";
          break;
        case '<':
          escaped += "&lt;";
          break;
        case '>':
          escaped += "&gt;";
          break;
        case '"':
          escaped += "&quot;";
          break;
        default:
          escaped += c;
      }
    }
    return escaped;
  }

  void PrintJunit() const {
    std::string text = Cat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites",
                           JunitCounts(outcomes_), ">\n");
    ForEachFile([&](std::span<const Outcome> outcomes, std::size_t /*failed*/) {
      CatTo(text, "  <testsuite name=\"", Xml(outcomes[0].file), '"', JunitCounts(outcomes), ">\n");
      for (const Outcome& outcome : outcomes) CatTo(text, JunitCase(outcome));
      CatTo(text, "  </testsuite>\n");
    });
    context_.out->Write(Cat(text, "</testsuites>\n"));
  }

  // A case that was not tried is an error there, not a failure.
  static std::string JunitCounts(std::span<const Outcome> outcomes) {
    auto failures = std::ranges::count_if(
        outcomes, [](const Outcome& o) { return o.error.empty() && !o.passed(); });
    auto errors =
        std::ranges::count_if(outcomes, [](const Outcome& o) { return !o.error.empty(); });
    return Cat(" tests=\"", outcomes.size(), "\" failures=\"", failures, "\" errors=\"", errors,
               '"');
  }

  static std::string JunitCase(const Outcome& outcome) {
    std::string text =
        Cat("    <testcase classname=\"", Xml(outcome.file), "\" name=\"", Xml(outcome.name),
            "\" file=\"", Xml(outcome.file), "\" line=\"", outcome.line, '"');
    if (outcome.passed()) return Cat(text, "/>\n");
    if (!outcome.error.empty()) {
      return Cat(text, ">\n      <error message=\"", Xml(outcome.error), "\"/>\n    </testcase>\n");
    }
    CatTo(text, ">\n      <failure message=\"", outcome.differences.size(),
          outcome.differences.size() == 1 ? " difference" : " differences", "\">");
    for (const Difference& difference : outcome.differences) {
      CatTo(text, Xml(difference.path), ": expected ", Xml(difference.expected), ", got ",
            Xml(difference.got), '\n');
      for (const std::string& note : difference.notes) CatTo(text, Xml(note), '\n');
    }
    return Cat(text, "</failure>\n    </testcase>\n");
  }

  const TestOptions& options_;
  const Context& context_;
  int exit_code_ = kOk;
  std::vector<FileInfo> walked_;
  std::map<std::string, std::unique_ptr<definition::Registry>> registries_;
  std::vector<Outcome> outcomes_;
  std::vector<std::string> empty_;  // case files without a case
  std::set<std::string> told_;      // of definitions
};

// What to do when nothing is read of the objects to record.
std::string_view Remedy(const inspect::Report& report) {
  if (!report.uncovered.empty()) {
    return "hint: give the definition of the kind behind --record: wmap test --record "
           "definition.yaml -f object.yaml\n";
  }
  return "hint: record a Kubernetes object (with apiVersion, kind and metadata) of a kind that "
         "`wmap definitions` lists\n";
}

// Prints a case file with one case of what -f holds.
int Record(const TestOptions& options, const Context& context) {
  if (options.inputs.empty()) {
    context.err->Write("error: there is nothing to record: give files, folders or - with -f\n");
    return kUsage;
  }
  definition::Registry registry;
  InputOptions definitions;
  definitions.definitions = options.definitions;
  definitions.definitions.insert(definitions.definitions.end(), options.files.begin(),
                                 options.files.end());
  definitions.lenient = options.lenient;
  if (!definitions.definitions.empty()) {
    if (int code = AddDefinitions(definitions, context, registry); code != kOk) return code;
  }
  Arena arena;
  std::vector<Case> cases(1);
  Case& one = cases.front();
  CaseRunner runner(registry, context);
  std::vector<std::string> unread = runner.AddFiles(options.inputs, [&](const Value& object) {
    one.objects.push_back(json::DeepCopy(arena, object));
  });
  for (const std::string& problem : unread) {
    context.err->Write(Cat("error: ", Safe(problem), '\n'));
  }
  if (one.objects.empty()) {
    context.err->Write(
        Cat("error: there is no object in ", Safe(Join(options.inputs, ", ")), " to record\n"));
    return kUsage;
  }
  one.expect = inspect::ExpectationOf(runner.Reading(arena));
  if (one.expect.is_null()) {
    context.err->Write(Cat("error: nothing is read of what ", Safe(Join(options.inputs, ", ")),
                           " holds, so there is nothing to expect: ", Safe(runner.Absence()), "\n",
                           Remedy(runner.report())));
    return kUsage;
  }
  one.name = options.name.empty() ? "recorded" : options.name;
  context.out->Write(inspect::WriteCases(cases));
  return unread.empty() ? kOk : kUsage;
}

}  // namespace

int RunTest(const TestOptions& options, const Context& context) {
  if (options.record) return Record(options, context);
  if (!options.inputs.empty()) {
    context.err->Write("error: -f is for --record; cases say themselves what they read\n");
    return kUsage;
  }
  if (options.files.empty()) {
    context.err->Write("error: which cases? Give folders or files\n");
    return kUsage;
  }
  return Tester(options, context).Run();
}

}  // namespace wmap::cli
