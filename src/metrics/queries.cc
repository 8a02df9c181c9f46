#include "reissue/metrics/queries.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "reissue/core/random.h"

namespace reissue::metrics {
namespace {

constexpr int kVainDraws = 1000;
constexpr double kSelectivities[] = {0.01, 0.02, 0.05, 0.1};
constexpr std::size_t kRangeColumns = 4, kPointColumns = 2;  // that a query asks about

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

// Raw rows by value; those that are alike are one.
class Rows {
 public:
  explicit Rows(const CodedTable& table) : columns_(table.columns) {
    std::vector<std::uint32_t> order(table.values.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto codes = [&](std::uint32_t row) {
      return std::span(table.codes).subspan(row * columns_, columns_);
    };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      if (table.values[a] != table.values[b]) return table.values[a] < table.values[b];
      return std::ranges::lexicographical_compare(codes(a), codes(b));
    });
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t row = order[i];
      if (i > 0 && table.values[row] == values.back() &&
          std::ranges::equal(codes(row), codes(order[i - 1]))) {
        rows_.back() += table.weight(row);
        continue;
      }
      rows_.push_back(table.weight(row));
      values.push_back(table.values[row]);
      codes_.insert(codes_.end(), codes(row).begin(), codes(row).end());
    }
    begin_ = Sorted(values).begin;
  }

  std::uint64_t Count(const CountQuery& query) const {
    std::uint64_t count = 0;
    if (query.value + std::size_t{1} >= begin_.size()) return 0;
    for (std::size_t i = begin_[query.value]; i < begin_[query.value + 1]; ++i) {
      bool inside = true;
      for (std::size_t c = 0; c < columns_ && inside; ++c) {
        const std::uint32_t code = codes_[i * columns_ + c];
        inside = query.ranges[c].first <= code && code <= query.ranges[c].last;
      }
      count += inside ? rows_[i] : 0;
    }
    return count;
  }

 private:
  std::size_t columns_;
  std::vector<std::size_t> begin_;  // of each value
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint64_t> rows_;
};

// A release by group. Refers to the labels of the caller.
class Groups {
 public:
  explicit Groups(const CodedRelease& release)
      : columns_(release.columns()), shares_of_labels_(columns_), labels_(release.labels) {
    for (std::size_t c = 0; c < columns_; ++c) {
      for (const Coverage& label : labels_[c]) {
        codes_.push_back(static_cast<double>(CodesIn(label)));
      }
      shares_of_labels_[c].resize(labels_[c].size());
    }
    const Sorted sorted(release.group);
    begin_.push_back(0);
    for (std::size_t g = 0; g < sorted.keys(); ++g) {
      for (std::size_t i = sorted.begin[g]; i < sorted.begin[g + 1]; ++i) {
        Add(release, sorted.rows[i]);
      }
      begin_.push_back(rows_.size());
    }
    AddShares(release);
  }

  double Estimate(const CountQuery& query) {
    double sum = 0;
    if (query.value + std::size_t{1} >= first_share_.size()) return 0;
    Ask(query);
    for (std::size_t i = first_share_[query.value]; i < first_share_[query.value + 1]; ++i) {
      sum += Inside(shares_[i].group) * shares_[i].share;
    }
    return sum;
  }

 private:
  struct Share {  // of a value in a group
    std::uint32_t group;
    double share;
  };

  // Neighbours that look alike are one.
  void Add(const CodedRelease& release, std::size_t entry) {
    const auto labels = std::span(release.shown).subspan(entry * columns_, columns_);
    const bool first_of_group = rows_.size() == begin_.back();
    if (!first_of_group && std::ranges::equal(labels, std::span(shown_).last(columns_))) {
      rows_.back() += static_cast<double>(release.rows[entry]);
      return;
    }
    shown_.insert(shown_.end(), labels.begin(), labels.end());
    rows_.push_back(static_cast<double>(release.rows[entry]));
  }

