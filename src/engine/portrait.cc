#include "reissue/engine/portrait.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <tuple>

#include "reissue/binding/grouped/release.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/rows.h"
#include "reissue/binding/scale.h"
#include "reissue/core/cells.h"
#include "reissue/io/csv.h"
#include "reissue/metrics/loss.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::engine {
namespace {

using taxonomy::Taxonomy;
using Counts = std::vector<std::pair<std::string, std::uint64_t>>;  // label, rows

constexpr std::size_t kMostBars = 12;
constexpr std::size_t kRanges = 10;  // that many numbers are put into

std::string RoleWord(io::Role role) {
  switch (role) {
    case io::Role::kQuasi:
      return "quasi";
    case io::Role::kSensitive:
      return "sensitive";
    case io::Role::kPublish:
      return "publish";
    case io::Role::kIdentifier:
    case io::Role::kDrop:
      break;
  }
  return "";
}

// The numbers that a label stands for, as far as it says; `*` says nothing.
std::optional<std::pair<double, double>> Extent(std::string_view label) {
  if (const auto number = taxonomy::ParseNumber(label)) return std::pair(*number, *number);
  if (label.ends_with(')')) {
    return binding::EndsOfRange(std::string(label.substr(0, label.size() - 1)) + "]");
  }
  return binding::EndsOfRange(label);
}

Counts CountsOf(const Column& column) {
  std::vector<std::uint64_t> rows(column.dictionary().size(), 0);
  for (const ValueId value : column.values()) ++rows[value.index()];
  Counts counts;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (rows[v] > 0) counts.emplace_back(column.dictionary()[ValueId(v)], rows[v]);
  }
  return counts;
}

// By the taxonomy, else by numbers, else by how many rows they have.
void Sort(const Taxonomy* tree, Counts& counts) {
  constexpr double kLast = std::numeric_limits<double>::infinity();
  std::vector<std::tuple<double, double, std::string, std::uint64_t>> keyed;
  for (const auto& [label, rows] : counts) {
    double first = kLast, second = 0;
    if (tree != nullptr) {
      if (const auto node = binding::FindLabel(*tree, label))
        first = static_cast<double>(node->raw());
    } else if (label == "*") {
      first = -kLast;
    } else if (const auto ends = Extent(label)) {
      first = ends->first;
      second = -ends->second;
    }
    if (first == kLast) second = -static_cast<double>(rows);
    keyed.emplace_back(first, second, label, rows);
  }
  std::ranges::sort(keyed);
  counts.clear();
  for (auto& [first, second, label, rows] : keyed) counts.emplace_back(std::move(label), rows);
}

// Many single numbers as a few ranges; nothing where some are none.
std::optional<Counts> InRanges(const Counts& counts) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::vector<double> numbers;
  for (const auto& [label, rows] : counts) {
    const auto number = taxonomy::ParseNumber(label);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    low = std::min(low, *number);
    high = std::max(high, *number);
  }
  const double rough = (high - low) / kRanges;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough <= power       ? 1
                               : rough <= 2 * power ? 2
                               : rough <= 5 * power ? 5
                                                    : 10);
  if (!std::isfinite(step) || step <= 0) return std::nullopt;
  std::map<std::int64_t, std::uint64_t> rows_of;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    rows_of[static_cast<std::int64_t>(std::floor(numbers[i] / step))] += counts[i].second;
  }
  Counts ranges;
  for (std::int64_t at = rows_of.begin()->first; at <= rows_of.rbegin()->first; ++at) {
    ranges.emplace_back("[" + taxonomy::FormatNumber(static_cast<double>(at) * step) + "," +
                            taxonomy::FormatNumber(static_cast<double>(at + 1) * step) + ")",
                        rows_of.contains(at) ? rows_of[at] : 0);
  }
  return ranges;
}

