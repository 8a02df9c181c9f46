#include "reissue/metrics/decision_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "metrics/slow_split.h"
#include "reissue/core/random.h"
#include "reissue/metrics/pruning.h"
#include "reissue/metrics/split.h"

namespace reissue::metrics {
namespace {

constexpr TreeOptions kUnpruned{.prune = false};

// The 14 days on which someone does (1) or does not (0) play outside; Quinlan's example.
// outlook: 0 sunny, 1 overcast, 2 rain; temperature: 0 hot, 1 mild, 2 cool; humidity: 0 high,
// 1 normal; windy: 0 no, 1 yes.
struct Weather {
  Schema schema{{{"outlook", 3, {}}, {"temperature", 3, {}}, {"humidity", 2, {}}, {"windy", 2, {}}},
                2};
  Examples days{{{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2},
                 {0, 0, 0, 1, 2, 2, 2, 1, 2, 1, 1, 1, 0, 1},
                 {0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0},
                 {0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1}},
                {0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0}};
};

std::vector<std::uint32_t> AllRows(const Examples& examples) {
  std::vector<std::uint32_t> rows(examples.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

TEST(SplitScorer, WeatherByHand) {
  const Weather weather;
  SplitScorer scorer(2, 2);
  const auto score = [&](std::size_t a) {
    return scorer.Categorical(AllRows(weather.days), weather.days.columns[a],
                              weather.schema.attributes[a].codes, weather.days.classes);
  };
  const auto h = [](double a, double b) {
    const auto bits = [&](double x) { return x == 0 ? 0 : -x / (a + b) * std::log2(x / (a + b)); };
    return bits(a) + bits(b);
  };
  // Nine days out of fourteen; sunny 2 of 5, overcast 4 of 4, rain 3 of 5.
  const double outlook_gain =
      h(9, 5) - 5.0 / 14 * h(2, 3) - 4.0 / 14 * h(4, 0) - 5.0 / 14 * h(3, 2);
  EXPECT_NEAR(score(0).gain, outlook_gain, 1e-12);
  EXPECT_NEAR(score(0).gain, 0.2467, 5e-5);
  EXPECT_NEAR(score(0).split_info, 1.5774, 5e-5);
  EXPECT_NEAR(score(0).ratio(), 0.1564, 5e-5);
  EXPECT_NEAR(score(1).gain, 0.0292, 5e-5);
  EXPECT_NEAR(score(2).gain, 0.1518, 5e-5);
  EXPECT_NEAR(score(2).split_info, 1, 1e-12);
  EXPECT_NEAR(score(3).gain, 0.0481, 5e-5);
}

TEST(DecisionTree, WeatherTree) {
  const Weather weather;
  const DecisionTree tree = DecisionTree::Learn(weather.schema, weather.days).value();
  EXPECT_EQ(tree.ToString(),
            "all: class 1 (14/5)\n"
            "  outlook = code 0: class 0 (5/2)\n"
            "    humidity = code 0: class 0 (3/0)\n"
            "    humidity = code 1: class 1 (2/0)\n"
            "  outlook = code 1: class 1 (4/0)\n"
            "  outlook = code 2: class 1 (5/2)\n"
            "    windy = code 0: class 1 (3/0)\n"
            "    windy = code 1: class 0 (2/0)\n");
  EXPECT_EQ(tree.CountErrors(weather.days), 0U);
  EXPECT_EQ(tree.nodes().size(), 8U);
  EXPECT_EQ(tree.leaves(), 5U);
  EXPECT_EQ(tree.depth(), 2U);
}

TEST(DecisionTree, WeatherTreeWithNumbers) {
  Weather weather;
  const std::vector<double> humidity = {85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80};
  weather.schema.attributes[2] = {"humidity", 14, humidity};
  std::iota(weather.days.columns[2].begin(), weather.days.columns[2].end(), 0U);
  const DecisionTree tree = DecisionTree::Learn(weather.schema, weather.days).value();
  EXPECT_EQ(tree.leaves(), 5U);
  const DecisionTree::Node& sunny = tree.nodes()[tree.nodes()[0].first_child];
  EXPECT_EQ(sunny.attribute, 2U);
  EXPECT_DOUBLE_EQ(sunny.threshold, 77.5);  // sunny days had 70, 70, 85, 90, 95
  EXPECT_EQ(tree.CountErrors(weather.days), 0U);
}

TEST(DecisionTree, UnseenCodesGetTheMajorityOfTheNode) {
  Weather weather;
  weather.schema.attributes[0].codes = 4;
  weather.schema.attributes[2].codes = 3;
  const DecisionTree tree = DecisionTree::Learn(weather.schema, weather.days).value();
  const Examples unseen{{{3, 0, 0}, {0, 0, 0}, {0, 2, 1}, {0, 0, 0}}, {0, 0, 0}};
  EXPECT_EQ(tree.Classify(unseen, 0), 1U);  // unknown outlook: most days are good
  EXPECT_EQ(tree.Classify(unseen, 1), 0U);  // sunny, unknown humidity: most sunny days are not
  EXPECT_EQ(tree.Classify(unseen, 2), 1U);
}

// Random rows over `codes` codes per attribute; attribute a is numeric where bit a of `numeric` is.
struct RandomProblem {
  RandomProblem(std::uint64_t seed, std::size_t rows, std::size_t attributes, std::uint32_t codes,
                std::uint32_t classes, unsigned numeric)
      : random(Random::Seeded(seed)) {
    schema.classes = classes;
    for (std::size_t a = 0; a < attributes; ++a) {
      Attribute attribute{"a" + std::to_string(a), codes, {}};
      if ((numeric >> a & 1U) != 0) {
        for (std::uint32_t c = 0; c < codes; ++c) {
          attribute.numbers.push_back(static_cast<double>(random.Below(codes)) * 0.5);
        }
      }
      schema.attributes.push_back(attribute);
      std::vector<std::uint32_t>& column = examples.columns.emplace_back();
      for (std::size_t row = 0; row < rows; ++row) {
        column.push_back(static_cast<std::uint32_t>(random.Below(codes)));
      }
    }
    for (std::size_t row = 0; row < rows; ++row) {
      examples.classes.push_back(static_cast<std::uint32_t>(random.Below(classes)));
    }
  }

  Random random;
  Schema schema;
  Examples examples;
};

TEST(DecisionTree, LearnsSeparableConcepts) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    RandomProblem problem(seed, 2000, 4, 6, 3, 0b0100);
    auto& columns = problem.examples.columns;
    const std::vector<double>& numbers = problem.schema.attributes[2].numbers;
    for (std::size_t row = 0; row < 2000; ++row) {
      problem.examples.classes[row] = columns[0][row] < 2              ? 0
                                      : numbers[columns[2][row]] < 1.2 ? 1
                                                                       : 2;
    }
    const DecisionTree tree = DecisionTree::Learn(problem.schema, problem.examples).value();
    EXPECT_EQ(tree.CountErrors(problem.examples), 0U) << tree.ToString();
    for (const DecisionTree::Node& node : tree.nodes()) {
      EXPECT_TRUE(node.leaf() || node.attribute == 0 || node.attribute == 2);
    }
  }
}

TEST(DecisionTree, PrunesNoiseToASingleLeaf) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    RandomProblem problem(seed, 1000, 3, 4, 2, 0b001);
    for (std::uint32_t& code : problem.examples.classes) code = problem.random.Below(10) == 0;
    const DecisionTree full =
        DecisionTree::Learn(problem.schema, problem.examples, kUnpruned).value();
    const DecisionTree pruned = DecisionTree::Learn(problem.schema, problem.examples).value();
    EXPECT_GT(full.leaves(), 10U);
    EXPECT_EQ(pruned.nodes().size(), 1U);
    EXPECT_EQ(pruned.Classify(problem.examples, 0), 0U);
  }
}

