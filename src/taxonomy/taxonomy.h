#pragma once
// A tree of values: leaves are raw values, the root is `*`. Immutable once built, shared freely.
//
// Nodes are numbered in preorder (the root is node 0), so the nodes below a node are an interval,
// and so are its leaves in leaf order: ancestor tests and "which leaves" are two comparisons.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/core/ids.h"
#include "reissue/core/result.h"

namespace reissue::taxonomy {

// What a numeric node stands for: low ≤ value < high for a range made of breakpoints. A single
// value has low = high, and so has WithRanges low = least, high = greatest leaf.
struct Range {
  double low = 0;
  double high = 0;
};

class Taxonomy {
 public:
  std::size_t nodes() const { return parents_.size(); }
  std::size_t leaves() const { return leaf_nodes_.size(); }
  static constexpr NodeId root() { return NodeId(0); }

  // Labels are unique in a tree, so that a published label says which node it is.
  std::string label(NodeId node) const;
  std::optional<NodeId> Find(std::string_view label) const;
  NodeId parent(NodeId node) const { return parents_[node.index()]; }  // Invalid() for the root
  std::span<const NodeId> children(NodeId node) const;
  // Which of the children, from 0, a leaf lies below that lies below `node`. O(log children).
  std::size_t ChildWith(NodeId node, std::uint32_t leaf_rank) const;
  std::uint32_t depth(NodeId node) const { return depths_[node.index()]; }  // root: 0
  std::uint32_t height() const { return height_; }                          // largest depth
  bool is_leaf(NodeId node) const { return children(node).empty(); }

  // Leaves in preorder have ranks 0 … leaves() − 1; node covers ranks [first_leaf, last_leaf).
  NodeId leaf(std::size_t rank) const { return leaf_nodes_[rank]; }
  std::uint32_t first_leaf(NodeId node) const { return first_leaf_[node.index()]; }
  std::uint32_t last_leaf(NodeId node) const { return last_leaf_[node.index()]; }
  std::uint32_t leaf_count(NodeId node) const { return last_leaf(node) - first_leaf(node); }

  // True also where both are the same node. O(1).
  bool IsAncestor(NodeId above, NodeId below) const {
    return above <= below && below.index() < end_[above.index()];
  }
  // One is an ancestor of the other. O(1).
  bool OnOnePath(NodeId a, NodeId b) const { return IsAncestor(a, b) || IsAncestor(b, a); }

  // Numeric trees only: the range of a node. Empty for categorical trees.
  bool numeric() const { return !ranges_.empty(); }
  Range range(NodeId node) const { return ranges_[node.index()]; }

 private:
  friend class TreeBuilder;
  std::optional<NodeId> FindRange(std::string_view label) const;
  std::optional<NodeId> FindNumber(std::string_view label) const;
  std::string_view LeafText(NodeId leaf) const;

