#include "workload/managed_by.h"

#include <algorithm>
#include <array>

namespace wmap::workload {

std::string_view OtherController(const json::Value& object) {
  constexpr std::array<std::string_view, 7> kOwnControllers = {
      "kubernetes.io/job-controller",
      "jobset.sigs.k8s.io/jobset-controller",
      "kubeflow.org/training-operator",
      "kubeflow.org/mpi-operator",
      "trainer.kubeflow.org/trainjob-controller",
      "ray.io/kuberay-operator",
      "workload.codeflare.dev/appwrapper",
  };
  json::Value spec = object.Get("spec");
  json::Value by = spec.Get("managedBy");
  if (!by.is_string()) by = spec.Get("runPolicy").Get("managedBy");
  std::string_view name = by.text_or_empty();
  bool is_other =
      name.contains('/') && std::ranges::find(kOwnControllers, name) == kOwnControllers.end();
  return is_other ? name : std::string_view();
}

}  // namespace wmap::workload
