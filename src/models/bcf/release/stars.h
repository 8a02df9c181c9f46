#pragma once
// Starred rows: every quasi-identifier is told as the root. Where the releases follow the rule that
// whoever is starred is so from their first release on, and stays so, readers who know it see
// one column more: `*` → told, starred. Rows that are all roots are starred and others told; in a
// release whose rows are all roots nobody can tell, and the column is the root, too.
// docs/design/0008 has the proof.

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
