#pragma once
// Digests of files, read piece by piece.

#include <string>

#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"

namespace reissue::io {

// Digest and FingerprintOf (csv.h) of the bytes of a file, in memory that does not grow with it.
Result<std::string> DigestOfFile(FileSystem& files, const std::string& path);
Result<Fingerprint> FingerprintOfFile(FileSystem& files, const std::string& path);

}  // namespace reissue::io
