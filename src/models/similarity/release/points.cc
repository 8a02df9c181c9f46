#include "reissue/models/similarity/release/points.h"

#include "reissue/core/result.h"

namespace reissue::models::similarity {

Column Column::Number(double, double) { REISSUE_CHECK(false); }
Column Column::Tree(std::vector<std::uint32_t>) { REISSUE_CHECK(false); }
double Column::Penalty(double, double) const { REISSUE_CHECK(false); }
double Column::Distance(double, double) const { REISSUE_CHECK(false); }
void Column::SetScale(double) { REISSUE_CHECK(false); }
void Standardise(Points&) { REISSUE_CHECK(false); }
double CertaintyPenalty(const Points&, std::span<const std::uint32_t>) { REISSUE_CHECK(false); }
double RecordLinkage(const Points&, std::span<const std::uint32_t>, ThreadPool&) {
  REISSUE_CHECK(false);
}

}  // namespace reissue::models::similarity
