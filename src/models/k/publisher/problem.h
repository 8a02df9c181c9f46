#pragma once
// The table as the searches see it: distinct leaf combinations of the quasi-identifiers (tuples)
// with their rows, sensitive and class histograms, and all nodes of all taxonomies in one
// numbering. Immutable once built, shared by any number of threads. Internal to the publisher.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::k::internal {

// A node of any of the taxonomies: column by column, each in preorder.
using Spot = std::uint32_t;

// A global recoding: for every place 1 where the node was specialised (the cut lies below it), else
// 0. The nodes of the cuts are the places with 0 whose parents have 1.
using Recoding = std::vector<std::uint8_t>;

// How much of a column's detail a node hides, per row: its share of the range or of the leaves, for
// kDistortion and taxonomies of words the levels above the leaf, less the depth of the leaf.
double Hidden(const taxonomy::Taxonomy& tree, NodeId node, Score score);
// The same of a node of a table, which may know better.
double Hidden(const LeafCells& table, std::size_t column, NodeId node, Score score);

// For a leaf rank below a place: which child of the place it lies below.
class ChildOfLeaf {
 public:
  ChildOfLeaf() = default;
  explicit ChildOfLeaf(const std::uint32_t* table) : table_(table) {}
  // Of two children at most: the second begins with this leaf.
  explicit ChildOfLeaf(std::uint32_t second) : second_(second) {}
  std::uint32_t operator[](std::uint32_t leaf) const {
    return table_ != nullptr ? table_[leaf] : std::uint32_t{leaf >= second_};
  }

 private:
  const std::uint32_t* table_ = nullptr;
  std::uint32_t second_ = 0;
};

class Problem {
 public:
  // Whether sensitive() can be asked for: always, or where the guarantee needs it.
  enum class Sensitive { kKnown, kWhereNeeded };

  // `table` must outlive the problem. O(cells · columns + nodes · height).
  Problem(const LeafCells& table, const Guarantee& guarantee, Score score,
          std::uint64_t suppression_limit, Sensitive sensitive = Sensitive::kKnown);

  // The same with another limit; shares what is large. O(columns + sensitive values).
  Problem WithLimit(std::uint64_t suppression_limit) const;

  std::size_t columns() const { return all_->roots.size(); }
  std::size_t tuples() const { return rows_.size(); }
  std::uint64_t rows() const { return total_rows_; }
  const Guarantee& guarantee() const { return guarantee_; }
  const PromiseChecker& checker() const { return *checker_; }
  const Overall& overall() const { return overall_; }
  std::uint64_t k() const { return guarantee_.k; }
  Score score() const { return score_; }
  // At least one row stays.
  std::uint64_t suppression_limit() const { return limit_; }
  const taxonomy::Taxonomy& tree(std::size_t column) const { return *trees_[column]; }

  // Once a specialisation breaks the promise, it does so further down as well.
  bool anti_monotone() const { return limit_ == 0 || !guarantee_.NeedsSensitive(); }
  // What t and β are measured against changes with the suppressed rows.
  bool reference_moves() const { return limit_ > 0 && guarantee_.NeedsOverall(); }

  // ---- tuples
  std::span<const std::uint32_t> leaves(std::size_t tuple) const {
    return cells_->key(CellId(first_cell_[tuple])).first(columns());
  }
  std::uint64_t rows(std::size_t tuple) const { return rows_[tuple]; }
  std::span<const std::uint64_t> rows_of_tuples() const { return rows_; }
  std::span<const Bin> sensitive(std::size_t tuple) const {
    const std::vector<std::uint32_t>& begin = tuples_->sensitive_begin;
    return {tuples_->sensitive.data() + begin[tuple], begin[tuple + 1] - begin[tuple]};
  }
  // Nothing where the table has no class.
  std::span<const Bin> classes(std::size_t tuple) const {
    const std::vector<std::uint32_t>& begin = tuples_->classes_begin;
    if (begin.empty()) return {};
    return {tuples_->classes.data() + begin[tuple], begin[tuple + 1] - begin[tuple]};
  }

  // ---- places
  std::size_t places() const { return all_->column.size(); }
  Spot root(std::size_t column) const { return all_->roots[column]; }
  std::uint32_t column(Spot place) const { return all_->column[place]; }
  NodeId node(Spot place) const { return NodeId(place - all_->roots[all_->column[place]]); }
  bool has_parent(Spot place) const { return all_->roots[all_->column[place]] != place; }
  Spot parent(Spot place) const { return all_->parent[place]; }
  Spot end(Spot place) const { return all_->end[place]; }  // places below: (place, end)
  // Of a tree, or at or below a floor of the table.
  bool is_leaf(Spot place) const { return fan_out(place) == 0; }
  std::uint32_t fan_out(Spot place) const {
    return all_->child_begin[place + 1] - all_->child_begin[place];
  }
  std::span<const Spot> children(Spot place) const {
    return {all_->children.data() + all_->child_begin[place], fan_out(place)};
  }
  std::uint64_t rows_at(Spot place) const { return all_->rows_at[place]; }
  // Not of very many places.
  std::uint32_t tuples_at(Spot place) const { return all_->tuples_at[place]; }
  // Of an inner node.
  ChildOfLeaf child_of_leaf(Spot place) const {
    const taxonomy::Taxonomy& tree = *trees_[all_->column[place]];
    const std::vector<std::uint32_t>& table =
        all_->child_tables[all_->column[place]][tree.depth(node(place))];
    return table.empty() ? SplitOf(place) : ChildOfLeaf(table.data());
  }
  std::uint32_t max_fan_out() const { return all_->max_fan_out; }

