#include "reissue/metrics/split.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace reissue::metrics {
namespace {

constexpr std::size_t kTableSize = 1 << 15;
constexpr std::uint64_t kLargestNumericMinimum = 25;

double Midpoint(double low, double high) {
  const double middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}

}  // namespace

SplitScorer::SplitScorer(std::uint32_t classes, std::uint32_t min_cases)
    : classes_(classes),
      min_cases_(min_cases),
      table_(kTableSize),
      total_(classes),
      below_(classes) {
  for (std::size_t i = 2; i < kTableSize; ++i) {
    table_[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
  }
}

double SplitScorer::CountTimesLog(std::uint64_t count) const {
  if (count < kTableSize) return table_[count];
  return static_cast<double>(count) * std::log2(static_cast<double>(count));
}

double SplitScorer::Information(std::span<const std::uint64_t> counts, std::uint64_t cases) const {
  double sum = CountTimesLog(cases);
  for (const std::uint64_t count : counts) sum -= CountTimesLog(count);
  return sum;
}

double SplitScorer::CountClasses(std::span<const std::uint32_t> rows,
                                 std::span<const std::uint32_t> class_of_row) {
  std::fill(total_.begin(), total_.end(), 0);
  for (const std::uint32_t row : rows) ++total_[class_of_row[row]];
  return Information(total_, rows.size());
}

SplitScore SplitScorer::Categorical(std::span<const std::uint32_t> rows,
                                    std::span<const std::uint32_t> codes, std::uint32_t code_count,
                                    std::span<const std::uint32_t> class_of_row) {
  if (slot_of_code_.size() < code_count) slot_of_code_.resize(code_count, 0);
  seen_.clear();
  counts_.clear();
  for (const std::uint32_t row : rows) {
    std::uint32_t& slot = slot_of_code_[codes[row]];
    if (slot == 0) {
      seen_.push_back(codes[row]);
      slot = static_cast<std::uint32_t>(seen_.size());
      counts_.resize(counts_.size() + classes_, 0);
    }
    ++counts_[std::size_t{slot - 1} * classes_ + class_of_row[row]];
  }
  std::sort(seen_.begin(), seen_.end());

  SplitScore score;
  std::fill(total_.begin(), total_.end(), 0);
  double remaining = 0;
  double sizes = CountTimesLog(rows.size());
  std::size_t large_enough = 0;
  for (const std::uint32_t code : seen_) {
    const std::size_t slot = slot_of_code_[code] - 1;
    slot_of_code_[code] = 0;
    const std::span<const std::uint64_t> branch(counts_.data() + slot * classes_, classes_);
    std::uint64_t cases = 0;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      cases += branch[c];
      total_[c] += branch[c];
    }
    remaining += Information(branch, cases);
    sizes -= CountTimesLog(cases);
    if (cases >= min_cases_) ++large_enough;
  }
  if (large_enough < 2) return score;
  const double cases = static_cast<double>(rows.size());
  score.valid = true;
  score.gain = (Information(total_, rows.size()) - remaining) / cases;
  score.split_info = sizes / cases;
  return score;
}

SplitScore SplitScorer::Numeric(std::span<const std::uint32_t> rows,
                                std::span<const std::uint32_t> codes,
                                std::span<const double> numbers,
                                std::span<const std::uint32_t> class_of_row) {
  SplitScore score;
  const std::uint64_t cases = rows.size();
  const std::uint64_t smallest_side = std::max<std::uint64_t>(
      min_cases_, std::min(kLargestNumericMinimum, cases / (std::uint64_t{10} * classes_)));
  if (cases < 2 * smallest_side) return score;
  if (numbers[codes[rows.front()]] == numbers[codes[rows.back()]]) return score;

  const double before = CountClasses(rows, class_of_row);
  std::fill(below_.begin(), below_.end(), 0);
  double least_remaining = 0;
  std::uint64_t best_low = 0;
  std::uint64_t tried = 0;
  for (std::uint64_t low = 1; low <= cases - smallest_side; ++low) {
    ++below_[class_of_row[rows[low - 1]]];
    const double number = numbers[codes[rows[low - 1]]];
    const double next = numbers[codes[rows[low]]];
    if (low < smallest_side || number == next) continue;
    ++tried;
    double remaining = CountTimesLog(low) + CountTimesLog(cases - low);
    for (std::uint32_t c = 0; c < classes_; ++c) {
      remaining -= CountTimesLog(below_[c]) + CountTimesLog(total_[c] - below_[c]);
    }
    // A difference below rounding noise is no difference: the lower threshold stays.
    if (tried > 1 && remaining > least_remaining - 1e-9) continue;
    least_remaining = remaining;
    best_low = low;
    score.threshold = Midpoint(number, next);
  }
  if (tried == 0) return score;
  const double n = static_cast<double>(cases);
  score.valid = true;
  score.gain = (before - least_remaining - std::log2(static_cast<double>(tried))) / n;
  score.split_info =
      (CountTimesLog(cases) - CountTimesLog(best_low) - CountTimesLog(cases - best_low)) / n;
  return score;
}

}  // namespace reissue::metrics
