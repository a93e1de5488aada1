// What comes of reading one object through one definition, both given as YAML text: for tests of
// the workload module and above. Mistakes in the texts of a test stop the program.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/api_version.h"
#include "definition/load.h"
#include "json/value.h"
#include "workload/interpret.h"
#include "yaml/reader.h"

namespace wmap::testing {

[[noreturn]] inline void DieOf(std::string_view what, std::string_view text) {
  std::fprintf(stderr, "%.*s in\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(text.size()), text.data());
  std::abort();
}

// The one document of `text`.
inline json::Value YamlOrDie(std::string_view text, Arena& arena) {
  Result<json::Value> value = yaml::Read(text, arena);
  if (!value) DieOf(value.error().Describe(), text);
  return *value;
}

// A definition of the kind FlowJob (mine.example.org/v2), from the fields of its root component
// besides name and kind, its child components and its extensions (JSON).
inline std::string FlowJobKarta(std::string_view root, std::string_view children = "",
                                std::string_view extensions = "{}") {
  std::string annotation;
  for (char c : extensions) annotation += c == '\'' ? std::string("''") : std::string(1, c);
  return Cat("{apiVersion: run.ai/v1alpha1, kind: Karta,\n",
             " metadata: {name: mine, annotations: {wmap.dev/extensions: '", annotation, "'}},\n",
             " spec: {structureDefinition: {\n  rootComponent: {name: flowjob,",
             " kind: {group: mine.example.org, version: v2, kind: FlowJob},\n", root,
             "},\n  childComponents: [", children, "]}}}");
}

// An object of that kind.
inline std::string FlowJob(std::string_view fields) {
  return Cat("{apiVersion: mine.example.org/v2, kind: FlowJob,\n",
             " metadata: {name: north-shaft, namespace: mine, uid: u-1},\n", fields, "}");
}

class Reading {
 public:
  // Without `pods` (a YAML list of manifests) no pods are known; an empty list says that there are
  // none.
  // `children` is a list of the objects below it that carry counts of their own.
  Reading(std::string_view karta, std::string_view object,
          std::optional<std::string_view> pods = std::nullopt, std::string_view children = "[]") {
    definition::LoadOptions options;
    options.mode = definition::Mode::kLenient;
    definition::Loaded loaded = definition::Load(YamlOrDie(karta, arena_), options);
    if (loaded.karta == nullptr) DieOf("no definition", karta);
    karta_ = std::move(loaded.karta);
    findings_ = std::move(loaded.findings);
    Interpret(YamlOrDie(object, arena_), pods, YamlOrDie(children, arena_));
  }

  const definition::Karta& karta() const { return *karta_; }
  const std::vector<definition::Finding>& findings() const { return findings_; }
  const workload::Workload& workload() const { return workload_; }

  // "Running, Degraded": all that match.
  std::string phases() const {
    std::vector<std::string> names;
    for (workload::Phase phase : workload_.status.phases) names.emplace_back(PhaseName(phase));
    return Join(names, ", ");
  }
  std::string phase() const { return std::string(PhaseName(workload_.status.phase)); }

  // "haul 4, sort 1": roles and the pods that they ask for.
  std::string roles() const {
    std::vector<std::string> texts;
    for (const workload::Role& role : workload_.roles) {
      texts.push_back(Cat(role.role, ' ', role.tally.pods.desired.text()));
    }
    return Join(texts, ", ");
  }
  const workload::Role& role(std::string_view name) const {
    auto found = std::ranges::find(workload_.roles, name, &workload::Role::role);
    if (found == workload_.roles.end()) DieOf(Cat("no role ", name), roles());
    return *found;
  }
  // The role of the only pod, "crew/0" with its copy, or "none".
  std::string role_of_pod() const {
    for (const workload::Role& role : workload_.roles) {
      if (!role.pods.empty()) return Cat(role.role, CopyOf(role));
    }
    return "none";
  }

  // "count-mismatch status": the codes in order.
  std::string codes() const {
    std::vector<std::string> codes;
    for (const workload::Diagnostic& diagnostic : workload_.diagnostics) {
      codes.push_back(diagnostic.code);
    }
    return Join(codes, " ");
  }
  // The messages, one on a line.
  std::string messages() const {
    std::string text;
    for (const workload::Diagnostic& diagnostic : workload_.diagnostics) {
      CatTo(text, diagnostic.message, '\n');
    }
    return text;
  }

 private:
  void Interpret(const json::Value& object, std::optional<std::string_view> pods,
                 const json::Value& children) {
    std::vector<workload::ChildRef> child_references;
    for (const json::Value& child : children.items()) {
      child_references.push_back({definition::GroupOf(child.Get("apiVersion").text_or_empty()),
                                  child.Get("kind").text_or_empty(), child});
    }
    std::vector<workload::PodRef> references;
    if (pods) {
      json::Value list = YamlOrDie(*pods, arena_);
      if (!list.is_array()) DieOf("no list of pods", *pods);
      for (const json::Value& manifest : list.items()) {
        facts_.push_back(workload::ReadPod(manifest, accelerators_, texts_));
        references.push_back({&facts_.back(), manifest});
      }
    }
    workload::InterpretOptions options;
    options.accelerators = &accelerators_;
    options.pods_known = pods.has_value();
    workload_ =
        workload::Interpreter(options).Interpret(*karta_, object, references, child_references);
  }

  std::string CopyOf(const workload::Role& role) const {
    std::string key;
    auto visit = [&](auto& self, const std::vector<workload::Component>& components) -> void {
      for (const workload::Component& component : components) {
        for (const workload::Instance& instance : component.instances) {
          for (const workload::Replica& replica : instance.replicas) {
            if (!replica.pods.empty() && replica.pods[0] == role.pods[0]) key = replica.key;
          }
          self(self, instance.children);
        }
      }
    };
    visit(visit, workload_.components);
    return key.empty() ? std::string() : Cat('/', key);
  }

  Arena arena_;
  workload::AcceleratorTable accelerators_;
  std::unique_ptr<definition::Karta> karta_;
  std::vector<definition::Finding> findings_;
  TextPool texts_;
  std::deque<workload::PodFacts> facts_;
  workload::Workload workload_;
};

}  // namespace wmap::testing
