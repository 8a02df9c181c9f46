#pragma once
// What the reader would believe of groups before they are published.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reissue/models/similarity/publisher/draft.h"

namespace reissue::models::similarity::internal {

// What rows show: as in a draft, but for a few.
struct Shown {
  std::span<const Value> in_draft;  // per row
  std::unordered_map<std::uint32_t, Value> instead = {};

  Value Of(std::uint32_t row) const {
    const auto found = instead.find(row);
    return found == instead.end() ? in_draft[row] : found->second;
  }
};

// Thread safety: may be asked by many at once.
class Guard {
 public:
  Guard(const Table& table, const ReaderLimits& limits);

  struct Verdict {
    double excess = 0;                     // of the worst belief or gain above what is allowed
    std::vector<std::uint32_t> offenders;  // of whom she believes too much, the worst first
    bool fine() const { return offenders.empty(); }
  };
  // Rows in ascending order or not.
  Verdict Judge(const Bunch& bunch, const Shown& shown) const;
  // Whether the verdict is a good one; quicker where it is not.
  bool Fine(const Bunch& bunch, const Shown& shown) const;
  // Whether she can be asked often about such a group.
  bool Quick(const Bunch& bunch) const;

 private:
  std::vector<Suspect> SuspectsOf(std::span<const std::uint32_t> rows, const Shown& shown) const;
  void PutDoubtfulLast(std::vector<std::uint32_t>& rows, const Bunch& bunch) const;

  const Table& table_;
  const ReaderLimits& limits_;
  ReaderOptions reader_;
  std::vector<Statement> statements_;  // by row
  std::vector<std::uint32_t> begin_;   // per row and one more; empty without statements
};

}  // namespace reissue::models::similarity::internal
