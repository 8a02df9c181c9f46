#include "reissue/models/k/publisher/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reissue::models::k::internal {
namespace {

constexpr std::size_t kManyPlaces = std::size_t{1} << 18;
constexpr std::uint32_t kFewChildren = 4;
// Above that a table of leaves per depth is more than all else that is known of a column.
constexpr std::size_t kManyLeaves = std::size_t{1} << 16;

// Σ_c rows_c · log2(rows / rows_c): rows times the entropy in bits.
double RowsTimesEntropy(std::span<const std::uint64_t> histogram) {
  std::uint64_t rows = 0;
  double sum = 0;
  for (const std::uint64_t r : histogram) {
    rows += r;
    if (r > 0) sum += static_cast<double>(r) * std::log2(static_cast<double>(r));
  }
  if (rows == 0) return 0;
  const double entropy = static_cast<double>(rows) * std::log2(static_cast<double>(rows)) - sum;
  return std::max(0.0, entropy);
}

// How much of a column's detail a node hides: nothing for a leaf, else its share of the full range
// or of the leaves.
double ShareHidden(const taxonomy::Taxonomy& tree, NodeId node) {
  if (tree.is_leaf(node)) return 0;
  if (!tree.numeric()) {
    return static_cast<double>(tree.leaf_count(node)) / static_cast<double>(tree.leaves());
  }
  const taxonomy::Range full = tree.range(taxonomy::Taxonomy::root()), part = tree.range(node);
  return full.high > full.low ? (part.high - part.low) / (full.high - full.low) : 0;
}

}  // namespace

double Hidden(const taxonomy::Taxonomy& tree, NodeId node, Score score) {
  if (score == Score::kDistortion && !tree.numeric()) return -static_cast<double>(tree.depth(node));
  return ShareHidden(tree, node);
}

double Hidden(const LeafCells& table, std::size_t column, NodeId node, Score score) {
  if (!table.hidden.empty()) return table.hidden[column][node.index()];
  return Hidden(*table.taxonomies[column], node, score);
}

Problem::Problem(const LeafCells& table, const Guarantee& guarantee, Score score,
                 std::uint64_t suppression_limit, Sensitive sensitive)
    : guarantee_(guarantee), score_(score) {
  for (const auto& tree : table.taxonomies) trees_.push_back(tree.get());
  NumberPlaces();
  if (!table.floors.empty()) EndAt(table.floors);
  CollectTuples(table, sensitive == Sensitive::kKnown || guarantee_.NeedsSensitive());
  SetLimit(suppression_limit);
  checker_ = std::make_shared<const PromiseChecker>(guarantee_, overall_);
  CountPlaces();
  // Where there are very many places, and few children of each, savings are found when asked for.
  const bool keeps = places() <= kManyPlaces || max_fan_out() > kFewChildren;
  if (score_ == Score::kClass || (by_nodes() && keeps)) all_->saving.assign(places(), 0);
  if (score_ == Score::kClass) all_->paper_score.assign(places(), 0);
  FindHidden(table);
  FindCeilings(table);
  if (by_nodes()) WeighNodes();
  if (score_ == Score::kClass) WeighClass(table.class_values);
}

Problem Problem::WithLimit(std::uint64_t suppression_limit) const {
  Problem other = *this;
  other.SetLimit(suppression_limit);
  return other;
}

// A release with nobody in it is none.
void Problem::SetLimit(std::uint64_t limit) {
  limit_ = std::min(limit, total_rows_ - std::min<std::uint64_t>(total_rows_, 1));
}

void Problem::NumberPlaces() {
  std::size_t all = 0;
  for (const taxonomy::Taxonomy* tree : trees_) all += tree->nodes();
  for (auto* places : {&all_->parent, &all_->column, &all_->child_begin, &all_->children}) {
    places->reserve(all + 1);
  }
  for (std::uint32_t j = 0; j < trees_.size(); ++j) {
    const taxonomy::Taxonomy& tree = *trees_[j];
    const auto root = static_cast<Spot>(all_->column.size());
    all_->roots.push_back(root);
    all_->child_tables.push_back(taxonomy::ChildrenOfLeaves(tree, tree.leaves() > kManyLeaves));
    for (std::size_t n = 0; n < tree.nodes(); ++n) {
      const NodeId node(n);
      all_->column.push_back(j);
      all_->parent.push_back(n == 0 ? root : root + tree.parent(node).raw());
      all_->child_begin.push_back(static_cast<std::uint32_t>(all_->children.size()));
      const auto children = tree.children(node);
      all_->max_fan_out = std::max(all_->max_fan_out, static_cast<std::uint32_t>(children.size()));
      for (const NodeId child : children) all_->children.push_back(root + child.raw());
    }
  }
  all_->child_begin.push_back(static_cast<std::uint32_t>(all_->children.size()));
  all_->end.resize(places());
  for (std::size_t p = places(); p-- > 0;) {
    const auto below = children(static_cast<Spot>(p));
    all_->end[p] = below.empty() ? static_cast<Spot>(p + 1) : all_->end[below.back()];
  }
}

