#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/lint.h"
#include "definition/samples.h"
#include "expr/evaluate.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::definition {
namespace {

using json::Value;

constexpr std::size_t kMostSamples = 500;
constexpr std::uint64_t kMostSteps = 100'000;

// A component with pods, and the smallest pods that its selector takes.
struct Selecting {
  const Component* component = nullptr;
  const TypeSelector* selector = nullptr;
  std::vector<const Sample*> pods = {};
};

bool Takes(const TypeSelector& selector, const Value& pod, expr::Evaluator& evaluator) {
  const Value labels = pod.Get("metadata").Get("labels");
  for (const auto& [name, value] : selector.match_labels) {
    const Value label = labels.Get(name);
    if (!label.is_string() || label.as_string() != value) return false;
  }
  if (!selector.key_path) return !selector.match_labels.empty();
  if (selector.key_path.program() == nullptr) return false;
  Result<std::optional<Value>> key = evaluator.First(*selector.key_path.program(), pod);
  if (!key || !*key || (*key)->is_null()) return false;
  if (!selector.value) return true;
  return (*key)->is_string() && (*key)->as_string() == *selector.value;
}

class SelectorLint {
 public:
  SelectorLint(const Karta& karta, Report& report) : report_(report) {
    for (std::size_t i : karta.PodBearing()) {
      const Component& component = karta.components[i];
      if (const TypeSelector* selector = component.type_selector()) {
        selecting_.push_back({&component, selector});
      }
    }
  }

  void Run() {
    if (selecting_.size() < 2) return;
    made_ = CollectSamples().Make(kMostSamples);
    for (Selecting& one : selecting_) FindPods(one);
    for (std::size_t i = 0; i < selecting_.size(); ++i) {
      for (std::size_t j = 0; j < selecting_.size(); ++j) {
        if (i != j) Compare(selecting_[i], selecting_[j], j < i);
      }
    }
  }

 private:
  Samples CollectSamples() const {
    Samples samples;
    for (const Selecting& one : selecting_) {
      samples.Add(one.selector->key_path);
      if (one.selector->value) samples.AddResult(one.selector->key_path, *one.selector->value);
      for (const auto& [name, value] : one.selector->match_labels) {
        samples.AddValue({"metadata", "labels", name}, value);
      }
    }
    return samples;
  }

  bool Takes(const TypeSelector& selector, const Sample& pod) {
    Arena arena;
    expr::Limits limits;
    limits.steps = kMostSteps;
    expr::Evaluator evaluator(arena, limits);
    std::string text = pod.Json();
    Result<Value> document = json::Read(text, arena);
    return document && definition::Takes(selector, *document, evaluator);
  }

  // The samples are in the order of their sizes.
  void FindPods(Selecting& one) {
    for (const Sample& pod : made_) {
      if (!one.pods.empty() && pod.size() > one.pods.front()->size()) return;
      if (Takes(*one.selector, pod)) one.pods.push_back(&pod);
    }
  }

  static bool IsSame(const TypeSelector& a, const TypeSelector& b) {
    return a.key_path.text() == b.key_path.text() && a.value == b.value &&
           a.match_labels == b.match_labels;
  }

  // Whether all that is needed to be of `one` is enough to be of `other`, too.
  void Compare(const Selecting& one, const Selecting& other, bool other_is_first) {
    if (IsSame(*one.selector, *other.selector) || one.pods.empty()) return;
    bool is_taken = std::ranges::all_of(
        one.pods, [&](const Sample* pod) { return Takes(*other.selector, *pod); });
    if (!is_taken) return;
    // Of two that say the same in other words one is enough.
    bool is_mutual = !other.pods.empty() && std::ranges::all_of(other.pods, [&](const Sample* pod) {
      return Takes(*one.selector, *pod);
    });
    if (is_mutual && !other_is_first) return;
    report_.Add({Severity::kWarning, "selectors-overlap",
                 Cat("pods of component ", Quote(one.component->name), " are also of ",
                     Quote(other.component->name), ", as ", one.pods.front()->Json()),
                 Cat("readers take the first of them",
                     other_is_first ? Cat(": ", Quote(one.component->name), " has no pods")
                                    : std::string())},
                Cat(one.component->pointer, "/podSelector/componentTypeSelector"));
  }

  Report& report_;
  std::vector<Selecting> selecting_;
  std::vector<Sample> made_;
};

}  // namespace

void LintSelectors(const Karta& karta, Report& report) { SelectorLint(karta, report).Run(); }

}  // namespace wmap::definition
