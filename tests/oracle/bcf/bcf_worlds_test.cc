// One to four releases: the product's exact adversary against all worlds, and what the formulas
// of the paper make of the same series.

#include <gtest/gtest.h>

#include <iostream>

#include "draw.h"
#include "pair_answers.h"
#include "series_answers.h"

namespace oracle::bcf {
namespace {

struct Covered {
  std::size_t series = 0, impossible = 0, fit_by_pairs = 0, broken = 0, targets = 0;
  std::size_t witnesses = 0, proofs = 0;
  std::size_t closed = 0, programs = 0, solved = 0, fractional = 0;
  std::size_t target_overstated = 0, person_overstated = 0;
};

// Numbers left by the formulas and by all worlds: where do they differ?
void CompareFormulas(const DrawnSeries& drawn, const SeriesAnswers& exact, bool global,
                     Covered& covered) {
  const Domain& domain = drawn.translator->domain();
  const auto formulas = FormulasByWorlds(domain, drawn.series);
  ASSERT_EQ(FormulasOfProduct(*drawn.translator, drawn.series), formulas) << Describe(drawn.series);
  std::set<Target> overstated;
  for (const auto& [target, left] : exact.left) {
    const auto found = formulas.find(target);
    const long bound = found == formulas.end() ? 0 : Total(found->second);
    ASSERT_LE(Total(left), bound) << Describe(drawn.series);
    if (Total(left) < bound) overstated.insert(target);
    if (global) {
      ASSERT_EQ(PaperLeftFor(domain, drawn.series, target).least(), bound);
    }
  }
  bool person = false;
  for (const Target& target : drawn.targets) person = person || overstated.contains(target);
  covered.target_overstated += !overstated.empty();
  covered.person_overstated += person;
}

bool FitByPairs(const DrawnSeries& drawn) {
  const model::Series series = drawn.translator->ToProduct(drawn.series);
  return model::Formulas(series).consistent();
}

void CompareOne(DrawnSeries drawn, bool rows_lost, bool global, reissue::Random& random,
                Covered& covered) {
  if (rows_lost) {
    TakeRowsAway(drawn.series, random);
    drawn.targets.clear();
  }
  const Question question = {*drawn.translator, drawn.series, drawn.targets, DrawPromise(random)};
  const SeriesAnswers expected = AnswersByWorlds(question);
  const ProductAnswers found = AnswersOfProduct(question);
  ASSERT_EQ(found.complaint, "") << Describe(drawn.series);
  ASSERT_EQ(found.unproven, 0u) << Describe(drawn.series);
  ASSERT_TRUE(found.answers == expected)
      << Describe(drawn.series) << "k = " << question.promise.k << "\nexpected\n"
      << Describe(expected) << "found\n"
      << Describe(found.answers);
  ++covered.series;
  covered.witnesses += found.witnesses;
  covered.proofs += found.proofs;
  covered.closed += found.statistics.closed;
  covered.programs += found.statistics.programs;
  covered.solved += found.statistics.solved;
  covered.fractional += found.statistics.fractional;
  if (!expected.possible) {
    ++covered.impossible;
    covered.fit_by_pairs += FitByPairs(drawn);
    return;
  }
  ASSERT_TRUE(rows_lost || expected.possible);
  covered.targets += expected.any.targets;
  covered.broken += !expected.any.broken.empty();
  if (rows_lost) return;
  CompareFormulas(drawn, expected, global, covered);
  // The people themselves.
  long singled_out = 0, certain = 0;
  for (const Target& target : drawn.targets) {
    singled_out += Total(expected.left.at(target)) == 1;
    certain += expected.left.at(target).size() == 1;
  }
  for (const SiegeAnswers* siege : {&expected.any, &expected.real}) {
    ASSERT_LE(siege->singled_out.least, singled_out) << Describe(drawn.series);
    ASSERT_GE(siege->singled_out.most, singled_out) << Describe(drawn.series);
    ASSERT_LE(siege->value_certain.least, certain) << Describe(drawn.series);
    ASSERT_GE(siege->value_certain.most, certain) << Describe(drawn.series);
  }
}

void CompareMany(std::size_t series, std::size_t releases, std::size_t most_people,
                 std::uint64_t seed) {
  auto random = reissue::Random::Seeded(seed);
  const Domains domains;
  Covered covered;
  std::size_t complete = 0;
  for (std::size_t i = 0; i < series && !::testing::Test::HasFailure(); ++i) {
    const auto style = static_cast<Style>(i % kStyles);
    const bool global = style != Style::kLocal && style != Style::kMixed &&
                        style != Style::kBoxes && style != Style::kCrossing;
    const std::size_t people = 3 + random.Below(most_people - 2);
    const bool rows_lost = releases > 1 && i % 3 == 0;
    complete += !rows_lost;
    CompareOne(domains.Draw(style, releases, people, random), rows_lost, global, random, covered);
  }
  EXPECT_EQ(covered.series, series);
  EXPECT_EQ(covered.impossible > 100, releases > 1);
  EXPECT_EQ(covered.fit_by_pairs > 0, releases > 2);
  EXPECT_EQ(covered.target_overstated > 0, releases > 2);
  EXPECT_EQ(covered.person_overstated > 0, releases > 2);
  std::cout << covered.series << " series of " << releases << " releases: " << covered.targets
            << " targets, " << covered.witnesses << " witnesses, " << covered.broken
            << " broken promises; " << covered.impossible << " impossible (" << covered.fit_by_pairs
            << " of them fit pair by pair, " << covered.proofs
            << " proofs); components: " << covered.closed << " closed, " << covered.programs
            << " programs (" << covered.solved << " solved, " << covered.fractional
            << " fractional). Of " << complete << " untouched ones the formulas overstate "
            << covered.target_overstated << " for some target, " << covered.person_overstated
            << " for a real person\n";
}

// Random rows under the cuts that tell one column at a time, then all columns. Skips what does not
// fit pair by pair: many of the others are no series either.
class ColumnByColumn {
 public:
  explicit ColumnByColumn(const Domain& domain) : domain_(domain), translator_(domain) {}

