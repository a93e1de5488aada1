#include "workload/accelerators.h"

#include <array>
#include <ranges>

#include "base/text.h"

namespace wmap::workload {
namespace {

struct BuiltinRow {
  std::string_view resource;
  std::string_view type;
};

// Names as the vendors' device plugins and the schedulers that share devices document them.
constexpr std::array kBuiltin = std::to_array<BuiltinRow>({
    {"deviceclass.resource.kubernetes.io/*", "claim"},
    {"nvidia.com/gpu", kWholeGpu},
    {"amd.com/gpu", kWholeGpu},
    {"gpu.intel.com/i915", kWholeGpu},
    {"gpu.intel.com/xe", kWholeGpu},
    {"nvidia.com/mig-*", "mig"},
    {"nvidia.com/gpu.shared", "gpu-shared"},
    {"nvidia.com/pgpu", kWholeGpu},
    {"volcano.sh/vgpu-number", "gpu-shared"},
    {"amd.com/cpx_nps1", "gpu-partition"},
    {"amd.com/cpx_nps4", "gpu-partition"},
    {"amd.com/dpx_nps2", "gpu-partition"},
    {"amd.com/spx_nps1", kWholeGpu},
    {"google.com/tpu", "tpu"},
    {"cloud-tpus.google.com/v2", "tpu"},
    {"cloud-tpus.google.com/v3", "tpu"},
    {"habana.ai/gaudi", "gaudi"},
    {"aws.amazon.com/neuron", "neuron"},
    {"aws.amazon.com/neurondevice", "neuron"},
    {"aws.amazon.com/neuroncore", "neuron-core"},
    {"huawei.com/Ascend910", "npu"},
    {"huawei.com/Ascend310", "npu"},
    {"huawei.com/Ascend310P", "npu"},
    {"cambricon.com/mlu", "mlu"},
    {"furiosa.ai/rngd", "npu"},
    {"furiosa.ai/warboy", "npu"},
});

bool Matches(std::string_view row, std::string_view resource) {
  if (row.ends_with('*')) return resource.starts_with(row.substr(0, row.size() - 1));
  return row == resource;
}

}  // namespace

AcceleratorTable::AcceleratorTable() {
  rows_.reserve(kBuiltin.size());
  for (const BuiltinRow& row : kBuiltin) {
    rows_.push_back({std::string(row.resource), std::string(row.type)});
  }
}

Result<void> AcceleratorTable::Add(std::string_view row) {
  std::size_t equals = row.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == row.size()) {
    return Fail(Code::kInvalid, Cat("accelerator ", Quote(row),
                                    " is not of the form RESOURCE=TYPE, e.g. example.com/npu=npu"));
  }
  rows_.push_back({std::string(row.substr(0, equals)), std::string(row.substr(equals + 1))});
  return {};
}

std::string_view AcceleratorTable::TypeOf(std::string_view resource) const {
  // cpu and memory, which everything asks for.
  if (rows_.size() == kBuiltin.size() && !resource.contains('/')) return {};
  for (const Row& row : std::views::reverse(rows_)) {
    if (Matches(row.resource, resource)) return row.type == "none" ? std::string_view() : row.type;
  }
  return {};
}

}  // namespace wmap::workload
