#include "reissue/taxonomy/regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "all_labels.h"
#include "reissue/core/random.h"

namespace reissue::taxonomy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Atoms = std::vector<std::uint32_t>;

Regions Made(std::uint32_t atoms, const std::vector<Region>& regions) {
  return Regions::Make(atoms, regions, "job").value();
}

TEST(Regions, BandsThatOverlapMeet) {
  const std::vector<std::string> labels = {"[20,40)", "[30,50)", "[40,60)", "40", "39.5", "*"};
  const Regions regions = Regions::FromRanges(labels, "age").value();
  const auto meet = [&](const char* a, const char* b) {
    return regions.Meet(*regions.Find(a), *regions.Find(b));
  };
  EXPECT_TRUE(regions.intervals());
  EXPECT_EQ(regions.nodes(), 6u);
  EXPECT_TRUE(meet("[20,40)", "[30,50)"));
  EXPECT_FALSE(meet("[20,40)", "[40,60)")) << "ends are exclusive";
  EXPECT_FALSE(meet("[20,40)", "40"));
  EXPECT_TRUE(meet("[30,50)", "39.5"));
  EXPECT_TRUE(meet("*", "40"));
  EXPECT_TRUE(regions.Contains(*regions.Find("[20,40)"), *regions.Find("39.5")));
  EXPECT_FALSE(regions.Contains(*regions.Find("[20,40)"), *regions.Find("[30,50)")));
  EXPECT_TRUE(regions.Contains(Regions::root(), *regions.Find("[30,50)")));
  for (const double number : {20.0, 29.5, 39.5, 45.0, 60.0, -1.0}) {
    EXPECT_EQ(regions.Has(*regions.Find("[20,40)"), regions.AtomOf(number)),
              number >= 20 && number < 40)
        << number;
    EXPECT_TRUE(regions.Has(Regions::root(), regions.AtomOf(number)));
  }
}

TEST(Regions, LabelsAreKnownByTheirWorthAndOtherTextsAreAnError) {
  const std::vector<std::string> labels = {"[1,2.0)", "[1,2)", "05", "5"};
  EXPECT_EQ(Regions::FromRanges(labels, "x").value().nodes(), 3u);
  const std::vector<std::string> others = {"[1,2)", "secret"};
  const auto regions = Regions::FromRanges(others, "x");
  ASSERT_FALSE(regions);
  EXPECT_EQ(regions.error().ToString().find("secret"), std::string::npos);
}

TEST(Regions, SetsMayMeetTwoByTwoAndNotTogether) {
  const Regions regions = Made(3, {{"a|b", {0, 1}}, {"b|c", {1, 2}}, {"a|c", {0, 2}}});
  EXPECT_FALSE(regions.intervals());
  const NodeId ab = *regions.Find("a|b"), bc = *regions.Find("b|c"), ac = *regions.Find("a|c");
  EXPECT_TRUE(regions.Meet(ab, bc));
  EXPECT_TRUE(regions.Meet(bc, ac));
  EXPECT_TRUE(regions.Meet(ab, ac));
  auto common = regions.Of(ab);
  regions.Narrow(common, bc);
  EXPECT_FALSE(regions.Meet(common, ac));
  EXPECT_TRUE(regions.Meet(common, Regions::root()));
}

TEST(Regions, LabelsOfTheSameSetAreOneNode) {
  const Regions regions = Made(3, {{"any", {0, 1, 2}}, {"b", {1}}, {"{b}", {1}}, {"a-b", {0, 1}}});
  EXPECT_EQ(regions.nodes(), 3u);
  EXPECT_EQ(regions.Find("any"), Regions::root());
  EXPECT_EQ(regions.label(Regions::root()), "any");
  EXPECT_EQ(regions.Find("{b}"), regions.Find("b"));
}

