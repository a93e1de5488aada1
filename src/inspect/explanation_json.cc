#include "inspect/explanation_json.h"

#include <string>
#include <vector>

#include "base/text.h"
#include "base/time.h"

namespace wmap::inspect {
namespace {

using json::MakeArray;
using json::MakeString;
using json::ObjectBuilder;
using json::Value;

Value Text(std::string_view text) { return Value::String(text); }
Value Number(std::int64_t number) { return Value::Int(number); }

class Renderer {
 public:
  explicit Renderer(Arena& arena) : arena_(arena) {}

  template <typename List, typename F>
  Value Each(const List& list, F of) {
    std::vector<Value> items;
    for (const auto& one : list) items.push_back(of(one));
    return MakeArray(arena_, items);
  }
  Value Texts(const std::vector<std::string>& texts) { return Each(texts, Text); }

  Value Of(const ValueRead& read) {
    ObjectBuilder object;
    object.Add("path", Text(read.path));
    object.Add("value", Text(read.value));
    object.Add("absent", Value::Bool(read.is_absent));
    return object.Finish(arena_);
  }

  Value Of(const MatcherPart& part) {
    ObjectBuilder object;
    object.Add("asked", Text(part.asked));
    object.Add("what", Text(part.what));
    object.Add("expected", Text(part.expected));
    object.Add("found", part.is_absent ? Value() : Text(part.found));
    object.Add("holds", Value::Bool(part.holds));
    if (!part.error.empty()) object.Add("error", Text(part.error));
    object.Add("reads", Each(part.reads, [&](const ValueRead& one) { return Of(one); }));
    return object.Finish(arena_);
  }

  Value Of(const MappingEvidence& mapping) {
    ObjectBuilder object;
    object.Add("mapping", Text(mapping.name));
    object.Add("phase", Text(PhaseName(mapping.phase)));
    object.Add("parts", Each(mapping.parts, [&](const MatcherPart& one) { return Of(one); }));
    return object.Finish(arena_);
  }

  Value Of(const RoleStanding& role, bool pods_known) {
    ObjectBuilder object;
    object.Add("role", Text(role.role));
    object.Add("wanted", Text(role.wanted));
    if (pods_known) {
      object.Add("ready", Number(role.serving));
      object.Add("unscheduled", Number(role.unscheduled));
      object.Add("starting", Number(role.starting));
      object.Add("failing", Number(role.failing));
      object.Add("missing", Number(role.missing));
      object.Add("succeeded", Number(role.succeeded));
    }
    return object.Finish(arena_);
  }

  Value Of(const GangStanding& gang) {
    ObjectBuilder object;
    object.Add("object", Text(gang.object));
    object.Add("minimum", Number(gang.minimum));
    object.Add("observed", Number(gang.exist));
    object.Add("placed", Number(gang.placed));
    object.Add("gpus", Number(gang.gpus));
    return object.Finish(arena_);
  }

  Value Of(const Cause& cause) {
    ObjectBuilder object;
    object.Add("code", Text(CauseCode(cause.kind)));
    object.Add("summary", Text(cause.summary));
    if (cause.since != 0) object.Add("since", MakeString(arena_, TimeText(cause.since)));
    object.Add("advice", Text(cause.advice));
    object.Add("details", Texts(cause.details));
    object.Add("roles", Texts(cause.roles));
    object.Add("pods", Texts(cause.pods));
    object.Add("commands", Texts(cause.commands));
    return object.Finish(arena_);
  }

  Value Of(const EventGroup& event) {
    ObjectBuilder object;
    object.Add("reason", Text(event.reason));
    object.Add("message", Text(event.message));
    object.Add("object", Text(event.object));
    object.Add("objects", Number(event.objects));
    object.Add("count", Number(event.count));
    object.Add("lastSeen",
               event.last_seen == 0 ? Value() : MakeString(arena_, TimeText(event.last_seen)));
    return object.Finish(arena_);
  }

  Value Of(const Explanation& one) {
    ObjectBuilder object;
    object.Add("apiVersion", Text(one.api_version));
    object.Add("kind", Text(one.kind));
    object.Add("namespace", Text(one.name_space));
    object.Add("name", Text(one.name));
    object.Add("summary", Text(one.summary));
    object.Add("status", Status(one));
    object.Add("evidence", Evidence(one));
    object.Add("roles",
               Each(one.roles, [&](const RoleStanding& r) { return Of(r, one.pods_known); }));
    if (one.without_role > 0) object.Add("podsWithoutRole", Number(one.without_role));
    object.Add("gangs", Each(one.gangs, [&](const GangStanding& gang) { return Of(gang); }));
    object.Add("causes", Each(one.causes, [&](const Cause& cause) { return Of(cause); }));
    object.Add("events", Each(one.events, [&](const EventGroup& event) { return Of(event); }));
    object.Add("unseen", Each(one.unseen, [&](const Unseen& unseen) {
                 ObjectBuilder entry;
                 entry.Add("what", Text(unseen.what));
                 entry.Add("why", Text(unseen.why));
                 return entry.Finish(arena_);
               }));
    object.Add("diagnostics", Diagnostics(one.remarks));
    object.Add("commands", Texts(one.commands));
    return object.Finish(arena_);
  }

  Value Diagnostics(const std::vector<workload::Diagnostic>& diagnostics) {
    return Each(diagnostics, [&](const workload::Diagnostic& one) {
      ObjectBuilder entry;
      entry.Add("severity", Text(SeverityName(one.severity)));
      entry.Add("code", Text(one.code));
      entry.Add("message", Text(one.message));
      entry.Add("source", Text(one.source));
      return entry.Finish(arena_);
    });
  }

 private:
  Value Status(const Explanation& one) {
    ObjectBuilder object;
    object.Add("phase", Text(PhaseName(one.status.phase)));
    object.Add("reason", Text(one.status.reason));
    object.Add("message", Text(one.status.message));
    if (one.status.stale) object.Add("stale", Value::Bool(true));
    if (one.status.deleting) object.Add("deleting", Value::Bool(true));
    return object.Finish(arena_);
  }

  Value Evidence(const Explanation& one) {
    ObjectBuilder object;
    object.Add("from", Text(one.status.from_pods ? "object+pods" : "object"));
    object.Add("rule", Text(one.rule));
    object.Add("definition", Text(one.definition));
    object.Add("origin", Text(one.origin));
    object.Add("byObject", Text(PhaseName(one.evidence.by_object)));
    object.Add("matched",
               Each(one.evidence.matched, [&](const MappingEvidence& m) { return Of(m); }));
    object.Add("nearMisses",
               Each(one.evidence.near_misses, [&](const MappingEvidence& m) { return Of(m); }));
    return object.Finish(arena_);
  }

  Arena& arena_;
};

}  // namespace

Value ExplanationsJson(std::span<const Explanation> explanations, const Report& report,
                       Arena& arena) {
  Renderer renderer(arena);
  ObjectBuilder object;
  object.Add("apiVersion", Text("wmap/v1"));
  object.Add("kind", Text("ExplanationList"));
  object.Add("complete", Value::Bool(report.complete));
  object.Add("items",
             renderer.Each(explanations, [&](const Explanation& one) { return renderer.Of(one); }));
  object.Add("diagnostics", renderer.Diagnostics(report.diagnostics));
  return object.Finish(arena);
}

}  // namespace wmap::inspect
