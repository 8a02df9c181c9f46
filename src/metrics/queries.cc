#include "reissue/metrics/queries.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "reissue/core/random.h"

namespace reissue::metrics {
namespace {

constexpr int kVainDraws = 1000;

// Where the rows of each key stand, keys in order, rows of a key in theirs: begin[key] …
// begin[key + 1] - 1 of `rows`.
struct Sorted {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> rows;

  explicit Sorted(std::span<const std::uint32_t> keys) {
    std::uint32_t most = 0;
    for (const std::uint32_t key : keys) most = std::max(most, key);
    begin.assign(keys.empty() ? 1 : most + std::size_t{2}, 0);
    for (const std::uint32_t key : keys) ++begin[key + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::size_t> next = begin;
    rows.resize(keys.size());
    for (std::size_t row = 0; row < keys.size(); ++row) {
      rows[next[keys[row]]++] = static_cast<std::uint32_t>(row);
    }
  }
  std::size_t keys() const { return begin.size() - 1; }
};

// Raw rows by value.
class Rows {
 public:
  explicit Rows(const QueryTable& table) : columns_(table.columns), sorted_(table.values) {
    codes_.reserve(table.codes.size());
    for (const std::uint32_t row : sorted_.rows) {
      const auto from = table.codes.begin() + static_cast<std::ptrdiff_t>(row * columns_);
      codes_.insert(codes_.end(), from, from + static_cast<std::ptrdiff_t>(columns_));
    }
  }

  std::uint64_t Count(const CountQuery& query) const {
    std::uint64_t count = 0;
    if (query.value >= sorted_.keys()) return 0;
    for (std::size_t row = sorted_.begin[query.value]; row < sorted_.begin[query.value + 1];
         ++row) {
      bool inside = true;
      for (std::size_t c = 0; c < columns_ && inside; ++c) {
        const std::uint32_t code = codes_[row * columns_ + c];
        inside = query.ranges[c].first <= code && code <= query.ranges[c].second;
      }
      count += inside ? 1 : 0;
    }
    return count;
  }

 private:
  std::size_t columns_;
  Sorted sorted_;
  std::vector<std::uint32_t> codes_;
};

// A release by group; neighbours with the same box are one.
class Groups {
 public:
  explicit Groups(const QueryRelease& release)
      : columns_(release.columns), exact_(release.lo == release.hi) {
    const Sorted sorted(release.group);
    begin_.push_back(0);
    for (std::size_t g = 0; g < sorted.keys(); ++g) {
      for (std::size_t i = sorted.begin[g]; i < sorted.begin[g + 1]; ++i) {
        Add(release, sorted.rows[i]);
      }
      begin_.push_back(rows_.size());
    }
    AddShares(release, sorted);
  }

  double Estimate(const CountQuery& query) const {
    double sum = 0;
    if (query.value + std::size_t{1} >= first_share_.size()) return 0;
    for (std::size_t i = first_share_[query.value]; i < first_share_[query.value + 1]; ++i) {
      sum += Inside(shares_[i].group, query) * shares_[i].share;
    }
    return sum;
  }

 private:
  struct Range {
    std::uint32_t lo, hi;
    bool operator==(const Range&) const = default;
  };
  struct Share {  // of a value in a group
    std::uint32_t group;
    double share;
  };

  void Add(const QueryRelease& release, std::size_t row) {
    const std::size_t at = boxes_.size();
    for (std::size_t c = 0; c < columns_; ++c) {
      boxes_.push_back({release.lo[row * columns_ + c], release.hi[row * columns_ + c]});
    }
    const bool first_of_group = rows_.size() == begin_.back();
    if (!first_of_group &&
        std::equal(boxes_.end() - static_cast<std::ptrdiff_t>(columns_), boxes_.end(),
                   boxes_.begin() + static_cast<std::ptrdiff_t>(at - columns_))) {
      boxes_.resize(at);
      rows_.back() += 1;
    } else {
      rows_.push_back(1);
    }
  }

  void AddShares(const QueryRelease& release, const Sorted& groups) {
    std::vector<std::uint32_t> values;
    for (const QueryRelease::Count& count : release.counts) values.push_back(count.value);
    const Sorted by_value(values);
    first_share_ = by_value.begin;
    for (const std::uint32_t i : by_value.rows) {
      const QueryRelease::Count& count = release.counts[i];
      // A group without rows has nothing inside any query.
      const bool shown = count.group < groups.keys();
      const std::size_t rows =
          shown ? groups.begin[count.group + 1] - groups.begin[count.group] : 0;
      const double share =
          rows == 0 ? 0 : static_cast<double>(count.rows) / static_cast<double>(rows);
      shares_.push_back({rows == 0 ? 0 : count.group, share});
    }
  }

