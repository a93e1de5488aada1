// ManifestKeeper: what is kept of pod manifests until the definitions' selectors are evaluated.
//
// As long as all that is kept is small, manifests are kept whole, so that a definition that comes
// late may look at anything. Beyond a budget only the parts are kept that the selectors of the
// definitions known by then can read; a definition that comes later and needs more is reported.
// Selectors that read more than labels, of a component whose pods have to have certain labels, cost
// only what pods with these labels take: they are kept whole.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text_pool.h"
#include "definition/registry.h"
#include "expr/program.h"
#include "json/value.h"

namespace wmap::inspect {

class ManifestKeeper {
 public:
  explicit ManifestKeeper(const definition::Registry& registry,
                          std::size_t budget_bytes = std::size_t{8} << 20)
      : registry_(registry), budget_(budget_bytes) {}

  // What is kept of a manifest at least.
  enum class Need {
    kSelectors,  // what selectors read
    kLabels,     // and all labels and annotations: they may have to tell the pod's workload
    kAll,        // a pod without owner may be a workload of its own
  };

  // The compact JSON to keep of `pod`; it stands in `texts`.
  std::string_view Keep(const json::Value& pod, Need need, TextPool& texts);

  // The names of definitions in force whose selectors read parts that were not kept of some pods.
  std::vector<std::string> Unserved() const;

 private:
  // The paths that selectors read; nothing = the whole pod.
  using Paths = std::optional<std::vector<expr::InputPath>>;
  // Labels that a pod of a component has to have; "" = any value.
  using Labels = std::vector<std::pair<std::string, std::string>>;
  struct Needs {
    Paths paths = Paths(std::in_place);  // of any pod
    std::vector<Labels> whole;           // pods with these labels are read as a whole
  };
  // A part of a manifest: what paths lead to, by their first keys.
  struct Member;
  struct Part {
    bool whole = false;
    std::vector<Member> members;  // ascending by key

    void Add(std::span<const std::string> path);
  };
  struct Member {
    std::string key;
    Part part;
  };

  static Needs NeedsOf(const definition::Karta& karta);
  // Calls `each(listing, needs)` for the definitions in force.
  template <typename F>
  void ForEachDefinition(F each) const;
  void LearnPaths();
  bool IsReadWhole(const json::Value& pod) const;
  // Appends `part` of `value`, an object, to text_.
  void Write(const json::Value& value, const Part& part);
  // What it returns is valid until the next call.
  json::Value WithoutLastApplied(const json::Value& pod);

  const definition::Registry& registry_;
  std::size_t budget_;
  std::size_t kept_bytes_ = 0;
  bool reduces_ = false;
  Paths paths_;
  std::vector<Labels> whole_;
  Part selectors_;  // by Need
  Part labels_;
  std::string text_;  // of the manifest at hand
  Arena arena_;
};

}  // namespace wmap::inspect
