#pragma once
// A raw table and a release of it in codes, for what metrics/ measures on them.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/metrics/coded.h"
#include "reissue/metrics/worth.h"

namespace reissue::binding {

struct Coded {
  std::vector<std::string> names;     // of the quasi-identifiers, in policy order
  std::vector<std::uint32_t> domain;  // codes per quasi-identifier
  std::string sensitive;              // its name; empty: nothing is sensitive
  // Per quasi-identifier: labels of the values of the release. Labels are in the order of what they
  // stand for, wide ones first, whatever order the file has.
  std::vector<std::vector<std::uint32_t>> label_of_value;
  metrics::CodedTable table;
  metrics::CodedRelease release;  // of CodeRecoded: groups are cells
};

// What is measured of it. `seed` chooses the queries, of which there are so many of each kind.
metrics::Worth MeasureWorth(const Coded& coded, std::uint64_t queries, std::uint64_t seed);

// Of a release in which every row shows its own value.
Result<Coded> CodeRecoded(const HolderTable& holder, const ReleaseTable& release, ThreadPool& pool);

// The quasi-identifiers alone: `release` has the labels and no entries yet. An error where a label
// stands for nothing: place, not label.
Result<Coded> CodeColumns(const HolderTable& holder, const Table& release);

}  // namespace reissue::binding
