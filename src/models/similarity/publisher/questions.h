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
  bool Fine(const Bunch& bunch, const Shown& shown);
  void Learn(Questions&& other);

 private:
  using Key = std::vector<std::uint32_t>;  // rows in ascending order, then what they show
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  template <typename Answer>
  using Answers = std::unordered_map<Key, Answer, Hash>;
  template <typename Answer, typename Ask>
  Answer Find(Answers<Answer>& known, const Bunch& bunch, const Shown& shown, const Ask& ask);

  const Guard* guard_;
  bool note_;
  Answers<Guard::Verdict> verdicts_;
  Answers<bool> fine_;
};

}  // namespace reissue::models::similarity::internal
