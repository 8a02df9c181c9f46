#pragma once
// Starred rows: every quasi-identifier is told as the root. Where the releases follow the rule that
// whoever is starred was starred from the first release on, and stays so, readers who know it see
// one column more: `*` → told, starred. In a release in which some rows are all roots and others
// are not, the former are starred and the latter told; in one in which all are, or none is, the
// column says no more than that. docs/design/0008 has the proof.

#include <memory>
#include <span>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::bcf {

// The taxonomy of the column, and the ranks of its leaves.
std::shared_ptr<const taxonomy::Taxonomy> StarTree();
inline constexpr std::uint32_t kTold = 0, kStarred = 1;

// Some rows of some release are starred, and others of it are not. Keys: raw NodeIds, then one
// sensitive code.
bool AnyStars(std::span<const Cells> published);

// The releases with the column, after the other quasi-identifiers.
std::vector<Cells> WithStars(std::span<const Cells> published);

}  // namespace reissue::models::bcf