  void AddShares(const CodedRelease& release) {
    std::vector<std::uint32_t> values;
    for (const CodedRelease::Count& count : release.counts) values.push_back(count.value);
    const Sorted by_value(values);
    first_share_ = by_value.begin;
    for (const std::uint32_t i : by_value.rows) {
      const CodedRelease::Count& count = release.counts[i];
      // A group without rows has nothing inside any query.
      const double rows = count.group + std::size_t{1} < begin_.size() ? RowsOf(count.group) : 0;
      shares_.push_back(
          {rows == 0 ? 0 : count.group, rows == 0 ? 0 : static_cast<double>(count.rows) / rows});
    }
  }

  double RowsOf(std::size_t group) const {
    return std::accumulate(rows_.begin() + static_cast<std::ptrdiff_t>(begin_[group]),
                           rows_.begin() + static_cast<std::ptrdiff_t>(begin_[group + 1]), 0.0);
  }

  // How much of each label is inside the query: there are far fewer labels than entries.
  void Ask(const CountQuery& query) {
    std::size_t at = 0;
    for (std::size_t c = 0; c < columns_; ++c) {
      for (std::size_t label = 0; label < labels_[c].size(); ++label, ++at) {
        shares_of_labels_[c][label] =
            static_cast<double>(CodesIn(labels_[c][label], query.ranges[c])) / codes_[at];
      }
    }
  }

  // Expected rows of a group inside the ranges.
  double Inside(std::size_t group) const {
    double sum = 0;
    for (std::size_t i = begin_[group]; i < begin_[group + 1]; ++i) {
      double part = rows_[i];
      for (std::size_t c = 0; c < columns_ && part > 0; ++c) {
        part *= shares_of_labels_[c][shown_[i * columns_ + c]];
      }
      sum += part;
    }
    return sum;
  }

  std::size_t columns_;
  std::vector<std::vector<double>> shares_of_labels_;  // inside the query that is asked
  const std::vector<std::vector<Coverage>>& labels_;
  std::vector<double> codes_;         // of each label, column by column
  std::vector<std::size_t> begin_;    // of each group among the entries
  std::vector<std::uint32_t> shown_;  // columns_ each
  std::vector<double> rows_;          // of each entry
  std::vector<std::size_t> first_share_;
  std::vector<Share> shares_;  // by value
};

class RangeDrawer {
 public:
  RangeDrawer(const CodedTable& table, std::span<const std::uint32_t> domain, double selectivity,
              std::uint64_t seed)
      : table_(table),
        finder_(table),
        domain_(domain),
        asked_(std::min(kRangeColumns, table.columns)),
        order_(table.columns),
        random_(Random::Seeded(seed)) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const bool values = std::ranges::any_of(
        table.values, [&](std::uint32_t value) { return value != table.values.front(); });
    const std::size_t conditions = asked_ + (values ? 1 : 0);
    const double share = std::pow(selectivity, 1.0 / static_cast<double>(conditions));
    for (const std::uint32_t codes : domain) {
      const long long covered = std::llround(codes * share);
      width_.push_back(static_cast<std::uint32_t>(std::clamp<long long>(covered, 1, codes)));
    }
  }

  // `around`: some row must match.
  CountQuery Draw(bool around) {
    CountQuery query;
    const std::size_t row = finder_(random_.Below(finder_.total()));
    query.value = table_.values[row];
    for (const std::uint32_t codes : domain_) query.ranges.push_back({0, codes - 1});
    if (asked_ < order_.size()) random_.Shuffle(order_);
    for (const std::size_t c : std::span(order_).first(asked_)) {
      std::uint32_t least = 0, most = domain_[c] - width_[c];
      if (around) {
        const std::uint32_t code = table_.codes[row * table_.columns + c];
        least = code + 1 > width_[c] ? code + 1 - width_[c] : 0;
        most = std::min(code, most);
      }
      const auto first = static_cast<std::uint32_t>(least + random_.Below(most - least + 1));
      query.ranges[c] = {first, first + width_[c] - 1};
    }
    return query;
  }

 private:
  const CodedTable& table_;
  RowFinder finder_;
  std::span<const std::uint32_t> domain_;
  std::size_t asked_;                 // columns per query
  std::vector<std::size_t> order_;    // of the columns; the first ones are asked for
  std::vector<std::uint32_t> width_;  // of ranges, per column
  Random random_;
};

