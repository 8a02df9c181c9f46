#pragma once
// Tables as office programs write them: bytes of Windows-1252 as UTF-8, numbers with a decimal
// comma as numbers with a point, and files that are no CSV at all. Internal to io. Pure functions.

#include <string>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/csv.h"

namespace reissue::io::internal {

// Appends the text as UTF-8, up to three bytes for each. The five bytes that Windows-1252 has not
// stay what they are, and are no UTF-8 then: whoever looks for that finds them.
void AppendFromWindows1252(std::string_view bytes, std::string& text);
inline constexpr std::size_t kMostBytesOfOne = 3;

// The first bytes of a file that the policy says to be Windows-1252: an error where they are the
// mark of UTF-8.
Status IsNotMarkedUtf8(std::string_view beginning, const std::string& file);
// An error of a reader of UTF-8, in the words of the encoding that the file has.
Error InWordsOf(Encoding encoding, Error error);
inline constexpr char kNotUtf8[] = "a byte that is not UTF-8 text";

// An error where the file is a workbook, a Parquet file under another name, or an archive.
Status IsNoOtherFormat(std::string_view beginning, const std::string& file);

// A field of a numeric column: `3,5` becomes `3.5`. A number with a point could mean two things
// (thousands, or decimals): it becomes a text that HasNoPoints finds. Anything else stays.
std::string WithDecimalPoint(std::string_view field);
// An error, with its place, where a column in options.decimal_comma has a number with a point.
Status HasNoPoints(const Table& table, const CsvOptions& options);

}  // namespace reissue::io::internal
