#pragma once
// How a page looks: on a screen of any width, in light and dark, and on paper.

#include <string>

#include "cli/page/html.h"

namespace reissue::cli::page {

Html StyleSheet();
// Its SHA-256 in Base64, by which a page allows this style sheet and no other.
std::string StyleDigest();

}  // namespace reissue::cli::page
