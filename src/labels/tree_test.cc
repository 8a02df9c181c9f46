#include "reissue/labels/tree.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace reissue::labels {
namespace {

taxonomy::Taxonomy TreeFrom(std::vector<std::vector<std::string>> labels) {
  std::vector<taxonomy::HierarchyLine> lines;
  for (auto& line : labels) lines.push_back({lines.size() + 1, std::move(line)});
  return taxonomy::FromHierarchy(lines, "tree.csv").value();
}

taxonomy::Taxonomy Countries() {
  return TreeFrom({{"France", "Western", "Europe", "World"},
                   {"Spain", "Western", "Europe", "World"},
                   {"Poland", "Eastern", "Europe", "World"},
                   {"Japan", "Asia", "World"},
                   {"Iran", "Asia", "World"},
                   {"?", "World"}});
}

class Column {
 public:
  Column(std::initializer_list<std::string_view> texts, const taxonomy::Taxonomy& tree)
      : column_(ReadLabels(std::vector<std::string_view>(texts), tree)) {}
  const ColumnLabels* operator->() const { return &column_; }
  const AtomSet& operator[](std::size_t text) const {
    return column_.labels[column_.of_text[text]];
  }

 private:
  ColumnLabels column_;
};

TEST(ReadLabelsOfTree, NodesContainWhatIsBelow) {
  const Column column({"Europe", "France", "Asia", "Western", "World", "*", "Iran"}, Countries());
  EXPECT_EQ(column->notation, Notation::kTaxonomy);
  EXPECT_TRUE(column[0].Contains(column[1]));
  EXPECT_TRUE(column[0].Contains(column[3]));
  EXPECT_TRUE(column[3].Contains(column[1]));
  EXPECT_FALSE(column[0].Meets(column[2]));
  EXPECT_EQ(column[4], column[5]);
  EXPECT_TRUE(column[4].Contains(column[6]));
  EXPECT_TRUE(column->nested);
  EXPECT_FALSE(column->unnamed);
  EXPECT_TRUE(column->ranges);
  // France; Spain; Poland; Japan; Iran; ?.
  EXPECT_EQ(column->atoms, 6u);
}

TEST(ReadLabelsOfTree, LeavesThatNoTextTellsApartAreOneAtom) {
  EXPECT_EQ(Column({"Europe", "Asia"}, Countries())->atoms, 2u);
  EXPECT_EQ(Column({"Europe"}, Countries())->atoms, 1u);
  // Europe, and what is not.
  const Column column({"Europe", "*"}, Countries());
  EXPECT_EQ(column->atoms, 2u);
  EXPECT_FALSE(column[0].Contains(column[1]));
  // All of it is named.
  EXPECT_TRUE(Column({"Europe", "Asia", "*"}, Countries())[2].Contains(
      Column({"Europe", "Asia", "*"}, Countries())[0]));
}

TEST(ReadLabelsOfTree, AnInnerNodeIsNotMoreThanItsLeaves) {
  // Iran and Japan are all of Asia: nobody of Asia is outside of both.
  const Column column({"Asia", "Iran", "Japan"}, Countries());
  EXPECT_EQ(column->atoms, 2u);
  EXPECT_EQ(column[0].And(column[1]), column[1]);
}

TEST(ReadLabelsOfTree, SetsStarsAndWhatIsMissing) {
  const Column column({"{France, Asia}", "Spain|Poland", "Europe", "?", "", "N/A"}, Countries());
  EXPECT_TRUE(column[0].Meets(column[2]));
  EXPECT_FALSE(column[0].Meets(column[1]));
  EXPECT_FALSE(column->nested);
  // `?` is a leaf here, nothing is not.
  EXPECT_FALSE(column[3].Meets(column[2]));
  EXPECT_TRUE(column[4].Contains(column[3]));
  EXPECT_EQ(column->missing, (std::vector<std::string>{"", "N/A"}));
}

TEST(ReadLabelsOfTree, WhatTheTreeDoesNotHaveIsOdd) {
  const Column column({"Europe", "Atlantis", "{France, Mu}", "none"}, Countries());
  EXPECT_EQ(column->odd, (std::vector<std::string>{"Atlantis", "{France, Mu}", "none"}));
  EXPECT_FALSE(column[1].Meets(column[2]));
}

TEST(ReadLabelsOfTree, NumbersAndMasksAreSetsOfLeaves) {
  const taxonomy::Taxonomy ages = TreeFrom(
      {{"21", "20-29", "*"}, {"25", "20-29", "*"}, {"34", "30-39", "*"}, {"38", "30-39", "*"}});
  const Column column({"20-29", "[20,30)", "[25,35]", ">=34", "25", "41"}, ages);
  EXPECT_EQ(column[0], column[1]);
  EXPECT_TRUE(column[2].Contains(column[4]));
  EXPECT_FALSE(column[2].Contains(column[3]));
  EXPECT_TRUE(column[2].Meets(column[3]));
  EXPECT_EQ(column->odd, (std::vector<std::string>{"41"}));
  const taxonomy::Taxonomy codes = TreeFrom({{"1305", "13", "*"}, {"1302", "13", "*"}});
  const Column masked({"130*", "13", "*2", "14**"}, codes);
  EXPECT_EQ(masked[0], masked[1]);
  EXPECT_TRUE(masked[0].Contains(masked[2]));
  EXPECT_EQ(masked->odd.size(), 1u);
}

}  // namespace
}  // namespace reissue::labels
