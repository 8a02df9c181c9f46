#pragma once
// The next release of a changing table. All files of a release appear together or not at all.

#include <memory>
#include <string>

#include "reissue/binding/grouped/table.h"
#include "reissue/contract/model.h"
#include "reissue/core/result.h"

namespace reissue::models::invariance::service {

// kPromise: a value has too many of the rows.
std::unique_ptr<contract::Publication> StartGroups(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context);

// The kPromise error for a table in which some values are too frequent; nothing where none is.
Status CheckEligible(const binding::SensitiveCodes& sensitive, std::uint64_t m,
                     const std::string& table);

}  // namespace reissue::models::invariance::service
