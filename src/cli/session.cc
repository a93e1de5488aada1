#include "cli/session.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "input/input.h"
#include "input/read_text.h"

namespace wmap::cli {
namespace {

// The text of a file that was read, for the lines, carets and exact columns of findings; "" where
// it cannot be read twice.
std::string TextOf(const std::string& file, const Context& context) {
  Result<FileInfo> info = context.files->Stat(file);
  if (!info || info->type != FileInfo::Type::kFile) return {};
  std::string text = input::ReadText(*context.files, file).value_or("");
  return IsUtf8(text) ? text : std::string();
}

// Where something was read, as one text however its file was named.
std::string PlaceOf(const input::Source& source, const Context& context) {
  Result<FileInfo> info = context.files->Stat(std::string(source.file));
  if (!info || info->type != FileInfo::Type::kFile) return source.Describe();
  return Cat(info->device, ' ', info->inode, ' ', source.place.line, ' ', source.place.column, ' ',
             source.item);
}

// Loads and registers the definition that `object` is, or tells why not. False when it was not
// taken.
bool Register(const input::Object& object, definition::Mode mode, const Context& context,
              definition::Registry& registry) {
  definition::LoadOptions options;
  options.mode = mode;
  options.source = std::string(object.source.file);
  options.places = object.places;
  definition::Loaded loaded = definition::Load(object.value, options);
  if (!loaded.findings.empty()) {
    std::string text = TextOf(options.source, context);
    options.text = text;
    loaded = definition::Load(object.value, options);
    context.err->Write(definition::Render(loaded.findings, text));
  }
  if (loaded.karta == nullptr || !loaded.karta->is_valid) {
    context.err->Write(
        Cat("the definition",
            loaded.karta == nullptr ? std::string() : Cat(" ", Quote(loaded.karta->name)),
            " has errors and is not used\n"));
    return false;
  }
  if (Result<void> added = registry.Add(std::move(loaded.karta)); !added) {
    context.err->Write(Cat("error: ", Safe(added.error().Describe()), '\n'));
    return false;
  }
  return true;
}

// Takes definitions, and each of them once: a file may be given with --definitions and stand among
// the objects as well.
class DefinitionTaker {
 public:
  DefinitionTaker(const Context& context, definition::Registry& registry)
      : context_(context), registry_(registry) {}

  // False when it has errors, which are told.
  bool Take(const input::Object& object, definition::Mode mode) {
    if (!places_.insert(PlaceOf(object.source, context_)).second) return true;
    return Register(object, mode, context_, registry_);
  }

