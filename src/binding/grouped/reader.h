#pragma once
// The published files of a release in groups as their readers have them: how many rows each group
// has, and how often each value.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/release.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/io/csv.h"

namespace reissue::binding {

struct ReleasedGroups {
  std::vector<std::string> digests;  // of the release and of the files beside it
  std::vector<io::Fingerprint> fingerprints;
  Table table;  // the release
  std::vector<ValueTexts> values;
  struct Group {
    std::string name;
    std::uint64_t rows = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> values;  // code, rows; ascending
    std::uint64_t counterfeits = 0;                               // where they are published
  };
  std::vector<Group> groups;         // in order of first appearance
  std::uint64_t least_values = 0;    // in any group
  std::uint64_t counterfeits = 0;    // where they are published
  std::vector<std::string> faults;   // what makes groups unequal, in words; the first of each kind
  std::vector<std::string> columns;  // of the release that should not be there
};

// `beside`: paths in the order of SuffixesOf. Errors: a file that is no table or lacks a column.
Result<ReleasedGroups> ReadReleased(const ReleaseColumns& columns, const GroupedFiles& files,
                                    const std::string& release,
                                    const std::vector<std::string>& beside, Context& context);

}  // namespace reissue::binding
