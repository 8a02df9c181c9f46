#pragma once
// What a policy promises about a table whose rows come and go, and how its
// releases look. Plain values.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/grouped/release.h"
#include "reissue/contract/promise.h"
#include "reissue/core/result.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance::service {

enum class Form {
  kAnatomy,      // quasi-identifiers as they are with a group; values counted per group apart
  kGeneralized,  // one table; a group has one range or label per quasi-identifier
  kPartitions,   // the same in groups of as many people as there are values
};

struct Promise : contract::Promise {
  std::uint64_t m = 2, e = 2;
  Form form = Form::kAnatomy;
  bool counterfeits_published = false;  // how many each group has
  Rule rule = Rule::kExact;
};

// Without `e` it is m, or 1 with form = "partitions". Errors: unknown keys (with the nearest known
// one), numbers out of range, e above m, partitions with e above 1; of a policy also no identifier,
// no sensitive column, a column whose name the published files need.
Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model);

// Which files its releases have.
binding::GroupedFiles FilesOf(const Promise& promise);

// Columns whose ranges end in numbers of the table: none where they are published as they are.
std::vector<std::string> ShownRanges(const io::Policy& policy, const Promise& promise);

// "anatomy", "generalized", "partitions".
std::string FormName(Form form);

// A column of holder's copies.
inline constexpr char kCounterfeitColumn[] = "counterfeit";

}  // namespace reissue::models::invariance::service
