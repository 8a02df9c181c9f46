// The oracle itself, on the examples of the paper.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "draw.h"
#include "product.h"
#include "worlds.h"

namespace oracle::invariance {
namespace {

enum People { kAlice, kBob, kChris, kDan, kEllen, kFrank, kGreg, kHarry, kIan, kJane, kC1 };
enum Values { kCancer, kFlu, kMeasles };

Published Empty() {
  Published published;
  published.people = kC1 + 1;
  published.values = 3;
  published.counterfeit.resize(kC1 + 1);
  published.counterfeit[kC1] = true;
  return published;
}

const std::vector<Seen> kTableOne = {{kAlice, 0, kCancer},  {kBob, 0, kFlu},
                                     {kChris, 1, kCancer},  {kDan, 1, kFlu},
                                     {kEllen, 2, kMeasles}, {kFrank, 2, kCancer}};
const std::vector<Seen> kTableThree = {
    {kAlice, 0, kCancer},  {kGreg, 0, kFlu},     {kChris, 1, kCancer}, {kC1, 1, kFlu},
    {kEllen, 2, kMeasles}, {kHarry, 2, kCancer}, {kIan, 3, kMeasles},  {kJane, 3, kCancer}};

std::vector<Seen> Merged(std::vector<Seen> rows) {
  for (Seen& seen : rows) seen.group = seen.group <= 1 ? 0 : 1;
  return rows;
}

Vector Side(const std::vector<int>& left, const std::vector<int>& right) {
  Vector x(kC1 + 1);
  for (const int p : left) ++x[std::size_t(p)];
  for (const int p : right) --x[std::size_t(p)];
  return x;
}

// Tables I, II and III.
TEST(InvarianceOracle, Introduction) {
  Published naive = Empty();
  naive.releases = {kTableOne,
                    {{kAlice, 0, kCancer},
                     {kEllen, 0, kMeasles},
                     {kChris, 1, kCancer},
                     {kGreg, 1, kFlu},
                     {kHarry, 1, kCancer},
                     {kIan, 1, kMeasles},
                     {kJane, 1, kCancer}}};
  EXPECT_EQ(Associated(naive)[kAlice], std::set<int>{kCancer});
  EXPECT_NE(WrongInvariance(naive, 2), "");
  Published fine = Empty();
  fine.releases = {kTableOne, kTableThree};
  EXPECT_EQ(WrongInvariance(fine, 2), "");
  EXPECT_NE(WrongInvariance(fine, 3), "");
  EXPECT_EQ(Associated(fine)[kAlice], (std::set<int>{kCancer, kFlu}));
  const Equalities equalities(MatricesOf(fine), true);
  EXPECT_EQ(equalities.Least(), 1);
  EXPECT_TRUE(equalities.Has(Side({kBob}, {kGreg})));
  EXPECT_TRUE(equalities.Has(Side({kAlice, kBob}, {kChris, kDan})));
  EXPECT_FALSE(equalities.Has(Side({kBob}, {kDan})));
  const Known known = {{kBob, kFlu}};
  const auto possible = PossibleIn(fine.people, WorldsOf(fine, known, 1000).worlds);
  EXPECT_EQ(possible[kGreg], std::set<int>{kFlu});
  EXPECT_EQ(possible[kAlice], std::set<int>{kCancer});
  EXPECT_EQ(possible[kChris].size(), 2u);
  EXPECT_EQ(PossibleByOneValue(fine, known), possible);
}

// Tables IV to VI, Examples 4 to 8.
TEST(InvarianceOracle, MergedBuckets) {
  Published merged = Empty();
  merged.releases = {Merged(kTableOne), Merged(kTableThree)};
  EXPECT_TRUE(IsBuckets(merged));
  EXPECT_EQ(Equalities(MatricesOf(merged), true).Least(), 2);
  merged.releases.push_back({{kAlice, 0, kCancer},
                             {kGreg, 0, kFlu},
                             {kChris, 0, kCancer},
                             {kC1, 0, kFlu},
                             {kIan, 1, kMeasles},
                             {kJane, 1, kCancer}});
  const Matrices matrices = MatricesOf(merged);
  EXPECT_EQ(matrices.u, (Matrix{{2, 2, 0}, {1, 0, 1}, {2, 2, 0}, {2, 0, 2}, {2, 2, 0}, {1, 0, 1}}));
  EXPECT_EQ(Times({0, 1, 0, -1, 0, 1}, matrices.s, kC1 + 1), Side({kFrank}, {kHarry}));
  const Equalities equalities(matrices, true);
  EXPECT_EQ(equalities.Least(), 1);
  EXPECT_EQ(LeastInBox(matrices, 2), 1);
  EXPECT_TRUE(equalities.Has(Side({kFrank}, {kHarry})));
  EXPECT_TRUE(equalities.Has(Side({kEllen, kFrank}, {kIan, kJane})));
  EXPECT_EQ(equalities.UpTo(1).size(), 2u);
  EXPECT_EQ(equalities.PeopleUpTo(1), (std::set<int>{kFrank, kHarry}));
}

// Lemma 2 says that whole weights suffice. Here they prove that 2·d = 2·a, and halves that d = a:
// d and e are 0 and 1 together, and d is one 0 more and one 1 less than e.
TEST(InvarianceOracle, WholeWeightsDoNotSuffice) {
  Published published;
  published.people = 5;
  published.values = 2;
  published.counterfeit.resize(5);
  published.releases = {{{3, 0, 0}, {4, 0, 1}},
                        {{0, 0, 0}},
                        {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {3, 0, 0}},
                        {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {4, 0, 1}}};
  EXPECT_EQ(Equalities(MatricesOf(published), false).Least(), 2);
  EXPECT_EQ(LeastInBox(MatricesOf(published), 5), 2);
  const Equalities real(MatricesOf(published), true);
  EXPECT_EQ(real.Least(), 1);
  EXPECT_TRUE(real.Has({1, 0, 0, -1, 0}));
  for (const World& world : WorldsOf(published, {}, 100).worlds) EXPECT_EQ(world[0], world[3]);
}

// Who returns may let the worlds prove more than Definition 10 does. a = 0, b = 1 … g = 5; b was
// away in between.
TEST(InvarianceOracle, ReturnsProveMore) {
  Published published;
  published.people = 6;
  published.values = 3;
  published.counterfeit.resize(6);
  published.releases = {{{0, 0, 0}, {1, 0, 1}, {2, 0, 2}},
                        {{0, 0, 0}, {3, 0, 1}, {4, 0, 2}},
                        {{5, 0, 0}, {1, 0, 1}, {4, 0, 2}}};
  EXPECT_EQ(Equalities(MatricesOf(published), true).Least(), 2);
  const Worlds worlds = WorldsOf(published, {}, 100);
  const Equalities truth(6, TrueEqualities(6, 3, worlds.worlds));
  EXPECT_EQ(truth.Least(), 1);
  EXPECT_TRUE(truth.Has({1, 0, 0, 0, 0, -1}));
  EXPECT_TRUE(truth.Has({0, 1, 0, -1, 0, 0}));
}

// Short vectors of the lattice against weights tried one after the other; the delta encoding of
// Lemma 4; every equality holds in every world; nothing is missed where nobody returned.
TEST(InvarianceOracle, AgreesWithItself) {
  std::size_t boxes = 0, box_too_small = 0, complete = 0, whole_differs = 0;
  std::size_t with_returns = 0, proven_with_returns = 0;
  for (std::uint64_t number = 0; number < 4000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    Shape shape;
    shape.values = 2 + int(random.Below(2));
    shape.releases = 5;
    shape.come_back = number % 2 == 0 ? 0 : 0.5;
    Published published =
        number % 5 == 4 ? DrawAny(2 + int(random.Below(5)), 2, 1 + int(random.Below(3)), random)
                        : DrawBucket(shape, random);
    const Matrices matrices = MatricesOf(published);
    const Equalities whole(matrices, false), real(matrices, true);
    if (matrices.s.size() <= 5) {
      ++boxes;
      const std::optional<long> box = LeastInBox(matrices, 3);
      if (box) {
        ASSERT_LE(*whole.Least(), *box) << Describe(published);
      }
      if (whole.Least() != box) ++box_too_small;
    }
    if (whole.Least() != real.Least()) ++whole_differs;
    const Worlds worlds = WorldsOf(published, {}, 3000);
    if (number % 5 != 4) {
      std::vector<std::size_t> leader;
      for (std::size_t r = 0; r < published.releases.size(); ++r) leader.push_back(r);
      const Equalities delta(DeltaOf(published, leader), true);
      ASSERT_EQ(delta.Least(), real.Least()) << Describe(published);
      ASSERT_EQ(delta.UpTo(2), real.UpTo(2)) << Describe(published);
      if (!worlds.complete || published.people > 12) continue;
      const Matrix basis = TrueEqualities(published.people, published.values, worlds.worlds);
      const Equalities truth(published.people, basis);
      for (const Vector& x : real.UpTo(2)) ASSERT_TRUE(truth.Has(x)) << Describe(published);
      ASSERT_GE(truth.dimension(), real.dimension());
      if (!SomebodyReturned(published)) {
        ++complete;
        ASSERT_EQ(truth.dimension(), real.dimension()) << Describe(published);
        ASSERT_EQ(truth.Least(), whole.Least()) << Describe(published);
      } else {
        ++with_returns;
        if (truth.Least() != real.Least()) ++proven_with_returns;
      }
    }
  }
  std::cout << "weights from a box: " << boxes << " series, too small a box in " << box_too_small
            << "\nwhole weights not enough: " << whole_differs << "\nnobody returned: " << complete
            << " series, nothing is proven beyond Definition 10"
            << "\nwith returns: " << with_returns
            << " series, the worlds prove a smaller equality in " << proven_with_returns << '\n';
  EXPECT_LE(box_too_small * 20, boxes);
}

// Lemma 3: what is proven about at most m people is proven within a bucket.
TEST(InvarianceOracle, BucketsByThemselves) {
  std::size_t across = 0, cases = 0;
  for (std::uint64_t number = 0; number < 1500; ++number) {
    reissue::Random random = reissue::Random::Seeded(1'000'000 + number);
    Shape shape;
    shape.values = 2 + int(random.Below(2));
    shape.releases = 3;
    shape.come_back = number % 2 == 0 ? 0 : 0.5;
    const Published published = DrawBuckets(shape, 2 + int(random.Below(3)), random);
    const long far = 1000;
    const long least = Equalities(MatricesOf(published), true).Least().value_or(far);
    long alone = far;
    for (const Published& bucket : BySignature(published)) {
      alone = std::min(alone, Equalities(MatricesOf(bucket), true).Least().value_or(far));
    }
    ASSERT_LE(least, alone);
    ASSERT_EQ(std::min(least, long(shape.values)), std::min(alone, long(shape.values)))
        << Describe(published);
    ++cases;
    across += least < alone ? 1 : 0;
  }
  std::cout << "across buckets: smaller in " << across << " of " << cases
            << " series, never below m\n";
  EXPECT_GT(across, 0u);
}

// At least 2e - 1 people who come for the first time keep a safe bucket safe, whoever returns.
TEST(InvarianceOracle, ManyArrivals) {
  std::size_t cases = 0, needed = 0;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    reissue::Random random = reissue::Random::Seeded(2'000'000 + number);
    Shape shape;
    shape.values = 2 + int(random.Below(3));
    shape.releases = 2 + int(random.Below(4));
    shape.rows = 2 + int(random.Below(3));
    shape.come_back = number % 2 == 0 ? 0 : 0.4;
    shape.exactly = true;
    const Published bucket = DrawBucket(shape, random);
    const Published before = FirstReleases(bucket, bucket.releases.size() - 1);
    std::set<int> early;
    for (const auto& release : before.releases) {
      for (const Seen& seen : release) early.insert(seen.person);
    }
    const auto& last = bucket.releases.back();
    const auto arrivals = std::count_if(
        last.begin(), last.end(), [&](const Seen& seen) { return !early.count(seen.person); });
    const long e = 1 + long(random.Below(std::uint64_t(shape.values)));
    if (Equalities(MatricesOf(before), true).AnyUpTo(e - 1)) continue;
    const bool broken = Equalities(MatricesOf(bucket), true).AnyUpTo(e - 1);
    if (arrivals >= 2 * e - 1) {
      ++cases;
      ASSERT_FALSE(broken) << e << '\n' << Describe(bucket);
    } else {
      needed += broken ? 1 : 0;
    }
  }
  std::cout << "enough arrivals: " << cases << " buckets stayed safe; too few: " << needed
            << " became unsafe\n";
  EXPECT_GT(cases, 500u);
  EXPECT_GT(needed, 50u);
}

}  // namespace
}  // namespace oracle::invariance
