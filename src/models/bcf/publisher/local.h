#pragma once
// The next release of a growing table by boxes: a cut through the tree of which the earlier
// releases are cuts. A tree of boxes is a taxonomy of one composite column, so this is Publish for
// a table of one column.

#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::bcf {

// As Publish; the outcome is local. The tree, over the taxonomies of the table, may have grown
// below what the earlier releases used. kInput where an earlier release is no cut of it.
//
// The table and the earlier releases may have a column of stars (publisher/stars.h), which is no
// column of the tree. Whoever is starred stays so; newcomers may be starred, too, as long as no
// more rows are starred than the suppression limit allows. With a larger one the release costs no
// more.
Result<k::Outcome> PublishLocally(const k::LeafCells& table, const taxonomy::SpaceTree& tree,
                                  const Series& earlier, const k::Guarantee& guarantee,
                                  const PublishOptions& options, ThreadPool& pool,
                                  Progress& progress);

}  // namespace reissue::models::bcf
