#pragma once
// One requirement against the join: by closed forms where X decides what matches, else by adding
// up.

#include <functional>
#include <vector>

#include "reissue/models/xy/adversary/matching.h"
#include "reissue/models/xy/adversary/parts.h"

namespace reissue::models::xy {

// X tells the groups; linkability: Y lies in one table, or consists of single values.
bool IsPlain(const Matching& matching, const Requirement& requirement,
             const std::vector<TableParts>& parts);
RequirementReport AssessPlain(const Matching& matching, const Requirement& requirement,
                              const std::vector<TableParts>& parts, std::size_t limit);

// Any requirement. Looks at every pair of partitions that match. `one_row` is found where Y is the
// rows of table 0, see CountOneRow.
RequirementReport AssessByProducts(const Matching& matching, const Requirement& requirement,
                                   const std::vector<TableParts>& parts, std::size_t limit);

// RequirementReport::one_row of a requirement whose Y is something else.
std::uint64_t CountOneRow(const Linked& linked, const Matching& matching, Requirement requirement);

// What the join says about one combination on X.
struct JoinedX {
  Wide records = 0;
  Wide distinct = 0;  // anonymity
  struct Y {
    std::vector<std::uint32_t> codes;
    Wide records = 0;
  };
  std::vector<Y> ys;             // linkability without values: by codes
  std::vector<Wide> with_value;  // linkability with values
};
// The sums for the one x that the tables have left (as after dropping all other rows).
JoinedX SumUp(const Linked& linked, const Matching& matching, const Requirement& requirement);

}  // namespace reissue::models::xy
