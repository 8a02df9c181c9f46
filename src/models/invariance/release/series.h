#pragma once
// A series of releases of a table whose rows come and go: who was in which group when, and with
// which value. Plain values; see docs/design/0004.
//
// Readers see, per release and group, the people and how often each value occurs, not who has
// which. Rows carry the value of each person, which the holder knows; an adversary uses only the
// counts per group.

#include <cstdint>
#include <utility>
#include <vector>

#include "reissue/core/result.h"

namespace reissue::models::invariance {

// An identity: somebody with one value. Who got another value is somebody else from then on; who
// comes back with the same value is the same. A counterfeit is a person like any other to readers.
using Person = std::uint32_t;
using Value = std::uint32_t;

struct Row {
  Person person = 0;
  std::uint32_t group = 0;
  Value value = 0;
};

// Groups are 0 … groups - 1, none empty; a person is in at most one row.
struct Snapshot {
  std::uint32_t groups = 0;
  std::vector<Row> rows;
};

struct Series {
  std::uint32_t persons = 0;
  std::uint32_t values = 0;
  std::vector<bool> counterfeit;  // per person; empty: none is
  std::vector<Snapshot> releases;
};

// An error (kInput) where a number is out of range, a group is empty, or a person stands twice in a
// release.
Status Validate(const Series& series);

// One group as readers see it.
struct PublishedGroup {
  std::uint32_t release = 0;  // from 0
  std::uint32_t group = 0;
  std::vector<Person> people;                           // ascending
  std::vector<std::pair<Value, std::uint64_t>> values;  // with rows; ascending
};
// All groups of a release, in order.
std::vector<PublishedGroup> GroupsOf(const Series& series, std::uint32_t release);

}  // namespace reissue::models::invariance