// All of them, or those with the most rows in their order and the others together.
std::vector<Portrait::Bar> BarsOf(const Counts& counts) {
  std::vector<std::uint64_t> sizes;
  for (const auto& [label, rows] : counts) sizes.push_back(rows);
  std::ranges::sort(sizes, std::greater{});
  const bool all = counts.size() <= kMostBars;
  const std::uint64_t least = all ? 0 : sizes[kMostBars - 2];
  std::size_t room = all ? kMostBars : kMostBars - 1;
  std::size_t ties = static_cast<std::size_t>(  // of those that just fit
      std::ranges::count(sizes.begin(),
                         sizes.begin() + static_cast<std::ptrdiff_t>(std::min(room, sizes.size())),
                         least));
  std::vector<Portrait::Bar> bars;
  Portrait::Bar rest;
  for (const auto& [label, rows] : counts) {
    const bool shown = all || rows > least || (rows == least && ties > 0);
    if (shown) {
      if (!all && rows == least) --ties;
      bars.push_back({label, rows, 0});
    } else {
      rest.rows += rows;
      ++rest.others;
    }
  }
  if (rest.others > 0) bars.push_back(std::move(rest));
  return bars;
}

// Of numbers without a tree: widths of the ranges, against all that the labels span.
std::optional<double> LostOfNumbers(const Counts& counts) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& [label, rows] : counts) {
    if (label == "*") continue;
    const auto ends = Extent(label);
    if (!ends) return std::nullopt;
    low = std::min(low, ends->first);
    high = std::max(high, ends->second);
  }
  double lost = 0, total = 0;
  for (const auto& [label, rows] : counts) {
    const auto ends = Extent(label);
    const double width = label == "*" ? 1
                         : high > low ? (ends->second - ends->first) / (high - low)
                                      : 0;
    lost += width * static_cast<double>(rows);
    total += static_cast<double>(rows);
  }
  return total > 0 ? std::optional(lost / total) : std::nullopt;
}

std::optional<double> LostOf(const io::PolicyColumn& column, const Taxonomy* tree,
                             const Counts& counts) {
  if (tree == nullptr) return column.numeric ? LostOfNumbers(counts) : std::nullopt;
  double lost = 0, total = 0;
  for (const auto& [label, rows] : counts) {
    const auto node = binding::FindLabel(*tree, label);
    if (!node) return std::nullopt;
    lost += metrics::CertaintyPenalty(*tree, *node, 0, 0) * static_cast<double>(rows);
    total += static_cast<double>(rows);
  }
  return total > 0 ? std::optional(lost / total) : std::nullopt;
}

struct Painter {
  const io::Policy& policy;
  std::map<std::string, std::shared_ptr<const Taxonomy>> trees;  // of quasi-identifiers

  Portrait::Column Paint(const io::PolicyColumn& column, Counts counts, bool release) const {
    Portrait::Column painted{column.name, RoleWord(column.role), counts.size(), 0, 0, {}, {}};
    const auto found = trees.find(column.name);
    const Taxonomy* const tree = found == trees.end() ? nullptr : found->second.get();
    for (const auto& [label, rows] : counts) {
      painted.rows += rows;
      if (label == "*") painted.hidden += rows;
    }
    if (release && column.role == io::Role::kQuasi) painted.lost = LostOf(column, tree, counts);
    std::optional<Counts> ranges;
    if (counts.size() > kMostBars && (column.numeric || tree == nullptr || tree->numeric())) {
      ranges = InRanges(counts);
    }
    if (ranges) {
      counts = *std::move(ranges);
    } else {
      Sort(tree, counts);
    }
    painted.bars = BarsOf(counts);
    return painted;
  }
};

Result<Painter> MakePainter(const io::Policy& policy, binding::Context& context) {
  Painter painter{policy, {}};
  const auto trees = REISSUE_TRY(binding::LoadTaxonomies(policy, context));
  const auto quasi = policy.WithRole(io::Role::kQuasi);
  for (std::size_t q = 0; q < quasi.size(); ++q) painter.trees.emplace(quasi[q]->name, trees[q]);
  return painter;
}