  // Expected rows of a group inside the ranges.
  double Inside(std::size_t group, const CountQuery& query) const {
    return exact_ ? ExactlyInside(group, query) : PartlyInside(group, query);
  }

  // Most rows fail some range, unpredictably: all ranges are looked at without a branch.
  double ExactlyInside(std::size_t group, const CountQuery& query) const {
    double sum = 0;
    const Range* box = &boxes_[begin_[group] * columns_];
    for (std::size_t i = begin_[group]; i < begin_[group + 1]; ++i, box += columns_) {
      unsigned inside = 1;
      for (std::size_t c = 0; c < columns_; ++c) {
        const auto [first, last] = query.ranges[c];
        inside &= static_cast<unsigned>(box[c].lo - first <= last - first);
      }
      sum += inside * rows_[i];
    }
    return sum;
  }

  double PartlyInside(std::size_t group, const CountQuery& query) const {
    double sum = 0;
    for (std::size_t i = begin_[group]; i < begin_[group + 1]; ++i) {
      const Range* box = &boxes_[i * columns_];
      double part = rows_[i];
      for (std::size_t c = 0; c < columns_ && part > 0; ++c) {
        const std::uint32_t lo = std::max(box[c].lo, query.ranges[c].first);
        const std::uint32_t hi = std::min(box[c].hi, query.ranges[c].second);
        part *= lo > hi ? 0 : (hi - lo + 1.0) / (box[c].hi - box[c].lo + 1.0);
      }
      sum += part;
    }
    return sum;
  }

  std::size_t columns_;
  bool exact_;                      // no box is wider than one code
  std::vector<std::size_t> begin_;  // of each group among the boxes
  std::vector<Range> boxes_;        // columns_ each
  std::vector<double> rows_;        // with that box
  std::vector<std::size_t> first_share_;
  std::vector<Share> shares_;  // by value
};

double MedianOf(std::vector<double>& numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

}  // namespace

std::vector<CountQuery> RandomQueries(const QueryTable& table,
                                      std::span<const std::uint32_t> domain, double selectivity,
                                      std::uint64_t queries, std::uint64_t seed) {
  std::vector<CountQuery> drawn;
  if (table.values.empty()) return drawn;
  const double share = std::pow(selectivity, 1.0 / (static_cast<double>(table.columns) + 1));
  std::vector<std::uint32_t> width;
  for (const std::uint32_t codes : domain) {
    const long long covered = std::llround(codes * share);
    width.push_back(static_cast<std::uint32_t>(std::clamp<long long>(covered, 1, codes)));
  }
  const Rows rows(table);
  Random random = Random::Seeded(seed);
  // `around`: a row that the ranges must cover.
  const auto draw = [&](bool around) {
    CountQuery query;
    const std::size_t row = random.Below(table.values.size());
    query.value = table.values[row];
    for (std::size_t c = 0; c < table.columns; ++c) {
      std::uint32_t least = 0, most = domain[c] - width[c];
      if (around) {
        const std::uint32_t code = table.codes[row * table.columns + c];
        least = code + 1 > width[c] ? code + 1 - width[c] : 0;
        most = std::min(code, most);
      }
      const auto lo = static_cast<std::uint32_t>(least + random.Below(most - least + 1));
      query.ranges.emplace_back(lo, lo + width[c] - 1);
    }
    return query;
  };
  while (drawn.size() < queries) {
    CountQuery query = draw(false);
    for (int vain = 1; vain <= kVainDraws && rows.Count(query) == 0; ++vain) {
      query = draw(vain == kVainDraws);
    }
    drawn.push_back(std::move(query));
  }
  return drawn;
}

double Actual(const QueryTable& table, const CountQuery& query) {
  return static_cast<double>(Rows(table).Count(query));
}

double Estimate(const QueryRelease& release, const CountQuery& query) {
  return Groups(release).Estimate(query);
}

QueryError RelativeError(const QueryTable& table, const QueryRelease& release,
                         std::span<const CountQuery> queries, double selectivity) {
  const Rows rows(table);
  const Groups groups(release);
  QueryError error;
  error.selectivity = selectivity;
  std::vector<double> errors;
  for (const CountQuery& query : queries) {
    const auto actual = static_cast<double>(rows.Count(query));
    if (actual == 0) continue;
    errors.push_back(std::abs(actual - groups.Estimate(query)) / actual);
    error.mean += errors.back();
  }
  error.queries = errors.size();
  if (!errors.empty()) error.mean /= static_cast<double>(errors.size());
  error.median = MedianOf(errors);
  return error;
}

}  // namespace reissue::metrics
