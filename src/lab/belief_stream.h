#pragma once
// Evolving tables for the experiments on background knowledge, and one series of them published and
// attacked.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/models/similarity/adversary/reader.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::lab {

struct BeliefTable {
  models::similarity::Points points;
  std::vector<models::similarity::Person> person;  // per row, as the others
  std::vector<models::similarity::Value> value;
  std::vector<std::uint32_t> kind;
};

struct BeliefStream {
  std::string name;
  models::similarity::Knowledge once, twice;  // transitions of one step, of two
  std::vector<BeliefTable> tables;
  const models::similarity::Knowledge& Steps(std::uint32_t steps) const {
    return steps == 1 ? once : twice;
  }
};

// simulate::Bkseq, with what is true of it.
BeliefStream BkseqStream(std::uint64_t rows, std::uint64_t releases, std::uint64_t seed);
// Section 6.1: a tenth leaves, a tenth comes, a tenth of the values change. Quasi-identifiers are
// age, sex and education (by its number), the value is the occupation. Priors are the shares among
// all records of the same sex, age class and level of education; nothing is known of transitions.
BeliefStream AdultStream(std::uint64_t rows, std::uint64_t releases, std::uint64_t seed);

// How a series is published, and what its readers know.
struct BeliefSetup {
  std::string data;  // name of the stream
  models::similarity::Algorithm algorithm = models::similarity::Algorithm::kBkaa;
  inference::Estimator reader = inference::Estimator::kBayes;
  std::uint32_t steps = 1;
  models::similarity::Cascade cascade = models::similarity::Cascade::kPrior;
  std::uint64_t k = 3;
  double j = 0.6, beta = 5, t = 0;
  // Everybody's value is known with `confidence` with this probability, afresh in every release.
  // Prior: known before publication; posterior: afterwards.
  double sigma = 0, confidence = 0.9;
  bool operator==(const BeliefSetup&) const = default;
};

struct BeliefAttack {
  double gain = 0;         // equation 8, mean of a release
  double gain_others = 0;  // of those whose values are not known
  double strongest = 0;    // belief in a true value, of those others
  double sure = 0;         // share of those others of whose values she is surer than nine in ten
  std::uint64_t approximated = 0;  // groups too large for her to be exact
};

struct BeliefRelease {
  std::uint64_t rows = 0, groups = 0, suppressed = 0, largest = 0;  // largest group
  double penalty = 0, linkage = 0;                                  // GCP and RL
  BeliefAttack reader, exact;
};

struct BeliefRun {
  BeliefSetup setup;
  std::vector<BeliefRelease> releases;
  double seconds = 0;  // by the clock, publishing alone
};

struct BeliefLimits {
  std::uint64_t exact_states = 20'000;  // beyond, the exact reader makes do with matrix scaling
  std::uint64_t seed = 1;
};

// Publishes all tables; the reader of the setup sees every release, and so does the exact one, who
// knows the same. Where no group can be formed, all rows are left out. Errors: as Publish.
Result<BeliefRun> RunBelief(const BeliefStream& stream, const BeliefSetup& setup,
                            const BeliefLimits& limits);

}  // namespace reissue::lab
