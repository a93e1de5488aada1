#include "workload/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "base/text.h"
#include "json/reader.h"

namespace wmap::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PodRequest Read(std::string_view pod_spec) {
  Arena arena;
  Result<json::Value> value = json::Read(pod_spec, arena);
  EXPECT_TRUE(value.has_value()) << (value ? "" : value.error().Describe());
  if (!value) return {};
  PodRequest request = EffectiveRequest(*value, AcceleratorTable());
  PodRequest devices = EffectiveAccelerators(*value, AcceleratorTable());
  EXPECT_EQ(devices.accelerators, request.accelerators);
  EXPECT_EQ(devices.gpus, request.gpus);
  return request;
}

std::string Amount(const PodRequest& request, std::string_view resource) {
  auto at = request.resources.find(resource);
  return at == request.resources.end() ? "none" : at->second.ToString();
}

TEST(EffectiveRequest, ASidecarRunsBesideTheInitContainersAfterIt) {
  PodRequest request = Read(R"({
    "initContainers": [
      {"name": "side", "restartPolicy": "Always",
       "resources": {"requests": {"cpu": "100m", "nvidia.com/gpu": 1}}},
      {"name": "fetch", "resources": {"requests": {"cpu": "200m", "nvidia.com/gpu": 4}}}],
    "containers": [
      {"name": "main", "resources": {"requests": {"cpu": "100m", "nvidia.com/gpu": 2}}},
      {"name": "aux", "resources": {"requests": {"cpu": "50m"}}}]})");
  EXPECT_EQ(Amount(request, "cpu"), "300m");
  EXPECT_EQ(Amount(request, "nvidia.com/gpu"), "5");
  EXPECT_EQ(request.gpus, 5);
}

TEST(EffectiveRequest, AnInitContainerBeforeTheSidecarRunsAlone) {
  PodRequest request = Read(R"({
    "initContainers": [
      {"name": "fetch", "resources": {"requests": {"cpu": "200m", "nvidia.com/gpu": 4}}},
      {"name": "side", "restartPolicy": "Always",
       "resources": {"requests": {"cpu": "100m", "nvidia.com/gpu": 1}}}],
    "containers": [
      {"name": "main", "resources": {"requests": {"cpu": "100m", "nvidia.com/gpu": 2}}},
      {"name": "aux", "resources": {"requests": {"cpu": "50m"}}}]})");
  EXPECT_EQ(Amount(request, "cpu"), "250m");
  EXPECT_EQ(request.gpus, 4);
}

TEST(EffectiveRequest, ALimitWithoutARequestIsARequestAlsoBeforeMaximaAreTaken) {
  PodRequest request = Read(R"({"containers": [
      {"name": "m", "resources": {"limits": {"cpu": 2, "memory": "4Gi", "nvidia.com/gpu": 2}}}]})");
  EXPECT_EQ(Amount(request, "cpu"), "2");
  EXPECT_EQ(Amount(request, "memory"), "4Gi");
  EXPECT_EQ(request.gpus, 2);
  EXPECT_THAT(request.problems, IsEmpty());
  request = Read(R"({
    "initContainers": [
      {"name": "s", "restartPolicy": "Always", "resources": {"limits": {"nvidia.com/gpu": 1}}},
      {"name": "f", "resources": {"limits": {"nvidia.com/gpu": 4}}}],
    "containers": [{"name": "m", "resources": {"limits": {"nvidia.com/gpu": 2}}}]})");
  EXPECT_EQ(request.gpus, 5);
}

TEST(EffectiveRequest, PodLevelResourcesReplaceTheSumsAndOverheadComesOnTop) {
  PodRequest request = Read(R"({
    "overhead": {"cpu": "250m", "memory": "120Mi"},
    "resources": {"requests": {"cpu": "3", "memory": "4Gi", "nvidia.com/gpu": 9}},
    "containers": [
      {"name": "main", "resources": {"requests": {"cpu": "500m", "memory": "1Gi",
                                                  "nvidia.com/gpu": 2}}},
      {"name": "aux", "resources": {"requests": {"cpu": "250m"}}}]})");
  EXPECT_EQ(Amount(request, "cpu"), "3250m");
  EXPECT_EQ(Amount(request, "memory"), "4216Mi");
  EXPECT_EQ(request.gpus, 2) << "accelerators stay per container";
}

