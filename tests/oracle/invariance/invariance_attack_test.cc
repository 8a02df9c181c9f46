// Groups of any shape, whole series and the chain reaction against the oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "draw.h"
#include "product.h"
#include "reissue/models/invariance/adversary/deduce.h"
#include "worlds.h"

namespace oracle::invariance {
namespace {

enum class Kind { kBucket, kBuckets, kReturns, kFine, kFineReturns, kAny };
constexpr std::size_t kKinds = 6;
const char* const kNames[kKinds] = {"one bucket",      "buckets",       "buckets, returns",
                                    "fine partitions", "fine, returns", "any groups"};

// Nobody who was never seen.
Published Compact(Published published) {
  std::map<int, int> number;
  for (auto& release : published.releases) {
    for (Seen& seen : release) {
      seen.person = number.emplace(seen.person, int(number.size())).first->second;
    }
  }
  published.people = int(number.size());
  published.counterfeit.assign(number.size(), false);
  return published;
}

Published DrawKind(Kind kind, reissue::Random& random) {
  Shape shape;
  shape.values = 2 + int(random.Below(3));
  shape.releases = 2 + int(random.Below(3));
  shape.rows = 1 + int(random.Below(3));
  shape.leave = 0.2 + 0.6 * random.Unit();
  if (kind == Kind::kReturns || kind == Kind::kFineReturns) shape.come_back = 0.4;
  const int buckets = 1 + int(random.Below(3));
  Published published;
  switch (kind) {
    case Kind::kBucket:
      published = DrawBucket(shape, random);
      break;
    case Kind::kBuckets:
    case Kind::kReturns:
      published = DrawBuckets(shape, buckets, random);
      break;
    case Kind::kFine:
    case Kind::kFineReturns:
      published = SplitFinely(DrawBuckets(shape, std::min(buckets, 2), random), random);
      break;
    case Kind::kAny:
      published = DrawAny(2 + int(random.Below(7)), 2 + int(random.Below(3)),
                          1 + int(random.Below(4)), random);
      break;
  }
  published = Compact(std::move(published));
  for (std::size_t p = 0; p < published.counterfeit.size(); ++p) {
    published.counterfeit[p] = Chance(0.1, random);
  }
  return published;
}

Vector TimesAll(const model::GroupEquality& equality, const Matrices& matrices) {
  Vector x = Times({equality.weights.begin(), equality.weights.end()}, matrices.s,
                   std::size_t(matrices.people));
  for (long& entry : x) {
    EXPECT_EQ(entry % equality.divisor, 0);
    entry /= equality.divisor;
  }
  return x;
}

struct GroupTally {
  std::size_t cases = 0, none = 0, exact = 0, fractions = 0;
  void Print(const std::string& title) const {
    std::cout << title << ": " << cases << " series, " << none << " without any equality, exact in "
              << exact << ", fractions needed in " << fractions << '\n';
  }
};

void CheckGroups(const Published& published, std::uint64_t cap, const model::GroupLimits& limits,
                 GroupTally& tally) {
  const Matrices matrices = MatricesOf(published);
  const std::vector<model::PublishedGroup> groups = ToGroups(published);
  const Equalities real(matrices, true);
  const std::optional<long> least = real.Least();
  const model::LeastGroupEquality found = model::LeastAmong(groups, cap, limits);
  const std::string text = "cap " + std::to_string(cap) + " lower " + Describe(found.lower) +
                           " upper " + Describe(found.upper) + " truth " +
                           (least ? std::to_string(*least) : "none") + '\n' + Describe(published);
  ++tally.cases;
  if (!least) {
    ++tally.none;
    ASSERT_FALSE(found.upper) << text;
    return;
  }
  if (Equalities(matrices, false).Least() != least) ++tally.fractions;
  const bool below = cap == 0 || *least < long(cap);
  if (below) {
    ASSERT_TRUE(found.lower || found.upper) << text;
    ASSERT_LE(long(found.lower.value_or(0)), *least) << text;
    tally.exact += found.lower == found.upper ? 1 : 0;
  } else {
    if (limits.nodes == model::GroupLimits().nodes) {
      ASSERT_GE(found.lower.value_or(cap), cap) << text;
    }
    tally.exact += found.lower.value_or(cap) >= cap ? 1 : 0;
  }
  if (found.upper) {
    ASSERT_GE(long(*found.upper), *least) << text;
  }
  if (!found.witness) {
    ASSERT_FALSE(found.upper && (cap == 0 || *found.upper < cap)) << text;
    return;
  }
  ASSERT_EQ(found.witness->weights.size(), groups.size()) << text;
  const Vector w(found.witness->weights.begin(), found.witness->weights.end());
  const Vector values = Times(w, matrices.u, std::size_t(matrices.values));
  ASSERT_EQ(values, Vector(values.size())) << text;
  const Vector x = TimesAll(*found.witness, matrices);
  ASSERT_EQ(SizeOf(x), long(*found.upper)) << text;
  ASSERT_EQ(found.witness->size, *found.upper) << text;
  const model::Sides sides = model::SidesOf(groups, *found.witness);
  ASSERT_EQ(sides.left.size(), *found.upper) << text;
  ASSERT_EQ(sides.right.size(), *found.upper) << text;
  ASSERT_EQ(FromSides(sides.left, sides.right, published.people), x) << text;
}

TEST(InvarianceAttack, LeastAmong) {
  std::vector<GroupTally> tallies(kKinds);
  for (std::uint64_t number = 0; number < 6000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(50'000'000 + number);
    const Published published = DrawKind(Kind(number % kKinds), random);
    const std::uint64_t cap = random.Below(2) == 0 ? 0 : 1 + random.Below(4);
    CheckGroups(published, cap, {}, tallies[number % kKinds]);
  }
  for (std::size_t k = 0; k < kKinds; ++k) {
    const GroupTally& t = tallies[k];
    t.Print(kNames[k]);
    EXPECT_EQ(t.exact + t.none, t.cases);
  }
}

TEST(InvarianceAttack, LeastAmongWithLittleEffort) {
  GroupTally tally;
  for (std::uint64_t number = 0; number < 3000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(55'000'000 + number);
    const Published published = DrawKind(Kind(number % kKinds), random);
    const std::uint64_t cap = random.Below(2) == 0 ? 0 : 1 + random.Below(4);
    model::GroupLimits limits;
    limits.nodes = random.Below(5);
    limits.exact_groups = random.Below(2) * 100;
    CheckGroups(published, cap, limits, tally);
  }
  tally.Print("with little effort");
}

TEST(InvarianceAttack, FractionsOfWeights) {
  Published published;
  published.people = 5;
  published.values = 2;
  published.counterfeit.resize(5);
  published.releases = {{{3, 0, 0}, {4, 0, 1}},
                        {{0, 0, 0}},
                        {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {3, 0, 0}},
                        {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {4, 0, 1}}};
  GroupTally tally;
  CheckGroups(published, 0, {}, tally);
  CheckGroups(published, 2, {}, tally);
  EXPECT_EQ(tally.exact, 2u);
  EXPECT_EQ(tally.fractions, 2u);
}

TEST(InvarianceAttack, Series) {
  struct Count {
    std::size_t cases = 0, kept = 0, broken = 0, exact = 0, incomplete = 0, exposed = 0;
  };
  std::vector<Count> counts(kKinds);
  reissue::ThreadPool one(1), two(2);
  reissue::Progress progress;
  for (std::uint64_t number = 0; number < 6000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(60'000'000 + number);
    const Published published = DrawKind(Kind(number % kKinds), random);
    if (published.people == 0) continue;
    const model::Series series = ToSeries(published);
    ASSERT_TRUE(model::Validate(series).has_value());
    model::AttackOptions options;
    options.m = 2 + random.Below(3);
    options.e = 1 + random.Below(options.m);
    options.worst = 1 + random.Below(20);
    const bool little = random.Below(8) == 0;
    if (little) options.effort = random.Below(4);
    const model::Findings findings =
        model::Attack(series, options, number % 2 == 0 ? one : two, progress);
    const std::optional<Truth> truth = TruthOf(published, 5'000);
    if (!truth) continue;
    ASSERT_EQ(WrongInFindings(published, *truth, !little, options, findings), "")
        << kNames[number % kKinds] << " m " << options.m << " e " << options.e << " lower "
        << Describe(findings.lower) << " upper " << Describe(findings.upper) << '\n'
        << Describe(published);
    Count& count = counts[number % kKinds];
    ++count.cases;
    count.kept += findings.kept ? 1 : 0;
    count.broken += findings.broken ? 1 : 0;
    count.exact += findings.lower == findings.upper ? 1 : 0;
    count.incomplete += findings.exposed_complete ? 0 : 1;
    count.exposed += findings.exposed_by_equivalence;
  }
  for (std::size_t k = 0; k < kKinds; ++k) {
    const Count& c = counts[k];
    std::cout << kNames[k] << ": " << c.cases << " series, kept " << c.kept << ", broken "
              << c.broken << ", bounds meet in " << c.exact << "; exposed by equivalence "
              << c.exposed << ", not complete in " << c.incomplete << '\n';
  }
}

// The people and values that a group has are what the model says.
TEST(InvarianceAttack, GroupsOf) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    reissue::Random random = reissue::Random::Seeded(70'000'000 + number);
    const Published published = DrawKind(Kind(number % kKinds), random);
    const std::vector<model::PublishedGroup> expected = ToGroups(published);
    const model::Series series = ToSeries(published);
    std::size_t next = 0;
    for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
      for (const model::PublishedGroup& group : model::GroupsOf(series, r)) {
        ASSERT_LT(next, expected.size());
        ASSERT_EQ(group.release, expected[next].release);
        ASSERT_EQ(group.group, expected[next].group);
        ASSERT_EQ(group.people, expected[next].people);
        ASSERT_EQ(group.values, expected[next].values);
        ++next;
      }
    }
    ASSERT_EQ(next, expected.size());
  }
}

