#pragma once
// Grows a space tree for a table: every leaf with rows keeps the promise, and little detail is
// lost. Greedily by what a split saves for the bits that it tells (rows can be told apart only so
// far), and with look-ahead: where there is time, each of the best splits is tried by growing
// greedily below it to the end. Internal to the publisher.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/k/publisher/land.h"
#include "reissue/models/k/publisher/survival.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::k::internal {

struct GrowOptions {
  // Tuple visits for look-ahead; greedy growth comes on top.
  std::uint64_t work = 0;
  // What it costs to leave a row out, beyond its detail; nothing: no row is left out.
  std::optional<double> penalty;
  // The tree is for a series, too, in which a release has so many newcomers per row of the one
  // before: later releases are cuts that lie higher.
  Prospect prospect;
};

struct Grown {
  taxonomy::SpaceTree tree;
  std::vector<taxonomy::SpaceTree::Box> left_out;  // leaves whose rows are left out
};

// Grows on below the leaves of `from`, a tree over the trees of the problem. Rows of leaves that do
// not keep the promise are not looked at. O(tuples · columns · height) and options.work. The same
// for any number of threads, and however the tuples lie.
Grown Grow(Land& land, taxonomy::SpaceTree from, const GrowOptions& options, ThreadPool& pool);

}  // namespace reissue::models::k::internal
