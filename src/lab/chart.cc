#include "reissue/lab/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reissue/core/markup.h"

namespace reissue::lab {
namespace {

constexpr double kPanelWidth = 340, kPanelHeight = 250;
constexpr double kLeft = 58, kRight = 14, kTop = 34, kBottom = 46;
constexpr double kTitle = 34, kLegend = 26;
// The first are distinct also for the colour-blind (Okabe and Ito).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                    "#56b4e9", "#000000", "#8c564b", "#7f7f00", "#6a3d9a"};

// The next of 1, 2, 5, 10, … at or above what five steps need.
double StepFor(double span) {
  const double rough = span / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

constexpr double kDigitWidth = 7;

// 0.05, 12.5, 15000: never as a power of ten, as axes have no use for one.
std::string Number(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

struct Names {
  std::vector<std::string> list;
  std::size_t Number(const std::string& name) {
    const auto found = std::find(list.begin(), list.end(), name);
    if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
    list.push_back(name);
    return list.size() - 1;
  }
};

std::string Text(double x, double y, const std::string& text, const char* anchor, int size = 11,
                 const char* more = "") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y,
      anchor, size, more, EscapedXml(text));
}

class Drawing {
 public:
  Drawing(const Panel& panel, double x, double y, Names& names)
      : panel_(panel), x_(x), y_(y), names_(names) {
    for (const Line& line : panel.lines) {
      for (const auto& [px, py] : line.points) {
        low_ = std::min(low_, px);
        high_ = std::max(high_, px);
        top_ = std::max(top_, py);
      }
    }
    if (!(low_ < high_)) high_ = low_ + 1;
    if (!(top_ > 0)) top_ = 1;
    step_ = StepFor(top_);
    top_ = step_ * std::ceil(top_ / step_ - 1e-9);
  }

  std::string Draw() const {
    std::string svg = Axes();
    for (const Line& line : panel_.lines) svg += Curve(line);
    return svg;
  }

 private:
  double X(double value) const {
    return x_ + kLeft + (value - low_) / (high_ - low_) * (kPanelWidth - kLeft - kRight);
  }
  double Y(double value) const {
    return y_ + kPanelHeight - kBottom - value / top_ * (kPanelHeight - kTop - kBottom);
  }

  std::string Axes() const {
    std::string svg =
        Text(x_ + kPanelWidth / 2, y_ + 20, panel_.title, "middle", 13, " font-weight=\"bold\"");
    for (double value = 0; value <= top_ + step_ / 2; value += step_) {
      svg += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n",
          X(low_), Y(value), X(high_), Y(value));
      svg += Text(X(low_) - 6, Y(value) + 4, Number(value), "end");
    }
    std::vector<double> marks;
    for (const Line& line : panel_.lines) {
      for (const auto& point : line.points) marks.push_back(point.first);
    }
    std::sort(marks.begin(), marks.end());
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    double free = -std::numeric_limits<double>::infinity();  // where the last number ends
    for (const double mark : marks) {
      const std::string number = Number(mark);
      const double half = kDigitWidth * static_cast<double>(number.size()) / 2;
      if (X(mark) - half < free) continue;
      svg += Text(X(mark), Y(0) + 16, number, "middle");
      free = X(mark) + half + kDigitWidth;
    }
    svg +=
        Text(x_ + kLeft + (kPanelWidth - kLeft - kRight) / 2, Y(0) + 34, panel_.x_label, "middle");
    const double middle = (Y(0) + Y(top_)) / 2;
    svg += Text(x_ + 14, middle, panel_.y_label, "middle", 11,
                fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x_ + 14, middle).c_str());
    return svg;
  }

  std::string Curve(const Line& line) const {
    if (line.points.empty()) return "";
    const std::string colour =
        line.dashed ? "#555" : kColours[names_.Number(line.name) % std::size(kColours)];
    std::string path;
    for (const auto& [px, py] : line.points) {
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", X(px), Y(py));
    }
    std::string svg = fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
        colour, line.dashed ? 1.2 : 2, line.dashed ? " stroke-dasharray=\"5 4\"" : "");
    if (line.dashed) return svg;
    for (const auto& [px, py] : line.points) {
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", X(px),
                         Y(py), colour);
    }
    return svg;
  }

  const Panel& panel_;
  double x_, y_;
  Names& names_;
  double low_ = std::numeric_limits<double>::max(), high_ = std::numeric_limits<double>::lowest();
  double top_ = 0, step_ = 1;
};

// The legend, broken into lines; `y` is the middle of the first and becomes that of the last.
class Legend {
 public:
  Legend(double width, double y) : width_(width), y_(y) {}

  void Add(const std::string& name, const std::string& colour, bool broken) {
    const double room = 56 + 7.1 * static_cast<double>(name.size());
    if (x_ > kMargin && x_ + room > width_) {
      x_ = kMargin;
      y_ += kLegend;
    }
    svg_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"2\"{}/>\n",
        x_, y_, x_ + 26, y_, colour, broken ? " stroke-dasharray=\"5 4\"" : "");
    svg_ += Text(x_ + 32, y_ + 4, name, "start", 12);
    x_ += room;
  }

  const std::string& svg() const { return svg_; }
  double bottom() const { return y_ + kLegend / 2; }

 private:
  static constexpr double kMargin = 20;
  double width_, x_ = kMargin, y_;
  std::string svg_;
};

}  // namespace

std::string Chart(const std::string& title, const std::vector<Panel>& panels, std::size_t columns) {
  const std::size_t lines = (panels.size() + columns - 1) / columns;
  const double width = kPanelWidth * static_cast<double>(columns);
  Names names;
  std::vector<std::string> dashed;
  std::string body = Text(width / 2, 22, title, "middle", 16, " font-weight=\"bold\"");
  for (std::size_t i = 0; i < panels.size(); ++i) {
    for (const Line& line : panels[i].lines) {
      if (!line.dashed) {
        names.Number(line.name);
      } else if (std::find(dashed.begin(), dashed.end(), line.name) == dashed.end()) {
        dashed.push_back(line.name);
      }
    }
    body += Drawing(panels[i], kPanelWidth * static_cast<double>(i % columns),
                    kTitle + kPanelHeight * static_cast<double>(i / columns), names)
                .Draw();
  }
  Legend legend(width, kTitle + kPanelHeight * static_cast<double>(lines) + kLegend / 2);
  for (std::size_t i = 0; i < names.list.size(); ++i) {
    legend.Add(names.list[i], kColours[i % std::size(kColours)], false);
  }
  for (const std::string& name : dashed) legend.Add(name, "#555", true);
  body += legend.svg();
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
      width, legend.bottom(), body);
}

}  // namespace reissue::lab
