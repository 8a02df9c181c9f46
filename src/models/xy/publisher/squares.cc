#include "reissue/models/xy/publisher/squares.h"

namespace reissue::models::xy::internal {

Squares::Squares(const Source& source, const Places& places) {
  Blocks::Choice choice;
  choice.grouped.assign(places.columns().begin(), places.columns().end());
  blocks_ = Blocks(source, places, choice);
  gains_.assign(places.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) Evaluate(b, places);
}

// Adds a new block. The numbers are whole and small enough for doubles to be exact, or nearly.
void Squares::Evaluate(std::size_t block, const Places& places) {
  drops_.resize(blocks_.size() * blocks_.moving(), 0);
  double rows = 0;
  for (const std::uint32_t atom : blocks_.atoms(block)) {
    rows += static_cast<double>(blocks_.rows(atom));
  }
  cost_ += rows * rows;
  for (std::size_t m = 0; m < blocks_.moving(); ++m) {
    const Spot place = blocks_.place(block, m);
    double& drop = drops_[block * blocks_.moving() + m];
    drop = 0;
    if (!places.open(place)) continue;
    const Fork fork = places.fork(place);
    counts_.assign(places.fan_out(place), 0);
    for (const std::uint32_t atom : blocks_.atoms(block)) {
      counts_[fork.Of(blocks_.rank(atom, m))] += static_cast<double>(blocks_.rows(atom));
    }
    drop = rows * rows;
    for (const double part : counts_) drop -= part * part;
    gains_[place] += drop;
  }
}

void Squares::Specialise(Spot place, const Places& places) {
  gains_.resize(places.size(), 0);
  std::size_t m = 0;
  while (blocks_.column(m) != places.column(place)) ++m;
  const std::size_t before = blocks_.size();
  for (std::size_t b = 0; b < before; ++b) {
    if (blocks_.place(b, m) != place) continue;
    double rows = 0;
    for (const std::uint32_t atom : blocks_.atoms(b)) {
      rows += static_cast<double>(blocks_.rows(atom));
    }
    cost_ -= rows * rows;
    for (std::size_t j = 0; j < blocks_.moving(); ++j) {
      gains_[blocks_.place(b, j)] -= drops_[b * blocks_.moving() + j];
    }
    const auto parts = blocks_.Split(b, m, places);
    const std::vector<std::uint32_t> children(parts.begin(), parts.end());
    for (const std::uint32_t child : children) {
      if (child != Blocks::kNone) Evaluate(child, places);
    }
  }
}

}  // namespace reissue::models::xy::internal
