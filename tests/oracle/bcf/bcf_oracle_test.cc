// The oracle against the paper's worked examples, and its three ways to the same numbers for two
// releases: all generators, all worlds, closed forms.

#include <gmock/gmock.h>

#include <iostream>

#include "cases.h"
#include "worlds.h"

namespace oracle::bcf {
namespace {

using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Domain PaperDomain() {
  return Domain({{{"Europe", "*"}, {"Canada", "*"}, {"UK", "Europe"}, {"France", "Europe"}},
                 {{"Professional", "*"}, {"Lawyer", "Professional"}, {"Doctor", "Professional"}}});
}
// f: flu, h: HIV.
Release Table1() { return FromText({{{"Europe", "Lawyer"}, "fffhh"}}); }
Release Table2() {
  return FromText({{{"UK", "Professional"}, "fffhh"}, {{"France", "Professional"}, "hhhff"}});
}
const Quasi kEurope = {"Europe", "Lawyer"};
const Quasi kFrance = {"France", "Professional"};
const Quasi kUk = {"UK", "Professional"};

TEST(BcfOracleTest, CrackSizesOfThePaper) {
  const Cracks cracks = CrackSizes(PaperDomain(), Table1(), Table2());
  ASSERT_TRUE(cracks.possible);
  // Examples 3.2 and 4.1, 3.3 and 4.2: Alice is [France, Lawyer], born in release 1.
  const PairTarget alice = {{"France", "Lawyer"}, kEurope, kFrance};
  EXPECT_THAT(cracks.forward.at(alice), UnorderedElementsAre(Pair("f", 1), Pair("h", 0)));
  EXPECT_THAT(cracks.cross.at(alice), UnorderedElementsAre(Pair("f", 0), Pair("h", 1)));
  // Examples 3.4 and 4.3: Alice is [UK, Lawyer], born in release 2.
  EXPECT_THAT(cracks.backward.at({{"UK", "Lawyer"}, {}, kUk}),
              UnorderedElementsAre(Pair("f", 1), Pair("h", 0)));
  // A doctor cannot be in release 1, whose only job is Lawyer.
  EXPECT_FALSE(cracks.forward.contains({{"France", "Doctor"}, kEurope, kFrance}));
}

TEST(BcfOracleTest, ClosedFormsOfThePaper) {
  const Domain domain = PaperDomain();
  EXPECT_EQ(BackwardCrack(domain, Table1(), Table2(), {kUk, "f"}), 1);
  EXPECT_EQ(BackwardCrack(domain, Table1(), Table2(), {kUk, "h"}), 0);
  EXPECT_EQ(BackwardCrack(domain, Table1(), Table2(), {kFrance, "f"}), 0);
  EXPECT_EQ(BackwardCrack(domain, Table1(), Table2(), {kFrance, "h"}), 0);
  const PaperLeft alice = PaperLeftFor(domain, {Table1(), Table2()}, {1, {kEurope, kFrance}});
  EXPECT_EQ(alice.forward, 4);
  EXPECT_THAT(alice.cross, ::testing::ElementsAre(4));
}

TEST(BcfOracleTest, AnonymityOfThePaper) {
  const Domain domain = PaperDomain();
  const Anonymity expected = {4, 4, 4};
  EXPECT_EQ(AnonymityByDefinition(domain, Table1(), Table2()), expected);
  EXPECT_EQ(PaperAnonymityOf(domain, {Table1(), Table2()}).by_attack, expected);
  EXPECT_THAT(ExactAnonymity(EnumerateWorlds(domain, {Table1(), Table2()})), Optional(4));
}

TEST(BcfOracleTest, NobodyAddedLeavesNothingToBackwardAttack) {
  const Domain domain = PaperDomain();
  const Release other = FromText({{{"UK", "Lawyer"}, "fff"}, {{"France", "Lawyer"}, "hh"}});
  // Of UK 3 flu, of France 2 HIV remain; the newborn of release 2 do not exist.
  const Anonymity expected = {2, 2, std::nullopt};
  EXPECT_EQ(AnonymityByDefinition(domain, Table1(), other), expected);
  EXPECT_EQ(PaperAnonymityOf(domain, {Table1(), other}).by_attack, expected);
  EXPECT_THAT(ExactAnonymity(EnumerateWorlds(domain, {Table1(), other})), Optional(2));
}

TEST(BcfOracleTest, FilesThatAreNotOneSeriesHaveNoWorld) {
  const Domain domain = PaperDomain();
  for (const Release& later :
       {FromText({{kUk, "fff"}, {kFrance, "h"}}), FromText({{{"Canada", "Lawyer"}, "fffhhhh"}}),
        FromText({{kUk, "ffffffff"}}), Release{}}) {
    EXPECT_FALSE(CrackSizes(domain, Table1(), later).possible);
    EXPECT_FALSE(EnumerateWorlds(domain, {Table1(), later}).exist);
    EXPECT_FALSE(EnumerateChains(domain, {Table1(), later}).exist);
    EXPECT_FALSE(FitTogether(domain, Table1(), later));
    EXPECT_THAT(EnumerateWorlds(domain, {Table1(), later}).left, IsEmpty());
  }
  // Each two of these fit together, the three do not: the one old row is in (a,*) and in (*,a).
  const Domain square({TwoLeaves(), TwoLeaves()});
  const Series series = {FromText({{{"a", "*"}, "s"}}), FromText({{{"*", "a"}, "s"}}),
                         FromText({{{"a", "b"}, "s"}, {{"b", "a"}, "s"}})};
  EXPECT_TRUE(FitTogether(square, series[0], series[1]));
  EXPECT_TRUE(FitTogether(square, series[0], series[2]));
  EXPECT_TRUE(FitTogether(square, series[1], series[2]));
  EXPECT_FALSE(EnumerateWorlds(square, series).exist);
  EXPECT_FALSE(EnumerateChains(square, series).exist);
}

TEST(BcfOracleTest, CutsAndPlaces) {
  EXPECT_EQ(AllCuts(TwoLeaves()).size(), 2u);
  EXPECT_EQ(AllCuts(FourLeaves()).size(), 5u);
  const Domain domain({FourLeaves(), TwoLeaves()});
  EXPECT_EQ(domain.places().size(), 8u);
  EXPECT_EQ(AllRecodings(domain).size(), 10u);
  EXPECT_EQ(domain.Under({"A", "*"}).count(), 4u);
  EXPECT_TRUE(domain.Comparable({"A", "a"}, {"a2", "*"}));
  EXPECT_FALSE(domain.Comparable({"A", "a"}, {"b1", "*"}));
}

// Compares everything there is to compare for two releases; false if they have no world.
bool Agree(const Domain& domain, const Release& r1, const Release& r2, bool cuts) {
  const Cracks cracks = CrackSizes(domain, r1, r2);
  const Worlds worlds = EnumerateWorlds(domain, {r1, r2});
  EXPECT_EQ(worlds.exist, cracks.possible);
  if (cuts) {
    EXPECT_EQ(FitTogether(domain, r1, r2), cracks.possible);
  }
  if (!cracks.possible) return false;
  for (const auto& [pair, sizes] : cracks.forward) {
    const Target target = {1, {pair.first, pair.second}};
    const long left = Total(worlds.left.at(target));
    EXPECT_EQ(CellSize(r1, pair.first) - Total(sizes), left);
    EXPECT_EQ(CellSize(r2, pair.second) - Total(cracks.cross.at(pair)), left);
    const PaperLeft paper = PaperLeftFor(domain, {r1, r2}, target);
    if (cuts) {
      EXPECT_EQ(paper.forward, left);
    }
    if (cuts) {
      EXPECT_EQ(paper.cross[0], left);
    }
    EXPECT_GE(paper.least(), left);
  }
  for (const auto& [pair, sizes] : cracks.backward) {
    const Target target = {2, {pair.second}};
    const long left = Total(worlds.left.at(target));
    EXPECT_EQ(CellSize(r2, pair.second) - Total(sizes), left);
    const PaperLeft paper = PaperLeftFor(domain, {r1, r2}, target);
    if (cuts) {
      EXPECT_EQ(paper.backward, left);
    }
    EXPECT_GE(paper.least(), left);
  }
  const Anonymity by_definition = AnonymityByDefinition(domain, r1, r2);
  EXPECT_EQ(by_definition.forward, by_definition.cross);
  std::optional<long> least = by_definition.forward;
  if (by_definition.backward) TakeLess(least, *by_definition.backward);
  EXPECT_EQ(ExactAnonymity(worlds), least);
  if (cuts) {
    EXPECT_EQ(PaperAnonymityOf(domain, {r1, r2}).by_attack, by_definition);
  }
  return true;
}

struct Tried {
  std::size_t pairs = 0, series = 0;
};

// All pairs of releases, for all pairs of recodings, with at most `most` rows.
Tried TryAll(const Domain& domain, std::size_t most, const std::vector<std::string>& values) {
  Tried tried;
  std::vector<std::vector<Release>> releases;
  for (const Recoding& recoding : AllRecodings(domain)) {
    std::vector<Row> rows;
    for (const Quasi& cell : CellsOf(domain, recoding)) {
      for (const std::string& value : values) rows.push_back({cell, value});
    }
    releases.push_back(AllReleases(rows, most));
  }
  for (const auto& earlier : releases) {
    for (const auto& later : releases) {
      for (const Release& r1 : earlier) {
        for (const Release& r2 : later) {
          if (r1.size() > r2.size()) continue;
          ++tried.pairs;
          tried.series += Agree(domain, r1, r2, true);
          if (::testing::Test::HasFailure()) return tried;
        }
      }
    }
  }
  std::cout << tried.pairs << " pairs of releases with at most " << most << " rows, "
            << tried.series << " of them growing series\n";
  return tried;
}

TEST(BcfOracleTest, AllPairsOfReleasesOverTwoTimesTwoLeaves) {
  const Domain domain({TwoLeaves(), TwoLeaves()});
  EXPECT_GT(TryAll(domain, 5, {"s"}).series, 5000u);
  EXPECT_GT(TryAll(domain, 3, {"s", "t"}).series, 5000u);
}

TEST(BcfOracleTest, AllPairsOfReleasesOverFourTimesTwoLeaves) {
  EXPECT_GT(TryAll(Domain({FourLeaves(), TwoLeaves()}), 3, {"s"}).series, 10000u);
}

TEST(BcfOracleTest, RandomPairsOfReleasesOfSixRows) {
  const Domain domain({FourLeaves(), FourLeaves()});
  const auto recodings = AllRecodings(domain);
  auto random = reissue::Random::Seeded(1);
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    const Series series = DrawSeries(domain, recodings, 2, 6, 1 + i % 2, random).series();
    EXPECT_TRUE(Agree(domain, series[0], series[1], true));
  }
}

// Every row is generalised by itself: comparability is pairwise only, closed forms are upper
// bounds.
TEST(BcfOracleTest, RandomPairsOfReleasesWithoutGlobalRecoding) {
  const Domain domain({FourLeaves(), TwoLeaves()});
  const auto recodings = AllRecodings(domain);
  auto random = reissue::Random::Seeded(2);
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    const auto people = DrawSeries(domain, recodings, 2, 5, 1 + i % 2, random).people;
    Series series(2);
    for (const Person& person : people) {
      for (std::size_t release = person.birth; release <= 2; ++release) {
        const Recoding& recoding = recodings[random.Below(recodings.size())];
        Person newborn = person;
        newborn.birth = 1;
        series[release - 1].push_back(Publish({newborn}, {recoding})[0][0]);
      }
    }
    EXPECT_TRUE(Agree(domain, series[0], series[1], false));
  }
}

}  // namespace
}  // namespace oracle::bcf