ChildOfLeaf Problem::SplitOf(Spot place) const {
  const auto below = children(place);
  return ChildOfLeaf(below.size() < 2 ? std::numeric_limits<std::uint32_t>::max()
                                      : tree(column(place)).first_leaf(node(below[1])));
}

// What lies at or below a floor has nothing below it.
void Problem::EndAt(const std::vector<taxonomy::Cut>& floors) {
  std::vector<std::uint8_t> ends(places(), 0);
  for (std::size_t j = 0; j < columns(); ++j) {
    for (const NodeId node : floors[j].Nodes()) {
      const Spot floor = all_->roots[j] + node.raw();
      std::fill(ends.begin() + floor, ends.begin() + end(floor), std::uint8_t{1});
    }
  }
  std::vector<Spot> kept;
  std::vector<std::uint32_t> begin;
  for (Spot p = 0; p < places(); ++p) {
    begin.push_back(static_cast<std::uint32_t>(kept.size()));
    if (ends[p] != 0) continue;
    const auto below = children(p);
    kept.insert(kept.end(), below.begin(), below.end());
  }
  begin.push_back(static_cast<std::uint32_t>(kept.size()));
  all_->children = std::move(kept);
  all_->child_begin = std::move(begin);
}

void Problem::CollectTuples(const LeafCells& table, bool sensitive) {
  const Cells& cells = table.cells;
  const std::size_t width = columns();
  overall_.assign(std::max<std::uint32_t>(table.sensitive_values, 1), 0);
  cells_ = &cells;
  const auto made = std::make_shared<Tuples>();
  Tuples& tuples = *made;
  const bool classes = table.class_values > 0;
  const auto leaves_of = [&](std::uint32_t cell) { return cells.key(CellId(cell)).first(width); };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    const std::uint64_t count = cells.count(CellId(i));
    if (count == 0) continue;
    // Keys are sorted: equal quasi-identifiers are neighbours, and so are equal sensitive codes.
    const bool same = !tuples.rows.empty() &&
                      std::ranges::equal(key.first(width), leaves_of(tuples.first_cell.back()));
    if (!same) {
      tuples.first_cell.push_back(static_cast<std::uint32_t>(i));
      tuples.rows.push_back(0);
      if (sensitive) {
        tuples.sensitive_begin.push_back(static_cast<std::uint32_t>(tuples.sensitive.size()));
      }
      if (classes) {
        tuples.classes_begin.push_back(static_cast<std::uint32_t>(tuples.classes.size()));
      }
    }
    tuples.rows.back() += count;
    total_rows_ += count;
    const std::uint32_t code = key[width];
    if (code >= overall_.size()) overall_.resize(code + 1, 0);
    overall_[code] += count;
    if (sensitive && tuples.sensitive.size() > tuples.sensitive_begin.back() &&
        tuples.sensitive.back().code == code) {
      tuples.sensitive.back().rows += count;
    } else if (sensitive) {
      tuples.sensitive.push_back({code, count});
    }
    if (classes) tuples.classes.push_back({key[width + 1], count});
  }
  tuples.sensitive_begin.push_back(static_cast<std::uint32_t>(tuples.sensitive.size()));
  if (classes) tuples.classes_begin.push_back(static_cast<std::uint32_t>(tuples.classes.size()));
  tuples.first_cell.shrink_to_fit();
  tuples.rows.shrink_to_fit();
  tuples.sensitive.shrink_to_fit();
  tuples.sensitive_begin.shrink_to_fit();
  first_cell_ = tuples.first_cell;
  rows_ = tuples.rows;
  tuples_ = made;
}