TEST(EffectiveRequest, NothingAsksForNothing) {
  EXPECT_THAT(Read("null").resources, IsEmpty());
  EXPECT_THAT(Read(R"({"containers": [{"name": "m"}]})").resources, IsEmpty());
  EXPECT_THAT(Read(R"({"containers": "text", "initContainers": {"a": 1}})").problems, IsEmpty());
}

TEST(EffectiveRequest, NamesWhatDoesNotParseAndKeepsTheRest) {
  PodRequest request = Read(R"({"containers": [
      {"name": "m", "resources": {"requests": {"cpu": "two", "memory": "1Gi"}}}]})");
  EXPECT_EQ(Amount(request, "cpu"), "none");
  EXPECT_EQ(Amount(request, "memory"), "1Gi");
  EXPECT_THAT(request.problems, ElementsAre(HasSubstr("container \"m\": cpu")));
}

TEST(EffectiveRequest, AnAmountOfDevicesThatCannotBeReadIsUnknownAndNotNothing) {
  for (std::string_view amount : {"\"abc\"", "1.5", "-1"}) {
    PodRequest request = Read(Cat(R"({"containers": [{"name": "m", "resources": {"limits": {
        "nvidia.com/gpu": )",
                                  amount, R"(}}}]})"));
    EXPECT_FALSE(request.gpus_known) << amount;
    EXPECT_THAT(request.unreadable, ElementsAre(AcceleratorRequest{"nvidia.com/gpu", "gpu", 0}));
    EXPECT_EQ(request.problems.size(), 1u);
  }
}

TEST(EffectiveRequest, SumsOfDevicesSaturate) {
  PodRequest request = Read(R"({"containers": [
      {"resources": {"limits": {"nvidia.com/gpu": 9223372036854775807}}},
      {"resources": {"limits": {"amd.com/gpu": 5}}}]})");
  EXPECT_EQ(request.gpus, std::numeric_limits<std::int64_t>::max());
}

TEST(EffectiveRequest, RequestAndLimitOfADeviceMustBeEqual) {
  PodRequest request = Read(R"({"containers": [
      {"name": "m", "resources": {"requests": {"nvidia.com/gpu": 6},
                                  "limits": {"nvidia.com/gpu": 8}}}]})");
  EXPECT_EQ(request.gpus, 6);
  EXPECT_THAT(request.problems, ElementsAre(HasSubstr("6 of nvidia.com/gpu with a limit of 8")));
}

TEST(EffectiveRequest, TypesOfAcceleratorsAreNotAddedUp) {
  PodRequest request = Read(R"({"containers": [
      {"name": "m", "resources": {"limits": {"nvidia.com/mig-1g.10gb": 3, "amd.com/gpu": 1,
                                             "example.com/my-gpu-thing": 7, "google.com/tpu": 4}}}]})");
  EXPECT_EQ(request.gpus, 1);
  EXPECT_THAT(request.accelerators,
              ElementsAre(AcceleratorRequest{"amd.com/gpu", "gpu", 1},
                          AcceleratorRequest{"google.com/tpu", "tpu", 4},
                          AcceleratorRequest{"nvidia.com/mig-1g.10gb", "mig", 3}));
}

TEST(AcceleratorTable, RowsCanBeAddedAndTakenOut) {
  AcceleratorTable table;
  EXPECT_EQ(table.TypeOf("example.com/npu"), "");
  EXPECT_TRUE(table.Add("example.com/npu=npu").has_value());
  EXPECT_EQ(table.TypeOf("example.com/npu"), "npu");
  EXPECT_TRUE(table.Add("nvidia.com/gpu=none").has_value());
  EXPECT_EQ(table.TypeOf("nvidia.com/gpu"), "");
  EXPECT_FALSE(table.Add("example.com/npu").has_value());
  EXPECT_FALSE(table.Add("=gpu").has_value());
}

TEST(AddResources, MultipliesExactly) {
  ResourceList total;
  PodRequest pod = Read(R"({"containers": [{"name": "m", "resources": {"requests": {
      "cpu": "1500m", "memory": "64Gi"}}}]})");
  AddResources(total, pod.resources, 3);
  AddResources(total, pod.resources, 0);
  EXPECT_EQ(total.find("cpu")->second.ToString(), "4500m");
  EXPECT_EQ(total.find("memory")->second.ToString(), "192Gi");
}

}  // namespace
}  // namespace wmap::workload
