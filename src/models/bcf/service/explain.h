#pragma once
// One person's view of a series: which rows match, which are excluded and by which
// argument, what is left, and a world in which it is so. Releases count from 1.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/bcf/service/promise.h"
#include "reissue/models/bcf/service/report.h"

namespace reissue::models::bcf::service {

// Rows of one value in one place.
struct ValueRows {
  std::string value;
  std::uint64_t rows = 0;
};

// A cell that the person may be in.
struct MatchingCell {
  std::uint32_t release = 0;
  binding::LabelledCell cell;
  std::uint64_t size = 0;
  std::vector<ValueRows> values;
};

// Why rows of one value cannot be the person's.
struct Argument {
  std::string attack;         // "F", "C" or "B"
  std::uint32_t release = 0;  // whose rows
  std::uint32_t against = 0;  // the release that tells
  std::uint64_t excluded = 0;
};

struct ExplainedValue {
  std::string value;
  std::vector<std::uint64_t> sizes;  // per release from the birth on
  std::vector<Argument> arguments;   // the strongest per release
  std::uint64_t pairs = 0;           // left by two releases at a time
  Bounds left;                       // by all releases together
};

// So many people first appear in one release and are in these cells of it and all later ones.
struct WitnessShare {
  std::string value;
  std::uint32_t born = 0;
  std::vector<binding::LabelledCell> cells;
  std::uint64_t people = 0;
};

// One way to be in the releases: a cell in each.
struct ExplainedTarget {
  std::vector<MatchingCell> cells;
  std::vector<ExplainedValue> values;
  Bounds left;
  std::vector<std::string> broken;  // promises, proven
  std::vector<WitnessShare> witness;
  std::uint64_t more_witness = 0;  // not shown
};

struct PersonExplained {
  std::vector<std::string> files;
  std::uint32_t born = 0;
  binding::LabelledCell person;
  std::uint64_t k = 1;
  std::vector<MatchingCell> matching;
  std::vector<ExplainedTarget> targets;   // that some world allows; none: no world has this person
  std::uint64_t more_targets = 0;         // not shown
  std::vector<SeriesConflict> conflicts;  // not one series: nothing else is there
  bool broken = false;                    // for some target, or not one series
};

// `person` is one CSV record: the release of first appearance, then a raw value or a label per
// quasi-identifier, in the order of the policy. Usage errors: another number of fields, a release
// that is not there, a value that the column does not have (it is not repeated).
Result<PersonExplained> ExplainPerson(const io::Policy& policy, const Promise& promise,
                                      const std::vector<std::string>& files,
                                      const std::string& person, binding::Context& context);

}  // namespace reissue::models::bcf::service
