#pragma once
// What DuckDB says, in our own words: its messages may quote values of the table.

#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::sources::parquet {

// `kind`: DuckFault, or any other number. Nothing of `message` is repeated.
Error ErrorOf(const std::string& file, int kind, std::string_view message);

// What a Parquet file should look like, as a remedy.
inline constexpr char kDamagedRemedy[] =
    "Make the file again with the program that wrote it, and check that it was copied whole.";

}  // namespace reissue::sources::parquet
