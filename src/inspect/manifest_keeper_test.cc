#include "inspect/manifest_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "definition/load.h"
#include "tests/support/reading.h"

namespace wmap::inspect {
namespace {

using ::testing::ElementsAre;
using testing::FlowJobKarta;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::YamlOrDie;
using Need = ManifestKeeper::Need;

constexpr std::string_view kPod = R"({
  metadata: {name: p, labels: {role: ore, app: mine},
             annotations: {a: b, kubectl.kubernetes.io/last-applied-configuration: "{}"}},
  spec: {containers: [{name: m, env: [{name: CREW, value: haul}]}], nodeName: node-1}})";

// A definition whose selector reads `key_path`; `more` are other fields of its type selector.
std::unique_ptr<const definition::Karta> Selecting(std::string_view key_path,
                                                   std::string_view more = "") {
  Arena arena;
  std::string text = FlowJobKarta(
      "statusDefinition: {statusMappings: {}}",
      Cat("{name: w, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.t}, "
          "podSelector: {componentTypeSelector: {keyPath: '",
          key_path, "'", more, "}}}"));
  return definition::Load(YamlOrDie(text, arena)).karta;
}

class ManifestKeeperTest : public ::testing::Test {
 protected:
  std::string Keep(ManifestKeeper& keeper, Need need) {
    Arena arena;
    TextPool texts;
    return std::string(keeper.Keep(YamlOrDie(kPod, arena), need, texts));
  }
  definition::Registry registry_{definition::Registry::Builtins::kNone};
};

TEST_F(ManifestKeeperTest, KeepsAllWithinTheBudgetButWhatKubectlLeftBehind) {
  ManifestKeeper keeper(registry_);
  std::string kept = Keep(keeper, Need::kSelectors);
  EXPECT_THAT(kept, HasSubstr("CREW"));
  EXPECT_THAT(kept, HasSubstr(R"("annotations":{"a":"b"})"));
  EXPECT_THAT(keeper.Unserved(), IsEmpty());
}

TEST_F(ManifestKeeperTest, BeyondTheBudgetKeepsWhatSelectorsRead) {
  ASSERT_TRUE(registry_.Add(Selecting(".metadata.labels.role")));
  ManifestKeeper keeper(registry_, 10);
  Keep(keeper, Need::kSelectors);  // uses the budget up
  EXPECT_EQ(Keep(keeper, Need::kSelectors), R"({"metadata":{"labels":{"role":"ore"}}})");
  EXPECT_EQ(Keep(keeper, Need::kLabels),
            R"({"metadata":{"annotations":{"a":"b"},"labels":{"app":"mine","role":"ore"}}})");
  EXPECT_THAT(Keep(keeper, Need::kAll), HasSubstr("nodeName"));
  EXPECT_THAT(keeper.Unserved(), IsEmpty());
}

TEST_F(ManifestKeeperTest, KeepsArraysWhole) {
  ASSERT_TRUE(
      registry_.Add(Selecting(".spec.containers[0].env[] | select(.name == \"CREW\") | .value")));
  ManifestKeeper keeper(registry_, 10);
  Keep(keeper, Need::kSelectors);
  EXPECT_THAT(Keep(keeper, Need::kSelectors), HasSubstr("haul"));
}

TEST_F(ManifestKeeperTest, KeepsAllForADefinitionThatMayReadAnything) {
  ASSERT_TRUE(registry_.Add(Selecting("tojson")));
  ManifestKeeper keeper(registry_, 10);
  Keep(keeper, Need::kSelectors);
  EXPECT_THAT(Keep(keeper, Need::kSelectors), HasSubstr("nodeName"));
  EXPECT_THAT(keeper.Unserved(), IsEmpty());
}

TEST_F(ManifestKeeperTest, KeepsWholeOnlyWhatHasTheLabelsOfASelectorThatReadsMore) {
  constexpr std::string_view kHungry = ".spec.containers[] | select(.name == \"m\") | .image";
  ASSERT_TRUE(registry_.Add(Selecting(kHungry, ", matchLabels: {role: gold}")));
  ManifestKeeper others(registry_, 10);
  Keep(others, Need::kSelectors);
  EXPECT_EQ(Keep(others, Need::kSelectors), R"({"metadata":{"labels":{"role":"ore"}}})");
  EXPECT_THAT(others.Unserved(), IsEmpty());

  definition::Registry registry(definition::Registry::Builtins::kNone);
  ASSERT_TRUE(registry.Add(Selecting(kHungry, ", matchLabels: {role: ore}")));
  ManifestKeeper own(registry, 10);
  Keep(own, Need::kSelectors);
  EXPECT_THAT(Keep(own, Need::kSelectors), HasSubstr("haul"));
  EXPECT_THAT(own.Unserved(), IsEmpty());
}

TEST_F(ManifestKeeperTest, TheCatalogKeepsLittleOfAPod) {
  definition::Registry catalog;
  ManifestKeeper keeper(catalog, 10);
  Keep(keeper, Need::kSelectors);
  EXPECT_EQ(Keep(keeper, Need::kSelectors), R"({"metadata":{"annotations":{},"labels":{}}})");
}

TEST_F(ManifestKeeperTest, NamesADefinitionThatCameTooLate) {
  ManifestKeeper keeper(registry_, 10);
  Keep(keeper, Need::kSelectors);
  Keep(keeper, Need::kSelectors);
  ASSERT_TRUE(registry_.Add(Selecting(".spec.hostNetwork")));
  EXPECT_THAT(keeper.Unserved(), ElementsAre("mine"));
}

}  // namespace
}  // namespace wmap::inspect
