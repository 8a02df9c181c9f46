#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reissue/taxonomy/draft_kinds.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::taxonomy::internal {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

struct Band {
  double low = -kNoEnd, high = kNoEnd;
  std::string low_text, high_text;
  bool with_high = true;  // 20-29, as against [20,30)
  std::string text;
};

// How two numbers are written as a range: `[`, `-`, `)`.
struct BandStyle {
  std::string open, between, close;
};

std::string_view Stripped(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = Stripped(text.substr(prefix.size()));
  return true;
}
bool TakeEnd(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text = Stripped(text.substr(0, text.size() - suffix.size()));
  return true;
}

bool SetLow(std::string_view text, Band& band) {
  const std::optional<double> number = ParseNumber(text);
  if (!number) return false;
  band.low = *number;
  band.low_text = text;
  return true;
}
bool SetHigh(std::string_view text, Band& band) {
  const std::optional<double> number = ParseNumber(text);
  if (!number) return false;
  band.high = *number;
  band.high_text = text;
  return true;
}

std::optional<Band> OpenBand(std::string_view text) {
  Band band;
  for (const std::string_view more : {">=", "\xE2\x89\xA5", ">", "over ", "more than "}) {
    if (!Take(text, more)) continue;
    return SetLow(text, band) ? std::optional(band) : std::nullopt;
  }
  for (const std::string_view less :
       {"<=", "\xE2\x89\xA4", "up to ", "<", "under ", "less than "}) {
    band.with_high = less != "<" && less != "under " && less != "less than ";
    if (!Take(text, less)) continue;
    return SetHigh(text, band) ? std::optional(band) : std::nullopt;
  }
  for (const std::string_view more : {"+", " and over", " or more", " and older", " or older"}) {
    if (!TakeEnd(text, more)) continue;
    return SetLow(text, band) ? std::optional(band) : std::nullopt;
  }
  return std::nullopt;
}

// A range with two ends; `style` is how it is written.
std::optional<Band> ClosedBand(std::string_view text, BandStyle& style) {
  const bool bracket = text.size() > 2 && (text.front() == '[' || text.front() == '(') &&
                       (text.back() == ')' || text.back() == ']' || text.back() == '[');
  std::string open, close;
  if (bracket) {
    open = text.front();
    close = text.back();
    text = text.substr(1, text.size() - 2);
  }
  for (const std::string_view between :
       {", ", ",", ";", " - ", "-", "\xE2\x80\x93", " to ", ".."}) {
    const std::size_t at = text.find(between, 1);  // not the sign of the first number
    if (at == std::string_view::npos) continue;
    if (!bracket && between.find_first_of(",;") != std::string_view::npos) continue;
    Band band;
    band.with_high = !bracket || close == "]";
    if (!SetLow(Stripped(text.substr(0, at)), band) ||
        !SetHigh(Stripped(text.substr(at + between.size())), band) || band.low > band.high) {
      continue;
    }
    style = {open, std::string(between), close};
    return band;
  }
  return std::nullopt;
}

// `[a,b)`, `<b` or `>=a`, whatever the bands of the file are written like. Only where that would
// not be the same set (`(20,30]`, `1.5-2.9`) as they are.
std::string BandLabel(const Band& first, const Band& last, const BandStyle& style, bool whole) {
  if (first.low == -kNoEnd && last.high == kNoEnd) return "*";
  if (last.high == kNoEnd) return ">=" + first.low_text;
  const bool half_open = !last.with_high || whole;
  const std::string below = !last.with_high ? last.high_text : FormatNumber(last.high + 1);
  if (first.low == -kNoEnd) return half_open ? "<" + below : "<=" + last.high_text;
  if (half_open && style.open != "(") return "[" + first.low_text + "," + below + ")";
  return style.open + first.low_text + style.between + last.high_text + style.close;
}

// Whether all ends are whole numbers: the next one after 29 is 30.
bool OfWholeNumbers(const std::vector<Band>& bands) {
  const auto whole = [](double end) { return std::isinf(end) || end == std::floor(end); };
  return std::ranges::all_of(bands,
                             [&](const Band& band) { return whole(band.low) && whole(band.high); });
}

}  // namespace

DraftLines DraftBands(std::span<const std::string> values) {
  constexpr std::size_t kMostStrange = 2;
  std::vector<Band> bands;
  std::vector<std::string> strange;
  BandStyle style;
  std::size_t closed = 0;
  for (const std::string& value : values) {
    const std::string_view text = Stripped(value);
    BandStyle own;
    std::optional<Band> band = ClosedBand(text, own);
    if (band) {
      if (closed++ == 0) style = own;
    } else {
      band = OpenBand(text);
    }
    Band single;
    if (!band && SetLow(text, single) && SetHigh(text, single)) band = single;
    if (!band) {
      strange.push_back(value);
      continue;
    }
    band->text = value;
    bands.push_back(*std::move(band));
  }
  if (closed == 0 || closed * 2 < bands.size() || bands.size() < 3 ||
      strange.size() > kMostStrange) {
    return std::nullopt;
  }
  std::sort(bands.begin(), bands.end(), [](const Band& a, const Band& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  for (std::size_t i = 1; i < bands.size(); ++i) {
    if (bands[i].low < bands[i - 1].high) return std::nullopt;  // they overlap
  }
  const bool whole = OfWholeNumbers(bands);
  std::vector<HierarchyLine> lines;
  for (const Band& band : bands) lines.push_back({0, {band.text}});
  for (std::size_t width = 2; width < bands.size(); width *= 2) {
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const std::size_t first = i / width * width;
      const std::size_t last = std::min(first + width, bands.size()) - 1;
      lines[i].labels.push_back(first == last ? bands[first].text
                                              : BandLabel(bands[first], bands[last], style, whole));
    }
  }
  for (HierarchyLine& line : lines) line.labels.emplace_back("*");
  for (const std::string& value : strange) lines.push_back({0, {value, "*"}});
  return lines;
}

}  // namespace reissue::taxonomy::internal
