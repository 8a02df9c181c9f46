#pragma once
// Drafts for values of a particular writing: dates, bands, diagnoses, postcodes. Internal to
// taxonomy. Each takes distinct, sorted values and returns nothing where they are not of its kind.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy::internal {

using DraftLines = std::optional<std::vector<HierarchyLine>>;

// Days or months in one notation, with or without a time: `14.03.2019;2019-03-14;2019-03;2019;*`.
// Where there are many years, decades stand above them.
DraftLines DraftDates(std::span<const std::string> values);

// Values that are ranges already (`[70-80)`, `20-29`, `60+`, `<18`) and lie apart: neighbours are
// merged pairwise in numeric order. Up to two values that are no ranges stand below the root.
DraftLines DraftBands(std::span<const std::string> values);

// Codes of ICD-9 or ICD-10: code, category, chapter. Numbers and short codes may be anything else:
// unless the column is named like diagnoses, some code must have a point (ICD-10) or a letter
// (ICD-9).
DraftLines DraftDiagnoses(std::span<const std::string> values, bool named);

// British postcodes: unit, sector, district, area.
DraftLines DraftPostcodes(std::span<const std::string> values);

bool IsDigit(char c);
bool IsCapital(char c);
// As many digits as `text` begins with.
std::size_t LeadingDigits(std::string_view text);

}  // namespace reissue::taxonomy::internal
