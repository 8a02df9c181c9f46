#pragma once
// Entropies and correlations from their definitions, row by row. Slow, for tests only; shares no
// code with src/metrics.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace reissue::oracle {

template <typename Key>
double SlowEntropy(const std::map<Key, double>& rows) {
  double all = 0, bits = 0;
  for (const auto& [key, count] : rows) all += count;
  for (const auto& [key, count] : rows) {
    if (count > 0) bits -= count / all * std::log2(count / all);
  }
  return bits;
}

// Mutual information of two columns of the same rows: H(X) + H(Y) - H(X, Y).
template <typename X, typename Y>
double SlowInformation(const std::vector<X>& x, const std::vector<Y>& y) {
  std::map<X, double> of_x;
  std::map<Y, double> of_y;
  std::map<std::pair<X, Y>, double> of_both;
  for (std::size_t row = 0; row < x.size(); ++row) {
    of_x[x[row]] += 1;
    of_y[y[row]] += 1;
    of_both[{x[row], y[row]}] += 1;
  }
  return SlowEntropy(of_x) + SlowEntropy(of_y) - SlowEntropy(of_both);
}

// Values and labels matched as evenly as their counts allow: what is known of values and of labels
// is made right in turn, very often. `may_be`: of each label; one that stands for everything takes
// the rows that were left out.
using SlowMatching = std::map<std::pair<std::uint32_t, std::size_t>, double>;  // value, label
inline SlowMatching SlowMatch(const std::vector<double>& raw,
                              const std::vector<std::set<std::uint32_t>>& may_be,
                              const std::vector<double>& published, int rounds) {
  SlowMatching rows;
  for (std::size_t label = 0; label < may_be.size(); ++label) {
    for (const std::uint32_t value : may_be[label]) rows[{value, label}] = 1;
  }
  const auto sum = [&](auto belongs) {
    double all = 0;
    for (const auto& [key, count] : rows) all += belongs(key) ? count : 0;
    return all;
  };
  for (int round = 0; round < rounds; ++round) {
    for (std::uint32_t value = 0; value < raw.size(); ++value) {
      const auto same = [&](const auto& key) { return key.first == value; };
      const double there = sum(same);
      for (auto& [key, count] : rows) {
        if (same(key)) count = there > 0 ? count * raw[value] / there : 0;
      }
    }
    for (std::size_t label = 0; label < may_be.size(); ++label) {
      const auto same = [&](const auto& key) { return key.second == label; };
      const double there = sum(same);
      for (auto& [key, count] : rows) {
        if (same(key)) count = there > 0 ? count * published[label] / there : 0;
      }
    }
  }
  return rows;
}

// Pearson's chi-square of a table of counts over the rows, over one less than the fewer of its rows
// and columns: (observed - expected)² / expected.
inline double SlowCramersV(const std::vector<std::vector<double>>& observed) {
  const std::size_t height = observed.size(), width = observed.front().size();
  std::vector<double> of_row(height, 0), of_column(width, 0);
  double all = 0;
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      of_row[i] += observed[i][j];
      of_column[j] += observed[i][j];
      all += observed[i][j];
    }
  }
  double square = 0;
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const double expected = of_row[i] * of_column[j] / all;
      if (expected > 0)
        square += (observed[i][j] - expected) * (observed[i][j] - expected) / expected;
    }
  }
  return std::sqrt(square / all / static_cast<double>(std::min(height, width) - 1));
}

}  // namespace reissue::oracle
