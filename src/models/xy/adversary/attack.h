#pragma once
// What the join of linked tables reveals, without making it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reissue/models/xy/release/linked.h"

namespace reissue::models::xy {

// Numbers of join rows: products of table sizes do not fit 64 bits.
__extension__ using Wide = unsigned __int128;

// A combination of labels on X, and what it gives away.
struct Finding {
  std::vector<std::uint32_t> x;  // codes, in the order of Requirement::x
  Wide records = 0;              // a(x): rows of the join
  std::uint64_t distinct = 0;    // anonymity: a_Y(x)
  // Linkability: the y that exceeds its threshold most.
  std::vector<std::uint32_t> y;      // codes of Requirement::y, or the one code of `values`
  std::optional<std::size_t> value;  // index in Requirement::values
  Wide records_with_y = 0;
  double share = 0, threshold = 0;
};

struct RequirementReport {
  bool satisfied = true;
  // Null where the join is empty.
  std::optional<std::uint64_t> anonymity;  // A_Y(X)
  std::optional<double> linkability;       // L_Y(X) over the sensitive values; 0 where none occurs
  std::uint64_t violating = 0;             // combinations on X that break it; at most this many are
                                // counted where counting needs enumeration: see `counted`
  bool counted = true;  // `violating` is complete
  // Whatever is promised: combinations on X that leave one row of table 0; linkability: that make a
  // sensitive y certain.
  std::uint64_t one_row = 0, certain = 0;
  std::vector<Finding> worst;  // least distinct, or largest share − threshold, first; then by x.
                               // The worst of all even where nothing is broken; at most `limit`
};

struct Report {
  bool satisfied = true;
  std::vector<RequirementReport> requirements;
  Wide join_rows = 0;
  std::vector<std::uint64_t> dangling;  // per table: rows without a partner
  // Matching went by envelope classes (all tables are global recodings), or label by label.
  bool by_classes = true;
};

// kPromises: `one_row` is 0 where finding it takes as long as all the rest.
enum class Wanted { kPromises, kAll };
Report Attack(const Linked& linked, std::span<const Requirement> requirements,
              std::size_t limit = 10, Wanted wanted = Wanted::kPromises);

// One combination on X: the tuples of partitions that match, and what they add up to.
struct Explanation {
  struct Match {
    std::vector<std::vector<std::uint32_t>> partitions;  // per table: codes of all its columns that
                                                         // matter (see `columns`)
    std::vector<std::uint64_t> rows;                     // per table
    Wide records = 0;
  };
  std::vector<std::vector<std::size_t>> columns;  // per table: which columns the codes are of
  std::vector<Match> matches;                     // at most `limit`, most records first
  std::uint64_t more = 0;                         // matches that are not listed
  Wide records = 0;
  std::uint64_t distinct = 0;
  struct Y {
    std::vector<std::uint32_t> codes;
    Wide records = 0;
    double share = 0;
  };
  std::vector<Y> values;  // of Y, most frequent first, at most `limit`
};
Explanation Explain(const Linked& linked, const Requirement& requirement,
                    std::span<const std::uint32_t> x, std::size_t limit = 20);

}  // namespace reissue::models::xy
