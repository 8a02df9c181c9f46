#pragma once
// What a reader has who looks for counterfeits: the published files of a series, nothing else.

#include <string>
#include <vector>

namespace oracle::counterfeits {

struct Release {
  std::vector<std::vector<std::string>> rows;  // the shown columns
  std::vector<int> group;                      // per row
  std::vector<std::string> values;             // per group: which values it has, as one text

  // Groups have other numbers in every release; a bucket is known by its values.
  const std::string& BucketOf(std::size_t row) const {
    return values[static_cast<std::size_t>(group[row])];
  }
};

struct Series {
  std::vector<bool> numeric;  // per column, from the policy
  std::vector<Release> releases;
};

// What she does not have: per release and row, whether it belongs to nobody.
using Truth = std::vector<std::vector<bool>>;

}  // namespace oracle::counterfeits
