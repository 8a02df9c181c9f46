#include "reissue/models/k/publisher/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "random_problem.h"
#include "reissue/models/k/publisher/improve.h"
#include "rounds.h"

namespace reissue::models::k {
namespace {

using testing::CostByDefinition;
using ::testing::HasSubstr;
using testing::ProblemShape;
using testing::RandomGuarantee;
using testing::RandomTable;
using testing::Released;
using testing::RootCuts;

constexpr Score kScores[] = {Score::kDiscernibility, Score::kDistortion, Score::kLoss,
                             Score::kClass};

Result<Outcome> Publication(const LeafCells& table, const Guarantee& g,
                            const PublishOptions& options, std::size_t threads = 1) {
  ThreadPool pool(threads);
  Progress progress;
  return Publish(table, g, options, pool, progress);
}

PublishOptions With(Search search, Score score = Score::kDiscernibility,
                    std::uint64_t suppression = 0) {
  PublishOptions options;
  options.search = search;
  options.score = score;
  options.suppression_limit = suppression;
  options.budget_seconds = 0.002;
  return options;
}

ProblemShape RandomShape(Random& random) {
  return {1 + random.Below(3), 2 + random.Below(5), 3 + random.Below(60),
          1 + static_cast<std::uint32_t>(random.Below(4))};
}

TEST(Publish, KeepsEveryCombinationOfPromises) {
  Random random = Random::Seeded(1);
  int kept = 0, refused = 0, with_suppression = 0;
  for (int round = 0; round < 600; ++round) {
    const LeafCells table = RandomTable(random, RandomShape(random));
    const Guarantee g = RandomGuarantee(random, table.sensitive_values);
    const Search search = std::array{Search::kGreedy, Search::kPaper, Search::kDefault}[round % 3];
    const std::uint64_t limit = random.Below(2) == 0 ? 0 : random.Below(10);
    const auto outcome = Publication(table, g, With(search, kScores[random.Below(3)], limit));
    if (!outcome) {
      EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
      EXPECT_FALSE(outcome.error().remedy.empty());
      EXPECT_FALSE(Attack(Released(table, RootCuts(table)), g).satisfied);
      ++refused;
      continue;
    }
    const PublishedCells release = Released(table, outcome->cuts, outcome->suppressed);
    const Report report = Attack(release, g);
    ASSERT_TRUE(report.satisfied) << "round " << round;
    EXPECT_EQ(report.rows + outcome->suppressed_rows, table.cells.rows());
    EXPECT_LE(outcome->suppressed_rows, limit);
    ++kept;
    with_suppression += outcome->suppressed_rows > 0;
  }
  EXPECT_GT(kept, 300);
  EXPECT_GT(refused, 20);
  EXPECT_GT(with_suppression, 20);
}

TEST(Publish, CostIsWhatTheDefinitionsSay) {
  Random random = Random::Seeded(2);
  for (int round = 0; round < 200; ++round) {
    const LeafCells table = RandomTable(random, RandomShape(random));
    Guarantee g;
    g.k = 1 + random.Below(3);
    for (const Score score : kScores) {
      const auto outcome = Publication(table, g, With(Search::kDefault, score, random.Below(6)));
      ASSERT_TRUE(outcome.has_value());
      const double cost = CostByDefinition(table, outcome->cuts, outcome->suppressed, score);
      ASSERT_NEAR(outcome->cost, cost, 1e-9);
    }
  }
}

TEST(Publish, GreedyAndPaperEndMaximal) {
  Random random = Random::Seeded(3);
  int looked_at = 0;
  for (int round = 0; round < 200; ++round) {
    const LeafCells table = RandomTable(random, RandomShape(random));
    const Guarantee g = RandomGuarantee(random, table.sensitive_values);
    const Search search = round % 2 == 0 ? Search::kGreedy : Search::kPaper;
    const auto outcome = Publication(table, g, With(search, kScores[random.Below(3)]));
    if (!outcome) continue;
    for (std::size_t j = 0; j < outcome->cuts.size(); ++j) {
      const taxonomy::Taxonomy& tree = *table.taxonomies[j];
      for (const NodeId node : outcome->cuts[j].Nodes()) {
        if (tree.is_leaf(node)) continue;
        std::vector<taxonomy::Cut> finer = outcome->cuts;
        finer[j].Specialise(tree, node);
        ASSERT_FALSE(Attack(Released(table, finer), g).satisfied);
        ++looked_at;
      }
    }
  }
  EXPECT_GT(looked_at, 100);
}

// A promise broken by some cuts is broken by all finer ones.
TEST(Publish, PromisesAreAntiMonotone) {
  Random random = Random::Seeded(4);
  int broken = 0;
  for (int round = 0; round < 2000; ++round) {
    const LeafCells table = RandomTable(random, RandomShape(random));
    const Guarantee g = RandomGuarantee(random, table.sensitive_values);
    std::vector<taxonomy::Cut> cuts, finer;
    for (const auto& tree : table.taxonomies) {
      cuts.push_back(support::RandomCut(random, *tree, 0.4));
      finer.push_back(cuts.back());
      for (const NodeId node : cuts.back().Nodes()) {
        if (!tree->is_leaf(node) && random.Below(2) == 0) finer.back().Specialise(*tree, node);
      }
    }
    if (Attack(Released(table, cuts), g).satisfied) continue;
    ++broken;
    ASSERT_FALSE(Attack(Released(table, finer), g).satisfied);
  }
  EXPECT_GT(broken, 200);
}

TEST(Publish, SameSeedSameResultOnAnyNumberOfThreads) {
  Random random = Random::Seeded(5);
  for (int round = 0; round < 12; ++round) {
    const LeafCells table = RandomTable(random, {4, 9, 400, 4});
    Guarantee g;
    g.k = 4;
    if (round % 2 == 0) g.distinct = 2;
    if (round % 3 == 0) g.t = 0.45;
    PublishOptions options = With(Search::kDefault, kScores[round % 3], round % 4 == 0 ? 20 : 0);
    options.seed = 7 + static_cast<std::uint64_t>(round);
    options.budget_seconds = 0.01;
    const auto one = Publication(table, g, options, 1);
    ASSERT_TRUE(one.has_value());
    for (const std::size_t threads : {1u, 2u, 3u}) {
      const auto other = Publication(table, g, options, threads);
      ASSERT_TRUE(other.has_value());
      EXPECT_EQ(one->cuts, other->cuts);
      EXPECT_EQ(one->suppressed, other->suppressed);
      EXPECT_EQ(one->cost, other->cost);
      EXPECT_EQ(one->descents, other->descents);
    }
  }
}

TEST(Publish, DefaultIsNeverWorseThanOneDescent) {
  Random random = Random::Seeded(6);
  int better = 0;
  for (int round = 0; round < 150; ++round) {
    const LeafCells table = RandomTable(random, {3, 7, 120, 3});
    const Guarantee g = RandomGuarantee(random, 3);
    const std::uint64_t limit = random.Below(2) == 0 ? 0 : 8;
    const Score score = kScores[round % 3];
    const auto found = Publication(table, g, With(Search::kDefault, score, limit));
    if (!found) continue;
    const auto greedy = Publication(table, g, With(Search::kGreedy, score, limit));
    const auto paper = Publication(table, g, With(Search::kPaper, score, limit));
    ASSERT_TRUE(greedy.has_value() && paper.has_value());
    EXPECT_LE(found->cost, greedy->cost);
    EXPECT_LE(found->cost, paper->cost);
    EXPECT_EQ(found->greedy_cost, greedy->cost);
    better += found->cost < std::min(greedy->cost, paper->cost);
  }
  EXPECT_GT(better, 5);
}

// A publisher that is told too little must not get past the adversary who knows what was promised.
TEST(Publish, WeakerThresholdsAreNoticed) {
  Random random = Random::Seeded(8);
  std::map<std::string, int> noticed;
  for (int round = 0; round < 60; ++round) {
    const LeafCells table = RandomTable(random, {2, 5, 60, 4});
    const auto compare = [&](const char* name, const Guarantee& right, const Guarantee& wrong) {
      const auto outcome = Publication(table, wrong, With(Search::kDefault));
      if (!outcome) return;
      const Report report = Attack(Released(table, outcome->cuts), right);
      noticed[name] += !report.satisfied && report.worst[0].promise == name;
    };
    Guarantee right, wrong;
    right.k = 6, wrong.k = 5;
    compare("k", right, wrong);
    right = wrong = {};
    right.distinct = 3, wrong.distinct = 2;
    compare("distinct", right, wrong);
    right = wrong = {};
    right.entropy = 2.2, wrong.entropy = 1.9;
    compare("entropy", right, wrong);
    right = wrong = {};
    right.recursive = {.c = 1.2, .l = 2}, wrong.recursive = {.c = 1.8, .l = 2};
    compare("recursive", right, wrong);
    right = wrong = {};
    right.alpha = 0.5, wrong.alpha = 0.65;
    compare("alpha", right, wrong);
    right = wrong = {};
    right.confidence = {0.6}, wrong.confidence = {0.75};
    compare("confidence", right, wrong);
    right = wrong = {};
    right.t = 0.3, wrong.t = 0.4;
    compare("t", right, wrong);
    right = wrong = {};
    right.beta = 0.8, wrong.beta = 1.3;
    compare("beta", right, wrong);
  }
  for (const char* name :
       {"k", "distinct", "entropy", "recursive", "alpha", "confidence", "t", "beta"}) {
    EXPECT_GT(noticed[name], 3) << name;
  }
}

TEST(Publish, SaysWhichPromiseIsImpossible) {
  Random random = Random::Seeded(9);
  const LeafCells table = RandomTable(random, {2, 4, 30, 3});
  const auto error = [&](const auto& set) {
    Guarantee g;
    set(g);
    const auto outcome = Publication(table, g, With(Search::kDefault));
    EXPECT_FALSE(outcome.has_value());
    if (outcome) return std::string();
    EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
    EXPECT_FALSE(outcome.error().remedy.empty());
    return outcome.error().message;
  };
  EXPECT_THAT(error([](Guarantee& g) { g.k = 500; }),
              HasSubstr("k = 500 asked, the table has 30 rows"));
  EXPECT_THAT(error([](Guarantee& g) { g.distinct = 5; }),
              HasSubstr("distinct 5 asked, the table has 3 sensitive values"));
  // One too many, and as many as there are.
  EXPECT_THAT(error([](Guarantee& g) { g.k = 31; }),
              HasSubstr("k = 31 asked, the table has 30 rows"));
  EXPECT_THAT(error([](Guarantee& g) { g.distinct = 4; }),
              HasSubstr("distinct 4 asked, the table has 3 sensitive values"));
  EXPECT_THAT(error([](Guarantee& g) { g.recursive = {.c = 1e9, .l = 4}; }),
              HasSubstr("the table has 3 sensitive values"));
  Guarantee most;
  most.k = 30;
  most.distinct = 3;
  EXPECT_TRUE(Publication(table, most, With(Search::kDefault)).has_value());
  EXPECT_THAT(error([](Guarantee& g) { g.entropy = 3.5; }), HasSubstr("entropy l = 3.5 asked"));
  EXPECT_THAT(error([](Guarantee& g) { g.recursive = {.c = 0.1, .l = 2}; }),
              HasSubstr("recursive (0.1, 2) asked"));
  EXPECT_THAT(error([](Guarantee& g) { g.recursive = {.c = 9, .l = 4}; }), HasSubstr("has 3"));
  EXPECT_THAT(error([](Guarantee& g) { g.alpha = 0.1; }), HasSubstr("alpha = 0.1 asked"));
  EXPECT_THAT(error([](Guarantee& g) {
                g.confidence = {0.01, 0.01, 0.01};
              }),
              HasSubstr("confidence"));
}

TEST(Publish, RefusesWhatItCannotDo) {
  Random random = Random::Seeded(10);
  LeafCells table = RandomTable(random, {3, 6, 60, 3});
  Guarantee g;
  g.k = 3;
  g.beta = 5;
  const auto beyond = Publication(table, g, With(Search::kOptimal, Score::kDiscernibility, 5));
  ASSERT_FALSE(beyond.has_value());
  EXPECT_EQ(beyond.error().code, ErrorCode::kUsage);
  g.beta.reset();
  const auto class_out = Publication(table, g, With(Search::kOptimal, Score::kClass, 5));
  ASSERT_FALSE(class_out.has_value());
  EXPECT_EQ(class_out.error().code, ErrorCode::kUsage);

  table.class_values = 0;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    keys.insert(keys.end(), key.begin(), key.end() - 1);
    counts.push_back(table.cells.count(CellId(i)));
  }
  table.cells = CollectCells(4, keys, counts);
  const auto no_class = Publication(table, g, With(Search::kDefault, Score::kClass));
  ASSERT_FALSE(no_class.has_value());
  EXPECT_EQ(no_class.error().code, ErrorCode::kUsage);
}

TEST(Publish, NothingIsGeneralisedWhereNothingIsAsked) {
  Random random = Random::Seeded(11);
  const LeafCells table = RandomTable(random, {3, 6, 50, 3});
  for (const Search search :
       {Search::kDefault, Search::kGreedy, Search::kPaper, Search::kOptimal}) {
    const auto outcome = Publication(table, {}, With(search));
    ASSERT_TRUE(outcome.has_value());
    EXPECT_TRUE(outcome->optimal);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(outcome->cuts[j], taxonomy::Cut::Leaves(*table.taxonomies[j]));
    }
  }
}

