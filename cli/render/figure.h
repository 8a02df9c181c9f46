#pragma once
// Pictures of what a release costs, as SVG: panels one below the other, lines with points, bands.

#include <optional>
#include <string>
#include <vector>

namespace reissue::cli {

struct FigurePoint {
  double x = 0, y = 0;
  std::optional<double> low, high;  // a band around it
  bool filled = false;              // on the frontier
  std::string label;                // beside it; empty: none
};

struct FigureLine {
  std::string name;
  std::vector<FigurePoint> points;  // ascending in x
};

struct FigurePanel {
  std::string x_label, y_label;
  bool percent = false;            // y is a share
  bool logarithmic = false;        // x, all above 0
  std::vector<std::string> words;  // where x counts words, from 0
  std::vector<FigureLine> lines;
};

// `notes` stand below, a line each.
std::string Draw(const std::string& title, const std::vector<FigurePanel>& panels,
                 const std::vector<std::string>& notes);

}  // namespace reissue::cli
