#include "definition/extensions.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/decoder.h"
#include "definition/expressions.h"
#include "definition/report.h"
#include "definition/rule_list.h"
#include "json/reader.h"
#include "json/source_map.h"

namespace wmap::definition {
namespace {

using json::Value;

void ReadRole(Decoder& d, const Value& value, void* to) {
  Read(d, value, static_cast<Component*>(to)->role);
  if (value.is_string() && value.size() == 0) d.Empty();
}

void ReadCounts(Decoder& d, const Value& value, void* to) {
  std::string_view text = value.text_or_empty();
  Counts& counts = static_cast<Component*>(to)->counts;
  if (text == "workload") {
    counts = Counts::kWorkload;
  } else if (text == "owner") {
    counts = Counts::kOwner;
  } else {
    d.report().Add(
        {Severity::kError, "extension-value", "counts must be \"workload\" or \"owner\"",
         "it says what the counts are per: the whole workload, or one copy of the owner"},
        d.pointer(), Report::Part::kValue);
  }
}

template <typename Owner, Expression Owner::* kMember>
void ReadExpression(Decoder& d, const Value& value, void* to) {
  Expression& expression = static_cast<Owner*>(to)->*kMember;
  Read(d, value, expression);
  if (value.is_string() && value.size() == 0) d.Empty();
  ExpressionChecker(d.report(), /*quiet=*/false).Check(expression);
}

void ReadPodInstance(Decoder& d, const Value& value, void* to) {
  Component& component = *static_cast<Component*>(to);
  ReadExpression<Component, &Component::pod_instance>(d, value, to);
  if (component.has_instances()) return;
  d.report().Add(
      {Severity::kError, "extension-value", "podInstance, but the component has no instances", {}},
      d.pointer());
}

// A text that may be empty, as the name of the core group is.
template <typename Owner, std::string Owner::* kMember>
void ReadText(Decoder& d, const Value& value, void* to) {
  Read(d, value, static_cast<Owner*>(to)->*kMember);
}

template <typename Owner, bool Owner::* kMember>
void ReadFlag(Decoder& d, const Value& value, void* to) {
  if (!value.is_bool()) d.WrongType(value, "true or false");
  static_cast<Owner*>(to)->*kMember = value.is_true();
}

template <typename Owner, std::vector<std::string> Owner::* kMember>
void ReadTexts(Decoder& d, const Value& value, void* to) {
  d.List(value, [&](const Value& item) {
    Read(d, item, (static_cast<Owner*>(to)->*kMember).emplace_back());
    if (item.is_string() && item.size() == 0) d.Empty();
  });
}

void ReadOneChildScale(Decoder& d, const Value& value, Component& component) {
  static constexpr Field kFields[] = {
      {"group", ReadText<ChildScale, &ChildScale::group>},
      {"kind", ReadText<ChildScale, &ChildScale::kind>, /*is_required=*/true},
      {"instance", ReadExpression<ChildScale, &ChildScale::instance>},
      {"copy", ReadExpression<ChildScale, &ChildScale::copy>},
      {"replicas", ReadExpression<ChildScale, &ChildScale::replicas>, /*is_required=*/true},
      {"bounded", ReadFlag<ChildScale, &ChildScale::is_bounded>},
  };
  ChildScale scale;
  d.Object(value, kFields, &scale);
  if (scale.kind.empty() || !scale.replicas) return;
  if (component.has_instances() != static_cast<bool>(scale.instance)) {
    d.report().Add({Severity::kError,
                    "extension-value",
                    component.has_instances()
                        ? "childScale lacks \"instance\": which instance an object is about"
                        : "childScale has \"instance\", but the component has no instances",
                    {}},
                   d.pointer());
    return;
  }
  component.child_scales.push_back(std::move(scale));
}

// One kind, or a list of them.
void ReadChildScale(Decoder& d, const Value& value, void* to) {
  Component& component = *static_cast<Component*>(to);
  if (!value.is_array()) return ReadOneChildScale(d, value, component);
  d.List(value, [&](const Value& item) { ReadOneChildScale(d, item, component); });
}

Component* FindComponent(Karta& karta, std::string_view name) {
  for (Component& component : karta.components) {
    if (component.name == name) return &component;
  }
  return nullptr;
}

void ReportUnknown(Decoder& d, const Karta& karta, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Component& component : karta.components) names.push_back(component.name);
  std::string_view near = Nearest(name, names);
  d.report().Add({Severity::kError, "extension-component",
                  Cat("the definition has no component ", Quote(name)),
                  near.empty() ? std::string() : Cat("did you mean ", Quote(near), "?")},
                 d.pointer());
}

void ReadComponents(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"role", ReadRole},
      {"counts", ReadCounts},
      {"wanted", ReadExpression<Component, &Component::wanted>},
      {"active", ReadExpression<Component, &Component::active>},
      {"exists", ReadExpression<Component, &Component::exists>},
      {"ownerInstance", ReadExpression<Component, &Component::owner_instance>},
      {"childScale", ReadChildScale},
      {"startsAfter", ReadExpression<Component, &Component::starts_after>},
      {"startsByIndex", ReadExpression<Component, &Component::starts_by_index>},
      {"described", ReadExpression<Component, &Component::described>},
      {"createdLater", ReadExpression<Component, &Component::created_later>},
      {"podInstance", ReadPodInstance},
      {"wraps", ReadExpression<Component, &Component::wraps>},
  };
  Karta& karta = *static_cast<Karta*>(to);
  d.Map(value, [&](const json::Member& member) {
    Component* component = FindComponent(karta, member.key);
    if (component == nullptr) return ReportUnknown(d, karta, member.key);
    d.Object(member.value, kFields, component);
  });
}

