#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/style.h"
#include "reissue/models/bcf/service/report.h"

namespace reissue::cli {
namespace {

TEST(Text, CountsAndNumbers) {
  EXPECT_EQ(Count(0), "0");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1000), "1,000");
  EXPECT_EQ(Count(1234567), "1,234,567");
  EXPECT_EQ(Counted(1, "row", "rows"), "1 row");
  EXPECT_EQ(Counted(0, "row", "rows"), "0 rows");
  EXPECT_EQ(Number(3), "3");
  EXPECT_EQ(Number(-1500), "-1,500");
  EXPECT_EQ(Number(1.0 / 3), "0.3333");
  EXPECT_EQ(Number(std::numeric_limits<double>::infinity()), "infinite");
  EXPECT_EQ(Number(std::nan("")), "unknown");
  EXPECT_EQ(Percent(0.0123), "1.23 %");
}

TEST(Text, AlignsCodePointsAndIgnoresColours) {
  TextTable table({TextTable::Align::kLeft, TextTable::Align::kRight}, 1);
  table.Add({"é", "1"});
  table.Add({Style(true).Good("abc"), "10"});
  EXPECT_EQ(table.ToString(), " é     1\n \x1b[1;32mabc\x1b[0m  10\n");
}

TEST(Text, FillsLines) {
  EXPECT_EQ(Fill("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(Fill("a\n\nb"), "a\n\nb\n");
  EXPECT_EQ(Fill("unbreakablyLong x", 0, 5), "unbreakablyLong\nx\n");
}

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(Printable("a\x1b[2Jb\x7f\r"), "a\\x1b[2Jb\\x7f\\x0d");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\x9b");
  EXPECT_EQ(Printable("\xc2\xa0é\n"), "\xc2\xa0é\n");
}

TEST(Json, HasNoNumbersThatAreNone) {
  contract::AuditReport report;
  report.model = "k";
  report.findings = contract::Findings::Of(models::k::service::CellFindings());
  report.promises.push_back({"beta", 1.5, std::numeric_limits<double>::infinity(), false});
  const std::string json = ToJson(report);
  EXPECT_NE(json.find("\"asked\": 1.5"), std::string::npos) << json;
  EXPECT_NE(json.find("\"measured\": null"), std::string::npos) << json;
  EXPECT_EQ(json.find("inf"), std::string::npos) << json;
}

// What is certain is said whatever was promised, and "Nobody" only where nothing is.
TEST(Text, SaysWhatIsCertainWhateverWasPromised) {
  using contract::Exposure;
  contract::AuditReport report;
  report.model = "k";
  report.releases = {{"1.csv", 9, 2, 4, ""}};
  report.findings = contract::Findings::Of(models::k::service::CellFindings());
  const auto text = [&](std::optional<Exposure::Number> alone,
                        std::optional<Exposure::Number> certain) {
    report.exposure.singled_out = alone;
    report.exposure.value_certain = certain;
    return ToText(report, Style());
  };
  const std::string none = text(Exposure::Exactly(0), Exposure::Exactly(0));
  EXPECT_NE(none.find("Whatever was promised: nobody is singled out, and nobody's value is "
                      "certain.\n"),
            std::string::npos)
      << none;
  EXPECT_NE(none.find("  Nobody, against a reader"), std::string::npos) << none;
  const std::string some = text(Exposure::Exactly(1), Exposure::Number{0, 1340});
  EXPECT_NE(some.find("1 person is singled out, and the value of up to 1,340\n"), std::string::npos)
      << some;
  EXPECT_EQ(some.find("Nobody, against"), std::string::npos) << some;
  EXPECT_NE(text(Exposure::Number{2, 7}, std::nullopt)
                .find("promised: 2 to 7 people are singled "
                      "out.\n"),
            std::string::npos);
  EXPECT_NE(ToJson(report).find("\"certain\""), std::string::npos);
  report.exposure.combinations = true;
  EXPECT_NE(text(Exposure::Exactly(1), Exposure::Exactly(0))
                .find("1 combination of what readers know leaves a single row\n  of the release, "
                      "and none makes a sensitive value certain."),
            std::string::npos)
      << ToText(report, Style());
}

contract::AuditReport UnknownSeries() {
  contract::AuditReport report;
  report.model = "bcf";
  report.satisfied = false;
  report.releases = {{"1.csv", 9, 2, 4, ""}, {"2.csv", 12, 2, 5, ""}};
  models::bcf::service::SeriesFindings series;
  series.k = 3;
  series.verdict = models::bcf::service::SeriesVerdict::kUnknown;
  series.exact = models::bcf::service::Bounds{2, 4};
  series.targets_seen = 20;
  series.undecided = 1;
  report.failure = contract::AuditReport::Failure::kNotProven;
  report.findings = contract::Findings::Of(series);
  return report;
}

TEST(Text, SaysWhereALimitLeftASeriesUndecided) {
  const std::string text = ToText(UnknownSeries(), Style());
  EXPECT_NE(text.find("NOT PROVEN to keep their promise"), std::string::npos) << text;
  EXPECT_NE(text.find("At least 2 and"), std::string::npos) << text;
  EXPECT_NE(text.find("1 possible person of 20"), std::string::npos) << text;
  EXPECT_EQ(text.find("BREAK"), std::string::npos) << text;
}

TEST(Json, HasBothBoundsOfASeries) {
  const std::string json = ToJson(UnknownSeries());
  EXPECT_NE(json.find("\"lower\": 2,\n      \"upper\": 4"), std::string::npos) << json;
  EXPECT_NE(json.find("\"verdict\": \"unknown\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"F\": null"), std::string::npos) << json;
}

TEST(Text, SaysHowAPromiseIsKnownToBeKept) {
  using Number = contract::PromiseKept::Number;
  const std::vector<contract::PromiseKept> promises = {
      {"e", 2, 0, true, contract::Basis::kRule, Number::kNone},
      {"e", 2, 3, true, contract::Basis::kRule, Number::kAtLeast},
      {"j", 2, 0, true, contract::Basis::kHolder, Number::kNone},
      {"j", 2, 7, false, contract::Basis::kOpen},
      {"j", 2, 0, true, contract::Basis::kOpen, Number::kNone}};
  const std::string text = PromiseTable(promises, Style());
  for (const char* words :
       {" by rule  yes", " at least 3  yes", " audited  yes", " 7  NO", "open"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  const Json json = PromisesJson(promises);
  EXPECT_EQ(json.dump(),
            R"([{"promise":"e","asked":2,"measured":null,"kept":true,"proof":"by rule"},)"
            R"({"promise":"e","asked":2,"measured":3,"at_least":true,"kept":true},)"
            R"({"promise":"j","asked":2,"measured":null,"kept":true,"proof":"audited"},)"
            R"({"promise":"j","asked":2,"measured":7,"kept":false},)"
            R"({"promise":"j","asked":2,"measured":null,"kept":null}])");
}

TEST(History, OfAModelThatIsNotKnownIsShownAllTheSame) {
  HistoryReport report;
  report.policy.model = "of a later version";
  report.releases.emplace_back().rows = 7;
  EXPECT_NE(ToText(report, Style()).find("left out"), std::string::npos);
  EXPECT_NE(ToJson(report).find("\"suppressed\": 0"), std::string::npos);
}

TEST(Json, SurvivesBytesThatAreNotUtf8) {
  contract::AuditReport report;
  report.model = "k";
  report.findings = contract::Findings::Of(models::k::service::CellFindings());
  report.published_identifiers = {"n\xfc"};
  EXPECT_NE(ToJson(report).find("n\xef\xbf\xbd"), std::string::npos);
}

TEST(ErrorText, MakesSentencesOfRemedies) {
  const Error error = InputError(Place{"t.csv", 7, std::nullopt, "age"}, "a number was expected",
                                 "correct the value");
  EXPECT_EQ(ToText(error, Style()),
            "reissue: t.csv:7, column \"age\": a number was expected\n  Correct the value.\n");
  EXPECT_EQ(
      ToJson(error),
      "{\n  \"error\": {\n    \"code\": \"input\",\n    \"message\": \"a number was expected\","
      "\n    \"file\": \"t.csv\",\n    \"line\": 7,\n    \"column\": \"age\",\n    \"remedy\": "
      "\"Correct the value.\"\n  }\n}\n");
}

TEST(Style, ColoursOnlyWhereAsked) {
  EXPECT_EQ(Style().Bad("x"), "x");
  EXPECT_EQ(Style(true).Bad("x"), "\x1b[1;31mx\x1b[0m");
}

}  // namespace
}  // namespace reissue::cli
