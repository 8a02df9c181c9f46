// A range tree from published labels: CanonicalLabel and FromLabels.

#include "reissue/taxonomy/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/taxonomy.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {
namespace {

constexpr std::string_view kRoot = "*";

// `[a,b)` with a < b.
std::optional<Range> ParseRange(std::string_view text) {
  if (text.size() < 5 || text.front() != '[' || text.back() != ')') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto low = ParseNumber(text.substr(0, comma));
  const auto high = ParseNumber(text.substr(comma + 1));
  if (!low || !high || *low >= *high) return std::nullopt;
  return Range{*low, *high};
}

std::optional<Range> Parse(std::string_view text) {
  if (const auto number = ParseNumber(text)) return Range{*number, *number};
  return ParseRange(text);
}

// A range comes before everything that it contains.
auto Order(const Range& range) { return std::tuple(range.low, IsNumber(range), -range.high); }

}  // namespace

std::string LabelOf(const Range& range) {
  return IsNumber(range) ? FormatNumber(range.low) : RangeLabel(range.low, range.high);
}

Result<std::vector<Range>> ParseLabels(std::span<const std::string> labels,
                                       const std::string& column) {
  std::vector<Range> ranges;
  for (const std::string& label : labels) {
    if (label == kRoot) continue;
    const auto range = Parse(label);
    if (!range) {
      return InputError({"", std::nullopt, std::nullopt, column},
                        "a label is neither a number nor a range [a,b) nor *",
                        "write numbers and ranges like that, or give the column a taxonomy");
    }
    ranges.push_back(*range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return Order(a) < Order(b); });
  const auto same = [](const Range& a, const Range& b) { return Order(a) == Order(b); };
  ranges.erase(std::unique(ranges.begin(), ranges.end(), same), ranges.end());
  return ranges;
}

std::optional<std::string> CanonicalLabel(std::string_view label) {
  if (label == kRoot) return std::string(kRoot);
  const auto range = Parse(label);
  if (!range) return std::nullopt;
  return LabelOf(*range);
}

Result<Taxonomy> FromLabels(std::span<const std::string> labels, const std::string& column) {
  const Place place{"", std::nullopt, std::nullopt, column};
  const std::vector<Range> ranges = REISSUE_TRY(ParseLabels(labels, column));
  Range span;
  for (const Range& range : ranges) {
    if (&range == &ranges.front()) span = range;
    span.high = std::max(span.high, range.high);
  }

  TreeBuilder builder;
  struct Open {
    std::size_t node;
    Range range;
  };
  std::vector<Open> open;
  builder.AddRange(std::string(kRoot), TreeBuilder::kNoParent, span);
  for (const Range& range : ranges) {
    while (!open.empty() && open.back().range.high <= range.low) open.pop_back();
    if (!open.empty() && open.back().range.high < range.high) {
      return InputError(place,
                        fmt::format("the ranges {} and {} overlap, and neither contains the other",
                                    LabelOf(open.back().range), LabelOf(range)),
                        "releases can be compared where ranges lie inside one another: publish "
                        "with breakpoints or a taxonomy");
    }
    const std::size_t parent = open.empty() ? 0 : open.back().node;
    const std::size_t node = builder.AddRange(LabelOf(range), parent, range);
    if (!IsNumber(range)) open.push_back({node, range});
  }
  return std::move(builder).Build();
}

}  // namespace reissue::taxonomy
