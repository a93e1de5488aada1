#include "workload/resources.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "base/text.h"
#include "json/reader.h"
#include "tests/support/reading.h"

namespace wmap::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::YamlOrDie;

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

// "fraction 0.5, nvidia.com/gpu(gpu) 1": what a pod with this metadata and spec asks for.
std::string Asked(std::string_view metadata, std::string_view spec = "{containers: [{name: m}]}",
                  const AcceleratorTable& table = AcceleratorTable()) {
  Arena arena;
  json::Value meta = YamlOrDie(metadata, arena);
  PodRequest request = EffectiveRequest(YamlOrDie(spec, arena), table, {meta, {}});
  EXPECT_EQ(EffectiveAccelerators(YamlOrDie(spec, arena), table, meta).accelerators,
            request.accelerators);
  std::vector<std::string> texts;
  for (const AcceleratorRequest& one : request.accelerators) {
    texts.push_back(
        Cat(one.resource, '(', one.type, ") ", DecimalText(one.count, UnitOf(one.type))));
  }
  for (const AcceleratorRequest& one : request.unreadable) {
    texts.push_back(Cat(one.resource, '(', one.type, ") ?"));
  }
  for (const std::string& problem : request.problems) texts.push_back(Cat("! ", problem));
  return Join(texts, ", ");
}

TEST(Fractions, OfKaiAndRunaiAreInAnnotations) {
  EXPECT_EQ(Asked("{annotations: {gpu-fraction: '0.5'}}"), "gpu-fraction(gpu-fraction) 0.5");
  EXPECT_EQ(Asked("{annotations: {gpu-fraction: '0.1', gpu-fraction-num-devices: '3'}}"),
            "gpu-fraction(gpu-fraction) 0.3")
      << "exact, not in binary";
  EXPECT_EQ(Asked("{annotations: {gpu-fraction: '2.5e-1'}}"), "gpu-fraction(gpu-fraction) 0.25");
  EXPECT_EQ(Asked("{annotations: {gpu-memory: '2000', gpu-fraction-num-devices: '2'}}"),
            "gpu-memory(gpu-memory) 4000");
  EXPECT_EQ(Asked("{annotations: {gpu-fraction-num-devices: '2'}}"), "");
  EXPECT_EQ(Asked("{labels: {gpu-fraction: '0.5'}}"), "") << "a label is none";
}

TEST(Fractions, OfKubeshareAreInLabels) {
  EXPECT_EQ(Asked("{labels: {sharedgpu/gpu_request: '0.3', sharedgpu/gpu_limit: '1.0', "
                  "sharedgpu/gpu_mem: '4294967296'}}"),
            "sharedgpu/gpu_mem(gpu-memory) 4294967296, sharedgpu/gpu_request(gpu-fraction) 0.3");
}

TEST(Fractions, ThatCannotBeReadAreUnknown) {
  for (std::string_view text : {"half", "-1", "0", "NaN", "", "500m", "1Gi"}) {
    EXPECT_EQ(Asked(Cat("{annotations: {gpu-fraction: '", text, "'}}")),
              Cat("gpu-fraction(gpu-fraction) ?, ! gpu-fraction ", Quote(text),
                  " is no positive number"));
  }
  EXPECT_EQ(
      Asked("{annotations: {gpu-fraction: '0.5', gpu-fraction-num-devices: some}}"),
      "gpu-fraction(gpu-fraction) ?, ! gpu-fraction-num-devices \"some\" is no positive number");
  EXPECT_EQ(Asked("{annotations: {gpu-memory: '0.5'}}"),
            "gpu-memory(gpu-memory) ?, ! gpu-memory: 500m is no whole number of devices");
  EXPECT_EQ(Asked("{annotations: {gpu-fraction: '1.2'}}"),
            "gpu-fraction(gpu-fraction) 1.2, ! gpu-fraction 1200m is no part of a GPU; schedulers "
            "refuse it");
}