// One column of two leaves; the sensitive codes of the rows of each.
LeafCells TwoLeaves(const std::vector<std::uint32_t>& first,
                    const std::vector<std::uint32_t>& second) {
  const std::vector<taxonomy::HierarchyLine> lines = {{1, {"a0", "*"}}, {2, {"a1", "*"}}};
  LeafCells table;
  table.taxonomies.push_back(
      std::make_shared<const taxonomy::Taxonomy>(taxonomy::FromHierarchy(lines, "a.csv").value()));
  table.sensitive_values = 2;
  std::vector<std::uint32_t> keys;
  for (const std::uint32_t code : first) keys.insert(keys.end(), {0, code});
  for (const std::uint32_t code : second) keys.insert(keys.end(), {1, code});
  const std::vector<std::uint64_t> counts(first.size() + second.size(), 1);
  table.cells = CollectCells(2, keys, counts);
  return table;
}

constexpr Search kSearches[] = {Search::kDefault, Search::kGreedy, Search::kPaper,
                                Search::kOptimal};

TEST(Publish, SomebodyStays) {
  const LeafCells table = TwoLeaves({0}, {1});
  Guarantee two;
  two.k = 2;
  Guarantee nobody;  // each alone, and both together
  nobody.alpha = 0.4;
  for (const Search search : kSearches) {
    const auto outcome = Publication(table, two, With(search, Score::kDiscernibility, 2));
    ASSERT_TRUE(outcome.has_value()) << outcome.error().ToString();
    EXPECT_EQ(outcome->suppressed_rows, 0u);
    const auto none = Publication(table, nobody, With(search, Score::kDiscernibility, 2));
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, ErrorCode::kPromise);
    EXPECT_THAT(none.error().message, HasSubstr("leaving everybody out"));
  }
}

