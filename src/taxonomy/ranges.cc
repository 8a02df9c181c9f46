// Range trees over the numbers of a column: FromBreakpoints, FromData and FromRoundRanges.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/taxonomy.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {
namespace {

struct RawNumber {
  double number = 0;
  const std::string* text = nullptr;
  std::uint64_t count = 1;
};

Place InColumn(const std::string& column) { return {"", std::nullopt, std::nullopt, column}; }

// The distinct values, by number and then by text. Never names a value: they are raw.
Result<std::vector<RawNumber>> SortedNumbers(std::span<const std::string> raw_values,
                                             std::span<const std::uint64_t> counts,
                                             const std::string& column) {
  if (raw_values.empty()) {
    return InputError(InColumn(column), "the column has no values, so no ranges can be made",
                      "give it values, a taxonomy, or another role");
  }
  std::vector<RawNumber> numbers;
  numbers.reserve(raw_values.size());
  std::size_t others = 0;
  for (std::size_t i = 0; i < raw_values.size(); ++i) {
    const std::optional<double> number = ParseNumber(raw_values[i]);
    if (!number) {
      ++others;
      continue;
    }
    const std::uint64_t count = counts.empty() ? 1 : std::max<std::uint64_t>(counts[i], 1);
    numbers.push_back({*number, &raw_values[i], count});
  }
  if (others != 0) {
    return InputError(InColumn(column),
                      fmt::format("{} of {} distinct values are not numbers, but the column is "
                                  "declared numeric",
                                  others, raw_values.size()),
                      "write them as plain decimal numbers, name the marks of missing values in "
                      "`missing_markers` of [table], or give the column a taxonomy instead");
  }
  std::sort(numbers.begin(), numbers.end(), [](const RawNumber& a, const RawNumber& b) {
    return a.number != b.number ? a.number < b.number : *a.text < *b.text;
  });
  std::vector<RawNumber> distinct;
  for (const RawNumber& entry : numbers) {
    if (!distinct.empty() && *distinct.back().text == *entry.text) {
      distinct.back().count += entry.count;
    } else {
      distinct.push_back(entry);
    }
  }
  return distinct;
}

void AddLeaf(TreeBuilder& builder, std::size_t parent, const RawNumber& leaf) {
  builder.AddRange(*leaf.text, parent, {leaf.number, leaf.number});
}

// ---- breakpoints

using Levels = std::vector<std::vector<double>>;

Status CheckLevel(const std::vector<double>& level, std::size_t number, const std::string& column) {
  if (level.size() < 2) {
    return InputError(InColumn(column),
                      fmt::format("breakpoint list {} has {} number{}; a range needs two", number,
                                  level.size(), level.size() == 1 ? "" : "s"),
                      "name the lower end of every range and the upper end of the last one");
  }
  for (std::size_t i = 0; i < level.size(); ++i) {
    if (!std::isfinite(level[i])) {
      return InputError(
          InColumn(column),
          fmt::format("breakpoint list {} has an entry that is not a finite number", number),
          "use plain decimal numbers");
    }
    if (i > 0 && level[i] <= level[i - 1]) {
      return InputError(InColumn(column),
                        fmt::format("breakpoint list {} does not ascend: {} comes after {}", number,
                                    FormatNumber(level[i]), FormatNumber(level[i - 1])),
                        "sort the numbers and name each once");
    }
  }
  return Ok();
}

Status CheckNested(const std::vector<double>& fine, const std::vector<double>& coarse,
                   std::size_t number, const std::string& column) {
  for (const double point : coarse) {
    if (!std::binary_search(fine.begin(), fine.end(), point)) {
      return InputError(InColumn(column),
                        fmt::format("{} is in breakpoint list {} but not in list {}",
                                    FormatNumber(point), number, number - 1),
                        "write the finest list first; each further list is a selection of the one "
                        "before");
    }
  }
  if (fine.front() != coarse.front() || fine.back() != coarse.back()) {
    return InputError(InColumn(column),
                      fmt::format("breakpoint list {} covers {}, but list {} covers {}", number,
                                  RangeLabel(coarse.front(), coarse.back()), number - 1,
                                  RangeLabel(fine.front(), fine.back())),
                      "begin and end all lists with the same two numbers");
  }
  return Ok();
}

Levels MergePairwise(std::vector<double> finest) {
  Levels levels = {std::move(finest)};
  while (levels.back().size() > 2) {
    const std::vector<double>& fine = levels.back();
    std::vector<double> coarse;
    for (std::size_t i = 0; i + 1 < fine.size(); i += 2) coarse.push_back(fine[i]);
    coarse.push_back(fine.back());
    levels.push_back(std::move(coarse));
  }
  return levels;
}

// From the finest to the coarsest.
Levels ListsOf(std::span<const std::vector<double>> levels) {
  return levels.size() == 1 ? MergePairwise(levels[0]) : Levels(levels.begin(), levels.end());
}

Range RangeWith(const std::vector<double>& list, double number) {
  const auto high = std::upper_bound(list.begin(), list.end(), number);
  return {*(high - 1), *high};
}

// ---- data

// One unit of the finest decimal place in use above the greatest number.
double EndAfter(std::span<const RawNumber> numbers) {
  std::size_t decimals = 0;
  for (const RawNumber& entry : numbers) {
    const std::string text = FormatNumber(entry.number);
    const std::size_t dot = text.find('.');
    if (text.find('e') == std::string::npos && dot != std::string::npos) {
      decimals = std::max(decimals, text.size() - dot - 1);
    }
  }
  const double last = numbers.back().number;
  const double unit = std::pow(10.0, -static_cast<double>(decimals));
  const std::optional<double> end = ParseNumber(fmt::format("{:.{}f}", last + unit, decimals));
  if (end && *end > last) return *end;
  const double next = std::nextafter(last, std::numeric_limits<double>::infinity());
  return std::isfinite(next) ? next : last;
}

// Numbers that are equal but written differently (`1` and `1.0`) stay together.
struct DataPoints {
  std::vector<std::size_t> begin;      // first entry of each distinct number, and the end
  std::vector<double> bounds;          // the distinct numbers, and the end of the last range
  std::vector<std::uint64_t> weights;  // running sums, one more than numbers