 private:
  const Context& context_;
  definition::Registry& registry_;
  std::set<std::string> places_;
};

void TellProblem(const input::Problem& problem, const Context& context) {
  bool is_error = problem.severity == input::Problem::Severity::kError;
  context.err->Write(
      Cat(is_error ? "error: " : "warning: ", Safe(problem.Describe()), '\n', problem.excerpt));
}

// Whether an object is in another namespace than the one that is asked about. Pods are looked at
// all the same: that there are any decides how the counts of all workloads are read.
bool IsElsewhere(const json::Value& object, std::string_view name_space) {
  if (name_space.empty()) return false;
  std::string_view own = object.Get("metadata").Get("namespace").text_or_empty();
  if (own.empty() || own == name_space) return false;
  return object.Get("kind").text_or_empty() != "Pod" ||
         object.Get("apiVersion").text_or_empty() != "v1";
}

definition::Mode ModeOf(bool lenient) {
  return lenient ? definition::Mode::kLenient : definition::Mode::kStrict;
}

int TakeDefinitions(const InputOptions& options, const Context& context, DefinitionTaker& taker) {
  int exit_code = kOk;
  input::Options reading;
  reading.places = input::Options::Places::kAll;
  std::size_t found = 0;
  input::Read(
      options.definitions, *context.files, reading,
      [&](const input::Object& object) {
        if (!definition::IsKarta(object.value)) {
          context.err->Write(Cat("warning: ", Safe(object.source.Describe()), ": kind ",
                                 Quote(object.value.Get("kind").text_or_empty()),
                                 " is no definition (kind Karta); it is skipped\n"));
          return;
        }
        ++found;
        if (!taker.Take(object, ModeOf(options.lenient))) exit_code = kUsage;
      },
      [&](const input::Problem& problem) {
        TellProblem(problem, context);
        if (problem.severity == input::Problem::Severity::kError) exit_code = kUsage;
      });
  if (!options.definitions.empty() && found == 0 && exit_code == kOk) {
    context.err->Write(
        Cat("error: no definition (kind Karta) in ", Safe(Join(options.definitions, ", ")), '\n'));
    exit_code = kUsage;
  }
  return exit_code;
}

// Of files that nobody named as definitions, what is none is left aside in silence.
int TakeDefinitionsAmongOthers(const std::vector<std::string>& files, bool lenient,
                               const Context& context, DefinitionTaker& taker) {
  int exit_code = kOk;
  if (files.empty()) return exit_code;
  input::Read(
      files, *context.files, input::Options(),
      [&](const input::Object& object) {
        if (!definition::IsKarta(object.value)) return;
        if (!taker.Take(object, ModeOf(lenient))) exit_code = kUsage;
      },
      [&](const input::Problem& problem) {
        if (problem.severity != input::Problem::Severity::kError) return;
        TellProblem(problem, context);
        exit_code = kUsage;
      });
  return exit_code;
}

}  // namespace

int AddDefinitions(const InputOptions& options, const Context& context,
                   definition::Registry& registry, const std::vector<std::string>& beside) {
  DefinitionTaker taker(context, registry);
  int exit_code = TakeDefinitions(options, context, taker);
  return std::max(exit_code, TakeDefinitionsAmongOthers(beside, options.lenient, context, taker));
}

std::optional<workload::AcceleratorTable> AcceleratorsOf(const InputOptions& options,
                                                         const Context& context) {
  workload::AcceleratorTable accelerators;
  for (const std::string& row : options.accelerators) {
    if (Result<void> added = accelerators.Add(row); !added) {
      context.err->Write(Cat("error: ", Safe(added.error().message()), '\n'));
      return std::nullopt;
    }
  }
  return accelerators;
}

void Prepare(inspect::Snapshot& snapshot, Detail detail) {
  if (detail == Detail::kReasons) snapshot.WantGroups();
  if (detail == Detail::kReasons || detail == Detail::kAudit) snapshot.WantSources();
}

std::optional<Session> ReadFiles(const InputOptions& options, std::string_view name_space,
                                 Detail detail, const Context& context) {
  Session session;
  std::optional<workload::AcceleratorTable> accelerators = AcceleratorsOf(options, context);
  if (!accelerators) return std::nullopt;
  DefinitionTaker taker(context, session.registry);
  session.exit_code = TakeDefinitions(options, context, taker);
  inspect::Snapshot snapshot(session.registry, *accelerators);
  Prepare(snapshot, detail);
  std::vector<workload::Diagnostic> told;
  bool is_complete = true;
  {
    Progress progress(context);
    input::Read(
        options.files, *context.files, input::Options(),
        [&](const input::Object& object) {
          progress.Tick();
          if (definition::IsKarta(object.value)) {
            if (!taker.Take(object, definition::Mode::kLenient)) session.exit_code = kUsage;
            return;
          }
          if (IsElsewhere(object.value, name_space)) return;
          snapshot.Add(object.value, object.source);
        },
        [&](const input::Problem& problem) {
          TellProblem(problem, context);
          bool is_error = problem.severity == input::Problem::Severity::kError;
          if (is_error) {
            session.exit_code = kUsage;
            is_complete = false;
          }
          told.push_back({is_error ? workload::Severity::kError : workload::Severity::kWarning,
                          is_error ? "unreadable" : "not-an-object", problem.error.Describe(),
                          problem.source.Describe()});
        });
  }
  session.report = snapshot.Build();
  session.report.complete &= is_complete;
  session.told = told.size();
  auto& diagnostics = session.report.diagnostics;
  diagnostics.insert(diagnostics.begin(), std::make_move_iterator(told.begin()),
                     std::make_move_iterator(told.end()));
  return session;
}

}  // namespace wmap::cli
