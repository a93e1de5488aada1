// `wmap draft`: a first definition for a kind that has none.
#include "schema/draft.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "cli/case_runner.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/definition_files.h"
#include "cli/table.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/case_file.h"
#include "inspect/reading.h"
#include "schema/crd.h"
#include "schema/draft_samples.h"
#include "schema/releases.h"

namespace wmap::cli {
namespace {

using definition::GroupVersionKind;
using json::Value;

// What a version is worth, as the API server orders them: v2, v1, v1beta2, v1beta1, v1alpha1.
std::tuple<int, int, int> RankOf(std::string_view version) {
  auto number = [&]() {
    int value = 0;
    auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), value);
    if (error != std::errc()) return -1;
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    return value;
  };
  if (!version.starts_with('v')) return {-1, 0, 0};
  version.remove_prefix(1);
  int major = number();
  if (major < 0) return {-1, 0, 0};
  if (version.empty()) return {2, major, 0};
  for (auto [word, stage] : {std::pair<std::string_view, int>{"beta", 1}, {"alpha", 0}}) {
    if (!version.starts_with(word)) continue;
    version.remove_prefix(word.size());
    return {stage, major, number()};
  }
  return {-1, 0, 0};
}

// A kind that can be drafted, in all its versions.
struct Candidate {
  std::string group;
  std::string kind;
  std::string plural;
  std::vector<std::string> versions;
  bool has_crd = false;

  std::string Name() const { return Cat(kind, '.', group); }
};

class Drafting {
 public:
  Drafting(const DraftOptions& options, const Context& context)
      : options_(options), context_(context), releases_(built_ins_) {}

  int Run() {
    if (options_.crds.empty() && options_.samples.empty()) {
      context_.err->Write(
          "error: of what? Give the kind's custom resource definition by --crd, objects of it by "
          "--sample, or both\n");
      return kUsage;
    }
    ReadCrds();
    ReadSamples();
    if (exit_code_ != kOk) return exit_code_;
    std::optional<GroupVersionKind> kind = Choose();
    if (!kind) return exit_code_;
    return MakeOne(*kind);
  }

 private:
  void Fail(std::string_view message, int code) {
    context_.err->Write(Cat("error: ", Safe(message), '\n'));
    exit_code_ = std::max(exit_code_, code);
  }

  // --- Reading.

  void Read(const std::vector<std::string>& names, FunctionRef<void(const input::Object&)> take) {
    input::Options options;
    options.places = input::Options::Places::kNone;
    input::Read(names, *context_.files, options, take, [&](const input::Problem& problem) {
      if (problem.severity == input::Problem::Severity::kWarning) return;
      Complain(context_, problem.source.Describe(), problem.error.Describe());
      exit_code_ = std::max<int>(exit_code_, kUsage);
    });
  }

  void ReadCrds() {
    Read(options_.crds, [&](const input::Object& object) {
      releases_.Add(object.value, object.source.file);
      for (const schema::CrdVersion& version : schema::VersionsOf(object.value)) {
        Candidate& candidate = CandidateOf(version.kind.group, version.kind.kind);
        candidate.plural = version.plural;
        candidate.has_crd = true;
        if (version.is_served) AddVersion(version.kind.version, candidate);
      }
    });
    if (!options_.crds.empty() && candidates_.empty() && exit_code_ == kOk) {
      Fail(Cat(Join(options_.crds, ", "), ": there is no CustomResourceDefinition in it"), kFailed);
    }
  }

  void ReadSamples() {
    Read(options_.samples, [&](const input::Object& object) {
      samples_.push_back(json::DeepCopy(arena_, object.value));
    });
    if (!options_.crds.empty()) return;
    // Without a schema: kinds that are not of Kubernetes, and that nothing else owns.
    for (const Value& sample : samples_) {
      std::string_view api_version = sample.Get("apiVersion").text_or_empty();
      std::string_view kind = sample.Get("kind").text_or_empty();
      std::size_t slash = api_version.find('/');
      if (slash == std::string_view::npos || schema::IsCrd(sample)) continue;
      std::string_view group = api_version.substr(0, slash);
      bool is_built_in = std::ranges::any_of(built_ins_.Kinds(), [&](const GroupVersionKind& one) {
        return one.group == group && one.kind == kind;
      });
      bool is_owned = sample.Get("metadata").Get("ownerReferences").is_array();
      if (is_built_in || (is_owned && options_.kind.empty())) continue;
      AddVersion(api_version.substr(slash + 1), CandidateOf(group, kind));
    }
    if (candidates_.empty() && exit_code_ == kOk) {
      Fail(Cat(Join(options_.samples, ", "),
               ": there is no object of a kind that is not of Kubernetes itself"),
           kFailed);
    }
  }

  Candidate& CandidateOf(std::string_view group, std::string_view kind) {
    for (Candidate& candidate : candidates_) {
      if (candidate.group == group && candidate.kind == kind) return candidate;
    }
    Candidate& added = candidates_.emplace_back();
    added.group = group;
    added.kind = kind;
    return added;
  }

  static void AddVersion(std::string_view version, Candidate& candidate) {
    if (std::ranges::find(candidate.versions, version) == candidate.versions.end()) {
      candidate.versions.emplace_back(version);
    }
  }

  // --- Choosing.

