#pragma once
// Starred rows of a growing table: who is starred, and which newcomers it pays to star. A table
// with stars has one quasi-identifier more, the last (release/stars.h); the origins of its cells
// are births.

#include <cstdint>
#include <vector>

#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::bcf {

// A table with stars from one without, whose origins are twice as many: those of people who are
// told, then those of people who are starred.
k::LeafCells WithStars(const k::LeafCells& table);
// All rows without the column, or only those with kTold or kStarred in it.
k::LeafCells WithoutStars(const k::LeafCells& table);
k::LeafCells PartOf(const k::LeafCells& table, std::uint32_t star);
// The table after the newcomers of some leaves of a tree (LocalRecoding::starred) have been
// starred.
k::LeafCells AfterStarring(const k::LeafCells& table, const taxonomy::SpaceTree& tree,
                           const std::vector<std::uint8_t>& starred);

// Of the rows that may be starred in all, how many may be in one release, if so many are already:
// half of what is left, for releases to come; or a few, so that they keep the promise.
std::uint64_t StarsAtOnce(std::uint64_t limit, std::uint64_t already, std::uint64_t k);

namespace internal {

// Newcomers who would be starred, and what the release would cost then, about; of loss, all rows.
struct StarPlan {
  std::vector<NodeId> nodes;  // of the composite column: those below them
  std::uint64_t rows = 0;
  double cost = 0;
};

// Where a box has too few newcomers, either they are starred, or the release tells no more than a
// box above. From the best for a price of a star, on a ladder of prices that does not depend on how
// many rows may be starred: the first with k rows, then each that has half as many again as the
// one before.
//
// `table` and `earlier` have one composite column. A box has enough newcomers if since each earlier
// release its class has had none, or k: a rule of thumb, since values are not looked at, nor more
// than two releases together.
std::vector<StarPlan> PlanStars(const k::LeafCells& table, const Series& earlier, NodeId aside,
                                std::uint64_t k);

}  // namespace internal
}  // namespace reissue::models::bcf
