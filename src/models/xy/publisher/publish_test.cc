#include "reissue/models/xy/publisher/publish.h"

#include <gtest/gtest.h>

#include <functional>

#include "linked_people.h"

namespace reissue::models::xy {
namespace {

using testing::AskAll;
using testing::Instance;
using testing::People;
using testing::RandomRequirement;
using testing::Shape;
using testing::SlowDescent;

Result<Outcome> Made(const Instance& instance, PublishOptions options = {},
                     std::size_t threads = 1) {
  ThreadPool pool(threads);
  Progress progress;
  return Publish(instance.source, instance.prior, instance.joins, instance.inconsistent,
                 instance.requirements, options, pool, progress);
}

// As published: nodes without rows do not show.
void ExpectSamePublished(const Instance& instance, const Outcome& a, const Outcome& b) {
  const Cells x = Published(instance.source, a).cells, y = Published(instance.source, b).cells;
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_TRUE(std::ranges::equal(x.key(CellId(i)), y.key(CellId(i))));
    ASSERT_EQ(x.count(CellId(i)), y.count(CellId(i)));
  }
}

// The fast descent takes the very steps of the slow one, which asks the adversary about everything.
// The slow one looks at all candidates after every step, so this includes that the end is maximal.
struct Totals {
  int kept = 0, broken = 0, mended = 0;
  std::uint64_t steps = 0, reexamined = 0;
};
using MakeRequirement = std::function<Requirement(Random&, const Instance&)>;
Totals CompareWithSlow(std::uint64_t seed, const Shape& shape, std::size_t requirements,
                       int instances, const MakeRequirement& make = RandomRequirement) {
  Totals totals;
  Random random = Random::Seeded(seed);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE(i);
    Instance instance = People(random, shape).Make();
    for (std::size_t r = 0; r < requirements; ++r) {
      instance.requirements.push_back(make(random, instance));
    }
    PublishOptions options;
    options.gain = static_cast<Gain>(random.Below(3));
    SlowDescent slow(instance, options.gain);
    const std::optional<Outcome> expected = slow.Run();
    const Result<Outcome> outcome = Made(instance, options);
    EXPECT_TRUE(outcome.has_value() || !expected.has_value());
    if (!expected) {  // the root breaks something
      ++totals.broken;
      if (outcome) {
        EXPECT_TRUE(AskAll(instance, *outcome).satisfied);
        ++totals.mended;
      } else {
        EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
      }
      continue;
    }
    if (!outcome) continue;
    ++totals.kept;
    totals.steps += outcome->steps;
    totals.reexamined += outcome->reexamined;
    EXPECT_TRUE(AskAll(instance, *outcome).satisfied);
    EXPECT_EQ(outcome->steps, slow.steps);
    ExpectSamePublished(instance, *outcome, *expected);
    if (::testing::Test::HasFailure()) break;
  }
  return totals;
}

TEST(Publish, OnePriorTakesTheStepsOfTheSlowDescent) {
  const Totals totals = CompareWithSlow(1, {}, 1, 400);
  EXPECT_GT(totals.kept, 100);
  EXPECT_GT(totals.broken, 20);
  EXPECT_GT(totals.steps, 200u);
}

TEST(Publish, SeveralRequirements) {
  const Totals totals = CompareWithSlow(2, {}, 2, 300);
  EXPECT_GT(totals.kept, 40);
  EXPECT_GT(totals.steps, 100u);
}

TEST(Publish, SeveralPriors) {
  Shape shape;
  shape.people = 12;
  shape.priors = 2;
  const Totals totals = CompareWithSlow(3, shape, 1, 150);
  EXPECT_GT(totals.kept, 40);
}

