#pragma once
// Sets of atoms: what a label stands for, among the smallest parts of a column that its labels can
// tell apart. Plain values.

#include <cstdint>
#include <vector>

namespace reissue::labels {

// Atoms first … last − 1.
struct Span {
  std::uint32_t first = 0, last = 0;
  auto operator<=>(const Span&) const = default;
};

class AtomSet {
 public:
  AtomSet() = default;
  // In any order; may overlap. Empty ones are left out.
  explicit AtomSet(std::vector<Span> spans);

  // Ascending, apart from each other.
  const std::vector<Span>& spans() const { return spans_; }
  bool empty() const { return spans_.empty(); }
  std::uint64_t size() const;
  bool Has(std::uint32_t atom) const;
  // Some atom is in both. O(spans).
  bool Meets(const AtomSet& other) const;
  // Every atom of the other one is here. O(spans).
  bool Contains(const AtomSet& other) const;
  AtomSet And(const AtomSet& other) const;
  // One by one, ascending.
  std::vector<std::uint32_t> Atoms() const;

  auto operator<=>(const AtomSet&) const = default;

 private:
  std::vector<Span> spans_;
};

}  // namespace reissue::labels
