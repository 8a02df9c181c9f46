#include "reissue/taxonomy/draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reissue/core/random.h"
#include "reissue/taxonomy/describe.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::taxonomy {
namespace {

using ::testing::ElementsAre;

// The lines as they would stand in a file.
std::vector<std::string> Drafted(const std::vector<std::string>& values,
                                 DraftKind kind = DraftKind::kAuto) {
  const Result<Draft> draft = DraftHierarchy(values, kind, "c");
  if (!draft) return {draft.error().ToString()};
  std::vector<std::string> lines;
  for (const HierarchyLine& line : draft->lines) {
    std::string text;
    for (const std::string& label : line.labels) text += (text.empty() ? "" : ";") + label;
    lines.push_back(text);
  }
  return lines;
}

DraftKind Chosen(const std::vector<std::string>& values) {
  return DraftHierarchy(values, DraftKind::kAuto, "c").value().kind;
}

TEST(DraftHierarchy, DoublesRoundRanges) {
  EXPECT_THAT(Drafted({"90", "17", "33"}),
              ElementsAre("17;[15,20);[10,20);[0,20);[0,40);[0,80);*",
                          "33;[30,35);[30,40);[20,40);[0,40);[0,80);*",
                          "90;[90,95);[90,100);[80,100);[80,120);[80,160);*"));
  EXPECT_THAT(Drafted({"1", "2", "3"}), ElementsAre("1;[0,2);*", "2;[2,4);*", "3;[2,4);*"));
  EXPECT_THAT(Drafted({"-3", "4"}),
              ElementsAre("-3;[-4,-2);[-4,0);[-8,0);*", "4;[4,6);[4,8);[0,8);*"));
  EXPECT_THAT(Drafted({"0.1", "0.3", "0.2"}),
              ElementsAre("0.1;[0,0.2);*", "0.2;[0.2,0.4);*", "0.3;[0.2,0.4);*"));
}

TEST(DraftHierarchy, ShortensCodes) {
  EXPECT_THAT(Drafted({"12345", "12399"}),
              ElementsAre("12345;1234*;123**;12***;1****;*", "12399;1239*;123**;12***;1****;*"));
  EXPECT_THAT(Drafted({"250", "250.1"}, DraftKind::kPrefixes),
              ElementsAre("250;250**;250**;25***;2****;*", "250.1;250.*;250**;25***;2****;*"));
  EXPECT_THAT(Drafted({"äb", "ac"}, DraftKind::kPrefixes), ElementsAre("ac;a*;*", "äb;ä*;*"));
}

TEST(DraftHierarchy, ChoosesByTheValues) {
  EXPECT_EQ(Chosen({"17", "90"}), DraftKind::kRanges);
  EXPECT_EQ(Chosen({"1950", "2020"}), DraftKind::kRanges);  // years
  EXPECT_EQ(Chosen({"0123", "4567"}), DraftKind::kPrefixes);
  EXPECT_EQ(Chosen({"12345", "98765"}), DraftKind::kPrefixes);
  EXPECT_EQ(Chosen({"EC1A", "SW1A"}), DraftKind::kPrefixes);
  EXPECT_EQ(Chosen({"Private", "State-gov"}), DraftKind::kFlat);
  EXPECT_EQ(Chosen({"7"}), DraftKind::kFlat);  // one number has no ranges
  EXPECT_EQ(Chosen({"1e15", "1.000000000000000125e15"}), DraftKind::kFlat);
  EXPECT_THAT(Drafted({"b", "a", "b"}), ElementsAre("a;*", "b;*"));
  EXPECT_EQ(DraftKindName(DraftKind::kAuto), "auto");
  EXPECT_EQ(DraftKindName(DraftKind::kPrefixes), "prefixes");
}

TEST(DraftHierarchy, RefusesWhatCannotBeNamed) {
  EXPECT_THAT(Drafted({}),
              ElementsAre("column \"c\": the column has no values to draft a hierarchy "
                          "from\n  use a table that has rows"));
  EXPECT_THAT(Drafted({"a", ""}),
              ElementsAre("column \"c\": a value is empty, and a hierarchy cannot name it\n  set "
                          "`missing = \"drop-row\"` in [table], or fill the empty values"));
  EXPECT_THAT(
      Drafted({"a", "*"}),
      ElementsAre("column \"c\": a value is or contains `*`, which stands for anything in a "
                  "hierarchy\n  if it means missing, leave its rows out: `missing = \"drop-row\"` "
                  "and `missing_markers = [\"*\"]` in [table] of a policy, which --policy names; "
                  "else rename the value in the table"));
  EXPECT_THAT(Drafted({"a", "1"}, DraftKind::kRanges),
              ElementsAre("column \"c\": no round ranges fit: the values are not all numbers, are "
                          "all equal, or lie too close together for their size\n  draft `auto` or "
                          "`flat`, or write `breakpoints` in the policy"));
}

std::string RandomText(Random& random, std::string_view alphabet, std::size_t longest) {
  std::string text;
  const std::size_t length = 1 + random.Below(longest);
  for (std::size_t i = 0; i < length; ++i) text += alphabet[random.Below(alphabet.size())];
  return text;
}

// Whatever the values, FromHierarchy accepts the draft, and its leaves are the distinct values.
TEST(DraftHierarchy, IsAlwaysAHierarchyOfTheValues) {
  Random random = Random::Seeded(9);
  const std::vector<std::string> alphabets = {"0123456789", "ab1", "0123456789.-e", "aB *["};
  int ranges = 0, prefixes = 0, flat = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::string> values;
    const std::string& alphabet = alphabets[random.Below(alphabets.size())];
    const std::size_t longest = 1 + random.Below(8);
    const bool floating = random.Below(4) == 0;
    for (std::size_t i = 1 + random.Below(30); i > 0; --i) {
      values.push_back(floating
                           ? FormatNumber((random.Unit() - 0.3) * std::pow(10, random.Below(40)))
                           : RandomText(random, alphabet, longest));
    }
    for (const DraftKind kind :
         {DraftKind::kAuto, DraftKind::kRanges, DraftKind::kPrefixes, DraftKind::kFlat}) {
      const Result<Draft> draft = DraftHierarchy(values, kind, "c");
      if (!draft) continue;
      const Result<Taxonomy> tree = FromHierarchy(draft->lines, "draft.csv");
      ASSERT_TRUE(tree) << tree.error().ToString();
      std::vector<std::string> leaves, distinct = values;
      for (std::size_t r = 0; r < tree->leaves(); ++r) leaves.push_back(tree->label(tree->leaf(r)));
      std::sort(leaves.begin(), leaves.end());
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      ASSERT_EQ(leaves, distinct);
      ranges += draft->kind == DraftKind::kRanges;
      prefixes += draft->kind == DraftKind::kPrefixes;
      flat += draft->kind == DraftKind::kFlat;
    }
  }
  EXPECT_GT(ranges, 150);
  EXPECT_GT(prefixes, 150);
  EXPECT_GT(flat, 150);
}

