// When does specialising the new table make a promise easier to keep? By the oracle alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "draw.h"

namespace oracle::xy {
namespace {

constexpr std::uint64_t kRefinedWorlds = 60000;

std::string KindOfPromise(const World& world, const Promise& promise) {
  std::set<std::size_t> tables(promise.y_keys.begin(), promise.y_keys.end());
  for (const Place& place : promise.y) tables.insert(place.table);
  std::string kind = promise.anonymity ? "anonymity, Y in " : "linkability, Y in ";
  kind += tables.size() > 1 ? "several tables" : tables.contains(0) ? "T1" : "an earlier table";
  return kind + (IsPlain(world, promise) ? ", X plain" : ", X lacks columns");
}

bool OfOneTable(const std::string& kind) { return kind.find("several") == std::string::npos; }
bool OfPlainX(const std::string& kind) { return kind.find("plain") != std::string::npos; }

// A promise over columns or keys, of a column of the new table in X that can be specialised.
struct Step {
  World before, after;
  Promise promise;
};

// Some people several times over, in all tables alike.
void Repeat(DrawnWorld& drawn, reissue::Random& random) {
  const std::size_t people = drawn.raw.tables[0].rows.size();
  std::vector<std::size_t> times(people);
  for (std::size_t& number : times) number = random.Below(3) == 0 ? 1 + random.Below(6) : 1;
  for (World* world : {&drawn.raw, &drawn.world}) {
    for (Table& table : world->tables) {
      std::vector<Labels> rows;
      for (std::size_t i = 0; i < table.rows.size(); ++i) {
        rows.insert(rows.end(), times[i], table.rows[i]);
      }
      table.rows = rows;
    }
  }
}

std::optional<Step> DrawStep(reissue::Random& random) {
  DrawnWorld drawn = DrawWorld(random);
  if (drawn.one_table && drawn.raw.tables.size() == 2) Repeat(drawn, random);
  Step step;
  step.promise = DrawPromise(drawn.world, {}, random);
  if (!step.promise.named.empty()) return std::nullopt;
  std::vector<Place> ours;
  for (const Place& place : step.promise.x) {
    if (place.table == 0 && drawn.raw.tables[0].trees[place.column]) ours.push_back(place);
  }
  if (ours.empty()) return std::nullopt;
  const Place place = ours[random.Below(ours.size())];
  step.before = drawn.world;
  step.before.tables[0] = drawn.raw.tables[0];
  step.after = step.before;
  for (const Place& other : ours) {
    const Tree& tree = drawn.raw.trees[*drawn.raw.tables[0].trees[other.column]];
    const Cut cut = RandomCut(tree, random);
    Recode(step.before, other, cut);
    if (other != place) {
      Recode(step.after, other, cut);
      continue;
    }
    std::vector<Label> nodes;
    for (const Label node : cut) {
      if (node >= 0 && !tree.Children(node).empty()) nodes.push_back(node);
    }
    if (nodes.empty()) return std::nullopt;
    Recode(step.after, other, Specialised(tree, cut, nodes[random.Below(nodes.size())]));
  }
  return step;
}

// Two projections of one table on two flat join columns A and D and a plain column each. Only A of
// the new table is specialised, from the root to the leaves.
Step DrawProjections(reissue::Random& random) {
  Step step;
  World world;
  world.trees = {{{-1, 0, 0}}};
  world.tables.resize(2);
  for (Table& table : world.tables) table.trees = {0, 0, std::nullopt};
  world.joins = {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}};
  const std::size_t people = 2 + random.Below(4);
  const auto leaf = [&] { return static_cast<Label>(1 + random.Below(2)); };
  for (std::size_t i = 0; i < people; ++i) {
    const std::size_t times = random.Below(3) == 0 ? 1 + random.Below(5) : 1;
    const Label a = leaf(), d = leaf();
    for (Table& table : world.tables) table.rows.insert(table.rows.end(), times, {a, d, leaf()});
  }
  step.promise = DrawPromise(world, {}, random);
  const Place specialised{0, 0};
  std::erase(step.promise.x, specialised);
  std::erase(step.promise.y, specialised);
  step.promise.x.push_back(specialised);
  step.after = world;
  for (Labels& row : world.tables[0].rows) row[0] = 0;
  step.before = world;
  return step;
}

bool Easier(const Promise& promise, const Answer& before, const Answer& after) {
  if (promise.anonymity) {
    return before.anonymity && (!after.anonymity || *after.anonymity > *before.anonymity);
  }
  return before.linkability &&
         (!after.linkability || *after.linkability < *before.linkability - 1e-12);
}

bool AnyDangling(const Answers& answers) {
  return std::any_of(answers.dangling.begin(), answers.dangling.end(),
                     [](long rows) { return rows > 0; });
}

// How often, per kind: tried and easier, without and with rows that dangle after the step.
struct Tally {
  std::size_t tried = 0, easier = 0, tried_dangling = 0, easier_dangling = 0;
};

TEST(XyAntiMonotone, HowOftenItFails) {
  std::map<std::string, Tally> tallies;
  for (std::uint64_t number = 1; number <= kRefinedWorlds; ++number) {
    reissue::Random random = reissue::Random::Seeded(3000000 + number);
    const std::optional<Step> step = DrawStep(random);
    if (!step) continue;
    const Answers before = AnswersOf(step->before, {step->promise});
    const Answers after = AnswersOf(step->after, {step->promise});
    Tally& tally = tallies[KindOfPromise(step->before, step->promise)];
    const bool easier = Easier(step->promise, before.promises[0], after.promises[0]);
    if (AnyDangling(after)) {
      ++tally.tried_dangling;
      tally.easier_dangling += easier ? 1 : 0;
    } else {
      ++tally.tried;
      tally.easier += easier ? 1 : 0;
    }
  }
  for (const auto& [kind, tally] : tallies) {
    // With an X that has everything and a Y of one table, only rows that dangle make it easier.
    if (OfOneTable(kind) && OfPlainX(kind)) {
      EXPECT_EQ(tally.easier, 0u) << kind;
      EXPECT_GT(tally.easier_dangling, 0u) << kind;
    }
    std::cout << kind << ": easier in " << tally.easier << " of " << tally.tried << " steps, in "
              << tally.easier_dangling << " of " << tally.tried_dangling << " with dangling rows\n";
  }
}

TEST(XyAntiMonotone, ProjectionsOfOneTable) {
  std::map<std::string, Tally> tallies;
  for (std::uint64_t number = 1; number <= 2 * kRefinedWorlds; ++number) {
    reissue::Random random = reissue::Random::Seeded(4000000 + number);
    const Step step = DrawProjections(random);
    if (step.promise.y.empty() && step.promise.y_keys.empty()) continue;
    const Answers before = AnswersOf(step.before, {step.promise});
    const Answers after = AnswersOf(step.after, {step.promise});
    ASSERT_FALSE(AnyDangling(after));
    Tally& tally = tallies[KindOfPromise(step.before, step.promise)];
    ++tally.tried;
    tally.easier += Easier(step.promise, before.promises[0], after.promises[0]) ? 1 : 0;
  }
  EXPECT_EQ(tallies.size(), 12u);
  for (const auto& [kind, tally] : tallies) {
    EXPECT_EQ(tally.easier == 0, OfOneTable(kind) && OfPlainX(kind)) << kind;
    std::cout << kind << ": easier in " << tally.easier << " of " << tally.tried << " steps\n";
  }
}

// The smallest cases the searches found. Before the step, A (the first column of the new table) is
// at the root; the tables are projections of one table of four or five people, written as A, D and
// a plain column; nothing ever dangles.
Step Smallest(const std::vector<Labels>& t1, const std::vector<Labels>& t2) {
  Step step;
  step.after.trees = {{{-1, 0, 0}}};
  step.after.tables = {{{0, 0, std::nullopt}, t1}, {{0, 0, std::nullopt}, t2}};
  step.after.joins = {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}};
  step.before = step.after;
  for (Labels& row : step.before.tables[0].rows) row[0] = 0;
  return step;
}

