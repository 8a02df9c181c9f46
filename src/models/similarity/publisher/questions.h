#pragma once
// Questions to the reader about groups, with answers that are known already.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reissue/models/similarity/publisher/draft.h"
#include "reissue/models/similarity/publisher/guard.h"

namespace reissue::models::similarity::internal {

// An answer is a function of the rows and what they show, so it does not matter who asked first.
// Belongs to one thread.
class Questions {
 public:
  // `note`: answers are kept.
  Questions(const Guard& guard, bool note) : guard_(&guard), note_(note) {}

  const Guard& guard() const { return *guard_; }
  Guard::Verdict Judge(const Bunch& bunch, const Shown& shown);
  void Learn(Questions&& other);

 private:
  using Key = std::vector<std::uint32_t>;  // rows in ascending order, then what they show
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  const Guard* guard_;
  bool note_;
  std::unordered_map<Key, Guard::Verdict, Hash> answers_;
};

}  // namespace reissue::models::similarity::internal