TEST(Publish, InconsistentPairs) {
  Shape shape;
  shape.inconsistent = true;
  const Totals totals = CompareWithSlow(4, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, PriorsThatAreNoGlobalRecodings) {
  Shape shape;
  shape.global = false;
  const Totals totals = CompareWithSlow(5, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, RowsThatDangle) {
  Shape shape;
  shape.same_people = false;
  shape.people = 15;
  const Totals totals = CompareWithSlow(6, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, ContinuousColumns) {
  Shape shape;
  shape.continuous = true;
  const Totals totals = CompareWithSlow(7, shape, 1, 300);
  EXPECT_GT(totals.kept, 60);
}

TEST(Publish, EverythingAtOnce) {
  Shape shape;
  shape.people = 14;
  shape.priors = 2;
  shape.global = shape.same_people = false;
  shape.inconsistent = shape.continuous = true;
  const Totals totals = CompareWithSlow(8, shape, 2, 200);
  EXPECT_GT(totals.kept, 15);
}

// ---- the paper's cases (section 5.4)

const std::vector<Attribute> kAllJoins = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};

Requirement Anonymity(std::vector<Attribute> x, std::vector<Attribute> y,
                      std::vector<std::size_t> keys, std::uint64_t k) {
  Requirement requirement;
  requirement.x = std::move(x);
  requirement.y = std::move(y);
  requirement.y_keys = std::move(keys);
  requirement.k = k;
  return requirement;
}

TEST(Cases, XHasAllJoinColumns) {
  std::vector<Attribute> x = kAllJoins;
  x.insert(x.end(), {{0, 2}, {1, 2}});
  const auto keys = [&](Random& random, const Instance&) {
    return Anonymity(x, {}, {0}, 2 + random.Below(4));
  };
  EXPECT_GT(CompareWithSlow(11, {}, 1, 80, keys).kept, 60);
  const auto columns = [&](Random& random, const Instance&) {
    return Anonymity(x, {{0, 4}}, {}, 1 + random.Below(2));
  };
  EXPECT_GT(CompareWithSlow(12, {}, 1, 80, columns).kept, 60);
}

TEST(Cases, YIsAKeyOfThePrior) {
  const auto make = [](Random& random, const Instance&) {
    return Anonymity({{0, 0}, {0, 2}}, {{0, 4}}, {1}, 3 + random.Below(25));
  };
  EXPECT_GT(CompareWithSlow(13, {}, 1, 80, make).kept, 60);
}

TEST(Cases, YIsAKeyOfT1) {
  const auto make = [](Random& random, const Instance&) {
    return Anonymity({{0, 0}, {0, 2}, {1, 2}}, {}, {0}, 2 + random.Below(6));
  };
  EXPECT_GT(CompareWithSlow(14, {}, 1, 80, make).kept, 60);
}

TEST(Cases, YIsAKeyOfTheJoin) {
  const auto make = [](Random& random, const Instance&) {
    return Anonymity({{0, 0}, {0, 2}, {1, 1}, {1, 2}}, {}, {0, 1}, 4 + random.Below(30));
  };
  EXPECT_GT(CompareWithSlow(15, {}, 1, 80, make).kept, 40);
}

TEST(Cases, General) {
  const auto make = [](Random& random, const Instance&) {
    return Anonymity({{0, 0}, {0, 2}}, {{0, 4}, {1, 2}}, {}, 2 + random.Below(4));
  };
  EXPECT_GT(CompareWithSlow(16, {}, 1, 80, make).kept, 60);
}

// A column that one requirement specialises decides for the other what is matched.
TEST(Cases, JoinColumnOfAnotherRequirement) {
  int turn = 0;
  const auto make = [&](Random& random, const Instance&) {
    return turn++ % 2 == 0 ? Anonymity({{0, 2}, {1, 2}}, {}, {0}, 2 + random.Below(3))
                           : Anonymity({{0, 0}, {0, 1}}, {}, {0, 1}, 3);
  };
  EXPECT_GT(CompareWithSlow(17, {}, 2, 80, make).kept, 60);
}

// What is sensitive for one requirement is generalised for the other.
TEST(Cases, YOfOneIsXOfAnother) {
  int turn = 0;
  const auto make = [&](Random& random, const Instance& instance) {
    Requirement requirement = Anonymity({{0, 2}, {0, 0}, {1, 0}}, {}, {0}, 2);
    if (turn++ % 2 == 0) return requirement;
    requirement.kind = Requirement::Kind::kLinkability;
    requirement.x = {{0, 3}, {1, 2}};
    const auto& tree = *instance.source.columns[2].tree;
    requirement.values = {{{0, 2}, tree.leaf(random.Below(tree.leaves())).raw(), 0.5}};
    requirement.y_keys.clear();
    return requirement;
  };
  const Totals totals = CompareWithSlow(18, {}, 2, 80, make);
  EXPECT_GT(totals.kept, 40);
  EXPECT_GT(totals.steps, 80u);
}

// The same with groups of values, with columns whose every value counts, with distinct labels, and
// with a value of a column that the requirement itself has in X.
Requirement OverlapsX(Random& random, const Instance& instance) {
  const auto& tree = *instance.source.columns[2].tree;
  const auto node = [&] { return static_cast<std::uint32_t>(random.Below(tree.nodes())); };
  switch (random.Below(4)) {
    case 0:
      return Anonymity({{0, 1}, {1, 0}}, {{0, 2}, {1, 2}}, {}, 1 + random.Below(3));
    case 1: {
      Requirement shares = Anonymity({{0, 1}}, {{0, 2}, {1, 2}}, {}, 1);
      shares.kind = Requirement::Kind::kLinkability;
      shares.confidence = 0.4 + 0.6 * random.Unit();
      return shares;
    }
    default: {
      Requirement values = Anonymity({{0, 1}, {0, 3}}, {}, {}, 1);
      if (random.Below(2) == 0) values.x.push_back({0, 2});
      values.kind = Requirement::Kind::kLinkability;
      values.values = {{{0, 2}, node(), 0.3 + 0.7 * random.Unit()},
                       {{0, 2}, node(), 0.3 + 0.7 * random.Unit()},
                       {{1, 2}, 0, 0.5 + 0.5 * random.Unit()}};
      return values;
    }
  }
}

TEST(Cases, YOfOneIsXOfAnotherInEveryWay) {
  int turn = 0;
  const auto make = [&](Random& random, const Instance& instance) {
    if (turn++ % 2 == 0) return Anonymity({{0, 2}, {0, 0}, {1, 0}}, {}, {0}, 2);
    return OverlapsX(random, instance);
  };
  const Totals totals = CompareWithSlow(19, {}, 2, 150, make);
  EXPECT_GT(totals.kept, 50);
  EXPECT_GT(totals.broken, 5);
  EXPECT_GT(totals.steps, 100u);
}

// What every search makes of it is attacked.
TEST(Cases, YOfOneIsXOfAnotherInTheDefaultSearch) {
  Random random = Random::Seeded(20);
  int kept = 0;
  for (int i = 0; i < 60; ++i) {
    Shape shape;
    shape.same_people = i % 2 == 0;
    shape.inconsistent = i % 3 == 0;
    Instance instance = People(random, shape).Make();
    instance.requirements = {Anonymity({{0, 2}, {0, 0}, {1, 0}}, {}, {0}, 2),
                             OverlapsX(random, instance)};
    PublishOptions options;
    options.search = Search::kDefault;
    options.gain = static_cast<Gain>(random.Below(3));
    const Result<Outcome> outcome = Made(instance, options);
    if (!outcome) continue;
    ++kept;
    EXPECT_TRUE(AskAll(instance, *outcome).satisfied) << i;
  }
  EXPECT_GT(kept, 20);
}

// Shares that reach their threshold exactly keep the promise: X with and without all that T1
// matches by, Y in T1 and in the prior, single values and all of them.
TEST(Cases, SharesThatReachTheirThreshold) {
  const auto make = [](Random& random, const Instance&) {
    constexpr double kThresholds[] = {1.0 / 3, 1.0 / 2, 2.0 / 3, 3.0 / 4};
    const double threshold = kThresholds[random.Below(4)];
    const Attribute y = random.Below(2) == 0 ? Attribute{0, 4} : Attribute{1, 2};
    Requirement requirement = Anonymity({{0, 0}, {0, 2}}, {}, {}, 1);
    if (random.Below(2) == 0) requirement.x.push_back({0, 1});
    requirement.kind = Requirement::Kind::kLinkability;
    if (random.Below(2) == 0) {
      requirement.y = {y};
      requirement.confidence = threshold;
    } else {
      requirement.values = {{y, static_cast<std::uint32_t>(random.Below(3)), threshold}};
    }
    return requirement;
  };
  Shape shape;
  shape.people = 12;
  const Totals totals = CompareWithSlow(24, shape, 1, 400, make);
  EXPECT_GT(totals.kept, 150);
  EXPECT_GT(totals.steps, 200u);
}

// ---- single cases

std::shared_ptr<const taxonomy::Taxonomy> Flat(std::size_t leaves) {
  std::vector<taxonomy::HierarchyLine> lines;
  for (std::size_t i = 0; i < leaves; ++i) {
    lines.push_back({i + 1, {"v" + std::to_string(i), "*"}});
  }
  return std::make_shared<const taxonomy::Taxonomy>(taxonomy::FromHierarchy(lines, "flat").value());
}

// T1(C, D) and T2(D, E) of eight people, at the leaves; X is everything, Y both keys.
Instance EightPeople() {
  Instance instance;
  const auto c = Flat(2), d = Flat(2);
  instance.source.columns = {{c, {}}, {d, {}}};
  instance.source.cells = Cells(2, {0, 0, 1, 0, 1, 1}, {1, 3, 4});
  const std::uint32_t d0 = d->leaf(0).raw(), d1 = d->leaf(1).raw();
  instance.prior.push_back({{d, nullptr}, Cells(2, {d0, 0, d1, 0, d1, 1}, {4, 1, 3})});
  instance.joins = {{{0, 1}, {1, 0}}};
  instance.requirements = {Anonymity({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {}, {0, 1}, 4)};
  return instance;
}

// With both keys the least product of a class may rise when the class falls apart: C alone leaves
// 1 · 1 records to somebody, D first and then C at least 4.
TEST(Publish, ARefusedStepMayBecomeValid) {
  const Instance instance = EightPeople();
  const Result<Outcome> outcome = Made(instance);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->reexamined, 1u);
  EXPECT_EQ(outcome->steps, 2u);
  EXPECT_EQ(Published(instance.source, *outcome).cells.size(), 3u);
}

// So may one that breaks a linkability with Y in T1, where X lacks a join column: an x then adds up
// alternatives that match differently. Nobody dangles here.
TEST(Publish, ALostAlternativeMayLowerAShare) {
  Random random = Random::Seeded(742);
  Instance instance = People(random, {}).Make();
  Requirement requirement;
  requirement.kind = Requirement::Kind::kLinkability;
  requirement.x = {{0, 0}, {1, 0}, {0, 2}};
  requirement.values = {{{0, 4}, 0, 0.3 + 0.4 * random.Unit()}};
  instance.requirements = {requirement};
  const Result<Outcome> outcome = Made(instance);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->reexamined, 1u);
  const Report report = Attack(instance.With(*outcome), instance.requirements);
  EXPECT_TRUE(report.satisfied);
  EXPECT_EQ(report.dangling, (std::vector<std::uint64_t>{0, 0}));
}

TEST(Publish, SaysWhichRequirementTheRootBreaks) {
  Instance instance = EightPeople();
  instance.requirements.push_back(Anonymity({{0, 0}, {1, 1}}, {}, {0}, 9));
  const Result<Outcome> outcome = Made(instance);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
  EXPECT_EQ(outcome.error().message,
            "no release exists that keeps all requirements together: with every column of X at the "
            "root requirement 2 is broken, some x has 8 distinct y, and 9 are promised");
}

TEST(Publish, AGainByClassNeedsAClass) {
  PublishOptions options;
  options.gain = Gain::kClass;
  const Result<Outcome> outcome = Made(EightPeople(), options);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kUsage);
}

