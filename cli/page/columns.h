#pragma once
// What a page shows of the columns and groups of files.

#include "cli/page/dossier.h"
#include "cli/page/section.h"

namespace reissue::cli::page {

// Of the newest release.
Section SizesOfGroups(const Dossier& dossier);
Section WhatColumnsLost(const Dossier& dossier);
// As published; where the table is there, before and after.
Section Distributions(const Dossier& dossier);

}  // namespace reissue::cli::page
