#pragma once
// Internal to the decision tree: grows the unpruned tree. Used once by one thread.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/metrics/decision_tree.h"
#include "reissue/metrics/split.h"

namespace reissue::metrics::internal {

class TreeGrower {
 public:
  // Keeps references: both must outlive the grower. `training` fits `schema` and has rows.
  TreeGrower(const Schema& schema, const Examples& training, const TreeOptions& options);

  std::vector<DecisionTree::Node> Grow() &&;

 private:
  // Rows begin … end − 1 of every order array belong to the node.
  struct Segment {
    std::uint32_t node = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Choice {
    bool split = false;
    std::size_t attribute = 0;
    double threshold = 0;
  };

  void SortNumericColumns();
  void Describe(const Segment& segment);
  Choice ChooseTest(const Segment& segment);
  void Split(const Segment& segment, const Choice& choice);
  void Distribute(std::vector<std::uint32_t>& order, const Segment& segment,
                  std::span<const std::size_t> branch_begins);

  const Schema& schema_;
  const Examples& training_;
  const TreeOptions& options_;
  SplitScorer scorer_;
  std::vector<DecisionTree::Node> nodes_;
  std::vector<Segment> open_;
  std::vector<std::uint32_t> rows_;                 // all rows, node by node
  std::vector<std::vector<std::uint32_t>> sorted_;  // the same per numeric attribute, by number
  std::vector<std::uint32_t> branch_of_row_;
  std::vector<std::uint32_t> buffer_;
  std::vector<SplitScore> scores_;
  std::vector<std::uint64_t> class_counts_;
};

}  // namespace reissue::metrics::internal
