#pragma once
// The series so far, as the vault keeps it, and the search for the release that comes next.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/result.h"
#include "reissue/engine/context.h"
#include "reissue/engine/load.h"
#include "reissue/engine/persons.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/series.h"
#include "reissue/engine/series_audit.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::engine {

// What is kept of earlier releases (model `bcf`).
struct Earlier {
  std::vector<PublishedRelease> releases;  // oldest first; none: this is the first release
  std::vector<std::string> digests;        // of their files
  RangeLabels ranges;                      // of numeric columns
  std::optional<Persons> persons;
};
Result<Earlier> LoadEarlier(const io::Policy& policy, ledger::Vault& vault);

// The secret that keeps the ranges of numeric columns whose trees came from the data; nothing where
// there are none.
inline constexpr char kRangesSecret[] = "ranges";
std::optional<std::string> SaveRanges(const HolderTable& holder);

// An error where somebody of an earlier release is missing.
Status NobodyVanished(const Persons::Arrival& arrival, const std::string& table);

// An error where an earlier release breaks the promise without any other: it was adopted like that.
Status EachKeptAlone(const std::vector<PublishedRelease>& releases, const Promise& promise);

// The table as a publisher sees it: leaf ranks, a sensitive code, a class code.
models::k::LeafCells LeavesOf(const HolderTable& holder, const Cells& published,
                              const std::optional<ColumnId>& class_column);

// Earlier releases on the trees and sensitive codes of the table.
Result<models::bcf::Series> OnTreesOf(const HolderTable& holder, const ReleaseColumns& columns,
                                      const std::vector<PublishedRelease>& releases,
                                      std::uint32_t& sensitive_values);

// How a release is searched for: the policy's settings, or what this call wants instead.
models::k::PublishOptions SearchOptions(const Promise& promise, std::uint64_t rows,
                                        std::uint64_t seed);
}  // namespace reissue::engine
