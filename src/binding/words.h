#pragma once
// Phrases that several reports share. Labels and sensitive values in them are published ones.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace reissue::binding {

// A cell for people: column and label.
using LabelledCell = std::vector<std::pair<std::string, std::string>>;

// "age = 20s, sex = *".
std::string Where(const LabelledCell& cell);
// "1 person", "2 people".
std::string People(std::uint64_t rows);
// "1 row", "2 rows".
std::string Rows(std::uint64_t rows);
// What readers learn from ranges of these columns that were found from the data.
std::string RangesFromDataWords(const std::vector<std::string>& columns);
// "a", "a and b", "a, b and c".
std::string Listed(const std::vector<std::string>& items);
// The same of names in quotes, at most sixty of them.
std::string QuotedNames(const std::vector<std::string>& names);

}  // namespace reissue::binding