TEST(Publish, NumbersThatBecomeIntervalsCannotBeNamed) {
  Random random = Random::Seeded(21);
  Shape shape;
  shape.continuous = true;
  Instance instance = People(random, shape).Make();
  instance.requirements = {Anonymity({{0, 3}}, {}, {0}, 1)};
  instance.inconsistent = {{{0, 3}, 1, {1, 2}, 1}};
  const Result<Outcome> outcome = Made(instance);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kUsage);
}

// Where the class changes the interval is split, not in the middle.
TEST(Publish, SplitsNumbersWhereTheClassChanges) {
  Instance instance;
  instance.source.columns = {{nullptr, {10, 20, 30, 40, 50, 60}}};
  instance.source.class_values = 2;
  instance.source.cells = Cells(2, {0, 0, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1}, {2, 2, 2, 2, 2, 2});
  instance.requirements = {Anonymity({{0, 0}}, {}, {0}, 2)};
  PublishOptions options;
  options.gain = Gain::kClass;
  instance.requirements[0].k = 2;
  EXPECT_EQ(Made(instance, options)->intervals[0], (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  instance.requirements[0].k = 5;  // the best split leaves 2 rows, and no other one is tried
  EXPECT_EQ(Made(instance, options)->intervals[0], (std::vector<std::uint32_t>{0}));
  options.gain = Gain::kDistortion;
  EXPECT_EQ(Made(instance, options)->intervals[0], (std::vector<std::uint32_t>{0, 3}));
}

double Distortion(const Instance& instance, const Outcome& outcome) {
  double sum = 0;
  const Cells& cells = instance.source.cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t c = 0; c < outcome.cuts.size(); ++c) {
      if (!outcome.cuts[c]) continue;
      const taxonomy::Taxonomy& tree = *instance.source.columns[c].tree;
      const std::uint32_t rank = cells.key(CellId(i))[c];
      sum += static_cast<double>(cells.count(CellId(i))) *
             (tree.depth(tree.leaf(rank)) - tree.depth(outcome.cuts[c]->NodeOfLeaf(rank)));
    }
  }
  return sum;
}