TEST(Fractions, AreNeverAddedToWholeGpusAndCanBeTakenOut) {
  Arena arena;
  PodRequest request = EffectiveRequest(
      YamlOrDie("{containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}", arena),
      AcceleratorTable(), {YamlOrDie("{annotations: {gpu-fraction: '0.5'}}", arena), {}});
  EXPECT_EQ(request.gpus, 2);
  AcceleratorTable table;
  EXPECT_TRUE(table.Add("gpu-fraction=none").has_value());
  EXPECT_EQ(Asked("{annotations: {gpu-fraction: '0.5'}}", "{}", table), "");
}

std::string AskedByLimits(std::string_view limits,
                          const AcceleratorTable& table = AcceleratorTable()) {
  return Asked("{}", Cat("{containers: [{name: m, resources: {limits: {", limits, "}}}]}"), table);
}

TEST(SharedGpus, AreThoseOfWhichAContainerWantsParts) {
  EXPECT_EQ(AskedByLimits("nvidia.com/gpu: 2, nvidia.com/gpumem: 3000, nvidia.com/gpucores: 30"),
            "nvidia.com/gpu(gpu-shared) 2, nvidia.com/gpucores(gpu-cores) 30, "
            "nvidia.com/gpumem(gpu-memory) 3000");
  EXPECT_EQ(AskedByLimits("nvidia.com/gpu: 1, nvidia.com/gpumem-percentage: 100, "
                          "nvidia.com/gpucores: 100"),
            "nvidia.com/gpu(gpu) 1, nvidia.com/gpucores(gpu-cores) 100, "
            "nvidia.com/gpumem-percentage(gpu-memory) 100")
      << "all of it is the whole";
  EXPECT_EQ(AskedByLimits("gpu.intel.com/i915: 2, gpu.intel.com/millicores: 1000"),
            "gpu.intel.com/i915(gpu-shared) 2, gpu.intel.com/millicores(gpu-cores) 1000")
      << "a half of each";
  EXPECT_EQ(AskedByLimits("gpu.intel.com/i915: 2, gpu.intel.com/millicores: 2000"),
            "gpu.intel.com/i915(gpu) 2, gpu.intel.com/millicores(gpu-cores) 2000");
  EXPECT_EQ(AskedByLimits("nvidia.com/gpu: 1, cpu: 4"), "nvidia.com/gpu(gpu) 1");
  AcceleratorTable table;
  EXPECT_TRUE(table.Add("nvidia.com/gpumem=none").has_value());
  EXPECT_EQ(AskedByLimits("nvidia.com/gpu: 1, nvidia.com/gpumem: 3000", table),
            "nvidia.com/gpu(gpu) 1");
}

TEST(SharedGpus, OfOtherSchedulersHaveResourcesOfTheirOwn) {
  EXPECT_EQ(AskedByLimits("volcano.sh/vgpu-number: 1, volcano.sh/vgpu-memory: 3000, "
                          "volcano.sh/vgpu-cores: 50"),
            "volcano.sh/vgpu-cores(gpu-cores) 50, volcano.sh/vgpu-memory(gpu-memory) 3000, "
            "volcano.sh/vgpu-number(gpu-shared) 1");
  EXPECT_EQ(AskedByLimits("aliyun.com/gpu-mem: 8"), "aliyun.com/gpu-mem(gpu-memory) 8");
  EXPECT_EQ(
      AskedByLimits("koordinator.sh/gpu.shared: 1, koordinator.sh/gpu-memory-ratio: 50"),
      "koordinator.sh/gpu-memory-ratio(gpu-memory) 50, koordinator.sh/gpu.shared(gpu-shared) 1");
  EXPECT_EQ(AskedByLimits("tencent.com/vcuda-core: 30, tencent.com/vcuda-memory: 20"),
            "tencent.com/vcuda-core(gpu-cores) 30, tencent.com/vcuda-memory(gpu-memory) 20");
}

