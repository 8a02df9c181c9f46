#pragma once
// Local recoding: boxes of a space tree that is grown for the table.

#include <cstdint>
#include <memory>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::k {

// As Publish, by boxes of a tree: Outcome::local says which. The search grows trees: kGreedy without
// look-ahead, kDefault with as much as the budget allows, and never worse than one descent by cuts;
// kUsage for kPaper and kOptimal. Rows are left out where that saves more than it costs, never where
// t or β is promised.
Result<Outcome> PublishLocally(const LeafCells& table, const Guarantee& guarantee,
                               const PublishOptions& options, ThreadPool& pool,
                               Progress& progress);

// The table as its readers see it: nodes, then a sensitive code. Rows left out are not in it.
Cells RecodedLocally(const LeafCells& table, const LocalRecoding& local);

// The boxes that cuts make, as a tree: nothing that has no row is split.
taxonomy::SpaceTree GridOf(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts);

}  // namespace reissue::models::k
