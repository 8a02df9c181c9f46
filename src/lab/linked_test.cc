#include "reissue/lab/linked.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "adult_rows.h"
#include "reissue/io/file_system.h"

namespace reissue::lab {
namespace {

// Two thresholds of Top6 and of Top1, with numbers that are easy to average.
LinkedReport SmallReport() {
  LinkedReport report;
  report.sets.push_back({"A", 0.1745, 0.2225, 0.25});
  for (const double error : {0.184, 0.1846}) {
    LinkedSetting setting;
    setting.set = "A";
    setting.kind = "anonymity";
    setting.top = 6;
    setting.error = setting.error_rows = error;
    setting.distortion = Distortion{8.23, 0};
    report.settings.push_back(setting);
    PlainSetting plain;
    plain.set = "A";
    plain.error = error;
    plain.distortion = setting.distortion;
    report.plain.push_back(plain);
  }
  report.join_values = report.join_values_with_one = 54;
  return report;
}

std::optional<double> OursOf(const LinkedReport& report, std::size_t figure,
                             const std::string& what) {
  for (const PaperNumber& number : ComparedWithPaper(report)) {
    if (number.figure == figure && number.what == what) return number.ours;
  }
  return std::nullopt;
}

bool Says(const LinkedReport& report, const std::string& word) {
  return std::ranges::any_of(WhyNumbersDiffer(report),
                             [&](const std::string& reason) { return reason.starts_with(word); });
}

TEST(LinkedPaper, ComparesMeans) {
  const LinkedReport report = SmallReport();
  EXPECT_NEAR(OursOf(report, 1, "KAD").value(), 8.23, 1e-9);
  EXPECT_NEAR(OursOf(report, 2, "BLE").value(), 17.45, 1e-9);
  EXPECT_NEAR(OursOf(report, 2, "most XYE - BLE").value(), 0.98, 1e-9);
  EXPECT_NEAR(OursOf(report, 2, "least RJE - XYE").value(), 3.82, 1e-9);
  EXPECT_NEAR(OursOf(report, 2, "most XYE - XYE(row)").value(), 0, 1e-9);
  EXPECT_FALSE(OursOf(report, 2, "the same, our search too").has_value());
}

TEST(LinkedPaper, GivesOnlyReasonsThatHold) {
  LinkedReport report = SmallReport();
  EXPECT_TRUE(Says(report, "KAD:"));
  EXPECT_TRUE(Says(report, "XYE(row):"));
  EXPECT_TRUE(Says(report, "XYE - BLE:"));
  report.plain[0].distortion->categorical = 9;
  report.join_values_with_one = 53;
  for (LinkedSetting& setting : report.settings) setting.error = 0.19;
  EXPECT_FALSE(Says(report, "KAD:"));
  EXPECT_FALSE(Says(report, "XYE(row):"));
  EXPECT_FALSE(Says(report, "XYE - BLE:"));
}

// Set A with the authors' taxonomies, for the least and the greatest k of the paper.
TEST(LinkedTest, Adult) {
  if (!support::HasAdult()) GTEST_SKIP() << support::kNoAdult;
  ThreadPool pool(2);
  Progress progress;
  binding::Context context{io::SystemFiles(), pool, progress};
  const auto data = support::DataFolder();
  LinkedOptions options;
  options.k = {40, 200};
  options.confidence = {};
  options.sets = {"A"};
  const auto report = RunLinked({(data / "adult" / support::kAdultTest).string(),
                                 (data / "adult" / support::kAdultTraining).string(),
                                 (data / "taxonomies" / "fung-tds").string()},
                                options, context);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->join_values, 54u);
  EXPECT_EQ(report->join_values_with_one, 54u);
  EXPECT_NEAR(OursOf(*report, 2, "BLE").value(), 17.5, 0.06);
  EXPECT_NEAR(OursOf(*report, 2, "RJE").value(), 22.3, 0.06);
  EXPECT_NEAR(OursOf(*report, 2, "KAE").value(), 18.4, 0.06);
  EXPECT_NEAR(OursOf(*report, 1, "least XYD (KAD - 7.16)").value(), 2.07, 0.01);
  EXPECT_NEAR(OursOf(*report, 1, "most XYD (KAD - 1)").value(), 8.23, 0.01);
  EXPECT_LE(OursOf(*report, 2, "the same, our search too").value(), 0.9);
  EXPECT_EQ(OursOf(*report, 2, "most XYE - XYE(row)").value(), 0);
}

}  // namespace
}  // namespace reissue::lab
