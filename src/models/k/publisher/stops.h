#pragma once
// What keeps the columns of a release from being finer: labels whose next finer ones would stand
// for groups that are too small. Looks at one step in one column at a time. No state.

#include <cstdint>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::k {

// A label that cannot be made finer, and why.
struct Stop {
  NodeId node = NodeId::Invalid();
  std::uint64_t groups = 0;  // that would be too small
  std::uint64_t rows = 0;    // in them
  std::uint64_t newcomers =
      0;                      // of these, in groups whose newcomers alone are too few; of a series
  std::uint64_t missing = 0;  // newcomers that would be enough for all of the groups; 0: not known
  struct Value {
    NodeId node;
    std::uint64_t rows = 0;
  };
  double saved = 0;                  // of the column's detail, if it were finer; 0 to 1
  std::vector<Value> values;         // below it, with the rows of such groups; fewest first
  std::vector<std::uint32_t> cells;  // of the table, with the rows of such groups
};

struct ColumnStops {
  double loss = 0;           // share of the column's detail that the release hides
  std::uint64_t labels = 0;  // that cannot be made finer
  Stop nearest;              // of these the one that hides most for each row in the way
};

// Per column. Where the table has births (origins), newcomers are those of the last.
std::vector<ColumnStops> StopsOf(const LeafCells& table, const Guarantee& guarantee,
                                 const Outcome& outcome);

// The mean over columns; rows that are left out lose everything.
double LossOf(const LeafCells& table, const Outcome& outcome);
// Rows of the smallest group that is told; 0: nobody is.
std::uint64_t SmallestGroup(const LeafCells& table, const Outcome& outcome);
// Of each column.
std::vector<double> LossByColumn(const LeafCells& table, const Outcome& outcome);

}  // namespace reissue::models::k
