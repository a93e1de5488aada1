#include "definition/api_version.h"

#include <gtest/gtest.h>

namespace wmap::definition {
namespace {

TEST(ApiVersion, IsGroupAndVersion) {
  EXPECT_EQ(SplitApiVersion("jobset.x-k8s.io/v1alpha2").group, "jobset.x-k8s.io");
  EXPECT_EQ(SplitApiVersion("jobset.x-k8s.io/v1alpha2").version, "v1alpha2");
  EXPECT_EQ(SplitApiVersion("v1").group, "");
  EXPECT_EQ(SplitApiVersion("v1").version, "v1");
}

TEST(ApiVersion, TellsTheGroupsOfKubernetes) {
  for (std::string_view own : {"", "apps", "batch", "resource.k8s.io", "events.k8s.io"}) {
    EXPECT_TRUE(IsKubernetesGroup(own)) << own;
  }
  for (std::string_view other : {"jobset.x-k8s.io", "ray.io", "kubeflow.org"}) {
    EXPECT_FALSE(IsKubernetesGroup(other)) << other;
  }
}

}  // namespace
}  // namespace wmap::definition
