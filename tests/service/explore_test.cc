// Grids of releases and forecasts: what is said of a release is what is published then.
#include "reissue/engine/explore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/engine/frontier.h"
#include "series_fixture.h"

namespace reissue {
namespace {

using contract::ExploreReport;
using ::testing::HasSubstr;
using Sense = contract::Axis::Sense;

io::Setting Number(double number) {
  io::Setting setting;
  setting.number = number;
  setting.integer = number >= 1;
  return setting;
}
io::Setting Word(const std::string& word) {
  io::Setting setting;
  setting.kind = io::Setting::Kind::kText;
  setting.text = word;
  return setting;
}
std::vector<io::Setting> Numbers(const std::vector<double>& numbers) {
  std::vector<io::Setting> settings;
  for (const double number : numbers) settings.push_back(Number(number));
  return settings;
}

class ExploreTest : public SeriesEngineTest {
 protected:
  contract::ExploreRequest Grid(const std::string& policy, const std::string& table,
                                std::vector<contract::Choice> choices) const {
    contract::ExploreRequest request;
    request.publish = Request(policy, table);
    request.publish.vault.clear();
    request.publish.out.clear();
    request.choices = std::move(choices);
    return request;
  }
  static double Loss(const ExploreReport& report, std::size_t i) {
    return report.points[report.points[i].taken].tried.loss;
  }
  static const ExploreReport::Point& Only(const ExploreReport& report,
                                          const std::vector<io::Setting>& settings) {
    for (const ExploreReport::Point& point : report.points) {
      bool same = true;
      for (std::size_t x = 0; x < settings.size(); ++x) {
        same = same && engine::SettingText(point.settings[x]) == engine::SettingText(settings[x]);
      }
      if (same) return point;
    }
    ADD_FAILURE() << "no such point";
    return report.points[0];
  }
};

// The settings of a point, written into the policy, publish the release that was told of.
TEST_F(ExploreTest, EveryPointIsWhatIsPublished) {
  const std::string table = WriteTable(150, 3);
  for (const std::string model : {"k", "bcf"}) {
    const std::string begin = "model = \"" + model + "\"\n";
    const auto report = engine::Explore(
        Grid(WritePolicy(begin + "k = 2\n"), table,
             {{"k", Numbers({2, 6, 20})}, {"recoding", {Word("global"), Word("local")}}}),
        context_);
    ASSERT_TRUE(report) << report.error().ToString();
    ASSERT_EQ(report->points.size(), 6u);
    for (const ExploreReport::Point& point : report->points) {
      ASSERT_FALSE(point.tried.problem);
      StartAnew();
      contract::PublishRequest request =
          Next(WritePolicy(begin + "budget = 1\nk = " + engine::SettingText(point.settings[0]) +
                           "\nrecoding = " + engine::SettingText(point.settings[1]) + "\n"),
               table, 1);
      const auto made = engine::DryRun(request, context_);
      ASSERT_TRUE(made) << made.error().ToString();
      EXPECT_EQ(made->publication.loss, point.tried.loss);
      EXPECT_EQ(made->publication.suppressed, point.tried.suppressed);
      EXPECT_EQ(made->publication.audit.smallest, point.tried.smallest);
      EXPECT_GE(point.tried.smallest, point.settings[0].number);
    }
  }
}

TEST_F(ExploreTest, MoreNeverMakesWorse) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::string policy = WritePolicy("model = \"k\"\nk = 2\n");
    const std::string table = WriteTable(30 + 7 * seed, seed);
    const std::vector<double> ks = {2, 3, 5, 8};
    const std::vector<double> shares = {0, 0.03, 0.1, 0.3};
    const auto report =
        engine::Explore(Grid(policy, table,
                             {{"k", Numbers(ks)},
                              {"recoding", {Word(seed % 2 == 0 ? "global" : "local")}},
                              {"suppression", Numbers(shares)}}),
                        context_);
    ASSERT_TRUE(report) << report.error().ToString();
    const auto loss = [&](std::size_t k, std::size_t share) {
      return Loss(*report, k * shares.size() + share);
    };
    for (std::size_t k = 0; k < ks.size(); ++k) {
      for (std::size_t share = 0; share < shares.size(); ++share) {
        if (k > 0) {
          EXPECT_LE(loss(k - 1, share), loss(k, share) + 1e-9) << seed;
        }
        if (share > 0) {
          EXPECT_LE(loss(k, share), loss(k, share - 1) + 1e-9) << seed;
        }
        const auto& point = report->points[k * shares.size() + share];
        const auto& release = report->points[point.taken].tried;
        EXPECT_GE(release.smallest, ks[k]);
        EXPECT_LE(static_cast<double>(release.suppressed),
                  shares[share] * static_cast<double>(report->rows) + 1e-9);
      }
    }
  }
}

