#pragma once
// COUNT queries from their definition: row by row, code by code. Slow, for tests only; shares no
// code with src/metrics.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace reissue::oracle {

struct RawRow {
  std::vector<std::uint32_t> codes;
  std::uint32_t value = 0;
};
using RawTable = std::vector<RawRow>;

// A published row: what each column may be. Its value is one of its group's.
struct ShownRow {
  std::uint32_t group = 0;
  std::vector<std::set<std::uint32_t>> may_be;
};
struct ShownTable {
  std::vector<ShownRow> rows;
  std::map<std::uint32_t, std::map<std::uint32_t, double>> values;  // group, value: rows
};

struct Question {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> between;  // both ends included
  std::uint32_t value = 0;

  bool Covers(std::size_t column, std::uint32_t code) const {
    return between[column].first <= code && code <= between[column].second;
  }
};

inline double SlowActual(const RawTable& table, const Question& asked) {
  double rows = 0;
  for (const RawRow& row : table) {
    bool matches = row.value == asked.value;
    for (std::size_t c = 0; c < row.codes.size(); ++c) {
      matches = matches && asked.Covers(c, row.codes[c]);
    }
    rows += matches ? 1 : 0;
  }
  return rows;
}

// Every row gets every value of its group with the share it has there, and may be at every code of
// its labels with the same probability.
inline double SlowEstimate(const ShownTable& shown, const Question& asked) {
  std::map<std::uint32_t, double> size;
  for (const ShownRow& row : shown.rows) size[row.group] += 1;
  double sum = 0;
  for (const ShownRow& row : shown.rows) {
    const auto& values = shown.values.at(row.group);
    const auto value = values.find(asked.value);
    double part = value == values.end() ? 0 : value->second / size[row.group];
    for (std::size_t c = 0; c < row.may_be.size(); ++c) {
      double inside = 0;
      for (const std::uint32_t code : row.may_be[c]) inside += asked.Covers(c, code) ? 1 : 0;
      part *= inside / static_cast<double>(row.may_be[c].size());
    }
    sum += part;
  }
  return sum;
}

}  // namespace reissue::oracle
