#include "inspect/definition_reading.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "definition/api_version.h"
#include "expr/evaluate.h"
#include "json/reader.h"
#include "json/writer.h"
#include "workload/evaluation.h"

namespace wmap::inspect {
namespace {

using definition::Expression;
using json::Value;

constexpr std::size_t kMostBytes = 400;
constexpr std::size_t kMostYields = 50;

std::string Cut(std::string text) {
  if (text.size() <= kMostBytes) return text;
  return Cat(StartOf(text, kMostBytes), "\u2026");
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "childComponents[0].podSelector…" of the pointer to a field; of the annotation's, "extensions…".
std::string NameOf(std::string_view pointer) {
  constexpr std::string_view kAnnotation = "/metadata/annotations/wmap.dev~1extensions";
  constexpr std::string_view kStructure = "/spec/structureDefinition";
  std::string name;
  if (pointer.starts_with(kAnnotation)) {
    pointer.remove_prefix(kAnnotation.size());
    name = "extensions";
  } else if (pointer.starts_with(kStructure)) {
    pointer.remove_prefix(kStructure.size());
  }
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string_view key = pointer.substr(0, end);
    pointer.remove_prefix(end);
    if (IsNumber(key)) {
      CatTo(name, '[', key, ']');
    } else {
      CatTo(name, name.empty() ? "" : ".", key);
    }
  }
  return name;
}

class Reader {
 public:
  Reader(const Report& report, std::size_t index, const definition::Karta& karta)
      : all_(*report.sources),
        sources_(report.sources->workloads[index]),
        karta_(karta),
        object_(Parse(sources_.text)),
        evaluator_(arena_),
        evaluation_(karta, object_, evaluator_) {}

  std::vector<FieldReading> Read() {
    for (const definition::Component& component : karta_.components) ReadComponent(component);
    for (const Expression* one :
         {&karta_.status_reason, &karta_.status_message, &karta_.status_holds, &karta_.minimum}) {
      OnObject(*one);
    }
    for (const definition::ObjectRead& read : karta_.objects) OnObject(read.name);
    if (karta_.gang) {
      for (const definition::MemberGroup& group : karta_.gang->pod_groups) {
        for (const definition::GroupMember& member : group.members) {
          for (const Expression& key : member.group_by) OnPods(key);
          for (const Expression& filter : member.filters) OnPods(filter);
        }
      }
    }
    return std::move(fields_);
  }

 private:
  Value Parse(std::string_view text) {
    Result<Value> value = json::Read(text, arena_);
    return value ? *value : Value();
  }

  void ReadComponent(const definition::Component& component) {
    OnObject(component.instance_id_path);
    if (component.spec) {
      OnObject(component.spec->pod_template);
      OnObject(component.spec->pod_spec);
      OnObject(component.spec->metadata);
      if (component.spec->fragmented) {
        for (const Expression* path : component.spec->fragmented->paths()) OnObject(*path);
      }
    }
    if (component.scale) {
      OnObject(component.scale->replicas);
      OnObject(component.scale->min_replicas);
      OnObject(component.scale->max_replicas);
    }
    if (component.status) ReadStatus(*component.status);
    if (component.suspend) {
      for (const auto& action : component.suspend->suspend_actions) OnObject(action.path);
      for (const auto& action : component.suspend->resume_actions) OnObject(action.path);
    }
    for (const Expression* one :
         {&component.exists, &component.described, &component.wanted, &component.active,
          &component.owner_instance, &component.starts_after, &component.starts_by_index,
          &component.created_later, &component.wraps}) {
      OnObject(*one);
    }
    for (const definition::ChildScale& scale : component.child_scales) ReadChildren(scale);
    if (component.pod_selector) {
      if (component.pod_selector->type) OnPods(component.pod_selector->type->key_path);
      OnPods(component.pod_selector->instance_id);
      OnPods(component.pod_selector->replica_key);
    }
    OnPods(component.pod_instance);
  }

  void ReadStatus(const definition::StatusDefinition& status) {
    OnObject(status.phase);
    if (status.conditions) OnObject(status.conditions->path);
    for (const std::vector<definition::Matcher>& matchers : status.mappings) {
      for (const definition::Matcher& matcher : matchers) {
        if (matcher.by_expression) OnObject(matcher.by_expression->expression);
      }
    }
  }

  void ReadChildren(const definition::ChildScale& scale) {
    std::vector<Value> children;
    for (std::size_t number : sources_.owned) {
      const SourceObject& child = all_.objects[number];
      if (scale.IsAbout(definition::GroupOf(child.api_version), child.kind)) {
        children.push_back(Parse(child.text));
      }
    }
    for (const Expression* one : {&scale.instance, &scale.copy, &scale.replicas}) {
      OnMany(*one, children, "children");
    }
  }

