#include "cli/render/explore.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/render/figure.h"
#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "reissue/engine/explore.h"
#include "reissue/io/csv.h"

namespace reissue::cli {
namespace {

using contract::ExploreReport;
using Point = ExploreReport::Point;
using Sense = contract::Axis::Sense;

constexpr char kHolderOnly[] =
    "This is for you alone: it tells of groups that a release would hide.";

std::string Word(const io::Setting& setting) {
  return setting.kind == io::Setting::Kind::kText ? setting.text : engine::SettingText(setting);
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), seconds < 10 ? "%.2f s" : "%.0f s", seconds);
  return text;
}

// "k 10, recoding local".
std::string NameOfPoint(const ExploreReport& report, const Point& point) {
  std::string name;
  for (std::size_t x = 0; x < report.axes.size(); ++x) {
    name += (x > 0 ? ", " : "") + report.axes[x].key + " " + Word(point.settings[x]);
  }
  return name.empty() ? "the policy as it is" : name;
}

std::string Mark(const Point& point) {
  if (point.knee) return "**";
  return point.frontier ? "*" : "";
}

const contract::Tried& ReleaseOf(const ExploreReport& report, const Point& point) {
  return report.points[point.taken].tried;
}

std::string PointsText(const ExploreReport& report) {
  std::vector<Align> columns = {Align::kLeft};
  std::vector<std::string> head = {""};
  for (const contract::Axis& axis : report.axes) {
    columns.push_back(Align::kRight);
    head.push_back(axis.key);
  }
  columns.insert(columns.end(), {Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  head.insert(head.end(), {"loss of detail", "rows hidden", "smallest group", "time"});
  TextTable table(columns);
  table.Add(head);
  for (const Point& point : report.points) {
    std::vector<std::string> row = {Mark(point)};
    for (const io::Setting& setting : point.settings) row.push_back(Printable(Word(setting)));
    const contract::Tried& release = ReleaseOf(report, point);
    if (release.problem) {
      row.insert(row.end(), {"impossible", "", "", ""});
    } else {
      row.insert(row.end(), {Percent(release.loss), Count(release.suppressed),
                             Count(release.smallest), Seconds(point.tried.seconds)});
      if (&release != &point.tried) {
        row.back() += "  as " + NameOfPoint(report, report.points[point.taken]);
      }
    }
    table.Add(row);
  }
  std::string text = table.ToString();
  const auto impossible = std::ranges::find_if(report.points, [&](const Point& point) {
    return ReleaseOf(report, point).problem.has_value();
  });
  if (impossible != report.points.end()) {
    text += "\n" + Fill("Impossible, " + NameOfPoint(report, *impossible) + ": " +
                            Printable(ReleaseOf(report, *impossible).problem->message) + ".",
                        2);
  }
  return text;
}

std::string FrontierText(const ExploreReport& report, const Style& style) {
  std::string text = style.Heading("How to publish the points of the frontier") + "\n";
  for (const Point& point : report.points) {
    if (!point.frontier) continue;
    text += "  " + Printable(NameOfPoint(report, point)) + (point.knee ? " (the knee)" : "") +
            ": loss of detail " + Percent(point.tried.loss) + "\n";
    if (!point.lines.empty()) {
      std::string lines;
      for (const std::string& line : point.lines) lines += (lines.empty() ? "" : ", ") + line;
      text += "    in [guarantee] of " + Printable(report.policy) + ": " + lines + "\n";
    }
    text += "    " + Printable(point.command) + "\n";
  }
  return text;
}

std::string LegendText() {
  return Fill(
             "* on the frontier: no other point promises at least as much in everything and loses "
             "less. ** its knee: farthest below the chord from the weakest promise to the "
             "strongest. Rows hidden lose all their detail. \"as …\": that release promises as "
             "much and loses less than the one that was found here.",
             2) +
         "\n";
}

Json SettingsObject(const ExploreReport& report, const Point& point) {
  Json json = Json::object();
  for (std::size_t x = 0; x < report.axes.size(); ++x) {
    const io::Setting& setting = point.settings[x];
    json[report.axes[x].key] =
        setting.kind == io::Setting::Kind::kText ? Json(setting.text) : JsonNumber(setting.number);
  }
  return json;
}

Json PointObject(const ExploreReport& report, const Point& point) {
  Json json;
  json["settings"] = SettingsObject(report, point);
  const contract::Tried& release = ReleaseOf(report, point);
  json["possible"] = !release.problem;
  if (release.problem) {
    json["problem"] = JsonError(*release.problem);
    return json;
  }
  json["loss"] = release.loss;
  json["rows_hidden"] = release.suppressed;
  json["smallest_group"] = release.smallest;
  json["seconds"] = point.tried.seconds;
  json["frontier"] = point.frontier;
  json["knee"] = point.knee;
  if (&release != &point.tried) {
    json["release_of"] = SettingsObject(report, report.points[point.taken]);
  }
  json["guarantee"] = point.lines;
  json["command"] = point.command;
  return json;
}

// The axis that is drawn from left to right: a promise, or else the first that has numbers.
std::size_t DrawnAxis(const ExploreReport& report) {
  const auto numbers = [&](std::size_t x) {
    return std::ranges::all_of(report.points, [&](const Point& point) {
      return point.settings[x].kind == io::Setting::Kind::kNumber;
    });
  };
  const auto varies = [&](std::size_t x) {
    return std::ranges::any_of(report.points, [&](const Point& point) {
      return point.settings[x].number != report.points[0].settings[x].number;
    });
  };
  for (std::size_t x = 0; x < report.axes.size(); ++x) {
    if (report.axes[x].sense != Sense::kNothing && numbers(x) && varies(x)) return x;
  }
  for (std::size_t x = 0; x < report.axes.size(); ++x) {
    if (numbers(x) && varies(x)) return x;
  }
  return 0;
}

// "k: people who look alike, at least", with the direction in which more is promised.
std::string AxisWords(const contract::Axis& axis) {
  if (axis.sense == Sense::kNothing) return axis.key;
  const bool larger = axis.sense == Sense::kPromisesMore;
  const std::string meaning = axis.key == "k" ? ": rows that look alike, at least" : "";
  return axis.key + meaning +
         (larger ? " (to the right more is promised)" : " (to the left more is promised)");
}

std::string FigureOf(const ExploreReport& report) {
  FigurePanel panel;
  panel.percent = true;
  panel.y_label = "loss of detail (0 %: the raw table)";
  const std::size_t drawn = DrawnAxis(report);
  const bool any = !report.axes.empty();
  if (any) panel.x_label = AxisWords(report.axes[drawn]);
  std::map<std::string, std::size_t> word;
  panel.logarithmic = any;
  std::vector<std::string> names;
  for (const Point& point : report.points) {
    const contract::Tried& release = ReleaseOf(report, point);
    if (release.problem) continue;
    FigurePoint drawn_point;
    drawn_point.y = release.loss;
    drawn_point.filled = point.frontier;
    if (any && point.settings[drawn].kind == io::Setting::Kind::kNumber) {
      drawn_point.x = point.settings[drawn].number;
    } else {
      const std::string text = any ? point.settings[drawn].text : report.model;
      const auto [found, added] = word.try_emplace(text, word.size());
      if (added) panel.words.push_back(text);
      drawn_point.x = static_cast<double>(found->second);
    }
    if (drawn_point.x <= 0 || !panel.words.empty()) panel.logarithmic = false;
    if (point.knee) {
      drawn_point.label = "knee: " +
                          (any ? report.axes[drawn].key + " " + Word(point.settings[drawn]) + ", "
                               : std::string()) +
                          Percent(release.loss) + " lost";
    }
    std::string name;
    for (std::size_t x = 0; x < report.axes.size(); ++x) {
      if (x == drawn) continue;
      name += (name.empty() ? "" : ", ") + report.axes[x].key + " " + Word(point.settings[x]);
    }
    auto line = std::ranges::find(panel.lines, name, &FigureLine::name);
    if (line == panel.lines.end()) {
      panel.lines.push_back({name, {}});
      line = panel.lines.end() - 1;
    }
    line->points.push_back(std::move(drawn_point));
  }
  for (FigureLine& line : panel.lines) std::ranges::stable_sort(line.points, {}, &FigurePoint::x);
  std::vector<std::string> notes = {
      "Each point is a release that could be published: " + Counted(report.rows, "row", "rows") +
          ", release " + Count(report.release) + ".",
      "Filled: on the frontier. No other point promises as much and loses less."};
  if (std::ranges::any_of(report.points, &Point::knee)) {
    notes.push_back("Knee: from there on a stronger promise costs more than its share.");
  }
  notes.push_back(kHolderOnly);
  return Draw("What is promised against what is lost", {panel}, notes);
}

std::string CsvOf(const ExploreReport& report) {
  std::string text;
  for (const contract::Axis& axis : report.axes) text += axis.key + ",";
  text += "loss,rows_hidden,smallest_group,seconds,frontier,knee,guarantee,command\n";
  for (const Point& point : report.points) {
    const contract::Tried& release = ReleaseOf(report, point);
    for (const io::Setting& setting : point.settings) {
      io::AppendField(text, Word(setting));
      text += ',';
    }
    if (release.problem) {
      text += ",,,,,,,\n";
      continue;
    }
    std::string lines;
    for (const std::string& line : point.lines) lines += (lines.empty() ? "" : "; ") + line;
    text += Json(release.loss).dump() + "," + std::to_string(release.suppressed) + "," +
            std::to_string(release.smallest) + "," + Json(point.tried.seconds).dump() + "," +
            (point.frontier ? "1" : "0") + "," + (point.knee ? "1," : "0,");
    io::AppendField(text, lines);
    text += ',';
    io::AppendField(text, point.command);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string ToText(const ExploreReport& report, const Style& style) {
  std::string text = style.Good("Tried") + " " +
                     Counted(report.points.size(), "release", "releases") + " of " +
                     Printable(report.table) + " (" + Counted(report.rows, "row", "rows") +
                     ") as release " + Count(report.release) + ". Nothing was written.\n\n";
  text += PointsText(report) + "\n" + LegendText();
  const bool any = std::ranges::any_of(report.points, &Point::frontier);
  if (any) text += FrontierText(report, style) + "\n";
  return text + Fill(kHolderOnly + std::string(" Releases are planned here; `publish` attacks what "
                                               "it has written before it is put in place."));
}

std::string ToJson(const ExploreReport& report) {
  Json json;
  json["model"] = report.model;
  json["policy"] = report.policy;
  json["table"] = report.table;
  if (!report.vault.empty()) json["vault"] = report.vault;
  json["release"] = report.release;
  json["rows"] = report.rows;
  json["budget"] = JsonNumber(report.budget);
  json["points"] = Json::array();
  for (const Point& point : report.points) json["points"].push_back(PointObject(report, point));
  return JsonText(json);
}

std::string FileOf(const ExploreReport& report, const std::string& path) {
  if (path.ends_with(".svg")) return FigureOf(report);
  return path.ends_with(".csv") ? CsvOf(report) : ToJson(report);
}

}  // namespace reissue::cli
