#include "reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oracle::parts {
namespace {

constexpr int kNoWorld = std::numeric_limits<int>::min() / 2;

bool Fits(const Row& row, int place) { return row.low <= place && place <= row.high; }

// All ways to give every row of the first release one of the second, rows of one label being alike.
class Matchings {
 public:
  Matchings(std::vector<Row> first, const std::vector<Row>& second) : first_(std::move(first)) {
    for (const Row& row : second) ++count_[{row.low, row.high}];
    for (const auto& [label, rows] : count_) {
      labels_.push_back({label.first, label.second, 0});
      left_.push_back(rows);
    }
  }

  // The most that any of them makes of `worth`, summed over the pairs.
  template <typename Worth>
  int Most(const Worth& worth) {
    seen_.clear();
    return From(0, left_, worth);
  }

 private:
  template <typename Worth>
  int From(std::size_t row, const std::vector<int>& left, const Worth& worth) {
    if (row == first_.size()) return 0;
    const auto known = seen_.find({row, left});
    if (known != seen_.end()) return known->second;
    int most = kNoWorld;
    for (std::size_t l = 0; l < labels_.size(); ++l) {
      const Row& mine = first_[row];
      const Row& later = labels_[l];
      if (left[l] == 0 || std::max(mine.low, later.low) > std::min(mine.high, later.high)) continue;
      std::vector<int> rest = left;
      --rest[l];
      most = std::max(most, worth(mine, later) + From(row + 1, rest, worth));
    }
    seen_[{row, left}] = most;
    return most;
  }

  std::vector<Row> first_;
  std::map<std::pair<int, int>, int> count_;
  std::vector<Row> labels_;
  std::vector<int> left_;
  std::map<std::pair<std::size_t, std::vector<int>>, int> seen_;
};

std::vector<Row> WithValue(const Release& release, int value) {
  std::vector<Row> rows;
  for (const Row& row : release) {
    if (row.value == value) rows.push_back(row);
  }
  return rows;
}

// Nothing where there is no world.
std::optional<int> LeftOfValue(const Series& series, int value, int place, int birth) {
  const std::vector<Row> first = WithValue(series[0], value);
  const auto fitting = [&](const std::vector<Row>& rows) {
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [&](const Row& row) { return Fits(row, place); }));
  };
  if (series.size() == 1) return fitting(first);
  const std::vector<Row> second = WithValue(series[1], value);
  Matchings matchings(first, second);
  if (birth == 1) {
    const int most = matchings.Most([&](const Row& mine, const Row& later) {
      return Fits(mine, place) && Fits(later, place) ? 1 : 0;
    });
    return most < 0 ? std::nullopt : std::optional(most);
  }
  const int most =
      matchings.Most([&](const Row&, const Row& later) { return Fits(later, place) ? -1 : 0; });
  return most <= kNoWorld / 2 ? std::nullopt : std::optional(fitting(second) + most);
}

}  // namespace

std::optional<std::map<int, int>> Left(const Series& series, int place, int birth) {
  std::map<int, int> left;
  for (const Release& release : series) {
    for (const Row& row : release) left[row.value] = 0;
  }
  for (auto& [value, rows] : left) {
    const auto found = LeftOfValue(series, value, place, birth);
    if (!found) return std::nullopt;
    rows = *found;
  }
  std::erase_if(left, [](const auto& entry) { return entry.second == 0; });
  return left;
}

int Sum(const std::map<int, int>& left) {
  int sum = 0;
  for (const auto& [value, rows] : left) sum += rows;
  return sum;
}

int Distinct(const std::map<int, int>& left) {
  return static_cast<int>(
      std::count_if(left.begin(), left.end(), [](const auto& entry) { return entry.second > 0; }));
}

double LargestShare(const std::map<int, int>& left) {
  int largest = 0;
  for (const auto& [value, rows] : left) largest = std::max(largest, rows);
  return largest == 0 ? 0 : static_cast<double>(largest) / Sum(left);
}

double Entropy(const std::map<int, int>& left) {
  double entropy = 0;
  for (const auto& [value, rows] : left) {
    const double share = static_cast<double>(rows) / Sum(left);
    if (rows > 0) entropy -= share * std::log(share);
  }
  return entropy;
}

double RecursiveBound(const std::map<int, int>& left, int l) {
  std::vector<int> counts;
  for (const auto& [value, rows] : left) counts.push_back(rows);
  std::sort(counts.rbegin(), counts.rend());
  int tail = 0;
  for (std::size_t i = static_cast<std::size_t>(l) - 1; i < counts.size(); ++i) tail += counts[i];
  if (tail == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(counts[0]) / tail;
}

double Distance(const std::map<int, int>& some, const std::map<int, int>& all) {
  double distance = 0;
  for (const auto& [value, rows] : all) {
    const double mine = some.contains(value) ? static_cast<double>(some.at(value)) / Sum(some) : 0;
    distance += std::abs(mine - static_cast<double>(rows) / Sum(all)) / 2;
  }
  return distance;
}

double Gain(const std::map<int, int>& some, const std::map<int, int>& all) {
  double gain = 0;
  for (const auto& [value, rows] : some) {
    const double share = static_cast<double>(rows) / Sum(some);
    const double whole = static_cast<double>(all.at(value)) / Sum(all);
    gain = std::max(gain, share / whole - 1);
  }
  return gain;
}

std::map<int, int> Values(const Release& release) {
  std::map<int, int> values;
  for (const Row& row : release) ++values[row.value];
  return values;
}

std::map<std::pair<int, int>, std::map<int, int>> Groups(const Release& release) {
  std::map<std::pair<int, int>, std::map<int, int>> groups;
  for (const Row& row : release) ++groups[{row.low, row.high}][row.value];
  return groups;
}

Series Together(const std::vector<Series>& parts) {
  Series all(parts.at(0).size());
  for (const Series& part : parts) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].insert(all[i].end(), part[i].begin(), part[i].end());
    }
  }
  return all;
}

}  // namespace oracle::parts
