#pragma once
// Publishes worlds with the program itself and reads its files as a reader has them.

#include <cstdint>
#include <string>
#include <utility>

#include "published.h"
#include "worlds.h"

namespace oracle::counterfeits {

// What counterfeits look like in the files that she reads.
enum class Disguise {
  kProduct,  // as the program makes them
  kCopies,   // a planted bug: like a row of their group, for life
  kPeople,   // like people who were never there: nobody could make better ones
};

struct Played {
  Series series;
  Truth truth;
};
// `directory` is empty, and used for the files. Tables that the program refuses are left out.
Played Play(Shape shape, int m, Disguise disguise, std::uint64_t seed,
            const std::string& directory);

}  // namespace oracle::counterfeits
