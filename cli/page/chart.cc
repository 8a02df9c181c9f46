#include "cli/page/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/render/text.h"

namespace reissue::cli::page {
namespace {

constexpr double kWidth = 320, kHeight = 176;
constexpr double kLeft = 46, kRight = 12, kTop = 16, kBottom = 26, kTitled = 14;
constexpr std::size_t kMostWords = 8;     // below the chart; of more every second, third …
constexpr std::size_t kMostValues = 8;    // written at their points
constexpr std::size_t kKindsOfLines = 4;  // in the style sheet

std::string Decimal(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", number);
  return text;
}

// 1, 2 or 5 times a power of ten, so that about three of them reach `most`.
double StepFor(double most) {
  const double rough = most / 3;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::string ValueText(double value, bool percent) {
  return percent ? Percent(value) : Number(value);
}

// "12k" where there is no room for more.
std::string TickText(double value, bool percent) {
  if (percent) return Number(std::round(value * 1000) / 10) + " %";
  if (value >= 1e6) return Number(value / 1e6) + "M";
  if (value >= 1e4) return Number(value / 1e3) + "k";
  return Number(value);
}

class Canvas {
 public:
  explicit Canvas(const Chart& chart) : chart_(chart) {
    for (const Chart::Line& line : chart.lines) {
      for (const auto& y : line.y) most_ = std::max(most_, y.value_or(0));
    }
    most_ = std::max(most_, chart.limit.value_or(0));
    if (most_ <= 0) most_ = 1;
    if (!chart.percent) most_ = std::max(most_, 2.0);
    step_ = StepFor(most_);
    most_ = std::ceil(most_ / step_ - 1e-9) * step_;
    bottom_ = kHeight - kBottom - (chart.x_title.empty() ? 0 : kTitled);
  }

  Html Draw() const {
    Html inside = Ticks() + Words();
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      inside += chart_.columns ? ColumnsOf(chart_.lines[i]) : LineOf(chart_.lines[i], i);
    }
    return inside + Limit();
  }

 private:
  double X(std::size_t i) const { return kLeft + Slot() * (static_cast<double>(i) + 0.5); }
  double Slot() const {
    return (kWidth - kLeft - kRight) /
           static_cast<double>(std::max<std::size_t>(chart_.x.size(), 1));
  }
  double Y(double value) const { return bottom_ - (bottom_ - kTop) * value / most_; }

  static Html Label(double x, double y, Word kind, const std::string& text) {
    return Element("text",
                   {{"class", std::string(kind.text())}, {"x", Decimal(x)}, {"y", Decimal(y)}},
                   Text(text));
  }

  Html Ticks() const {
    Html ticks;
    for (double value = 0; value <= most_ + step_ / 2; value += step_) {
      ticks += Element("line",
                       {{"class", value == 0 ? "axis" : "rule"},
                        {"x1", Decimal(kLeft)},
                        {"x2", Decimal(kWidth - kRight)},
                        {"y1", Decimal(Y(value))},
                        {"y2", Decimal(Y(value))}},
                       Html());
      ticks += Label(kLeft - 6, Y(value) + 4, "tick", TickText(value, chart_.percent));
    }
    return ticks;
  }

  Html Words() const {
    const std::size_t every = (chart_.x.size() + kMostWords - 1) / kMostWords;
    Html words;
    for (std::size_t i = 0; i < chart_.x.size(); i += std::max<std::size_t>(every, 1)) {
      words += Label(X(i), bottom_ + 16, "word", chart_.x[i]);
    }
    if (!chart_.x_title.empty()) {
      words += Label((kLeft + kWidth - kRight) / 2, kHeight - 4, "word", chart_.x_title);
    }
    return words;
  }

  bool WritesValues() const { return chart_.lines.size() == 1 && chart_.x.size() <= kMostValues; }

  Html ColumnsOf(const Chart::Line& line) const {
    Html columns;
    const double width = std::min(Slot() * 0.7, 48.0);
    for (std::size_t i = 0; i < line.y.size(); ++i) {
      if (!line.y[i]) continue;
      columns += Element("rect",
                         {{"class", "column"},
                          {"x", Decimal(X(i) - width / 2)},
                          {"y", Decimal(Y(*line.y[i]))},
                          {"width", Decimal(width)},
                          {"height", Decimal(bottom_ - Y(*line.y[i]))}},
                         Html());
      if (WritesValues()) {
        columns += Label(X(i), Y(*line.y[i]) - 4, "value", ValueText(*line.y[i], chart_.percent));
      }
    }
    return columns;
  }

  Html LineOf(const Chart::Line& line, std::size_t number) const {
    std::string points;
    Html marks;
    for (std::size_t i = 0; i < line.y.size(); ++i) {
      if (!line.y[i]) continue;
      points += (points.empty() ? "" : " ") + Decimal(X(i)) + "," + Decimal(Y(*line.y[i]));
      marks += Element("circle",
                       {{"class", KindOf(number)},
                        {"cx", Decimal(X(i))},
                        {"cy", Decimal(Y(*line.y[i]))},
                        {"r", "3.5"}},
                       Html());
      if (WritesValues()) {
        marks += Label(X(i), Y(*line.y[i]) - 8, "value", ValueText(*line.y[i], chart_.percent));
      }
    }
    return Element("polyline", {{"class", KindOf(number)}, {"points", points}}, Html()) + marks;
  }

  Html Limit() const {
    if (!chart_.limit) return Html();
    const double y = Y(*chart_.limit);
    return Element("line",
                   {{"class", "limit"},
                    {"x1", Decimal(kLeft)},
                    {"x2", Decimal(kWidth - kRight)},
                    {"y1", Decimal(y)},
                    {"y2", Decimal(y)}},
                   Html()) +
           Label(kWidth - kRight, y + (y < kTop + 12 ? 12 : -4), "limit", chart_.limit_words);
  }

 public:
  static std::string KindOf(std::size_t line) {
    return "line" + std::to_string(line % kKindsOfLines);
  }

 private:
  const Chart& chart_;
  double most_ = 0, step_ = 1, bottom_ = 0;
};

Html LegendOf(const Chart& chart) {
  if (chart.lines.size() < 2) return Html();
  Html items;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const std::string kind = Canvas::KindOf(i);
    const Html swatch = Element(
        "svg", {{"class", "swatch"}, {"viewBox", "0 0 28 10"}, {"aria-hidden", "true"}},
        Element("polyline", {{"class", kind}, {"points", "0,5 28,5"}}, Html()) +
            Element("circle", {{"class", kind}, {"cx", "14"}, {"cy", "5"}, {"r", "3.5"}}, Html()));
    items += Element("li", swatch + Text(" " + chart.lines[i].name));
  }
  return Element("ul", {{"class", "legend"}}, items);
}

}  // namespace

Html Drawn(const Chart& chart) {
  const Html picture =
      Element("svg",
              {{"class", "chart"},
               {"role", "img"},
               {"aria-label", chart.title + (chart.about.empty() ? "" : ": " + chart.about)},
               {"viewBox", "0 0 " + Decimal(kWidth) + " " + Decimal(kHeight)}},
              Canvas(chart).Draw());
  return Element("figure", Element("figcaption", Text(chart.title)) + picture + LegendOf(chart));
}

Html BarOf(double share) {
  const double percent = std::clamp(share, 0.0, 1.0) * 100;
  return Element("svg", {{"class", "bar"}, {"aria-hidden", "true"}, {"focusable", "false"}},
                 Element("rect", {{"width", Decimal(percent) + "%"}, {"height", "100%"}}, Html()));
}

}  // namespace reissue::cli::page
