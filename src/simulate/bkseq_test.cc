#include "reissue/simulate/bkseq.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace reissue::simulate {
namespace {

using BkseqTables = std::vector<std::vector<BkseqRow>>;

BkseqTables MonthsOf(std::uint64_t rows, std::size_t months, std::uint64_t seed = 1) {
  BkseqOptions options;
  options.rows = rows;
  options.seed = seed;
  Bkseq bkseq(options);
  BkseqTables tables;
  for (std::size_t i = 0; i < months; ++i) tables.push_back(bkseq.Next());
  return tables;
}

// Largest difference between shares and what is true, of contexts seen at least `least` times.
double WorstShare(const std::map<std::size_t, std::vector<double>>& counts,
                  const std::vector<std::vector<Weight>>& truth, double least) {
  double worst = 0;
  for (const auto& [context, count] : counts) {
    const double sum = std::accumulate(count.begin(), count.end(), 0.0);
    if (sum < least) continue;
    for (std::size_t value = 0; value < count.size(); ++value) {
      worst = std::max(worst,
                       std::abs(count[value] / sum - truth[context][value] / 1e6) * std::sqrt(sum));
    }
  }
  return worst;
}

TEST(BkseqModel, HasDistributionsOfMillionths) {
  const BkseqModel& model = TrueBkseq();
  EXPECT_EQ(model.values.size(), 12u);
  EXPECT_EQ(model.kinds.size(), 24u);
  EXPECT_EQ(model.prior.size(), 24u);
  EXPECT_EQ(model.once.size(), 12u);
  EXPECT_EQ(model.twice.size(), 144u);
  for (const auto* lists : {&model.prior, &model.once, &model.twice}) {
    for (const std::vector<Weight>& list : *lists) {
      ASSERT_EQ(list.size(), 12u);
      EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0u), kBkseqWhole);
      EXPECT_GT(*std::min_element(list.begin(), list.end()), 0u);
    }
  }
}

// Who got worse gets worse again more often than who stayed, and less often better.
TEST(BkseqModel, RemembersTwoSteps) {
  const BkseqModel& model = TrueBkseq();
  constexpr std::size_t kRaised = 1, kDiabetes = 2, kLate = 3;
  const auto next = [&](std::size_t before, std::size_t last, std::size_t then) {
    return model.twice[before * 12 + last][then];
  };
  EXPECT_GT(next(kRaised, kDiabetes, kLate), next(kDiabetes, kDiabetes, kLate));
  EXPECT_GT(next(kLate, kDiabetes, kRaised), next(kDiabetes, kDiabetes, kRaised));
  EXPECT_GT(next(kDiabetes, kDiabetes, kDiabetes), next(kRaised, kDiabetes, kDiabetes));
  // One step is between what two steps say.
  EXPECT_GT(model.once[kDiabetes][kLate], next(kDiabetes, kDiabetes, kLate));
  EXPECT_LT(model.once[kDiabetes][kLate], next(kRaised, kDiabetes, kLate));
}

TEST(BkseqTables, HaveAboutAsManyRowsAsAskedForAndEverybodyOnce) {
  for (const auto& table : MonthsOf(1000, 12)) {
    EXPECT_GE(table.size(), 990u);
    EXPECT_LE(table.size(), 1010u);
    for (std::size_t i = 1; i < table.size(); ++i) {
      ASSERT_LT(table[i - 1].person, table[i].person);
    }
  }
}

TEST(BkseqTables, AreTheSameForTheSameSeed) {
  const BkseqTables tables = MonthsOf(200, 5), again = MonthsOf(200, 3);
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(BkseqTable(tables[i]), BkseqTable(again[i]));
  }
  EXPECT_NE(BkseqTable(MonthsOf(200, 1, 2)[0]), BkseqTable(tables[0]));
}

