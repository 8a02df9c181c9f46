#include "reissue/lab/belief.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reissue/io/file_system.h"

namespace reissue::lab {
namespace {

namespace similarity = models::similarity;

BeliefOptions SmallBeliefs() {
  BeliefOptions options;
  options.rows = 240;
  options.releases = 4;
  options.ks = {3, 5};
  options.js = {0.6};
  options.betas = {5};
  options.sigmas = {0.1};
  options.confidences = {0.5};
  return options;
}

const BeliefReport& SmallBeliefReport() {
  static const auto* const report = [] {
    ThreadPool pool(2);
    Progress progress;
    binding::Context context{io::SystemFiles(), pool, progress};
    return new BeliefReport(RunBeliefs(SmallBeliefs(), context).value());
  }();
  return *report;
}

void CheckStream(const BeliefStream& stream) {
  EXPECT_TRUE(similarity::Validate(stream.once).has_value());
  EXPECT_TRUE(similarity::Validate(stream.twice).has_value());
  EXPECT_EQ(stream.once.transition.steps, 1u);
  EXPECT_EQ(stream.twice.transition.steps, 2u);
  for (const BeliefTable& table : stream.tables) {
    const std::size_t rows = table.person.size();
    EXPECT_EQ(table.points.rows(), rows);
    EXPECT_EQ(std::set(table.person.begin(), table.person.end()).size(), rows);
    EXPECT_LT(*std::max_element(table.value.begin(), table.value.end()), stream.once.values);
    EXPECT_LT(*std::max_element(table.kind.begin(), table.kind.end()), stream.once.prior.size());
  }
}

TEST(BeliefStreams, AreTablesWithKnowledgeOfThem) {
  CheckStream(BkseqStream(500, 3, 1));
  CheckStream(AdultStream(500, 3, 1));
}

TEST(BeliefStreams, ATenthOfAdultIsReplacedAndATenthChanges) {
  const BeliefStream stream = AdultStream(1000, 5, 1);
  std::size_t changed = 0;
  for (std::size_t i = 1; i < stream.tables.size(); ++i) {
    std::map<similarity::Person, similarity::Value> before;
    const BeliefTable &last = stream.tables[i - 1], &table = stream.tables[i];
    for (std::size_t row = 0; row < last.person.size(); ++row) {
      before[last.person[row]] = last.value[row];
    }
    std::size_t stayed = 0;
    for (std::size_t row = 0; row < table.person.size(); ++row) {
      const auto found = before.find(table.person[row]);
      if (found == before.end()) continue;
      ++stayed;
      changed += found->second != table.value[row] ? 1 : 0;
    }
    EXPECT_EQ(table.person.size(), 1000u);
    EXPECT_EQ(stayed, 900u);
  }
  // Of 400 that are drawn afresh, one in 14 gets the occupation that it had.
  EXPECT_LT(changed, 400u);
  EXPECT_GT(changed, 340u);
}

TEST(BeliefRuns, AreRepeatableAndCountWhatIsShown) {
  const BeliefStream stream = BkseqStream(400, 4, 2);
  BeliefSetup setup;
  setup.data = stream.name;
  setup.sigma = 0.1;
  const BeliefRun run = RunBelief(stream, setup, {}).value();
  const BeliefRun again = RunBelief(stream, setup, {}).value();
  ASSERT_EQ(run.releases.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const BeliefRelease& release = run.releases[i];
    EXPECT_EQ(release.rows, stream.tables[i].person.size());
    EXPECT_GE(release.rows - release.suppressed, 3 * release.groups);
    EXPECT_GE(release.largest * release.groups, release.rows - release.suppressed);
    EXPECT_GT(release.penalty, 0);
    EXPECT_LE(release.penalty, static_cast<double>(release.rows));
    EXPECT_LE(release.linkage, static_cast<double>(release.groups) + 1e-9);
    EXPECT_EQ(release.reader.gain, again.releases[i].reader.gain);
    EXPECT_EQ(release.exact.gain, again.releases[i].exact.gain);
  }
}

// Statements make the exact adversary surer of the others, too, and of the stated ones most.
TEST(BeliefRuns, CompromisedRecordsHelpTheExactAdversary) {
  const BeliefStream stream = BkseqStream(600, 4, 3);
  BeliefSetup setup;
  setup.data = stream.name;
  setup.k = 8;
  const BeliefRun plain = RunBelief(stream, setup, {}).value();
  setup.sigma = 0.1;
  setup.cascade = similarity::Cascade::kPosterior;  // known afterwards: the first groups are equal
  const BeliefRun known = RunBelief(stream, setup, {}).value();
  EXPECT_EQ(plain.releases[0].penalty, known.releases[0].penalty);
  EXPECT_EQ(plain.releases[0].exact.gain, plain.releases[0].exact.gain_others);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(known.releases[i].exact.gain_others, plain.releases[i].exact.gain_others);
    EXPECT_GT(known.releases[i].exact.gain, known.releases[i].exact.gain_others);
  }
}

// A promise that nothing can keep leaves everybody out instead of failing.
TEST(BeliefRuns, WhereNoGroupFitsEverybodyIsLeftOut) {
  const BeliefStream stream = BkseqStream(200, 3, 1);
  BeliefSetup setup;
  setup.data = stream.name;
  setup.k = 1000;
  const BeliefRun run = RunBelief(stream, setup, {}).value();
  for (const BeliefRelease& release : run.releases) {
    EXPECT_EQ(release.suppressed, release.rows);
    EXPECT_EQ(release.groups, 0u);
    EXPECT_EQ(release.exact.gain, 0);
  }
}

TEST(BeliefReports, HaveARunForEveryCurveAndParameter) {
  const BeliefReport& report = SmallBeliefReport();
  for (int figure = kFirstBeliefFigure; figure <= kLastBeliefFigure; ++figure) {
    ASSERT_FALSE(CurvesOf(figure).empty());
    for (const BeliefCurve& curve : CurvesOf(figure)) {
      ASSERT_NE(FindBelief(report, curve.setup), nullptr) << curve.name;
    }
    for (const Panel& panel : FigureOf(report, figure)) {
      ASSERT_FALSE(panel.lines.empty()) << figure << panel.title;
      for (const Line& line : panel.lines) EXPECT_EQ(line.points.size(), 4u);
    }
    EXPECT_TRUE(std::any_of(report.claims.begin(), report.claims.end(), [&](const auto& claim) {
      return claim.figure == std::to_string(figure);
    })) << figure;
  }
  for (const BeliefSweep& sweep : SweepsOf(report.options)) {
    for (const auto& [value, setup] : sweep.points) EXPECT_NE(FindBelief(report, setup), nullptr);
  }
  EXPECT_EQ(FigureSweeps(report).size(), 20u);
  const std::string csv = BeliefCsv(report);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
            static_cast<std::ptrdiff_t>(1 + 4 * report.runs.size()));
}

