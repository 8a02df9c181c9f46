#include "reissue/models/similarity/service/exposures.h"

#include <algorithm>
#include <cmath>

namespace reissue::models::similarity::service {

namespace sim = models::similarity;

Exposures::Exposures(const EvolvingSeries& series, const Promise& promise)
    : series_(series), promise_(promise), exposed_(series.persons, 0) {}

void Exposures::Begin(std::uint32_t release) {
  release_ = release;
  const sim::Snapshot& snapshot = series_.releases[release].snapshot;
  found_.assign(snapshot.rows.size(), {});
  values_.assign(snapshot.groups, {});
  for (const sim::Row& row : snapshot.rows) {
    if (row.group == sim::kSuppressed) continue;
    auto& [value, several] = values_[row.group];
    several = several || (value && *value != row.value);
    value = row.value;
  }
  certain_.clear();
  for (const sim::Statement& statement : series_.statements[release]) {
    if (statement.confidence >= 1) certain_.emplace(statement.person, statement.value);
  }
}

void Exposures::See(inference::Estimator estimator, const sim::Beliefs& beliefs) {
  const EvolvingRelease& release = series_.releases[release_];
  for (std::size_t i = 0; i < release.snapshot.rows.size(); ++i) {
    const sim::Row& row = release.snapshot.rows[i];
    if (row.group == sim::kSuppressed) continue;
    const sim::Value truth = release.truth.empty() ? row.value : release.truth[i];
    const double belief = beliefs.posterior[i][truth];
    // Where another value is shown, equation 8 is not about the true one.
    const double gain = truth == row.value ? beliefs.gain[i] : 0;
    Found& found = found_[i];
    if (!TooMuch(belief, beliefs.prior[i][truth], gain)) continue;
    if (!found.much || belief > found.belief) found = {true, belief, gain, estimator};
  }
}

void Exposures::End() {
  const EvolvingRelease& release = series_.releases[release_];
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const sim::Row& row = release.snapshot.rows[i];
    const sim::Value truth = release.truth.empty() ? row.value : release.truth[i];
    const auto stated = certain_.find(row.person);
    if (!found_[i].much || (stated != certain_.end() && stated->second == truth)) continue;
    exposed_[row.person] = 1;
    all_.push_back({series_.ids.empty() ? "" : series_.ids[row.person], release_ + 1,
                    binding::Joined(series_.values[truth]), found_[i].belief, found_[i].gain,
                    std::string(inference::NameOf(found_[i].by)), !values_[row.group].second});
  }
}

void Exposures::Report(std::size_t worst, SimilarityFindings& audit) {
  audit.exposed = static_cast<std::uint64_t>(std::count(exposed_.begin(), exposed_.end(), 1));
  // What differs by rounding alone stays as it comes.
  const auto rounded = [](const ExposedPerson& person) {
    return std::llround(person.belief / sim::kBeliefTolerance);
  };
  std::stable_sort(all_.begin(), all_.end(), [&](const ExposedPerson& a, const ExposedPerson& b) {
    return rounded(a) > rounded(b);
  });
  if (all_.size() > worst) all_.resize(worst);
  audit.strongest = std::move(all_);
}

bool Exposures::TooMuch(double belief, double before, double gain) const {
  const auto& [max_belief, max_gain] = promise_.bounds;
  return (max_belief && belief > std::max(*max_belief, before) + sim::kBeliefTolerance) ||
         (max_gain && gain > *max_gain + sim::kBeliefTolerance) ||
         belief >= 1 - sim::kBeliefTolerance;
}

}  // namespace reissue::models::similarity::service
