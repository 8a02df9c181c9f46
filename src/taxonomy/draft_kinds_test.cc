#include "reissue/taxonomy/draft_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::taxonomy {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> DraftText(const std::vector<std::string>& values,
                                   const std::string& column = "c",
                                   DraftKind kind = DraftKind::kAuto) {
  const Result<Draft> draft = DraftHierarchy(values, kind, column);
  if (!draft) return {draft.error().ToString()};
  std::vector<std::string> texts;
  for (const HierarchyLine& line : draft->lines) {
    std::string text;
    for (const std::string& label : line.labels) text += (text.empty() ? "" : ";") + label;
    texts.push_back(text);
  }
  return texts;
}
DraftKind KindOf(const std::vector<std::string>& values, const std::string& column = "c") {
  return DraftHierarchy(values, DraftKind::kAuto, column).value().kind;
}

TEST(DraftDates, ReadsSeveralNotations) {
  EXPECT_THAT(
      DraftText({"2019-03-14", "2019-12-01"}),
      ElementsAre("2019-03-14;2019-03-14;2019-03;2019;*", "2019-12-01;2019-12-01;2019-12;2019;*"));
  EXPECT_THAT(
      DraftText({"14.3.2019", "02.12.2018"}),
      ElementsAre("02.12.2018;2018-12-02;2018-12;2018;*", "14.3.2019;2019-03-14;2019-03;2019;*"));
  EXPECT_THAT(DraftText({"20190314"}), ElementsAre("20190314;2019-03-14;2019-03;2019;*"));
  EXPECT_THAT(DraftText({"03/2019"}), ElementsAre("03/2019;2019-03;2019;*"));
  EXPECT_THAT(DraftText({"2019-03"}), ElementsAre("2019-03;2019-03;2019;*"));
  EXPECT_THAT(DraftText({"14-Mar-2019"}), ElementsAre("14-Mar-2019;2019-03-14;2019-03;2019;*"));
  EXPECT_THAT(DraftText({"2019-03-14 08:15", "2019-03-14T09:00:00Z"}),
              ElementsAre("2019-03-14 08:15;2019-03-14;2019-03;2019;*",
                          "2019-03-14T09:00:00Z;2019-03-14;2019-03;2019;*"));
}

// With slashes the month comes first, unless a number says that it cannot.
TEST(DraftDates, TellsDaysFromMonths) {
  EXPECT_THAT(DraftText({"03/04/2019"}), ElementsAre("03/04/2019;2019-03-04;2019-03;2019;*"));
  EXPECT_THAT(
      DraftText({"03/04/2019", "14/04/2019"}),
      ElementsAre("03/04/2019;2019-04-03;2019-04;2019;*", "14/04/2019;2019-04-14;2019-04;2019;*"));
  EXPECT_EQ(KindOf({"13/04/2019", "04/13/2019"}), DraftKind::kFlat);
  EXPECT_EQ(KindOf({"2019-13-01", "2019-02-01"}), DraftKind::kPrefixes);  // no month 13
}

TEST(DraftDates, HasDecadesForManyYears) {
  std::vector<std::string> values;
  for (int year = 1941; year < 1952; ++year) values.push_back(std::to_string(year) + "-05-01");
  EXPECT_EQ(DraftText(values).front(), "1941-05-01;1941-05-01;1941-05;1941;[1940,1950);*");
}

TEST(DraftBands, MergesNeighboursInTheOrderOfNumbers) {
  EXPECT_THAT(DraftText({"[0-10)", "[10-20)", "[100-110)", "[20-30)"}),
              ElementsAre("[0-10);[0,20);*", "[10-20);[0,20);*", "[20-30);[20,110);*",
                          "[100-110);[20,110);*"));
  EXPECT_THAT(DraftText({"<18", "18-24", "25-39", "40-64", "65+"}),
              ElementsAre("<18;<25;<65;*", "18-24;<25;<65;*", "25-39;[25,65);<65;*",
                          "40-64;[25,65);<65;*", "65+;65+;65+;*"));
  EXPECT_THAT(DraftText({"0", "1-5", "6-9", ">9", "?", "unknown"}),
              ElementsAre("0;[0,6);*", "1-5;[0,6);*", "6-9;>=6;*", ">9;>=6;*", "unknown;*", "?;*"));
  // Where a half-open range would be another set the bands stay as they are written.
  EXPECT_THAT(DraftText({"0-1.4", "1.5-2.9", "3-4.4"}),
              ElementsAre("0-1.4;0-2.9;*", "1.5-2.9;0-2.9;*", "3-4.4;3-4.4;*"));
  EXPECT_THAT(DraftText({"(0,10]", "(10,20]", "(20,30]"}),
              ElementsAre("(0,10];(0,20];*", "(10,20];(0,20];*", "(20,30];(20,30];*"));
}

TEST(DraftBands, LeavesAloneWhatIsNone) {
  EXPECT_NE(KindOf({"1-5", "4-9", "10-12"}), DraftKind::kBands);  // they overlap
  EXPECT_NE(KindOf({"12-34", "56-78"}), DraftKind::kBands);       // two are too few
  EXPECT_EQ(KindOf({"5", "17", "23"}), DraftKind::kRanges);
}