// The default search keeps the promises, is never worse than the paper's and sometimes better, and
// threads do not matter.
TEST(Publish, DefaultSearch) {
  Random random = Random::Seeded(22);
  int better = 0;
  for (int i = 0; i < 300; ++i) {
    Instance instance = People(random, {}).Make();
    instance.requirements = {RandomRequirement(random, instance)};
    const Result<Outcome> paper = Made(instance);
    PublishOptions options;
    options.search = Search::kDefault;
    const Result<Outcome> found = Made(instance, options, 1);
    const Result<Outcome> again = Made(instance, options, 3);
    ASSERT_EQ(paper.has_value(), found.has_value());
    if (!found) continue;
    EXPECT_EQ(found->cuts, again->cuts);
    EXPECT_EQ(found->steps, again->steps);
    EXPECT_TRUE(AskAll(instance, *found).satisfied);
    EXPECT_LE(Distortion(instance, *found), Distortion(instance, *paper));
    better += Distortion(instance, *found) < Distortion(instance, *paper);
  }
  EXPECT_GT(better, 0);
}

// Planted bugs: a publisher that forgets a requirement, an inconsistent pair or an earlier release
// is caught by the attack.
TEST(Publish, WhatIsForgottenIsNoticed) {
  Random random = Random::Seeded(23);
  int requirement = 0, pair = 0, prior = 0;
  const auto caught = [](const Instance& instance, const Instance& forgetful) {
    const Result<Outcome> outcome = Made(forgetful);
    return outcome && Made(instance) && !AskAll(instance, *outcome).satisfied;
  };
  for (int i = 0; i < 150; ++i) {
    Shape shape;
    shape.priors = 2;
    shape.people = 14;
    shape.inconsistent = true;
    Instance instance = People(random, shape).Make();
    std::vector<Attribute> x = kAllJoins;
    x.insert(x.end(), {{0, 2}, {1, 2}});
    instance.requirements = {Anonymity(x, {}, {0}, 2), Anonymity({{0, 1}, {1, 2}}, {}, {1}, 3)};
    Instance forgetful = instance;
    forgetful.requirements.pop_back();
    requirement += caught(instance, forgetful);
    forgetful = instance;
    forgetful.inconsistent.clear();
    pair += caught(instance, forgetful);
    forgetful = instance;
    forgetful.joins[1] = {{0, 1}};  // table 1 is not joined on this column
    prior += caught(instance, forgetful);
  }
  EXPECT_GT(requirement, 0);
  EXPECT_GT(pair, 0);
  EXPECT_GT(prior, 0);
}

}  // namespace
}  // namespace reissue::models::xy
