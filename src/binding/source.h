#pragma once
// From a name to the source that it leads to.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/sources/table_source.h"

namespace reissue::binding {

// Everything in it, counted.
Result<sources::Counted> CountAll(const std::string& name, const io::CsvOptions& options,
                                  Context& context);

}  // namespace reissue::binding
