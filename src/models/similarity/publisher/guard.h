#pragma once
// What the reader would believe of groups before they are published, and what is done about those
// in which she believes too much.

#include <cstdint>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/similarity/publisher/draft.h"

namespace reissue::models::similarity::internal {

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
  Verdict Judge(const Draft& draft, const Bunch& bunch) const;
  // Whether she can be asked often about such a group.
  bool Quick(const Bunch& bunch) const;

 private:
  const Table& table_;
  const ReaderLimits& limits_;
  ReaderOptions reader_;
  std::vector<Statement> statements_;  // by row
  std::vector<std::uint32_t> begin_;   // per row and one more; empty without statements
};

// Until the reader believes too much in no group, and all keep the guarantee: rows are exchanged
// with near groups, groups joined with near ones, or dissolved into them; rows that fit nowhere are
// out. Returns how many groups were changed because of her. The same for any number of threads.
std::uint64_t Repair(Draft& draft, const Guard& guard, ThreadPool& pool);

}  // namespace reissue::models::similarity::internal
