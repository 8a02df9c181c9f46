#pragma once
// For tests around simulate: the rows of a generator as strings, and files beside the sources.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "reissue/simulate/generator.h"

namespace reissue::simulate {

using Row = std::vector<std::string>;

// Splits at `separator`; the texts of these tests have no quotes.
inline Row SplitLine(const std::string& line, char separator = ',') {
  Row fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

inline std::vector<Row> RowsOf(const Generator& generator, std::uint64_t first,
                               std::uint64_t count) {
  std::string text;
  generator.AppendRows(first, count, text);
  std::vector<Row> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) rows.push_back(SplitLine(line));
  return rows;
}

inline std::filesystem::path SourceRoot() { return REISSUE_SOURCE_DIR; }

inline std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace reissue::simulate
