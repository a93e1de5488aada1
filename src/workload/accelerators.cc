#include "workload/accelerators.h"

#include <array>

#include "base/text.h"
#include "workload/count.h"

namespace wmap::workload {
namespace {

struct BuiltinRow {
  std::string_view resource;
  std::string_view type;
};

// Names as the vendors' device plugins and the schedulers that share devices document them. What is
// named for a vendor's own kind of processor has that as its type; "-shared" are shares of devices,
// "-memory" and "-cores" say how much of them, in units of the vendor's choice.
constexpr std::array kBuiltin = std::to_array<BuiltinRow>({
    {"deviceclass.resource.kubernetes.io/*", kClaimType},
    // NVIDIA, and what shares its GPUs: time slicing, MPS partitions by memory, HAMi.
    {"nvidia.com/gpu", kWholeGpu},
    {"nvidia.com/pgpu", kWholeGpu},
    {"nvidia.com/mig-*", "mig"},
    {"nvidia.com/gpu.shared", kSharedGpu},
    {"nvidia.com/gpu-*", kSharedGpu},
    {"nvidia.com/gpumem", kGpuMemory},
    {"nvidia.com/gpumem-percentage", kGpuMemory},
    {"nvidia.com/gpucores", "gpu-cores"},
    // AMD; partitions have the names of the compute and memory mode.
    {"amd.com/gpu", kWholeGpu},
    {"amd.com/spx_nps1", kWholeGpu},
    {"amd.com/gpu_pf", kWholeGpu},
    {"amd.com/gpu_vf", kSharedGpu},
    {"amd.com/dpx_nps1", "gpu-partition"},
    {"amd.com/dpx_nps2", "gpu-partition"},
    {"amd.com/qpx_nps1", "gpu-partition"},
    {"amd.com/qpx_nps2", "gpu-partition"},
    {"amd.com/qpx_nps4", "gpu-partition"},
    {"amd.com/cpx_nps1", "gpu-partition"},
    {"amd.com/cpx_nps2", "gpu-partition"},
    {"amd.com/cpx_nps4", "gpu-partition"},
    // Intel.
    {"gpu.intel.com/i915", kWholeGpu},
    {"gpu.intel.com/xe", kWholeGpu},
    {"gpu.intel.com/millicores", "gpu-cores"},
    {"gpu.intel.com/memory.max", kGpuMemory},
    {"habana.ai/gaudi", "gaudi"},
    // GPUs of other vendors.
    {"metax-tech.com/gpu", kWholeGpu},
    {"metax-tech.com/sgpu", kSharedGpu},
    {"metax-tech.com/vmemory", kGpuMemory},
    {"metax-tech.com/vcore", "gpu-cores"},
    {"iluvatar.ai/gpu", kWholeGpu},
    {"iluvatar.com/gpu", kWholeGpu},
    {"iluvatar.ai/vgpu", kSharedGpu},
    {"iluvatar.ai/vcuda-memory", kGpuMemory},
    {"iluvatar.ai/vcuda-core", "gpu-cores"},
    {"birentech.com/gpu", kWholeGpu},
    {"birentech.com/1-2-gpu", "gpu-partition"},
    {"birentech.com/1-4-gpu", "gpu-partition"},
    {"mthreads.com/gpu", kWholeGpu},
    {"mthreads.com/vgpu", kSharedGpu},
    {"mthreads.com/sgpu-memory", kGpuMemory},
    {"mthreads.com/sgpu-core", "gpu-cores"},
    {"hygon.com/dcu", "dcu"},
    {"hygon.com/dcunum", "dcu-shared"},
    {"hygon.com/dcumem", "dcu-memory"},
    {"hygon.com/dcucores", "dcu-cores"},
    // Schedulers that share GPUs: Volcano, Alibaba Cloud, Tencent Cloud, Koordinator.
    {"volcano.sh/gpu-number", kWholeGpu},
    {"volcano.sh/gpu-memory", kGpuMemory},
    {"volcano.sh/vgpu-number", kSharedGpu},
    {"volcano.sh/vgpu-memory", kGpuMemory},
    {"volcano.sh/vgpu-memory-percentage", kGpuMemory},
    {"volcano.sh/vgpu-cores", "gpu-cores"},
    {"aliyun.com/gpu", kWholeGpu},
    {"aliyun.com/gpu-mem", kGpuMemory},
    {"aliyun.com/gpu-core.percentage", "gpu-cores"},
    {"tencent.com/vcuda-core", "gpu-cores"},
    {"tencent.com/vcuda-memory", kGpuMemory},
    {"tke.cloud.tencent.com/qgpu-core", "gpu-cores"},
    {"tke.cloud.tencent.com/qgpu-core-greedy", "gpu-cores"},
    {"tke.cloud.tencent.com/qgpu-memory", kGpuMemory},
    {"koordinator.sh/gpu.shared", kSharedGpu},
    {"koordinator.sh/gpu", "gpu-cores"},  // hundredths of GPUs
    {"koordinator.sh/gpu-core", "gpu-cores"},
    {"koordinator.sh/gpu-memory", kGpuMemory},
    {"koordinator.sh/gpu-memory-ratio", kGpuMemory},
    // Other accelerators.
    {"google.com/tpu", "tpu"},
    {"cloud-tpus.google.com/v2", "tpu"},
    {"cloud-tpus.google.com/v3", "tpu"},
    {"cloud-tpus.google.com/preemptible-v2", "tpu"},
    {"cloud-tpus.google.com/preemptible-v3", "tpu"},
    {"aws.amazon.com/neuron", "neuron"},
    {"aws.amazon.com/neurondevice", "neuron"},
    {"aws.amazon.com/neuroncore", "neuron-core"},
    {"huawei.com/Ascend910", "npu"},
    {"huawei.com/Ascend310", "npu"},
    {"huawei.com/Ascend310P", "npu"},
    {"huawei.com/npu", "npu"},
    {"huawei.com/Ascend910A", "npu"},
    {"huawei.com/Ascend910B", "npu"},
    {"huawei.com/Ascend910B2", "npu"},
    {"huawei.com/Ascend910B3", "npu"},
    {"huawei.com/Ascend910B4", "npu"},
    // Static slices, by their number of cores, and dynamic ones.
    {"huawei.com/Ascend910-2c", "npu-shared"},
    {"huawei.com/Ascend910-4c", "npu-shared"},
    {"huawei.com/Ascend910-8c", "npu-shared"},
    {"huawei.com/Ascend910-16c", "npu-shared"},
    {"huawei.com/Ascend310P-1c", "npu-shared"},
    {"huawei.com/Ascend310P-2c", "npu-shared"},
    {"huawei.com/Ascend310P-4c", "npu-shared"},
    {"huawei.com/npu-core", "npu-cores"},
    {"cambricon.com/mlu", "mlu"},
    {"cambricon.com/mlu370", "mlu"},
    {"cambricon.com/mlu.share", "mlu-shared"},
    {"cambricon.com/mlu370.share", "mlu-shared"},
    {"cambricon.com/vmlu", "mlu-shared"},
    {"cambricon.com/mlu.smlu.vmemory", "mlu-memory"},
    {"cambricon.com/mlu.smlu.vcore", "mlu-cores"},
    {"enflame.com/gcu", "gcu"},
    {"enflame.com/shared-gcu", "gcu-shared"},
    {"enflame.com/drs-gcu", "gcu-shared"},
    {"enflame.com/vgcu", "gcu-shared"},
    {"kunlunxin.com/xpu", "xpu"},
    {"kunlunxin.com/vxpu", "xpu-shared"},
    {"kunlunxin.com/vxpu-memory", "xpu-memory"},
    {"furiosa.ai/rngd", "npu"},
    {"furiosa.ai/warboy", "npu"},
    {"beta.furiosa.ai/npu", "npu"},
    {"rebellions.ai/ATOM", "npu"},
    {"qualcomm.com/qaic", "qaic"},
    {"ibm.com/spyre_pf", "spyre"},
    {"ibm.com/spyre_vf", "spyre"},
});

constexpr std::array kShareRules = std::to_array<ShareRule>({
    {.part = "nvidia.com/gpumem", .device = "nvidia.com/gpu"},
    {.part = "nvidia.com/gpumem-percentage", .device = "nvidia.com/gpu", .all = 100},
    {.part = "nvidia.com/gpucores", .device = "nvidia.com/gpu", .all = 100},
    {.part = "gpu.intel.com/millicores",
     .device = "gpu.intel.com/i915",
     .all = 1000,
     .in_total = true},
    {.part = "gpu.intel.com/millicores",
     .device = "gpu.intel.com/xe",
     .all = 1000,
     .in_total = true},
});

}  // namespace

std::int64_t UnitOf(std::string_view type) { return type == kGpuFraction ? kBillion : 1; }

std::span<const ShareRule> ShareRules() { return kShareRules; }

AcceleratorTable::AcceleratorTable() {
  for (const BuiltinRow& row : kBuiltin) Insert(row.resource, row.type);
}

Result<void> AcceleratorTable::Add(std::string_view row) {
  std::size_t equals = row.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == row.size()) {
    return Fail(Code::kInvalid, Cat("accelerator ", Quote(row),
                                    " is not of the form RESOURCE=TYPE, e.g. example.com/npu=npu"));
  }
  Insert(row.substr(0, equals), row.substr(equals + 1));
  return {};
}

void AcceleratorTable::Insert(std::string_view resource, std::string_view type) {
  Row row = {std::string(type), rows_++};
  if (resource.ends_with('*')) {
    resource.remove_suffix(1);
    families_.push_back({std::string(resource), std::move(row)});
  } else {
    names_.insert_or_assign(std::string(resource), std::move(row));
  }
}

const AcceleratorTable::Row* AcceleratorTable::Find(std::string_view resource) const {
  // cpu and memory, which everything asks for.
  if (rows_ == kBuiltin.size() && !resource.contains('/')) return nullptr;
  auto at = names_.find(resource);
  const Row* found = at == names_.end() ? nullptr : &at->second;
  for (const Family& family : families_) {
    if (found != nullptr && family.row.order < found->order) continue;
    if (resource.starts_with(family.prefix)) found = &family.row;
  }
  return found;
}

std::string_view AcceleratorTable::TypeOf(std::string_view resource) const {
  const Row* row = Find(resource);
  return row == nullptr || row->type == "none" ? std::string_view() : row->type;
}

bool AcceleratorTable::IsTakenOut(std::string_view resource) const {
  const Row* row = Find(resource);
  return row != nullptr && row->type == "none";
}

}  // namespace wmap::workload
