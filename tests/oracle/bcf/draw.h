#pragma once
// Random tiny series of many kinds, with the people behind them. For tests only.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cases.h"
#include "product.h"

namespace oracle::bcf {

enum class Style {
  kAny,           // a random cut per release and column
  kEqual,         // the same cuts in all releases
  kFiner,         // every release specialises the one before
  kCoarser,       // or generalises it
  kCoarseMiddle,  // the releases in between are more general than the first and the last
  kLocal,         // every row goes up its trees by chance
  kMixed,         // some releases are cuts, some are not
  kBoxes,         // disjoint boxes, in all releases of one tree that splits column after column
  kCrossing,      // disjoint boxes, in every release of another tree
};
inline constexpr std::size_t kStyles = 9;

struct DrawnSeries {
  const Translator* translator = nullptr;  // has the domain
  std::vector<Person> people;
  std::vector<Target> targets;  // of each person
  Series series;                // release i has everybody born in 1 … i
};

// Domains of one to three columns with trees of depth one to three. Must outlive what it draws.
class Domains {
 public:
  Domains();
  // Of a random domain, with one to three values, somebody in release 1.
  DrawnSeries Draw(Style style, std::size_t releases, std::size_t people,
                   reissue::Random& random) const;

 private:
  struct Entry {
    std::unique_ptr<Domain> domain;
    std::unique_ptr<Translator> translator;
    std::vector<Recoding> recodings;
  };
  std::vector<Entry> entries_;
};

// Takes one to three rows out of later releases, or moves one: often the result is no series.
void TakeRowsAway(Series& series, reissue::Random& random);

}  // namespace oracle::bcf
