#pragma once
// How well the class is predicted from a release: an estimate to choose releases by, as no score
// that is a sum over columns tells what they say together. Internal to the publisher.

#include <cstdint>
#include <vector>

#include "reissue/metrics/decision_tree.h"
#include "reissue/models/k/publisher/front.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

class Predictor {
 public:
  // `problem` has the score kClass and outlives the predictor. Draws some of the rows, by `seed`.
  Predictor(const Problem& problem, std::uint64_t seed);

  // Errors of decision trees on rows that they have not learned from; the same rows for every
  // recoding. A row that is left out counts as one with every column at the root. From any thread.
  std::uint64_t Errors(const Recoding& recoding) const;
  // Of one such question, in tuple visits.
  std::uint64_t work() const;

 private:
  struct Row {
    std::uint32_t tuple;
    std::uint32_t value;  // of the class
  };

  const Problem& problem_;
  std::uint64_t seed_;
  std::vector<Row> rows_;
  std::uint32_t classes_ = 1;
};

}  // namespace reissue::models::k::internal
