#pragma once
// Rows that are in no group: into existing groups that bear them, at the least cost; and groups
// that no longer keep the guarantee because the rows shown have changed.

#include <cstdint>
#include <vector>

#include "reissue/models/similarity/publisher/draft.h"
#include "reissue/models/similarity/publisher/place_tree.h"

namespace reissue::models::similarity::internal {

// Groups near a place, by the middle of their boxes; the largest groups are always among them,
// because they reach far and bear most. Of the groups as they were when it was made.
class NearGroups {
 public:
  explicit NearGroups(const Draft& draft);
  // At most `count` and the largest; ascending numbers.
  void Of(std::span<const double> place, std::size_t count,
          std::vector<std::uint32_t>& found) const;
  void OfGroup(std::uint32_t group, std::size_t count, std::vector<std::uint32_t>& found) const;

 private:
  std::vector<double> middle_;
  std::vector<std::uint32_t> group_, largest_;  // group_: of each middle
  std::vector<std::uint32_t> item_;             // per group: its middle
  std::size_t columns_ = 0;
  PlaceTree tree_;
};

// Lines 16 to 24 of Algorithm 1 for the rows that are out: each joins the group that keeps the
// guarantee with it at the least additional cost; others stay out, or are treated as `rule` says.
// All groups are tried where that is quick, near ones and the largest elsewhere.
void PlaceLeftovers(Draft& draft, Leftover rule);

// Until all groups keep the guarantee against the shares of what is shown: those that do not are
// joined with others, or dissolved and their rows placed.
void Settle(Draft& draft, Leftover rule);

}  // namespace reissue::models::similarity::internal