// Leaves of 6, 9 and 1 cases without errors promise 1.24 + 1.29 + 0.75 errors; one leaf of 16 cases
// with one error promises 2.48, so it takes their place.
TEST(DecisionTree, ReplacesASubtreeThatPromisesMoreErrors) {
  const Schema schema{{{"x", 3, {}}}, 2};
  Examples rows{{std::vector<std::uint32_t>(16, 0)}, std::vector<std::uint32_t>(16, 0)};
  std::fill(rows.columns[0].begin() + 6, rows.columns[0].end(), 1);
  rows.columns[0].back() = 2;
  rows.classes.back() = 1;
  EXPECT_EQ(DecisionTree::Learn(schema, rows, kUnpruned).value().leaves(), 3U);
  EXPECT_EQ(DecisionTree::Learn(schema, rows).value().leaves(), 1U);
}

TEST(DecisionTree, AXorOfTwoAttributesHasNoGainAndStaysALeaf) {
  const Schema schema{{{"x", 2, {}}, {"y", 2, {}}}, 2};
  const Examples rows{{{0, 0, 1, 1, 0, 0, 1, 1}, {0, 1, 0, 1, 0, 1, 0, 1}},
                      {0, 1, 1, 0, 0, 1, 1, 0}};
  EXPECT_EQ(DecisionTree::Learn(schema, rows, kUnpruned).value().nodes().size(), 1U);
}

