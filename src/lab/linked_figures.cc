#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "reissue/lab/linked.h"

namespace reissue::lab {
namespace {

using Pick = std::function<std::optional<double>(const LinkedSetting&)>;

// The mean over the thresholds of a requirement that can be kept.
std::optional<double> Mean(const LinkedReport& report, const std::string& set,
                           const std::string& kind, std::size_t top, const Pick& pick) {
  double sum = 0;
  std::size_t count = 0;
  for (const LinkedSetting& setting : report.settings) {
    if (setting.set != set || setting.kind != kind || setting.top != top) continue;
    if (const std::optional<double> value = pick(setting)) {
      sum += *value;
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

std::vector<std::size_t> Tops(const LinkedReport& report, const std::string& set,
                              const std::string& kind) {
  std::vector<std::size_t> tops;
  for (const LinkedSetting& setting : report.settings) {
    if (setting.set != set || setting.kind != kind) continue;
    if (std::find(tops.begin(), tops.end(), setting.top) == tops.end()) tops.push_back(setting.top);
  }
  return tops;
}

Line Curve(const LinkedReport& report, const std::string& set, const std::string& kind,
           const std::string& name, const Pick& pick, double scale = 1) {
  Line line;
  line.name = name;
  for (const std::size_t top : Tops(report, set, kind)) {
    if (const auto mean = Mean(report, set, kind, top, pick)) {
      line.points.emplace_back(static_cast<double>(top), *mean * scale);
    }
  }
  return line;
}

Line Level(const LinkedReport& report, const std::string& set, const std::string& kind,
           const std::string& name, double value) {
  Line line;
  line.name = name;
  for (const std::size_t top : Tops(report, set, kind)) {
    line.points.emplace_back(static_cast<double>(top), value);
  }
  return line;
}

std::optional<double> MeanPlain(
    const LinkedReport& report, const std::string& set,
    const std::function<std::optional<double>(const PlainSetting&)>& pick) {
  double sum = 0;
  std::size_t count = 0;
  for (const PlainSetting& setting : report.plain) {
    if (setting.set != set) continue;
    if (const auto value = pick(setting)) {
      sum += *value;
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

constexpr double kPercent = 100;

}  // namespace

std::optional<double> MeanError(const LinkedReport& report, const std::string& set,
                                const std::string& kind, std::size_t top) {
  return Mean(report, set, kind, top, [](const LinkedSetting& s) { return s.error; });
}

std::vector<Panel> FigureLinkedAnonymity(const LinkedReport& report) {
  std::vector<Panel> panels;
  for (const LinkedSet& set : report.sets) {
    Panel distortion;
    distortion.title = fmt::format("Set {}: distortion", set.name);
    distortion.x_label = "top columns in X";
    distortion.y_label = "per row";
    const auto add = [&](const char* name, auto member) {
      distortion.lines.push_back(Curve(report, set.name, "anonymity", fmt::format("XYD {}", name),
                                       [member](const LinkedSetting& s) {
                                         return s.distortion
                                                    ? std::optional(s.distortion.value().*member)
                                                    : std::nullopt;
                                       }));
      const auto plain = MeanPlain(report, set.name, [member](const PlainSetting& s) {
        return s.distortion ? std::optional(s.distortion.value().*member) : std::nullopt;
      });
      if (plain) {
        distortion.lines.push_back(
            Level(report, set.name, "anonymity", fmt::format("KAD {}", name), *plain));
      }
    };
    add("levels", &Distortion::categorical);
    if (set.name != "A") add("ranges", &Distortion::continuous);
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
    error.lines.push_back(Level(report, set.name, "anonymity", "BLE", set.unmodified * kPercent));
    error.lines.push_back(
        Level(report, set.name, "anonymity", "RJE", set.without_joins * kPercent));
    const auto plain = MeanPlain(report, set.name, [](const PlainSetting& s) { return s.error; });
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
      "set,kind,top,threshold,error,error_rows,distortion_levels,distortion_ranges,without_y,"
      "seconds\n";
  const auto text = [](const std::optional<double>& number) {
    return number ? fmt::format("{}", *number) : std::string();
  };
  for (const LinkedSetting& s : report.settings) {
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{:.4f}\n", s.set, s.kind, s.top, s.threshold,
                       text(s.error), text(s.error_rows),
                       s.distortion ? fmt::format("{}", s.distortion->categorical) : "",
                       s.distortion ? fmt::format("{}", s.distortion->continuous) : "",
                       text(s.without_y), s.seconds);
  }
  return csv;
}

}  // namespace reissue::lab
