#include "workload/child_scale.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "workload/convert.h"

namespace wmap::workload {
namespace {

using definition::ChildScale;
using definition::Expression;
using json::Value;

class ChildReader {
 public:
  ChildReader(const definition::Component& component, const ChildScale& scale,
              Evaluation& evaluation)
      : component_(component), scale_(scale), evaluation_(evaluation) {}

  void Read(const ChildRef& child, ChildCounts& counts) {
    Value metadata = child.object.Get("metadata");
    if (!metadata.Get("deletionTimestamp").is_null()) return;
    child_ = &child;
    name_ = metadata.Get("name").text_or_empty();
    std::optional<std::string> instance = std::string();
    if (component_.has_instances()) instance = ReadInstance();
    if (!instance) return;
    std::optional<std::int64_t> replicas = ReadNumber(scale_.replicas);
    if (!replicas) return;
    if (*replicas < 0) return Complain(scale_.replicas, Cat("a count below 0: ", *replicas));
    counts[*std::move(instance)].push_back({&scale_, name_, *replicas, ReadNumber(scale_.copy)});
  }

 private:
  // Null, nothing, and what could not be read are all nothing.
  std::optional<Value> ReadFirst(const Expression& expression) {
    if (!expression) return std::nullopt;
    Result<std::optional<Value>> value = evaluation_.First(expression, child_->object);
    if (!value) {
      Complain(expression, value.error().Describe());
      return std::nullopt;
    }
    if (*value && (*value)->is_null()) return std::nullopt;
    return *value;
  }

  std::optional<std::string> ReadInstance() {
    std::optional<Value> value = ReadFirst(scale_.instance);
    if (!value) return std::nullopt;
    Result<std::string> id = ToIdentifier(*value);
    if (id) return *std::move(id);
    Complain(scale_.instance, id.error().Describe());
    return std::nullopt;
  }

  std::optional<std::int64_t> ReadNumber(const Expression& expression) {
    std::optional<Value> value = ReadFirst(expression);
    if (!value) return std::nullopt;
    Result<std::optional<std::int64_t>> number = ToScale(*value);
    if (number) return *number;
    Complain(expression, number.error().Describe());
    return std::nullopt;
  }

  void Complain(const Expression& expression, std::string_view why) {
    std::string field = FieldName(expression, component_);
    evaluation_.AddForEach("child-scale", field,
                           Cat(field, ": ", child_->kind, ' ', name_, ": ", why), "object");
  }

  const definition::Component& component_;
  const ChildScale& scale_;
  Evaluation& evaluation_;
  const ChildRef* child_ = nullptr;
  std::string_view name_;
};

}  // namespace

ChildCounts ReadChildCounts(const definition::Component& component,
                            std::span<const ChildRef> children, Evaluation& evaluation) {
  ChildCounts counts;
  for (const ChildScale& scale : component.child_scales) {
    ChildReader reader(component, scale, evaluation);
    ChildCounts said;
    for (const ChildRef& child : children) {
      if (scale.IsAbout(child.group, child.kind)) reader.Read(child, said);
    }
    // Keeps what kinds before this one have said.
    counts.merge(said);
  }
  for (auto& [instance, list] : counts) std::ranges::sort(list, {}, &ChildCount::name);
  return counts;
}

}  // namespace wmap::workload
