#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "reissue/io/file_system.h"
#include "reissue/lab/chart.h"
#include "reissue/lab/growing.h"

namespace reissue::lab {
namespace {

TEST(ChartTest, DrawsWhatItIsGiven) {
  Panel panel{"left", "k", "rows", {{"a < b", {{1, 2}, {2, 4}}}, {"bound", {{1, 1}}, true}}};
  const std::string svg = Chart("title", {panel, panel, panel}, 2);
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(svg.find("width=\"680\""), std::string::npos);
  std::size_t circles = 0;
  for (std::size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 6u);
}

std::filesystem::path DataFolder() {
  if (const char* folder = std::getenv("REISSUE_DATA")) return folder;
  std::filesystem::path root = __FILE__;
  for (int i = 0; i < 3; ++i) root = root.parent_path();
  return root / ".." / "shared" / "data";
}

// Section 6 of the paper with the authors' taxonomies. Which specialisation goes first among equal
// scores is not in the paper, so numbers differ from its figures; what they say does not.
TEST(GrowingTest, Adult) {
  const std::filesystem::path data = DataFolder();
  if (!std::filesystem::exists(data / "adult"))
    GTEST_SKIP() << "needs the Adult data (REISSUE_DATA)";
  ThreadPool pool(2);
  Progress progress;
  binding::Context context{io::SystemFiles(), pool, progress};
  GrowingOptions options;
  options.budget_seconds = 0.1;
  options.chain = 0;
  const auto report = RunGrowing(
      {(data / "adult" / "adult.test").string(), (data / "adult" / "adult.data.zst").string(),
       (data / "taxonomies" / "fung-tds").string()},
      options, context);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_EQ(report->settings.size(), 30u);
  std::size_t violated = 0, cheaper = 0;
  for (const GrowingSetting& setting : report->settings) {
    EXPECT_EQ(setting.forward, setting.cross);
    violated += setting.violated ? 1 : 0;
    ASSERT_TRUE(setting.safe_cost && setting.improved_cost);
    EXPECT_LE(*setting.improved_cost, *setting.safe_cost);
    // Small additions: one release of all is cheaper than one of the newcomers alone (both may
    // have to hide everything).
    if (setting.added == 200 && setting.alone_cost) {
      EXPECT_LE(*setting.safe_cost, *setting.alone_cost);
      cheaper += *setting.safe_cost < *setting.alone_cost ? 1 : 0;
    }
    if (setting.choice == "Sen1" && setting.added == 200 && setting.k == 40) {
      EXPECT_EQ(setting.backward, 1u);
    }
  }
  EXPECT_GE(violated, 15u);
  EXPECT_GE(cheaper, 7u);
  EXPECT_GE(report->mean_gain, 2.0);
  EXPECT_GE(report->least_gain, 1.0);
}

}  // namespace
}  // namespace reissue::lab