double MedianOf(std::vector<double>& numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

std::vector<CountQuery> DrawRanges(const CodedTable& table, const Rows& rows,
                                   std::span<const std::uint32_t> domain, double selectivity,
                                   std::uint64_t queries, std::uint64_t seed) {
  std::vector<CountQuery> drawn;
  if (table.values.empty()) return drawn;
  RangeDrawer drawer(table, domain, selectivity, seed);
  while (drawn.size() < queries) {
    CountQuery query = drawer.Draw(false);
    for (int vain = 1; vain <= kVainDraws && rows.Count(query) == 0; ++vain) {
      query = drawer.Draw(vain == kVainDraws);
    }
    drawn.push_back(std::move(query));
  }
  return drawn;
}

QueryError ErrorOf(const Rows& rows, Groups& groups, std::span<const CountQuery> queries) {
  QueryError error;
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

}  // namespace

std::vector<CountQuery> RandomQueries(const CodedTable& table,
                                      std::span<const std::uint32_t> domain, double selectivity,
                                      std::uint64_t queries, std::uint64_t seed) {
  return DrawRanges(table, Rows(table), domain, selectivity, queries, seed);
}

std::vector<CountQuery> PointQueries(const CodedTable& table, std::span<const std::uint32_t> domain,
                                     std::uint64_t queries, std::uint64_t seed) {
  std::vector<CountQuery> drawn;
  if (table.values.empty()) return drawn;
  Random random = Random::Seeded(seed);
  const RowFinder finder(table);
  std::vector<std::size_t> order(table.columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (drawn.size() < queries) {
    CountQuery query;
    for (const std::uint32_t codes : domain) query.ranges.push_back({0, codes - 1});
    const std::size_t row = finder(random.Below(finder.total()));
    query.value = table.values[row];
    random.Shuffle(order);
    for (std::size_t i = 0; i < std::min(kPointColumns, order.size()); ++i) {
      const std::uint32_t code = table.codes[row * table.columns + order[i]];
      query.ranges[order[i]] = {code, code};
    }
    drawn.push_back(std::move(query));
  }
  return drawn;
}

double Actual(const CodedTable& table, const CountQuery& query) {
  return static_cast<double>(Rows(table).Count(query));
}

double Estimate(const CodedRelease& release, const CountQuery& query) {
  return Groups(release).Estimate(query);
}

QueryError RelativeError(const CodedTable& table, const CodedRelease& release,
                         std::span<const CountQuery> queries, double selectivity) {
  Groups groups(release);
  QueryError error = ErrorOf(Rows(table), groups, queries);
  error.selectivity = selectivity;
  return error;
}

std::vector<QueryError> MeasureQueries(const CodedTable& table,
                                       std::span<const std::uint32_t> domain,
                                       const CodedRelease& release, std::uint64_t queries,
                                       std::uint64_t seed) {
  const Rows rows(table);
  Groups groups(release);
  std::vector<QueryError> errors;
  for (const double selectivity : kSelectivities) {
    const auto ranges = DrawRanges(table, rows, domain, selectivity, queries, seed);
    errors.push_back(ErrorOf(rows, groups, ranges));
    errors.back().selectivity = selectivity;
  }
  errors.push_back(ErrorOf(rows, groups, PointQueries(table, domain, queries, seed)));
  errors.back().kind = QueryError::Kind::kPoints;
  return errors;
}

}  // namespace reissue::metrics
