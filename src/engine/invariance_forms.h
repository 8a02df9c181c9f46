#pragma once
// A release of a changing table as files: from buckets to groups with fresh random numbers, to
// rows in random order.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/engine/changing_table.h"
#include "reissue/engine/context.h"
#include "reissue/engine/group_labels.h"
#include "reissue/engine/invariance_promise.h"
#include "reissue/engine/invariance_state.h"

namespace reissue::engine {

// Files beside a release have its name and one of these.
inline constexpr char kSensitiveSuffix[] = ".sensitive.csv";
inline constexpr char kCounterfeitsSuffix[] = ".counterfeits.csv";
// Those of a promise, in this order.
std::vector<std::string> SuffixesOf(const InvariancePromise& promise);

// Entries are the rows of the table, then the counterfeits.
struct ChangingRelease {
  std::size_t people = 0;
  std::vector<ShownColumn> columns;
  std::uint32_t groups = 0;
  std::vector<std::uint32_t> group;  // per entry; numbers say nothing; kNoGroup: left out
  std::vector<std::uint32_t> value;  // per entry, code of Remembered::values
  std::size_t size() const { return group.size(); }
};

// `bucket`: per entry. `after`: with the counterfeits of this release, in the order of the entries.
ChangingRelease Arrange(const ChangingTable& table, const InvariancePromise& promise,
                        const Remembered& after, std::span<const std::uint32_t> bucket,
                        std::vector<std::uint32_t> value, Random& random);

// Gives the groups that have anybody numbers that say nothing.
void Renumber(ChangingRelease& release, Random& random);

// Writes a new file, private until the vault puts it in place, and syncs it. `sensitive`: names of
// the sensitive columns.
Status WriteMain(const ChangingRelease& release, const InvariancePromise& promise,
                 const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                 const std::string& path, Random& random, Context& context);
// The file with one of the suffixes.
Status WriteBeside(const ChangingRelease& release, const std::string& suffix,
                   const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                   const std::string& path, Context& context);
// Everything, with identifiers.
Status WriteHolderCopy(const ChangingRelease& release, const ChangingTable& table,
                       const Remembered& after, const std::vector<std::string>& sensitive,
                       const std::string& path, Context& context);

}  // namespace reissue::engine
