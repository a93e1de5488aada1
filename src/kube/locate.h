// Which cluster a call is about: flags, kubeconfig files, or the cluster that this process runs in.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fs.h"
#include "kube/kubeconfig.h"

namespace wmap::kube {

// The value of an environment variable, "" when it is not set.
using Environment = std::function<std::string(std::string_view name)>;

// The file of --kubeconfig, else the files of $KUBECONFIG, else ~/.kube/config, are read; where
// there is nothing in them and no flag says more, the service account of the pod that this is.
// Errors: those of Kubeconfig; kNotDefined when no cluster is configured at all. Never a default
// address: what is not configured is not tried.
Result<Target> FindTarget(const std::string& kubeconfig_flag, const Overrides& overrides,
                          const Environment& environment, const FileSystem& files);

// The configuration alone, for the names of its contexts.
Result<Kubeconfig> LoadKubeconfig(const std::string& kubeconfig_flag,
                                  const Environment& environment, const FileSystem& files);

}  // namespace wmap::kube
