#pragma once
// The tree of boxes of a series that is recoded locally, as the vault keeps it.
// docs/formats/vault.md has the format.

#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::bcf::service {

inline constexpr char kSpaceSecret[] = "space";
std::string SaveSpace(const taxonomy::SpaceTree& space);
// The trees may have more leaves than when it was saved: below a box that was split they are boxes
// of their own. kMachine where the bytes make no sense.
Result<taxonomy::SpaceTree> ParseSpace(std::string_view bytes, taxonomy::SpaceTree::Trees trees);

}  // namespace reissue::models::bcf::service
