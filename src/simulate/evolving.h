#pragma once
// Values that change while rows come and go: the Adult stream of Amiri, Yazdani, Shakery and Ho
// (Transactions on Data Privacy 12, 2019, section 6.1). A stream of updates says who is in which
// table; here some of those who stay get a new value, any of the domain, also the one they had.

#include <cstdint>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/simulate/updates.h"

namespace reissue::simulate {

// Row of the pool, and the value that it has from this table on.
using ValueChange = std::pair<std::uint32_t, std::uint32_t>;

// Per table of the stream; none in the first. `change` of the rows that were in the table before
// change, all equally likely. A stream of fewer tables has the beginning of the changes of a longer
// one. Errors (kUsage): more change than stay.
Result<std::vector<std::vector<ValueChange>>> MakeChanges(const UpdateStream& stream,
                                                          std::uint32_t value_count,
                                                          std::uint64_t change, std::uint64_t seed);

// The stream as it is in the table of these changes; to be called table by table.
void ApplyChanges(const std::vector<ValueChange>& changes, UpdateStream& stream);

}  // namespace reissue::simulate