void ReadStatus(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"reason", ReadExpression<Karta, &Karta::status_reason>},
      {"message", ReadExpression<Karta, &Karta::status_message>},
      {"holdsOnReadyPods", ReadExpression<Karta, &Karta::status_holds>},
  };
  d.Object(value, kFields, to);
}

void ReadGang(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"subGroupPerRole", ReadFlag<Karta, &Karta::gang_by_role>},
      {"expandInstances", ReadFlag<Karta, &Karta::gang_by_instance>},
  };
  d.Object(value, kFields, to);
}

void ReadObjects(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"group", ReadText<ObjectRead, &ObjectRead::group>},
      {"kind", ReadText<ObjectRead, &ObjectRead::kind>, /*is_required=*/true},
      {"name", ReadExpression<ObjectRead, &ObjectRead::name>},
  };
  d.List(value, [&](const Value& item) {
    d.Object(item, kFields, &static_cast<Karta*>(to)->objects.emplace_back());
  });
}

void ReadReason(Decoder& d, const Value& value, void* to) {
  Read(d, value, static_cast<Silence*>(to)->reason);
  if (value.is_string() && value.size() == 0) d.Empty();
}

// ".spec.roles" as its fields.
void ReadFields(Decoder& d, const Value& value, void* to) {
  std::string text;
  Read(d, value, text);
  std::vector<std::string>& fields = static_cast<KnownKeys*>(to)->at;
  bool is_path = text.starts_with('.');
  for (std::size_t begin = 1; is_path && begin <= text.size();) {
    std::size_t end = std::min(text.find('.', begin), text.size());
    fields.push_back(text.substr(begin, end - begin));
    is_path = !fields.back().empty();
    begin = end + 1;
  }
  if (!value.is_string() || (is_path && !fields.empty())) return;
  d.report().Add({Severity::kError, "extension-value", "\"at\" is no path of fields",
                  "it is written as \".spec.replicaSpecs\""},
                 d.pointer(), Report::Part::kValue);
}

void ReadKeys(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"at", ReadFields, /*is_required=*/true},
      {"known", ReadTexts<KnownKeys, &KnownKeys::known>, /*is_required=*/true},
      {"anyCase", ReadFlag<KnownKeys, &KnownKeys::any_case>},
  };
  d.List(value, [&](const Value& item) {
    d.Object(item, kFields, &static_cast<Karta*>(to)->keys.emplace_back());
  });
}

// "" when it may be silenced there.
std::string FaultOf(const Silence& silence, const Karta& karta) {
  const Rule* rule = FindRule(silence.rule);
  if (rule == nullptr) return Cat("there is no rule ", Quote(silence.rule));
  if (!rule->can_be_silenced()) {
    return Cat("findings of ", silence.rule, " make the definition unusable, and stay");
  }
  bool is_place = silence.at.starts_with('/') || silence.at.starts_with('.');
  if (is_place || karta.Find(silence.at) != nullptr) return {};
  return Cat(Quote(silence.at), " is no pointer (/spec/…), no path (.spec.a) and no component");
}

void ReadSilences(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"rule", ReadText<Silence, &Silence::rule>, /*is_required=*/true},
      {"at", ReadText<Silence, &Silence::at>, /*is_required=*/true},
      {"reason", ReadReason, /*is_required=*/true},
  };
  Karta& karta = *static_cast<Karta*>(to);
  d.List(value, [&](const Value& item) {
    Silence silence;
    d.Object(item, kFields, &silence);
    if (silence.rule.empty() || silence.at.empty() || silence.reason.empty()) return;
    std::string fault = FaultOf(silence, karta);
    if (!fault.empty()) {
      std::vector<std::string_view> names;
      for (const Rule& rule : Rules()) names.push_back(rule.id);
      std::string_view near = FindRule(silence.rule) ? "" : Nearest(silence.rule, names);
      d.report().Add({Severity::kError, "extension-value", std::move(fault),
                      near.empty() ? std::string() : Cat("did you mean ", Quote(near), "?")},
                     d.pointer(), Report::Part::kValue);
      return;
    }
    silence.pointer = d.pointer();
    silence.spot = d.report().SpotOf(d.pointer(), Report::Part::kValue);
    karta.silences.push_back(std::move(silence));
  });
}

}  // namespace

void ReadExtensions(std::string_view text, Karta& karta, Report& report) {
  static constexpr Field kFields[] = {
      {"components", ReadComponents},
      {"status", ReadStatus},
      {"minimum", ReadExpression<Karta, &Karta::minimum>},
      {"gang", ReadGang},
      {"keys", ReadKeys},
      {"objects", ReadObjects},
      {"testedWith", ReadTexts<Karta, &Karta::tested_with>},
      {"silenced", ReadSilences},
  };
  std::string pointer = "/metadata/annotations";
  json::AppendPointerToken(pointer, kExtensionsAnnotation);
  Arena arena;
  json::SourceMap places;
  Result<Value> value =
      json::Read(text, arena, {.refuse_duplicates = true, .max_depth = 100, .source_map = &places});
  if (!value) {
    report.AddInText({Severity::kError, "extension-syntax",
                      Cat(kExtensionsAnnotation, " is no JSON: ", value.error().message()),
                      "the annotation's text is one JSON object"},
                     pointer, text, value.error().range().value_or(SourceRange{0, text.size()}));
    return;
  }
  report.SetNested(pointer, text, places);
  Decoder(report, pointer).Object(*value, kFields, &karta);
  report.ClearNested();
}

}  // namespace wmap::definition