struct FollowTally {
  std::size_t series = 0, contradictions = 0, follow = 0, missed = 0, more = 0;
};

void CheckFollow(const Published& published, const Known& known, FollowTally& tally) {
  const Worlds worlds = WorldsOf(published, known, 20000);
  if (!worlds.complete) return;
  ++tally.series;
  std::vector<model::KnownValue> given;
  for (const auto& [person, value] : known) {
    given.push_back({std::uint32_t(person), std::uint32_t(value)});
  }
  const model::Consequences said = model::Deduce(ToSeries(published), given);
  const auto truth = PossibleIn(published.people, worlds.worlds);
  const auto one_value = PossibleByOneValue(published, known);
  const bool sharp = IsBuckets(published) && !SomebodyReturned(published);
  std::string text = Describe(published) + "known";
  for (const auto& [person, value] : known) {
    text += ' ' + std::to_string(person) + '=' + std::to_string(value);
  }
  const bool contradicts = std::any_of(one_value.begin(), one_value.end(),
                                       [](const auto& values) { return values.empty(); });
  if (said.contradiction) {
    ASSERT_TRUE(worlds.worlds.empty()) << text;
  }
  if (sharp && contradicts) {
    ASSERT_TRUE(said.contradiction) << text;
  }
  if (worlds.worlds.empty()) {
    ++tally.contradictions;
    return;
  }
  ASSERT_EQ(said.possible.size(), truth.size()) << text;
  std::map<std::uint32_t, std::uint32_t> follow;
  for (const model::KnownValue& value : said.follow) {
    ASSERT_TRUE(follow.emplace(value.person, value.value).second) << text;
    ASSERT_FALSE(known.count(int(value.person))) << text;
  }
  ASSERT_TRUE(std::is_sorted(said.follow.begin(), said.follow.end())) << text;
  for (std::size_t p = 0; p < truth.size(); ++p) {
    ASSERT_GE(said.possible[p], truth[p].size()) << text << "; person " << p;
    if (sharp) {
      ASSERT_LE(said.possible[p], one_value[p].size()) << text << "; person " << p;
      tally.more += one_value[p].size() - truth[p].size();
    }
    if (known.count(int(p))) continue;
    const auto at = follow.find(std::uint32_t(p));
    ASSERT_EQ(said.possible[p] == 1, at != follow.end()) << text << "; person " << p;
    if (at != follow.end()) {
      ASSERT_EQ(truth[p], std::set<int>{int(at->second)}) << text << "; person " << p;
      ++tally.follow;
    } else if (truth[p].size() == 1) {
      ++tally.missed;
    }
  }
}

