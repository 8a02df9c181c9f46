#pragma once
// A table as a publisher of cuts sees it, what it publishes as text, and how columns were recoded.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/contract/reports.h"
#include "reissue/core/cells.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/service/promise.h"

namespace reissue::models::k::service {

// Leaf ranks, a sensitive code, a class code. `published`: binding::PublishedCombinations by birth;
// empty: nobody is told apart, and the rows of the table are taken as they are. Without ceilings.
LeafCells LeavesOf(const binding::HolderTable& holder, const Cells& published, Score score,
                   const std::optional<ColumnId>& class_column, ThreadPool& pool);

// How a release is searched for, by the promise.
PublishOptions SearchOptions(const Promise& promise, std::uint64_t rows, std::uint64_t seed);

// binding::WriteRows, recoded. Keys of combinations may have a code more, the last: 1 for rows that
// are starred.
Status WriteRelease(const binding::HolderTable& holder, const Cells& combinations,
                    const Outcome& outcome, const std::string& path, Random& random,
                    binding::Context& context);

// Names, distinct values and possible labels of the quasi-identifiers, in the order of the trees.
struct Spread {
  std::string column;
  std::uint64_t values = 0;
  std::vector<std::string> labels;
};
std::vector<Spread> SpreadOf(const binding::HolderTable& holder, const Outcome& outcome);
// What stands in the release for the values of each quasi-identifier: labels that occur, no others.
std::vector<contract::PublishReport::Recoded> DescribeRecoding(
    const std::vector<Spread>& before, const binding::ReleaseTable& release);

}  // namespace reissue::models::k::service
