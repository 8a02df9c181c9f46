#pragma once
// What a condition has said of cells: walks come by the same cells again and again, and a cell is
// known by its nodes. Belongs to one thread. Internal to the publisher.

#include <cstdint>
#include <vector>

#include "reissue/models/k/publisher/condition.h"

namespace reissue::models::bcf::internal {

class CellAnswers {
 public:
  struct Said {
    k::internal::Answer answer = k::internal::Answer::kKeeps;
    std::uint64_t work = 0;  // that it took
  };

  // Of cells with so many nodes.
  explicit CellAnswers(std::size_t columns) : columns_(columns), slots_(kFirstSlots, kNone) {}

  // What was said when the cell was to be split in a column; `columns`: as it is. Null: nothing is
  // known. Until the next call.
  const Said* Find(const k::internal::Partition& partition, std::size_t cell, std::size_t column);
  // Of what was looked for last and not found. Where there is no room it is forgotten.
  void Keep(const Said& said);

 private:
  static constexpr auto kNone = static_cast<std::uint32_t>(-1);
  static constexpr std::size_t kFirstSlots = 1 << 10;
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  std::size_t SlotOf(const std::uint32_t* key) const;
  void Grow();

  std::size_t columns_;
  std::vector<std::uint32_t> keys_;  // per answer the nodes, then the column
  std::vector<Said> said_;
  std::vector<std::uint32_t> slots_;  // into said_; half of them are free
  std::vector<std::uint32_t> key_;    // that was looked for last
};

}  // namespace reissue::models::bcf::internal
