#pragma once
// First hierarchies from the values of a column, for a person to improve: nobody knows better than
// the holder which values belong together. Pure functions.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

enum class DraftKind {
  kAuto,      // one of the others, chosen by the values
  kRanges,    // numbers: round widths that double, `17;[15,20);[10,20);[0,20);*`
  kPrefixes,  // codes: one character less on each level, `12345;1234*;123**;12***;1****;*`
  kFlat,      // values directly below the root
};

// `auto`, `ranges`, `prefixes`, `flat`.
std::string_view DraftKindName(DraftKind kind);

struct Draft {
  DraftKind kind = DraftKind::kFlat;  // never kAuto
  std::vector<HierarchyLine> lines;   // FromHierarchy accepts them; in order of value
};

// Drafts a hierarchy over the distinct values. kAuto: ranges for numbers, except for codes of five
// or more digits and codes with leading zeros; prefixes for those and for codes of one length that
// contain digits; else flat. Errors (no value is named): no values, an empty value, a value that is
// `*` or (prefixes) contains it, values that are not numbers or too close together for their size
// (ranges). O(bytes × levels).
Result<Draft> DraftHierarchy(std::span<const std::string> values, DraftKind kind,
                             const std::string& column);

}  // namespace reissue::taxonomy