  std::size_t size() const { return begin.size() - 1; }
};

DataPoints Distinct(std::span<const RawNumber> numbers) {
  DataPoints points;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i == 0 || numbers[i].number != numbers[i - 1].number) {
      points.begin.push_back(i);
      points.bounds.push_back(numbers[i].number);
      points.weights.push_back(sum);
    }
    sum += numbers[i].count;
  }
  points.begin.push_back(numbers.size());
  points.bounds.push_back(EndAfter(numbers));
  points.weights.push_back(sum);
  return points;
}

// Where [from, to) falls into two parts of weights as equal as possible; the lower of two such.
std::size_t MedianSplit(const DataPoints& points, std::size_t from, std::size_t to) {
  const auto left = [&](std::size_t at) { return points.weights[at] - points.weights[from]; };
  const std::uint64_t total = left(to);
  const auto half = std::lower_bound(points.weights.begin() + from + 1, points.weights.begin() + to,
                                     points.weights[from] + total / 2);
  const std::size_t at =
      std::min<std::size_t>(static_cast<std::size_t>(half - points.weights.begin()), to - 1);
  const auto imbalance = [&](std::size_t split) {
    const std::uint64_t below = left(split), above = total - below;
    return below > above ? below - above : above - below;
  };
  return at > from + 1 && imbalance(at - 1) <= imbalance(at) ? at - 1 : at;
}

}  // namespace

Status CheckBreakpoints(std::span<const std::vector<double>> levels, const std::string& column) {
  if (levels.empty()) {
    return InputError(InColumn(column), "there are no breakpoints",
                      "write at least one list, for example `breakpoints = [0, 20, 40, 60]`");
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    REISSUE_TRY(CheckLevel(levels[i], i + 1, column));
    if (i > 0) REISSUE_TRY(CheckNested(levels[i - 1], levels[i], i + 1, column));
  }
  return Ok();
}