TEST(DeviceClasses, HaveResourceNamesOfTheirOwn) {
  EXPECT_EQ(AskedByLimits("deviceclass.resource.kubernetes.io/gpu.example.com: 2"),
            "gpu.example.com(claim) 2");
  EXPECT_EQ(AskedByLimits("deviceclass.resource.kubernetes.io/gpu.example.com: some").substr(0, 24),
            "gpu.example.com(claim) ?");
  Arena arena;
  json::Value spec = YamlOrDie(
      "{containers: [{resources: {limits: {example.com/any: 3, cpu: 1, storage.kubernetes.io/x: "
      "1}}}]}",
      arena);
  for (const PodRequest& request : {EffectiveRequest(spec, AcceleratorTable()),
                                    EffectiveAccelerators(spec, AcceleratorTable())}) {
    EXPECT_THAT(request.others, ElementsAre(AcceleratorRequest{"example.com/any", "", 3}));
    EXPECT_THAT(request.accelerators, IsEmpty());
  }
}

// What the Kubernetes scheduler counts, rule by rule (PodRequests of its resource helpers, after
// the API server's defaults).
struct SchedulerRule {
  std::string_view fact;
  std::string_view spec;
  std::string_view status;
  std::string_view cpu;
  std::string_view memory;
};
constexpr auto kRules = std::to_array<SchedulerRule>({
    {"containers add up",
     "{containers: [{resources: {requests: {cpu: 1}}}, {resources: {requests: "
     "{cpu: 500m}}}]}",
     "{}", "1500m", "none"},
    {"a limit is a request where there is none, for each resource",
     "{containers: [{resources: {requests: {cpu: 1}, limits: {cpu: 4, memory: 1Gi}}}]}", "{}", "1",
     "1Gi"},
    {"init containers run one by one",
     "{initContainers: [{resources: {requests: {cpu: 2}}}, {resources: {requests: {cpu: 3}}}], "
     "containers: [{resources: {requests: {cpu: 1}}}]}",
     "{}", "3", "none"},
    {"each resource has its own maximum",
     "{initContainers: [{resources: {requests: {cpu: 2, memory: 1Gi}}}], containers: [{resources: "
     "{requests: {cpu: 1, memory: 2Gi}}}]}",
     "{}", "2", "2Gi"},
    {"restartable init containers run on",
     "{initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 1}}}, {restartPolicy: "
     "Always, resources: {requests: {cpu: 2}}}], containers: [{resources: {requests: {cpu: 4}}}]}",
     "{}", "7", "none"},
    {"and beside the init containers after them only",
     "{initContainers: [{resources: {requests: {cpu: 5}}}, {restartPolicy: Always, resources: "
     "{requests: {cpu: 1}}}, {resources: {requests: {cpu: 5}}}], containers: [{resources: "
     "{requests: {cpu: 1}}}]}",
     "{}", "6", "none"},
    {"an init container with another restart policy is none of these",
     "{initContainers: [{restartPolicy: OnFailure, resources: {requests: {cpu: 1}}}], containers: "
     "[{resources: {requests: {cpu: 2}}}]}",
     "{}", "2", "none"},
    {"ephemeral containers have no resources of their own",
     "{ephemeralContainers: [{resources: {requests: {cpu: 8}}}], containers: [{resources: "
     "{requests: {cpu: 1}}}]}",
     "{}", "1", "none"},
    {"overhead comes on top",
     "{overhead: {cpu: 250m}, containers: [{resources: {requests: {cpu: 1, memory: 1Gi}}}]}", "{}",
     "1250m", "1Gi"},
    {"also of nothing", "{overhead: {cpu: 250m, memory: 1Mi}, containers: [{}]}", "{}", "250m",
     "1Mi"},
    {"and on the pod level",
     "{overhead: {cpu: 250m}, resources: {requests: {cpu: 2}}, containers: [{resources: {requests: "
     "{cpu: 1, memory: 1Gi}}}]}",
     "{}", "2250m", "1Gi"},
    {"a pod-level limit is no request where containers ask",
     "{resources: {limits: {cpu: 4, memory: 8Gi}}, containers: [{resources: {requests: {cpu: "
     "1}}}]}",
     "{}", "1", "8Gi"},
    {"nor where their limits do",
     "{resources: {limits: {cpu: 4}}, containers: [{resources: {limits: {cpu: 3}}}]}", "{}", "3",
     "none"},
    {"a pod-level request counts even when it is smaller than a sum",
     "{resources: {requests: {cpu: 1}}, containers: [{resources: {requests: {cpu: 3}}}]}", "{}",
     "1", "none"},
    {"a pod that is growing counts as it will be",
     "{containers: [{name: m, resources: {requests: {cpu: 4}}}]}",
     "{containerStatuses: [{name: m, allocatedResources: {cpu: 1}, resources: {requests: {cpu: "
     "1}}}]}",
     "4", "none"},
    {"one that is shrinking as it was",
     "{containers: [{name: m, resources: {requests: {cpu: 1}}}]}",
     "{containerStatuses: [{name: m, allocatedResources: {cpu: 1}, resources: {requests: {cpu: "
     "4}}}]}",
     "4", "none"},
    {"what was promised counts too", "{containers: [{name: m, resources: {requests: {cpu: 1}}}]}",
     "{containerStatuses: [{name: m, allocatedResources: {cpu: 3}, resources: {requests: {cpu: "
     "2}}}]}",
     "3", "none"},
    {"one that cannot grow as it is",
     "{containers: [{name: m, resources: {requests: {cpu: 400}}}]}",
     "{conditions: [{type: PodResizePending, status: 'True', reason: Infeasible}], "
     "containerStatuses: [{name: m, allocatedResources: {cpu: 1}, resources: {requests: {cpu: "
     "1}}}]}",
     "1", "none"},
    {"one that waits for room as it will be",
     "{containers: [{name: m, resources: {requests: {cpu: 400}}}]}",
     "{conditions: [{type: PodResizePending, status: 'True', reason: Deferred}], "
     "containerStatuses: [{name: m, allocatedResources: {cpu: 1}, resources: {requests: {cpu: "
     "1}}}]}",
     "400", "none"},
    {"containers without a status count as asked",
     "{containers: [{name: m, resources: {requests: {cpu: 1}}}, {name: n, resources: {requests: "
     "{cpu: 2}}}]}",
     "{containerStatuses: [{name: m, resources: {requests: {cpu: 4}}}]}", "6", "none"},
    {"sidecars are resized too",
     "{initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}], "
     "containers: [{name: m, resources: {requests: {cpu: 1}}}]}",
     "{initContainerStatuses: [{name: s, resources: {requests: {cpu: 2}}}]}", "3", "none"},
});

