#include "reissue/binding/spreadsheet.h"

#include "files_fixture.h"

namespace reissue::binding {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CellRisk, FormulasAndControlsAreTold) {
  for (const char* formula :
       {"=1+1", "=cmd|' /C calc'!A0", "+SUM(A1)", "-2+3", "@SUM(1)", "\t=1", "-x", "+49 221"}) {
    EXPECT_EQ(RiskOf(formula), CellRisk::kFormula) << formula;
  }
  for (const char* control : {"\x1b[31mred", "a\x07", "\x7f",
                              "a\xC2\x9B"
                              "31m",
                              "x\x08y"}) {
    EXPECT_EQ(RiskOf(control), CellRisk::kControl);
  }
}

TEST(CellRisk, NumbersAndOrdinaryTextsAreNone) {
  for (const char* plain : {"", "-", "+", "=", "-5", "+3", "-5.25", "+3,5", "-1e9", "-1.000,5",
                            "a=b", "[-5,3)", "two\nlines", "größe", "5-9", "*", "a\tb", "é"}) {
    EXPECT_EQ(RiskOf(plain), CellRisk::kNone) << plain;
  }
}

class SpreadsheetTest : public FilesTest {};

TEST_F(SpreadsheetTest, CountsWhatWouldBePublishedAndShowsNoValue) {
  Write("job.csv", "nurse;=care;*\ncook;food;*\n");
  const io::Policy policy =
      io::ReadPolicy(context_.files,
                     Write("p.toml",
                           "[columns]\nid = { role = \"identifier\" }\n"
                           "job = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
                           "note = { role = \"publish\" }\nold = { role = \"drop\" }\n"
                           "[guarantee]\nmodel = \"k\"\nk = 1\n"))
          .value();
  const std::string table = Write("t.csv",
                                  "id,job,note,old\n=1,nurse,=A1,=x\n2,cook,=A1,y\n3,cook,-5,y\n"
                                  "4,cook,\x1b[2J,y\n");
  const auto holder = LoadTable(policy, table, context_);
  ASSERT_TRUE(holder) << holder.error().ToString();
  const CellRisks risks = RisksOf(*holder);
  EXPECT_THAT(risks.Words(), ElementsAre(HasSubstr("\"job\": 1 cell that a spreadsheet"),
                                         HasSubstr("\"note\": 2 cells that a spreadsheet"),
                                         HasSubstr("\"note\": 1 cell with control")));
  for (const std::string& words : risks.Words()) EXPECT_EQ(words.find("A1"), std::string::npos);
}

}  // namespace
}  // namespace reissue::binding
