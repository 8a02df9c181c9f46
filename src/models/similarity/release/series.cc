#include "reissue/models/similarity/release/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace reissue::models::similarity {
namespace {

// A value that is rarer than in the table by rounding alone keeps the promise.
constexpr double kRounding = 1e-9;

double Entropy(const Distribution& distribution) {
  double bits = 0;
  for (const double p : distribution) bits -= p > 0 ? p * std::log2(p) : 0;
  return bits;
}

double Share(std::uint64_t rows, double all) { return static_cast<double>(rows) / all; }

double Sum(const std::vector<std::uint64_t>& rows) {
  return static_cast<double>(std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}));
}

}  // namespace

bool Shape::Keeps(const Guarantee& guarantee) const {
  return k >= guarantee.k && j <= guarantee.j + kRounding &&
         (guarantee.beta == 0 || beta <= guarantee.beta + kRounding) &&
         (guarantee.t == 0 || t <= guarantee.t + kRounding);
}

double Divergence(const std::vector<const Distribution*>& beliefs) {
  if (beliefs.empty()) return 0;
  const auto people = static_cast<double>(beliefs.size());
  Distribution mean(beliefs.front()->size(), 0);
  double own = 0;
  for (const Distribution* belief : beliefs) {
    for (std::size_t s = 0; s < mean.size(); ++s) mean[s] += (*belief)[s] / people;
    own += Entropy(*belief) / people;
  }
  return std::max(0.0, Entropy(mean) - own);
}

double BetaLikeness(const std::vector<std::uint64_t>& group,
                    const std::vector<std::uint64_t>& all) {
  const double rows = Sum(group), table = Sum(all);
  double largest = 0;
  for (std::size_t s = 0; s < group.size(); ++s) {
    if (group[s] == 0) continue;
    const double p = Share(all[s], table);
    largest = std::max(largest, (Share(group[s], rows) - p) / p);
  }
  return largest;
}

double Closeness(const std::vector<std::uint64_t>& group, const std::vector<std::uint64_t>& all,
                 bool ordered) {
  const double rows = Sum(group), table = Sum(all);
  double moved = 0, carried = 0, steps = -1;
  for (std::size_t s = 0; s < group.size(); ++s) {
    const double more = Share(group[s], rows) - Share(all[s], table);
    carried += more;
    if (!ordered) moved += std::abs(more) / 2;
    if (!ordered || all[s] == 0) continue;
    moved += std::abs(carried);
    ++steps;
  }
  return steps > 0 ? moved / steps : moved;
}

Status Validate(const Snapshot& snapshot, std::uint32_t persons, const Knowledge& knowledge) {
  std::vector<char> seen(persons, 0), filled(snapshot.groups, 0);
  for (const Row& row : snapshot.rows) {
    if (row.person >= persons || row.value >= knowledge.values ||
        row.kind >= knowledge.prior.size() ||
        (row.group != kSuppressed && row.group >= snapshot.groups)) {
      return InputError("a row names a person, group, value or kind that does not exist");
    }
    if (std::exchange(seen[row.person], 1)) return InputError("a person stands twice in a release");
    if (row.group != kSuppressed) filled[row.group] = 1;
  }
  if (std::ranges::find(filled, 0) != filled.end()) return InputError("a group is empty");
  return Ok();
}

}  // namespace reissue::models::similarity