TEST(DecisionTree, ALongChainOfThresholdsNeedsNoStack) {
  const std::uint32_t rows = 20'000;
  Schema schema{{{"x", rows, std::vector<double>(rows)}}, 2};
  Examples examples{{std::vector<std::uint32_t>(rows)}, std::vector<std::uint32_t>(rows)};
  for (std::uint32_t i = 0; i < rows; ++i) {
    schema.attributes[0].numbers[i] = i;
    examples.columns[0][i] = i;
    examples.classes[i] = (i / 100) % 2;
  }
  const DecisionTree tree = DecisionTree::Learn(schema, examples).value();
  EXPECT_GT(tree.depth(), 50U);
  EXPECT_EQ(tree.CountErrors(examples), 0U);
}

TEST(DecisionTree, OrderOfRowsAndRunsDoNotMatter) {
  RandomProblem problem(11, 600, 4, 5, 3, 0b0110);
  const DecisionTree first =
      DecisionTree::Learn(problem.schema, problem.examples, kUnpruned).value();
  std::vector<std::uint32_t> order = AllRows(problem.examples);
  for (int run = 0; run < 5; ++run) {
    problem.random.Shuffle(order);
    Examples shuffled = problem.examples;
    for (std::size_t i = 0; i < order.size(); ++i) {
      shuffled.classes[i] = problem.examples.classes[order[i]];
      for (std::size_t a = 0; a < shuffled.columns.size(); ++a) {
        shuffled.columns[a][i] = problem.examples.columns[a][order[i]];
      }
    }
    EXPECT_EQ(DecisionTree::Learn(problem.schema, shuffled, kUnpruned).value().ToString(),
              first.ToString());
  }
}

// Checks one node of an unpruned tree: its test is the best by the definition.
void CheckNode(const RandomProblem& problem, const DecisionTree::Node& node,
               const oracle::Rows& rows) {
  std::vector<std::optional<oracle::Test>> tests;
  double sum = 0, key_like_sum = 0;
  std::size_t useful = 0, key_like = 0;
  for (std::size_t a = 0; a < problem.schema.attributes.size(); ++a) {
    tests.push_back(oracle::JudgeAttribute(problem.schema, problem.examples, rows, a, 2));
    if (tests.back() && tests.back()->gain <= 1e-9) tests.back().reset();
    if (!tests.back()) continue;
    const Attribute& attribute = problem.schema.attributes[a];
    // Many codes for few rows: does not raise the average.
    if (!attribute.numeric() && attribute.codes >= 0.3 * problem.examples.classes.size()) {
      key_like_sum += tests.back()->gain;
      ++key_like;
    } else {
      sum += tests.back()->gain;
      ++useful;
    }
  }
  if (useful == 0) {
    sum = key_like_sum;
    useful = key_like;
  }
  const bool pure = oracle::ClassEntropy(problem.examples, rows) == 0;
  if (node.leaf()) {
    RC_ASSERT(pure || rows.size() < 4 || useful == 0);
    return;
  }
  RC_ASSERT(useful > 0U);
  const double average = sum / static_cast<double>(useful);
  const auto ratio = [](const oracle::Test& test) { return test.gain / test.split_info; };
  RC_ASSERT(tests[node.attribute].has_value());
  RC_ASSERT(tests[node.attribute]->gain >= average - 1e-8);
  for (const auto& test : tests) {
    if (!test || test->gain < average + 1e-8) continue;
    RC_ASSERT(ratio(*tests[node.attribute]) >= ratio(*test) - 1e-8);
  }
}

