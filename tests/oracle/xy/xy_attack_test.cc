// The attack of model `xy` against the join, row by row: random tables, random promises.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "draw.h"
#include "product.h"

namespace oracle::xy {
namespace {

constexpr std::uint64_t kWorlds = 24000;

std::string KindOf(const World& world, const Promise& promise) {
  std::string kind = IsPlain(world, promise) ? "plain " : "lacking ";
  if (!promise.anonymity && !promise.named.empty()) return kind + "values";
  std::set<bool> ours;
  for (const Place& place : promise.y) ours.insert(place.table == 0);
  for (const std::size_t table : promise.y_keys) ours.insert(table == 0);
  kind += promise.anonymity ? "anonymity " : "linkability ";
  if (!promise.y_keys.empty()) kind += promise.y.empty() ? "keys " : "mixed ";
  return kind + (ours.size() == 2 ? "both" : *ours.begin() ? "T1" : "prior");
}

struct Covered {
  std::map<std::string, std::size_t> kinds;
  std::size_t by_classes = 0, broken = 0, dangling = 0, empty = 0, forbidden = 0, priors = 0;
  std::size_t uncounted = 0, listed = 0;

  void Add(const World& world, const std::vector<Promise>& promises, const Answers& answers,
           const model::Report& report) {
    for (const Promise& promise : promises) ++kinds[KindOf(world, promise)];
    by_classes += report.by_classes ? 1 : 0;
    broken += answers.satisfied ? 0 : 1;
    empty += answers.join_rows == 0 ? 1 : 0;
    forbidden += world.forbidden.empty() ? 0 : 1;
    priors += world.tables.size() - 1;
    dangling += std::any_of(answers.dangling.begin(), answers.dangling.end(),
                            [](long rows) { return rows > 0; })
                    ? 1
                    : 0;
    for (const auto& requirement : report.requirements) {
      uncounted += requirement.counted ? 0 : 1;
      listed += requirement.worst.size();
    }
  }
};

TEST(XyAttackAgainstOracle, EveryNumber) {
  Covered covered;
  for (std::uint64_t number = 1; number <= kWorlds && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    const World world = DrawWorld(random).world;
    std::vector<Promise> promises;
    for (std::size_t more = 1 + random.Below(3); more > 0; --more) {
      promises.push_back(DrawPromise(world, {}, random));
    }
    const std::size_t limit = std::vector<std::size_t>{1, 3, 10}[random.Below(3)];
    const Translator translator(world);
    const Answers expected = AnswersOf(world, promises);
    const model::Report report =
        model::Attack(translator.ToLinked(world), translator.ToRequirements(world, promises), limit,
                      model::Wanted::kAll);
    const Answers found = FromReport(report, expected);
    EXPECT_EQ(WrongInWorst(world, translator, promises, expected, report, limit), "");
    EXPECT_TRUE(found == expected);
    covered.Add(world, promises, expected, report);
    if (!HasFailure()) continue;
    std::string text = "case " + std::to_string(number) + '\n' + Describe(world);
    for (const Promise& promise : promises) text += Describe(promise);
    ADD_FAILURE() << text << "expected " << Describe(expected) << "found " << Describe(found);
  }
  if (HasFailure()) return;
  EXPECT_GT(covered.by_classes, kWorlds / 4);
  EXPECT_LT(covered.by_classes, kWorlds - kWorlds / 10);
  for (const auto& [kind, times] : covered.kinds) EXPECT_GT(times, 100u) << kind;
  std::cout << kWorlds << " worlds, " << covered.priors << " earlier tables, " << covered.by_classes
            << " by classes, " << covered.forbidden << " with inconsistent pairs, "
            << covered.dangling << " with dangling rows, " << covered.empty
            << " with an empty join, " << covered.broken << " broken, " << covered.listed
            << " findings, " << covered.uncounted << " not counted\n ";
  for (const auto& [kind, times] : covered.kinds) std::cout << ' ' << kind << ' ' << times << ';';
  std::cout << '\n';
}

// Every row of a table many times: the join grows by the product, keys by their own factors, and
// shares stay.
TEST(XyAttackAgainstOracle, ManyEqualRows) {
  constexpr std::uint64_t kManifold = 4000;
  std::size_t beyond = 0;
  for (std::uint64_t number = 1; number <= kManifold && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(5000000 + number);
    const World world = DrawWorld(random).world;
    const Promise promise = DrawPromise(world, {}, random);
    const Translator translator(world);
    model::Linked linked = translator.ToLinked(world);
    std::vector<std::uint64_t> times;
    model::Wide product = 1;
    for (model::LinkedTable& table : linked.tables) {
      times.push_back(std::vector<std::uint64_t>{1, 1000003, 400000007}[random.Below(3)]);
      product *= times.back();
      table.cells = translator.Repeated(table.cells, times.back());
    }
    const Answers expected = AnswersOf(world, {promise});
    const model::Report report =
        model::Attack(linked, std::vector{translator.ToRequirement(world, promise)});
    const Answer& answer = expected.promises[0];
    const model::RequirementReport& found = report.requirements[0];
    EXPECT_TRUE(report.join_rows == product * static_cast<model::Wide>(expected.join_rows));
    beyond += report.join_rows > ~std::uint64_t{0} ? 1 : 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_EQ(report.dangling[i], static_cast<std::uint64_t>(expected.dangling[i]) * times[i]);
    }
    ASSERT_EQ(found.anonymity.has_value(), answer.anonymity.has_value());
    if (answer.anonymity) {
      std::uint64_t distinct = static_cast<std::uint64_t>(*answer.anonymity);
      for (const std::size_t table : promise.y_keys) distinct *= times[table];
      EXPECT_EQ(*found.anonymity, distinct);
    }
    ASSERT_EQ(found.linkability.has_value(), answer.linkability.has_value());
    if (answer.linkability) {
      EXPECT_NEAR(*found.linkability, *answer.linkability, 1e-12);
      EXPECT_EQ(found.violating, static_cast<std::uint64_t>(answer.violating));
      EXPECT_EQ(found.satisfied, answer.satisfied);
    }
    if (HasFailure()) ADD_FAILURE() << number << '\n' << Describe(world) << Describe(promise);
  }
  EXPECT_GT(beyond, kManifold / 10);
  std::cout << kManifold << " worlds with every row many times, " << beyond
            << " joins of more rows than 64 bits count\n";
}

TEST(XyAttackAgainstOracle, Explanations) {
  constexpr std::uint64_t kExplained = 8000;
  std::size_t of_nothing = 0;
  for (std::uint64_t number = 1; number <= kExplained && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(1000000 + number);
    const World world = DrawWorld(random).world;
    const Promise promise = DrawPromise(world, {}, random);
    const std::vector<Tuple> join = Join(world);
    const auto groups = GroupByX(world, join, promise);
    // An x of the join, or labels of the tables that need not occur together.
    Labels x;
    if (groups.empty() || random.Below(5) == 0) {
      for (const Place& place : promise.x) {
        const auto& rows = world.tables[place.table].rows;
        x.push_back(rows[random.Below(rows.size())][place.column]);
      }
    } else {
      x = std::next(groups.begin(), static_cast<long>(random.Below(groups.size())))->first;
    }
    of_nothing += groups.contains(x) ? 0 : 1;
    const std::size_t limit = random.Below(3) == 0 ? 2 : 1000;
    const Translator translator(world);
    EXPECT_EQ(WrongInExplanation(world, translator, join, promise, x, limit), "")
        << "case " << number << '\n'
        << Describe(world) << Describe(promise);
  }
  EXPECT_GT(of_nothing, kExplained / 50);
  std::cout << kExplained << " combinations explained, " << of_nothing
            << " of them not in the join\n";
}

}  // namespace
}  // namespace oracle::xy
