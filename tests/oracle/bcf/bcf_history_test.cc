// What each release tells against each release asked about everybody; and summaries that are wrong.
#include <gtest/gtest.h>

#include "drawn_series.h"
#include "reissue/models/bcf/adversary/history.h"
#include "reissue/models/bcf/adversary/series_attack.h"

namespace reissue::models::bcf {
namespace {

SeriesAttackReport Attacked(const Series& series, std::uint64_t k, bool whole) {
  SeriesAttackOptions options;
  options.guarantee.k = k;
  options.whole_history = whole;
  return AttackSeries(series, Formulas(series), options);
}

Series Without(const Series& series, std::size_t left_out) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i != left_out) published.push_back(series.release(i).AsCells());
  }
  return Series::Make(series.taxonomies(), published).value();
}

TEST(BcfHistoryTest, TenThousandSeries) {
  Random random = Random::Seeded(2026);
  int summed_up = 0;
  for (int round = 0; round < 10'000; ++round) {
    const Series series = testing::Drawn(random, round);
    const std::uint64_t k = 1 + random.Below(5);
    summed_up += History(series).whole() ? 0 : 1;
    ASSERT_TRUE(testing::TellTheSame(Attacked(series, k, false), Attacked(series, k, true)))
        << round;
  }
  RecordProperty("summed up", summed_up);
  EXPECT_GT(summed_up, 4'000);
}

// A release that an earlier one implies still tells of those who came in between: whoever leaves it
// out of the history is found out.
TEST(BcfHistoryTest, ReleasesThatAreImpliedCannotBeForgotten) {
  Random random = Random::Seeded(2027);
  int implied = 0, noticed = 0;
  for (int round = 2; round < 2'000; ++round) {
    const Series series = testing::Drawn(random, 2);
    const History history(series);
    for (std::size_t i = 1; i + 1 < series.size(); ++i) {
      if (history.first_birth(i) == 0) continue;
      ++implied;
      const auto all = Attacked(series, 3, true).anonymity;
      const auto without = Attacked(Without(series, i), 3, true).anonymity;
      noticed += all != without;
      break;
    }
  }
  EXPECT_GT(implied, 500);
  EXPECT_GT(noticed, 50);
}

}  // namespace
}  // namespace reissue::models::bcf