void ExpectAnonymity(Step step, const std::vector<Place>& x, const std::vector<std::size_t>& keys,
                     long before, long after) {
  step.promise.x = x;
  step.promise.y_keys = keys;
  EXPECT_EQ(AnswersOf(step.before, {step.promise}).promises[0].anonymity, before);
  const Answers answers = AnswersOf(step.after, {step.promise});
  EXPECT_EQ(answers.promises[0].anonymity, after);
  EXPECT_FALSE(AnyDangling(answers));
}

void ExpectLinkability(Step step, const std::vector<Place>& x, const std::vector<Place>& y,
                       double before, double after) {
  step.promise.anonymity = false;
  step.promise.x = x;
  step.promise.y = y;
  EXPECT_EQ(AnswersOf(step.before, {step.promise}).promises[0].linkability, before);
  const Answers answers = AnswersOf(step.after, {step.promise});
  EXPECT_EQ(answers.promises[0].linkability, after);
  EXPECT_FALSE(AnyDangling(answers));
}

// Lemma 4.1 with Y = {K1, K2} and all columns in X: the combination of a small partition of T1 with
// a small one of T2 disappears, and neither has dangled.
TEST(XyAntiMonotone, AnonymityRisesWithBothKeys) {
  const Step step = Smallest({{2, 1, 1}, {1, 1, 2}, {2, 1, 1}, {1, 1, 1}},
                             {{2, 1, 1}, {1, 1, 1}, {2, 1, 2}, {1, 1, 1}});
  const std::vector<Place> x = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
  ExpectAnonymity(step, x, {0, 1}, 1, 2);
  ExpectAnonymity(step, x, {0}, 1, 1);
  ExpectAnonymity(step, x, {1}, 1, 1);
}

