#include "reissue/models/xy/publisher/places.h"

#include <algorithm>
#include <cmath>

namespace reissue::models::xy::internal {
namespace {

double Sum(const std::vector<double>& histogram) {
  double rows = 0;
  for (const double r : histogram) rows += r;
  return rows;
}

// Σ rows · entropy of the classes, in bits.
double WeightedEntropy(const std::vector<double>& histogram) {
  const double rows = Sum(histogram);
  double sum = 0;
  for (const double r : histogram) {
    if (r > 0) sum += r * std::log2(rows / r);
  }
  return sum;
}

}  // namespace

Places::Places(const Source& source, std::vector<std::uint32_t> columns, Gain gain)
    : source_(&source),
      columns_(std::move(columns)),
      gain_(gain),
      index_(source.columns.size(), -1),
      classes_(std::max<std::size_t>(source.class_values, 1)),
      counts_(source.columns.size()) {
  const Cells& cells = source.cells;
  for (const std::uint32_t column : columns_) {
    const Source::Column& about = source.columns[column];
    const std::size_t ranks = about.tree != nullptr ? about.tree->leaves() : about.numbers.size();
    std::vector<std::uint64_t> counts(ranks * classes_, 0);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto key = cells.key(CellId(i));
      const std::size_t c = source.class_values > 0 ? key[source.columns.size()] : 0;
      counts[key[column] * classes_ + c] += cells.count(CellId(i));
    }
    counts_[column] = std::make_shared<const std::vector<std::uint64_t>>(std::move(counts));
    index_[column] = Add(column, 0, static_cast<std::uint32_t>(ranks), NodeId(0));
    Open(root(column));
  }
}

Spot Places::Add(std::uint32_t column, std::uint32_t begin, std::uint32_t end, NodeId node) {
  Entry place;
  place.column = column;
  place.begin = begin;
  place.end = end;
  place.node = node;
  const std::vector<std::uint64_t>& counts = *counts_[column];
  for (std::size_t i = begin * classes_; i < end * classes_; ++i) place.rows += counts[i];
  places_.push_back(place);
  return static_cast<Spot>(places_.size() - 1);
}

std::vector<double> Places::Histogram(const Entry& place) const {
  std::vector<double> histogram(classes_, 0);
  const std::vector<std::uint64_t>& counts = *counts_[place.column];
  for (std::size_t rank = place.begin; rank < place.end; ++rank) {
    for (std::size_t c = 0; c < classes_; ++c) {
      histogram[c] += static_cast<double>(counts[rank * classes_ + c]);
    }
  }
  return histogram;
}

// Where the children begin, then where the last one ends; empty where there are none.
std::vector<std::uint32_t> Places::Borders(const Entry& place) const {
  std::vector<std::uint32_t> borders;
  if (const auto& tree = source_->columns[place.column].tree) {
    for (const NodeId child : tree->children(place.node)) {
      borders.push_back(tree->first_leaf(child));
    }
    if (!borders.empty()) borders.push_back(place.end);
    return borders;
  }
  const std::uint32_t split =
      gain_ == Gain::kClass && classes_ > 1 ? SplitByClass(place) : SplitByRows(place);
  if (split > place.begin) borders = {place.begin, split, place.end};
  return borders;
}

// The first rank of the upper half where the class entropy falls most; `begin` where no split
// leaves rows on both sides.
std::uint32_t Places::SplitByClass(const Entry& place) const {
  const std::vector<std::uint64_t>& counts = *counts_[place.column];
  std::vector<double> above = Histogram(place), below(classes_, 0);
  std::uint32_t best = place.begin;
  double least = 0;
  for (std::uint32_t rank = place.begin; rank + 1 < place.end; ++rank) {
    double moved = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      const auto rows = static_cast<double>(counts[rank * classes_ + c]);
      below[c] += rows;
      above[c] -= rows;
      moved += rows;
    }
    if (moved == 0 || Sum(above) == 0) continue;
    const double entropy = WeightedEntropy(below) + WeightedEntropy(above);
    if (best != place.begin && entropy >= least) continue;
    best = rank + 1;
    least = entropy;
  }
  return best;
}