TEST(Publish, LeavesOutRowsWhereOneCellBreaksThePromise) {
  const LeafCells table = TwoLeaves({0, 1}, {0});
  Guarantee g;
  g.alpha = 0.5;
  for (const Search search : kSearches) {
    const auto outcome = Publication(table, g, With(search, Score::kDiscernibility, 1));
    ASSERT_TRUE(outcome.has_value()) << outcome.error().ToString();
    EXPECT_EQ(outcome->suppressed_rows, 1u);
    const Report report = Attack(Released(table, outcome->cuts, outcome->suppressed), g);
    EXPECT_TRUE(report.satisfied);
    EXPECT_EQ(report.rows, 2u);
    const auto none = Publication(table, g, With(search, Score::kDiscernibility, 0));
    ASSERT_FALSE(none.has_value());
    EXPECT_THAT(none.error().message, HasSubstr("even one cell of all rows"));
  }
}

TEST(Publish, SaysHowManyRowsMustBeLeftOut) {
  const LeafCells table = TwoLeaves({0, 0, 0, 1}, {0, 0});
  Guarantee g;
  g.alpha = 0.5;
  const auto few = Publication(table, g, With(Search::kDefault, Score::kDiscernibility, 3));
  ASSERT_FALSE(few.has_value());
  EXPECT_THAT(few.error().message, HasSubstr("fewer than 4 rows, and 3 may be left out"));
  // No cell has as many of one as of the other.
  const auto none = Publication(table, g, With(Search::kDefault, Score::kDiscernibility, 4));
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kPromise);
  EXPECT_THAT(none.error().message, HasSubstr("no release exists"));
}

