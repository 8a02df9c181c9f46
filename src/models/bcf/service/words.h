#pragma once
// Findings about a series in sentences that a data-protection officer can act on.

#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/diversity.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/service/report.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {

// Releases count from 0 in the models, from 1 in reports.
inline std::uint32_t FromOne(std::size_t release) {
  return static_cast<std::uint32_t>(release + 1);
}

// Column and label of a cell; releases count from 0 here.
binding::LabelledCell CellOf(const BoundSeries& bound, std::size_t release, std::size_t cell);

// A cell that leaves fewer than k, under one attack on two releases. `born` counts from 0.
SeriesExposure DescribeFinding(const BoundSeries& bound, const models::bcf::Finding& finding,
                               std::size_t born, std::uint64_t k);
// A promise beyond k that breaks after exclusion, under one attack on two releases.
SeriesExposure DescribeBreach(const BoundSeries& bound, const models::bcf::Pair& pair,
                              const models::bcf::DiversityBreach& breach);
// A target that only all releases together expose.
SeriesExposure DescribeTarget(const BoundSeries& bound, const models::bcf::TargetLeft& found,
                              std::uint64_t k);

SeriesConflict DescribeContradiction(const BoundSeries& bound, std::size_t earlier,
                                     std::size_t later,
                                     const models::bcf::Contradiction& contradiction);
SeriesConflict DescribeImpossible(const BoundSeries& bound,
                                  const models::bcf::Impossible& impossible);

// Why a pair could not be compared by its cuts; empty where it could.
std::string WhyFlow(const BoundSeries& bound, std::size_t earlier, std::size_t later);

}  // namespace reissue::models::bcf::service
