#pragma once
// From a name to the source that it leads to.

#include <memory>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/sources/table_source.h"

namespace reissue::binding {

// A Parquet file by its name; others by the catalog of the context; where it has none, or says so,
// a file. The source belongs to the caller, and what the context refers to must outlive it.
Result<std::unique_ptr<sources::TableSource>> OpenSource(const std::string& name,
                                                         const io::CsvOptions& options,
                                                         Context& context);

// Everything in it, counted.
Result<sources::Counted> CountAll(const std::string& name, const io::CsvOptions& options,
                                  Context& context);

}  // namespace reissue::binding
