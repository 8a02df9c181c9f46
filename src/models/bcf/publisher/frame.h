#pragma once
// Where the next release of a long series may go. Internal to the publisher.
//
// A release that is nowhere finer than an earlier one tells of those alone who came after that one
// (adversary/history.h). One that is finer than all before in some place tells of everybody, and
// joins what was settled: were all releases free to be so, what there is to prove would grow with
// each of them. So a long series has a frame: one of its own releases, which those after it are
// nowhere finer than. Whoever was there before it is settled. From time to time the frame moves on
// to the release that tells most since, so that no more than some releases lie between it and the
// next one. A series in which the same cuts come again keeps its frame by that.

#include <cstddef>
#include <vector>

#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/taxonomy/cut.h"

namespace reissue::models::bcf::internal {

// The release, from 0. The first: as yet everything may be tried. A function of what was published.
std::size_t FrameOf(const Series& earlier);

// Nothing below these cuts can be published: it would be finer than each of the releases from the
// frame on. Empty: everything may be tried. O(releases · nodes).
std::vector<taxonomy::Cut> FloorsOf(const Series& earlier, std::size_t frame);

// The table as far as recodings that end at the floors tell its rows apart: each row with the first
// leaf below its floor. What they cost and how they recode it is the same. O(parts of the table ·
// columns).
k::LeafCells EndedAt(const k::LeafCells& table, std::vector<taxonomy::Cut> floors, k::Score score);

// One for each release from the frame on that may be the next one's bounds, the latest first; no
// more than a few.
std::vector<k::internal::Fence> FencesOf(const Series& earlier, std::size_t frame,
                                         const k::internal::Problem& problem);

}  // namespace reissue::models::bcf::internal
