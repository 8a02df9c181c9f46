#pragma once
// Prior and transition beliefs from tables, as files that a policy of model `j-similarity` can name
// (docs/formats/knowledge.md).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/context.h"

namespace reissue::engine {

struct LearnRequest {
  std::string policy;                  // what its [knowledge] names need not exist yet
  std::vector<std::string> tables;     // one, or a series in order
  std::optional<std::uint32_t> steps;  // of transitions; by default the policy's
  double smoothing = 1;
  std::string out;  // a directory, made if it is not there
};

struct LearnReport {
  std::string prior, transition;  // the files
  std::uint32_t steps = 1;
  double smoothing = 1;
  std::uint64_t tables = 0, rows = 0, people = 0;
  std::uint64_t kinds = 0;  // of people, without that of everybody
  std::uint64_t values = 0;
  std::uint64_t sequences = 0;  // people in two tables in a row; 0: transitions are uniform
  std::uint64_t contexts = 0;   // of transitions
};

// Writes DIR/prior.csv and DIR/transition.csv, owner-only. Errors: a policy of another model,
// tables that do not fit it (columns that this has no use for may be missing; a single table may
// lack the identifier), files that exist already.
Result<LearnReport> Learn(const LearnRequest& request, Context& context);

// A distribution as decimal texts of at most twelve places that sum to exactly 1.
std::vector<std::string> DecimalsOf(const std::vector<double>& distribution);

}  // namespace reissue::engine
