#include "reissue/labels/atoms.h"

#include <algorithm>

namespace reissue::labels {

AtomSet::AtomSet(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end());
  for (const Span& span : spans) {
    if (span.first >= span.last) continue;
    if (!spans_.empty() && span.first <= spans_.back().last) {
      spans_.back().last = std::max(spans_.back().last, span.last);
    } else {
      spans_.push_back(span);
    }
  }
}

std::uint64_t AtomSet::size() const {
  std::uint64_t atoms = 0;
  for (const Span& span : spans_) atoms += span.last - span.first;
  return atoms;
}

bool AtomSet::Has(std::uint32_t atom) const {
  const auto after =
      std::upper_bound(spans_.begin(), spans_.end(), atom,
                       [](std::uint32_t wanted, const Span& span) { return wanted < span.first; });
  return after != spans_.begin() && atom < std::prev(after)->last;
}

bool AtomSet::Meets(const AtomSet& other) const {
  auto a = spans_.begin();
  auto b = other.spans_.begin();
  while (a != spans_.end() && b != other.spans_.end()) {
    if (a->last <= b->first) {
      ++a;
    } else if (b->last <= a->first) {
      ++b;
    } else {
      return true;
    }
  }
  return false;
}

bool AtomSet::Contains(const AtomSet& other) const {
  auto a = spans_.begin();
  for (const Span& span : other.spans_) {
    while (a != spans_.end() && a->last < span.last) ++a;
    if (a == spans_.end() || a->first > span.first) return false;
  }
  return true;
}

AtomSet AtomSet::And(const AtomSet& other) const {
  AtomSet both;
  auto a = spans_.begin();
  auto b = other.spans_.begin();
  while (a != spans_.end() && b != other.spans_.end()) {
    const std::uint32_t first = std::max(a->first, b->first);
    const std::uint32_t last = std::min(a->last, b->last);
    if (first < last) both.spans_.push_back({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  return both;
}

std::vector<std::uint32_t> AtomSet::Atoms() const {
  std::vector<std::uint32_t> atoms;
  atoms.reserve(size());
  for (const Span& span : spans_) {
    for (std::uint32_t atom = span.first; atom < span.last; ++atom) atoms.push_back(atom);
  }
  return atoms;
}

}  // namespace reissue::labels