TEST(EffectiveRequest, FollowsTheRulesOfTheScheduler) {
  for (const SchedulerRule& rule : kRules) {
    Arena arena;
    PodRequest request = EffectiveRequest(YamlOrDie(rule.spec, arena), AcceleratorTable(),
                                          {{}, YamlOrDie(rule.status, arena)});
    EXPECT_EQ(Amount(request, "cpu"), rule.cpu) << rule.fact;
    EXPECT_EQ(Amount(request, "memory"), rule.memory) << rule.fact;
    EXPECT_THAT(request.problems, IsEmpty()) << rule.fact;
  }
}

TEST(EffectiveRequest, DevicesAreThoseOfTheSpecAsTheyAreNotResized) {
  Arena arena;
  json::Value spec = YamlOrDie(
      "{containers: [{name: m, resources: {requests: {cpu: 2}, limits: {nvidia.com/gpu: 2}}}]}",
      arena);
  json::Value status = YamlOrDie(
      "{containerStatuses: [{name: m, allocatedResources: {cpu: 4, nvidia.com/gpu: 4}, resources: "
      "{requests: {cpu: 3, nvidia.com/gpu: 8, amd.com/gpu: 1}}}]}",
      arena);
  PodRequest request = EffectiveRequest(spec, AcceleratorTable(), {{}, status});
  EXPECT_EQ(Amount(request, "cpu"), "4");
  EXPECT_EQ(Amount(request, "nvidia.com/gpu"), "2");
  EXPECT_EQ(Amount(request, "amd.com/gpu"), "none");
}

