#pragma once
// Small charts as SVG that takes its colours from the style sheet of the page, so that they are
// right in light and dark. They scale with their column; letters stay readable on a telephone.

#include "cli/page/html.h"
#include "cli/page/section.h"

namespace reissue::cli::page {

// A figure with its title, legend and a description for whoever cannot see it.
Html Drawn(const Chart& chart);

// A bar for a cell of a table; says nothing that the text beside it does not say.
Html BarOf(double share);

}  // namespace reissue::cli::page
