// Three releases and more: worlds against chains of rows, against the formulas of the paper, and
// what specialising the last release does.

#include <gmock/gmock.h>

#include <iostream>

#include "cases.h"
#include "worlds.h"

namespace oracle::bcf {
namespace {

using ::testing::Optional;

// The smallest series known for which pairs of releases and their compositions do not suffice.
TEST(BcfSeriesTest, PairsOfReleasesDoNotSuffice) {
  const Domain domain({FourLeaves(), FourLeaves()});
  const Series series = {FromText({{{"A", "b2"}, "s"}, {{"B", "b2"}, "s"}}),
                         FromText({{{"*", "B"}, "ssss"}}),
                         FromText({{{"A", "*"}, "ss"}, {{"B", "*"}, "ss"}})};
  const Target target = {2, {{"*", "B"}, {"A", "*"}}};
  EXPECT_EQ(PaperLeftFor(domain, series, target).least(), 2);
  const Worlds worlds = EnumerateWorlds(domain, series);
  ASSERT_TRUE(worlds.exist);
  EXPECT_EQ(Total(worlds.left.at(target)), 1);
  EXPECT_EQ(EnumerateChains(domain, series).left, worlds.left);
  const std::vector<Person> people = {{{"a1", "b2"}, "s", 1},
                                      {{"b2", "b2"}, "s", 1},
                                      {{"a2", "b2"}, "s", 2},
                                      {{"b1", "b2"}, "s", 2}};
  EXPECT_THAT(RealAnonymity(domain, worlds, people), Optional(1));
  EXPECT_THAT(RealAnonymity(domain, worlds, {people[2]}), Optional(1));
}

TEST(BcfSeriesTest, WorldsAreWhatChainsOfRowsAddUpTo) {
  const Domain domain({FourLeaves(), TwoLeaves()});
  const auto recodings = AllRecodings(domain);
  auto random = reissue::Random::Seeded(3);
  for (int i = 0; i < 300; ++i) {
    const Series series =
        DrawSeries(domain, recodings, 3 + i % 2, 4, 1 + i % 3 / 2, random).series();
    const Worlds worlds = EnumerateWorlds(domain, series);
    ASSERT_TRUE(worlds.exist);
    ASSERT_EQ(worlds.left, EnumerateChains(domain, series).left);
  }
}

TEST(BcfSeriesTest, TheFormulasOfThePaperAreUpperBounds) {
  const Domain domain({FourLeaves(), FourLeaves()});
  const auto recodings = AllRecodings(domain);
  auto random = reissue::Random::Seeded(4);
  for (std::size_t releases : {2u, 3u, 4u}) {
    std::size_t some_target = 0, real_person = 0, anonymity = 0;
    const std::size_t tries = releases == 2 ? 100 : 500;
    for (std::size_t i = 0; i < tries; ++i) {
      const RandomSeries drawn = DrawSeries(domain, recodings, releases, 3 + i % 5, 1, random);
      const Series series = drawn.series();
      const Worlds worlds = EnumerateWorlds(domain, series);
      ASSERT_TRUE(worlds.exist);
      bool target_overstated = false, person_overstated = false;
      for (const auto& [target, by_value] : worlds.left) {
        const long left = Total(by_value);
        const long paper = PaperLeftFor(domain, series, target).least();
        ASSERT_LE(left, paper);
        long there = 0;
        for (const Person& person : drawn.people) there += IsTargetOf(domain, target, person);
        ASSERT_LE(there, left);
        target_overstated |= left < paper;
        person_overstated |= left < paper && there > 0;
      }
      some_target += target_overstated;
      real_person += person_overstated;
      anonymity += ExactAnonymity(worlds) != PaperAnonymityOf(domain, series).composed;
      ASSERT_LE(ExactAnonymity(worlds), RealAnonymity(domain, worlds, drawn.people));
    }
    std::cout << releases << " releases: of " << tries << " series the formulas overstate "
              << some_target << " for some target, " << real_person << " for a real person; "
              << anonymity << " have another least number\n";
    if (releases == 2) {
      EXPECT_EQ(some_target, 0u);
    }
  }
}

// A cell of the last release may be comparable to a cell of an earlier one while none of its
// non-empty parts is. The target there vanishes, and if it was the weakest, the rest looks better.
// Two releases suffice, so Theorem 5.1 of the paper holds for real people only.
TEST(BcfSeriesTest, SpecialisingCanRaiseForwardAnonymity) {
  const Domain domain({TwoLeaves(), TwoLeaves()});
  const std::vector<Person> people = {
      {{"a", "a"}, "t", 1}, {{"a", "a"}, "t", 1}, {{"b", "b"}, "s", 1}, {{"b", "b"}, "t", 1}};
  const Release r1 = FromText({{{"*", "a"}, "tt"}, {{"*", "b"}, "st"}});
  const Release coarse = FromText({{{"a", "*"}, "tt"}, {{"b", "*"}, "st"}});
  const Release fine = FromText({{{"a", "a"}, "tt"}, {{"b", "b"}, "st"}});
  EXPECT_EQ(AnonymityByDefinition(domain, r1, coarse), (Anonymity{1, 1, std::nullopt}));
  EXPECT_EQ(AnonymityByDefinition(domain, r1, fine), (Anonymity{2, 2, std::nullopt}));
  for (const Series& before : {Series{r1}, Series{r1, r1}}) {
    Series coarse_series = before, fine_series = before;
    coarse_series.push_back(coarse);
    fine_series.push_back(fine);
    const Worlds coarse_worlds = EnumerateWorlds(domain, coarse_series);
    const Worlds fine_worlds = EnumerateWorlds(domain, fine_series);
    EXPECT_THAT(ExactAnonymity(coarse_worlds), Optional(1));
    EXPECT_THAT(ExactAnonymity(fine_worlds), Optional(2));
    EXPECT_THAT(RealAnonymity(domain, coarse_worlds, people), Optional(2));
    EXPECT_THAT(RealAnonymity(domain, fine_worlds, people), Optional(2));
  }
}

TEST(BcfSeriesTest, SpecialisingCanRaiseBackwardAnonymity) {
  const Domain domain({TwoLeaves(), TwoLeaves()});
  const Release r1 = FromText({{{"*", "a"}, "t"}});
  const Release coarse = FromText({{{"a", "*"}, "t"}, {{"b", "*"}, "st"}});
  const Release fine = FromText({{{"a", "a"}, "t"}, {{"b", "b"}, "st"}});
  EXPECT_EQ(AnonymityByDefinition(domain, r1, coarse), (Anonymity{1, 1, 1}));
  EXPECT_EQ(AnonymityByDefinition(domain, r1, fine), (Anonymity{1, 1, 2}));
}

// What is left of a target is never more than what was left of the target that contains it; so the
// minimum over real people never rises, and that over all targets does only where targets vanish.
TEST(BcfSeriesTest, SpecialisingTheLastRelease) {
  const Domain domain({TwoLeaves(), TwoLeaves()});
  const auto recodings = AllRecodings(domain);
  auto random = reissue::Random::Seeded(5);
  for (std::size_t releases : {2u, 3u, 4u}) {
    std::size_t tried = 0, raised = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const RandomSeries drawn = DrawSeries(domain, recodings, releases, 4 + i % 3, 2, random);
      const Worlds coarse = EnumerateWorlds(domain, drawn.series());
      for (const Recoding& finer : Specialised(domain, drawn.recodings.back())) {
        std::vector<Recoding> refined = drawn.recodings;
        refined.back() = finer;
        const Worlds fine = EnumerateWorlds(domain, Publish(drawn.people, refined));
        ++tried;
        ASSERT_LE(RealAnonymity(domain, fine, drawn.people),
                  RealAnonymity(domain, coarse, drawn.people));
        raised += ExactAnonymity(fine) > ExactAnonymity(coarse);
      }
    }
    std::cout << releases << " releases: " << raised << " of " << tried
              << " specialisations of the last one raise the exact anonymity for targets \"any\", "
              << "none for real people\n";
    EXPECT_GT(tried, 1000u);
  }
}

}  // namespace
}  // namespace oracle::bcf
