#include "workload/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "base/text.h"
#include "tests/support/reading.h"

namespace wmap::workload {
namespace {

using testing::YamlOrDie;

// What a claim with this spec (and status) asks for: "gpu 4, nic 1–2"; or what is wrong with it.
std::string Asked(std::string_view spec, std::string_view status = "{}",
                  std::string_view version = "v1", bool problems = false) {
  Arena arena;
  ClaimTable table;
  table.Add(
      YamlOrDie(Cat("{apiVersion: resource.k8s.io/", version, ", kind: ResourceClaim, ",
                    "metadata: {name: c, namespace: lab}, spec: ", spec, ", status: ", status, "}"),
                arena));
  const ClaimFacts* claim = table.Find("lab", {"c", false});
  if (claim == nullptr) return "none";
  if (problems) return Join(claim->problems, "\n");
  std::vector<std::string> texts;
  for (const ClaimFacts::Devices& devices : claim->asked) {
    texts.push_back(Cat(devices.device_class, ' ', devices.count.text()));
  }
  return Join(texts, ", ");
}

std::string Exactly(std::string_view fields) {
  return Cat("{devices: {requests: [{name: r, exactly: {", fields, "}}]}}");
}

TEST(ClaimTable, ReadsWhatARequestAsksFor) {
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, allocationMode: ExactCount, count: 4")), "gpu 4");
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu")), "gpu 1");
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, allocationMode: All")), "gpu 1+?")
      << "how many is not known, but without any it is not allocated";
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, allocationMode: All, adminAccess: true")), "");
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, count: -1")), "gpu ?");
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, count: many")), "gpu ?");
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, count: 0")), "gpu 1")
      << "the default, as for none";
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, allocationMode: Half")), "gpu ?");
  EXPECT_EQ(Asked(Exactly("count: 2")), "unknown 2");
  EXPECT_EQ(Asked("{devices: {requests: []}}"), "");
  EXPECT_EQ(Asked("{resourceClassName: gpu}"), "unknown ?") << "the form of v1alpha2";
}

TEST(ClaimTable, TellsWhatItCannotRead) {
  auto problems = [](std::string_view spec) { return Asked(spec, "{}", "v1", true); };
  EXPECT_EQ(problems(Exactly("deviceClassName: gpu, count: 4")), "");
  EXPECT_EQ(problems(Exactly("deviceClassName: gpu, count: -2")),
            ".spec.devices.requests[0].exactly.count: expected a number of devices, found number "
            "\"-2\"");
  EXPECT_EQ(problems("{devices: {requests: [{name: r, deviceClassName: gpu}, {name: s, "
                     "deviceClassName: gpu, count: two}]}}"),
            ".spec.devices.requests[1].count: expected a number of devices, found string "
            "\"\\\"two\\\"\"");
  EXPECT_EQ(problems("{devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: "
                     "gpu}, {name: b, deviceClassName: tpu, count: 1.5}]}]}}"),
            ".spec.devices.requests[0].firstAvailable[1].count: expected a number of devices, "
            "found number \"1.5\"");
  EXPECT_EQ(problems(Exactly("deviceClassName: gpu, allocationMode: Half")),
            ".spec.devices.requests[0].exactly.allocationMode: expected ExactCount or All, found "
            "string \"\\\"Half\\\"\"");
  EXPECT_EQ(problems("{resourceClassName: gpu}"),
            ".spec.devices.requests: expected a list, found null \"null\"");
}

TEST(ClaimTable, ReadsTheOlderFormWithTheFieldsInTheRequest) {
  EXPECT_EQ(Asked("{devices: {requests: [{name: r, deviceClassName: gpu, count: 2}, "
                  "{name: s, deviceClassName: gpu}, {name: t, deviceClassName: nic}]}}",
                  "{}", "v1beta1"),
            "gpu 3, nic 1");
}

TEST(ClaimTable, AlternativesAreARangeUntilTheAllocationSaysWhich) {
  constexpr std::string_view kEither =
      "{devices: {requests: [{name: r, firstAvailable: [{name: big, deviceClassName: gpu, count: "
      "1}, {name: small, deviceClassName: gpu, count: 2}]}]}}";
  EXPECT_EQ(Asked(kEither), "gpu 1\u20132");
  EXPECT_EQ(Asked(kEither,
                  "{allocation: {devices: {results: [{request: r/small, device: a}, "
                  "{request: r/small, device: b}]}}}"),
            "gpu 2");
  EXPECT_EQ(Asked("{devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: "
                  "gpu, count: 2}, {name: b, deviceClassName: tpu, count: 4}]}]}}"),
            "gpu 0\u20132, tpu 0\u20134");
}

TEST(ClaimTable, AnAlternativeOfUnknownSizeLeavesTheRangeOpen) {
  EXPECT_EQ(
      Asked("{devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: gpu, "
            "count: 2}, {name: b, deviceClassName: gpu, allocationMode: All}]}]}}"),
      "gpu 1\u20132+?");
  EXPECT_EQ(
      Asked("{devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: gpu, "
            "allocationMode: All}, {name: b, deviceClassName: tpu, count: 4}]}]}}"),
      "gpu 0\u20131+?, tpu 0\u20134")
      << "perhaps none at all";
}

TEST(ClaimTable, AdminAccessTakesNothingInAnyForm) {
  EXPECT_EQ(Asked("{devices: {requests: [{name: r, deviceClassName: gpu, allocationMode: All, "
                  "adminAccess: true}]}}",
                  "{}", "v1alpha3"),
            "");
  EXPECT_EQ(Asked("{devices: {requests: [{name: r, deviceClassName: gpu, allocationMode: All}]}}",
                  "{allocation: {devices: {results: [{request: r, device: a}]}}}", "v1alpha3"),
            "gpu 1");
}

// The class behind `resource` when there are these ("name resource created").
std::string Behind(std::string_view resource, std::initializer_list<std::string_view> classes) {
  Arena arena;
  ClaimTable table;
  for (std::string_view fields : classes) {
    EXPECT_TRUE(ClaimTable::Takes("resource.k8s.io/v1", "DeviceClass"));
    table.Add(
        YamlOrDie(Cat("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, ", fields, "}"), arena));
  }
  return std::string(table.ClassBehind(resource));
}

TEST(ClaimTable, KnowsTheClassBehindAnExtendedResource) {
  constexpr std::string_view kOld =
      "metadata: {name: old, creationTimestamp: '2026-01-01T00:00:00Z'}, spec: "
      "{extendedResourceName: example.com/gpu}";
  constexpr std::string_view kNew =
      "metadata: {name: new, creationTimestamp: '2026-02-01T00:00:00Z'}, spec: "
      "{extendedResourceName: example.com/gpu}";
  EXPECT_EQ(Behind("example.com/gpu", {kOld}), "old");
  EXPECT_EQ(Behind("example.com/gpu", {kOld, kNew}), "new");
  EXPECT_EQ(Behind("example.com/gpu", {kNew, kOld}), "new");
  constexpr std::string_view kA = "metadata: {name: a}, spec: {extendedResourceName: e/x}";
  constexpr std::string_view kB = "metadata: {name: b}, spec: {extendedResourceName: e/x}";
  EXPECT_EQ(Behind("e/x", {kB, kA}), "a");
  EXPECT_EQ(Behind("e/x", {kA, kB}), "a");
  EXPECT_EQ(Behind("e/y", {kA, "metadata: {name: c}, spec: {}", "metadata: 7, spec: 7"}), "");
}

TEST(ClaimTable, AllDevicesAreThoseOfTheAllocation) {
  EXPECT_EQ(Asked(Exactly("deviceClassName: gpu, allocationMode: All"),
                  "{allocation: {devices: {results: [{request: r, device: a}, {request: r, "
                  "device: b}, {request: other, device: c}, {request: r, adminAccess: true}]}}}"),
            "gpu 2");
}

TEST(ClaimTable, KeepsTheAllocationOfAnObjectThatIsReadTwice) {
  Arena arena;
  ClaimTable table;
  auto add = [&](std::string_view status) {
    table.Add(YamlOrDie(
        Cat("{kind: ResourceClaim, metadata: {name: c, namespace: lab}, spec: ",
            Exactly("deviceClassName: gpu, allocationMode: All"), ", status: ", status, "}"),
        arena));
  };
  add("{allocation: {devices: {results: [{request: r, device: a}]}}}");
  add("{}");
  EXPECT_EQ(table.Find("lab", {"c", false})->asked.at(0).count, Count::Exactly(1));
  EXPECT_EQ(table.Find("else", {"c", false}), nullptr);
  EXPECT_EQ(table.Find("lab", {"c", true}), nullptr) << "a template is another object";
}

TEST(ClaimTable, AnythingMalformedIsSafe) {
  for (std::string_view spec : {"7", "[]", "{devices: 7}", "{devices: {requests: [7, null, []]}}",
                                "{devices: {requests: [{firstAvailable: [7]}, {exactly: []}]}}"}) {
    Asked(spec, "{allocation: {devices: {results: {a: b}}}}");
    Asked(spec, "seven");
  }
}

TEST(ClaimsOf, NamesClaimsAndTemplatesInOldAndNewForm) {
  Arena arena;
  auto claims = ClaimsOf(YamlOrDie(
      "{resourceClaims: [{name: a, resourceClaimName: pool}, {name: b, resourceClaimTemplateName: "
      "four}, {name: c, source: {resourceClaimName: old}}, {name: d}, 7]}",
      arena));
  EXPECT_THAT(claims,
              ::testing::ElementsAre(ClaimReference{"pool", false}, ClaimReference{"four", true},
                                     ClaimReference{"old", false}));
}

TEST(ReadPod, NamesTheClaimsThatWereMadeForIt) {
  Arena arena;
  TextPool texts;
  PodFacts pod = ReadPod(
      YamlOrDie("{spec: {resourceClaims: [{name: a, resourceClaimName: pool}, {name: b, "
                "resourceClaimTemplateName: four}, {name: c, resourceClaimTemplateName: four}]}, "
                "status: {resourceClaimStatuses: [{name: b, resourceClaimName: p-b-x}]}}",
                arena),
      AcceleratorTable(), texts);
  EXPECT_THAT(pod.claims,
              ::testing::ElementsAre(ClaimReference{"pool", false}, ClaimReference{"p-b-x", true},
                                     ClaimReference{"", true}));
}

}  // namespace
}  // namespace wmap::workload