void Problem::CountPlaces() {
  all_->rows_at.assign(places(), 0);
  const bool tuples_too = places() <= kManyPlaces;
  if (tuples_too) all_->tuples_at.assign(places(), 0);
  for (std::size_t t = 0; t < tuples(); ++t) {
    const auto leaf = leaves(t);
    for (std::size_t j = 0; j < columns(); ++j) {
      const Spot place = all_->roots[j] + trees_[j]->leaf(leaf[j]).raw();
      all_->rows_at[place] += rows_[t];
      if (tuples_too) ++all_->tuples_at[place];
    }
  }
  for (std::size_t p = places(); p-- > 0;) {
    const auto place = static_cast<Spot>(p);
    if (!has_parent(place)) continue;
    all_->rows_at[all_->parent[place]] += all_->rows_at[place];
    if (tuples_too) all_->tuples_at[all_->parent[place]] += all_->tuples_at[place];
  }
}

void Problem::FindHidden(const LeafCells& table) {
  all_->hidden.reserve(places());
  for (Spot p = 0; p < places(); ++p) {
    all_->hidden.push_back(Hidden(table, all_->column[p], node(p), score_));
  }
  if (!by_nodes() || places() > kManyPlaces) return;
  for (Spot p = 0; p < places(); ++p) all_->benefit.push_back(BenefitOf(p));
}

void Problem::FindCeilings(const LeafCells& table) {
  all_->at_ceilings.assign(places(), 0);
  for (std::size_t j = 0; j < table.ceilings.size(); ++j) {
    for (const NodeId node : table.ceilings[j].Nodes()) {
      for (Spot p = all_->roots[j] + node.raw(); has_parent(p); p = all_->parent[p]) {
        all_->at_ceilings[all_->parent[p]] = 1;
        all_->has_ceilings = true;
      }
    }
  }
}

void Problem::WeighNodes() {
  for (Spot p = 0; p < places(); ++p) {
    if (trees_[all_->column[p]]->is_leaf(node(p))) {
      // Distortion counts from the leaves, loss from nothing.
      const double least = score_ == Score::kDistortion ? all_->hidden[p] : 0;
      all_->root_cost += static_cast<double>(all_->rows_at[p]) *
                         (all_->hidden[all_->roots[all_->column[p]]] - least);
    }
  }
  for (Spot p = 0; p < places() && !all_->saving.empty(); ++p) {
    if (has_parent(p)) {
      all_->saving[all_->parent[p]] +=
          static_cast<double>(all_->rows_at[p]) * (all_->hidden[all_->parent[p]] - all_->hidden[p]);
    }
  }
}

// By nodes, in the same order as WeighNodes.
double Problem::SavingOf(Spot place) const {
  if (!by_nodes()) return 0;
  double saving = 0;
  for (const Spot p : children(place)) {
    saving += static_cast<double>(rows_at(p)) * (hidden(place) - hidden(p));
  }
  return saving;
}

void Problem::WeighClass(std::uint32_t class_values) {
  all_->class_values = class_values;
  all_->class_rows.assign(places() * class_values, 0);
  for (std::size_t t = 0; t < tuples(); ++t) {
    for (std::size_t j = 0; j < columns(); ++j) {
      const Spot leaf = all_->roots[j] + trees_[j]->leaf(leaves(t)[j]).raw();
      for (const Bin& bin : classes(t))
        all_->class_rows[leaf * class_values + bin.code] += bin.rows;
    }
  }
  for (std::size_t p = places(); p-- > 0;) {
    const auto place = static_cast<Spot>(p);
    if (!has_parent(place)) continue;
    for (std::uint32_t c = 0; c < class_values; ++c) {
      all_->class_rows[all_->parent[place] * class_values + c] +=
          all_->class_rows[place * class_values + c];
    }
  }
  const auto weight = [&](Spot p) {
    return RowsTimesEntropy({all_->class_rows.data() + p * class_values, class_values});
  };
  for (Spot p = 0; p < places(); ++p) {
    all_->saving[p] = is_leaf(p) ? 0 : weight(p);
    for (const Spot child : children(p)) all_->saving[p] -= weight(child);
    all_->saving[p] = std::max(0.0, all_->saving[p]);
    all_->paper_score[p] =
        all_->rows_at[p] > 0 ? all_->saving[p] / static_cast<double>(all_->rows_at[p]) : 0;
  }
}

double Problem::Cost(const Recoding& recoding, std::uint64_t squares,
                     std::span<const std::uint32_t> suppressed) const {
  const auto n = static_cast<double>(total_rows_);
  if (total_rows_ == 0) return 0;
  if (by_nodes()) return CostOf(NodeBenefit(recoding, suppressed));
  if (score_ == Score::kClass) return ClassCost(recoding, suppressed) / n;
  std::uint64_t left_out = 0;
  for (const std::uint32_t t : suppressed) left_out += rows_[t];
  return CostOf(squares, left_out);
}

