#include "cli/render/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "cli/render/text.h"
#include "reissue/core/markup.h"

namespace reissue::cli {
namespace {

constexpr double kWidth = 760, kPanelHeight = 300;
constexpr double kLeftMargin = 70, kRightMargin = 30, kTopMargin = 16, kBottomMargin = 52;
constexpr double kTitleHeight = 44, kLineHeight = 20;
constexpr double kLetter = 6.2;      // width, at size 11
constexpr double kBoldLetter = 7.2;  // the same of bold ones, at size 12
// Distinct also for the colour-blind (Okabe and Ito).
constexpr const char* kPalette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                    "#56b4e9", "#444444", "#8c564b", "#7f7f00", "#6a3d9a"};

std::string TextAt(double x, double y, const std::string& text, const char* anchor, int size = 11,
                   const std::string& more = "") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y,
      anchor, size, more, EscapedXml(text));
}

// The next of 1, 2, 5, 10, … at or above what five steps need.
double RoundStep(double span) {
  const double rough = span / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

class PanelDrawing {
 public:
  PanelDrawing(const FigurePanel& panel, double top) : panel_(panel), top_(top) {
    for (const FigureLine& line : panel.lines) {
      for (const FigurePoint& point : line.points) {
        marks_.push_back(point.x);
        most_ = std::max({most_, point.y, point.high.value_or(0)});
      }
    }
    std::ranges::sort(marks_);
    marks_.erase(std::ranges::unique(marks_).begin(), marks_.end());
    if (!(most_ > 0)) most_ = panel.percent ? 0.01 : 1;
    step_ = RoundStep(most_);
    most_ = step_ * std::ceil(most_ / step_ - 1e-9);
    if (panel.percent) most_ = std::min(most_, std::max(1.0, step_));
  }

  std::string Draw() const {
    std::string svg = Axes();
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) svg += Band(panel_.lines[i], Colour(i));
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) svg += Curve(panel_.lines[i], Colour(i));
    for (const FigureLine& line : panel_.lines) svg += Labels(line);
    return svg;
  }

  static const char* Colour(std::size_t i) { return kPalette[i % std::size(kPalette)]; }

 private:
  double At(double x) const { return panel_.logarithmic ? std::log(x) : x; }
  double X(double x) const {
    if (marks_.empty()) return kLeftMargin;
    const double low = At(marks_.front()), high = At(marks_.back());
    const double share = low < high ? (At(x) - low) / (high - low) : 0.5;
    constexpr double kInset = 18;
    return kLeftMargin + kInset + share * (kWidth - kLeftMargin - kRightMargin - 2 * kInset);
  }
  double Y(double y) const {
    return top_ + kPanelHeight - kBottomMargin -
           y / most_ * (kPanelHeight - kTopMargin - kBottomMargin);
  }
  std::string XText(double x) const {
    if (!panel_.words.empty()) return panel_.words[static_cast<std::size_t>(x)];
    return fmt::format("{}", x);
  }

  std::string Axes() const {
    std::string svg;
    const double right = kWidth - kRightMargin;
    for (int i = 0; i * step_ <= most_ + step_ / 2; ++i) {
      const double value = i * step_;
      svg += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n",
          kLeftMargin, Y(value), right, Y(value), i == 0 ? "#888" : "#e4e4e4");
      svg += TextAt(
          kLeftMargin - 8, Y(value) + 4,
          panel_.percent ? fmt::format("{:g} %", 100 * value) : fmt::format("{:g}", value), "end");
    }
    double free = -std::numeric_limits<double>::infinity();
    for (const double mark : marks_) {
      const std::string text = XText(mark);
      const double half = kLetter * static_cast<double>(text.size()) / 2;
      if (X(mark) - half < free) continue;
      svg += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#888\"/>\n",
          X(mark), Y(0), Y(0) + 4);
      svg += TextAt(X(mark), Y(0) + 17, text, "middle");
      free = X(mark) + half + kLetter;
    }
    svg += TextAt((kLeftMargin + right) / 2, Y(0) + 36, panel_.x_label, "middle", 12);
    const double middle = (Y(0) + Y(most_)) / 2;
    svg += TextAt(18, middle, panel_.y_label, "middle", 12,
                  fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", middle));
    return svg;
  }

  std::string Band(const FigureLine& line, const char* colour) const {
    std::string there, back;
    for (const FigurePoint& point : line.points) {
      if (!point.low || !point.high) continue;
      there += fmt::format("{:.1f},{:.1f} ", X(point.x), Y(*point.high));
      back = fmt::format("{:.1f},{:.1f} ", X(point.x), Y(*point.low)) + back;
    }
    if (there.empty()) return "";
    return fmt::format("<polygon points=\"{}{}\" fill=\"{}\" fill-opacity=\"0.18\"/>\n", there,
                       back, colour);
  }

  std::string Curve(const FigureLine& line, const char* colour) const {
    std::string path;
    for (const FigurePoint& point : line.points) {
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", X(point.x), Y(point.y));
    }
    std::string svg =
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
                    path, colour);
    for (const FigurePoint& point : line.points) {
      svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" "
          "stroke-width=\"1.6\"/>\n",
          X(point.x), Y(point.y), point.filled ? 5 : 3.5, point.filled ? colour : "white", colour);
    }
    return svg;
  }

  // How many points a text over this box would hide.
  std::size_t Hidden(double left, double right, double above, double below) const {
    std::size_t hidden = 0;
    for (const FigureLine& line : panel_.lines) {
      for (const FigurePoint& point : line.points) {
        const double x = X(point.x), y = Y(point.y);
        hidden += left <= x && x <= right && above <= y && y <= below ? 1 : 0;
      }
    }
    return hidden;
  }

  // In black, with a ring around the point; above or below it, where fewer points are hidden.
  std::string Labels(const FigureLine& line) const {
    std::string svg;
    for (const FigurePoint& point : line.points) {
      if (point.label.empty()) continue;
      const double x = X(point.x), y = Y(point.y);
      const double room = kBoldLetter * static_cast<double>(point.label.size());
      const bool to_left = x + room > kWidth - 6;
      const double from = to_left ? x + 6 - room : x - 6;
      const auto hidden = [&](double base) {
        const bool outside = base - 10 < top_ + kTopMargin || base > Y(0);
        return Hidden(from, from + room, base - 14, base + 6) + (outside ? 100 : 0);
      };
      const double base = hidden(y + 24) < hidden(y - 12) ? y + 24 : y - 12;
      svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"none\" stroke=\"#222\" "
          "stroke-width=\"1.4\"/>\n",
          x, y);
      svg += TextAt(to_left ? x + 6 : x - 6, base, point.label, to_left ? "end" : "start", 12,
                    " font-weight=\"bold\" stroke=\"white\" stroke-width=\"3\" "
                    "paint-order=\"stroke\"");
    }
    return svg;
  }

  const FigurePanel& panel_;
  double top_;
  std::vector<double> marks_;
  double most_ = 0, step_ = 1;
};

