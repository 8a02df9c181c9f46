#pragma once
// A file as the place of an error.

#include <string>

#include "reissue/core/result.h"

namespace reissue::ledger {

inline Place At(const std::string& file) {
  return Place{.file = file, .line = {}, .byte = {}, .column = {}};
}

}  // namespace reissue::ledger
