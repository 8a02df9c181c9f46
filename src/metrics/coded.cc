#include "reissue/metrics/coded.h"

#include <algorithm>
#include <numeric>

namespace reissue::metrics {

std::uint64_t CodesIn(const Coverage& label) {
  std::uint64_t codes = 0;
  for (const CodeRange& part : label) codes += part.codes();
  return codes;
}

std::uint64_t CodesIn(const Coverage& label, CodeRange range) {
  std::uint64_t codes = 0;
  for (const CodeRange& part : label) {
    const CodeRange both{std::max(part.first, range.first), std::min(part.last, range.last)};
    if (both.first <= both.last) codes += both.codes();
  }
  return codes;
}

std::uint64_t CodedTable::total() const {
  if (weights.empty()) return values.size();
  return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
}

RowFinder::RowFinder(const CodedTable& table) : total_(table.total()), end_(table.weights) {
  std::partial_sum(end_.begin(), end_.end(), end_.begin());
}

std::size_t RowFinder::operator()(std::uint64_t rank) const {
  if (end_.empty()) return rank;
  return static_cast<std::size_t>(std::ranges::upper_bound(end_, rank) - end_.begin());
}

}  // namespace reissue::metrics
