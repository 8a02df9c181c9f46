#pragma once
// Groups of one sensitive value that hang together, and the integer program that says how many
// people can be where. Internal to the adversary.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/adversary/history.h"
#include "reissue/models/bcf/adversary/program.h"
#include "reissue/models/bcf/release/overlap.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf::internal {

// Groups of one component, all of one value. Groups are numbered 0, 1, … in the order of releases.
struct Component {
  std::uint32_t value = 0;
  std::vector<std::uint32_t> release_of;  // per member
  std::vector<std::uint32_t> group_of;    // per member: number in its release
  std::vector<std::uint64_t> rows;        // per member: of those whom its release tells of
  // Of the releases from the first to the last that have members: where those of each begin, and
  // the end. Most components of a long series are of few releases.
  std::vector<std::uint32_t> first_of_release;
  std::uint64_t comparable_pairs = 0;
  // All pairs of members of different releases are comparable, and told of somebody in common; all
  // tuples of them have something in common.
  bool complete = false;
  // Complete: people per birth, from the first release that has members on, in every world.
  std::vector<std::uint64_t> born;

  // Twins: members of one release that are comparable with the same members of the others, and have
  // the same label in columns of sets. People may change places among twins, so the program knows
  // them as one.
  std::vector<std::uint32_t> twin_of;               // per member: the number of its kind
  std::vector<std::uint32_t> first_kind;            // kinds of release i: [first[i], first[i + 1])
  std::vector<std::uint64_t> kind_rows;             // per kind
  std::vector<std::vector<std::uint32_t>> kind_of;  // per kind: its members

  // Integer program, where there is one; built when first needed.
  bool built = false;
  bool too_large = false;
  std::unique_ptr<Program> program;
  std::vector<std::uint32_t> births;                         // per variable
  std::vector<std::uint32_t> tuple_begin;                    // per variable, into tuples
  std::vector<std::uint32_t> tuples;                         // kinds
  std::unordered_map<std::string, std::uint32_t> variables;  // birth and kinds → variable
  std::vector<Program::Wish> wishes;

  std::size_t first_release() const { return release_of.front(); }
  std::size_t last_release() const { return release_of.back(); }
  struct Range {
    std::uint32_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
  };
  Range members(std::size_t release) const {
    if (release < first_release() || release > last_release()) return {};
    const std::size_t at = release - first_release();
    return {first_of_release[at], first_of_release[at + 1]};
  }
  std::uint64_t born_in(std::size_t release) const {
    const std::size_t at = release - first_release();
    return release >= first_release() && at < born.size() ? born[at] : 0;
  }
};

inline std::string KeyOf(std::uint32_t birth, std::span<const std::uint32_t> kinds) {
  std::string key(reinterpret_cast<const char*>(&birth), sizeof birth);
  key.append(reinterpret_cast<const char*>(kinds.data()), kinds.size_bytes());
  return key;
}

// Rows of bits: which members are comparable (or of the same release; those are never asked for).
class Adjacency {
 public:
  explicit Adjacency(std::size_t members)
      : words_((members + 63) / 64), bits_(members * words_, 0) {}
  void Join(std::size_t a, std::size_t b) {
    bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64);
    bits_[b * words_ + a / 64] |= std::uint64_t{1} << (a % 64);
  }
  std::span<const std::uint64_t> row(std::size_t a) const {
    return {bits_.data() + a * words_, words_};
  }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// All components of a series; a world of each is found apart from the others. Refers to the series,
// the formulas and the history, which must outlive it.
class Components {
 public:
  // Of this birth and later ones; those before are settled.
  Components(const Series& series, const Formulas& formulas, const History& history,
             std::size_t first_birth);

  std::vector<Component>& all() { return components_; }
  // Of a group with rows of people whom its release tells of.
  Component& of(std::size_t release, std::size_t group) {
    return components_[component_of_[offset_[release] + group]];
  }
  std::uint32_t member(std::size_t release, std::size_t group) const {
    return member_of_[offset_[release] + group];
  }

  // All births and tuples of kinds; false where there are more than so many.
  bool ListVariables(Component& component, std::size_t most) const;

 private:
  template <typename Work>
  void ForEachComparablePair(Work&& work) const;
  void Join();
  void Classify(Component& component) const;
  // Whether cells that are comparable two by two have something in common, whichever they are. May
  // say no although they have.
  bool Joint(const Component& component) const;
  bool CountBorn(Component& component) const;
  std::uint32_t CellOf(const Component& component, std::uint32_t member) const {
    return static_cast<std::uint32_t>(
        series_.release(component.release_of[member]).cell_of_group(component.group_of[member]));
  }
  // The labels of a member in columns of sets.
  std::string SetsOf(const Component& component, std::uint32_t member) const;
  void FindTwins(Component& component, const Adjacency& adjacency) const;
  struct Chosen {
    std::vector<std::uint32_t> kinds;
    Overlap overlap;  // of cells of these kinds; kept where pairs do not tell
  };
  bool Extend(Component& component, const Adjacency& adjacency, std::size_t most, std::size_t birth,
              const std::vector<std::uint64_t>& allowed, Chosen& chosen) const;

  const Series& series_;
  const Formulas& formulas_;
  const History& history_;
  const std::size_t first_birth_;
  // Of the groups of each release in one numbering, from the first birth on.
  std::vector<std::size_t> offset_;
  std::vector<std::uint32_t> component_of_, member_of_;
  std::vector<Component> components_;
};

}  // namespace reissue::models::bcf::internal