// Values that stand in a file of their own, counted by group.
Result<std::map<std::string, Counts>> CountedBeside(const io::Policy& policy,
                                                    const std::string& release,
                                                    binding::Context& context) {
  std::map<std::string, Counts> counted;
  const std::string beside = release + binding::kSensitiveSuffix;
  if (!context.files.Exists(beside)) return counted;
  io::CsvOptions options;
  options.digest = false;
  const io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, beside, options, context.pool, context.progress));
  const auto count = file.table.Find(binding::kCountColumn);
  if (!count) return counted;
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kSensitive)) {
    const auto id = file.table.Find(column->name);
    if (!id) continue;
    std::map<std::string, std::uint64_t> rows;
    for (std::size_t r = 0; r < file.table.rows(); ++r) {
      const auto number = taxonomy::ParseNumber(file.table[*count].text(RowId(r)));
      if (number && *number > 0) {
        rows[std::string(file.table[*id].text(RowId(r)))] += static_cast<std::uint64_t>(*number);
      }
    }
    counted[column->name] = Counts(rows.begin(), rows.end());
  }
  return counted;
}

// By the numbers of groups where the file has them, else by the quasi-identifiers.
std::vector<std::pair<std::uint64_t, std::uint64_t>> SizesOf(const io::Policy& policy,
                                                             const Table& table,
                                                             binding::Context& context) {
  std::vector<ColumnId> by;
  const bool grouped = policy.Find(binding::kGroupColumn) == nullptr;
  if (const auto group = table.Find(binding::kGroupColumn); group && grouped) {
    by.push_back(*group);
  } else {
    for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
      if (const auto id = table.Find(column->name)) by.push_back(*id);
    }
  }
  std::map<std::uint64_t, std::uint64_t> sizes;
  if (by.empty()) return {};
  const Cells cells = BuildCells(table, by, context.pool);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) ++sizes[cells.count(CellId(cell))];
  return {sizes.begin(), sizes.end()};
}

Result<Portrait> Painted(const Painter& painter, const std::string& path, const io::CsvFile& file,
                         std::map<std::string, Counts> beside, bool release) {
  Portrait portrait;
  portrait.file = std::filesystem::path(path).filename().string();
  portrait.rows = file.table.rows();
  for (const io::PolicyColumn& column : painter.policy.columns) {
    if (RoleWord(column.role).empty()) continue;
    if (const auto id = file.table.Find(column.name)) {
      portrait.columns.push_back(painter.Paint(column, CountsOf(file.table[*id]), release));
    } else if (beside.contains(column.name)) {
      portrait.columns.push_back(painter.Paint(column, std::move(beside[column.name]), release));
    }
  }
  return portrait;
}

}  // namespace

std::optional<double> Portrait::lost() const {
  double sum = 0;
  std::size_t quasi = 0;
  for (const Column& column : columns) {
    if (column.role != RoleWord(io::Role::kQuasi)) continue;
    if (!column.lost) return std::nullopt;
    sum += *column.lost;
    ++quasi;
  }
  return quasi > 0 ? std::optional(sum / static_cast<double>(quasi)) : std::nullopt;
}

Result<Portrait> PortraitOfRelease(const io::Policy& policy, const std::string& release,
                                   binding::Context& context) {
  const Painter painter = REISSUE_TRY(MakePainter(policy, context));
  io::CsvOptions options;
  options.digest = false;
  const io::CsvFile file = REISSUE_TRY(binding::ReadRows(release, options, context));
  auto beside = REISSUE_TRY(CountedBeside(policy, release, context));
  Portrait portrait = REISSUE_TRY(Painted(painter, release, file, std::move(beside), true));
  portrait.sizes = SizesOf(policy, file.table, context);
  return portrait;
}

Result<Portrait> PortraitOfTable(const io::Policy& policy, const std::string& table,
                                 binding::Context& context) {
  const Painter painter = REISSUE_TRY(MakePainter(policy, context));
  io::CsvOptions options = policy.csv;
  options.digest = false;
  const io::CsvFile file = REISSUE_TRY(binding::ReadRows(table, options, context));
  return Painted(painter, table, file, {}, false);
}

}  // namespace reissue::engine
