// Plans of pods, as data: tests/gang/*.yaml. Each case has the objects of a cluster, and for pods
// what their plans are, as we make them and, where that is different, as the reference does.
//
//   - name: two pods of a Deployment
//     row: 7                         of the specification's table, for the reader
//     objects: [{kind: …, metadata: {name: a, owner: Kind/name}}]
//     pods: [{metadata: {name: p, owner: "Kind/name"}}]
//     definitions: [{kind: Karta, …}], priorityClasses: [gold], defaults: '[…]',
//     forbidden: [Kind/name]         what the planner may not read
//     expect: {p: {name: pg-p-u-p, min: 1}}
//     compat: {p: {…}}               without it, as expected
//
// An object "a" has the uid "u-a" and is in namespace lab unless it says otherwise; `owner` is one
// or several of KIND/NAME, "!" behind it for the controller. `min` is the minimum of pods, `minSub`
// that of children, `groups` the subgroups: "master 1, worker of 2 (worker-0 2, worker-1 0)".
// `error` is a part of the message. Warnings have to be expected; of the reference they do not
// matter.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/load.h"
#include "gang/native.h"
#include "gang/planner.h"
#include "json/writer.h"
#include "tests/mutations/mutator.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"

namespace wmap::gang {
namespace {

using json::MakeString;
using json::ObjectBuilder;
using json::Value;

class Objects {
 public:
  explicit Objects(Arena& arena) : arena_(arena) {}

  // Completes the shorthand of an object.
  Value Complete(const Value& object, std::string_view kind, const std::vector<Value>& all) {
    Value given = object.Get("metadata");
    ObjectBuilder metadata;
    metadata.Add("namespace", Value::String("lab"));
    metadata.Add("uid", MakeString(arena_, Cat("u-", given.Get("name").text_or_empty())));
    if (given.is_object()) {
      for (const json::Member& member : given.members()) {
        if (member.key != "owner") metadata.Add(member.key, member.value);
      }
    }
    if (const Value* owner = given.Find("owner"))
      metadata.Add("ownerReferences", Owners(*owner, all));
    ObjectBuilder made;
    made.Add("apiVersion", Value::String("v1"));
    made.Add("kind", MakeString(arena_, kind));
    if (kind == "Pod") made.Add("spec", WithScheduler(Value()));
    for (const json::Member& member : object.members()) made.Add(member.key, member.value);
    made.Add("metadata", metadata.Finish(arena_));
    if (const Value* spec = object.Find("spec"); kind == "Pod" && spec != nullptr) {
      made.Add("spec", WithScheduler(*spec));
    }
    return made.Finish(arena_);
  }

 private:
  Value WithScheduler(const Value& spec) {
    ObjectBuilder made;
    made.Add("schedulerName", Value::String("kai-scheduler"));
    if (spec.is_object()) {
      for (const json::Member& member : spec.members()) made.Add(member.key, member.value);
    }
    return made.Finish(arena_);
  }

  Value Owners(const Value& owners, const std::vector<Value>& all) {
    std::vector<Value> references;
    if (owners.is_string()) {
      references.push_back(Reference(owners.as_string(), all));
    } else if (owners.is_array()) {
      for (const Value& owner : owners.items()) {
        references.push_back(Reference(owner.text_or_empty(), all));
      }
    }
    return json::MakeArray(arena_, references);
  }

  Value Reference(std::string_view text, const std::vector<Value>& all) {
    bool is_controller = text.ends_with('!');
    if (is_controller) text.remove_suffix(1);
    std::size_t slash = text.find('/');
    std::string_view kind = text.substr(0, slash);
    std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
    std::string_view api_version = "v1";
    std::string uid = Cat("u-", name);
    for (const Value& object : all) {
      if (object.Get("kind").text_or_empty() != kind || NameOf(object) != name) continue;
      api_version = object.Get("apiVersion").text_or_empty();
    }
    ObjectBuilder reference;
    reference.Add("apiVersion", MakeString(arena_, api_version));
    reference.Add("kind", MakeString(arena_, kind));
    reference.Add("name", MakeString(arena_, name));
    reference.Add("uid", MakeString(arena_, uid));
    if (is_controller) reference.Add("controller", Value::Bool(true));
    return reference.Finish(arena_);
  }

  Arena& arena_;
};

// What a case says of its cluster.
class FakeCluster : public Cluster {
 public:
  FakeCluster(const Value& one, Arena& arena) : one_(one) {
    Objects complete(arena);
    std::vector<Value> given = List("objects");
    std::vector<Value> all = given;
    for (const Value& pod : List("pods")) {
      all.push_back(complete.Complete(pod, "Pod", {}));
    }
    for (const Value& object : given) {
      objects_.push_back(complete.Complete(object, object.Get("kind").text_or_empty(), all));
    }
    for (const Value& pod : List("pods")) pods_.push_back(complete.Complete(pod, "Pod", all));
    objects_.insert(objects_.end(), pods_.begin(), pods_.end());
    for (const Value& definition : List("definitions")) {
      definition::LoadOptions options;
      options.mode = definition::Mode::kLenient;
      definition::Loaded loaded = definition::Load(definition, options);
      if (loaded.karta == nullptr) testing::DieOf("no definition", json::ToJson(definition));
      definitions_.push_back(std::move(loaded.karta));
    }
  }

