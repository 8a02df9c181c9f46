#include "reissue/lab/equivalence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "memory_file_system.h"
#include "reissue/io/file_system.h"
#include "reissue/lab/census.h"
#include "reissue/lab/changing.h"
#include "reissue/models/invariance/adversary/attack.h"

namespace reissue::lab {
namespace {

namespace invariance = models::invariance;

simulate::UpdateStream Stream(const CensusTable& table, std::uint64_t releases) {
  simulate::UpdateOptions options;
  options.first = table.rows.values.size() / 3;
  options.replace = options.first / 10;
  options.releases = releases;
  return simulate::MakeUpdates(table.rows.values, table.value_count, options).value();
}

TEST(CensusTableTest, SimulatedOnesHaveTheDomainsOfThePaper) {
  for (const char* kind : {"occ", "sal"}) {
    const CensusTable table = SimulatedCensus(kind, 5000, 1);
    EXPECT_EQ(table.domain, (std::vector<std::uint32_t>{79, 2, 17, 57}));
    EXPECT_EQ(table.value_count, 50u);
    ASSERT_EQ(table.rows.values.size(), 5000u);
    ASSERT_EQ(table.rows.codes.size(), 20000u);
    for (std::size_t i = 0; i < table.rows.codes.size(); ++i) {
      ASSERT_LT(table.rows.codes[i], table.domain[i % 4]);
    }
    EXPECT_EQ(*std::max_element(table.rows.values.begin(), table.rows.values.end()), 49u);
    EXPECT_EQ(*std::min_element(table.rows.values.begin(), table.rows.values.end()), 0u);
  }
}

// What is kept of a run is what was published: everybody once, every group balanced.
TEST(ChangingRunTest, ShowsEverybodyOnceInBalancedGroups) {
  const CensusTable table = SimulatedCensus("occ", 6000, 2);
  const simulate::UpdateStream stream = Stream(table, 4);
  invariance::PublishOptions options;
  options.m = 10;
  options.e = 5;
  const auto run = RunChanging(table, stream, options, /*keep_rows=*/true);
  ASSERT_TRUE(run.has_value()) << run.error().message;
  ASSERT_EQ(run->releases.size(), 4u);
  for (const Form form : {Form::kBuckets, Form::kPartitions}) {
    const invariance::Series series = SeriesOf(table, *run, form, 4);
    ASSERT_TRUE(invariance::Validate(series).has_value());
    for (std::uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(series.releases[i].rows.size(), 2000 + run->counterfeits[i]);
      for (const invariance::PublishedGroup& group : invariance::GroupsOf(series, i)) {
        ASSERT_GE(group.values.size(), 10u);
        for (const auto& [value, rows] : group.values) {
          ASSERT_EQ(rows, form == Form::kPartitions ? 1 : group.values[0].second);
        }
      }
    }
  }
  // The same person is the same record with the same value in all releases.
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> known;
  for (const auto& rows : run->releases) {
    std::set<std::uint32_t> people;
    for (const ShownRow& row : rows) {
      EXPECT_TRUE(people.insert(row.person).second);
      const auto [at, fresh] = known.emplace(row.person, std::pair(row.record, row.value));
      EXPECT_EQ(at->second, std::pair(row.record, row.value));
    }
  }
}

TEST(ChangingRunTest, TheLatestReleaseAnswersLikeItsGroups) {
  const CensusTable table = SimulatedCensus("sal", 6000, 3);
  const simulate::UpdateStream stream = Stream(table, 3);
  invariance::PublishOptions options;
  options.m = 10;
  const auto run = RunChanging(table, stream, options, /*keep_rows=*/true);
  ASSERT_TRUE(run.has_value());
  const metrics::CodedTable raw = TableOf(table, stream, 2);
  EXPECT_EQ(raw.values.size(), 2000u);
  // A query for everything is answered exactly, but for counterfeits, whatever the form.
  for (const Form form : {Form::kBuckets, Form::kPartitions}) {
    for (const bool exact : {true, false}) {
      const metrics::CodedRelease release = LatestRelease(table, *run, form, exact);
      EXPECT_EQ(release.labels[0].front().front().codes() == 1, exact);
      for (std::uint32_t value = 0; value < 50; ++value) {
        const metrics::CountQuery all{{{0, 78}, {0, 1}, {0, 16}, {0, 56}}, value};
        EXPECT_NEAR(metrics::Estimate(release, all), metrics::Actual(raw, all),
                    static_cast<double>(run->counterfeits.back()) + 1e-6);
      }
    }
  }
}

class EquivalenceTest : public testing::Test {
 protected:
  ThreadPool pool_{2};
  Progress progress_;
};

// A small run of everything: plain m-invariance gives people away, ours does not.
TEST_F(EquivalenceTest, FindsPeopleOutOnlyWherePlainlyPublished) {
  binding::Context context{io::SystemFiles(), pool_, progress_};
  EquivalenceOptions options;
  options.simulated = 6000;
  options.releases = 6;
  options.es = {1, 5};
  options.skews = {0, 15};
  options.selectivities = {0.05};
  options.queries = 50;
  options.fine_releases = 2;
  const auto report = RunEquivalence(options, context);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_EQ(report->tables.size(), 2u);
  EXPECT_EQ(report->left_out.size(), 1u);
  // Plain, and two rules for two e; three ways for two slopes.
  EXPECT_EQ(report->runs.size(), 2u * (5 + 6));
  std::uint64_t plainly = 0;
  for (const EquivalenceAttack& attack : report->attacks) {
    EXPECT_GE(attack.least_values, 10u) << attack.form << " " << attack.releases;
    if (attack.form == "exact") {
      EXPECT_EQ(attack.exposed, 0u);
      EXPECT_TRUE(!attack.lower || *attack.lower >= 5);
    } else {
      plainly += attack.exposed;
    }
    if (attack.releases == 1) {
      EXPECT_EQ(attack.exposed, 0u);
    }
  }
  EXPECT_GT(plainly, 0u);
  EXPECT_EQ(report->queries.size(), 2u * 4);
  ASSERT_NE(FindRun(*report, "OCC", "exact", 5), nullptr);
  EXPECT_EQ(FindRun(*report, "OCC", "exact", 5)->counterfeits.size(), 6u);
  EXPECT_EQ(FindRun(*report, "OCC", "exact", 7), nullptr);
  for (const auto& figure : {FigureExposed(*report), FigureCounterfeits(*report),
                             FigureSkewed(*report), FigureQueries(*report), FigureTime(*report)}) {
    ASSERT_EQ(figure.size(), 2u);
    for (const Panel& panel : figure) {
      for (const Line& line : panel.lines) EXPECT_FALSE(line.points.empty()) << line.name;
    }
  }
  EXPECT_THAT(EquivalenceCsv(*report), testing::HasSubstr("counterfeits,SAL,exact,5,15,6,"));
}

TEST_F(EquivalenceTest, SaysWhatIsWrongWithACensusFile) {
  io::MemoryFileSystem files;
  binding::Context context{files, pool_, progress_};
  files.Put("a.csv", "Age,Gender,Education,Birthplace,Occupation\n30,1,2,3,4\n");
  files.Put("b.csv", "Age,Gender,Education,Birthplace,Occupation,Salary\n30,1,2,3,4,x\n");
  for (const char* file : {"a.csv", "b.csv", "c.csv"}) {
    const auto loaded = LoadCensus(file, "Census", context);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, ErrorCode::kInput);
    if (file[0] != 'c') {
      EXPECT_EQ(loaded.error().place->column, "Salary");
    }
  }
  files.Put("d.csv",
            "Salary,Age,Gender,Education,Birthplace,Occupation\n7,30,1,2,3,4\n6,9,1,1,3,5\n");
  const auto loaded = LoadCensus("d.csv", "Census", context);
  ASSERT_TRUE(loaded.has_value());
  ASSERT_EQ(loaded->size(), 2u);
  EXPECT_EQ((*loaded)[1].name, "Census Salary");
  EXPECT_EQ((*loaded)[1].domain, (std::vector<std::uint32_t>{2, 1, 2, 1}));
  EXPECT_EQ((*loaded)[1].rows.codes, (std::vector<std::uint32_t>{1, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ((*loaded)[1].rows.values, (std::vector<std::uint32_t>{1, 0}));
}

}  // namespace
}  // namespace reissue::lab
