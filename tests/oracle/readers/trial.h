#pragma once
// Puts cases before a reader and before the program, and counts where they differ.

#include <cstdint>

#include "desk.h"
#include "model.h"

namespace reissue::readers {

// Releases that other tools might have published: the audit against the reader.
Tally TryForeign(const Model& model, const Auditor& audit, std::uint64_t cases, std::uint64_t seed);

// Series that the program published: they keep the promise against the reader, and the program's
// audit and `verify` say so.
Tally TryPublished(const Model& model, const Publisher& publish, const Auditor& audit,
                   std::uint64_t cases, std::uint64_t seed);

}  // namespace reissue::readers