Result<Taxonomy> FromBreakpoints(std::span<const std::vector<double>> levels,
                                 std::span<const std::string> raw_values,
                                 const std::string& column) {
  REISSUE_TRY(CheckBreakpoints(levels, column));
  const Levels lists = ListsOf(levels);
  const std::vector<RawNumber> numbers = REISSUE_TRY(SortedNumbers(raw_values, {}, column));
  const Range span = {lists[0].front(), lists[0].back()};
  const auto outside = std::count_if(numbers.begin(), numbers.end(), [&](const RawNumber& entry) {
    return entry.number < span.low || entry.number >= span.high;
  });
  if (outside != 0) {
    return InputError(InColumn(column),
                      fmt::format("{} of {} distinct values lie outside the breakpoints {}",
                                  outside, numbers.size(), RangeLabel(span.low, span.high)),
                      "make the first breakpoint at most the least value, and the last one greater "
                      "than the greatest value");
  }

  TreeBuilder builder;
  builder.AddRange("*", TreeBuilder::kNoParent, span);
  // The node that was made last on each level, and its range.
  struct Open {
    std::size_t node;
    Range range;
  };
  std::vector<std::optional<Open>> open(lists.size());
  for (const RawNumber& entry : numbers) {
    Open above = {0, span};
    for (std::size_t level = lists.size(); level-- > 0;) {
      const Range range = RangeWith(lists[level], entry.number);
      if (range.low == above.range.low && range.high == above.range.high) continue;
      if (!open[level] || open[level]->range.low != range.low) {
        open[level] =
            Open{builder.AddRange(RangeLabel(range.low, range.high), above.node, range), range};
      }
      above = *open[level];
    }
    AddLeaf(builder, above.node, entry);
  }
  return std::move(builder).Build();
}

std::vector<HierarchyLine> BreakpointLines(std::span<const std::vector<double>> levels,
                                           const Taxonomy& tree) {
  const Levels lists = ListsOf(levels);
  std::vector<HierarchyLine> lines;
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    const NodeId leaf = tree.leaf(rank);
    HierarchyLine line{rank + 1, {tree.label(leaf)}};
    for (const std::vector<double>& list : lists) {
      const Range range = RangeWith(list, tree.range(leaf).low);
      if (list.size() > 2) line.labels.push_back(RangeLabel(range.low, range.high));
    }
    line.labels.push_back(tree.label(Taxonomy::root()));
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<Taxonomy> FromData(std::span<const std::string> raw_values,
                          std::span<const std::uint64_t> counts, const std::string& column) {
  REISSUE_CHECK(raw_values.size() == counts.size());
  const std::vector<RawNumber> numbers = REISSUE_TRY(SortedNumbers(raw_values, counts, column));
  const DataPoints points = Distinct(numbers);

  TreeBuilder builder(TreeBuilder::Labels::kRanges);
  struct Part {
    std::size_t from, to, node;
  };
  std::vector<Part> pending = {{0, points.size(),
                                builder.AddRange("*", TreeBuilder::kNoParent,
                                                 {points.bounds.front(), points.bounds.back()})}};
  const auto add_part = [&](std::size_t from, std::size_t to, std::size_t parent) {
    if (to - from == 1 && points.begin[to] - points.begin[from] == 1) {
      AddLeaf(builder, parent, numbers[points.begin[from]]);
      return;
    }
    const Range range = {points.bounds[from], points.bounds[to]};
    pending.push_back({from, to, builder.AddRange("", parent, range)});
  };
  while (!pending.empty()) {
    const Part part = pending.back();
    pending.pop_back();
    if (part.to - part.from == 1) {
      for (std::size_t i = points.begin[part.from]; i < points.begin[part.to]; ++i) {
        AddLeaf(builder, part.node, numbers[i]);
      }
      continue;
    }
    const std::size_t split = MedianSplit(points, part.from, part.to);
    add_part(part.from, split, part.node);
    add_part(split, part.to, part.node);
  }
  return std::move(builder).Build();
}

Result<Taxonomy> FromRoundRanges(std::span<const std::string> raw_values,
                                 const std::string& column) {
  std::vector<std::string> labels;
  for (const RawNumber& entry : REISSUE_TRY(SortedNumbers(raw_values, {}, column))) {
    labels.push_back(*entry.text);
  }
  // Without round ranges that fit, the numbers themselves.
  if (const auto draft = DraftHierarchy(raw_values, DraftKind::kRanges, column)) {
    for (const HierarchyLine& line : draft->lines) {
      labels.insert(labels.end(), line.labels.begin() + 1, line.labels.end());
    }
  }
  return FromLabels(labels, column);
}

}  // namespace reissue::taxonomy