TEST(InvarianceAttack, Follow) {
  std::vector<FollowTally> tallies(kKinds);
  for (std::uint64_t number = 0; number < 9000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(80'000'000 + number);
    const Published published = DrawKind(Kind(number % kKinds), random);
    if (published.people == 0 || published.people > 14) continue;
    std::vector<int> value_of(static_cast<std::size_t>(published.people));
    for (const auto& release : published.releases) {
      for (const Seen& seen : release) value_of[std::size_t(seen.person)] = seen.value;
    }
    Known known;
    for (std::uint64_t more = random.Below(4); more > 0; --more) {
      const int person = int(random.Below(std::uint64_t(published.people)));
      // Mostly what is true; sometimes what may not be.
      known[person] = random.Below(5) == 0 ? int(random.Below(std::uint64_t(published.values)))
                                           : value_of[std::size_t(person)];
    }
    CheckFollow(published, known, tallies[number % kKinds]);
  }
  for (std::size_t k = 0; k < kKinds; ++k) {
    const FollowTally& t = tallies[k];
    std::cout << kNames[k] << ": " << t.series << " series, " << t.contradictions << " contradict; "
              << t.follow << " values follow, " << t.missed
              << " more in truth; possible values that one value at a time cannot exclude: "
              << t.more << '\n';
  }
}

}  // namespace
}  // namespace oracle::invariance