// Broken into lines; `y` becomes the middle of the line after them.
std::string LegendOf(const FigurePanel& panel, double& y) {
  if (panel.lines.size() < 2) return "";
  std::string svg;
  double x = kLeftMargin;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const std::string& name = panel.lines[i].name;
    const double room = 44 + 6.6 * static_cast<double>(name.size());
    if (x > kLeftMargin && x + room > kWidth) {
      x = kLeftMargin;
      y += kLineHeight;
    }
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"2.4\"/>\n",
        x, y, x + 22, y, PanelDrawing::Colour(i));
    svg += TextAt(x + 28, y + 4, name, "start", 12);
    x += room;
  }
  y += kLineHeight;
  return svg;
}

}  // namespace

std::string Draw(const std::string& title, const std::vector<FigurePanel>& panels,
                 const std::vector<std::string>& notes) {
  std::string body = TextAt(kWidth / 2, 27, title, "middle", 16, " font-weight=\"bold\"");
  double y = kTitleHeight;
  for (const FigurePanel& panel : panels) {
    body += PanelDrawing(panel, y).Draw();
    y += kPanelHeight + 8;
    body += LegendOf(panel, y);
  }
  for (const std::string& note : notes) {
    body += TextAt(kLeftMargin, y + 4, note, "start", 11, " fill=\"#555\"");
    y += kLineHeight - 4;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
      kWidth, y + 8, body);
}

}  // namespace reissue::cli
