#pragma once
// The earlier releases as one demand sees them. They fall into sides: tables that constrain one
// another are one side, and given a row of T1 the sides are independent. A side is a list of
// tuples of partitions, one per table, that match among themselves: what T1 must match to join
// them, and what they stand for. Immutable once built. Internal to the publisher.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/models/xy/publisher/demand.h"
#include "reissue/models/xy/publisher/publish.h"

namespace reissue::models::xy::internal {

// The tables and what links them; T1 is table 0. Everything must outlive the view.
struct View {
  const Source& source;
  std::span<const LinkedTable> prior;
  const std::vector<std::vector<Attribute>>& joins;
  const std::vector<Inconsistent>& inconsistent;

  // Null: plain codes.
  const taxonomy::Taxonomy* Tree(const Attribute& column) const;
  // Columns of T1 that decide what a row of it matches. Ascending.
  std::vector<std::uint32_t> MatchingColumns() const;
};

struct Side {
  // A column of T1 that decides what it matches here.
  struct Slot {
    std::uint32_t column = 0;
    bool join = false;  // a label of it must lie on one path with the tuple's
    struct Never {      // at or below `code` never matches a tuple that has the bit
      std::uint32_t code;
      std::size_t bit;
    };
    std::vector<Never> never;
  };
  struct Tuple {
    std::uint32_t x = 0, y = 0;  // numbers of the combinations on X and Y of these tables
    Wide distinct = 1;           // for how many distinct y the number stands (keys: rows)
    Wide rows = 0;
  };
  std::vector<Slot> slots;
  // Sorted by (x, y).
  std::vector<Tuple> tuples;
  // Per tuple and slot: of the tuple's labels on a join column the most special one. They lie on
  // one path, so a label of T1 lies on one path with all of them if it does with this one.
  std::vector<std::uint32_t> labels;
  std::size_t words = 0;
  std::vector<std::uint64_t> bits;  // per tuple: `words` words
  bool has_y = false;
  std::vector<double> limits;  // per y, single values only: the threshold; negative: not sensitive

  std::uint32_t label(std::size_t tuple, std::size_t slot) const {
    return labels[tuple * slots.size() + slot];
  }
};

// `plain`: a combination on X tells what a row of T1 matches; otherwise everything is one side.
// An error where a side has too many tuples to be held.
Result<std::vector<Side>> MakeSides(const View& view, const Demand& demand, bool plain);

}  // namespace reissue::models::xy::internal
