#pragma once
// What certificates say of the trees: per column with a taxonomy, for every label that occurs in
// the series the nearest one above it that occurs; the root is always there. Enough to tell which
// labels lie on one path, and nothing of the taxonomy that was not published. Plain values.

#include <string>
#include <utility>
#include <vector>

namespace reissue::engine {

struct ColumnHierarchy {
  std::string column;
  std::vector<std::pair<std::string, std::string>> parents;  // label, label above; root: nothing
};

}  // namespace reissue::engine
