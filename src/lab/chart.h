#pragma once
// Line charts as SVG, several panels in one picture: for the figures of the lab.

#include <string>
#include <vector>

namespace reissue::lab {

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool dashed = false;  // a bound rather than a measurement: thin, grey, no marks
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Line> lines;
};

// Panels row by row, `columns` of them side by side; all y axes begin at 0. Lines of one name have
// one colour in all panels, told by a legend below.
std::string Chart(const std::string& title, const std::vector<Panel>& panels, std::size_t columns);

}  // namespace reissue::lab
