#pragma once
// What a policy promises about linked releases, as it is written: columns and values
// are names, which files resolve (linked.h). Plain values.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/settings.h"
#include "reissue/contract/promise.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/publisher/publish.h"
#include "reissue/models/xy/release/linked.h"

namespace reissue::models::xy::service {

// [[guarantee.anonymity]] or [[guarantee.linkability]].
struct AskedRequirement {
  xy::Requirement::Kind kind = xy::Requirement::Kind::kAnonymity;
  std::vector<std::string> x;
  // Columns; anonymity: also the words `key`, `prior.key`, … for rows. Empty where `values` is not.
  std::vector<std::string> y;
  struct Value {
    std::string column, value;
    double threshold = 1;
    bool own = false;  // has a threshold of its own
  };
  std::vector<Value> values;
  std::uint64_t k = 1;    // anonymity
  double confidence = 1;  // linkability
  std::uint64_t line = 0;

  bool anonymity() const { return kind == xy::Requirement::Kind::kAnonymity; }
};

// [[inconsistent]]: never the same person.
struct InconsistentLabels {
  std::pair<std::string, std::string> a, b;  // column and label
  std::uint64_t line = 0;
};

struct Promise : contract::Promise {
  std::vector<AskedRequirement> requirements;  // anonymity and linkability, each in file order
  std::vector<InconsistentLabels> inconsistent;

  // How the release is searched for; no part of what is promised.
  xy::Gain gain = xy::Gain::kDistortion;
  xy::Search search = xy::Search::kDefault;
  std::string class_column;
};

// Errors: unknown keys (with the nearest known one), no requirement, an empty x or y, a column in
// both x and y, numbers out of range, an inconsistent pair that is not one.
Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model);

// Score or search instead of the policy's.
Status ReadSearch(const binding::Settings& instead, const std::string& file, Promise& promise);

// "(X,Y)-anonymity of x = a, b against y = c".
std::string DescribeRequirement(const AskedRequirement& requirement);
// "distortion", "discernibility", "class".
std::string GainName(xy::Gain gain);

}  // namespace reissue::models::xy::service