  bool IsMeant(const Candidate& candidate) const {
    if (options_.kind.empty()) return true;
    std::string wanted = ToLower(options_.kind);
    for (const std::string& name : {candidate.kind, candidate.plural}) {
      if (name.empty()) continue;
      if (wanted == ToLower(name) || wanted == ToLower(Cat(name, '.', candidate.group)))
        return true;
    }
    return false;
  }

  std::optional<GroupVersionKind> Choose() {
    std::vector<const Candidate*> meant;
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates_) {
      names.push_back(candidate.kind);
      if (IsMeant(candidate)) meant.push_back(&candidate);
    }
    if (meant.empty()) {
      std::string near = DidYouMean(options_.kind, names);
      Fail(Cat("there is no kind ", options_.kind, near, "; there is: ", Join(names, ", ")),
           kNotFound);
      return std::nullopt;
    }
    if (meant.size() > 1) {
      names.clear();
      for (const Candidate* candidate : meant) names.push_back(candidate->Name());
      Fail(Cat("several kinds: ", Join(names, ", "), "; say which by --kind"), kUsage);
      return std::nullopt;
    }
    const Candidate& chosen = *meant[0];
    std::vector<std::string> versions = chosen.versions;
    std::ranges::sort(versions, std::greater(), RankOf);
    if (!options_.version.empty()) {
      if (std::ranges::find(versions, options_.version) == versions.end()) {
        Fail(Cat(chosen.Name(), " has no version ", options_.version,
                 "; it has: ", Join(versions, ", ")),
             kNotFound);
        return std::nullopt;
      }
      versions = {options_.version};
    }
    if (versions.empty()) {
      Fail(Cat(chosen.Name(), " has no version that is served"), kFailed);
      return std::nullopt;
    }
    return GroupVersionKind{chosen.group, versions[0], chosen.kind};
  }

  // --- Drafting.

  int MakeOne(const GroupVersionKind& kind) {
    schema::DraftRequest request;
    request.kind = kind;
    request.samples = samples_;
    if (auto known = releases_.Of(kind.group, kind.kind, kind.version); !known.empty()) {
      request.schema = known.back().schema;
    }
    if (!options_.samples.empty() && schema::SamplesOf(kind, samples_).empty()) {
      Fail(Cat(Join(options_.samples, ", "), ": there is no ", kind.kind, " in it"), kFailed);
      return exit_code_;
    }
    Result<schema::Draft> draft = schema::MakeDraft(request, built_ins_);
    if (!draft) {
      Fail(draft.error().message(), kFailed);
      return exit_code_;
    }
    for (const std::string& note : draft->notes) {
      context_.err->Write(Cat("note: ", Safe(note), '\n'));
    }
    if (options_.folder.empty()) {
      context_.out->Write(draft->text);
      return kOk;
    }
    std::string base = Cat(options_.folder, options_.folder.ends_with('/') ? "" : "/", draft->name);
    std::optional<std::string> cases = CaseOf(request, *draft);
    if (!Create(Cat(base, ".yaml"), draft->text)) return exit_code_;
    if (cases) Create(Cat(base, inspect::kCaseFileEnding), *cases);
    return exit_code_;
  }

  bool Create(const std::string& file, const std::string& text) {
    Result<void> made = context_.create_file(file, text);
    if (!made) {
      Complain(context_, file, made.error().message());
      exit_code_ = kFailed;
      return false;
    }
    context_.err->Write(Cat("wrote ", Safe(file), '\n'));
    return true;
  }

  // The first case: what the draft reads of the samples, or of an object that is made up.
  std::optional<std::string> CaseOf(const schema::DraftRequest& request,
                                    const schema::Draft& draft) {
    std::vector<definition::Loaded> loaded = definition::LoadText(draft.text);
    if (loaded.size() != 1 || loaded[0].karta == nullptr || !loaded[0].karta->is_valid) {
      for (const definition::Loaded& one : loaded) {
        context_.err->Write(definition::Render(one.findings, draft.text));
      }
      Fail("the draft is no valid definition", kFailed);
      return std::nullopt;
    }
    definition::Registry registry;
    if (Result<void> added = registry.Add(std::move(loaded[0].karta)); !added) {
      Fail(added.error().message(), kFailed);
      return std::nullopt;
    }
    std::vector<inspect::Case> cases(1);
    inspect::Case& one = cases.front();
    bool is_made_up = samples_.empty();
    one.name = is_made_up ? "made up from the schema" : "as sampled";
    if (is_made_up) {
      one.objects.push_back(schema::MakeObject(request, draft, arena_));
    } else {
      one.objects = samples_;
    }
    CaseRunner runner(registry, context_);
    for (const Value& object : one.objects) runner.Add(object);
    one.expect = inspect::ExpectationOf(runner.Reading(arena_));
    return inspect::WriteCases(cases);
  }

  const DraftOptions& options_;
  const Context& context_;
  schema::BuiltIns built_ins_;
  schema::Releases releases_;
  Arena arena_;
  std::deque<Candidate> candidates_;
  std::vector<Value> samples_;
  int exit_code_ = kOk;
};

}  // namespace

int RunDraft(const DraftOptions& options, const Context& context) {
  return Drafting(options, context).Run();
}

}  // namespace wmap::cli
