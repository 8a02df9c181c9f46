#pragma once
// The paper's reading of more than two releases (section 7.1): per group the best attack on a pair
// of releases, and its two compositions (B then F, B then C). Experimental: for three and more
// releases these numbers bound what is left to a target from above and may overstate it. They can
// prove a breach for a given person, never safety; see the README of the model.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "reissue/models/bcf/adversary/pair.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// The least that the formulas leave to a target first seen in one release. Null: no target.
struct BirthBound {
  std::optional<std::uint64_t> forward;   // optimal F, after the best B (composition 1)
  std::optional<std::uint64_t> cross;     // best C, after the best B (composition 2)
  std::optional<std::uint64_t> backward;  // optimal B
};

struct SeriesBound {
  std::vector<BirthBound> births;          // per release
  std::optional<std::uint64_t> anonymity;  // the least of all
  std::uint64_t tuples = 0;                // looked at for `forward`
  bool complete = true;                    // false: stopped at the limit; `forward` of some births
                                           // is then the least of what was seen
};

// Solves each pair once, when it is first asked for, and compares cells once for all pairs of
// releases that have the same; safe in several threads. Refers to the series, which must outlive
// it.
class Formulas {
 public:
  explicit Formulas(const Series& series);
  // The same where `earlier` is of the same releases without the last one: pairs are shared.
  Formulas(const Series& series, const Formulas& earlier);

  // Pairs (i, j), i < j, from 0.
  const Pair& pair(std::size_t earlier, std::size_t later) const;
  // True where every pair can be two releases of one growing table. Where not, the numbers below
  // mean nothing.
  bool consistent() const;

  // What the optimal B leaves of a group of its own release: its size less its largest crack size
  // over all earlier releases.
  std::uint64_t AfterBackward(std::size_t release, std::size_t group) const;

  // What is left in release `birth` to a target who first appears there and is in cells[0],
  // cells[1], … of that release and all later ones: Σ over the values of the least of
  // AfterBackward and, for each later release, the rows that can be in both groups (composition 1;
  // without earlier releases the optimal F). O(groups · releases).
  std::uint64_t Left(std::size_t birth, std::span<const std::uint32_t> cells) const;

  // The least over all targets. Enumerates the tuples of comparable cells of all releases that
  // still leave something, at most `limit` of them.
  SeriesBound Bound(std::uint64_t limit = 20'000'000) const;

 private:
  class Walk;
  std::shared_ptr<const CellComparison> Compared(std::size_t earlier, std::size_t later) const;
  // By group of a release.
  const std::vector<std::uint64_t>& AfterBackward(std::size_t release) const;
  std::optional<std::uint64_t> LeastCross(std::size_t birth) const;
  std::optional<std::uint64_t> LeastBackward(std::size_t birth) const;

  // What was found out about a release and those before it.
  struct Found {
    explicit Found(std::size_t earlier) : solved(earlier), pairs(earlier), known(earlier) {}
    std::vector<std::once_flag> solved;
    std::vector<std::optional<Pair>> pairs;
    std::vector<std::atomic<const Pair*>> known;  // of these, once they are
    std::once_flag counted;
    std::vector<std::uint64_t> after_backward;
    // Its cells beside those of an earlier shape (Series::shape), of the first release that has
    // them: a candidate's own are not those of another one.
    std::mutex comparing;
    std::map<std::size_t, std::shared_ptr<const CellComparison>> compared;
  };

  const Series& series_;
  std::vector<std::shared_ptr<Found>> found_;  // per release
};

}  // namespace reissue::models::bcf
