#include "reissue/binding/grouped/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "reissue/io/csv.h"
#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/round.h"

namespace reissue::binding {
namespace {

// The leaf of a code; nothing where the tree has lost it.
std::optional<NodeId> LeafOf(const RawColumn& column, std::uint32_t code) {
  const Quasi& quasi = *column.quasi;
  if (code < quasi.leaf_of_value.size()) return quasi.tree->leaf(quasi.leaf_of_value[code]);
  if (const auto node = quasi.tree->Find(column.texts[code])) return node;
  const auto number = taxonomy::CanonicalLabel(column.texts[code]);
  return number ? quasi.tree->Find(*number) : std::nullopt;
}

using Width = std::optional<taxonomy::RoundWidth>;

// Of a column with round ranges: their width; nothing where none fits.
Width WidthOf(const RawColumn& column, const std::vector<double>& places) {
  if (column.quasi->tree || !column.quasi->policy->round_ranges) return std::nullopt;
  std::vector<double> numbers;
  for (const std::uint32_t code : column.code) numbers.push_back(places[code]);
  return taxonomy::FinestWidth(numbers);
}

std::string RangeOfNumbers(const RawColumn& column, std::uint32_t low, std::uint32_t high,
                           const Width& width) {
  if (!column.quasi->policy->round_ranges) {
    return fmt::format("[{},{}]", column.texts[low], column.texts[high]);
  }
  if (!width) return "*";
  const auto [least, most] =
      taxonomy::RoundedOutward(taxonomy::ParseNumber(column.texts[low]).value_or(0),
                               taxonomy::ParseNumber(column.texts[high]).value_or(0), *width);
  return fmt::format("[{},{}]", taxonomy::FormatNumber(least), taxonomy::FormatNumber(most));
}

// The label of everything between two codes that are the ends of a group.
std::string GroupLabel(const RawColumn& column, std::uint32_t low, std::uint32_t high, bool one,
                       const Width& width) {
  if (one) return std::string(column.texts[low]);
  const auto& tree = column.quasi->tree;
  if (!tree) {
    return column.quasi->policy->numeric ? RangeOfNumbers(column, low, high, width) : "*";
  }
  const auto from = LeafOf(column, low), to = LeafOf(column, high);
  if (!from || !to) return tree->label(tree->root());
  NodeId node = *from;
  while (!tree->IsAncestor(node, *to)) node = tree->parent(node);
  return tree->label(node);
}

}  // namespace

RawColumn ReadRaw(const GroupedTable& table, std::size_t index) {
  const Column& column = table.holder.table[table.shown[index]];
  RawColumn raw;
  raw.name = column.name();
  for (const Quasi& quasi : table.holder.quasi) {
    if (quasi.column == table.shown[index]) raw.quasi = &quasi;
  }
  raw.texts = column.dictionary().strings();
  raw.code.reserve(column.values().size());
  for (const ValueId value : column.values()) raw.code.push_back(value.raw());
  return raw;
}

std::vector<double> PlacesOf(const RawColumn& column) {
  std::vector<double> places(column.texts.size());
  const auto& tree = column.quasi->tree;
  if (!tree && !column.quasi->policy->numeric) {
    std::vector<std::uint32_t> order(column.texts.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return column.texts[a] < column.texts[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<double>(i);
    return places;
  }
  for (std::uint32_t code = 0; code < places.size(); ++code) {
    if (!tree) {
      places[code] = taxonomy::ParseNumber(column.texts[code]).value_or(0);
    } else if (const auto node = LeafOf(column, code)) {
      places[code] = tree->first_leaf(*node);
    }
  }
  return places;
}

ShownColumn AsItIs(RawColumn column) {
  ShownColumn shown{std::move(column.name), {}, std::move(column.code)};
  shown.fields.resize(column.texts.size());
  for (std::size_t code = 0; code < column.texts.size(); ++code) {
    io::AppendField(shown.fields[code], column.texts[code]);
  }
  return shown;
}

ShownColumn Generalise(const RawColumn& column, std::span<const std::uint32_t> group,
                       std::uint32_t groups) {
  const std::vector<double> places = PlacesOf(column);
  std::vector<std::uint32_t> low(groups, kNoGroup), high(groups, kNoGroup);
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] == kNoGroup) continue;
    const std::uint32_t code = column.code[i];
    std::uint32_t &least = low[group[i]], &most = high[group[i]];
    if (least == kNoGroup || places[code] < places[least]) least = code;
    if (most == kNoGroup || places[code] > places[most]) most = code;
  }
  const Width width = WidthOf(column, places);
  ShownColumn shown{column.name, {}, {group.begin(), group.end()}};
  for (std::uint32_t g = 0; g < groups; ++g) {
    const bool one = places[low[g]] == places[high[g]];
    shown.fields.emplace_back();
    io::AppendField(shown.fields.back(), GroupLabel(column, low[g], high[g], one, width));
  }
  return shown;
}

}  // namespace reissue::binding
