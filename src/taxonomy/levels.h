#pragma once
// Levels of a tree, as hierarchy files have them: level 0 are the raw values, level n stands in
// column n + 1 of the file, the root is the highest. No state.

#include <cstdint>
#include <span>

#include "reissue/core/result.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

// The nodes of a level. `lines` are those of the tree's file, or BreakpointLines; shorter lines are
// padded next to the leaf. The tree may have other nodes besides (WithSets). Where a label of the
// level lies above another one, it stands for both. An error where the highest level is lower.
// O(leaves · height).
Result<Cut> LevelOf(const Taxonomy& tree, std::span<const HierarchyLine> lines,
                    std::uint32_t level);

// The part of the tree that lies at the cut and above it: nodes of the cut become leaves. O(nodes).
Taxonomy Truncated(const Taxonomy& tree, const Cut& cut);

}  // namespace reissue::taxonomy