TEST(DraftDiagnoses, KnowsCategoriesAndChapters) {
  EXPECT_THAT(DraftText({"250.83", "250.6", "250", "V57", "E812", "8", "?"}),
              ElementsAre("250;250*;240-279 endocrine;*", "250.6;250*;240-279 endocrine;*",
                          "250.83;250*;240-279 endocrine;*", "8;001-139 infections;*",
                          "E812;E external causes;*", "V57;V other contacts;*", "?;*"));
  EXPECT_THAT(DraftText({"E11.9", "E11.65", "I10"}),
              ElementsAre("E11.65;E11*;E00-E90 endocrine;*", "E11.9;E11*;E00-E90 endocrine;*",
                          "I10;I00-I99 circulation;*"));
  EXPECT_THAT(DraftText({"E119", "I10"}, "diag_1"),
              ElementsAre("E119;E00-E90 endocrine;*", "I10;I00-I99 circulation;*"));
}

TEST(DraftDiagnoses, ReadsCodesWithoutPoints) {
  EXPECT_THAT(DraftText({"25083", "2506", "V4501", "E8120"}, "icd9_dgns_cd"),
              ElementsAre("2506;250*;240-279 endocrine;*", "25083;250*;240-279 endocrine;*",
                          "E8120;E external causes;*", "V4501;V other contacts;*"));
}

TEST(DraftDiagnoses, TakesNoNumbersForCodes) {
  EXPECT_EQ(KindOf({"250.5", "13.25", "8"}), DraftKind::kRanges);
  EXPECT_EQ(KindOf({"250.5", "13.25", "8"}, "icd9"), DraftKind::kDiagnoses);
  EXPECT_EQ(KindOf({"1", "2", "9"}, "number_diagnoses"), DraftKind::kRanges);
  EXPECT_EQ(KindOf({"A10", "B22"}), DraftKind::kPrefixes);
}

TEST(DraftPrefixes, KnowsBritishPostcodes) {
  EXPECT_THAT(DraftText({"SW1A 1AA", "N1 9GU"}),
              ElementsAre("N1 9GU;N1 9*;N1 *;N*;*", "SW1A 1AA;SW1A 1*;SW1A *;SW*;*"));
}

TEST(DraftHierarchy, PutsMarksBelowTheRoot) {
  const Draft draft =
      DraftHierarchy(std::vector<std::string>{"17", "?", "90"}, DraftKind::kAuto, "age").value();
  EXPECT_EQ(draft.kind, DraftKind::kRanges);
  EXPECT_TRUE(draft.marks);
  EXPECT_THAT(draft.lines.back().labels, ElementsAre("?", "*"));
  EXPECT_EQ(draft.lines.back().line, 3u);
  EXPECT_THAT(DraftText({"NA"}), ElementsAre("NA;*"));
  EXPECT_THAT(DraftText({"a", "b"}, "c", DraftKind::kDates),
              ElementsAre("column \"c\": the values are not dates: not all of them are written "
                          "so\n  draft `auto` or `flat`, or write `breakpoints` in the policy"));
}

std::vector<double> Ends(std::vector<double> numbers) { return RoundBreakpoints(numbers); }

TEST(RoundBreakpoints, AreRoundAndHoldEverything) {
  EXPECT_THAT(Ends({17, 30, 45, 60, 75, 90}), ElementsAre(0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50,
                                                          55, 60, 65, 70, 75, 80, 85, 90, 95));
  EXPECT_THAT(Ends({1, 2, 3, 5, 8, 14}), ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 16));
  EXPECT_THAT(Ends({1950, 1980, 1999, 2001}),
              ElementsAre(1940, 1945, 1950, 1955, 1960, 1965, 1970, 1975, 1980, 1985, 1990, 1995,
                          2000, 2005));
  EXPECT_TRUE(Ends({7, 7}).empty());
  EXPECT_TRUE(Ends({}).empty());
}

// Incomes: most are small, a few are not.
TEST(RoundBreakpoints, GrowWhereThereIsALongTail) {
  std::vector<double> numbers(90, 0.0);
  for (const double more : {300., 500., 700., 900., 2000., 4000., 7000., 15000., 60000., 99999.}) {
    numbers.push_back(more);
  }
  EXPECT_THAT(Ends(numbers),
              ElementsAre(0, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000));
}

TEST(LinesOfBreakpoints, MergePairwiseAsPoliciesDo) {
  const std::vector<HierarchyLine> lines =
      LinesOfBreakpoints(std::vector<std::string>{"17", "3", "?"}, {0, 5, 10, 20});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0].labels, ElementsAre("3", "[0,5)", "[0,10)", "*"));
  EXPECT_THAT(lines[1].labels, ElementsAre("17", "[10,20)", "[10,20)", "*"));
  EXPECT_THAT(lines[2].labels, ElementsAre("?", "*"));
  EXPECT_TRUE(FromHierarchy(lines, "t.csv"));
}

}  // namespace
}  // namespace reissue::taxonomy