double Problem::CostOf(std::uint64_t squares, std::uint64_t left_out) const {
  if (total_rows_ == 0) return 0;
  const auto n = static_cast<double>(total_rows_);
  return static_cast<double>(squares + total_rows_ * left_out) / (n * n);
}

double Problem::CostOf(double benefit) const {
  if (total_rows_ == 0) return 0;
  const double columns_counted = score_ == Score::kLoss ? static_cast<double>(columns()) : 1;
  return (all_->root_cost - benefit) / (static_cast<double>(total_rows_) * columns_counted);
}

double Problem::NodeBenefit(const Recoding& recoding,
                            std::span<const std::uint32_t> suppressed) const {
  std::vector<std::uint64_t> left_out(suppressed.empty() ? 0 : places(), 0);
  for (const std::uint32_t t : suppressed) {
    for (std::size_t j = 0; j < columns(); ++j) {
      Spot p = all_->roots[j];
      while (recoding[p] != 0 && !is_leaf(p)) p = children(p)[child_of_leaf(p)[leaves(t)[j]]];
      left_out[p] += rows_[t];
    }
  }
  double sum = 0;
  for (Spot p = 0; p < places(); ++p) {
    const bool in_cut = recoding[p] == 0 && (!has_parent(p) || recoding[all_->parent[p]] != 0);
    if (!in_cut) continue;
    const std::uint64_t rows = all_->rows_at[p] - (left_out.empty() ? 0 : left_out[p]);
    sum += static_cast<double>(rows) * benefit(p);
  }
  return sum;
}

double Problem::ClassCost(const Recoding& recoding,
                          std::span<const std::uint32_t> suppressed) const {
  std::vector<std::uint64_t> kept;
  std::uint64_t left_out = 0;
  if (!suppressed.empty()) kept = all_->class_rows;
  for (const std::uint32_t t : suppressed) {
    left_out += rows_[t];
    for (std::size_t j = 0; j < columns(); ++j) {
      Spot p = all_->roots[j];
      while (recoding[p] != 0 && !is_leaf(p)) p = children(p)[child_of_leaf(p)[leaves(t)[j]]];
      for (const Bin& bin : classes(t)) kept[p * all_->class_values + bin.code] -= bin.rows;
    }
  }
  const std::vector<std::uint64_t>& histograms = suppressed.empty() ? all_->class_rows : kept;
  double cost = 0;
  for (Spot p = 0; p < places(); ++p) {
    const bool in_cut = recoding[p] == 0 && (!has_parent(p) || recoding[all_->parent[p]] != 0);
    if (in_cut)
      cost += RowsTimesEntropy({histograms.data() + p * all_->class_values, all_->class_values});
  }
  if (left_out > 0) {
    const double whole =
        RowsTimesEntropy(
            {all_->class_rows.data() + all_->roots[0] * all_->class_values, all_->class_values}) /
        static_cast<double>(total_rows_);
    cost += static_cast<double>(left_out) * whole * static_cast<double>(columns());
  }
  return cost;
}

std::vector<taxonomy::Cut> Problem::Cuts(const Recoding& recoding) const {
  std::vector<taxonomy::Cut> cuts;
  for (std::size_t j = 0; j < columns(); ++j) {
    std::vector<NodeId> nodes;
    for (Spot p = all_->roots[j]; p < all_->end[all_->roots[j]]; ++p) {
      if (recoding[p] == 0 && (!has_parent(p) || recoding[all_->parent[p]] != 0)) {
        nodes.push_back(node(p));
      }
    }
    auto cut = taxonomy::Cut::FromNodes(*trees_[j], nodes);
    REISSUE_CHECK(cut.has_value());
    cuts.push_back(std::move(cut).value());
  }
  return cuts;
}

void Problem::SpecialiseFully(Spot place, Recoding& recoding) const {
  for (Spot p = place; p < all_->end[place]; ++p) recoding[p] = is_leaf(p) ? 0 : 1;
}

void Problem::Undo(Spot place, Recoding& recoding) const {
  std::copy(all_->at_ceilings.begin() + place, all_->at_ceilings.begin() + all_->end[place],
            recoding.begin() + place);
}

}  // namespace reissue::models::k::internal