// The weighted median: the halves differ least in rows.
std::uint32_t Places::SplitByRows(const Entry& place) const {
  const std::vector<std::uint64_t>& counts = *counts_[place.column];
  std::uint32_t best = place.begin;
  std::uint64_t below = 0, least = 0;
  for (std::uint32_t rank = place.begin; rank + 1 < place.end; ++rank) {
    std::uint64_t moved = 0;
    for (std::size_t c = 0; c < classes_; ++c) moved += counts[rank * classes_ + c];
    below += moved;
    const std::uint64_t above = place.rows - below;
    if (moved == 0 || above == 0) continue;
    const std::uint64_t apart = below > above ? below - above : above - below;
    if (best != place.begin && apart >= least) continue;
    best = rank + 1;
    least = apart;
  }
  return best;
}

void Places::Open(Spot spot) {
  const Entry place = places_[spot];
  if (place.rows == 0) return;
  const std::vector<std::uint32_t> borders = Borders(place);
  if (borders.empty()) return;
  const auto fan_out = static_cast<std::uint32_t>(borders.size() - 1);
  const auto first = static_cast<Spot>(places_.size());
  const auto& tree = source_->columns[place.column].tree;
  for (std::uint32_t i = 0; i < fan_out; ++i) {
    const NodeId node = tree != nullptr ? tree->children(place.node)[i] : NodeId(0);
    Add(place.column, borders[i], borders[i + 1], node);
  }
  Entry& opened = places_[spot];
  opened.first_child = first;
  opened.fan_out = fan_out;
  opened.open = true;
  opened.fork = {nullptr, place.begin, fan_out == 2 ? borders[1] : place.end};
  if (fan_out > 2) {
    std::vector<std::uint32_t> table(place.end - place.begin);
    for (std::uint32_t i = 0; i < fan_out; ++i) {
      for (std::uint32_t rank = borders[i]; rank < borders[i + 1]; ++rank) {
        table[rank - place.begin] = i;
      }
    }
    tables_.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(table)));
    opened.fork.table = tables_.back()->data();
  }
  opened.gain = GainOf(opened);
}

double Places::Width(const Entry& place) const {
  const std::vector<double>& numbers = source_->columns[place.column].numbers;
  const double full = numbers.back() - numbers.front();
  return full > 0 ? (numbers[place.end - 1] - numbers[place.begin]) / full : 0;
}

double Places::GainOf(const Entry& place) const {
  if (gain_ == Gain::kDiscernibility) return 0;
  const auto rows = static_cast<double>(place.rows);
  if (gain_ == Gain::kDistortion && source_->columns[place.column].tree != nullptr) return rows;
  double before = gain_ == Gain::kClass ? WeightedEntropy(Histogram(place)) : rows * Width(place);
  for (std::uint32_t i = 0; i < place.fan_out; ++i) {
    const Entry& part = places_[place.first_child + i];
    before -= gain_ == Gain::kClass ? WeightedEntropy(Histogram(part))
                                    : static_cast<double>(part.rows) * Width(part);
  }
  return std::max(0.0, gain_ == Gain::kClass ? before / rows : before);
}

double Places::cost(Spot spot) const {
  const Entry& place = places_[spot];
  if (gain_ == Gain::kClass) return WeightedEntropy(Histogram(place));
  if (gain_ == Gain::kDiscernibility) return 0;
  const auto& tree = source_->columns[place.column].tree;
  if (tree == nullptr) return static_cast<double>(place.rows) * Width(place);
  double levels = 0;
  for (std::uint32_t rank = place.begin; rank < place.end; ++rank) {
    double rows = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      rows += static_cast<double>((*counts_[place.column])[rank * classes_ + c]);
    }
    levels += rows * (tree->depth(tree->leaf(rank)) - tree->depth(place.node));
  }
  return levels;
}

}  // namespace reissue::models::xy::internal