TEST(EffectiveRequest, HugePagesOfThePodTakeThePlaceOfTheContainers) {
  PodRequest request = Read(R"({
    "resources": {"limits": {"hugepages-2Mi": "64Mi"}},
    "containers": [{"name": "m", "resources": {"limits": {"hugepages-2Mi": "32Mi"}}}]})");
  EXPECT_EQ(Amount(request, "hugepages-2Mi"), "64Mi");
}

TEST(EffectiveRequest, SidecarsAndInitContainersCountForEveryTypeOfAccelerator) {
  PodRequest request = Read(R"({
    "initContainers": [
      {"name": "s", "restartPolicy": "Always", "resources": {"limits": {"google.com/tpu": 1}}},
      {"name": "f", "resources": {"limits": {"google.com/tpu": 4}}}],
    "containers": [{"name": "m", "resources": {"limits": {"google.com/tpu": 2}}}],
    "ephemeralContainers": [{"name": "e", "resources": {"limits": {"google.com/tpu": 16}}}]})");
  EXPECT_THAT(request.accelerators, ElementsAre(AcceleratorRequest{"google.com/tpu", "tpu", 5}));
}

TEST(AcceleratorTable, KnowsTheNamesOfTheVendors) {
  AcceleratorTable table;
  struct Known {
    std::string_view resource;
    std::string_view type;
  };
  for (const Known& known : std::to_array<Known>({{"nvidia.com/gpu", "gpu"},
                                                  {"nvidia.com/mig-1g.5gb", "mig"},
                                                  {"nvidia.com/mig-1g.5gb.shared", "mig"},
                                                  {"nvidia.com/gpu.shared", "gpu-shared"},
                                                  {"nvidia.com/gpu-10gb", "gpu-shared"},
                                                  {"amd.com/gpu", "gpu"},
                                                  {"amd.com/cpx_nps4", "gpu-partition"},
                                                  {"gpu.intel.com/xe", "gpu"},
                                                  {"habana.ai/gaudi", "gaudi"},
                                                  {"google.com/tpu", "tpu"},
                                                  {"aws.amazon.com/neuron", "neuron"},
                                                  {"aws.amazon.com/neuroncore", "neuron-core"},
                                                  {"huawei.com/Ascend910", "npu"},
                                                  {"huawei.com/Ascend910-8c", "npu-shared"},
                                                  {"birentech.com/1-2-gpu", "gpu-partition"},
                                                  {"aws.amazon.com/efa", ""},
                                                  {"vpc.amazonaws.com/efa", ""},
                                                  {"rdma/hca", ""},
                                                  {"nvidia.com/hostdev", ""},
                                                  {"gpu.intel.com/i915_monitoring", ""},
                                                  {"gpu", ""},
                                                  {"example.com/nvidia.com/gpu", ""},
                                                  {"nvidia.com/GPU", ""}})) {
    EXPECT_EQ(table.TypeOf(known.resource), known.type) << known.resource;
  }
}

TEST(AcceleratorTable, LaterRowsWinAndFamiliesCanBeAdded) {
  AcceleratorTable table;
  EXPECT_TRUE(table.Add("example.com/big-*=gpu").has_value());
  EXPECT_TRUE(table.Add("example.com/big-half=gpu-partition").has_value());
  EXPECT_EQ(table.TypeOf("example.com/big-one"), "gpu");
  EXPECT_EQ(table.TypeOf("example.com/big-half"), "gpu-partition");
  EXPECT_TRUE(table.Add("example.com/*=none").has_value());
  EXPECT_EQ(table.TypeOf("example.com/big-half"), "");
  EXPECT_TRUE(table.IsTakenOut("example.com/big-half"));
  EXPECT_FALSE(table.IsTakenOut("example.org/other"));
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
