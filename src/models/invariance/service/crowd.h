#pragma once
// A sample of a table, as far as looks go: who is like whom, and which columns go together.

#include <bitset>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "reissue/binding/grouped/table.h"
#include "reissue/core/random.h"

namespace reissue::models::invariance::service {

class Crowd {
 public:
  static constexpr std::size_t kMost = 512;
  using Rows = std::bitset<kMost>;
  using Code = std::uint32_t;
  static constexpr Code kNobodys = std::numeric_limits<Code>::max();

  struct Numbers {
    std::vector<double> number, rank;  // by code; rank from 0 to 1 over the table
    std::vector<Code> sorted;          // codes that occur
  };
  struct LookColumn {
    const Column* column = nullptr;    // none: it is not shown
    std::vector<Code> code;            // per row of the crowd
    std::vector<std::uint32_t> count;  // by code, in the table
    bool numeric = false;
    bool sparse = false;  // many numbers are only somebody's own
    Numbers numbers;
    // Numbers whose ranks are at most so far away; sorted.
    std::span<const Code> Nearby(Code of, double far) const;
    std::string_view text(Code of) const { return column->dictionary()[ValueId(of)]; }
  };
  // How much better one column is known by another than by nothing, from 0 to 1.
  struct Tie {
    double strength = 0;
    bool exact = false;  // by the same number, not by a near one
  };

  // `numeric`: per shown column. `bucket`, `fresh`: per row; whether it has just come.
  Crowd(const binding::GroupedTable& table, const std::vector<bool>& numeric,
        const std::vector<std::uint32_t>& bucket, const std::vector<bool>& fresh, Random& random);

  std::size_t size() const { return rows_.size(); }
  const Rows& everybody() const { return everybody_; }
  // Shown ones first; then the bucket; then whether somebody has just come (code 0).
  const std::vector<LookColumn>& columns() const { return columns_; }
  std::size_t shown() const { return columns_.size() - 2; }
  std::size_t bucket_column() const { return shown(); }
  std::size_t fresh_column() const { return shown() + 1; }
  const Tie& tie(std::size_t from, std::size_t to) const { return ties_[from][to]; }

  // Who has this value, or one near it.
  const Rows& With(std::size_t column, Code code, bool exact) const;

 private:
  void Add(const Column* column, bool numeric, const std::vector<Code>& code);
  void FindTies(bool exact);

  std::vector<std::uint32_t> rows_;
  Rows everybody_;
  std::vector<LookColumn> columns_;
  std::vector<std::vector<Tie>> ties_;
  mutable std::vector<std::map<Code, Rows>> exactly_, nearly_;  // found so far
};

}  // namespace reissue::models::invariance::service