  // Nothing when there is no expression, or one that asks alike was read already.
  FieldReading* Begin(const Expression& expression, std::string_view on) {
    if (!expression) return nullptr;
    std::string name = NameOf(expression.pointer());
    auto same = std::ranges::find_if(fields_, [&](const FieldReading& field) {
      return field.on == on && field.expression == expression.text();
    });
    if (same != fields_.end()) {
      same->also.push_back(std::move(name));
      return nullptr;
    }
    FieldReading& field = fields_.emplace_back();
    field.field = std::move(name);
    field.expression = expression.text();
    field.on = on;
    return &field;
  }

  void OnObject(const Expression& expression) {
    FieldReading* field = Begin(expression, "object");
    if (field == nullptr) return;
    auto results = evaluation_.All(expression, evaluation_.object());
    if (!results) {
      field->error = results.error().Describe();
      return;
    }
    for (const Value& value : *results) {
      if (field->yields.size() == kMostYields) break;
      std::size_t index = field->yields.size();
      std::string path =
          evaluator_.SourceOf(*expression.program(), evaluation_.object(), index, value);
      field->yields.push_back({Cut(json::ToJson(value)), 1, std::move(path)});
    }
  }

  void OnPods(const Expression& expression) {
    if (!expression) return;
    if (pods_.empty()) {
      for (const SourcePod& pod : sources_.pods) pods_.push_back(Parse(pod.text));
    }
    OnMany(expression, pods_, "pods");
  }

  void OnMany(const Expression& expression, const std::vector<Value>& inputs, std::string_view on) {
    FieldReading* field = Begin(expression, on);
    if (field == nullptr) return;
    for (const Value& input : inputs) {
      auto results = evaluation_.All(expression, input);
      if (!results) {
        if (field->failed++ == 0) field->error = results.error().Describe();
        continue;
      }
      std::vector<std::string> texts;
      for (const Value& value : *results) texts.push_back(json::ToJson(value));
      Count(texts.empty() ? std::string("nothing") : Cut(Join(texts, ", ")), *field);
    }
    std::ranges::stable_sort(field->yields, std::ranges::greater(), &FieldReading::Yield::times);
  }

  static void Count(std::string text, FieldReading& field) {
    auto same = std::ranges::find(field.yields, text, &FieldReading::Yield::value);
    if (same != field.yields.end()) {
      ++same->times;
    } else if (field.yields.size() < kMostYields) {
      field.yields.push_back({std::move(text), 1});
    }
  }

  const Sources& all_;
  const WorkloadSources& sources_;
  const definition::Karta& karta_;
  Arena arena_;
  Value object_;
  expr::Evaluator evaluator_;
  workload::Evaluation evaluation_;
  std::vector<Value> pods_;
  std::vector<FieldReading> fields_;
};

}  // namespace

DefinitionReading ReadDefinition(const Report& report, std::size_t index,
                                 const definition::Karta& karta) {
  const workload::Workload& workload = report.workloads[index];
  DefinitionReading reading;
  reading.kind = workload.kind;
  reading.name_space = workload.name_space;
  reading.name = workload.name;
  reading.definition = karta.name;
  reading.origin = OriginName(karta.origin);
  reading.source = karta.source;
  reading.fields = Reader(report, index, karta).Read();
  return reading;
}

Value ReadingsJson(const std::vector<DefinitionReading>& readings, Arena& arena) {
  auto text = [](std::string_view one) { return Value::String(one); };
  auto array = [&](const auto& list, auto of) {
    std::vector<Value> items;
    for (const auto& one : list) items.push_back(of(one));
    return json::MakeArray(arena, items);
  };
  auto of_field = [&](const FieldReading& field) {
    json::ObjectBuilder object;
    object.Add("field", text(field.field));
    object.Add("also", array(field.also, text));
    object.Add("expression", text(field.expression));
    object.Add("on", text(field.on));
    object.Add("yields", array(field.yields, [&](const FieldReading::Yield& yield) {
                 json::ObjectBuilder entry;
                 entry.Add("value", text(yield.value));
                 entry.Add("times", Value::Int(yield.times));
                 if (!yield.path.empty()) entry.Add("path", text(yield.path));
                 return entry.Finish(arena);
               }));
    if (!field.error.empty()) object.Add("error", text(field.error));
    if (field.failed > 0) object.Add("failed", Value::Int(field.failed));
    return object.Finish(arena);
  };
  json::ObjectBuilder list;
  list.Add("apiVersion", text("wmap/v1"));
  list.Add("kind", text("DefinitionReadingList"));
  list.Add("items", array(readings, [&](const DefinitionReading& reading) {
             json::ObjectBuilder object;
             object.Add("kind", text(reading.kind));
             object.Add("namespace", text(reading.name_space));
             object.Add("name", text(reading.name));
             object.Add("definition", text(reading.definition));
             object.Add("origin", text(reading.origin));
             object.Add("source", text(reading.source));
             object.Add("fields", array(reading.fields, of_field));
             return object.Finish(arena);
           }));
  return list.Finish(arena);
}

}  // namespace wmap::inspect
