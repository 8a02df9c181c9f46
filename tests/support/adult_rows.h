#pragma once
// The Adult census files for tests, where they are: rows as text, the authors' taxonomies.
// Header-only; the test must see the modules core, io, simulate and taxonomy.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/compression.h"
#include "reissue/simulate/adult_columns.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::support {

// The first file is the smaller one, which experiments publish first or test on.
inline constexpr const char* kAdultTest = "adult.test";
inline constexpr const char* kAdultTraining = "adult.data.zst";

inline std::filesystem::path DataFolder() {
  if (const char* folder = std::getenv("REISSUE_DATA")) return folder;
  std::filesystem::path root = __FILE__;
  for (int i = 0; i < 3; ++i) root = root.parent_path();
  return root / ".." / "shared" / "data";
}

inline bool HasAdult() {
  const std::filesystem::path folder = DataFolder() / "adult";
  return std::filesystem::exists(folder / kAdultTest) &&
         std::filesystem::exists(folder / kAdultTraining);
}
inline constexpr const char* kNoAdult =
    "no Adult data: set REISSUE_DATA to the folder that holds adult/adult.test and "
    "adult/adult.data.zst";

// Fields without the blanks around them.
inline std::vector<std::string> FieldsOf(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == separator) {
      fields.emplace_back();
    } else if (c != ' ' && c != '\r' && c != '\n') {
      fields.back() += c;
    }
  }
  return fields;
}

using AdultRows = std::vector<std::vector<std::string>>;

// Rows without `?`, in file order, one field per column of kAdultColumns.
inline AdultRows ReadAdult(const std::string& name) {
  const std::filesystem::path file = DataFolder() / "adult" / name;
  std::ifstream stored(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stored), {}};
  if (io::internal::IsCompressed(text)) {
    text = io::internal::Decompress(text, file.filename().string()).value().view();
  }
  std::istringstream in(text);
  AdultRows rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields = FieldsOf(line, ',');
    if (fields.size() != simulate::kAdultColumns.size()) continue;
    if (line.find('?') == std::string::npos) rows.push_back(std::move(fields));
  }
  return rows;
}

// Which field of a row a column is.
inline std::size_t AdultField(std::string_view column) {
  const auto& names = simulate::kAdultColumns;
  const auto at = std::find(names.begin(), names.end(), column);
  REISSUE_CHECK(at != names.end());
  return static_cast<std::size_t>(at - names.begin());
}

inline bool EarnsMore(const std::vector<std::string>& row) { return row.back().starts_with('>'); }

// The tree that the authors of the papers used; null where it cannot be read.
inline std::shared_ptr<const taxonomy::Taxonomy> AdultTaxonomy(const std::string& column) {
  const std::filesystem::path file =
      DataFolder() / "taxonomies" / "fung-tds" / ("adult_taxonomy_" + column + ".csv");
  std::ifstream in(file);
  std::vector<taxonomy::HierarchyLine> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back({lines.size() + 1, FieldsOf(line, ';')});
  }
  auto tree = taxonomy::FromHierarchy(lines, file.filename().string());
  return tree ? std::make_shared<const taxonomy::Taxonomy>(*std::move(tree)) : nullptr;
}

}  // namespace reissue::support
