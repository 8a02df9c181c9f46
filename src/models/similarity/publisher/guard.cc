#include "reissue/models/similarity/publisher/guard.h"

#include <algorithm>
#include <utility>

namespace reissue::models::similarity::internal {
namespace {

constexpr double kTolerated = kBeliefTolerance / 2;  // less than what an audit allows
constexpr std::size_t kMostToAsk = 40;               // rows, and
constexpr double kMostStates = 10'000;  // states of the exact estimator, of groups tried in numbers

}  // namespace

Guard::Guard(const Table& table, const ReaderLimits& limits)
    : table_(table), limits_(limits), reader_(limits.reader), statements_(limits.statements) {
  // Whichever of several best assignments she takes to be the likeliest.
  reader_.estimate.all_choices = true;
  if (statements_.empty()) return;
  std::ranges::stable_sort(statements_, {}, &Statement::person);
  begin_.assign(table.value.size() + 1, 0);
  for (const Statement& statement : statements_) ++begin_[statement.person + 1];
  for (std::size_t row = 1; row < begin_.size(); ++row) begin_[row] += begin_[row - 1];
}

std::vector<Suspect> Guard::SuspectsOf(std::span<const std::uint32_t> rows,
                                       const Shown& shown) const {
  std::vector<Suspect> suspects;
  suspects.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    Suspect& suspect = suspects.emplace_back();
    suspect.value = shown.Of(row);
    suspect.prior = &table_.beliefs[table_.belief[row]];
    if (begin_.empty()) continue;
    suspect.statements = {statements_.data() + begin_[row], begin_[row + 1] - begin_[row]};
  }
  return suspects;
}

Guard::Verdict Guard::Judge(const Bunch& bunch, const Shown& shown) const {
  std::vector<std::uint32_t> rows = bunch.rows;
  std::ranges::sort(rows);
  const std::vector<Suspect> suspects = SuspectsOf(rows, shown);
  const GroupBeliefs found = Consider(suspects, table_.values, reader_, reader_.estimate.seed);
  const GroupJudgement judged = similarity::Judge(suspects, found, limits_.bounds);
  Verdict verdict{.excess = -1, .offenders = {}};
  std::vector<std::pair<double, std::uint32_t>> offenders;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double excess = judged.excess[i];
    verdict.excess = std::max(verdict.excess, excess);
    if (excess > kTolerated) offenders.push_back({-excess, rows[i]});
  }
  std::ranges::sort(offenders);
  for (const auto& [excess, row] : offenders) verdict.offenders.push_back(row);
  return verdict;
}

bool Guard::Fine(const Bunch& bunch, const Shown& shown) const {
  std::vector<std::uint32_t> rows = bunch.rows;
  std::ranges::sort(rows);
  // Who comes first matters to other readers, and where people are certain of one value.
  if (reader_.estimator == inference::Estimator::kExact && begin_.empty()) {
    PutDoubtfulLast(rows, bunch);
  }
  return !Exceeds(SuspectsOf(rows, shown), table_.values, reader_, reader_.estimate.seed,
                  limits_.bounds, kTolerated);
}

// Those last of whom one value of the group is most likely.
void Guard::PutDoubtfulLast(std::vector<std::uint32_t>& rows, const Bunch& bunch) const {
  std::vector<std::pair<double, std::uint32_t>> likeliest;
  for (const std::uint32_t row : rows) {
    const Distribution& belief = table_.beliefs[table_.belief[row]];
    double most = 0, sum = 0;
    for (Value value = 0; value < table_.values; ++value) {
      if (bunch.counts[value] == 0) continue;
      most = std::max(most, belief[value]);
      sum += belief[value];
    }
    likeliest.push_back({sum > 0 ? most / sum : 0, row});
  }
  std::ranges::sort(likeliest);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = likeliest[i].second;
}

bool Guard::Quick(const Bunch& bunch) const {
  if (bunch.rows.size() > kMostToAsk) return false;
  if (limits_.reader.estimator != inference::Estimator::kExact) return true;
  double states = 1;
  for (const std::uint32_t rows : bunch.counts) states *= rows + 1;
  return states <= kMostStates;
}

}  // namespace reissue::models::similarity::internal
