#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/lab.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using lab::Distortion;
using lab::LinkedReport;
using lab::LinkedSet;
using lab::LinkedSetting;
using lab::PlainSetting;

using enum TextTable::Align;

std::string Share(const std::optional<double>& share) { return share ? Percent(*share) : "none"; }

std::optional<double> Levels(const std::optional<Distortion>& d) {
  return d ? std::optional(d->categorical) : std::nullopt;
}
std::optional<double> Ranges(const std::optional<Distortion>& d) {
  return d ? std::optional(d->continuous) : std::nullopt;
}
std::string Plain(const std::optional<double>& number) { return number ? Number(*number) : "none"; }

std::string Baselines(const LinkedReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kRight});
  table.Add({"set", "BLE", "RJE", "KAE", "KAD levels", "KAD ranges", "least levels", "majority"});
  for (const LinkedSet& set : report.sets) {
    const auto mean = [&](lab::PickPlain pick) { return lab::MeanOf(report, set.name, pick); };
    table.Add({set.name, Percent(set.unmodified), Percent(set.without_joins),
               Share(mean([](const PlainSetting& s) { return s.error; })),
               Plain(mean([](const PlainSetting& s) { return Levels(s.distortion); })),
               Plain(mean([](const PlainSetting& s) { return Ranges(s.distortion); })),
               Plain(mean([](const PlainSetting& s) { return Levels(s.least); })),
               Percent(set.majority)});
  }
  return table.ToString();
}

double MostSeconds(const LinkedReport& report, const std::string& set, const std::string& kind,
                   std::size_t top) {
  double most = 0;
  for (const LinkedSetting& s : report.settings) {
    if (s.set == set && s.kind == kind && s.top == top) most = std::max(most, s.seconds);
  }
  return most;
}

std::string Requirements(const LinkedReport& report, const std::string& kind) {
  const bool anonymity = kind == "anonymity";
  std::vector<TextTable::Align> columns(anonymity ? 9 : 5, kRight);
  columns[0] = kLeft;
  TextTable table(std::move(columns));
  table.Add(anonymity
                ? std::vector<std::string>{"set", "top", "XYE", "XYE(row)", "ours", "XYD levels",
                                           "XYD ranges", "least levels", "seconds"}
                : std::vector<std::string>{"set", "top", "XYE", "RSE", "seconds"});
  for (const LinkedSet& set : report.sets) {
    for (const std::size_t top : lab::TopsOf(report, set.name, kind)) {
      const auto mean = [&](lab::PickLinked pick) {
        return lab::MeanOf(report, set.name, kind, top, pick);
      };
      std::vector<std::string> cells = {
          set.name, Count(top), Share(mean([](const LinkedSetting& s) { return s.error; }))};
      if (anonymity) {
        cells.push_back(Share(mean([](const LinkedSetting& s) { return s.error_rows; })));
        cells.push_back(Share(mean([](const LinkedSetting& s) { return s.error_ours; })));
        cells.push_back(Plain(mean([](const LinkedSetting& s) { return Levels(s.distortion); })));
        cells.push_back(Plain(mean([](const LinkedSetting& s) { return Ranges(s.distortion); })));
        cells.push_back(Plain(mean([](const LinkedSetting& s) { return Levels(s.least); })));
      } else {
        cells.push_back(Share(mean([](const LinkedSetting& s) { return s.without_y; })));
      }
      cells.push_back(Number(MostSeconds(report, set.name, kind, top)));
      table.Add(cells);
    }
  }
  return table.ToString();
}

std::string PaperTable(const LinkedReport& report) {
  TextTable table({kRight, kLeft, kLeft, kRight, kRight});
  table.Add({"figure", "set", "", "paper", "here"});
  for (const lab::PaperNumber& number : lab::ComparedWithPaper(report)) {
    table.Add(
        {Count(number.figure), number.set, number.what, Number(number.paper), Plain(number.ours)});
  }
  return table.ToString();
}

