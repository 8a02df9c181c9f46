#include "reissue/sources/parquet/errors.h"

#include "reissue/sources/parquet/library.h"

namespace reissue::sources::parquet {

Error ErrorOf(const std::string& file, int kind, std::string_view message) {
  const Place place{file, {}, {}, ""};
  const auto says = [&](std::string_view words) {
    return message.find(words) != std::string_view::npos;
  };
  switch (static_cast<DuckFault>(kind)) {
    case DuckFault::kOutOfMemory:
      return MachineError(place, "counting this file takes more memory than there is",
                          "Values are never put on the disk on the way. Name fewer columns in the "
                          "policy (role = \"drop\" costs nothing), convert the table to CSV, or "
                          "use a machine with more memory.");
    case DuckFault::kCatalog:
    case DuckFault::kMissingExtension:
      return UsageError("this DuckDB library reads no Parquet files, or cannot do what is needed",
                        "Name another one with --duckdb FILE: those of the DuckDB project read "
                        "Parquet.");
    case DuckFault::kIo:
      return MachineError(place, "DuckDB cannot read this file from the disk",
                          "Check the disk, and who may read the file.");
    case DuckFault::kInterrupt:
      return MachineError(place, "reading this file was interrupted", "Try again.");
    default:
      break;
  }
  if (says("UTF8") || says("UTF-8") || says("string encoding")) {
    return InputError(place, "the file holds text that is not UTF-8",
                      "Correct it where the file is made; Parquet texts are UTF-8.");
  }
  if (says("encrypt") || says("Encrypt")) {
    return InputError(place, "the file is encrypted", "Decrypt it first.");
  }
  return InputError(place, "this is no Parquet file, or it is damaged", kDamagedRemedy);
}

}  // namespace reissue::sources::parquet