  void CompareMany(std::size_t tries, reissue::Random& random) {
    for (std::size_t i = 0; i < tries && !::testing::Test::HasFailure(); ++i) {
      const DrawnSeries drawn = Draw(3 + i % 2, random);
      if (FitByPairs(drawn)) CompareOne(drawn);
    }
  }
  std::size_t series = 0, impossible = 0, unproven = 0;

 private:
  Quasi Cell(std::size_t told, reissue::Random& random) const {
    Quasi cell = domain_.places()[random.Below(domain_.places().size())];
    for (std::size_t column = 0; column < cell.size(); ++column) {
      if (told != cell.size() && told != column) cell[column] = "*";
    }
    return cell;
  }
  DrawnSeries Draw(std::size_t releases, reissue::Random& random) const {
    const std::size_t columns = domain_.taxonomies().size();
    DrawnSeries drawn;
    drawn.translator = &translator_;
    std::size_t rows = 1 + random.Below(3);
    for (std::size_t i = 0; i < releases; ++i) {
      const std::size_t told = i + 1 == releases ? columns : random.Below(columns);
      drawn.series.emplace_back();
      for (std::size_t row = 0; row < rows; ++row) {
        drawn.series.back().push_back({Cell(told, random), "s"});
      }
      rows += random.Below(3);
    }
    return drawn;
  }
  void CompareOne(const DrawnSeries& drawn) {
    const Question question = {translator_, drawn.series, drawn.targets, {}};
    const SeriesAnswers expected = AnswersByWorlds(question);
    const ProductAnswers found = AnswersOfProduct(question);
    ASSERT_EQ(found.complaint, "") << Describe(drawn.series);
    ASSERT_TRUE(found.answers == expected) << Describe(drawn.series);
    ++series;
    impossible += !expected.possible;
    unproven += found.unproven;
  }

  const Domain& domain_;
  Translator translator_;
};

TEST(BcfWorldsTest, SeriesThatFitPairByPair) {
  auto random = reissue::Random::Seeded(23);
  std::size_t series = 0, impossible = 0, unproven = 0;
  for (const std::size_t columns : {2u, 3u}) {
    const Domain domain(std::vector<Taxonomy>(columns, TwoLeaves()));
    ColumnByColumn cases(domain);
    cases.CompareMany(10000, random);
    series += cases.series;
    impossible += cases.impossible;
    unproven += cases.unproven;
  }
  EXPECT_GT(impossible, 200u);
  EXPECT_LT(unproven * 20, impossible);
  std::cout << series << " series of unrelated rows that fit pair by pair, " << impossible
            << " of them impossible, " << unproven << " without a proof\n";
}

// Half a person in each of the four last cells would explain everything, so there is no linear
// proof; whole people cannot: of two different last cells one column is always the same.
TEST(BcfWorldsTest, ImpossibleInWholeNumbersOnly) {
  const Domain domain({TwoLeaves(), TwoLeaves(), TwoLeaves()});
  const Translator translator(domain);
  const Series series = {FromText({{{"*", "a", "*"}, "s"}, {{"*", "b", "*"}, "s"}}),
                         FromText({{{"*", "*", "a"}, "s"}, {{"*", "*", "b"}, "s"}}),
                         FromText({{{"a", "*", "*"}, "s"}, {{"b", "*", "*"}, "s"}}),
                         FromText({{{"a", "a", "a"}, "s"},
                                   {{"a", "b", "b"}, "s"},
                                   {{"b", "a", "b"}, "s"},
                                   {{"b", "b", "a"}, "s"}})};
  const std::vector<Target> nobody;
  const Question question = {translator, series, nobody, {}};
  EXPECT_FALSE(EnumerateChains(domain, series).exist);
  const ProductAnswers found = AnswersOfProduct(question);
  EXPECT_FALSE(found.answers.possible);
  EXPECT_EQ(found.complaint, "");
  EXPECT_EQ(found.proofs, 0u);
}

TEST(BcfWorldsTest, OneRelease) { CompareMany(700, 1, 8, 19); }

TEST(BcfWorldsTest, TwoReleases) { CompareMany(2100, 2, 8, 20); }

TEST(BcfWorldsTest, ThreeReleases) { CompareMany(10500, 3, 8, 21); }

TEST(BcfWorldsTest, FourReleases) { CompareMany(10500, 4, 6, 22); }

}  // namespace
}  // namespace oracle::bcf
