#pragma once
// The product's view of the oracle's plain values, and back. Values are single letters from 's' on;
// code 0 is 's'. For tests only.

#include <cstdint>
#include <string>
#include <vector>

#include "domain.h"
#include "reissue/models/bcf/release/series.h"
#include "worlds.h"

namespace oracle::bcf {

namespace model = reissue::models::bcf;

std::uint32_t CodeOf(const std::string& value);
std::string ValueOf(std::uint32_t code);

// What the product makes of sets: regions, or a tree where they lie inside one another. Of labels
// that are all numbers and ranges `[a,b)` it knows itself what they stand for.
enum class SetsAs { kRegions, kTreesWhereNested, kRanges };

// Translates what belongs to one domain. The domain must outlive it.
class Translator {
 public:
  explicit Translator(const Domain& domain, SetsAs sets = SetsAs::kRegions);

  const Domain& domain() const { return domain_; }
  model::Series ToProduct(const Series& series) const;
  // The cell must have been published in the release.
  std::uint32_t CellOf(const model::Release& release, const Quasi& cell) const;
  // In the order of target.cells.
  std::vector<std::uint32_t> CellsOfTarget(const model::Series& series, const Target& target) const;
  Quasi LabelsOf(const model::Release& release, std::size_t cell) const;

 private:
  std::vector<std::uint32_t> KeyOf(const Quasi& cell) const;

  const Domain& domain_;
  model::Scales scales_;
};

}  // namespace oracle::bcf
