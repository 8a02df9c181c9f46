#pragma once
// Local recoding: boxes of a space tree that is grown for the table.

#include <cstdint>
#include <memory>
#include <optional>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::k {

// As Publish, by boxes of a tree: Outcome::local says which. The search grows trees: kGreedy
// without look-ahead, kDefault with as much as the budget allows, and never worse than one descent
// by cuts; kUsage for kPaper and kOptimal. Rows are left out where that saves more than it costs,
// never where t or β is promised.
Result<Outcome> PublishLocally(const LeafCells& table, const Guarantee& guarantee,
                               const PublishOptions& options, ThreadPool& pool, Progress& progress);

// A tree, grown on below its leaves where the table has rows enough.
taxonomy::SpaceTree GrownOn(const LeafCells& table, const Guarantee& guarantee,
                            const PublishOptions& options, taxonomy::SpaceTree tree,
                            ThreadPool& pool);

// The table as its readers see it: nodes, then a sensitive code. Rows left out are not in it.
Cells RecodedLocally(const LeafCells& table, const LocalRecoding& local);

// What it costs, normalised as in metrics/ (kClass: bits of the class that the boxes leave open,
// per row), from scratch.
double CostOf(const LeafCells& table, const LocalRecoding& local, Score score);

// What a box hides of a row of the table, to compare boxes by; kLoss: as in the cost.
double HiddenBy(const LeafCells& table, const taxonomy::SpaceTree& tree,
                taxonomy::SpaceTree::Box box, Score score);

// The boxes that cuts make, as a tree: nothing that has no row is split. On from `tree`, if there
// is one.
taxonomy::SpaceTree GridOf(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
                           std::optional<taxonomy::SpaceTree> tree = std::nullopt);

// Whether a box is coarser than a ceiling of the table in some column.
bool AboveCeiling(const LeafCells& table, const taxonomy::SpaceTree& tree,
                  taxonomy::SpaceTree::Box box);

}  // namespace reissue::models::k
