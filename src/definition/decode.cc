#include "definition/decode.h"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "definition/decoder.h"

namespace wmap::definition {
namespace {

using json::Value;

void Read(Decoder& d, const Value& value, ConditionsDefinition& to);
void Read(Decoder& d, const Value& value, GroupVersionKind& to);
void Read(Decoder& d, const Value& value, SpecDefinition& to);
void Read(Decoder& d, const Value& value, FragmentedPodSpec& to);
void Read(Decoder& d, const Value& value, ScaleDefinition& to);
void Read(Decoder& d, const Value& value, StatusDefinition& to);
void Read(Decoder& d, const Value& value, Matcher& to);
void Read(Decoder& d, const Value& value, ExpectedCondition& to);
void Read(Decoder& d, const Value& value, ExpectedResult& to);
void Read(Decoder& d, const Value& value, SuspendDefinition& to);
void Read(Decoder& d, const Value& value, SuspendAction& to);
void Read(Decoder& d, const Value& value, PodSelector& to);
void Read(Decoder& d, const Value& value, TypeSelector& to);
void Read(Decoder& d, const Value& value, Component& to);
void Read(Decoder& d, const Value& value, Topology& to);
void Read(Decoder& d, const Value& value, SubGroup& to);
void Read(Decoder& d, const Value& value, PodGroup& to);
void Read(Decoder& d, const Value& value, GroupMember& to);
void Read(Decoder& d, const Value& value, MemberGroup& to);
void Read(Decoder& d, const Value& value, GangScheduling& to);

template <typename T>
void Read(Decoder& d, const Value& value, std::optional<T>& to) {
  T read;
  Read(d, value, read);
  // What is of the wrong type is as if it were not there.
  bool fits = std::is_same_v<T, std::string> ? value.is_string() : value.is_object();
  if (fits) to = std::move(read);
}

template <typename T>
void Read(Decoder& d, const Value& value, std::vector<T>& to) {
  d.List(value, [&](const Value& item) { Read(d, item, to.emplace_back()); });
}

void Read(Decoder& d, const Value& value, std::vector<std::pair<std::string, std::string>>& to) {
  d.Map(value, [&](const json::Member& member) {
    std::string text;
    Read(d, member.value, text);
    to.emplace_back(member.key, std::move(text));
  });
  std::sort(to.begin(), to.end());
}

template <typename T>
struct MemberPointer;
template <typename Class, typename Type>
struct MemberPointer<Type Class::*> {
  using Owner = Class;
};

// The field of one struct member.
template <auto kMember>
constexpr Field Of(std::string_view name, bool is_required = false, bool may_be_null = false) {
  return {name,
          [](Decoder& d, const Value& value, void* to) {
            using Owner = typename MemberPointer<decltype(kMember)>::Owner;
            Read(d, value, static_cast<Owner*>(to)->*kMember);
          },
          is_required, may_be_null};
}

constexpr bool kRequired = true;

void ReadReasonField(Decoder& d, const Value& value, void* to) {
  auto& conditions = *static_cast<ConditionsDefinition*>(to);
  conditions.names_reason_field = true;
  Read(d, value, conditions.reason_field);
}

void Read(Decoder& d, const Value& value, ConditionsDefinition& to) {
  // The API server drops a null of a field that has a default.
  constexpr bool kDefaulted = true;
  static constexpr Field kFields[] = {
      Of<&ConditionsDefinition::path>("path", kRequired),
      Of<&ConditionsDefinition::type_field>("typeFieldName", false, kDefaulted),
      Of<&ConditionsDefinition::status_field>("statusFieldName", false, kDefaulted),
      Of<&ConditionsDefinition::message_field>("messageFieldName", false, kDefaulted),
      {"reasonFieldName", ReadReasonField, false, kDefaulted},
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, GroupVersionKind& to) {
  static constexpr Field kFields[] = {
      Of<&GroupVersionKind::group>("group", kRequired),
      Of<&GroupVersionKind::version>("version", kRequired),
      Of<&GroupVersionKind::kind>("kind", kRequired),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, FragmentedPodSpec& to) {
  static constexpr Field kFields[] = {
      Of<&FragmentedPodSpec::scheduler_name>("schedulerNamePath"),
      Of<&FragmentedPodSpec::labels>("labelsPath"),
      Of<&FragmentedPodSpec::annotations>("annotationsPath"),
      Of<&FragmentedPodSpec::resources>("resourcesPath"),
      Of<&FragmentedPodSpec::resource_claims>("resourceClaimsPath"),
      Of<&FragmentedPodSpec::pod_affinity>("podAffinityPath"),
      Of<&FragmentedPodSpec::node_affinity>("nodeAffinityPath"),
      Of<&FragmentedPodSpec::containers>("containersPath"),
      Of<&FragmentedPodSpec::container>("containerPath"),
      Of<&FragmentedPodSpec::priority_class_name>("priorityClassNamePath"),
      Of<&FragmentedPodSpec::image>("imagePath"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, SpecDefinition& to) {
  static constexpr Field kFields[] = {
      Of<&SpecDefinition::pod_template>("podTemplateSpecPath"),
      Of<&SpecDefinition::pod_spec>("podSpecPath"),
      Of<&SpecDefinition::metadata>("metadataPath"),
      Of<&SpecDefinition::fragmented>("fragmentedPodSpecDefinition"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, ScaleDefinition& to) {
  static constexpr Field kFields[] = {
      Of<&ScaleDefinition::replicas>("replicasPath"),
      Of<&ScaleDefinition::min_replicas>("minReplicasPath"),
      Of<&ScaleDefinition::max_replicas>("maxReplicasPath"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, ExpectedCondition& to) {
  static constexpr Field kFields[] = {
      Of<&ExpectedCondition::type>("type", kRequired),
      Of<&ExpectedCondition::status>("status"),
      Of<&ExpectedCondition::reason>("reason"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, ExpectedResult& to) {
  static constexpr Field kFields[] = {
      Of<&ExpectedResult::expression>("expression", kRequired),
      Of<&ExpectedResult::result>("expectedResult", kRequired),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, Matcher& to) {
  static constexpr Field kFields[] = {
      Of<&Matcher::by_phase>("byPhase"),
      Of<&Matcher::by_conditions>("byConditions"),
      Of<&Matcher::by_expression>("byExpression"),
  };
  d.Object(value, kFields, &to);
}

template <Status kStatus>
constexpr Field MappingOf(std::string_view key) {
  return {key, [](Decoder& d, const Value& value, void* to) {
            Read(d, value,
                 static_cast<StatusDefinition*>(to)->mappings[static_cast<std::size_t>(kStatus)]);
          }};
}

void ReadMappings(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      MappingOf<Status::kInitializing>("initializing"), MappingOf<Status::kRunning>("running"),
      MappingOf<Status::kCompleted>("completed"),       MappingOf<Status::kFailed>("failed"),
      MappingOf<Status::kDegraded>("degraded"),         MappingOf<Status::kSuspended>("suspended"),
      MappingOf<Status::kSuspending>("suspending"),     MappingOf<Status::kResuming>("resuming"),
  };
  d.Object(value, kFields, to);
}

void ReadPhase(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {Of<&StatusDefinition::phase>("path", kRequired)};
  d.Object(value, kFields, to);
}

void Read(Decoder& d, const Value& value, StatusDefinition& to) {
  static constexpr Field kFields[] = {
      {"phaseDefinition", ReadPhase},
      Of<&StatusDefinition::conditions>("conditionsDefinition"),
      {"statusMappings", ReadMappings, kRequired},
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, SuspendAction& to) {
  static constexpr Field kFields[] = {
      Of<&SuspendAction::path>("path", kRequired),
      Of<&SuspendAction::value>("value", kRequired),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, SuspendDefinition& to) {
  static constexpr Field kFields[] = {
      Of<&SuspendDefinition::suspend_actions>("suspendActions", kRequired),
      Of<&SuspendDefinition::resume_actions>("resumeActions", kRequired),
  };
  d.Object(value, kFields, &to);
}

void ReadMatchLabels(Decoder& d, const Value& value, void* to) {
  Read(d, value, static_cast<TypeSelector*>(to)->match_labels);
  if (value.is_object() && value.size() == 0) d.Empty();
}

void Read(Decoder& d, const Value& value, TypeSelector& to) {
  static constexpr Field kFields[] = {
      Of<&TypeSelector::key_path>("keyPath"),
      Of<&TypeSelector::value>("value"),
      {"matchLabels", ReadMatchLabels},
  };
  d.Object(value, kFields, &to);
}

void ReadInstanceSelector(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {Of<&PodSelector::instance_id>("idPath", kRequired)};
  static_cast<PodSelector*>(to)->has_instance_selector = true;
  d.Object(value, kFields, to);
}

void ReadReplicaSelector(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {Of<&PodSelector::replica_key>("keyPath", kRequired)};
  static_cast<PodSelector*>(to)->has_replica_selector = true;
  d.Object(value, kFields, to);
}

void Read(Decoder& d, const Value& value, PodSelector& to) {
  static constexpr Field kFields[] = {
      Of<&PodSelector::type>("componentTypeSelector"),
      {"componentInstanceSelector", ReadInstanceSelector},
      {"replicaSelector", ReadReplicaSelector},
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, Component& to) {
  // A missing name is rule V8, and says more there.
  static constexpr Field kFields[] = {
      Of<&Component::name>("name"),
      Of<&Component::kind>("kind"),
      Of<&Component::owner_ref>("ownerRef"),
      Of<&Component::spec>("specDefinition"),
      Of<&Component::scale>("scaleDefinition"),
      Of<&Component::status>("statusDefinition"),
      Of<&Component::suspend>("suspendDefinition"),
      Of<&Component::instance_id_path>("instanceIdPath"),
      Of<&Component::pod_selector>("podSelector"),
  };
  to.pointer = d.pointer();
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, Topology& to) {
  static constexpr Field kFields[] = {
      Of<&Topology::name>("topologyName", kRequired),
      Of<&Topology::preferred_level>("preferredTopologyLevel", kRequired),
      Of<&Topology::required_level>("requiredTopologyLevel", kRequired),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, SubGroup& to) {
  static constexpr Field kFields[] = {
      Of<&SubGroup::component>("componentName", kRequired),
      Of<&SubGroup::topology>("topology"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, PodGroup& to) {
  static constexpr Field kFields[] = {
      Of<&PodGroup::name>("name", kRequired),
      Of<&PodGroup::sub_groups>("subGroups"),
      Of<&PodGroup::topology>("topology"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, GroupMember& to) {
  static constexpr Field kFields[] = {
      Of<&GroupMember::component>("componentName", kRequired),
      Of<&GroupMember::group_by>("groupByKeyPaths"),
      Of<&GroupMember::filters>("filters"),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, MemberGroup& to) {
  static constexpr Field kFields[] = {
      Of<&MemberGroup::name>("name", kRequired),
      Of<&MemberGroup::members>("members", kRequired),
  };
  d.Object(value, kFields, &to);
}

void Read(Decoder& d, const Value& value, GangScheduling& to) {
  static constexpr Field kFields[] = {
      Of<&GangScheduling::pod_group>("podGroup"),
      Of<&GangScheduling::pod_groups>("podGroups"),
  };
  d.Object(value, kFields, &to);
}

// The document above the components, whose parts end up in several places.

Karta& KartaOf(void* to) { return static_cast<Decoded*>(to)->karta; }

void ReadRoot(Decoder& d, const Value& value, void* to) {
  Decoded& decoded = *static_cast<Decoded*>(to);
  decoded.has_root = value.is_object();
  Component root;
  Read(d, value, root);
  // The root comes first, wherever it stands in the document.
  if (decoded.has_root) {
    decoded.karta.components.insert(decoded.karta.components.begin(), std::move(root));
  }
}

// Without spec, structure or root there is no definition, which is rule V1.
void ReadStructure(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"rootComponent", ReadRoot},
      {"childComponents", [](Decoder& decoder, const Value& list,
                             void* target) { Read(decoder, list, KartaOf(target).components); }},
      {"additionalChildKinds",
       [](Decoder& decoder, const Value& list, void* target) {
         Read(decoder, list, KartaOf(target).additional_child_kinds);
       }},
  };
  d.Object(value, kFields, to);
}

void ReadInstructions(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"gangScheduling", [](Decoder& decoder, const Value& gang, void* target) {
         Read(decoder, gang, KartaOf(target).gang);
       }}};
  d.Object(value, kFields, to);
}

void ReadSpec(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"structureDefinition", ReadStructure},
      {"optimizationInstructions", ReadInstructions},
  };
  d.Object(value, kFields, to);
}

void ReadName(Decoder& d, const Value& value, void* to) { Read(d, value, KartaOf(to).name); }

void ReadLabels(Decoder& d, const Value& value, void* /*to*/) {
  std::vector<std::pair<std::string, std::string>> labels;
  Read(d, value, labels);
}

void ReadAnnotations(Decoder& d, const Value& value, void* to) {
  d.Map(value, [&](const json::Member& member) {
    std::string text;
    Read(d, member.value, text);
    if (member.key == kExtensionsAnnotation && member.value.is_string()) {
      static_cast<Decoded*>(to)->extensions = member.value;
    }
  });
}

// A field that any value may stand in.
constexpr Field Any(std::string_view name) { return {name, nullptr, false, true}; }

void ReadMetadata(Decoder& d, const Value& value, void* to) {
  static constexpr Field kFields[] = {
      {"name", ReadName, kRequired},
      {"labels", ReadLabels, false, true},
      {"annotations", ReadAnnotations, false, true},
      Any("generateName"),
      Any("namespace"),
      Any("uid"),
      Any("resourceVersion"),
      Any("generation"),
      Any("creationTimestamp"),
      Any("deletionTimestamp"),
      Any("deletionGracePeriodSeconds"),
      Any("finalizers"),
      Any("ownerReferences"),
      Any("managedFields"),
      Any("selfLink"),
  };
  d.Object(value, kFields, to);
}

}  // namespace

Decoded Decode(const json::Value& document, Report& report) {
  static constexpr Field kFields[] = {
      Any("apiVersion"), Any("kind"),        {"metadata", ReadMetadata, kRequired},
      Any("status"),     {"spec", ReadSpec},
  };
  Decoded decoded;
  Decoder(report).Object(document, kFields, &decoded);
  return decoded;
}

}  // namespace wmap::definition
