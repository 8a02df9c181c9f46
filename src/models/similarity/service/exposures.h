#pragma once
// Whose true value readers believe or gain more than is promised, or know; and to whom most. Only
// the holder can tell: whether a promise is kept does not depend on it.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reissue/models/similarity/adversary/reader.h"
#include "reissue/models/similarity/service/audit.h"

namespace reissue::models::similarity::service {

// Release by release; series and promise must stay where they are.
class Exposures {
 public:
  Exposures(const EvolvingSeries& series, const Promise& promise);

  void Begin(std::uint32_t release);
  // Estimators in the order in which they are preferred where their beliefs are equal.
  void See(inference::Estimator estimator, const similarity::Beliefs& beliefs);
  void End();

  // At most `worst` by name, the strongest belief first.
  void Report(std::size_t worst, SimilarityFindings& audit);

 private:
  bool TooMuch(double belief, double before, double gain) const;

  struct Found {
    bool much = false;
    double belief = 0, gain = 0;
    inference::Estimator by = inference::Estimator::kExact;
  };
  const EvolvingSeries& series_;
  const Promise& promise_;
  std::vector<char> exposed_;  // per person
  std::vector<ExposedPerson> all_;
  std::uint32_t release_ = 0;
  std::vector<Found> found_;                                               // per row
  std::vector<std::pair<std::optional<similarity::Value>, bool>> values_;  // per group; several
  std::unordered_map<similarity::Person, similarity::Value> certain_;
};

}  // namespace reissue::models::similarity::service