  const std::vector<Value>& pods() const { return pods_; }

  Fetched<Value> Metadata(const ObjectKey& key) override { return Object(key); }
  Fetched<Value> Object(const ObjectKey& key) override {
    for (const Value& name : List("forbidden")) {
      if (name.text_or_empty() == Cat(key.kind, '/', key.name)) {
        return std::unexpected(Absence::kForbidden);
      }
    }
    for (const Value& object : objects_) {
      if (object.Get("kind").text_or_empty() == key.kind && NameOf(object) == key.name &&
          object.Get("apiVersion").text_or_empty() == key.api_version) {
        return object;
      }
    }
    return std::unexpected(Absence::kNotFound);
  }
  Fetched<std::vector<Value>> Pods(std::string_view) override { return pods_; }
  Fetched<std::vector<Value>> Groups(std::string_view) override {
    std::vector<Value> groups;
    for (const Value& object : objects_) {
      if (object.Get("kind").text_or_empty() == "PodGroup") groups.push_back(object);
    }
    return groups;
  }
  bool HasPriorityClass(std::string_view name) override {
    return std::ranges::any_of(List("priorityClasses"),
                               [&](const Value& each) { return each.text_or_empty() == name; });
  }
  std::string_view KindDefaults() override { return one_.Get("defaults").text_or_empty(); }
  std::vector<const definition::Karta*> Definitions(
      const definition::GroupVersionKind& kind) override {
    std::vector<const definition::Karta*> found;
    for (const auto& karta : definitions_) {
      if (karta->kind() == kind) found.push_back(karta.get());
    }
    return found;
  }

 private:
  std::vector<Value> List(std::string_view key) const {
    Value list = one_.Get(key);
    if (!list.is_array()) return {};
    return {list.items().begin(), list.items().end()};
  }

