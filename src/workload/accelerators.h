// Accelerators: which resource names are devices, and of what type.
//
// A resource is classified by its exact name through a table, never by what its name contains.
// A row that ends in '*' stands for a vendor's documented family of names ("nvidia.com/mig-*").
// Type "gpu" means whole GPUs, which are what headline GPU counts add up; every other type is
// shown beside them and never added to them.
//
// A share of a GPU is no whole one, though its resource may have the same name: where a container
// also says how much memory or how many cores of each GPU it wants ("nvidia.com/gpumem"), a
// scheduler that shares devices is at work, and the GPUs are of type "gpu-shared".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace wmap::workload {

inline constexpr std::string_view kWholeGpu = "gpu";
inline constexpr std::string_view kSharedGpu = "gpu-shared";
// Parts of GPUs in decimals ("0.5"), counted in billionths.
inline constexpr std::string_view kGpuFraction = "gpu-fraction";
inline constexpr std::string_view kGpuMemory = "gpu-memory";
// Devices of a device class (dynamic resource allocation); the resource is the class.
inline constexpr std::string_view kClaimType = "claim";
// What makes the resource name of a device class.
inline constexpr std::string_view kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";

// How many units counts of a type have for each one that is shown; see DecimalText().
std::int64_t UnitOf(std::string_view type);

// A resource that says how much of each GPU is wanted, and which names the GPUs themselves have.
struct ShareRule {
  std::string_view part;
  std::string_view device;
  // The amount that is all of a GPU, so that nobody else can have it; 0 = there is no telling.
  std::int64_t all = 0;
  // The amount is for all devices of the container together, not for each of them.
  bool in_total = false;
};
std::span<const ShareRule> ShareRules();

class AcceleratorTable {
 public:
  // The built-in rows: GPUs of all vendors, whole, sliced and shared, TPU, Gaudi, Neuron and
  // others.
  AcceleratorTable();

  // Adds or replaces a row given as "resource=type", e.g. "example.com/npu=npu"; type "none" takes
  // a resource out. kInvalid when it has no such form.
  Result<void> Add(std::string_view row);

  // The type of `resource`, or "" when it is no accelerator.
  std::string_view TypeOf(std::string_view resource) const;
  // Whether a user has taken it out: nothing else makes it an accelerator either.
  bool IsTakenOut(std::string_view resource) const;

 private:
  struct Row {
    std::string type;
    std::size_t order = 0;  // later rows win
  };
  struct Family {
    std::string prefix;
    Row row;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void Insert(std::string_view resource, std::string_view type);
  const Row* Find(std::string_view resource) const;

  std::unordered_map<std::string, Row, Hash, std::equal_to<>> names_;
  std::vector<Family> families_;
  std::size_t rows_ = 0;
};

}  // namespace wmap::workload
