#include "cli/drift.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "cli/case_runner.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/table.h"
#include "definition/api_version.h"
#include "json/reader.h"
#include "schema/prune.h"

namespace wmap::cli {
namespace {

using json::Value;

class DriftReader {
 public:
  DriftReader(const CheckOptions& options, const schema::Releases& releases,
              std::string_view release, const Context& context, Arena& arena)
      : options_(options),
        releases_(releases),
        release_(release),
        context_(context),
        arena_(arena) {}

  Drift Run(const ClusterSchemas* cluster, const std::vector<definition::GroupVersionKind>& kinds) {
    Drift drift;
    drift.has_looked = !options_.input.files.empty() || cluster != nullptr;
    if (!drift.has_looked) return drift;
    definition::Registry registry;
    if (options_.input.files.empty()) {
      drift.exit_code = ReadCluster(*cluster, kinds, registry);
    } else {
      InputOptions definitions = options_.input;
      definitions.definitions = options_.files;
      drift.exit_code = AddDefinitions(definitions, context_, registry);
      CaseRunner files(registry, context_);
      for (const std::string& problem :
           files.AddFiles(options_.input.files, [&](const Value& object) { Keep(object); })) {
        context_.err->Write(Cat("error: ", Safe(problem), '\n'));
        drift.exit_code = kUsage;
      }
    }
    CaseRunner before(registry, context_);
    CaseRunner after(registry, context_);
    for (const Value& object : objects_) {
      before.Add(object);
      after.Add(Upgraded(object));
    }
    Value readings[2] = {before.Reading(arena_), after.Reading(arena_)};
    drift.workloads = readings[0].Get("workloads").size();
    drift.changes = inspect::CompareReadings(readings[0], readings[1], arena_);
    return drift;
  }

 private:
  void Keep(const Value& object) { objects_.push_back(json::DeepCopy(arena_, object)); }

  // As the new release keeps it: of another version what is alike.
  Value Upgraded(const Value& object) const {
    std::string_view api_version = object.Get("apiVersion").text_or_empty();
    std::string_view version = api_version.substr(api_version.rfind('/') + 1);
    std::optional<schema::Schema> schema;
    for (const schema::Release& one :
         releases_.Of(definition::GroupOf(api_version), object.Get("kind").text_or_empty())) {
      if (one.name != release_ || !one.is_served) continue;
      if (!schema || one.version == version) schema = one.schema;
    }
    return schema ? schema::Pruned(object, *schema, arena_) : object;
  }

  // The workloads of `kinds` with what is below them; `registry` gets the definitions that they are
  // read by.
  int ReadCluster(const ClusterSchemas& schemas,
                  const std::vector<definition::GroupVersionKind>& kinds,
                  definition::Registry& registry) {
    InputOptions input = options_.input;
    input.definitions = options_.files;
    SelectOptions select;
    select.all_namespaces = true;
    for (const definition::GroupVersionKind& kind : kinds) {
      bool is_there = schemas.served().Find(kind.group, "", kind.kind) != nullptr;
      std::string target = kind.group.empty() ? kind.kind : Cat(kind.kind, '.', kind.group);
      bool is_known = std::ranges::find(select.targets, target) != select.targets.end();
      if (is_there && !is_known) select.targets.push_back(std::move(target));
    }
    if (select.targets.empty()) return kOk;
    select.targets = {Join(select.targets, ",")};
    auto cluster = Cluster::Open(input, select, Detail::kReasons, context_);
    if (!cluster) return cluster.error();
    if (std::optional<Refusal> refusal = (*cluster)->Check(select)) return Tell(*refusal, context_);
    Session session = (*cluster)->Read();
    if (session.report.sources) KeepAll(*session.report.sources);
    registry = std::move(session.registry);
    return session.exit_code;
  }

  void KeepAll(const inspect::Sources& sources) {
    auto keep = [&](std::string_view text) {
      Result<Value> object = json::Read(text, arena_);
      if (object) objects_.push_back(*object);
    };
    for (const inspect::WorkloadSources& workload : sources.workloads) {
      Result<Value> object = json::Read(workload.text, arena_);
      if (!object) continue;
      // Without the others that its definition has seen beside it.
      json::ObjectBuilder own;
      for (const json::Member& member : object->members()) {
        if (member.key != definition::kObjectsKey) own.Add(member.key, member.value);
      }
      objects_.push_back(own.Finish(arena_));
      for (const inspect::SourcePod& pod : workload.pods) keep(pod.text);
    }
    for (const inspect::SourceObject& object : sources.objects) keep(object.text);
  }

  const CheckOptions& options_;
  const schema::Releases& releases_;
  std::string_view release_;
  const Context& context_;
  Arena& arena_;
  std::vector<Value> objects_;
};

}  // namespace

Drift ReadDrift(const CheckOptions& options, const ClusterSchemas* cluster,
                const std::vector<definition::GroupVersionKind>& kinds,
                const schema::Releases& releases, std::string_view release, const Context& context,
                Arena& arena) {
  return DriftReader(options, releases, release, context, arena).Run(cluster, kinds);
}

}  // namespace wmap::cli