// Whoever allows more rows to be left out gets a release where fewer did.
TEST(Publish, MoreSuppressionNeverRefuses) {
  Random random = Random::Seeded(12);
  int turned = 0;
  for (int round = 0; round < Rounds(400); ++round) {
    const LeafCells table =
        RandomTable(random, {1 + random.Below(2), 2 + random.Below(4), 3 + random.Below(15), 3});
    const Guarantee g = RandomGuarantee(random, table.sensitive_values);
    const Search search = kSearches[round % (g.NeedsOverall() ? 3 : 4)];
    bool before = false;
    for (std::uint64_t limit = 0; limit <= table.cells.rows() + 1; ++limit) {
      PublishOptions options = With(search, kScores[round % 3], limit);
      options.budget_seconds = 0.0005;
      if (search == Search::kOptimal) options.budget_seconds = 1;
      const auto outcome = Publication(table, g, options);
      ASSERT_TRUE(outcome.has_value() || !before) << "round " << round << ", limit " << limit;
      ASSERT_TRUE(outcome.has_value() || outcome.error().code == ErrorCode::kPromise)
          << outcome.error().ToString();
      Progress progress;
      EXPECT_EQ(Publishable(table, g, limit, progress).has_value(), outcome.has_value());
      turned += outcome.has_value() && !before && limit > 0;
      before = outcome.has_value();
    }
  }
  EXPECT_GE(turned, LeastSeen(10));
}

