#include "inspect/start_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/arena.h"
#include "expr/evaluate.h"
#include "workload/evaluation.h"
#include "workload/parts.h"

namespace wmap::inspect {
namespace {

using definition::Component;
using json::Value;
using workload::PodFacts;
using workload::Role;

bool IsAlive(const PodFacts& pod) { return !pod.ended() && !pod.done && !pod.terminating; }

// How a role stands.
struct Standing {
  std::int64_t wanted = 0;  // still
  std::int64_t alive = 0;
  std::int64_t serving = 0;

  explicit Standing(const Role& role) {
    std::int64_t succeeded = 0;
    for (const PodFacts* pod : role.pods) {
      if (pod->succeeded()) ++succeeded;
      if (IsAlive(*pod)) ++alive;
      if (pod->serves()) ++serving;
    }
    wanted = role.tally.pods.wanted.min();
    // Where the target counts those that have succeeded, they need not come back.
    if (role.tally.pods.wanted == role.tally.pods.desired) wanted -= succeeded;
  }

  bool lacks_pods() const { return alive < wanted; }
  bool is_ready() const { return serving >= wanted; }
  bool has_ended() const { return alive == 0 && wanted <= 0; }
};

class Order {
 public:
  Order(const workload::Workload& workload, const definition::Karta& karta, const Value& object)
      : workload_(workload), evaluator_(arena_), evaluation_(karta, object, evaluator_) {}

  std::map<std::string_view, std::vector<std::string>> Find() {
    bool lacks_any = std::ranges::any_of(
        workload_.roles, [](const Role& role) { return Standing(role).lacks_pods(); });
    if (!lacks_any) return {};
    for (const workload::Part& part : workload::ReadParts(evaluation_, {})) {
      if (part.component->bears_pods()) FindIn(part);
    }
    return std::move(waiting_);
  }

 private:
  const Role* Named(std::string_view name) const {
    auto role = std::ranges::find(workload_.roles, name, &Role::role);
    return role == workload_.roles.end() ? nullptr : &*role;
  }

  void FindIn(const workload::Part& part) {
    const Component& component = *part.component;
    if (!component.starts_after && !component.created_later && !component.starts_by_index) return;
    std::vector<Value> after = Results(component.starts_after);
    std::vector<Value> later = Results(component.created_later);
    std::size_t count = part.instances.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Role* role =
          Named(component.has_instances() ? part.instances[i].id : component.role_name());
      if (role == nullptr || !Standing(*role).lacks_pods()) continue;
      std::vector<std::string> first;
      if (after.size() == count) AddNamed(after[i], first);
      bool is_later =
          later.size() == 1 ? later[0].is_truthy() : later.size() == count && later[i].is_truthy();
      bool says_after_whom = after.size() == count && after[i].size() > 0;
      if (is_later && !says_after_whom) AddAll(*role, first);
      if (part.instances[i].starts_by_index) AddPod(*role, first);
      if (!first.empty()) waiting_[role->role] = std::move(first);
    }
  }

  std::vector<Value> Results(const definition::Expression& expression) {
    if (!expression) return {};
    auto results = evaluation_.All(expression, evaluation_.object());
    return results ? *std::move(results) : std::vector<Value>();
  }

  // Of "startsAfter": a name is of a role that has to be ready, {"ended": NAME} of one that has to
  // have ended.
  void AddNamed(const Value& names, std::vector<std::string>& first) const {
    if (!names.is_array()) return;
    for (const Value& name : names.items()) {
      Value ended = name.Get("ended");
      std::string_view text = ended.is_string() ? ended.as_string() : name.text_or_empty();
      const Role* role = Named(text);
      if (role == nullptr) continue;
      Standing standing(*role);
      if (ended.is_string() ? !standing.has_ended() : !standing.is_ready())
        first.emplace_back(text);
    }
  }

  // It comes when others run, and nothing says which.
  void AddAll(const Role& role, std::vector<std::string>& first) const {
    if (Standing(role).alive > 0) return;
    for (const Role& other : workload_.roles) {
      if (&other != &role && !Standing(other).is_ready()) first.push_back(other.role);
    }
  }

  // The one with the lowest number of those that do not serve, which the next ones wait for.
  static void AddPod(const Role& role, std::vector<std::string>& first) {
    const PodFacts* next = nullptr;
    for (const PodFacts* pod : role.pods) {
      if (!IsAlive(*pod) || pod->serves()) continue;
      auto order = [](const PodFacts& one) { return std::pair(one.name.size(), one.name); };
      if (next == nullptr || order(*pod) < order(*next)) next = pod;
    }
    if (next != nullptr) first.emplace_back(next->name);
  }

  const workload::Workload& workload_;
  Arena arena_;
  expr::Evaluator evaluator_;
  workload::Evaluation evaluation_;
  std::map<std::string_view, std::vector<std::string>> waiting_;
};

}  // namespace

std::map<std::string_view, std::vector<std::string>> WaitingRoles(
    const workload::Workload& workload, const definition::Karta& karta, const Value& object) {
  return Order(workload, karta, object).Find();
}

}  // namespace wmap::inspect
