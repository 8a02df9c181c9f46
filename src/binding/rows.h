#pragma once
// All rows of a table, wherever it lives: for whoever needs them, or needs what a file is.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/csv.h"

namespace reissue::binding {

// Whether the name leads to a file with lines: to CSV.
bool IsFile(const std::string& name, const Context& context);
// Of a file the line that has the names of its columns; of other tables there are none.
std::optional<std::uint64_t> HeaderLine(const std::string& name, const Context& context);

// What becomes of missing values of tables that are no files. Where a file could have none, as in a
// release, NULL is the empty text that a file would have.
io::OnMissing MissingIn(const io::CsvOptions& options);

// A file as io::ReadCsv reads it. Of another table what `options` say of columns and of missing
// values: NULL is missing, or where markers are values the first marker; where there are none, the
// empty text. Its rows have no lines, and the digest is that of its values.
Result<io::CsvFile> ReadRows(const std::string& name, const io::CsvOptions& options,
                             Context& context);

}  // namespace reissue::binding
