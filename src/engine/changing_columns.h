#pragma once
// What all models of tables whose rows come and go need of a policy's columns.

#include <span>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// Errors: no identifier, no sensitive column, a column that is kept and has one of the names that
// are `taken`. `whose` has columns of those names.
Status CheckChangingColumns(const io::Policy& policy, std::string_view model,
                            std::span<const char* const> taken, std::string_view whose);

}  // namespace reissue::engine