TEST_F(ExploreTest, AnyNumberOfThreadsFindsTheSame) {
  const auto request =
      Grid(WritePolicy("model = \"bcf\"\nk = 3\ndistinct = 2\n"), WriteTable(120, 5), {});
  std::vector<ExploreReport> reports;
  for (const std::size_t threads : {1, 4}) {
    ThreadPool pool(threads);
    Progress progress;
    binding::Context context{context_.files, pool, progress};
    const auto report = engine::Explore(request, context);
    ASSERT_TRUE(report) << report.error().ToString();
    reports.push_back(*report);
  }
  ASSERT_EQ(reports[0].points.size(), reports[1].points.size());
  for (std::size_t i = 0; i < reports[0].points.size(); ++i) {
    const auto &one = reports[0].points[i], &other = reports[1].points[i];
    EXPECT_EQ(one.tried.loss, other.tried.loss);
    EXPECT_EQ(one.tried.smallest, other.tried.smallest);
    EXPECT_EQ(one.frontier, other.frontier);
    EXPECT_EQ(one.command, other.command);
  }
}

TEST_F(ExploreTest, WhatAModelOrASeriesCannotVaryIsSaid) {
  const std::string table = WriteTable(60, 1);
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 3\n");
  auto request = Grid(policy, table, {{"k", Numbers({2, 3})}});
  ASSERT_TRUE(engine::Publish(Request(policy, table), context_));
  request.publish.vault = Path("vault");
  const auto fixed = engine::Explore(request, context_);
  ASSERT_FALSE(fixed);
  EXPECT_THAT(fixed.error().message, HasSubstr("`k` cannot be chosen any more"));
  request.choices = {{"score", {Word("loss"), Word("discernibility")}}};
  const auto scores = engine::Explore(request, context_);
  ASSERT_TRUE(scores) << scores.error().ToString();
  EXPECT_EQ(scores->release, 2u);
  EXPECT_EQ(scores->points.size(), 2u);
  EXPECT_THAT(scores->points[1].command, HasSubstr("--score discernibility"));
  // Together they make no sense.
  const auto senseless = engine::Explore(
      Grid(policy, table, {{"suppression", Numbers({0.1})}, {"recoding", {Word("global")}}}),
      context_);
  ASSERT_FALSE(senseless);
  EXPECT_THAT(senseless.error().message, HasSubstr("suppression"));
  const auto unkept = engine::Explore(Grid(policy, table, {{"k", Numbers({2, 1000})}}), context_);
  ASSERT_TRUE(unkept);
  EXPECT_FALSE(Only(*unkept, {Number(2)}).tried.problem);
  EXPECT_TRUE(Only(*unkept, {Number(1000)}).tried.problem);
}

// One promise, by hand: (k, loss).
ExploreReport Curve(const std::vector<std::pair<double, double>>& points) {
  ExploreReport report;
  report.axes = {{"k", Sense::kPromisesMore, false, {}}, {"recoding", Sense::kNothing, false, {}}};
  std::size_t number = 0;
  for (const auto& [k, loss] : points) {
    ExploreReport::Point point;
    point.settings = {Number(k), Word(std::to_string(number++))};
    point.tried.loss = loss;
    report.points.push_back(point);
  }
  engine::FindFrontier(report);
  return report;
}
std::vector<std::size_t> Frontier(const ExploreReport& report) {
  std::vector<std::size_t> frontier;
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    if (report.points[i].frontier) frontier.push_back(i);
  }
  return frontier;
}

TEST(FrontierTest, HasWhatNoOtherBeats) {
  // The second is beaten by the third, the fifth by the fourth of the same loss.
  const ExploreReport report =
      Curve({{2, 0.1}, {2, 0.2}, {4, 0.15}, {16, 0.5}, {8, 0.5}, {32, 0.9}, {32, 0.9}});
  EXPECT_THAT(Frontier(report), testing::ElementsAre(0, 2, 3, 5));
}

TEST(FrontierTest, ItsKneeIsFarthestBelowTheChord) {
  // Strengths 0, 1/4, 3/4, 1; losses 0, 1/8, 1/2, 1 of the rise.
  const ExploreReport report = Curve({{2, 0.1}, {4, 0.2}, {16, 0.5}, {32, 0.9}});
  for (std::size_t i = 0; i < report.points.size(); ++i) EXPECT_EQ(report.points[i].knee, i == 2);
  // On or above the chord nobody is.
  for (const auto& point : Curve({{2, 0.1}, {8, 0.6}, {32, 0.9}}).points) EXPECT_FALSE(point.knee);
  for (const auto& point : Curve({{2, 0.1}, {8, 0.2}}).points) EXPECT_FALSE(point.knee);
}

