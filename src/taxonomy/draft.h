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
  kAuto,       // one of the others, chosen by the values
  kRanges,     // numbers: round widths that double, `17;[15,20);[10,20);[0,20);*`
  kPrefixes,   // codes: one character less on each level, `12345;1234*;123**;12***;1****;*`
  kFlat,       // values directly below the root
  kDates,      // days, months, years, `14.03.2019;2019-03-14;2019-03;2019;*`
  kBands,      // ranges already: neighbours merged, `[0-10);[0-20);[0-40);*`
  kDiagnoses,  // ICD-9, ICD-10: code, category, chapter, `250.83;250*;240-279 endocrine;*`
};

// `auto`, `ranges`, `prefixes`, `flat`, `dates`, `bands`, `diagnoses`.
std::string_view DraftKindName(DraftKind kind);

struct Draft {
  DraftKind kind = DraftKind::kFlat;  // never kAuto
  std::vector<HierarchyLine> lines;   // FromHierarchy accepts them; in order of value
  bool marks = false;                 // some value means *missing*, and stands below the root
};

// Whether a text is one of those that are written where a value is missing: `?`, `NA`, `null`, …
// The empty text is one, too.
bool IsMissingMark(std::string_view text);

// Ranges between round numbers over what a column has: the breakpoints of a policy, the last
// greater than all numbers. Of equal width; or growing, `0, 1, 2, 5, 10, …`, where a few numbers
// are far greater than most. `numbers` is sorted, with repetitions. Empty where none fit.
std::vector<double> RoundBreakpoints(std::span<const double> numbers);

// The hierarchy that such breakpoints make, with the marks among the values below the root.
std::vector<HierarchyLine> LinesOfBreakpoints(std::span<const std::string> values,
                                              const std::vector<double>& breakpoints);

// Drafts a hierarchy over the distinct values; those that mean *missing* stand directly below the
// root. kAuto: dates, bands and diagnoses where all values are written so; ranges for numbers,
// except for codes of five or more digits and codes with leading zeros; prefixes for those, for
// postcodes and for codes of one length that contain digits; else flat. Errors (no value is named):
// no values, an empty value, a value that is `*` or (prefixes) contains it, values that are not of
// the kind that was asked for. O(bytes × levels).
Result<Draft> DraftHierarchy(std::span<const std::string> values, DraftKind kind,
                             const std::string& column);

}  // namespace reissue::taxonomy
