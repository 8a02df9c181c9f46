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

Guard::Verdict Questions::Judge(const Bunch& bunch, const Shown& shown) {
  if (!note_ && answers_.empty()) return guard_->Judge(bunch, shown);
  Key key = bunch.rows;
  std::ranges::sort(key);
  for (std::size_t i = 0; i < bunch.rows.size(); ++i) key.push_back(shown.Of(key[i]));
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  Guard::Verdict verdict = guard_->Judge(bunch, shown);
  if (note_) answers_.emplace(std::move(key), verdict);
  return verdict;
}

void Questions::Learn(Questions&& other) { answers_.merge(other.answers_); }

}  // namespace reissue::models::similarity::internal
