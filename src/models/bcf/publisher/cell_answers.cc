#include "reissue/models/bcf/publisher/cell_answers.h"

#include <algorithm>

namespace reissue::models::bcf::internal {

const CellAnswers::Said* CellAnswers::Find(const k::internal::Partition& partition,
                                           std::size_t cell, std::size_t column) {
  key_.resize(columns_ + 1);
  for (std::size_t j = 0; j < columns_; ++j) key_[j] = partition.place(cell, j);
  key_[columns_] = static_cast<std::uint32_t>(column);
  const std::uint32_t found = slots_[SlotOf(key_.data())];
  return found == kNone ? nullptr : &said_[found];
}

void CellAnswers::Keep(const Said& said) {
  const std::size_t each = key_.size() * sizeof(key_[0]) + sizeof(Said) + 4 * sizeof(slots_[0]);
  if ((said_.size() + 1) * each > kMostBytes) return;
  if (2 * (said_.size() + 1) > slots_.size()) Grow();
  slots_[SlotOf(key_.data())] = static_cast<std::uint32_t>(said_.size());
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  said_.push_back(said);
}

// Where the key is, or may be put.
std::size_t CellAnswers::SlotOf(const std::uint32_t* key) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (std::size_t j = 0; j <= columns_; ++j) {
    hash = (hash ^ key[j]) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != kNone &&
         !std::equal(key, key + columns_ + 1, keys_.data() + slots_[slot] * (columns_ + 1))) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void CellAnswers::Grow() {
  slots_.assign(2 * slots_.size(), kNone);
  for (std::uint32_t i = 0; i < said_.size(); ++i) {
    slots_[SlotOf(keys_.data() + i * (columns_ + 1))] = i;
  }
}

}  // namespace reissue::models::bcf::internal
