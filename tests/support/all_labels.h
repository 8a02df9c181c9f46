#pragma once
// For tests: the labels of a tree, in the order of its nodes.

#include <string>
#include <vector>

#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {

inline std::vector<std::string> AllLabels(const Taxonomy& tree) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < tree.nodes(); ++i) labels.push_back(tree.label(NodeId(i)));
  return labels;
}

}  // namespace reissue::taxonomy
