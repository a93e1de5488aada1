// Accelerators: which resource names are devices, and of what type.
//
// A resource is classified by its exact name through a table, never by what its name contains.
// A row that ends in '*' stands for a vendor's documented family of names ("nvidia.com/mig-*").
// Type "gpu" means whole GPUs, which are what headline GPU counts add up; every other type is
// shown beside them and never added to them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace wmap::workload {

inline constexpr std::string_view kWholeGpu = "gpu";

class AcceleratorTable {
 public:
  // The built-in rows: GPUs of NVIDIA, AMD and Intel, MIG slices, shared GPUs, TPU, Gaudi, Neuron
  // and others.
  AcceleratorTable();

  // Adds or replaces a row given as "resource=type", e.g. "example.com/npu=npu"; type "none" takes
  // a resource out. kInvalid when it has no such form.
  Result<void> Add(std::string_view row);

  // The type of `resource`, or "" when it is no accelerator.
  std::string_view TypeOf(std::string_view resource) const;

 private:
  struct Row {
    std::string resource;
    std::string type;
  };
  std::vector<Row> rows_;  // later rows win
};

}  // namespace wmap::workload
