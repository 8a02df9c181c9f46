#pragma once
// How well COUNT queries are answered by a release: conditions on quasi-identifiers and, where
// there is one, a sensitive value; relative error |actual - estimate| / actual. Range queries are
// those of He, Barman and Naughton (ICDE 2011, Definition 8). Works for releases of labels, however
// recoded, and for releases in groups. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/metrics/coded.h"

namespace reissue::metrics {

// Rows that are in the range of every column and have the value.
struct CountQuery {
  std::vector<CodeRange> ranges;
  std::uint32_t value = 0;
};

struct QueryError {
  enum class Kind { kRanges, kPoints } kind = Kind::kRanges;
  double selectivity = 0;     // of ranges, asked for: expected share of rows per query
  std::uint64_t queries = 0;  // with at least one actual row
  double mean = 0, median = 0;
};

// `domain`: number of codes per column. Ranges on all columns, or on four random ones, which is how
// many the paper's tables have. Each covers domain · selectivity^(1/(ranges + 1)) codes (rounded,
// at least one; without + 1 where all rows have one value) at a random place, the value is drawn
// from the rows; queries that no row answers are drawn again, at last around some row. A table
// without rows has no queries.
std::vector<CountQuery> RandomQueries(const CodedTable& table,
                                      std::span<const std::uint32_t> domain, double selectivity,
                                      std::uint64_t queries, std::uint64_t seed);

// Ask for what some row has in two random columns (in the one there is), and for its value.
std::vector<CountQuery> PointQueries(const CodedTable& table, std::span<const std::uint32_t> domain,
                                     std::uint64_t queries, std::uint64_t seed);

// Rows that match, and how many of them a reader of the release expects: per group, its rows inside
// the ranges times the share of the value in the group. O(rows).
double Actual(const CodedTable& table, const CountQuery& query);
double Estimate(const CodedRelease& release, const CountQuery& query);
// Looks, per query, only at rows with its value, and at groups in which it occurs; rows that are
// alike are looked at once.
QueryError RelativeError(const CodedTable& table, const CodedRelease& release,
                         std::span<const CountQuery> queries, double selectivity);

// `queries` ranges of each selectivity of the paper (1, 2, 5 and 10 %), then as many points.
std::vector<QueryError> MeasureQueries(const CodedTable& table,
                                       std::span<const std::uint32_t> domain,
                                       const CodedRelease& release, std::uint64_t queries,
                                       std::uint64_t seed);

}  // namespace reissue::metrics
