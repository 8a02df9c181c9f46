#pragma once
// What a policy promises about a table whose rows come and go (model `m-invariance`), and how its
// releases look. Plain values.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::engine {

enum class ChangingForm {
  kAnatomy,      // quasi-identifiers as they are with a group; values counted per group apart
  kGeneralized,  // one table; a group has one range or label per quasi-identifier
  kPartitions,   // the same in groups of as many people as there are values
};

struct InvariancePromise {
  std::uint64_t m = 2, e = 2;
  ChangingForm form = ChangingForm::kAnatomy;
  bool counterfeits_published = false;  // how many each group has
  models::invariance::Rule rule = models::invariance::Rule::kExact;
};

// Reads the settings of a policy or certificate; `file` is for error messages. Without `e` it is m,
// or 1 with form = "partitions". Errors: unknown keys (with the nearest known one), numbers out of
// range, e above m, partitions with e above 1.
Result<InvariancePromise> ReadInvariancePromise(
    const std::vector<std::pair<std::string, io::Setting>>& settings, const std::string& file);

// Errors: no identifier, no sensitive column, a column whose name the published files need.
Status CheckInvarianceColumns(const io::Policy& policy);

// How releases look that are one table with groups, whatever the promise (model `j-similarity`).
inline InvariancePromise OneTable() {
  InvariancePromise look;
  look.form = ChangingForm::kGeneralized;
  return look;
}

// "anatomy", "generalized", "partitions".
std::string FormName(ChangingForm form);

// Names of columns in the files of a release.
inline constexpr char kGroupColumn[] = "group";
inline constexpr char kCountColumn[] = "count";
inline constexpr char kCounterfeitColumn[] = "counterfeit";
inline constexpr char kCounterfeitsColumn[] = "counterfeits";

}  // namespace reissue::engine