  // Hidden, of a place.
  double hidden(Spot place) const { return all_->hidden[place]; }

  // What specialising takes off the cost of distortion, loss and class, before dividing by
  // N. Not for discernibility, which depends on the cells.
  double saving(Spot place) const {
    return all_->saving.empty() ? SavingOf(place) : all_->saving[place];
  }
  // Where the cost is a sum over rows and columns (distortion and loss): what a row has of it that
  // is published with this node instead of the root, before dividing by N.
  bool by_nodes() const { return score_ == Score::kDistortion || score_ == Score::kLoss; }
  double benefit(Spot place) const {
    return all_->benefit.empty() ? BenefitOf(place) : all_->benefit[place];
  }
  // The paper's score, where it depends on the place alone (distortion and class).
  double paper_score(Spot place) const {
    return by_nodes() ? static_cast<double>(all_->rows_at[place]) : all_->paper_score[place];
  }

  // The cost of a recoding, normalised, from its parts. `squares` is Σ rows² over the cells kept;
  // `suppressed` are the tuples left out. O(nodes + suppressed tuples · columns).
  double Cost(const Recoding& recoding, std::uint64_t squares,
              std::span<const std::uint32_t> suppressed) const;
  // The same for discernibility, and where the cost goes by nodes: from the benefit of all rows
  // that stay. O(1).
  double CostOf(std::uint64_t squares, std::uint64_t left_out) const;
  double CostOf(double benefit) const;
  // Whether a partition knows its cost at any time, as those of CostOf.
  bool CostIsAtHand() const {
    return score_ == Score::kDiscernibility || (by_nodes() && limit_ > 0);
  }
  // The cost with everything at the root and nothing left out.
  double RootCost() const { return Cost(Recoding(places(), 0), total_rows_ * total_rows_, {}); }

  // The cuts of a recoding.
  std::vector<taxonomy::Cut> Cuts(const Recoding& recoding) const;
  // Everything at the ceilings, which are the roots where the table has none: whatever is published
  // lies at or below it.
  const Recoding& Root() const { return all_->at_ceilings; }
  bool has_ceilings() const { return all_->has_ceilings; }
  // Calls visit(place) for the places of the cuts that have rows and are no leaves, in order. Those
  // without rows are specialised to the leaves: it costs nothing.
  template <typename Visit>
  void VisitCut(Recoding& recoding, const Visit& visit) const {
    for (Spot p = 0; p < places();) {
      if (recoding[p] != 0) {
        ++p;
        continue;
      }
      if (all_->rows_at[p] == 0) {
        SpecialiseFully(p, recoding);
      } else if (!is_leaf(p)) {
        visit(p);
      }
      p = all_->end[p];
    }
  }
  // Marks everything below `place` (itself included) as specialised.
  void SpecialiseFully(Spot place, Recoding& recoding) const;
  // Takes back the specialisation of `place` and of all below it, up to the ceiling.
  void Undo(Spot place, Recoding& recoding) const;

 private:
  void SetLimit(std::uint64_t limit);
  void NumberPlaces();
  ChildOfLeaf SplitOf(Spot place) const;
  double SavingOf(Spot place) const;
  double BenefitOf(Spot place) const {
    return all_->hidden[all_->roots[all_->column[place]]] - all_->hidden[place];
  }
  void EndAt(const std::vector<taxonomy::Cut>& floors);
  void CollectTuples(const LeafCells& table, bool sensitive);
  void CountPlaces();
  void FindHidden(const LeafCells& table);
  void FindCeilings(const LeafCells& table);
  void WeighNodes();
  void WeighClass(std::uint32_t class_values);
  double NodeBenefit(const Recoding& recoding, std::span<const std::uint32_t> suppressed) const;
  double ClassCost(const Recoding& recoding, std::span<const std::uint32_t> suppressed) const;

  Guarantee guarantee_;
  Score score_;
  std::uint64_t limit_ = 0;
  std::vector<const taxonomy::Taxonomy*> trees_;
  std::uint64_t total_rows_ = 0;
  Overall overall_;
  std::shared_ptr<const PromiseChecker> checker_;

  // What grows with the table, shared with problems that differ in their limit. The leaves of a
  // tuple are those of its first cell.
  struct Tuples {
    std::vector<std::uint32_t> first_cell;
    std::vector<std::uint64_t> rows;
    std::vector<Bin> sensitive, classes;
    std::vector<std::uint32_t> sensitive_begin, classes_begin;
  };
  const Cells* cells_ = nullptr;  // of the table
  std::shared_ptr<const Tuples> tuples_;
  std::span<const std::uint32_t> first_cell_;  // these two of tuples_
  std::span<const std::uint64_t> rows_;

  // Likewise. Not changed once the problem is built.
  struct Places {
    std::vector<Spot> roots, parent, end, children;
    std::vector<std::uint32_t> column, child_begin;
    std::vector<std::uint64_t> rows_at;
    std::vector<std::uint32_t> tuples_at;
    // Per column and depth; of large columns nothing where two children are the most.
    std::vector<std::vector<std::vector<std::uint32_t>>> child_tables;
    std::uint32_t max_fan_out = 0;

    Recoding at_ceilings;
    bool has_ceilings = false;

    std::vector<double> hidden;
    // What the score asks for; of very many places the first two are found when they are asked for.
    std::vector<double> benefit, saving, paper_score;
    double root_cost = 0;  // distortion: Σ over rows of what suppression costs
    std::uint32_t class_values = 0;
    std::vector<std::uint64_t> class_rows;  // per place and class
  };
  std::shared_ptr<Places> all_ = std::make_shared<Places>();
};

}  // namespace reissue::models::k::internal