Json JsonMaybe(const std::optional<double>& number) {
  return number ? JsonNumber(*number) : Json();
}
Json JsonDistortion(const std::optional<Distortion>& lost) {
  if (!lost) return Json();
  return Json{{"levels", lost->categorical}, {"ranges", lost->continuous}};
}

}  // namespace

std::string ToText(const LabLinkedReport& report, const Style& style) {
  const LinkedReport& result = report.result;
  std::string text = style.Heading("T1 by itself") + "\n" + Baselines(result);
  text += Fill(
      "BLE: classification error of the unmodified T1. RJE: without the join columns. KAE, KAD: T1 "
      "made k-anonymous on all its columns (mean over k). Levels are steps up the taxonomies per "
      "row, ranges are shares of the full range per row. Least: where losing little is all that "
      "counts. Set A has words only, set B numbers too.",
      4);
  text += "\n" + style.Heading("(X,Y)-anonymity, means over k") + "\n" +
          Requirements(result, "anonymity");
  text += Fill(
      "XYE: error of T1 made safe against the join with T2, Y = rows of T1. XYE(row): Y = pairs of "
      "rows. Ours: the better of the paper's search and ours, by the errors on the training file. "
      "XYD: detail that the releases of XYE lose.",
      4);
  text += "\n" + style.Heading("(X,Y)-linkability, means over the confidence") + "\n" +
          Requirements(result, "linkability");
  text += Fill("RSE: error without the columns of Y.", 4);
  text += "\n" + style.Heading("Beside the paper (errors in %, distortion per row)") + "\n" +
          PaperTable(result);
  for (const std::string& reason : lab::WhyNumbersDiffer(result)) text += Fill(reason, 4);
  text += "\n" + Fill("Loading took " + Number(result.load_seconds) + " s, all searches " +
                      Number(result.search_seconds) + " s.");
  for (const std::string& file : report.files) text += "\nwrote " + Printable(file);
  if (!report.files.empty()) text += "\n";
  return text;
}

std::string ToJson(const LabLinkedReport& report) {
  const LinkedReport& result = report.result;
  Json json;
  json["experiment"] = "xy";
  json["sets"] = Json::array();
  for (const LinkedSet& set : result.sets) {
    json["sets"].push_back({{"set", set.name},
                            {"BLE", set.unmodified},
                            {"RJE", set.without_joins},
                            {"majority", set.majority}});
  }
  json["k_anonymity"] = Json::array();
  for (const PlainSetting& plain : result.plain) {
    json["k_anonymity"].push_back({{"set", plain.set},
                                   {"k", plain.k},
                                   {"KAE", JsonMaybe(plain.error)},
                                   {"KAD", JsonDistortion(plain.distortion)},
                                   {"least", JsonDistortion(plain.least)}});
  }
  json["settings"] = Json::array();
  for (const LinkedSetting& s : result.settings) {
    json["settings"].push_back({{"set", s.set},
                                {"kind", s.kind},
                                {"top", s.top},
                                {"threshold", JsonNumber(s.threshold)},
                                {"XYE", JsonMaybe(s.error)},
                                {"XYE_row", JsonMaybe(s.error_rows)},
                                {"XYE_ours", JsonMaybe(s.error_ours)},
                                {"XYD", JsonDistortion(s.distortion)},
                                {"least", JsonDistortion(s.least)},
                                {"RSE", JsonMaybe(s.without_y)},
                                {"seconds", s.seconds}});
  }
  json["paper"] = Json::array();
  for (const lab::PaperNumber& number : lab::ComparedWithPaper(result)) {
    json["paper"].push_back({{"figure", number.figure},
                             {"set", number.set},
                             {"what", number.what},
                             {"paper", JsonNumber(number.paper)},
                             {"here", JsonMaybe(number.ours)}});
  }
  json["why"] = lab::WhyNumbersDiffer(result);
  json["seconds"] = {{"load", result.load_seconds}, {"search", result.search_seconds}};
  json["files"] = report.files;
  return JsonText(json);
}

}  // namespace reissue::cli
