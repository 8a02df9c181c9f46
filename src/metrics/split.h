#pragma once
// How good a test on one attribute is at a node of a decision tree: information gain and split
// information, in bits, after C4.5. A SplitScorer owns scratch memory, so one object belongs to one
// thread. Scores depend on the counts only, never on the order of the rows.

#include <cstdint>
#include <span>
#include <vector>

namespace reissue::metrics {

// A test on one attribute. Not valid: fewer than two branches have enough cases.
struct SplitScore {
  bool valid = false;
  double gain = 0;        // bits; for numeric tests less the cost of naming the threshold
  double split_info = 0;  // bits: the entropy of the branch sizes
  double threshold = 0;   // numeric tests: the first branch holds number ≤ threshold

  double ratio() const { return split_info > 0 ? gain / split_info : 0; }
};

class SplitScorer {
 public:
  // `classes` is the number of class codes, `min_cases` what at least two branches must have.
  SplitScorer(std::uint32_t classes, std::uint32_t min_cases);

  // One branch per code that occurs. `rows` are the cases of the node; `codes` (all below
  // `code_count`) and `class_of_row` are indexed by row. O(rows + distinct · (classes + log)).
  SplitScore Categorical(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> codes,
                         std::uint32_t code_count, std::span<const std::uint32_t> class_of_row);

  // The binary test number ≤ threshold of highest gain (the lowest such threshold); each side gets
  // at least min(25, max(min_cases, a tenth of the cases per class)). `rows` ascend by number;
  // `codes` is indexed by row, `numbers` by code. The gain is less log2(thresholds tried)/rows, so
  // that many candidate thresholds are no advantage. O(rows · classes).
  SplitScore Numeric(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> codes,
                     std::span<const double> numbers, std::span<const std::uint32_t> class_of_row);

  // The codes that occurred in the last call of Categorical, ascending.
  std::span<const std::uint32_t> codes_seen() const { return seen_; }

 private:
  double CountTimesLog(std::uint64_t count) const;
  // Cases times entropy, in bits.
  double Information(std::span<const std::uint64_t> counts, std::uint64_t cases) const;
  double CountClasses(std::span<const std::uint32_t> rows,
                      std::span<const std::uint32_t> class_of_row);

  std::uint32_t classes_;
  std::uint32_t min_cases_;
  std::vector<double> table_;                // count · log2(count) of small counts
  std::vector<std::uint64_t> total_;         // per class
  std::vector<std::uint64_t> below_;         // per class, at or below the threshold
  std::vector<std::uint32_t> slot_of_code_;  // position in counts_ plus one; 0: not seen
  std::vector<std::uint32_t> seen_;
  std::vector<std::uint64_t> counts_;  // slot · classes + class
};

}  // namespace reissue::metrics