// Lemma 4.1 with a key of one table, where X lacks the join column D.
TEST(XyAntiMonotone, AnonymityRisesWhereXLacksAJoinColumn) {
  ExpectAnonymity(Smallest({{1, 2, 1}, {2, 2, 2}, {2, 1, 2}, {1, 2, 1}, {1, 2, 1}},
                           {{1, 2, 2}, {2, 2, 1}, {2, 1, 1}, {1, 2, 1}, {1, 2, 1}}),
                  {{0, 0}, {0, 2}, {1, 0}}, {0}, 1, 2);
  ExpectAnonymity(Smallest({{2, 1, 2}, {1, 2, 2}, {2, 2, 2}, {1, 2, 1}, {1, 2, 1}},
                           {{2, 1, 2}, {1, 2, 2}, {2, 2, 2}, {1, 2, 2}, {1, 2, 2}}),
                  {{0, 0}, {0, 2}, {1, 0}, {1, 2}}, {1}, 1, 2);
}

// Lemma 4.2 where X lacks the join column D: with Y in T1, and with Y in T2.
TEST(XyAntiMonotone, LinkabilityFallsWhereXLacksAJoinColumn) {
  const std::vector<Place> x = {{0, 0}, {1, 0}};
  ExpectLinkability(Smallest({{1, 1, 2}, {1, 2, 1}, {2, 2, 1}, {2, 2, 2}},
                             {{1, 1, 1}, {1, 2, 2}, {2, 2, 2}, {2, 2, 2}}),
                    x, {{0, 2}}, 2.0 / 3, 0.5);
  ExpectLinkability(Smallest({{1, 1, 2}, {2, 1, 1}, {2, 2, 1}, {1, 1, 2}, {1, 1, 2}},
                             {{1, 1, 2}, {2, 1, 2}, {2, 2, 1}, {1, 1, 1}, {1, 1, 1}}),
                    x, {{1, 2}}, 0.8, 2.0 / 3);
}

// Lemma 4.2 leaves Y in both tables out, rightly.
TEST(XyAntiMonotone, LinkabilityFallsWithYInBothTables) {
  ExpectLinkability(Smallest({{1, 1, 1}, {2, 1, 1}, {1, 1, 2}, {2, 1, 1}},
                             {{1, 1, 1}, {2, 1, 2}, {1, 1, 1}, {2, 1, 1}}),
                    {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {{0, 2}, {1, 2}}, 0.75, 0.5);
}

}  // namespace
}  // namespace oracle::xy