  std::vector<NodeId> parents_;
  std::vector<std::uint32_t> depths_, end_, first_leaf_, last_leaf_;
  std::vector<NodeId> leaf_nodes_;
  std::vector<NodeId> children_;
  std::vector<std::uint32_t> children_begin_;
  std::vector<Range> ranges_;
  std::uint32_t height_ = 0;
  std::shared_ptr<const Dictionary> index_;  // of the labels: the ValueId is the node's number
  // Where there is none: those of leaves, one after the other. Inner nodes have those of ranges.
  std::string root_text_, leaf_texts_;
  std::vector<std::size_t> leaf_starts_;
};

// By depth and rank of a leaf: which child of its ancestor at that depth it lies below (0 where it
// lies below none). O(leaves · height + nodes). `but_of_two`: nothing of depths where no node has
// more than two children; there the first leaf of the second says it.
std::vector<std::vector<std::uint32_t>> ChildrenOfLeaves(const Taxonomy& tree,
                                                         bool but_of_two = false);

// One line of a hierarchy file: the labels from the leaf to the root.
struct HierarchyLine {
  std::uint64_t line = 0;
  std::vector<std::string> labels;
};

// Reads an ARX-style hierarchy. Equal neighbours on a line are one node (padding). Lines may differ
// in length; a leaf may stand directly below the root; the root is the last label of every line,
// whatever it is called. Errors name file and line: a leaf twice, a label with two parents, a leaf
// that is an inner node elsewhere, a label again further up its own line, lines of different roots,
// an empty label, no lines at all. Children keep the order of the file. O(labels) expected.
Result<Taxonomy> FromHierarchy(std::span<const HierarchyLine> lines, const std::string& file);

// Everything that is wrong with such lines, in their order: of each kind the first `most`, and
// after them, where there are more, how many. Empty where FromHierarchy reads them.
std::vector<Error> HierarchyProblems(std::span<const HierarchyLine> lines, const std::string& file,
                                     std::size_t most = 5);

// The opposite: one line per leaf in leaf order, padded next to the leaf to equal length, numbered
// from 1. FromHierarchy gives the same tree back (without ranges). O(leaves × height).
std::vector<HierarchyLine> ToHierarchy(const Taxonomy& tree);

// A range tree over the distinct numbers of a column. `levels` are breakpoint lists from the finest
// to the coarsest, each ascending, each contained in the one before with the same first and last
// number; one list alone is merged pairwise upwards until one range is left. Leaves are the raw
// values as written, in numeric order; inner nodes are `[a,b)`; the root is `*` and stands for the
// whole span (a list of two numbers therefore adds no node). Ranges without values are left out.
// Errors (no value is named): values outside the breakpoints, values that are not numbers, lists
// that are not as described. O(values × levels × log breakpoints).
Result<Taxonomy> FromBreakpoints(std::span<const std::vector<double>> levels,
                                 std::span<const std::string> raw_values,
                                 const std::string& column);

// One line per leaf of such a tree, in leaf order, all of one length: the value, its range of each
// list, the root. Other than in ToHierarchy a range stands once for every list that has it.
std::vector<HierarchyLine> BreakpointLines(std::span<const std::vector<double>> levels,
                                           const Taxonomy& tree);

// The errors that FromBreakpoints finds in the lists alone, before there are values.
Status CheckBreakpoints(std::span<const std::vector<double>> levels, const std::string& column);

// A binary range tree found from the data: the distinct numbers are halved at the weighted median,
// again and again, down to single values. Labels are `[a,b)` with b the next number that occurs
// (after the greatest: one unit of the finest decimal place in use further); the root is `*`.
// `counts` has one entry per raw value; 0 counts as 1. The same values in any order give the same
// tree. Errors: no values, values that are not numbers. O(n log n).
Result<Taxonomy> FromData(std::span<const std::string> raw_values,
                          std::span<const std::uint64_t> counts, const std::string& column);

// A range tree whose ends are round numbers and say little of those that occur: about sixteen
// ranges on the finest level, merged pairwise upwards (DraftHierarchy, kRanges). Leaves are
// canonical numbers; where no round ranges fit they stand directly below the root. Errors: no
// values, values that are not numbers. O(n log n).
Result<Taxonomy> FromRoundRanges(std::span<const std::string> raw_values,
                                 const std::string& column);

// A range tree from the labels of published files: numbers, ranges `[a,b)` and `*`, in any order
// and any number of times. A label stands below the smallest range that contains it; numbers count
// by what they are worth, and the labels of the tree are canonical. Errors: a label that is none of
// these (it is not named), two ranges that overlap although neither contains the other.
// O(n log n).
Result<Taxonomy> FromLabels(std::span<const std::string> labels, const std::string& column);

// How FromLabels writes a label (`05.0` → `5`, `[1.50,2)` → `[1.5,2)`); nothing for other texts.
std::optional<std::string> CanonicalLabel(std::string_view label);

// Where a node has more than two children, neighbours among them get nodes of their own, `{a, b}`:
// halves of about as many leaves, and halves of these, down to single children. Depends on the tree
// alone. A set whose label the tree has already is left out. O(nodes · log children).
Taxonomy WithSets(const Taxonomy& tree);

// Gives a hierarchy whose leaf labels are numbers the ranges of its nodes: low = least, high =
// greatest leaf below. An error where a leaf is not a number. `file` is for messages.
Result<Taxonomy> WithRanges(Taxonomy tree, const std::string& file);

}  // namespace reissue::taxonomy
