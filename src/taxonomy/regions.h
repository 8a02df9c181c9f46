#pragma once
// Labels of a column that need not lie inside one another: each is a set of atoms, the smallest
// parts that labels can tell apart. What a tree is to labels that do. Immutable once made, shared
// freely.
//
// Atoms are numbered along the column: bands of numbers are then intervals of atoms. Of intervals
// any that meet two by two have an atom in common; of other sets not ({a,b}, {b,c}, {a,c}). So what
// several labels have in common is asked of all of them at once (Common). No set is made before it
// is needed: of all intersections there may be too many.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/result.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

struct Region {
  std::string label;
  std::vector<std::uint32_t> atoms;  // ascending, at least one
};

class Regions {
 public:
  // Atoms 0 … atoms − 1. Node 0 is everything: a region with all atoms gives it its label, which is
  // `*` otherwise. The others have their nodes in the order of their first atoms, the larger one
  // first; regions of the same atoms are one node, called by the first label. Errors: a region
  // without atoms, an atom that is not there or out of order, a label twice, `*` for less than
  // everything, sets with gaps that need more than kMostBytes.
  static Result<Regions> Make(std::uint32_t atoms, std::span<const Region> regions,
                              const std::string& column);
  static constexpr std::size_t kMostBytes = std::size_t{1} << 29;

  // From labels as FromLabels takes them (numbers, ranges `[a,b)` and `*`), whether they overlap or
  // not. Atoms are the numbers that labels name, and what lies between, below and above them. Every
  // canonical label is a node of its own. The error: a label that is none of these.
  static Result<Regions> FromRanges(std::span<const std::string> labels, const std::string& column);

  std::size_t nodes() const { return labels_.size(); }
  static constexpr NodeId root() { return NodeId(0); }
  const std::string& label(NodeId node) const { return labels_[node.index()]; }
  // Also by the other labels of a region that several have.
  std::optional<NodeId> Find(std::string_view label) const;
  std::uint32_t atoms() const { return atoms_; }
  // FromRanges only: the atom of a number.
  bool numeric() const { return numeric_; }
  std::uint32_t AtomOf(double number) const;

  // Every region is an interval of atoms: whatever meets two by two meets.
  bool intervals() const { return bits_.empty(); }

  // They have an atom in common. O(1) for intervals, otherwise O(atoms / 64).
  bool Meet(NodeId a, NodeId b) const;
  bool Has(NodeId node, std::uint32_t atom) const;
  // Every atom of `inner` is one of `outer`.
  bool Contains(NodeId outer, NodeId inner) const;

  // The atoms that some labels have in common: at least one.
  class Common {
   public:
    bool operator==(const Common&) const = default;

   private:
    friend class Regions;
    std::uint32_t first_ = 0, last_ = 0;  // within [first, last) …
    std::vector<std::uint64_t> bits_;     // … these; empty: all. From the word of `first` on.
  };
  Common Of(NodeId node) const;
  bool Meet(const Common& common, NodeId node) const;
  // They must meet.
  void Narrow(Common& common, NodeId node) const;

  // Where of two regions that meet one always contains the other: the tree of them. O(all atoms).
  std::optional<Taxonomy> AsTree() const;

 private:
  static constexpr std::uint32_t kNoBits = UINT32_MAX;

  // Atoms first … last − 1; bits: where not all of them, from the word of `first` on.
  struct Extent {
    std::uint32_t first = 0, last = 0;
    std::uint32_t bits = kNoBits;
  };
  // 64 atoms of an extent from 64 · word on.
  std::uint64_t Word(const Extent& extent, std::uint32_t word) const;
  static std::uint64_t Word(const Common& common, std::uint32_t word);
  std::size_t Count(const Extent& extent) const;
  void Add(std::string label, std::uint32_t first, std::uint32_t last);

  std::uint32_t atoms_ = 1;
  std::vector<std::string> labels_;
  std::vector<Extent> extents_;  // per node
  std::vector<std::uint64_t> bits_;
  std::unordered_map<std::string, std::uint32_t> index_;
  bool numeric_ = false;
  std::vector<double> points_;  // ascending: atom 2i + 1 is points[i], 2i what lies below it
};

}  // namespace reissue::taxonomy
