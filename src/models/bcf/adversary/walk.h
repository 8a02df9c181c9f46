#pragma once
// Every birth and tuple of cells that some value may be in. Internal to the adversary.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reissue/models/bcf/adversary/certain.h"
#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/adversary/history.h"
#include "reissue/models/bcf/release/overlap.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// Cells are those of the releases that tell of the birth.
class Walk {
 public:
  using Visitor =
      std::function<bool(std::size_t, std::span<const std::uint32_t>, std::span<Strand>)>;

  // All must outlive it.
  Walk(const Series& series, const Formulas& formulas, const History& history, Visitor visitor)
      : series_(series),
        formulas_(formulas),
        history_(history),
        visitor_(std::move(visitor)),
        overlap_(series) {}

  // False where the visitor wanted no more.
  bool AllTargets(std::size_t first_birth);
  // Each with its cells in all releases from the birth on.
  bool TheseTargets(std::size_t birth, std::span<const std::vector<std::uint32_t>> tuples);

 private:
  struct Alive {
    std::uint32_t value;
    std::size_t group;
    std::size_t parent;
  };

  void Start(std::size_t birth, std::uint32_t cell);
  // Keeps the values that the next cell has too; whether any is left.
  bool Push(std::size_t release_number, std::uint32_t cell);
  bool Extend(std::size_t birth);
  bool Visit(std::size_t birth);

  const Series& series_;
  const Formulas& formulas_;
  const History& history_;
  Visitor visitor_;
  std::vector<std::uint32_t> cells_;
  Overlap overlap_;  // of the cells
  std::vector<std::vector<Alive>> alive_;
  std::vector<Strand> strands_;
};

}  // namespace reissue::models::bcf
