#include "reissue/models/bcf/release/overlap.h"

#include <algorithm>

namespace reissue::models::bcf {

Overlap::Overlap(const Series& series) : series_(&series), width_(series.columns()) {}

void Overlap::Reserve() {
  const std::size_t wanted = (size_ + 1) * width_;
  if (nodes_.size() < wanted) nodes_.resize(wanted);
  if (!series_->trees_only() && common_.size() < wanted) common_.resize(wanted);
}

void Overlap::Start(std::span<const std::uint32_t> key) {
  size_ = 0;
  Reserve();
  std::ranges::copy(key, nodes_.begin());
  size_ = 1;
  for (std::size_t column = 0; column < width_ && !series_->trees_only(); ++column) {
    const taxonomy::Regions* regions = series_->regions(column);
    if (regions != nullptr) common_[column] = regions->Of(NodeId(key[column]));
  }
}

bool Overlap::Fits(std::size_t column, NodeId node) const {
  const taxonomy::Regions* regions = series_->regions(column);
  if (regions != nullptr) return regions->Meet(common_[(size_ - 1) * width_ + column], node);
  return series_->tree(column).OnOnePath(NodeId(nodes()[column]), node);
}

bool Overlap::Fits(std::span<const std::uint32_t> key) const {
  if (series_->trees_only()) return series_->Comparable(nodes(), key);
  for (std::size_t column = 0; column < width_; ++column) {
    if (!Fits(column, NodeId(key[column]))) return false;
  }
  return true;
}

void Overlap::Push(std::span<const std::uint32_t> key) {
  Reserve();
  const std::size_t before = (size_ - 1) * width_;
  const std::size_t after = size_ * width_;
  // Of two nodes on one path the lower one has the larger number.
  for (std::size_t column = 0; column < width_; ++column) {
    nodes_[after + column] = std::max(nodes_[before + column], key[column]);
  }
  for (std::size_t column = 0; column < width_ && !series_->trees_only(); ++column) {
    const taxonomy::Regions* regions = series_->regions(column);
    if (regions == nullptr) continue;
    common_[after + column] = common_[before + column];
    regions->Narrow(common_[after + column], NodeId(key[column]));
  }
  ++size_;
}

}  // namespace reissue::models::bcf