TEST(Regions, WhatIsNoSetOfAtomsIsAnError) {
  const auto error = [](const std::vector<Region>& regions) {
    const auto made = Regions::Make(3, regions, "job");
    return made ? std::string() : made.error().ToString();
  };
  EXPECT_THAT(error({{"a", {}}}), HasSubstr("no value at all"));
  EXPECT_THAT(error({{"a", {1, 1}}}), HasSubstr("ascending"));
  EXPECT_THAT(error({{"a", {3}}}), HasSubstr("ascending"));
  EXPECT_THAT(error({{"*", {0, 1}}}), HasSubstr("less than everything"));
  EXPECT_THAT(error({{"a", {0}}, {"a", {1}}}), HasSubstr("two sets"));
}

TEST(Regions, NestedOnesAreATree) {
  const Regions nested =
      Made(5, {{"b", {1}}, {"ab", {0, 1}}, {"abd", {0, 1, 3}}, {"e", {4}}, {"c", {2}}});
  const auto tree = nested.AsTree();
  ASSERT_TRUE(tree);
  EXPECT_THAT(AllLabels(*tree), ElementsAre("*", "abd", "ab", "b", "c", "e"));
  EXPECT_EQ(tree->label(tree->parent(*tree->Find("b"))), "ab");
  EXPECT_EQ(tree->label(tree->parent(*tree->Find("c"))), "*");
  EXPECT_FALSE(Made(3, {{"ab", {0, 1}}, {"bc", {1, 2}}}).AsTree());
}

// All of it against sets, over several words of bits.
TEST(Regions, AgreeWithSets) {
  Random random = Random::Seeded(5);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t atoms = 1 + static_cast<std::uint32_t>(random.Below(round % 2 ? 200 : 6));
    std::vector<Region> given;
    for (std::size_t i = 0; i < 8; ++i) {
      Region region{std::string(1, static_cast<char>('a' + i)), {}};
      const std::uint64_t density = 1 + random.Below(4);
      const std::uint32_t first = static_cast<std::uint32_t>(random.Below(atoms));
      for (std::uint32_t atom = first; atom < atoms; ++atom) {
        if (atom == first || random.Below(4) < density) region.atoms.push_back(atom);
      }
      if (random.Below(2) == 0) region.atoms.resize(1 + random.Below(region.atoms.size()));
      given.push_back(region);
    }
    const Regions regions = Made(atoms, given);
    const auto node = [&](std::size_t i) { return *regions.Find(given[i].label); };
    const auto both = [](const Atoms& a, const Atoms& b) {
      Atoms common;
      std::ranges::set_intersection(a, b, std::back_inserter(common));
      return common;
    };
    bool nested = true;
    for (std::size_t a = 0; a < given.size(); ++a) {
      for (std::uint32_t atom = 0; atom < atoms; ++atom) {
        ASSERT_EQ(regions.Has(node(a), atom), std::ranges::binary_search(given[a].atoms, atom));
      }
      for (std::size_t b = 0; b < given.size(); ++b) {
        const Atoms ab = both(given[a].atoms, given[b].atoms);
        const bool inside = ab == given[b].atoms;
        ASSERT_EQ(regions.Meet(node(a), node(b)), !ab.empty());
        ASSERT_EQ(regions.Contains(node(a), node(b)), inside);
        nested = nested && (ab.empty() || inside || ab == given[a].atoms);
        if (ab.empty()) continue;
        auto common = regions.Of(node(a));
        regions.Narrow(common, node(b));
        for (std::size_t c = 0; c < given.size(); ++c) {
          const Atoms abc = both(ab, given[c].atoms);
          ASSERT_EQ(regions.Meet(common, node(c)), !abc.empty());
          if (abc.empty()) continue;
          auto narrower = common;
          regions.Narrow(narrower, node(c));
          for (std::size_t d = 0; d < given.size(); ++d) {
            ASSERT_EQ(regions.Meet(narrower, node(d)), !both(abc, given[d].atoms).empty());
          }
        }
      }
    }
    ASSERT_EQ(regions.AsTree().has_value(), nested);
  }
}

}  // namespace
}  // namespace reissue::taxonomy
