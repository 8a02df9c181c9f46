#include "reissue/models/similarity/publisher/questions.h"

#include <algorithm>

namespace reissue::models::similarity::internal {

std::size_t Questions::Hash::operator()(const Key& key) const {
  std::uint64_t hash = key.size();
  for (const std::uint32_t number : key) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

template <typename Answer, typename Ask>
Answer Questions::Find(Answers<Answer>& known, const Bunch& bunch, const Shown& shown,
                       const Ask& ask) {
  if (!note_ && known.empty()) return ask();
  Key key = bunch.rows;
  std::ranges::sort(key);
  for (std::size_t i = 0; i < bunch.rows.size(); ++i) key.push_back(shown.Of(key[i]));
  if (const auto found = known.find(key); found != known.end()) return found->second;
  Answer answer = ask();
  if (note_) known.emplace(std::move(key), answer);
  return answer;
}

Guard::Verdict Questions::Judge(const Bunch& bunch, const Shown& shown) {
  return Find(verdicts_, bunch, shown, [&] { return guard_->Judge(bunch, shown); });
}

bool Questions::Fine(const Bunch& bunch, const Shown& shown) {
  return Find(fine_, bunch, shown, [&] { return guard_->Fine(bunch, shown); });
}

void Questions::Learn(Questions&& other) {
  verdicts_.merge(other.verdicts_);
  fine_.merge(other.fine_);
}

}  // namespace reissue::models::similarity::internal