TEST(FrontierTest, PromisesOfSeveralKindsAreCompared) {
  ExploreReport report;
  report.axes = {{"k", Sense::kPromisesMore, false, {}}, {"t", Sense::kPromisesLess, false, {}}};
  for (const auto& [k, t, loss] : std::vector<std::tuple<double, double, double>>{
           {5, 0.5, 0.3}, {5, 0.2, 0.4}, {10, 0.5, 0.4}, {10, 0.2, 0.35}}) {
    ExploreReport::Point point;
    point.settings = {Number(k), Number(t)};
    point.tried.loss = loss;
    report.points.push_back(point);
  }
  engine::FindFrontier(report);
  EXPECT_THAT(Frontier(report), testing::ElementsAre(0, 3));
  // The others had better be published as the last one.
  EXPECT_EQ(report.points[1].taken, 3u);
  EXPECT_EQ(report.points[2].taken, 3u);
  EXPECT_EQ(report.points[0].taken, 0u);
}

class ForecastTest : public ExploreTest {
 protected:
  contract::ForecastRequest Ahead(const std::string& policy, const std::string& table) const {
    contract::ForecastRequest request;
    request.publish = Request(policy, table);
    request.publish.out.clear();
    request.releases = 4;
    request.draws = 2;
    return request;
  }
};

TEST_F(ForecastTest, BeginsWithTheTableAndGrowsByWhatIsSaid) {
  for (const std::string model :
       {"model = \"bcf\"\nk = 3\n", "model = \"m-invariance\"\nm = 2\n"}) {
    const std::string policy = WritePolicy(model);
    const std::string table = WriteTable(80, 2);
    contract::ForecastRequest request = Ahead(policy, table);
    request.rows = 10;
    const auto files = Files();
    const auto report = engine::Forecast(request, context_);
    ASSERT_TRUE(report) << report.error().ToString();
    EXPECT_EQ(Files(), files);
    ASSERT_EQ(report->results.size(), 2u);
    for (const auto& draw : report->results) {
      ASSERT_EQ(draw.releases.size(), 4u) << draw.refused->ToString();
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(draw.releases[i].rows, 80 + 10 * i);
        if (i > 0) {
          EXPECT_EQ(draw.releases[i].newcomers, 10u);
        }
      }
    }
    contract::PublishRequest dry = request.publish;
    dry.seed = DeriveSeed(7, 0);
    const auto first = engine::DryRun(dry, context_);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->publication.loss, report->results[0].releases[0].loss);
    // The same seed, the same future.
    const auto again = engine::Forecast(request, context_);
    ASSERT_TRUE(again);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(again->results[1].releases[i].loss, report->results[1].releases[i].loss);
      EXPECT_EQ(again->results[1].releases[i].aside, report->results[1].releases[i].aside);
    }
  }
}

TEST_F(ForecastTest, GrowsAsTheSeriesHas) {
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 3\n");
  for (std::size_t n = 1; n <= 3; ++n) {
    ASSERT_TRUE(engine::Publish(Next(policy, WriteTable(60 + 12 * n, 4), n), context_));
  }
  const auto report = engine::Forecast(Ahead(policy, WriteTable(120, 4)), context_);
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_EQ(report->first, 4u);
  EXPECT_EQ(report->newcomers, 12u);
  EXPECT_EQ(report->rests, contract::ForecastReport::Rests::kHistory);
  EXPECT_EQ(report->results[0].releases[3].rows, 120u + 3 * 12);
  EXPECT_EQ(History().size(), 3u);
}

// A single newcomer is never published alone: the second release is refused.
TEST_F(ForecastTest, SaysWhenAReleaseIsRefused) {
  Write("all.csv", "a;*\n");
  const std::string policy = Write("few.toml",
                                   "title = \"Few\"\n[columns]\n"
                                   "id = { role = \"identifier\" }\n"
                                   "x = { role = \"quasi\", taxonomy = \"all.csv\" }\n"
                                   "ill = { role = \"sensitive\" }\n"
                                   "[guarantee]\nmodel = \"bcf\"\nk = 3\n");
  const std::string table =
      Write("few.csv", "id,x,ill\n1,a,flu\n2,a,flu\n3,a,flu\n4,a,flu\n5,a,flu\n");
  contract::ForecastRequest request = Ahead(policy, table);
  request.rows = 1;
  const auto report = engine::Forecast(request, context_);
  ASSERT_TRUE(report) << report.error().ToString();
  for (const auto& draw : report->results) {
    EXPECT_EQ(draw.releases.size(), 1u);
    ASSERT_TRUE(draw.refused);
    EXPECT_EQ(draw.refused->code, ErrorCode::kPromise);
  }
  const auto one =
      engine::Forecast(Ahead(WritePolicy("model = \"k\"\nk = 2\n"), WriteTable(9, 1)), context_);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace reissue
