#pragma once
// One earlier release, laid out for quick questions about cells of the next one. Immutable once
// made; shared by threads. Internal to the publisher.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::bcf::internal {

using k::Bin;
using k::internal::Problem;
using k::internal::Spot;

// The cuts of a global recoding cut the table into regions: the cells of the release first, with
// their numbers, then the regions that only newcomers live in. A cell of the next release is
// comparable with the regions that make up its envelope class, no more and no less; so what was
// added in the class is what was added in these regions.
//
// Where the release is no global recoding, its cells stand for the regions; what was added is then
// unknown here.
class EarlierRelease {
 public:
  // `births`: the origins of the table's cells are births, and it is asked whom they leave there
  // (MayBeOld, MayBeNew; otherwise everybody may be either). `by_rows`: bins of a region in the
  // order of their rows, the largest first; otherwise by code. O(tuples · columns + groups +
  // regions · nodes on one path).
  EarlierRelease(const k::LeafCells& table, const Problem& problem, const Series& series,
                 std::size_t release, bool births, bool by_rows);

  std::size_t release() const { return release_; }
  bool global() const { return global_; }
  std::size_t regions() const { return regions_; }

  // A set of regions is so many words.
  std::size_t words() const { return words_; }
  // The regions whose node in this column lies on one path with the place.
  std::span<const std::uint64_t> Comparable(Spot place) const {
    return {comparable_.data() + place * words_, words_};
  }
  // The cut of the release lies at or above the place. False where there is no cut.
  bool AtOrBelowCut(Spot place) const { return below_cut_[place] != 0; }

  // What was published there.
  std::span<const Bin> Published(std::size_t region) const { return published_.at(region); }
  // What the table has there beyond that. Empty where the release is not global.
  std::span<const Bin> Added(std::size_t region) const { return added_.at(region); }

  // Of the table's combinations, numbered as in the problem; global releases only.
  std::uint32_t RegionOf(std::size_t tuple) const { return region_of_tuple_[tuple]; }
  // Somebody there may have been in the release; may have come later.
  bool MayBeOld(std::size_t tuple) const { return (seen_[tuple] & kOld) != 0; }
  bool MayBeNew(std::size_t tuple) const { return (seen_[tuple] & kNew) != 0; }

 private:
  static constexpr std::uint8_t kOld = 1, kNew = 2;

  // Bins per region, one region after the other.
  struct Histograms {
    std::vector<Bin> bins;
    std::vector<std::size_t> begin = {0};
    std::span<const Bin> at(std::size_t i) const {
      return {bins.data() + begin[i], begin[i + 1] - begin[i]};
    }
    void EndRegion(bool by_rows);
  };

  void FindRegions(const Problem& problem, const Series& series);
  void Compare(const Problem& problem, const Series& series);
  void CompareRegion(const Problem& problem, std::size_t column, Spot at, std::size_t region);
  void Count(const Problem& problem, const Release& release, bool by_rows);
  void CountPublished(const Release& release, bool by_rows);
  void ReadBirths(const k::LeafCells& table, const Problem& problem);

  std::size_t release_;
  bool global_;
  std::size_t regions_ = 0, words_ = 0;
  std::vector<std::uint64_t> comparable_;  // per place
  std::vector<std::uint8_t> below_cut_;    // per place
  std::vector<Spot> region_places_;        // per region and column
  Histograms published_, added_;
  std::vector<std::uint32_t> region_of_tuple_;
  std::vector<std::uint8_t> seen_;  // per tuple
};

}  // namespace reissue::models::bcf::internal
