#pragma once
// What is certain of people whatever was promised: who has one row left, and who one value.
// Internal to the adversary.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/bcf/adversary/worlds.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf {

// One value of a target: its groups in the target's cells.
struct Strand {
  std::uint32_t value = 0;
  std::vector<std::size_t> groups;
  Interval left;
};

// A target with what is known of it. Cells and groups are those of the releases that tell of the
// birth.
struct TargetView {
  std::size_t birth = 0;
  std::span<const std::uint32_t> cells;
  std::span<Strand> strands;
  Interval left;

  void Sum() {
    left = {};
    for (const Strand& strand : strands) {
      left.lower += strand.left.lower;
      left.upper += strand.left.upper;
    }
  }
};

// Rows of each release by whether the targets that they may belong to are certain. The series and
// its history must outlive it.
class CertainRows {
 public:
  CertainRows(const Series& series, const History& history);

  void Add(const TargetView& view);
  // All were added.
  void End();
  // Of every target that was added it is known whether it is certain.
  bool decided() const { return decided_; }

  // As SeriesAttackReport has them.
  Interval SingledOut() const;
  Interval ValueCertain() const;

 private:
  // Room for rows, in targets of which it may be so, and of which it may not.
  struct Room {
    std::uint64_t so = 0, otherwise = 0;
    void Add(std::uint64_t rows, bool surely, bool possibly) {
      if (possibly) so += rows;
      if (!surely) otherwise += rows;
    }
    void Add(const Room& other) {
      so += other.so;
      otherwise += other.otherwise;
    }
  };
  template <typename Rows>
  Interval Sum(const std::vector<std::vector<Room>>& rooms, const Rows& rows_of) const;

  const Series* series_;
  const History* history_;
  std::vector<std::vector<Room>> cells_, groups_;  // per release
  bool decided_ = true;
};

}  // namespace reissue::models::bcf