TEST(BeliefReports, OursNeverLosesMoreThanBkaaInTheFirstRelease) {
  const BeliefReport& report = SmallBeliefReport();
  for (BeliefRun run : report.runs) {
    if (run.setup.algorithm != similarity::Algorithm::kBkaa) continue;
    BeliefSetup ours = run.setup;
    ours.algorithm = similarity::Algorithm::kReissue;
    const BeliefRun* other = FindBelief(report, ours);
    if (other == nullptr) continue;
    EXPECT_LE(other->releases[0].penalty, run.releases[0].penalty + 1e-9);
  }
}

TEST(BeliefReports, StatementsDependOnTheNumbers) {
  BeliefReport report = SmallBeliefReport();
  const auto left_out = [&](std::uint64_t rows) {
    for (BeliefRun& run : report.runs) {
      for (BeliefRelease& release : run.releases) release.suppressed = rows;
    }
    std::set<bool> agrees;
    for (const BeliefClaim& claim : CheckClaims(report)) {
      if (claim.figure == "10") agrees.insert(claim.agrees);
      EXPECT_TRUE(!claim.agrees || claim.why.empty());
    }
    return agrees;
  };
  EXPECT_EQ(left_out(13), std::set<bool>{true});
  EXPECT_EQ(left_out(14), std::set<bool>{false});
}

}  // namespace
}  // namespace reissue::lab
