#include "reissue/labels/column.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "reissue/labels/notation.h"

namespace reissue::labels {
namespace {

ColumnLabels Read(std::initializer_list<std::string_view> texts) {
  return ReadLabels(std::vector<std::string_view>(texts));
}

// Texts i and j can be about the same person.
bool Meet(const ColumnLabels& column, std::size_t i, std::size_t j) {
  return column.labels[column.of_text[i]].Meets(column.labels[column.of_text[j]]);
}
bool Contains(const ColumnLabels& column, std::size_t i, std::size_t j) {
  return column.labels[column.of_text[i]].Contains(column.labels[column.of_text[j]]);
}

TEST(ReadNumber, EveryNotation) {
  const auto piece = [](std::string_view text, double low, double high, bool with_low = true,
                        bool with_high = true) {
    const NumberReading reading = ReadNumber(text);
    return reading.sureness != Sureness::kNone && reading.piece.low == low &&
           reading.piece.high == high && reading.piece.with_low == with_low &&
           reading.piece.with_high == with_high;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(piece("51", 51, 51));
  EXPECT_TRUE(piece("-3.5", -3.5, -3.5));
  EXPECT_TRUE(piece("[51-53]", 51, 53));
  EXPECT_TRUE(piece("[51,53]", 51, 53));
  EXPECT_TRUE(piece("[51, 53)", 51, 53, true, false));
  EXPECT_TRUE(piece("(51;53]", 51, 53, false, true));
  EXPECT_TRUE(piece("51-53", 51, 53));
  EXPECT_TRUE(piece("51 – 53", 51, 53));
  EXPECT_TRUE(piece("-5--1", -5, -1));
  EXPECT_TRUE(piece("[-5,-1]", -5, -1));
  EXPECT_TRUE(piece("-10-5", -10, 5));
  EXPECT_TRUE(piece(">=60", 60, infinity, true, false));
  EXPECT_TRUE(piece("> 60", 60, infinity, false, false));
  EXPECT_TRUE(piece("60+", 60, infinity, true, false));
  EXPECT_TRUE(piece("<20", -infinity, 20, false, false));
  EXPECT_TRUE(piece("≤20", -infinity, 20, false, true));
  for (const char* text :
       {"53-51", "[53,51]", "[5,5)", "a", "", "1e3", "12a", "1-2-3", "nan", "--"}) {
    EXPECT_EQ(ReadNumber(text).sureness, Sureness::kNone) << text;
  }
}

TEST(ReadDates, DaysMonthsYearsAndRanges) {
  const auto days = [](std::string_view text) {
    const auto read = ReadDates(text);
    return read ? static_cast<int>(read->last - read->first) + 1 : 0;
  };
  EXPECT_EQ(days("2019-03-07"), 1);
  EXPECT_EQ(days("07.03.2019"), 1);
  EXPECT_EQ(days("2019/3/7"), 1);
  EXPECT_EQ(days("2019-03"), 31);
  EXPECT_EQ(days("2020-02"), 29);
  EXPECT_EQ(days("2019"), 365);
  EXPECT_EQ(days("[2019-01,2019-03]"), 90);
  EXPECT_EQ(days("[2019-01-01,2019-01-03)"), 2);
  EXPECT_EQ(days("2018..2019"), 730);
  for (const char* text : {"2019-13", "2019-02-30", "12-34", "2019-3", "x", "1-2019-3"}) {
    EXPECT_EQ(days(text), 0) << text;
  }
}

TEST(ReadLabels, RangesOverlapWhereTheyHaveANumberInCommon) {
  const ColumnLabels column = Read({"[51-53]", "[53,55)", "[54-60]", "55", ">=60", "*", "61"});
  EXPECT_EQ(column.notation, Notation::kNumbers);
  EXPECT_TRUE(column.whole);
  EXPECT_TRUE(Meet(column, 0, 1));   // 53
  EXPECT_FALSE(Meet(column, 0, 2));  // 53 and 54: nothing between whole numbers
  EXPECT_TRUE(Meet(column, 1, 2));   // 54
  EXPECT_FALSE(Meet(column, 1, 3));
  EXPECT_TRUE(Contains(column, 2, 3));
  EXPECT_TRUE(Meet(column, 2, 4));
  EXPECT_TRUE(Contains(column, 4, 6));
  EXPECT_TRUE(column.unnamed);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_TRUE(Contains(column, 5, i));
  EXPECT_FALSE(column.nested);
  // 51–52, 53, 54, 55, 56–59, 60, 61, above, and what no label names.
  EXPECT_EQ(column.atoms, 9u);
}

TEST(ReadLabels, EqualSetsAreOneLabel) {
  const ColumnLabels column = Read({"[51,53)", "[51-52]", "51-52", "(50,53)", "53"});
  EXPECT_EQ(column.labels.size(), 2u);
  EXPECT_EQ(column.texts[0], "[51,53)");
  EXPECT_TRUE(column.disjoint);
  EXPECT_EQ(column.atoms, 2u);
}

TEST(ReadLabels, NumbersBetweenWholeOnesCountWhereOneIsWritten) {
  const ColumnLabels whole = Read({"[1,2]", "[3,4]", "(2,4)"});
  EXPECT_FALSE(Meet(whole, 0, 2));
  EXPECT_TRUE(whole.whole);
  const ColumnLabels real = Read({"[1,2]", "[3,4]", "(2,3)", "2.5"});
  EXPECT_FALSE(real.whole);
  EXPECT_TRUE(Contains(real, 2, 3));
  // A range between neighbours would be empty.
  EXPECT_FALSE(Read({"(2,3)", "2", "3"}).whole);
}

TEST(ReadLabels, NoUnnamedNumberWhereTheLineIsCovered) {
  EXPECT_FALSE(Read({"<20", "[20,60)", ">=60", "*"}).unnamed);
  EXPECT_TRUE(Read({"<20", "[20,59)", ">=60", "*"}).unnamed);
  EXPECT_FALSE(Read({"<20", "[20-59]", ">=60", "*"}).unnamed);
  EXPECT_FALSE(Read({"<20", "[20,60)"}).unnamed);  // nothing is open
}

TEST(ReadLabels, CodesThatLookLikeRanges) {
  // Bands.
  EXPECT_EQ(Read({"20-29", "30-39", "25-34"}).notation, Notation::kNumbers);
  // One is the wrong way round, one has a zero in front.
  EXPECT_EQ(Read({"12-34", "45-12", "12-40"}).notation, Notation::kText);
  EXPECT_EQ(Read({"12-34", "01-12", "12-40"}).notation, Notation::kText);
  EXPECT_TRUE(Read({"12-34", "45-12", "12-40"}).disjoint);
  // One odd label among texts, and one among numbers.
  EXPECT_EQ(Read({"a", "b", "c", "12-34", "20-30"}).notation, Notation::kText);
  const ColumnLabels odd = Read({"[20,30)", "25", "unknown", "*"});
  EXPECT_EQ(odd.notation, Notation::kNumbers);
  EXPECT_EQ(odd.odd, std::vector<std::string>{"unknown"});
  EXPECT_TRUE(Contains(odd, 0, 1));
  EXPECT_FALSE(Meet(odd, 0, 2));
  EXPECT_TRUE(Contains(odd, 3, 2));
  EXPECT_EQ(Read({"007", "07"}).labels.size(), 2u);
}

TEST(ReadLabels, Masks) {
  const ColumnLabels column = Read({"130**", "13053", "1305*", "14853", "*****", "13068"});
  EXPECT_EQ(column.notation, Notation::kCodes);
  EXPECT_TRUE(Contains(column, 0, 1));
  EXPECT_TRUE(Contains(column, 0, 2));
  EXPECT_TRUE(Contains(column, 2, 1));
  EXPECT_TRUE(Contains(column, 0, 5));
  EXPECT_FALSE(Meet(column, 2, 5));
  EXPECT_FALSE(Meet(column, 0, 3));
  EXPECT_TRUE(Contains(column, 4, 3));
  EXPECT_TRUE(column.nested);
  // Three codes, what else begins with 130 and with 1305, and what no label names.
  EXPECT_EQ(column.atoms, 6u);
  const ColumnLabels front = Read({"**053", "13053", "14853"});
  EXPECT_TRUE(Contains(front, 0, 1));
  EXPECT_FALSE(Meet(front, 0, 2));
}

TEST(ReadLabels, SetsAndText) {
  const ColumnLabels column = Read({"{nurse, cook}", "nurse", "cook|smith", "smith", "*"});
  EXPECT_EQ(column.notation, Notation::kText);
  EXPECT_TRUE(Contains(column, 0, 1));
  EXPECT_TRUE(Meet(column, 0, 2));
  EXPECT_FALSE(Meet(column, 0, 3));
  EXPECT_FALSE(column.nested);
  EXPECT_EQ(column.atoms, 4u);
  const ColumnLabels numbers = Read({"{1, 3}", "2", "3", "[0,2]"});
  EXPECT_EQ(numbers.notation, Notation::kNumbers);
  EXPECT_FALSE(Meet(numbers, 0, 1));
  EXPECT_TRUE(Contains(numbers, 0, 2));
  EXPECT_TRUE(Meet(numbers, 0, 3));
}

TEST(ReadLabels, WordsAmongCodesAreOdd) {
  EXPECT_EQ(Read({"0011*", "00120", "Alder county"}).odd,
            (std::vector<std::string>{"Alder county"}));
  EXPECT_TRUE(Read({"AB*", "ABC", "X"}).odd.empty());
}

TEST(ReadLabels, CodesThatWereCut) {
  using Files = std::vector<std::vector<std::string_view>>;
  EXPECT_TRUE(AreCutCodes(Files{{"13053", "13068", "*"}, {"1305", "1306", "1485"}}));
  EXPECT_TRUE(AreCutCodes(Files{{"DE211", "FR101"}, {"DE2", "FR1"}, {"DE21", "*"}}));
  // One length, lengths that mix, numbers that are short, words, others begin so.
  EXPECT_FALSE(AreCutCodes(Files{{"13053"}, {"14850"}}));
  EXPECT_FALSE(AreCutCodes(Files{{"13053", "1306"}, {"1305", "1306"}}));
  EXPECT_FALSE(AreCutCodes(Files{{"21", "35"}, {"2", "3"}}));
  EXPECT_FALSE(AreCutCodes(Files{{"nurse"}, {"nur"}}));
  EXPECT_FALSE(AreCutCodes(Files{{"13053", "14850"}, {"1305"}}));
  const std::vector<std::string_view> texts = {"13053", "1305", "1306", "*"};
  const ColumnLabels column = ReadLabels(texts, true);
  EXPECT_EQ(column.notation, Notation::kCodes);
  EXPECT_TRUE(Contains(column, 1, 0));
  EXPECT_FALSE(Contains(column, 0, 1));  // others begin so, too
  EXPECT_FALSE(Meet(column, 2, 0));
  EXPECT_TRUE(Contains(column, 3, 2));
}

TEST(ReadLabels, Dates) {
  const ColumnLabels column = Read({"2019-03-07", "2019-03", "2019", "2018-12", "*"});
  EXPECT_EQ(column.notation, Notation::kDates);
  EXPECT_TRUE(Contains(column, 1, 0));
  EXPECT_TRUE(Contains(column, 2, 1));
  EXPECT_FALSE(Meet(column, 2, 3));
  EXPECT_TRUE(column.nested);
  // Years alone are numbers.
  EXPECT_EQ(Read({"2019", "2018"}).notation, Notation::kNumbers);
}

TEST(ReadLabels, WhatIsMissingMayBeAnything) {
  const ColumnLabels numbers = Read({"1", "2", "NA", ""});
  EXPECT_EQ(numbers.missing, (std::vector<std::string>{"NA", ""}));
  EXPECT_TRUE(Contains(numbers, 2, 0));
  EXPECT_EQ(numbers.of_text[2], numbers.of_text[3]);
  EXPECT_TRUE(Contains(Read({"Private", "Self-emp", "?"}), 2, 0));
  // Namibia.
  const ColumnLabels codes = Read({"DE", "FR", "NA"});
  EXPECT_TRUE(codes.missing.empty());
  EXPECT_TRUE(codes.disjoint);
  EXPECT_TRUE(Read({"None", "Some"}).missing.empty());
}

TEST(ReadLabels, NothingButStars) {
  const ColumnLabels column = Read({"*", "**"});
  EXPECT_EQ(column.labels.size(), 1u);
  EXPECT_EQ(column.atoms, 1u);
}

TEST(AtomSet, Operations) {
  const AtomSet a({{0, 3}, {5, 8}}), b({{2, 6}}), none;
  EXPECT_TRUE(a.Meets(b));
  EXPECT_FALSE(a.Contains(b));
  EXPECT_EQ(a.And(b).Atoms(), (std::vector<std::uint32_t>{2, 5}));
  EXPECT_TRUE(a.Contains(a.And(b)));
  EXPECT_FALSE(a.Has(3));
  EXPECT_TRUE(a.Has(7));
  EXPECT_EQ(AtomSet({{4, 6}, {0, 2}, {2, 5}, {7, 7}}).spans().size(), 1u);
  EXPECT_FALSE(none.Meets(a));
  EXPECT_EQ(a.size(), 6u);
}

}  // namespace
}  // namespace reissue::labels
