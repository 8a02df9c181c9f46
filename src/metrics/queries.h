#pragma once
// How well COUNT range queries are answered by a release (Definition 8 of He, Barman and Naughton,
// ICDE 2011): ranges on quasi-identifiers and one sensitive value; relative error |act - est| /
// act.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace reissue::metrics {

// Per quasi-identifier the codes lo … hi, and one value.
struct CountQuery {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  std::uint32_t value = 0;
};

// Raw rows: codes per column (row-major) and values.
struct QueryTable {
  std::size_t columns = 0;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint32_t> values;
};

// A release in groups. Anatomy: every row (counterfeits too) has exact codes, lo = hi. Generalised:
// every row has a box of codes, over which it spreads evenly.
struct QueryRelease {
  std::size_t columns = 0;
  std::vector<std::uint32_t> lo, hi;  // row-major
  std::vector<std::uint32_t> group;   // per row
  struct Count {
    std::uint32_t group = 0, value = 0;
    std::uint64_t rows = 0;
  };
  std::vector<Count> counts;
};

struct QueryError {
  double selectivity = 0;     // asked for: expected share of rows per query
  std::uint64_t queries = 0;  // with at least one actual row
  double mean = 0, median = 0;
};

// `domain`: number of codes per column. Each range covers domain · selectivity^(1/(columns + 1))
// codes (rounded, at least one) at a random place, the value is drawn from the rows; queries that
// no row answers are drawn again, at last around some row. A table without rows has no queries.
std::vector<CountQuery> RandomQueries(const QueryTable& table,
                                      std::span<const std::uint32_t> domain, double selectivity,
                                      std::uint64_t queries, std::uint64_t seed);

// Rows that match, and how many of them a reader of the release expects: per group, its rows inside
// the ranges times the share of the value in the group. O(rows).
double Actual(const QueryTable& table, const CountQuery& query);
double Estimate(const QueryRelease& release, const CountQuery& query);
// Looks, per query, only at rows with its value, and at groups in which it occurs.
QueryError RelativeError(const QueryTable& table, const QueryRelease& release,
                         std::span<const CountQuery> queries, double selectivity);

}  // namespace reissue::metrics
