#include "cli/page/frontier.h"

#include <algorithm>
#include <map>
#include <set>

#include "cli/render/text.h"

namespace reissue::cli::page {
namespace {

std::string Shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? Number(value.get<double>()) : "";
}

bool Says(const Json& point, const char* key) {
  return point.contains(key) && point[key].is_boolean() && point[key].get<bool>();
}

std::optional<double> NumberAt(const Json& point, const char* key) {
  if (!point.contains(key) || !point[key].is_number()) return std::nullopt;
  return point[key].get<double>();
}

std::vector<std::string> AxesOf(const Json& points) {
  std::vector<std::string> axes;
  for (const Json& point : points) {
    for (const auto& [key, value] : point["settings"].items()) {
      if (std::ranges::find(axes, key) == axes.end()) axes.push_back(key);
    }
  }
  return axes;
}

// The first axis with several numbers; empty: none.
std::string DrawnAxis(const Json& points, const std::vector<std::string>& axes) {
  for (const std::string& axis : axes) {
    std::set<double> numbers;
    for (const Json& point : points) {
      const Json& settings = point["settings"];
      if (settings.contains(axis) && settings[axis].is_number()) {
        numbers.insert(settings[axis].get<double>());
      }
    }
    if (numbers.size() > 1) return axis;
  }
  return "";
}

Chart ChartOf(const Json& points, const std::vector<std::string>& axes, const std::string& drawn) {
  std::set<double> numbers;
  std::map<std::string, std::map<double, double>> lines;
  for (const Json& point : points) {
    const auto x = NumberAt(point["settings"], drawn.c_str());
    const auto loss = NumberAt(point, "loss");
    if (!x || !loss) continue;
    std::string name;
    for (const std::string& axis : axes) {
      if (axis == drawn || !point["settings"].contains(axis)) continue;
      name += (name.empty() ? "" : ", ") + axis + " " + Shown(point["settings"][axis]);
    }
    numbers.insert(*x);
    lines[name][*x] = *loss;
  }
  Chart chart{.title = "Detail lost, by " + drawn,
              .about = "the numbers stand in the table below",
              .percent = true,
              .x_title = drawn};
  for (const double x : numbers) chart.x.push_back(Number(x));
  for (const auto& [name, losses] : lines) {
    Chart::Line line{name, {}};
    for (const double x : numbers) {
      const auto found = losses.find(x);
      line.y.push_back(found == losses.end() ? std::nullopt : std::optional(found->second));
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

Section Frontier(const Json& explored) {
  Section section{"What other promises would cost", {}};
  const Json& points = explored["points"];
  const std::vector<std::string> axes = AxesOf(points);
  const std::string drawn = DrawnAxis(points, axes);
  if (!drawn.empty()) section.blocks.push_back(Charts{{ChartOf(points, axes, drawn)}});
  Grid grid{"Releases that were tried", {}, {}};
  for (const std::string& axis : axes) grid.columns.push_back({axis, true});
  grid.columns.insert(grid.columns.end(), {{"detail lost", true},
                                           {"rows hidden", true},
                                           {"smallest group", true},
                                           {"on the frontier", false}});
  for (const Json& point : points) {
    std::vector<Grid::Cell> row;
    for (const std::string& axis : axes) {
      row.push_back({point["settings"].contains(axis) ? Shown(point["settings"][axis]) : ""});
    }
    const auto loss = NumberAt(point, "loss");
    const auto text = [&](const char* key) {
      const auto number = NumberAt(point, key);
      return number ? Number(*number) : std::string();
    };
    row.push_back({loss ? Percent(*loss) : "impossible"});
    row.push_back({text("rows_hidden")});
    row.push_back({text("smallest_group")});
    row.push_back({Says(point, "knee") ? "yes, its knee" : Says(point, "frontier") ? "yes" : ""});
    grid.rows.push_back(std::move(row));
  }
  section.blocks.push_back(std::move(grid));
  section.blocks.push_back(
      Paragraph{"On the frontier: no other release that was tried promises at least as much and "
                "loses less. The knee: from there on a stronger promise costs more than its "
                "share."});
  return section;
}

}  // namespace reissue::cli::page