  Value one_;
  std::vector<Value> objects_;
  std::vector<Value> pods_;
  std::vector<std::unique_ptr<const definition::Karta>> definitions_;
};

std::string Shown(const Topology& topology) {
  return Cat(topology.name, ' ', topology.required.empty() ? "-" : topology.required, ' ',
             topology.preferred.empty() ? "-" : topology.preferred);
}

std::string Children(const Plan& plan, std::string_view parent) {
  std::vector<std::string> texts;
  for (const SubGroup& sub : plan.sub_groups) {
    if (sub.parent != parent) continue;
    std::string text = sub.min_member ? Cat(sub.name, ' ', *sub.min_member)
                                      : Cat(sub.name, " of ", sub.min_sub_group.value_or(-1), " (",
                                            Children(plan, sub.name), ")");
    if (!sub.topology.empty()) CatTo(text, " @", Shown(sub.topology));
    texts.push_back(std::move(text));
  }
  return Join(texts, ", ");
}

// The plan's fields as texts, "" for those that it does not have.
std::string FieldOf(const Planned& planned, std::string_view field) {
  const Plan& plan = planned.plan;
  if (field == "verdict") {
    constexpr std::string_view kVerdicts[] = {"planned", "other-scheduler", "skipped", "external",
                                              "going"};
    return std::string(kVerdicts[static_cast<std::size_t>(planned.verdict)]);
  }
  if (field == "name") return plan.name;
  if (field == "min") return plan.min_member ? Cat(*plan.min_member) : "";
  if (field == "minSub") return plan.min_sub_group ? Cat(*plan.min_sub_group) : "";
  if (field == "groups") return Children(plan, "");
  if (field == "in") return plan.pod_sub_group.value_or("");
  if (field == "queue") return plan.queue;
  if (field == "priority") return plan.priority_class;
  if (field == "preemptibility") return plan.preemptibility;
  if (field == "delay") return plan.preemption_delay;
  if (field == "grace") return plan.staleness_grace;
  if (field == "owner") return Cat(plan.owner.kind, '/', plan.owner.name);
  if (field == "topology") return Shown(plan.topology);
  if (field == "rule") return plan.rule_name;
  if (field == "warnings") {
    std::vector<std::string> codes;
    for (const Warning& warning : plan.warnings) codes.push_back(warning.code);
    return Join(codes, ", ");
  }
  auto text_of = [&](const Texts& texts, std::string_view key) {
    const std::string* text = FindText(texts, key);
    return text == nullptr ? std::string() : *text;
  };
  if (field.starts_with("label ")) return text_of(plan.labels, field.substr(6));
  if (field.starts_with("annotation ")) return text_of(plan.annotations, field.substr(11));
  return "no such field";
}

std::string TextOf(const Value& value) {
  return value.is_string() ? std::string(value.as_string())
         : value.is_null() ? std::string()
                           : json::ToJson(value);
}

void Check(const Value& expected, const Result<Planned>& planned, bool compat) {
  if (const Value* error = expected.Find("error")) {
    ASSERT_FALSE(planned.has_value())
        << "no error: " << FieldOf(*planned, "name") << " min " << FieldOf(*planned, "min");
    EXPECT_NE(planned.error().Describe().find(error->as_string()), std::string::npos)
        << planned.error().Describe();
    return;
  }
  ASSERT_TRUE(planned.has_value()) << planned.error().Describe();
  for (const json::Member& member : expected.members()) {
    if (compat && member.key == "warnings") continue;
    EXPECT_EQ(FieldOf(*planned, member.key), TextOf(member.value)) << member.key;
  }
  if (!compat && expected.Find("warnings") == nullptr) {
    EXPECT_EQ(FieldOf(*planned, "warnings"), "");
  }
}

class Plans : public ::testing::TestWithParam<std::string_view> {
 protected:
  // One object in three is changed, at a random place.
  static Value Each(const Value& list, testing::Mutator& mutator, Arena& arena) {
    std::vector<Value> objects;
    for (const Value& object : list.items()) {
      constexpr std::string_view kKept[] = {"apiVersion", "kind"};
      objects.push_back(mutator.Chance(33) ? mutator.Change(object, kKept) : object);
    }
    return json::MakeArray(arena, objects);
  }
};

TEST_P(Plans, AreAsExpected) {
  Arena arena;
  Value file =
      testing::YamlOrDie(testing::ReadFileOrDie(Cat("tests/gang/", GetParam(), ".yaml")), arena);
  for (const Value& one : file.items()) {
    SCOPED_TRACE(one.Get("name").text_or_empty());
    FakeCluster cluster(one, arena);
    for (bool compat : {false, true}) {
      SCOPED_TRACE(compat ? "as the reference" : "as we do");
      Options options;
      options.compat = compat;
      Planner planner(cluster, options);
      Value expect = one.Get("expect");
      ASSERT_TRUE(expect.is_object());
      for (const json::Member& member : expect.members()) {
        SCOPED_TRACE(member.key);
        auto pod = std::ranges::find(cluster.pods(), member.key, NameOf);
        ASSERT_NE(pod, cluster.pods().end()) << "the case has no such pod";
        Value expected = member.value;
        if (const Value* other = one.Get("compat").Find(member.key); compat && other != nullptr) {
          expected = *other;
        }
        Check(expected, planner.Plan(*pod), compat);
      }
    }
  }
}

// A cluster that nobody meant gives a plan that a scheduler takes, or an error.
TEST_P(Plans, OfRandomClustersCanBeMade) {
  Arena file_arena;
  Value file = testing::YamlOrDie(testing::ReadFileOrDie(Cat("tests/gang/", GetParam(), ".yaml")),
                                  file_arena);
  constexpr std::size_t kTimes = 60;
  std::size_t planned = 0;
  for (std::size_t i = 0; i < file.size() * kTimes; ++i) {
    SCOPED_TRACE(i);
    Arena arena;
    testing::Mutator mutator(i, arena);
    const Value& seed = file[i / kTimes];
    ObjectBuilder changed;
    for (const json::Member& member : seed.members()) {
      bool is_list = member.key == "objects" || member.key == "pods";
      changed.Add(member.key, is_list ? Each(member.value, mutator, arena) : member.value);
    }
    FakeCluster cluster(changed.Finish(arena), arena);
    for (bool compat : {false, true}) {
      Options options;
      options.compat = compat;
      Planner planner(cluster, options);
      for (const Value& pod : cluster.pods()) {
        Result<Planned> made = planner.Plan(pod);
        if (!made || made->verdict != Verdict::kPlanned) continue;
        ++planned;
        EXPECT_TRUE(CheckShape(made->plan));
        EXPECT_TRUE(compat || CheckMinimums(made->plan));
      }
    }
  }
  EXPECT_GT(planned, file.size());
}

INSTANTIATE_TEST_SUITE_P(Files, Plans,
                         ::testing::Values("intake", "metadata", "plain", "kubeflow", "sets", "ray",
                                           "grove", "wrappers", "definitions"),
                         [](const auto& file) { return std::string(file.param); });

TEST(NativeRules, AreOnePerKindAndVersion) {
  std::map<std::string, int> seen;
  for (const NativeRule& rule : NativeRules()) {
    EXPECT_EQ(seen[Cat(rule.group, '/', rule.version, '/', rule.kind)]++, 0);
  }
  EXPECT_EQ(NativeRules().size(), 42U);
}

}  // namespace
}  // namespace wmap::gang
