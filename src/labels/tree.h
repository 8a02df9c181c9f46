#pragma once
// The texts of a column of which a taxonomy says what they stand for.

#include <span>
#include <string_view>

#include "reissue/labels/column.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::labels {

// A text is a node of the tree, and stands for the leaves below it. Else `*` and what is missing
// stand for all leaves, `{a, b}` and `a|b` for those of their parts, a mask (`130**`) for the
// leaves that begin (or end) so, and where all leaves are numbers a number or range for those
// within. The leaves are all values that there are. A text that is none of these is in `odd`, and
// a value of its own, of which no node knows: callers refuse it. Leaves that no text tells apart
// are one atom. O(texts · leaves) at worst, where no text is a node; else O(n log n) and the pairs
// of labels that overlap.
ColumnLabels ReadLabels(std::span<const std::string_view> texts, const taxonomy::Taxonomy& tree);

}  // namespace reissue::labels