// Every number lies in the ranges above it.
TEST(DraftHierarchy, PutsNumbersIntoTheirRanges) {
  Random random = Random::Seeded(10);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> values;
    const double scale = std::pow(10.0, static_cast<double>(random.Below(9)) - 3);
    for (int i = 0; i < 20; ++i) {
      values.push_back(FormatNumber(static_cast<double>(random.Below(2000)) * scale - scale * 500));
    }
    const Draft draft = DraftHierarchy(values, DraftKind::kRanges, "c").value();
    for (const HierarchyLine& line : draft.lines) {
      const double number = ParseNumber(line.labels[0]).value();
      for (std::size_t i = 1; i + 1 < line.labels.size(); ++i) {
        const std::string& label = line.labels[i];
        const std::size_t comma = label.find(',');
        const double low = ParseNumber(label.substr(1, comma - 1)).value();
        const double high = ParseNumber(label.substr(comma + 1, label.size() - comma - 2)).value();
        ASSERT_LE(low, number) << label;
        ASSERT_LT(number, high) << label;
      }
    }
  }
}

TEST(Describe, CountsAndRenders) {
  const std::vector<HierarchyLine> lines = {
      {1, {"a1", "A", "*"}}, {2, {"a\n2", "A", "*"}}, {3, {"b1", "B", "*"}}, {4, {"c", "c", "*"}}};
  const Taxonomy tree = FromHierarchy(lines, "t.csv").value();
  const Description description = Describe(tree);
  EXPECT_EQ(description.nodes, 7u);
  EXPECT_EQ(description.leaves, 4u);
  EXPECT_EQ(description.levels, 3u);
  EXPECT_EQ(description.largest_fan_out, 3u);
  EXPECT_EQ(description.widest, "*");
  EXPECT_EQ(Render(tree),
            "* (4 leaves)\n  A (2 leaves)\n    a1\n    a?2\n  B (1 leaf)\n    b1\n  c\n");
  EXPECT_EQ(Render(tree, 1), "* (4 leaves)\n  A (2 leaves)\n  B (1 leaf)\n  c\n");
  EXPECT_EQ(Render(tree, 0), "* (4 leaves)\n");
}

}  // namespace
}  // namespace reissue::taxonomy
