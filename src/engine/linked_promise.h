#pragma once
// What a policy promises about linked releases (model `xy`), as it is written: columns and values
// are names, which files resolve (engine/linked.h). Plain values.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/xy/publisher/publish.h"
#include "reissue/models/xy/release/linked.h"

namespace reissue::engine {

// [[guarantee.anonymity]] or [[guarantee.linkability]].
struct LinkedRequirement {
  models::xy::Requirement::Kind kind = models::xy::Requirement::Kind::kAnonymity;
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

  bool anonymity() const { return kind == models::xy::Requirement::Kind::kAnonymity; }
};

// [[inconsistent]]: never the same person.
struct InconsistentLabels {
  std::pair<std::string, std::string> a, b;  // column and label
  std::uint64_t line = 0;
};

struct LinkedPromise {
  std::vector<LinkedRequirement> requirements;  // anonymity and linkability, each in file order
  std::vector<InconsistentLabels> inconsistent;

  // How the release is searched for; no part of what is promised.
  models::xy::Gain gain = models::xy::Gain::kDistortion;
  models::xy::Search search = models::xy::Search::kDefault;
  std::string class_column;
};

// Reads the settings of a policy or certificate; `file` is for error messages. Errors: unknown keys
// (with the nearest known one), no requirement, an empty x or y, a column in both x and y, numbers
// out of range, an inconsistent pair that is not one.
Result<LinkedPromise> ReadLinkedPromise(
    const std::vector<std::pair<std::string, io::Setting>>& settings, const std::string& file);

// "(X,Y)-anonymity of x = a, b against y = c".
std::string DescribeRequirement(const LinkedRequirement& requirement);
// "distortion", "discernibility", "class".
std::string GainName(models::xy::Gain gain);

}  // namespace reissue::engine
