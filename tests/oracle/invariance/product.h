#pragma once
// The product's view of the oracle's plain values. For tests only.

#include <string>
#include <vector>

#include "published.h"
#include "reissue/models/invariance/adversary/attack.h"
#include "reissue/models/invariance/adversary/equality.h"
#include "reissue/models/invariance/adversary/history.h"
#include "reissue/models/invariance/release/series.h"
#include "worlds.h"

namespace oracle::invariance {

namespace model = reissue::models::invariance;

model::Series ToSeries(const Published& published);
std::vector<model::PublishedGroup> ToGroups(const Published& published);

// A series of one bucket as a history.
struct Lived {
  model::History history;
  std::vector<std::vector<int>> stays;    // people, like history.stays
  std::vector<std::vector<int>> returns;  // people, like history.returns
  std::vector<model::Moment> moments;     // per release
};
// `moments` ascend. With `apart` people who came and left together are not put together.
Lived LivedIn(const Published& bucket, const std::vector<model::Moment>& moments, bool apart);

// The delta encoding of the paper: a row per moment, or per class of moments that are taken for one
// (`leader` of each release's moment; the release's own number if it stands alone).
Matrices DeltaOf(const Published& bucket, const std::vector<std::size_t>& leader);

// Multiplicities per person that potentials give; the left side is positive. Nothing where they are
// not whole.
std::optional<Vector> SidesBy(const Lived& lived, int people, const model::Equality& equality);
Vector FromSides(const std::vector<model::Person>& left, const std::vector<model::Person>& right,
                 int people);

// The least cut that is not zero, over all sets of moments.
std::optional<long> LeastCutByTrying(const model::History& history);

// What a reader knows who has tried all worlds.
struct Truth {
  std::vector<std::set<int>> possible;  // per person
  Equalities by_weights;                // Definition 10
  Equalities in_all_worlds;
};
// Nothing where there are more worlds than `limit`.
std::optional<Truth> TruthOf(const Published& published, std::size_t limit);

// What is wrong with the findings of an attack; nothing if they are right. `decided`: it had effort
// enough to leave nothing open.
std::string WrongInFindings(const Published& published, const Truth& truth, bool decided,
                            const model::AttackOptions& options, const model::Findings& findings);
std::string Describe(const model::History& history);
std::string Describe(const std::optional<std::uint64_t>& number);

}  // namespace oracle::invariance
