// The bucket history against the oracle: least cut, least equality, Holds, who is compromised, and
// which moments may be merged; on random histories and on all small ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "draw.h"
#include "product.h"
#include "worlds.h"

namespace oracle::invariance {
namespace {

std::vector<std::size_t> Alone(const Published& bucket) {
  std::vector<std::size_t> leader;
  for (std::size_t r = 0; r < bucket.releases.size(); ++r) leader.push_back(r);
  return leader;
}

std::vector<model::Moment> Gaps(const Published& bucket, reissue::Random& random) {
  std::vector<model::Moment> moments;
  model::Moment last = 0;
  for (std::size_t r = 0; r < bucket.releases.size(); ++r) {
    last += 1 + model::Moment(random.Below(3) / 2 * random.Below(5));
    moments.push_back(last);
  }
  return moments;
}

struct Tally {
  std::size_t histories = 0, none = 0, tight = 0, with_cut = 0, inexact = 0, fractions = 0;
  double ratio = 0;
  std::size_t holds = 0, holds_said = 0, compromised = 0, incomplete = 0;
  void Print(const std::string& title) const {
    std::cout << title << ": " << histories << " histories, " << none << " without any equality; ";
    if (with_cut > 0) {
      std::cout << "min-cut tight in " << 100 * tight / with_cut << " %, 2·least / min-cut "
                << ratio / double(with_cut) << " on average; ";
    }
    std::cout << "bounds apart in " << inexact << ", fractions needed in " << fractions
              << "; holds in " << holds << " cases, said in " << holds_said
              << "; compromised stays " << compromised << ", not complete in " << incomplete
              << " cases\n";
  }
};

void CheckLeast(const Published& bucket, const Lived& lived, const Equalities& real,
                const Equalities& whole, const model::EqualityLimits& limits, Tally& tally) {
  const std::string text = Describe(lived.history);
  const std::optional<long> least = real.Least();
  if (least != whole.Least()) ++tally.fractions;
  const model::LeastEquality found = model::Least(lived.history, limits);
  ASSERT_EQ(least.has_value(), found.lower || found.upper) << text;
  if (!least) {
    ++tally.none;
    return;
  }
  ASSERT_LE(long(found.lower.value_or(0)), *least) << text;
  if (found.upper) {
    ASSERT_GE(long(*found.upper), *least) << text;
  }
  if (found.lower != found.upper) ++tally.inexact;
  // With a cap: exact below it.
  model::EqualityLimits capped = limits;
  capped.cap = 1 + tally.histories % 4;
  const model::LeastEquality below = model::Least(lived.history, capped);
  if (*least < long(capped.cap)) {
    ASSERT_LE(long(below.lower.value_or(0)), *least) << text << " cap " << capped.cap;
    if (limits.nodes == model::EqualityLimits().nodes) {
      ASSERT_EQ(long(below.upper.value_or(0)), *least) << text << " cap " << capped.cap;
    }
  } else if (limits.nodes == model::EqualityLimits().nodes) {
    ASSERT_GE(below.lower.value_or(capped.cap), capped.cap) << text << " cap " << capped.cap;
  }
  if (below.upper) {
    ASSERT_GE(long(*below.upper), *least) << text << " cap " << capped.cap;
  }
  ASSERT_EQ(found.upper.has_value(), found.witness.has_value()) << text;
  if (!found.witness) return;
  ASSERT_GE(found.witness->divisor, 1) << text;
  ASSERT_TRUE(found.witness->divisor == 1 || !lived.history.returns.empty()) << text;
  const std::optional<Vector> x = SidesBy(lived, bucket.people, *found.witness);
  ASSERT_TRUE(x.has_value()) << text;
  ASSERT_EQ(found.witness->size, *found.upper) << text;
  ASSERT_EQ(SizeOf(*x), long(*found.upper)) << text;
  ASSERT_TRUE(real.Has(*x)) << text;
}

void CheckCut(const Lived& lived, const Equalities& real, Tally& tally) {
  const std::optional<long> cut = LeastCutByTrying(lived.history);
  const std::optional<std::uint64_t> said = model::LeastCut(lived.history);
  ASSERT_EQ(cut.value_or(0), long(said.value_or(0))) << Describe(lived.history);
  ASSERT_EQ(cut.has_value(), said.has_value()) << Describe(lived.history);
  if (!cut || !real.Least()) return;
  ASSERT_LE(*cut, 2 * *real.Least()) << Describe(lived.history);
  ++tally.with_cut;
  if (*cut == 2 * *real.Least()) ++tally.tight;
  tally.ratio += 2.0 * double(*real.Least()) / double(*cut);
}

void CheckCompromised(const Lived& lived, const Equalities& real, std::uint64_t m, std::uint64_t e,
                      const model::EqualityLimits& limits, Tally& tally) {
  const model::Compromised said = model::CompromisedStays(lived.history, m, e, limits);
  const std::set<int> people = real.PeopleUpTo(long(e) - 1);
  std::set<std::size_t> stays;
  for (std::size_t s = 0; s < lived.stays.size(); ++s) {
    if (people.count(lived.stays[s][0])) stays.insert(s);
  }
  const std::set<std::size_t> found(said.stays.begin(), said.stays.end());
  ASSERT_EQ(found.size(), said.stays.size()) << "twice" << Describe(lived.history);
  ASSERT_TRUE(std::includes(stays.begin(), stays.end(), found.begin(), found.end()))
      << "m " << m << " e " << e << Describe(lived.history);
  if (said.complete) {
    ASSERT_EQ(found, stays) << "m " << m << " e " << e << Describe(lived.history);
  }
  if (!said.complete) ++tally.incomplete;
  tally.compromised += stays.size();
}

// With limits other than usual answers may be less than exact, never wrong.
void CheckHistory(const Published& bucket, std::uint64_t m, reissue::Random& random, Tally& tally,
                  const model::EqualityLimits& limits = {}) {
  const bool usual = limits.nodes == model::EqualityLimits().nodes;
  ++tally.histories;
  Lived lived = LivedIn(bucket, Gaps(bucket, random), random.Below(3) == 0);
  const Matrices delta = DeltaOf(bucket, Alone(bucket));
  const Equalities real(delta, true), whole(delta, false);
  ASSERT_NO_FATAL_FAILURE(CheckLeast(bucket, lived, real, whole, limits, tally));
  const bool returned = !lived.history.returns.empty();
  if (!returned) {
    ASSERT_NO_FATAL_FAILURE(CheckCut(lived, real, tally));
  }
  for (std::uint64_t e = 1; e <= m; ++e) {
    const bool safe = !real.Least() || *real.Least() >= long(e);
    const bool said = model::Holds(lived.history, m, e, limits);
    tally.holds += safe ? 1 : 0;
    tally.holds_said += said ? 1 : 0;
    ASSERT_TRUE(safe || !said) << "m " << m << " e " << e << Describe(lived.history);
    if (returned) continue;
    if (usual) {
      ASSERT_EQ(safe, said) << "m " << m << " e " << e << Describe(lived.history);
    }
    ASSERT_NO_FATAL_FAILURE(CheckCompromised(lived, real, m, e, limits, tally));
  }
}

TEST(InvarianceHistory, Random) {
  Tally without, with;
  for (std::uint64_t number = 0; number < 24000 && !HasFatalFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(10'000'000 + number);
    Shape shape;
    shape.values = 2 + int(random.Below(4));
    shape.releases = 2 + int(random.Below(5));
    shape.rows = 1 + int(random.Below(4));
    shape.leave = 0.1 + 0.8 * random.Unit();
    shape.come_back = number % 2 == 0 ? 0 : 0.3 + 0.7 * random.Unit();
    if (number % 2 == 1) shape.releases = 3 + int(random.Below(4));
    shape.exactly = number % 2 == 1;
    const Published bucket = DrawBucket(shape, random);
    CheckHistory(bucket, std::uint64_t(shape.values), random,
                 SomebodyReturned(bucket) ? with : without);
  }
  without.Print("nobody returned");
  with.Print("with returns");
  EXPECT_EQ(without.inexact + with.inexact, 0u);
  EXPECT_EQ(without.incomplete, 0u);
  EXPECT_GT(with.histories, 6000u);
}

TEST(InvarianceHistory, LittleEffort) {
  Tally tally;
  for (std::uint64_t number = 0; number < 4000 && !HasFatalFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(15'000'000 + number);
    Shape shape;
    shape.values = 2 + int(random.Below(4));
    shape.releases = 3 + int(random.Below(4));
    shape.rows = 1 + int(random.Below(3));
    shape.come_back = number % 3 == 0 ? 0.4 : 0;
    shape.empty = 0.2;
    CheckHistory(DrawBucket(shape, random), std::uint64_t(shape.values), random, tally,
                 {random.Below(4), 0});
  }
  tally.Print("with little effort");
}

// Few people per release and many releases, so that cuts between m and 2(e - 1) that are not
// balanced are frequent.
TEST(InvarianceHistory, Unbalanced) {
  Tally tally;
  for (std::uint64_t number = 0; number < 3000 && !HasFatalFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(20'000'000 + number);
    Shape shape;
    shape.values = 3 + int(random.Below(4));
    shape.releases = 3 + int(random.Below(3));
    shape.rows = 1 + int(random.Below(2));
    shape.leave = 0.3 + 0.6 * random.Unit();
    shape.empty = 0.3;
    CheckHistory(DrawBucket(shape, random), std::uint64_t(shape.values), random, tally);
  }
  tally.Print("small and often empty");
}

// Calls `visit` with every bucket of at most `people` people over `releases` releases whose sizes
// are multiples of m. Values do not matter to a history.
template <typename Visit>
void ForEachBucket(int releases, int people, int m, bool returns, const Visit& visit) {
  std::vector<int> patterns;
  for (int pattern = 1; pattern < 1 << releases; ++pattern) {
    const int shifted = pattern >> __builtin_ctz(unsigned(pattern));
    if (returns || (shifted & (shifted + 1)) == 0) patterns.push_back(pattern);
  }
  std::vector<int> chosen;
  const auto next = [&](auto&& self, std::size_t from) -> void {
    Published bucket;
    bucket.values = 1;
    bucket.people = int(chosen.size());
    bool fits = true;
    for (int r = 0; r < releases; ++r) {
      bucket.releases.emplace_back();
      for (std::size_t p = 0; p < chosen.size(); ++p) {
        if (chosen[p] >> r & 1) bucket.releases.back().push_back({int(p), 0, 0});
      }
      fits = fits && bucket.releases.back().size() % std::size_t(m) == 0;
    }
    if (fits && !chosen.empty()) visit(bucket);
    if (int(chosen.size()) == people) return;
    for (std::size_t p = from; p < patterns.size(); ++p) {
      chosen.push_back(patterns[p]);
      self(self, p);
      chosen.pop_back();
    }
  };
  next(next, 0);
}

TEST(InvarianceHistory, AllSmallOnes) {
  reissue::Random random = reissue::Random::Seeded(5);
  for (const bool returns : {false, true}) {
    for (const int m : {2, 3}) {
      for (const auto& [releases, people] :
           std::vector<std::pair<int, int>>{{4, 6}, {3, m == 3 ? 9 : 8}}) {
        if (returns && people > 8) continue;
        Tally tally;
        ForEachBucket(releases, people, m, returns, [&](const Published& bucket) {
          if (returns && !SomebodyReturned(bucket)) return;
          if (!HasFatalFailure()) CheckHistory(bucket, std::uint64_t(m), random, tally);
        });
        tally.Print("all of " + std::to_string(releases) + " releases, up to " +
                    std::to_string(people) + " people, m = " + std::to_string(m));
      }
    }
  }
}

// Where somebody returned the worlds may prove more than Definition 10 does. How often does that
// undo what Holds says?
TEST(InvarianceHistory, WorldsWithReturns) {
  std::size_t checked = 0, said = 0, undone = 0, smaller = 0;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    reissue::Random random = reissue::Random::Seeded(30'000'000 + number);
    Shape shape;
    shape.values = 2 + int(random.Below(2));
    shape.releases = 2 + int(random.Below(3));
    shape.rows = 1 + int(random.Below(3));
    shape.come_back = 0.3;
    const Published bucket = DrawBucket(shape, random);
    if (bucket.people > 12 || !SomebodyReturned(bucket)) continue;
    const Worlds worlds = WorldsOf(bucket, {}, 3000);
    if (!worlds.complete) continue;
    ++checked;
    const Equalities truth(bucket.people,
                           TrueEqualities(bucket.people, bucket.values, worlds.worlds));
    const Equalities real(MatricesOf(bucket), true);
    if (truth.Least() != real.Least()) ++smaller;
    const Lived lived = LivedIn(bucket, Gaps(bucket, random), false);
    for (std::uint64_t e = 2; e <= std::uint64_t(shape.values); ++e) {
      if (!model::Holds(lived.history, std::uint64_t(shape.values), e)) continue;
      ++said;
      if (!truth.Least() || *truth.Least() >= long(e)) continue;
      ++undone;
      if (undone <= 3) {
        std::cout << "Holds says e = " << e << ", the worlds prove an equality of "
                  << *truth.Least() << ":\n"
                  << Describe(bucket);
      }
    }
  }
  std::cout << "with returns: " << checked << " series, the worlds prove a smaller equality in "
            << smaller << "; Holds says yes in " << said << " cases, undone by the worlds in "
            << undone << '\n';
}

// Classes of releases that were merged; everybody alone else.
std::vector<std::size_t> LeadersBy(
    const std::vector<std::pair<model::Moment, model::Moment>>& pairs, const Lived& lived,
    std::size_t releases) {
  std::vector<std::size_t> leader;
  for (std::size_t r = 0; r < releases; ++r) leader.push_back(r);
  const auto at = [&](model::Moment moment) {
    return std::size_t(std::find(lived.moments.begin(), lived.moments.end(), moment) -
                       lived.moments.begin());
  };
  for (const auto& [one, other] : pairs) {
    const std::size_t a = at(one), b = at(other);
    if (a >= releases || b >= releases) {
      ADD_FAILURE() << "a moment that is not there was merged";
      continue;
    }
    const std::size_t from = std::max(leader[a], leader[b]), to = std::min(leader[a], leader[b]);
    std::replace(leader.begin(), leader.end(), from, to);
  }
  return leader;
}

// Whether so many edge-disjoint paths of finished stays join the moments: no set that has only one
// of them is left by fewer.
bool Joined(const model::History& history, model::Moment one, model::Moment other, long paths) {
  std::map<model::Moment, std::size_t> number;
  for (const model::Stay& stay : history.stays) {
    if (stay.left == model::kStillThere) continue;
    number.emplace(stay.came, number.size());
    number.emplace(stay.left, number.size());
  }
  if (!number.count(one) || !number.count(other)) return false;
  for (std::size_t set = 0; set < std::size_t{1} << number.size(); ++set) {
    if (!(set >> number[one] & 1) || set >> number[other] & 1) continue;
    long cut = 0;
    for (const model::Stay& stay : history.stays) {
      if (stay.left == model::kStillThere) continue;
      cut +=
          (set >> number[stay.came] & 1) != (set >> number[stay.left] & 1) ? long(stay.people) : 0;
    }
    if (cut < paths) return false;
  }
  return true;
}

// People of the first releases who come back later.
std::size_t CameBack(const Published& bucket, std::size_t first) {
  std::set<int> early, back;
  for (std::size_t r = 0; r < bucket.releases.size(); ++r) {
    for (const Seen& seen : bucket.releases[r]) {
      if (r < first) early.insert(seen.person);
      if (r < first || !early.count(seen.person)) continue;
      const auto& before = bucket.releases[r - 1];
      if (std::none_of(before.begin(), before.end(),
                       [&](const Seen& other) { return other.person == seen.person; })) {
        back.insert(seen.person);
      }
    }
  }
  return back.size();
}

TEST(InvarianceHistory, Mergeable) {
  std::size_t merged = 0, histories = 0, continued = 0, back = 0, possible = 0, found = 0;
  for (std::uint64_t number = 0; number < 12000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(40'000'000 + number);
    Shape shape;
    shape.values = 2 + int(random.Below(2));
    shape.releases = 3 + int(random.Below(4));
    shape.rows = 1 + int(random.Below(4));
    shape.leave = 0.3 + 0.6 * random.Unit();
    shape.empty = 0.05;
    shape.exactly = true;
    shape.come_back = random.Below(3) == 0 ? 0 : 0.3 * random.Unit();
    const Published bucket = DrawBucket(shape, random);
    const std::size_t first = 2 + random.Below(bucket.releases.size() - 1);
    const std::size_t slack = CameBack(bucket, first);
    const std::uint64_t e = 1 + random.Below(std::uint64_t(shape.values));
    const std::vector<model::Moment> moments = Gaps(bucket, random);
    Lived early = LivedIn(FirstReleases(bucket, first),
                          {moments.begin(), moments.begin() + long(first)}, false);
    const auto pairs = model::Mergeable(early.history, e, slack);
    ++histories;
    for (const auto& [one, other] : pairs) {
      ASSERT_NE(one, model::kStillThere);
      ASSERT_NE(other, model::kStillThere);
    }
    const std::vector<std::size_t> alone = Alone(bucket);
    const std::vector<std::size_t> leader = LeadersBy(pairs, early, alone.size());
    for (std::size_t a = 0; a < first; ++a) {
      for (std::size_t b = a + 1; b < first; ++b) {
        if (!Joined(early.history, moments[a], moments[b], 2 * long(e) - 1 + long(slack))) continue;
        ++possible;
        found += leader[a] == leader[b] ? 1 : 0;
      }
    }
    if (leader == alone) continue;
    ++merged;
    continued += first < bucket.releases.size() ? 1 : 0;
    back += slack > 0 ? 1 : 0;
    // What can be proven below e is the same with the moments merged, whenever.
    for (std::size_t end = first; end <= bucket.releases.size(); ++end) {
      const Published so_far = FirstReleases(bucket, end);
      ASSERT_EQ(Equalities(DeltaOf(so_far, alone), true).UpTo(long(e) - 1),
                Equalities(DeltaOf(so_far, leader), true).UpTo(long(e) - 1))
          << "e " << e << " slack " << slack << " after " << first << " of " << end
          << Describe(early.history) << '\n'
          << Describe(so_far);
    }
  }
  std::cout << "merged moments in " << merged << " of " << histories << " histories, " << continued
            << " of them continued, " << back << " with returns after that; " << found << " of "
            << possible << " pairs that may be merged were\n";
  EXPECT_GT(merged, histories / 20);
  EXPECT_EQ(found, possible);
}

}  // namespace
}  // namespace oracle::invariance
