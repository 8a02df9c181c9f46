#include <fmt/format.h>

#include "reissue/lab/linked.h"

namespace reissue::lab {
namespace {

Line Curve(const LinkedReport& report, const std::string& set, const std::string& kind,
           const std::string& name, PickLinked pick, double scale = 1) {
  Line line;
  line.name = name;
  for (const std::size_t top : TopsOf(report, set, kind)) {
    if (const auto mean = MeanOf(report, set, kind, top, pick)) {
      line.points.emplace_back(static_cast<double>(top), *mean * scale);
    }
  }
  return line;
}

Line Level(const LinkedReport& report, const std::string& set, const std::string& kind,
           const std::string& name, double value) {
  Line line;
  line.name = name;
  for (const std::size_t top : TopsOf(report, set, kind)) {
    line.points.emplace_back(static_cast<double>(top), value);
  }
  return line;
}

std::optional<double> Levels(const std::optional<Distortion>& lost) {
  return lost ? std::optional(lost->categorical) : std::nullopt;
}
std::optional<double> Ranges(const std::optional<Distortion>& lost) {
  return lost ? std::optional(lost->continuous) : std::nullopt;
}

constexpr double kPercent = 100;

}  // namespace

std::vector<Panel> FigureLinkedAnonymity(const LinkedReport& report) {
  std::vector<Panel> panels;
  for (const LinkedSet& set : report.sets) {
    Panel distortion;
    distortion.title = fmt::format("Set {}: distortion", set.name);
    distortion.x_label = "top columns in X";
    distortion.y_label = "per row";
    const auto add = [&](const char* name, PickLinked linked, PickPlain plain) {
      distortion.lines.push_back(
          Curve(report, set.name, "anonymity", fmt::format("XYD {}", name), linked));
      if (const auto mean = MeanOf(report, set.name, plain)) {
        distortion.lines.push_back(
            Level(report, set.name, "anonymity", fmt::format("KAD {}", name), *mean));
      }
    };
    add(
        "levels", [](const LinkedSetting& s) { return Levels(s.distortion); },
        [](const PlainSetting& s) { return Levels(s.distortion); });
    if (set.name != "A") {
      add(
          "ranges", [](const LinkedSetting& s) { return Ranges(s.distortion); },
          [](const PlainSetting& s) { return Ranges(s.distortion); });
    }
    panels.push_back(std::move(distortion));

    Panel error;
    error.title = fmt::format("Set {}: classification error", set.name);
    error.x_label = "top columns in X";
    error.y_label = "%";
    error.lines.push_back(Curve(
        report, set.name, "anonymity", "XYE", [](const LinkedSetting& s) { return s.error; },
        kPercent));
    error.lines.push_back(Curve(
        report, set.name, "anonymity", "XYE(row)",
        [](const LinkedSetting& s) { return s.error_rows; }, kPercent));
    Line ours = Curve(
        report, set.name, "anonymity", "XYE, our search too",
        [](const LinkedSetting& s) { return s.error_ours; }, kPercent);
    if (!ours.points.empty()) error.lines.push_back(std::move(ours));
    error.lines.push_back(Level(report, set.name, "anonymity", "BLE", set.unmodified * kPercent));
    error.lines.push_back(
        Level(report, set.name, "anonymity", "RJE", set.without_joins * kPercent));
    const auto plain = MeanOf(report, set.name, [](const PlainSetting& s) { return s.error; });
    if (plain) {
      error.lines.push_back(Level(report, set.name, "anonymity", "KAE", *plain * kPercent));
    }
    panels.push_back(std::move(error));
  }
  return panels;
}

std::vector<Panel> FigureLinkedLinkability(const LinkedReport& report) {
  std::vector<Panel> panels;
  for (const LinkedSet& set : report.sets) {
    Panel error;
    error.title = fmt::format("Set {}: classification error", set.name);
    error.x_label = "top columns in Y";
    error.y_label = "%";
    error.lines.push_back(Curve(
        report, set.name, "linkability", "XYE", [](const LinkedSetting& s) { return s.error; },
        kPercent));
    error.lines.push_back(Curve(
        report, set.name, "linkability", "RSE", [](const LinkedSetting& s) { return s.without_y; },
        kPercent));
    error.lines.push_back(Level(report, set.name, "linkability", "BLE", set.unmodified * kPercent));
    error.lines.push_back(
        Level(report, set.name, "linkability", "RJE", set.without_joins * kPercent));
    panels.push_back(std::move(error));
  }
  return panels;
}

std::string LinkedCsv(const LinkedReport& report) {
  std::string csv =
      "set,kind,top,threshold,error,error_rows,error_ours,distortion_levels,distortion_ranges,"
      "least_levels,least_ranges,without_y,seconds\n";
  const auto text = [](const std::optional<double>& number) {
    return number ? fmt::format("{}", *number) : std::string();
  };
  for (const LinkedSetting& s : report.settings) {
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.4f}\n", s.set, s.kind, s.top,
                       s.threshold, text(s.error), text(s.error_rows), text(s.error_ours),
                       text(Levels(s.distortion)), text(Ranges(s.distortion)),
                       text(Levels(s.least)), text(Ranges(s.least)), text(s.without_y), s.seconds);
  }
  return csv;
}

}  // namespace reissue::lab
