#pragma once
// Discernibility: Σ rows² over the combinations of labels on all generalised columns, and what each
// possible next step takes off it. Owned by one thread; copies are independent. Internal to the
// publisher.

#include <vector>

#include "reissue/models/xy/publisher/blocks.h"

namespace reissue::models::xy::internal {

class Squares {
 public:
  Squares(const Source& source, const Places& places);

  double cost() const { return cost_; }
  // Of a place of the current cuts that was open when its blocks were made.
  double gain(Spot place) const { return place < gains_.size() ? gains_[place] : 0; }
  // The children of `place` must be open.
  void Specialise(Spot place, const Places& places);

 private:
  void Evaluate(std::size_t block, const Places& places);

  Blocks blocks_;
  double cost_ = 0;
  std::vector<double> gains_;   // per place
  std::vector<double> drops_;   // per block and column
  std::vector<double> counts_;  // scratch
};

}  // namespace reissue::models::xy::internal
