#include "schema/built_ins.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/text.h"
#include "definition/catalog.h"
#include "schema/documents.h"

namespace wmap::schema {
namespace {

TEST(BuiltIns, HaveTheKindsThatTheCatalogIsAbout) {
  BuiltIns built_ins;
  std::vector<std::string> without;
  for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
    bool is_of_kubernetes = entry.group.empty() || entry.group == "apps" || entry.group == "batch";
    if (!is_of_kubernetes) continue;
    if (built_ins.Find(entry.group, entry.version, entry.kind).says_nothing()) {
      without.emplace_back(entry.kind);
    }
  }
  EXPECT_EQ(Join(without, " "), "");
  EXPECT_TRUE(built_ins.Find("apps", "v1", "Job").says_nothing());
  EXPECT_TRUE(built_ins.version().starts_with("v1."));
  EXPECT_FALSE(built_ins.Core("PodTemplateSpec").says_nothing());
}

TEST(BuiltIns, FollowReferences) {
  BuiltIns built_ins;
  Documents pods(built_ins, {built_ins.Find("", "v1", "Pod")});
  auto texts = [&](std::vector<std::string> names) {
    expr::DocumentPath path;
    for (std::string& name : names) {
      path.push_back(name == "[]" ? expr::PathStep::Any() : expr::PathStep::Key(std::move(name)));
    }
    return Join(pods.TextsAt(path), " ");
  };
  EXPECT_EQ(texts({"status", "phase"}), "Failed Pending Running Succeeded Unknown");
  EXPECT_EQ(texts({"spec", "restartPolicy"}), "Always Never OnFailure");
  EXPECT_EQ(texts({"spec", "containers", "[]", "imagePullPolicy"}), "Always IfNotPresent Never");
  EXPECT_EQ(texts({"metadata", "name"}), "");
}

}  // namespace
}  // namespace wmap::schema