RC_GTEST_PROP(DecisionTree, EveryTestIsTheBestByDefinition, (std::uint64_t seed)) {
  Random choose = Random::Seeded(seed);
  const RandomProblem problem(
      choose.Next(), 8 + choose.Below(120), 3, static_cast<std::uint32_t>(2 + choose.Below(4)),
      static_cast<std::uint32_t>(2 + choose.Below(2)), static_cast<unsigned>(choose.Below(8)));
  const DecisionTree tree =
      DecisionTree::Learn(problem.schema, problem.examples, kUnpruned).value();
  std::vector<oracle::Rows> rows_of(tree.nodes().size());
  for (std::size_t row = 0; row < problem.examples.rows(); ++row) rows_of[0].push_back(row);
  for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
    const DecisionTree::Node& node = tree.nodes()[n];
    RC_ASSERT(node.cases == rows_of[n].size());
    CheckNode(problem, node, rows_of[n]);
    if (node.leaf()) continue;
    const Attribute& attribute = problem.schema.attributes[node.attribute];
    for (const std::size_t row : rows_of[n]) {
      const std::uint32_t code = problem.examples.columns[node.attribute][row];
      std::size_t branch = attribute.numeric() && attribute.numbers[code] > node.threshold ? 1 : 0;
      while (!attribute.numeric() && node.branch_codes[branch] != code) ++branch;
      rows_of[node.first_child + branch].push_back(row);
    }
  }
}

TEST(ExpectedErrors, AgreesWithTheBinomialLimit) {
  const double z = NormalUpperQuantile(0.25);
  EXPECT_NEAR(z, 0.6744897501960817, 1e-12);
  EXPECT_NEAR(NormalUpperQuantile(0.5), 0, 1e-12);
  // Published limits of C4.5 for leaves without errors: 0.206 of 6, 0.143 of 9, 0.750 of 1.
  EXPECT_NEAR(ExpectedErrors(6, 0, 0.25, z) / 6, 0.206, 5e-4);
  EXPECT_NEAR(ExpectedErrors(9, 0, 0.25, z) / 9, 0.143, 5e-4);
  EXPECT_NEAR(ExpectedErrors(1, 0, 0.25, z), 0.750, 1e-12);
  EXPECT_EQ(ExpectedErrors(0, 0, 0.25, z), 0);
  EXPECT_EQ(ExpectedErrors(4, 4, 0.25, z), 4);
  // The exact limit U solves P(at most `errors` errors | U) = confidence; the formula comes close.
  for (const auto& [cases, errors] :
       std::vector<std::pair<int, int>>{{16, 1}, {30, 3}, {100, 20}, {1000, 150}}) {
    double low = 0, high = 1;
    for (int step = 0; step < 60; ++step) {
      const double p = (low + high) / 2;
      double at_most = 0;
      for (int e = 0; e <= errors; ++e) {
        at_most +=
            std::exp(std::lgamma(cases + 1) - std::lgamma(e + 1) - std::lgamma(cases - e + 1) +
                     e * std::log(p) + (cases - e) * std::log1p(-p));
      }
      (at_most > 0.25 ? low : high) = p;
    }
    const double ours = ExpectedErrors(static_cast<std::uint64_t>(cases),
                                       static_cast<std::uint64_t>(errors), 0.25, z) /
                        cases;
    EXPECT_NEAR(ours, low, 0.04 * low) << cases << " " << errors;
    EXPECT_GT(ours * cases, errors);
  }
}

TEST(DecisionTree, RefusesWhatDoesNotFit) {
  const Weather good;
  const auto code_of = [](const Weather& weather, const TreeOptions& options = {}) {
    const Result<DecisionTree> tree = DecisionTree::Learn(weather.schema, weather.days, options);
    return tree.has_value() ? std::optional<ErrorCode>() : tree.error().code;
  };
  EXPECT_EQ(code_of(good), std::nullopt);
  Weather empty = good;
  empty.days = {{{}, {}, {}, {}}, {}};
  EXPECT_EQ(code_of(empty), ErrorCode::kInput);
  Weather wrong = good;
  wrong.days.columns.pop_back();
  EXPECT_EQ(code_of(wrong), ErrorCode::kUsage);
  wrong = good;
  wrong.days.columns[1].pop_back();
  EXPECT_EQ(code_of(wrong), ErrorCode::kUsage);
  wrong = good;
  wrong.days.columns[1][3] = 3;
  EXPECT_EQ(code_of(wrong), ErrorCode::kUsage);
  wrong = good;
  wrong.days.classes[0] = 2;
  EXPECT_EQ(code_of(wrong), ErrorCode::kUsage);
  wrong = good;
  wrong.schema.attributes[0].numbers = {1, 2};
  EXPECT_EQ(code_of(wrong), ErrorCode::kUsage);
  wrong = good;
  wrong.schema.attributes[0].numbers = {1, 2, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(code_of(wrong), ErrorCode::kUsage);
  EXPECT_EQ(code_of(good, {.confidence = 0}), ErrorCode::kUsage);
  EXPECT_EQ(code_of(good, {.min_cases = 0}), ErrorCode::kUsage);
}

}  // namespace
}  // namespace reissue::metrics
