#pragma once
// From the texts of a column of foreign files, all files together, to what they stand for. Texts
// are read together: whether `12-34` is a range, or `1305` a number, the column decides.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/labels/atoms.h"

namespace reissue::labels {

enum class Notation {
  kText,      // a text is a single value; `{a, b}` and `a|b` are sets of them
  kNumbers,   // numbers and ranges of them
  kDates,     // days, months, years and ranges of them
  kCodes,     // codes whose end (or beginning) may be masked: `130**`
  kTaxonomy,  // nodes of a tree (tree.h)
};

// A column over all files. Plain values.
struct ColumnLabels {
  Notation notation = Notation::kText;
  // The smallest parts that labels can tell apart. Where `unnamed`, the last one is anything that
  // no label names: a column has it where some label is open (`*`, `130**` has one of its own).
  std::uint32_t atoms = 0;
  bool unnamed = false;

  std::vector<AtomSet> labels;         // distinct sets; none is empty
  std::vector<std::string> texts;      // per label: the first text of those that mean it
  std::vector<std::uint32_t> of_text;  // per text that was given: its label

  std::vector<std::string> missing;  // texts that were taken for a value that is not there: as `*`
  // Texts among numbers or dates that are neither; without a digit among codes that have some; that
  // a tree does not have.
  std::vector<std::string> odd;
  bool cut = false;    // codes: shorter ones are beginnings of longer ones
  bool whole = false;  // numbers: only whole ones count

  // Some text other than `*` is a range, a set, a mask, a month or a year: it stands for several
  // values.
  bool ranges = false;
  // No two labels overlap; of two that overlap one contains the other.
  bool disjoint = true, nested = true;

  // The atoms of a label, one by one, ascending.
  std::vector<std::uint32_t> AtomsOf(std::uint32_t label) const { return labels[label].Atoms(); }
};

// `texts` are distinct. A text is a number, range, date, code or plain value as notation.h reads
// it; a column is of numbers or dates where nearly all of its texts can be, and of numbers also
// where half of them can be and one is a range in brackets or a comparison. `20-29` is no range
// where another text of its kind descends or has zeros in front, as codes do. O(n log n), and the
// pairs of labels that overlap.
//
// `cut`: shorter texts are the beginnings of codes, `1305` as `1305*` (AreCutCodes).
ColumnLabels ReadLabels(std::span<const std::string_view> texts, bool cut = false);

// The texts of a column in each file are codes of one length, letters and digits, at least three,
// files differ in their length, and nine of ten longer ones begin like one of the shortest: `13053`
// in one file, `1305` in another. Within one file lengths that differ tell nothing. O(n log n).
bool AreCutCodes(std::span<const std::vector<std::string_view>> files);

// The labels that overlap each, itself included, ascending. O(labels + pairs).
std::vector<std::vector<std::uint32_t>> Overlaps(const ColumnLabels& column);

}  // namespace reissue::labels
