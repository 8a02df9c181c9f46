#pragma once
// A codebook as the file that lies beside a release.

#include <string>

#include "reissue/binding/codebook.h"

namespace reissue::cli {

// Markdown where the name ends in .md, else CSV.
std::string CodebookFile(const binding::Codebook& book, const std::string& path);

}  // namespace reissue::cli
