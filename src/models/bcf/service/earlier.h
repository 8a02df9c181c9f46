#pragma once
// The series so far, as the vault keeps it, for the release that comes next.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/binding/persons.h"
#include "reissue/core/cells.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/bcf/service/promise.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {

// What is kept of earlier releases.
struct Earlier {
  std::vector<PublishedRelease> releases;  // oldest first; none: this is the first release
  binding::RangeLabels ranges;             // of numeric columns
  std::optional<binding::Persons> persons;
  std::optional<std::string> space;        // ParseSpace; where they were recoded locally
  std::vector<ledger::PersonKey> starred;  // ascending
  // They keep the promise together: proven when the last one was made from the vault.
  bool kept = false;
};
Result<Earlier> LoadEarlier(const io::Policy& policy, ledger::Vault& vault);

// The secret that keeps the ranges of numeric columns whose trees came from the data; nothing where
// there are none.
inline constexpr char kRangesSecret[] = "ranges";
std::optional<std::string> SaveRanges(const binding::HolderTable& holder);

// The secret that keeps who is starred.
inline constexpr char kStarredSecret[] = "starred";
std::string SaveStarred(const std::vector<ledger::PersonKey>& starred);

// An error where somebody of an earlier release is missing.
Status NobodyVanished(const binding::Persons::Arrival& arrival, const std::string& table);

// An error where an earlier release breaks the promise without any other: it was adopted like that.
Status EachKeptAlone(const std::vector<PublishedRelease>& releases,
                     const k::service::Promise& promise);

// Earlier releases on the trees and sensitive codes of the table; kAny or kSure.
Result<Series> OnTreesOf(const binding::HolderTable& holder, const binding::ReleaseColumns& columns,
                         const std::vector<PublishedRelease>& releases, Stars stars,
                         std::uint32_t& sensitive_values);

}  // namespace reissue::models::bcf::service
