#include "workload/parts.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "workload/convert.h"
#include "workload/copies.h"

namespace wmap::workload {
namespace {

using definition::Component;
using definition::Expression;
using json::Value;

// What controllers write for "no limit".
constexpr std::int64_t kUnbounded = 2147483647;

// One value per instance; nothing = it could not be read.
using Column = std::vector<std::optional<Value>>;

// The shape that values of a field have; null fits every one.
struct Shape {
  json::Type type;
  std::string_view name;
};
constexpr Shape kObject = {json::Type::kObject, "an object"};
constexpr Shape kArray = {json::Type::kArray, "an array"};

class PartReader {
 public:
  PartReader(const Component& component, Evaluation& evaluation)
      : component_(component), evaluation_(evaluation) {
    part_.component = &component;
  }

  Part Read() {
    ReadInstances();
    ReadPodDescriptions();
    ReadExistence();
    ReadDescribed();
    ReadCounts();
    ReadOrder();
    return std::move(part_);
  }

 private:
  void ReadInstances() {
    if (!component_.has_instances()) {
      part_.instances.emplace_back();
      return;
    }
    auto ids = evaluation_.All(component_.instance_id_path, evaluation_.object());
    if (!ids) {
      // A list that is not there has no entries; what else is wrong reads the same, and is told.
      evaluation_.Add(Severity::kWarning, "instances",
                      Cat(FieldName(component_.instance_id_path, component_), ": ",
                          ids.error().Describe(), "; it is read as no instances"));
      return;
    }
    for (const Value& id : *ids) {
      if (!id.is_string() || id.as_string().empty()) {
        evaluation_.Add(Severity::kError, "empty-instance-id",
                        Cat(FieldName(component_.instance_id_path, component_), ": id ",
                            part_.instances.size() + 1, " of ", ids->size(), " is ",
                            id.is_string() ? std::string_view("empty") : TypeName(id.type()),
                            ", an id must be a text"));
      }
      PartInstance instance;
      instance.id = std::string(id.text_or_empty());
      if (!instance.id.empty() && HasId(instance.id)) {
        evaluation_.Add(Severity::kError, "duplicate-instance-id",
                        Cat("component ", Quote(component_.name), " has two instances named ",
                            Quote(instance.id), "; both are counted"));
      }
      part_.instances.push_back(std::move(instance));
    }
  }

  bool HasId(const std::string& id) const {
    return std::ranges::any_of(part_.instances,
                               [&](const PartInstance& instance) { return instance.id == id; });
  }

  std::string Ids() const {
    std::vector<std::string> ids;
    ids.reserve(part_.instances.size());
    for (const PartInstance& instance : part_.instances) ids.push_back(instance.id);
    return Join(ids, ", ");
  }

  Column Unknown() const { return Column(part_.instances.size()); }
  Column Absent() const { return Column(part_.instances.size(), Value()); }

  Column ReadColumn(const Expression& expression) {
    std::size_t count = part_.instances.size();
    // There is nothing to pair values with, and iterating what is not there errs.
    if (count == 0) return Unknown();
    auto results = evaluation_.All(expression, evaluation_.object());
    if (!results) {
      evaluation_.Add(Severity::kWarning, "expression",
                      Cat(FieldName(expression, component_), ": ", results.error().Describe()));
      return Unknown();
    }
    // Of a single thing, nothing and null say the same.
    if (results->empty() && !component_.has_instances()) results->emplace_back();
    if (results->size() != count) {
      evaluation_.Add(Severity::kError, "count-mismatch",
                      Cat(FieldName(expression, component_), " gives ", results->size(),
                          results->size() == 1 ? " value for " : " values for ", count,
                          count == 1 ? " instance" : " instances",
                          component_.has_instances() ? Cat(" (", Ids(), ")") : std::string(),
                          "; the values are not used, since which belongs to which is not known"));
      return Unknown();
    }
    return {results->begin(), results->end()};
  }

