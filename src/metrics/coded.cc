#include "reissue/metrics/coded.h"

#include <algorithm>

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

}  // namespace reissue::metrics
