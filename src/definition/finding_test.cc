#include "definition/finding.h"

#include <gtest/gtest.h>
#include <vector>

namespace wmap::definition {
namespace {

Finding Owner() {
  Finding finding;
  finding.id = "V7";
  finding.message = "owner \"boos\" of component \"crew\" does not exist";
  finding.hint = "did you mean \"boss\"?";
  finding.pointer = "/a/ownerRef";
  finding.source = "a.yaml";
  finding.place = {2, 13};
  finding.width = 4;
  return finding;
}

TEST(Render, ShowsLineCaretAndHint) {
  EXPECT_EQ(Render(Owner(), "a:\n  ownerRef: boos\n"),
            "a.yaml:2:13: error V7: owner \"boos\" of component \"crew\" does not exist\n"
            "  ownerRef: boos\n"
            "            ^^^^\n"
            "hint: did you mean \"boss\"?\n");
}

TEST(Render, TellsThePlaceWithoutTheText) {
  EXPECT_EQ(Render(Owner(), ""),
            "a.yaml:2:13: error V7: owner \"boos\" of component \"crew\" does not exist\n"
            "hint: did you mean \"boss\"?\n");
}

TEST(Render, TellsTheFieldWhereNoPlaceIsKnown) {
  Finding finding = Owner();
  finding.place = {};
  finding.hint = "";
  EXPECT_EQ(Render(finding, "a:\n"),
            "a.yaml: /a/ownerRef: error V7: owner \"boos\" of component \"crew\" does not exist\n");
  finding.source = "";
  finding.place = {2, 13};
  EXPECT_EQ(Render(finding, ""),
            "line 2:13: error V7: owner \"boos\" of component \"crew\" does not exist\n");
}

TEST(Render, ShowsNoControlCharacters) {
  Finding finding;
  finding.severity = Severity::kWarning;
  finding.source = "a\x1b[31m.yaml";
  finding.id = "V7";
  finding.message = "x\ny";
  EXPECT_EQ(Render(finding, ""), "a?[31m.yaml: warning V7: x?y\n");
}

TEST(Render, JoinsFindings) {
  Finding finding;
  finding.id = "V7";
  std::vector<Finding> two = {finding, finding};
  EXPECT_EQ(Render(two, ""), "error V7: \nerror V7: \n");
  EXPECT_TRUE(HasErrors(two));
  two[0].severity = two[1].severity = Severity::kWarning;
  EXPECT_FALSE(HasErrors(two));
}

}  // namespace
}  // namespace wmap::definition
