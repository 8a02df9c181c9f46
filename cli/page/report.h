#pragma once
// From what a page is about to what it says.

#include "cli/page/blocks.h"
#include "cli/page/dossier.h"

namespace reissue::cli::page {

// A function of the dossier alone. A page that is not for the holder has nothing that is not in the
// published files, their certificates and the policy, if the dossier was gathered from these.
Page PageOf(const Dossier& dossier);

}  // namespace reissue::cli::page