TEST(BkseqTables, PeopleComeGoAndReturnAndGrowOlder) {
  const BkseqTables tables = MonthsOf(2000, 24);
  std::map<std::uint32_t, std::vector<std::size_t>> months;
  std::map<std::uint32_t, BkseqRow> first;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const BkseqRow& row : tables[i]) {
      months[row.person].push_back(i);
      const BkseqRow& known = first.emplace(row.person, row).first->second;
      EXPECT_EQ(row.sex, known.sex);
      EXPECT_EQ(row.weight, known.weight);
      ASSERT_GE(row.age, known.age);
      ASSERT_LE(row.age, known.age + 2);
    }
  }
  std::size_t returned = 0, stayed = 0;
  for (const auto& [person, when] : months) {
    returned += when.back() - when.front() + 1 > when.size() ? 1 : 0;
  }
  for (const BkseqRow& row : tables[0]) {
    const auto& when = months[row.person];
    stayed += when.size() > 1 && when[1] == 1 ? 1 : 0;
  }
  const double share = static_cast<double>(stayed) / static_cast<double>(tables[0].size());
  EXPECT_NEAR(share, 0.9, 0.03);
  EXPECT_GT(returned, months.size() / 5);
  EXPECT_GT(months.size(), 4000u);
}

// First results follow the prior of the kind, second ones one step, later ones two: within four
// and a half standard deviations (at most 1/2 each) in the worst of all cells.
TEST(BkseqTables, KeepToTheModel) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> exams;
  std::map<std::size_t, std::vector<double>> prior, once, twice;
  const auto count = [](auto& counts, std::size_t context, std::uint32_t value) {
    auto& list = counts[context];
    list.resize(12);
    ++list[value];
  };
  for (const auto& table : MonthsOf(20000, 12)) {
    for (const BkseqRow& row : table) {
      auto& seen = exams[row.person];
      if (seen.empty()) {
        count(prior, BkseqKindOf(row), row.exam);
      } else {
        count(once, seen.back(), row.exam);
        if (seen.size() > 1) count(twice, seen[seen.size() - 2] * 12 + seen.back(), row.exam);
      }
      seen.push_back(row.exam);
    }
  }
  EXPECT_EQ(prior.size(), 24u);
  EXPECT_EQ(twice.size(), 144u);
  EXPECT_LT(WorstShare(prior, TrueBkseq().prior, 100), 2.25);
  EXPECT_LT(WorstShare(twice, TrueBkseq().twice, 100), 2.25);
  // Not yet the long run, in which one step is exactly right.
  for (const auto& [last, counts] : once) {
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (std::size_t value = 0; value < 12; ++value) {
      EXPECT_NEAR(counts[value] / sum, TrueBkseq().once[last][value] / 1e6, 0.015);
    }
  }
}

TEST(BkseqTables, EverybodyIsOfTheKindWhoseRangesFit) {
  const BkseqTables tables = MonthsOf(3000, 1);
  for (const BkseqRow& row : tables[0]) {
    const BkseqKind& kind = TrueBkseq().kinds[BkseqKindOf(row)];
    EXPECT_EQ(kind.sex, row.sex);
    EXPECT_TRUE(kind.age_from <= row.age && row.age < kind.age_below);
    EXPECT_TRUE(kind.weight_from <= row.weight && row.weight < kind.weight_below);
  }
}

TEST(BkseqFiles, HaveALinePerProbability) {
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(BkseqPrior()), 1 + 24 * 12);
  EXPECT_EQ(lines(BkseqTransition(1)), 1 + 12 * 12);
  EXPECT_EQ(lines(BkseqTransition(2)), 1 + 12 * 12 + 144 * 12);
  EXPECT_EQ(BkseqPrior().substr(0, 32), "sex,age,weight,exam,probability\n");
  EXPECT_NE(BkseqPrior().find("female,\"[18,40)\",\"[40,65)\",normal,0."), std::string::npos);
  EXPECT_NE(BkseqTransition(2).find("\n,normal,normal,0."), std::string::npos);
  EXPECT_NE(BkseqTransition(2).find("\nraised sugar,diabetes,late diabetes,0.290000\n"),
            std::string::npos);
  const std::string table = BkseqTable({{4, 1, 50, 80, 2}});
  EXPECT_EQ(table, "patient,sex,age,weight,exam\nP0000005,male,50,80,diabetes\n");
}

}  // namespace
}  // namespace reissue::simulate
