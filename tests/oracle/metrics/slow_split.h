#pragma once
// The split criterion of a decision tree, straight from the definition: entropies of sets of rows,
// every threshold tried by dividing the rows anew. Slow, for tests only; shares no code with
// src/metrics.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "reissue/metrics/decision_tree.h"

namespace reissue::oracle {

using Rows = std::vector<std::size_t>;

inline double Entropy(const std::map<std::uint32_t, std::size_t>& counts) {
  double all = 0;
  for (const auto& [key, count] : counts) all += static_cast<double>(count);
  double bits = 0;
  for (const auto& [key, count] : counts) {
    const double share = static_cast<double>(count) / all;
    bits -= share * std::log2(share);
  }
  return bits;
}

inline double ClassEntropy(const metrics::Examples& examples, const Rows& rows) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::size_t row : rows) ++counts[examples.classes[row]];
  return Entropy(counts);
}

struct Test {
  double gain = 0;
  double split_info = 0;
};

inline Test Judge(const metrics::Examples& examples, const Rows& rows,
                  const std::map<std::uint32_t, Rows>& branches) {
  Test test{ClassEntropy(examples, rows), 0};
  std::map<std::uint32_t, std::size_t> sizes;
  for (const auto& [branch, part] : branches) {
    const double share = static_cast<double>(part.size()) / static_cast<double>(rows.size());
    test.gain -= share * ClassEntropy(examples, part);
    sizes[branch] = part.size();
  }
  test.split_info = Entropy(sizes);
  return test;
}

// Nothing where fewer than two branches have `min_cases` rows.
inline std::optional<Test> JudgeAttribute(const metrics::Schema& schema,
                                          const metrics::Examples& examples, const Rows& rows,
                                          std::size_t attribute, std::uint32_t min_cases) {
  const metrics::Attribute& about = schema.attributes[attribute];
  const auto& column = examples.columns[attribute];
  if (!about.numeric()) {
    std::map<std::uint32_t, Rows> branches;
    for (const std::size_t row : rows) branches[column[row]].push_back(row);
    const auto enough = std::count_if(branches.begin(), branches.end(), [&](const auto& branch) {
      return branch.second.size() >= min_cases;
    });
    if (enough < 2) return std::nullopt;
    return Judge(examples, rows, branches);
  }
  const double tenth = std::floor(static_cast<double>(rows.size()) / (10.0 * schema.classes));
  const double side = std::max<double>(min_cases, std::min(25.0, tenth));
  std::set<double> numbers;
  for (const std::size_t row : rows) numbers.insert(about.numbers[column[row]]);
  std::optional<Test> best;
  std::size_t tried = 0;
  for (const double limit : numbers) {
    std::map<std::uint32_t, Rows> branches;
    for (const std::size_t row : rows) {
      branches[about.numbers[column[row]] <= limit ? 0 : 1].push_back(row);
    }
    if (static_cast<double>(branches[0].size()) < side) continue;
    if (static_cast<double>(branches[1].size()) < side) continue;
    ++tried;
    const Test test = Judge(examples, rows, branches);
    if (!best || test.gain > best->gain + 1e-12) best = test;
  }
  if (best) best->gain -= std::log2(static_cast<double>(tried)) / static_cast<double>(rows.size());
  return best;
}

}  // namespace reissue::oracle
