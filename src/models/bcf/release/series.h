#pragma once
// A series of releases of one growing table, as a reader has it: cells of labels with the group
// sizes of their sensitive values, and for each release whether it is a global recoding. The labels
// of a column are nodes of a tree or, where they overlap, regions. Immutable once made; shared
// freely between threads.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/ids.h"
#include "reissue/core/result.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/regions.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::bcf {

using Taxonomies = std::vector<std::shared_ptr<const taxonomy::Taxonomy>>;

// The labels of a column: one of the two.
struct Scale {
  std::shared_ptr<const taxonomy::Taxonomy> tree;
  std::shared_ptr<const taxonomy::Regions> regions;

  std::size_t nodes() const { return tree ? tree->nodes() : regions->nodes(); }
};
using Scales = std::vector<Scale>;

class Overlap;  // overlap.h

// One release. Cells are numbered in the order of their keys, groups in the order of their cells
// and, within a cell, of their sensitive codes.
class Release {
 public:
  // `published`: key = raw NodeId per quasi-identifier, then one sensitive code. Combinations
  // without rows are left out. Errors: a key of another width, a number that is no node.
  static Result<Release> Make(const Taxonomies& taxonomies, const Cells& published);
  static Result<Release> Make(const Scales& scales, const Cells& published);
  // What was published.
  Cells AsCells() const;

  std::size_t cells() const { return first_group_.size() - 1; }
  std::size_t groups() const { return values_.size(); }
  std::uint64_t rows() const { return rows_; }
  // Above all sensitive codes.
  std::size_t codes() const { return codes_; }

  std::span<const std::uint32_t> key(std::size_t cell) const {
    return {keys_.data() + cell * width_, width_};
  }
  NodeId node(std::size_t cell, std::size_t column) const {
    return NodeId(keys_[cell * width_ + column]);
  }
  std::size_t first_group(std::size_t cell) const { return first_group_[cell]; }
  std::size_t last_group(std::size_t cell) const { return first_group_[cell + 1]; }
  std::uint64_t rows_of_cell(std::size_t cell) const { return cell_rows_[cell]; }

  std::size_t cell_of_group(std::size_t group) const { return cell_of_group_[group]; }
  std::uint32_t value(std::size_t group) const { return values_[group]; }
  std::uint64_t rows_of_group(std::size_t group) const { return group_rows_[group]; }

  // The same cells, whoever is in them.
  bool SameCells(const Release& other) const { return keys_ == other.keys_; }

  // The group of a value in a cell. O(log groups of the cell).
  std::optional<std::size_t> FindGroup(std::size_t cell, std::uint32_t value) const;
  // The cell with this key. O(columns · log cells).
  std::optional<std::size_t> FindCell(std::span<const std::uint32_t> key) const;

 private:
  std::size_t width_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::size_t> first_group_ = {0};
  std::vector<std::uint64_t> cell_rows_;
  std::vector<std::uint32_t> cell_of_group_, values_;
  std::vector<std::uint64_t> group_rows_;
  std::uint64_t rows_ = 0;
  std::size_t codes_ = 0;
};

// Two labels of one column of which one stands above the other.
struct NestedLabels {
  std::size_t column = 0;
  NodeId above, below;
};

// How a release was recoded, as far as its labels tell.
struct Recoding {
  std::vector<taxonomy::Cut> cuts;     // per quasi-identifier; empty where not global
  std::optional<NestedLabels> nested;  // what prevents it: the first column, the first such pair
  bool regions = false;                // or that a column has no tree
  bool global() const { return !nested.has_value() && !regions; }
};

// A release is a global recoding if in no column one label stands above another. Its labels are
// then completed to a cut per column: leaves without a label get the most general nodes that stand
// above no label.
//
// Any completion gives the same envelope classes to what was published. Let A and B be cuts of one
// tree that contain the labels of two releases, and E their envelope. A node x of A has one node
// E(x) over all its leaves: if some node of B stands above x, it does so over all leaves of x, and
// is E(x); otherwise all nodes of B over them are at or below x, and E(x) = x. For x in A and y in
// B: if x is at or above y, then E(y) = x = E(x), and likewise the other way round; if
// E(x) = E(y) = e, then e is a node of A or of B at or above both x and y; say of A: then e = x, as
// a cut has one node on a path, and x is at or above y. So E(x) = E(y) exactly where x and y lie on
// one path, which does not depend on the nodes that were filled in. O(cells · log cells + nodes)
// per column.
//
// A column without a tree (null) has no cuts: releases with one are never global recodings.
Recoding RecoverCuts(const Taxonomies& taxonomies, const Release& release);

class Series {
 public:
  // Oldest release first. Errors: those of Release::Make (with the number of the release), no
  // taxonomies, a taxonomy that is missing.
  static Result<Series> Make(Taxonomies taxonomies, std::span<const Cells> published);
  static Result<Series> Make(const Scales& scales, std::span<const Cells> published);
  // The same with one release more. The releases are shared.
  Result<Series> With(const Cells& published) const;

  std::size_t size() const { return releases_.size(); }
  std::size_t columns() const { return taxonomies_.size(); }
  const Taxonomies& taxonomies() const { return taxonomies_; }  // null: the column has regions
  const taxonomy::Taxonomy& tree(std::size_t column) const { return *taxonomies_[column]; }
  // Null: the column has a tree.
  const taxonomy::Regions* regions(std::size_t column) const {
    return regions_.empty() ? nullptr : regions_[column].get();
  }
  bool trees_only() const { return regions_.empty(); }
  // Cells that are comparable two by two have something in common: of nodes of a tree the lowest,
  // of intervals what lies between the last beginning and the first end. Not so of other regions.
  bool pairwise() const { return pairwise_; }
  std::string label(std::size_t column, NodeId node) const {
    return taxonomies_[column] ? tree(column).label(node) : regions_[column]->label(node);
  }
  const Release& release(std::size_t i) const { return *releases_[i]; }
  const Recoding& recoding(std::size_t i) const { return *recodings_[i]; }
  // The first release with the same cells: what follows from cells alone is the same for both.
  std::size_t shape(std::size_t i) const { return shapes_[i]; }

  // On every column the nodes lie on one path (the paper's Definition 4.1), or the regions have an
  // atom in common. O(columns), of sets times their atoms / 64.
  bool Comparable(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;
  // On every column `inner` is at or below `outer`, or a part of it.
  bool LiesIn(std::span<const std::uint32_t> inner, std::span<const std::uint32_t> outer) const;

  // The cells of a release that are comparable with `key`, ascending. Visits only prefixes of keys
  // that are comparable: O(columns · height · log cells) per prefix; with regions, each label that
  // follows a prefix is looked at.
  std::vector<std::uint32_t> ComparableCells(std::size_t release,
                                             std::span<const std::uint32_t> key) const;
  // Those that have something in common with all of some cells.
  std::vector<std::uint32_t> ComparableCells(std::size_t release, const Overlap& cells) const;

 private:
  Scales scales() const;

  Taxonomies taxonomies_;
  std::vector<std::shared_ptr<const taxonomy::Regions>> regions_;  // empty: none at all
  bool pairwise_ = true;
  std::vector<std::shared_ptr<const Release>> releases_;
  std::vector<std::shared_ptr<const Recoding>> recodings_;
  std::vector<std::size_t> shapes_;
};

}  // namespace reissue::models::bcf