TEST(Publish, AProofThatIsGivenUpEndsNoWorseThanTheDefault) {
  Random random = Random::Seeded(10);
  int given_up = 0;
  for (int round = 0; round < 20; ++round) {
    const LeafCells table = RandomTable(random, {3, 6, 60, 3});
    Guarantee g;
    g.k = 3;
    PublishOptions options = With(Search::kOptimal);
    options.budget_seconds = 0;
    const auto optimal = Publication(table, g, options);
    options.search = Search::kDefault;
    const auto standard = Publication(table, g, options);
    ASSERT_TRUE(optimal.has_value() && standard.has_value());
    EXPECT_LE(optimal->cost, standard->cost);
    EXPECT_NE(optimal->gave_up, optimal->optimal);
    EXPECT_FALSE(standard->gave_up);
    given_up += optimal->gave_up;
  }
  EXPECT_GT(given_up, 0);
}

// Whoever allows more rows to be left out gets nothing worse, and nothing worse than without.
TEST(Publish, MoreSuppressionIsNeverWorse) {
  Random random = Random::Seeded(13);
  int compared = 0, better = 0;
  for (int round = 0; round < Rounds(200); ++round) {
    const LeafCells table =
        RandomTable(random, {1 + random.Below(4), 3 + random.Below(6), 20 + random.Below(130), 3});
    Guarantee g;
    g.k = 2 + random.Below(6);
    if (round % 2 == 0) g = RandomGuarantee(random, table.sensitive_values);
    const std::uint64_t rows = table.cells.rows();
    const std::set<std::uint64_t> limits = {0,        1,        rows / 25, rows / 10, rows / 7,
                                            rows / 4, rows / 3, rows / 2,  rows};
    for (const Score score : kScores) {
      for (const Search search : {Search::kDefault, Search::kGreedy, Search::kPaper}) {
        // There the release is chosen by what can be predicted.
        if (score == Score::kClass && search == Search::kDefault) continue;
        std::optional<double> before;
        for (const std::uint64_t limit : limits) {
          PublishOptions options = With(search, score, limit);
          options.budget_seconds = 0.0005;
          const auto outcome = Publication(table, g, options);
          ASSERT_TRUE(outcome.has_value() || !before);
          if (!outcome) continue;
          ASSERT_LE(outcome->cost, before.value_or(outcome->cost)) << round << ", " << limit;
          ++compared;
          better += before && outcome->cost < *before;
          before = outcome->cost;
        }
      }
    }
  }
  EXPECT_GE(compared, LeastSeen(10000));
  EXPECT_GE(better, LeastSeen(1000));
}