  // The same; values of another shape are not known.
  Column ReadColumn(const Expression& expression, const Shape& shape) {
    Column column = ReadColumn(expression);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] && !Fits(*column[i], shape)) {
        Misfit(FieldName(expression, component_), part_.instances[i], *column[i], shape);
        column[i].reset();
      }
    }
    return column;
  }

  static bool Fits(const Value& value, const Shape& shape) {
    return value.is_null() || value.type() == shape.type;
  }

  void Misfit(std::string_view field, const PartInstance& instance, const Value& value,
              const Shape& shape) {
    evaluation_.Add(Severity::kError, "conversion",
                    Cat(field, instance.id.empty() ? std::string() : Cat(", ", Quote(instance.id)),
                        ": expected ", shape.name, ", found a ", TypeName(value.type())));
  }

  void ReadPodDescriptions() {
    if (!component_.spec) return;
    const definition::SpecDefinition& spec = *component_.spec;
    if (spec.pod_template) {
      ReadTemplates(spec.pod_template);
    } else if (spec.pod_spec) {
      Column column = ReadColumn(spec.pod_spec, kObject);
      for (std::size_t i = 0; i < column.size(); ++i) SetPodSpec(part_.instances[i], column[i]);
    } else if (spec.fragmented) {
      ReadFragments(*spec.fragmented);
    }
    if (spec.metadata) {
      Column column = ReadColumn(spec.metadata, kObject);
      for (std::size_t i = 0; i < column.size(); ++i) {
        part_.instances[i].pod_metadata = column[i].value_or(Value());
      }
    }
  }

  static void SetPodSpec(PartInstance& instance, const std::optional<Value>& pod_spec) {
    instance.pod_spec_known = pod_spec.has_value();
    if (!pod_spec) return;
    instance.pod_spec = *pod_spec;
    instance.exists = !pod_spec->is_null();
  }

  void ReadTemplates(const Expression& expression) {
    Column column = ReadColumn(expression, kObject);
    for (std::size_t i = 0; i < column.size(); ++i) {
      PartInstance& instance = part_.instances[i];
      instance.pod_spec_known = column[i].has_value();
      if (!column[i]) continue;
      instance.exists = !column[i]->is_null();
      instance.pod_spec = column[i]->Get("spec");
      instance.pod_metadata = column[i]->Get("metadata");
      if (Fits(instance.pod_spec, kObject)) continue;
      Misfit(Cat("spec of ", FieldName(expression, component_)), instance, instance.pod_spec,
             kObject);
      instance.pod_spec = Value();
      instance.pod_spec_known = false;
    }
  }

  // A pod spec put together from its fragments, as far as requests need it.
  void ReadFragments(const definition::FragmentedPodSpec& fragments) {
    auto read = [&](const Expression& expression, const Shape& shape) {
      return expression ? ReadColumn(expression, shape) : Absent();
    };
    Column containers = read(fragments.containers, kArray);
    Column container = read(fragments.container, kObject);
    Column resources = read(fragments.resources, kObject);
    Column claims = read(fragments.resource_claims, kArray);
    Column labels = read(fragments.labels, kObject);
    Column annotations = read(fragments.annotations, kObject);
    Column image = fragments.image ? ReadColumn(fragments.image) : Absent();
    for (std::size_t i = 0; i < part_.instances.size(); ++i) {
      PartInstance& instance = part_.instances[i];
      instance.pod_spec_known = containers[i] && container[i] && resources[i] && claims[i];
      // What cannot be read may be there.
      instance.exists = std::ranges::any_of(
          std::to_array({containers[i], container[i], resources[i], claims[i], labels[i],
                         annotations[i], image[i]}),
          [](const std::optional<Value>& value) { return !value || !value->is_null(); });
      if (instance.pod_spec_known) {
        instance.pod_spec = PodSpecOf(*containers[i], *container[i], *resources[i], *claims[i]);
      }
      json::ObjectBuilder metadata;
      metadata.Add("labels", labels[i].value_or(Value()));
      metadata.Add("annotations", annotations[i].value_or(Value()));
      instance.pod_metadata = metadata.Finish(evaluation_.arena());
    }
  }

  Value PodSpecOf(const Value& containers, const Value& container, const Value& resources,
                  const Value& claims) {
    Arena& arena = evaluation_.arena();
    std::vector<Value> list;
    if (containers.is_array()) list.assign(containers.items().begin(), containers.items().end());
    if (container.is_object()) list.push_back(container);
    bool has_requests = std::ranges::any_of(
        list, [](const Value& entry) { return !entry.Get("resources").is_null(); });
    // Resources of the type's own belong to its main container, unless that says its own.
    if (resources.is_object() && !has_requests) {
      json::ObjectBuilder main;
      main.Add("name", Value::String("main"));
      main.Add("resources", resources);
      list.push_back(main.Finish(arena));
    }
    json::ObjectBuilder spec;
    spec.Add("containers", json::MakeArray(arena, list));
    if (!claims.is_null()) spec.Add("resourceClaims", claims);
    return spec.Finish(arena);
  }

  void ReadExistence() {
    // The object itself is there.
    if (component_.is_root()) {
      for (PartInstance& instance : part_.instances) instance.exists = true;
      return;
    }
    ForEachBoolean(component_.exists,
                   [](PartInstance& instance, bool exists) { instance.exists = exists; });
  }

  void ReadDescribed() {
    ForEachBoolean(component_.described, [](PartInstance& instance, bool described) {
      instance.pod_spec_known &= described;
    });
  }

  // `expression` gives one boolean for all instances, or one for each.
  template <typename F>
  void ForEachBoolean(const Expression& expression, F&& set) {
    if (!expression || part_.instances.empty()) return;
    auto results = evaluation_.All(expression, evaluation_.object());
    std::size_t count = part_.instances.size();
    if (results && (results->size() == 1 || results->size() == count)) {
      for (std::size_t i = 0; i < count; ++i) {
        set(part_.instances[i], (*results)[results->size() == 1 ? 0 : i].is_truthy());
      }
      return;
    }
    std::string problem = results
                              ? Cat("gives ", results->size(), " values for ", count, " instances")
                              : results.error().Describe();
    evaluation_.Add(Severity::kWarning, "expression",
                    Cat(FieldName(expression, component_), ": ", problem));
  }

  void ReadCounts() {
    const definition::ScaleDefinition none;
    const definition::ScaleDefinition& scale = component_.scale ? *component_.scale : none;
    for (PartInstance& instance : part_.instances) {
      instance.desired = instance.min = instance.wanted = Count::Exactly(1);
      instance.max = Count::Exactly(1);
    }
    if (scale.replicas) {
      ForEachCount(scale.replicas, [](PartInstance& instance, const Count& count) {
        instance.desired = instance.min = instance.wanted = count;
        instance.max = count;
      });
      is_unreadable_ = is_told_;
    }
    if (scale.min_replicas) ReadMinimum(scale);
    if (scale.max_replicas) ReadMaximum(scale);
    if (!is_told_) TellOddNumbers(scale);
    if (component_.active) {
      ForEachCount(component_.active, [](PartInstance& instance, const Count& count) {
        if (!count.is_unknown()) instance.active = count;
      });
    }
    // Of a count that cannot be read nobody can say what is still wanted.
    if (component_.wanted && !is_unreadable_) {
      ForEachCount(component_.wanted, [&](PartInstance& instance, const Count& count) {
        if (count.is_unknown()) return;
        instance.wanted = count;
        part_.wanted_is_reduced = true;
      });
    }
  }

  // What an expression makes of a number that counts nothing may well be a count.
  void TellOddNumbers(const definition::ScaleDefinition& scale) {
    for (const Expression* expression :
         {&scale.replicas, &scale.min_replicas, &scale.max_replicas}) {
      // A definition that says of a count that it is not known has its reasons.
      if (!*expression || (says_unknown_ && expression == &scale.replicas)) continue;
      std::vector<std::string> odd = evaluation_.OddNumbersRead(*expression);
      if (odd.empty()) continue;
      return evaluation_.Add(
          Severity::kWarning, "count",
          Cat(FieldName(*expression, component_), ": ", Join(odd, ", "), ", which is no count"));
    }
  }

  void ReadOrder() {
    ForEachValue(component_.starts_after, [](PartInstance& instance, const Value& value) {
      if (!value.is_array()) return;
      for (const Value& role : value.items()) {
        if (role.is_string()) instance.starts_after.emplace_back(role.as_string());
      }
    });
    ForEachValue(component_.starts_by_index, [](PartInstance& instance, const Value& value) {
      instance.starts_by_index = value.is_true() || value.is_int();
      if (value.is_int()) instance.first_index = value.as_int();
    });
    ForEachValue(component_.wraps, [](PartInstance& instance, const Value& value) {
      std::string_view name = value.Get("metadata").Get("name").text_or_empty();
      if (name.empty()) return;
      instance.wraps = ObjectKey(value.Get("apiVersion").text_or_empty(),
                                 value.Get("kind").text_or_empty(), name);
    });
  }

  template <typename F>
  void ForEachValue(const Expression& expression, F&& set) {
    if (!expression) return;
    Column column = ReadColumn(expression);
    for (std::size_t i = 0; i < part_.instances.size(); ++i) {
      set(part_.instances[i], column[i].value_or(Value()));
    }
  }

  // Without replicas the bounds are all that is known of the count: the minimum, and up to the
  // maximum if there is one.
  void ReadMinimum(const definition::ScaleDefinition& scale) {
    ForEachCount(scale.min_replicas, [&](PartInstance& instance, const Count& count) {
      if (!scale.replicas) {
        instance.desired = instance.wanted = instance.min = count;
        instance.max = count;
      } else if (!count.is_unknown()) {
        instance.min = count;
      }
    });
  }

  void ReadMaximum(const definition::ScaleDefinition& scale) {
    ForEachCount(scale.max_replicas, [&](PartInstance& instance, const Count& count) {
      if (count.is_unknown()) return;
      if (count.min() >= kUnbounded) {
        instance.max.reset();
      } else {
        instance.max = count;
      }
      if (!scale.replicas) {
        instance.desired = instance.wanted = Count::Between(
            instance.min.min(), instance.max ? instance.max->max() : std::optional<std::int64_t>());
      }
    });
  }

  template <typename F>
  void ForEachCount(const Expression& expression, F&& set) {
    Column column = ReadColumn(expression);
    for (std::size_t i = 0; i < part_.instances.size(); ++i) {
      is_told_ |= !column[i];
      set(part_.instances[i], ToCount(expression, column[i].value_or(Value()), i));
    }
  }

  Count ToCount(const Expression& expression, const Value& value, std::size_t index) {
    const std::string& id = part_.instances[index].id;
    Result<std::optional<std::int64_t>> scale = ToScale(value);
    if (scale && *scale && **scale >= 0) return Count::Exactly(**scale);
    // What is computed may come out below 0; then it says nothing.
    bool is_computed = &expression == &component_.wanted || &expression == &component_.active;
    std::string problem;
    bool is_replicas = component_.scale && &expression == &component_.scale->replicas;
    says_unknown_ |= is_replicas && scale && !*scale;
    if (!scale) {
      problem = scale.error().message();
    } else if (*scale && !is_computed) {
      problem = Cat("a count below 0: ", **scale);
    }
    if (!problem.empty()) {
      is_told_ = true;
      evaluation_.Add(
          Severity::kError, "count",
          Cat(FieldName(expression, component_), id.empty() ? std::string() : Cat(", ", Quote(id)),
              ": ", problem, evaluation_.PlaceOf(expression, index, value)));
    }
    return Count::Unknown(id.empty() ? component_.role_name() : id);
  }

  const Component& component_;
  Evaluation& evaluation_;
  Part part_;
  bool is_told_ = false;        // that a count cannot be read
  bool is_unreadable_ = false;  // that holds of the replicas
  bool says_unknown_ = false;   // the definition, of the replicas
};

}  // namespace

std::vector<Part> ReadParts(Evaluation& evaluation, std::span<const ChildRef> children) {
  std::vector<Part> parts;
  const definition::Karta& karta = evaluation.karta();
  parts.reserve(karta.components.size());
  for (const definition::Component& component : karta.components) {
    parts.push_back(PartReader(component, evaluation).Read());
  }
  CountCopies(children, parts, evaluation);
  return parts;
}

}  // namespace wmap::workload
