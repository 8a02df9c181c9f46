#include "reissue/models/k/publisher/problem.h"

#include <algorithm>
#include <cmath>

namespace reissue::models::k::internal {
namespace {

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
                 std::uint64_t suppression_limit)
    : guarantee_(guarantee), score_(score) {
  for (const auto& tree : table.taxonomies) trees_.push_back(tree.get());
  NumberPlaces();
  if (!table.floors.empty()) EndAt(table.floors);
  CollectTuples(table);
  SetLimit(suppression_limit);
  checker_ = std::make_shared<const PromiseChecker>(guarantee_, overall_);
  CountPlaces();
  saving_.assign(places(), 0);
  paper_score_.assign(places(), 0);
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
  child_tables_ = std::make_shared<std::vector<std::vector<std::uint32_t>>>();
  for (std::uint32_t j = 0; j < trees_.size(); ++j) {
    const taxonomy::Taxonomy& tree = *trees_[j];
    const auto root = static_cast<Spot>(column_.size());
    roots_.push_back(root);
    const std::size_t first_table = child_tables_->size();
    for (auto& table : taxonomy::ChildrenOfLeaves(tree)) child_tables_->push_back(std::move(table));
    for (std::size_t n = 0; n < tree.nodes(); ++n) {
      const NodeId node(n);
      column_.push_back(j);
      parent_.push_back(n == 0 ? root : root + tree.parent(node).raw());
      child_begin_.push_back(static_cast<std::uint32_t>(children_.size()));
      const auto children = tree.children(node);
      max_fan_out_ = std::max(max_fan_out_, static_cast<std::uint32_t>(children.size()));
      for (const NodeId child : children) children_.push_back(root + child.raw());
      child_of_leaf_.push_back((*child_tables_)[first_table + tree.depth(node)].data());
    }
  }
  child_begin_.push_back(static_cast<std::uint32_t>(children_.size()));
  end_.resize(places());
  for (std::size_t p = places(); p-- > 0;) {
    const auto below = children(static_cast<Spot>(p));
    end_[p] = below.empty() ? static_cast<Spot>(p + 1) : end_[below.back()];
  }
}

// What lies at or below a floor has nothing below it.
void Problem::EndAt(const std::vector<taxonomy::Cut>& floors) {
  std::vector<std::uint8_t> ends(places(), 0);
  for (std::size_t j = 0; j < columns(); ++j) {
    for (const NodeId node : floors[j].Nodes()) {
      const Spot floor = roots_[j] + node.raw();
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
  children_ = std::move(kept);
  child_begin_ = std::move(begin);
}

void Problem::CollectTuples(const LeafCells& table) {
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
      tuples.sensitive_begin.push_back(static_cast<std::uint32_t>(tuples.sensitive.size()));
      if (classes) {
        tuples.classes_begin.push_back(static_cast<std::uint32_t>(tuples.classes.size()));
      }
    }
    tuples.rows.back() += count;
    total_rows_ += count;
    const std::uint32_t code = key[width];
    if (code >= overall_.size()) overall_.resize(code + 1, 0);
    overall_[code] += count;
    if (tuples.sensitive.size() > tuples.sensitive_begin.back() &&
        tuples.sensitive.back().code == code) {
      tuples.sensitive.back().rows += count;
    } else {
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
  rows_at_.assign(places(), 0);
  tuples_at_.assign(places(), 0);
  for (std::size_t t = 0; t < tuples(); ++t) {
    const auto leaf = leaves(t);
    for (std::size_t j = 0; j < columns(); ++j) {
      const Spot place = roots_[j] + trees_[j]->leaf(leaf[j]).raw();
      rows_at_[place] += rows_[t];
      ++tuples_at_[place];
    }
  }
  for (std::size_t p = places(); p-- > 0;) {
    const auto place = static_cast<Spot>(p);
    if (!has_parent(place)) continue;
    rows_at_[parent_[place]] += rows_at_[place];
    tuples_at_[parent_[place]] += tuples_at_[place];
  }
}

void Problem::FindHidden(const LeafCells& table) {
  for (Spot p = 0; p < places(); ++p) {
    hidden_.push_back(Hidden(table, column_[p], node(p), score_));
  }
}

void Problem::FindCeilings(const LeafCells& table) {
  at_ceilings_.assign(places(), 0);
  for (std::size_t j = 0; j < table.ceilings.size(); ++j) {
    for (const NodeId node : table.ceilings[j].Nodes()) {
      for (Spot p = roots_[j] + node.raw(); has_parent(p); p = parent_[p]) {
        at_ceilings_[parent_[p]] = 1;
        has_ceilings_ = true;
      }
    }
  }
}

void Problem::WeighNodes() {
  for (Spot p = 0; p < places(); ++p) {
    if (trees_[column_[p]]->is_leaf(node(p))) {
      // Distortion counts from the leaves, loss from nothing.
      const double least = score_ == Score::kDistortion ? hidden_[p] : 0;
      root_cost_ += static_cast<double>(rows_at_[p]) * (hidden_[roots_[column_[p]]] - least);
    }
    paper_score_[p] = static_cast<double>(rows_at_[p]);
  }
  for (Spot p = 0; p < places(); ++p) {
    if (has_parent(p)) {
      saving_[parent_[p]] += static_cast<double>(rows_at_[p]) * (hidden_[parent_[p]] - hidden_[p]);
    }
  }
}

void Problem::WeighClass(std::uint32_t class_values) {
  class_values_ = class_values;
  class_rows_.assign(places() * class_values, 0);
  for (std::size_t t = 0; t < tuples(); ++t) {
    for (std::size_t j = 0; j < columns(); ++j) {
      const Spot leaf = roots_[j] + trees_[j]->leaf(leaves(t)[j]).raw();
      for (const Bin& bin : classes(t)) class_rows_[leaf * class_values + bin.code] += bin.rows;
    }
  }
  for (std::size_t p = places(); p-- > 0;) {
    const auto place = static_cast<Spot>(p);
    if (!has_parent(place)) continue;
    for (std::uint32_t c = 0; c < class_values; ++c) {
      class_rows_[parent_[place] * class_values + c] += class_rows_[place * class_values + c];
    }
  }
  const auto weight = [&](Spot p) {
    return RowsTimesEntropy({class_rows_.data() + p * class_values, class_values});
  };
  for (Spot p = 0; p < places(); ++p) {
    saving_[p] = is_leaf(p) ? 0 : weight(p);
    for (const Spot child : children(p)) saving_[p] -= weight(child);
    saving_[p] = std::max(0.0, saving_[p]);
    paper_score_[p] = rows_at_[p] > 0 ? saving_[p] / static_cast<double>(rows_at_[p]) : 0;
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
  return (root_cost_ - benefit) / (static_cast<double>(total_rows_) * columns_counted);
}

double Problem::NodeBenefit(const Recoding& recoding,
                            std::span<const std::uint32_t> suppressed) const {
  std::vector<std::uint64_t> left_out(suppressed.empty() ? 0 : places(), 0);
  for (const std::uint32_t t : suppressed) {
    for (std::size_t j = 0; j < columns(); ++j) {
      Spot p = roots_[j];
      while (recoding[p] != 0 && !is_leaf(p)) p = children(p)[child_of_leaf_[p][leaves(t)[j]]];
      left_out[p] += rows_[t];
    }
  }
  double sum = 0;
  for (Spot p = 0; p < places(); ++p) {
    const bool in_cut = recoding[p] == 0 && (!has_parent(p) || recoding[parent_[p]] != 0);
    if (!in_cut) continue;
    const std::uint64_t rows = rows_at_[p] - (left_out.empty() ? 0 : left_out[p]);
    sum += static_cast<double>(rows) * benefit(p);
  }
  return sum;
}

double Problem::ClassCost(const Recoding& recoding,
                          std::span<const std::uint32_t> suppressed) const {
  std::vector<std::uint64_t> kept;
  std::uint64_t left_out = 0;
  if (!suppressed.empty()) kept = class_rows_;
  for (const std::uint32_t t : suppressed) {
    left_out += rows_[t];
    for (std::size_t j = 0; j < columns(); ++j) {
      Spot p = roots_[j];
      while (recoding[p] != 0 && !is_leaf(p)) p = children(p)[child_of_leaf_[p][leaves(t)[j]]];
      for (const Bin& bin : classes(t)) kept[p * class_values_ + bin.code] -= bin.rows;
    }
  }
  const std::vector<std::uint64_t>& histograms = suppressed.empty() ? class_rows_ : kept;
  double cost = 0;
  for (Spot p = 0; p < places(); ++p) {
    const bool in_cut = recoding[p] == 0 && (!has_parent(p) || recoding[parent_[p]] != 0);
    if (in_cut) cost += RowsTimesEntropy({histograms.data() + p * class_values_, class_values_});
  }
  if (left_out > 0) {
    const double whole =
        RowsTimesEntropy({class_rows_.data() + roots_[0] * class_values_, class_values_}) /
        static_cast<double>(total_rows_);
    cost += static_cast<double>(left_out) * whole * static_cast<double>(columns());
  }
  return cost;
}

std::vector<taxonomy::Cut> Problem::Cuts(const Recoding& recoding) const {
  std::vector<taxonomy::Cut> cuts;
  for (std::size_t j = 0; j < columns(); ++j) {
    std::vector<NodeId> nodes;
    for (Spot p = roots_[j]; p < end_[roots_[j]]; ++p) {
      if (recoding[p] == 0 && (!has_parent(p) || recoding[parent_[p]] != 0)) {
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
  for (Spot p = place; p < end_[place]; ++p) recoding[p] = is_leaf(p) ? 0 : 1;
}

void Problem::Undo(Spot place, Recoding& recoding) const {
  std::copy(at_ceilings_.begin() + place, at_ceilings_.begin() + end_[place],
            recoding.begin() + place);
}

}  // namespace reissue::models::k::internal