// All work is counted, that of proofs and first descents too.
TEST(Publish, WorkStaysWithinTheBudget) {
  Random random = Random::Seeded(14);
  int much = 0;
  for (int round = 0; round < 24; ++round) {
    const LeafCells table = RandomTable(random, {4, 9, 2000, 3});
    Guarantee g;
    g.k = 5;
    if (round % 3 == 1) g.alpha = 0.8;
    if (round % 3 == 2) g.t = 0.4;
    const std::uint64_t rows = table.cells.rows();
    PublishOptions options =
        With(Search::kDefault, kScores[round % 4], round % 2 == 0 ? 0 : rows / 5);
    options.budget_seconds = 0.05;
    const auto outcome = Publication(table, g, options);
    ASSERT_TRUE(outcome.has_value());
    const internal::Problem problem(table, g, options.score, options.suppression_limit);
    const auto limit = static_cast<double>(internal::VisitsIn(options.budget_seconds, problem));
    EXPECT_LE(static_cast<double>(outcome->work), 1.1 * limit) << "round " << round;
    much += static_cast<double>(outcome->work) > 0.5 * limit;
  }
  EXPECT_GT(much, 6);
}

TEST(Publish, NumericRangesCostTheirWidth) {
  const std::vector<std::vector<double>> levels = {{0, 10, 20, 40}, {0, 20, 40}};
  const std::vector<std::string> raw = {"5", "15", "30"};
  LeafCells table;
  table.taxonomies.push_back(std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromBreakpoints(levels, raw, "age").value()));
  const std::vector<std::uint32_t> keys = {0, 0, 1, 0, 2, 0};
  const std::vector<std::uint64_t> counts = {1, 2, 3};
  table.cells = CollectCells(2, keys, counts);
  Guarantee g;
  g.k = 3;
  const auto outcome = Publication(table, g, With(Search::kOptimal, Score::kDistortion));
  ASSERT_TRUE(outcome.has_value());
  // Three rows at [0,20), half of the range; three at the value itself.
  EXPECT_NEAR(outcome->cost, 3 * 0.5 / 6, 1e-12);
}

}  // namespace
}  // namespace reissue::models::k
