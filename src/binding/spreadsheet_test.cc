#include "reissue/binding/spreadsheet.h"

#include <string>
#include <utility>
#include <vector>

#include "files_fixture.h"
#include "reissue/core/random.h"

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

TEST(NeutralCell, NoCellRunsAndTheOthersStay) {
  for (const auto& [cell, neutral] :
       std::vector<std::pair<const char*, const char*>>{{"=1+1", "'=1+1"},
                                                        {"@SUM(1)", "'@SUM(1)"},
                                                        {"\t=1", "'\t'=1"},
                                                        {"a;=1+1", "a;'=1+1"},
                                                        {"two\n=1+1", "two\n'=1+1"},
                                                        {"a;\"=1+1\"", "a;'\"=1+1\""},
                                                        {"-5;+3", "'-5;+3"},
                                                        {"{a; -5}", "{a; -5}"},
                                                        {"\x1b[31mred", "␛[31mred"},
                                                        {"\x08=1", "␈=1"},
                                                        {"x\x7f", "x␡"},
                                                        {"a\xC2\x9B", "a\xEF\xBF\xBD"},
                                                        {"Größe", "Größe"},
                                                        {" =1+1", "' =1+1"},
                                                        {"\xC2\xA0=1+1", "'\xC2\xA0=1+1"},
                                                        {"\xEF\xBB\xBF=1+1", "'\xEF\xBB\xBF=1+1"},
                                                        {"a; =1+1", "a;' =1+1"},
                                                        {"a;\" =1\"", "a;'\" =1\""},
                                                        {"{a; =b}", "{a;' =b}"},
                                                        {"＝1+1", "'＝1+1"},
                                                        {"＠SUM(1)", "'＠SUM(1)"},
                                                        {"　＋A1", "'　＋A1"},
                                                        {"a;－A1", "a;'－A1"},
                                                        {"－5", "－5"},
                                                        {"－", "－"},
                                                        {" -5", " -5"},
                                                        {"-inf", "'-inf"},
                                                        {"+infinity", "'+infinity"},
                                                        {"-nan(A1)", "'-nan(A1)"},
                                                        {"-1e5", "-1e5"},
                                                        {"[-5,3)", "[-5,3)"},
                                                        {"-5", "-5"},
                                                        {"", ""}}) {
    EXPECT_EQ(NeutralCell(cell), neutral) << cell;
  }
}

// Whatever the text: nothing in it is a risk any more, also where it is cut at an end.
TEST(NeutralCell, IsNeutralAndStaysSo) {
  Random random = Random::Seeded(1);
  constexpr std::string_view kSigns = "=+-@;\t\n\r\"'a5,\x1b\x7f }";
  for (int round = 0; round < 20000; ++round) {
    std::string cell;
    for (std::uint64_t n = random.Below(8); n > 0; --n) cell += kSigns[random.Below(kSigns.size())];
    const std::string neutral = NeutralCell(cell);
    ASSERT_EQ(RiskOf(neutral), CellRisk::kNone) << cell;
    ASSERT_EQ(NeutralCell(neutral), neutral) << cell;
    for (std::size_t at = 0; (at = neutral.find_first_of(";\t\n\r", at)) != std::string::npos;) {
      ++at;
      const std::size_t end = neutral.find_first_of(";\t\n\r", at);
      std::string_view part = std::string_view(neutral).substr(at, end - at);
      if (part.ends_with('}')) part.remove_suffix(1);  // {a; -5} is a label of ours
      ASSERT_EQ(RiskOf(part), CellRisk::kNone) << cell;
    }
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

TEST_F(SpreadsheetTest, ACopyOfAFileHasItsRowsInTheirOrder) {
  const std::string path = Write("r.csv",
                                 "job,=note,n\nnurse,=1+1,1\n\"cook, chef\",,-2\n"
                                 "nurse,\"a;=1\",3\n");
  std::string text;
  const auto copy = CopyForSpreadsheets(path, context_, [&](std::string_view piece) {
    text += piece;
    return Ok();
  });
  ASSERT_TRUE(copy) << copy.error().ToString();
  EXPECT_EQ(text, "\xEF\xBB\xBFjob,'=note,n\nnurse,'=1+1,1\n\"cook, chef\",,-2\nnurse,a;'=1,3\n");
  EXPECT_EQ(copy->rows, 3u);
  EXPECT_EQ(copy->cells, 3u);
}

// To a spreadsheet a first line `sep=x` says that cells end at every x.
TEST_F(SpreadsheetTest, ACopyDoesNotSayWhereCellsEnd) {
  for (const std::string name : {"sep=x", "SEP=x"}) {
    std::string text;
    const auto copy = CopyForSpreadsheets(Write("r.csv", "\"" + name + "\"\nax=1+1\n"), context_,
                                          [&](std::string_view piece) {
                                            text += piece;
                                            return Ok();
                                          });
    ASSERT_TRUE(copy) << copy.error().ToString();
    EXPECT_EQ(text, "\xEF\xBB\xBF'" + name + "\nax=1+1\n");
    EXPECT_EQ(copy->cells, 1u);
  }
}

}  // namespace
}  // namespace reissue::binding
