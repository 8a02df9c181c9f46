#pragma once
// The obvious way to compute what a release costs: row by row and pair by pair, with every row of
// the table matched to what became of it. Slow, for tests only; shares no code with src/metrics.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/ids.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::oracle {

using Labels = std::vector<NodeId>;

// Row i of the table has raw[i] (leaf nodes) and was published as published[i], or left out.
struct MatchedRelease {
  std::vector<const taxonomy::Taxonomy*> trees;
  std::vector<Labels> raw;
  std::vector<std::optional<Labels>> published;

  std::size_t rows() const { return raw.size(); }
};

inline Cells PublishedCells(const MatchedRelease& release) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const auto& row : release.published) {
    if (!row) continue;
    for (const NodeId node : *row) keys.push_back(node.raw());
    counts.push_back(1);
  }
  return CollectCells(release.trees.size(), keys, counts);
}

inline std::vector<std::uint64_t> RawCounts(const MatchedRelease& release, std::size_t attribute) {
  const taxonomy::Taxonomy& tree = *release.trees[attribute];
  std::vector<std::uint64_t> counts(tree.leaves(), 0);
  for (const Labels& row : release.raw) ++counts[tree.first_leaf(row[attribute])];
  return counts;
}

// Says nothing, while some other published row says something.
inline bool Starred(const MatchedRelease& release, std::size_t row) {
  const auto silent = [&](const Labels& labels) {
    return std::all_of(labels.begin(), labels.end(), [](NodeId node) { return node.raw() == 0; });
  };
  if (!release.published[row] || !silent(*release.published[row])) return false;
  return std::any_of(release.published.begin(), release.published.end(),
                     [&](const auto& other) { return other && !silent(*other); });
}

// One unit for every ordered pair of rows of which the first cannot be told from the second.
inline std::uint64_t Discernibility(const MatchedRelease& release) {
  std::uint64_t units = 0;
  for (std::size_t a = 0; a < release.rows(); ++a) {
    const bool suppressed = !release.published[a] || Starred(release, a);
    for (std::size_t b = 0; b < release.rows(); ++b) {
      if (suppressed || release.published[a] == release.published[b]) ++units;
    }
  }
  return units;
}

// Steps from the raw value up to the published one, over all rows.
inline std::uint64_t StepsClimbed(const MatchedRelease& release, std::size_t attribute) {
  const taxonomy::Taxonomy& tree = *release.trees[attribute];
  std::uint64_t steps = 0;
  for (std::size_t row = 0; row < release.rows(); ++row) {
    const NodeId end =
        release.published[row] ? (*release.published[row])[attribute] : taxonomy::Taxonomy::root();
    for (NodeId at = release.raw[row][attribute]; at != end; at = tree.parent(at)) ++steps;
  }
  return steps;
}

// Sum over all rows; categorical trees count leaves one by one, numeric ones measure ranges.
inline double CertaintyPenaltySum(const MatchedRelease& release, std::size_t attribute) {
  const taxonomy::Taxonomy& tree = *release.trees[attribute];
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  if (tree.numeric()) {
    for (const Labels& row : release.raw) {
      low = std::min(low, tree.range(row[attribute]).low);
      high = std::max(high, tree.range(row[attribute]).low);
    }
  }
  double sum = 0;
  for (const auto& row : release.published) {
    const NodeId node = row ? (*row)[attribute] : taxonomy::Taxonomy::root();
    if (tree.is_leaf(node)) continue;
    if (tree.numeric()) {
      const double width =
          std::min(high, tree.range(node).high) - std::max(low, tree.range(node).low);
      sum += node.raw() == 0 ? 1.0 : width / (high - low);
      continue;
    }
    std::size_t covered = 0;
    for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
      NodeId at = tree.leaf(rank);
      while (at.valid() && at != node) at = tree.parent(at);
      if (at == node) ++covered;
    }
    sum += static_cast<double>(covered) / static_cast<double>(tree.leaves());
  }
  return sum;
}

inline double RangeDistortionSum(const MatchedRelease& release, std::size_t attribute) {
  const taxonomy::Taxonomy& tree = *release.trees[attribute];
  const taxonomy::Range full = tree.range(taxonomy::Taxonomy::root());
  double sum = 0;
  for (const auto& row : release.published) {
    const NodeId node = row ? (*row)[attribute] : taxonomy::Taxonomy::root();
    if (tree.is_leaf(node)) continue;
    sum += (tree.range(node).high - tree.range(node).low) / (full.high - full.low);
  }
  return sum;
}

// Whether some two different published combinations can be the same raw one.
inline bool Overlap(const MatchedRelease& release) {
  for (const auto& a : release.published) {
    for (const auto& b : release.published) {
      if (!a || !b || *a == *b) continue;
      bool meet = true;
      for (std::size_t i = 0; i < a->size(); ++i) {
        meet = meet && release.trees[i]->OnOnePath((*a)[i], (*b)[i]);
      }
      if (meet) return true;
    }
  }
  return false;
}

// Correct links of someone who, for every raw row, picks one row at random among all published rows
// of the cells it lies in. That is record linkage where each raw row lies in one cell.
inline double ExpectedLinks(const MatchedRelease& release) {
  double links = 0;
  for (std::size_t row = 0; row < release.rows(); ++row) {
    if (!release.published[row]) continue;
    std::size_t candidates = 0;
    for (const auto& other : release.published) {
      bool covers = other.has_value();
      for (std::size_t i = 0; covers && i < other->size(); ++i) {
        covers = release.trees[i]->IsAncestor((*other)[i], release.raw[row][i]);
      }
      if (covers) ++candidates;
    }
    links += 1.0 / static_cast<double>(candidates);
  }
  return links;
}

}  // namespace reissue::oracle
