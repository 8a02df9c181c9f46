#include "reissue/models/similarity/publisher/draft.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace reissue::models::similarity::internal {
namespace {

// Less than what Shape::Keeps allows, so that sums which were kept up to date step by step never
// let through what it would not.
constexpr double kAllowed = 5e-10;

// Σ x · log2 x.
double SumOfLogs(std::span<const double> numbers) {
  double sum = 0;
  for (const double x : numbers) {
    if (x > 0) sum += x * std::log2(x);
  }
  return sum;
}

}  // namespace

Draft::Draft(const Table& table, const Guarantee& guarantee)
    : shown(table.value), table_(&table), guarantee_(guarantee) {
  for (const Distribution& belief : table.beliefs) entropy_.push_back(-SumOfLogs(belief));
  beliefs_differ_ =
      std::ranges::adjacent_find(table.belief, std::ranges::not_equal_to{}) != table.belief.end();
  std::vector<std::uint64_t> rows(table.values, 0);
  for (const Value value : table.value) ++rows[value];
  SetShares(rows);
}

void Draft::SetShares(const std::vector<std::uint64_t>& rows) {
  all_ = rows;
  const auto total =
      static_cast<double>(std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}));
  share_.assign(rows.size(), 0);
  most_.assign(rows.size(), 0);
  for (std::size_t s = 0; s < rows.size(); ++s) {
    share_[s] = total > 0 ? static_cast<double>(rows[s]) / total : 0;
    most_[s] = share_[s] * (1 + guarantee_.beta + kAllowed);
  }
}

void Draft::Recount() {
  std::vector<std::uint64_t> rows(table_->values, 0);
  for (const Bunch& bunch : groups) {
    for (std::size_t s = 0; s < rows.size(); ++s) rows[s] += bunch.counts[s];
  }
  SetShares(rows);
}

Bunch Draft::Empty() const {
  Bunch bunch;
  bunch.belief.assign(table_->values, 0);
  bunch.counts.assign(table_->values, 0);
  return bunch;
}

void Draft::Add(Bunch& bunch, std::uint32_t row, Value as) const {
  bunch.rows.push_back(row);
  bunch.judged = false;
  const std::uint32_t number = table_->belief[row];
  const Distribution& belief = table_->beliefs[number];
  for (std::size_t s = 0; s < belief.size(); ++s) bunch.belief[s] += belief[s];
  bunch.entropy += entropy_[number];
  ++bunch.counts[as];
  bunch.box.Add(table_->points.of(row));
}

void Draft::Join(Bunch& bunch, const Bunch& other) const {
  bunch.judged = false;
  bunch.rows.insert(bunch.rows.end(), other.rows.begin(), other.rows.end());
  for (std::size_t s = 0; s < bunch.belief.size(); ++s) {
    bunch.belief[s] += other.belief[s];
    bunch.counts[s] += other.counts[s];
  }
  bunch.entropy += other.entropy;
  bunch.box.Join(other.box);
}

void Draft::Remove(Bunch& bunch, std::uint32_t row, Value as) const {
  REISSUE_CHECK(std::erase(bunch.rows, row) == 1);
  bunch.judged = false;
  const std::uint32_t number = table_->belief[row];
  const Distribution& belief = table_->beliefs[number];
  for (std::size_t s = 0; s < belief.size(); ++s) {
    bunch.belief[s] = std::max(0.0, bunch.belief[s] - belief[s]);
  }
  bunch.entropy -= entropy_[number];
  --bunch.counts[as];
  bunch.box = {};
  for (const std::uint32_t member : bunch.rows) bunch.box.Add(table_->points.of(member));
}

bool Draft::KeepsShares(const Bunch& bunch) const {
  if (bunch.rows.size() < guarantee_.k) return false;
  const auto rows = static_cast<double>(bunch.rows.size());
  if (guarantee_.beta > 0) {
    for (std::size_t s = 0; s < most_.size(); ++s) {
      if (bunch.counts[s] > rows * most_[s]) return false;
    }
  }
  if (guarantee_.t == 0) return true;
  // As Closeness has it.
  double moved = 0, carried = 0, steps = -1;
  for (std::size_t s = 0; s < share_.size(); ++s) {
    const double more = bunch.counts[s] / rows - share_[s];
    carried += more;
    if (!guarantee_.ordered) moved += std::abs(more) / 2;
    if (!guarantee_.ordered || share_[s] == 0) continue;
    moved += std::abs(carried);
    ++steps;
  }
  if (steps > 0) moved /= steps;
  return moved <= guarantee_.t + kAllowed;
}

double Draft::DivergenceOf(const Bunch& bunch) const {
  if (!beliefs_differ_ || bunch.rows.empty()) return 0;
  const auto rows = static_cast<double>(bunch.rows.size());
  const double bits = std::log2(rows) - (SumOfLogs(bunch.belief) + bunch.entropy) / rows;
  return std::max(0.0, bits);
}

bool Draft::Alike(const Bunch& bunch, double share) const {
  return DivergenceOf(bunch) <= guarantee_.j * share + kAllowed;
}

bool Draft::Keeps(const Bunch& bunch) const { return KeepsShares(bunch) && KeepsSimilarity(bunch); }

bool Draft::AllAlike() const {
  Bunch all = Empty();
  for (std::uint32_t row = 0; row < table_->value.size(); ++row) Add(all, row);
  return KeepsSimilarity(all);
}

Shape Draft::ShapeOf(const Bunch& bunch) const {
  const std::vector<std::uint64_t> counts(bunch.counts.begin(), bunch.counts.end());
  return {.k = bunch.rows.size(),
          .j = DivergenceOf(bunch),
          .beta = BetaLikeness(counts, all_),
          .t = Closeness(counts, all_, guarantee_.ordered)};
}

double Draft::RoomFor(const Bunch& bunch, Value value) const {
  return share_[value] * static_cast<double>(bunch.rows.size()) - bunch.counts[value];
}

std::size_t Draft::LeastRows(Value value) const {
  if (guarantee_.beta == 0 || most_[value] >= 1) return 1;
  return static_cast<std::size_t>(std::ceil(1 / most_[value]));
}

bool Draft::Bears(const Bunch& bunch, Value value, std::size_t rows) const {
  return guarantee_.beta == 0 ||
         bunch.counts[value] + 1 <= static_cast<double>(rows) * most_[value];
}

void Draft::AppendMiddle(const Bunch& bunch, std::vector<double>& places) const {
  const std::span<const Column> columns = table_->points.columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double middle = (bunch.box.low[c] + bunch.box.high[c]) / 2;
    places.push_back(columns[c].tree() ? std::floor(middle) : middle);
  }
}

void Draft::Relax(const Shape& shape) {
  guarantee_.k = std::min(guarantee_.k, shape.k);
  guarantee_.j = std::max(guarantee_.j, shape.j);
  if (guarantee_.beta > 0) guarantee_.beta = std::max(guarantee_.beta, shape.beta);
  if (guarantee_.t > 0) guarantee_.t = std::max(guarantee_.t, shape.t);
  SetShares(std::vector<std::uint64_t>(all_));
}

std::vector<std::uint32_t> Draft::Dissolve(Bunch& bunch) {
  for (const std::uint32_t row : bunch.rows) shown[row] = table_->value[row];
  return std::exchange(bunch, Empty()).rows;
}

double Draft::Cost(const Bunch& bunch) const {
  return static_cast<double>(bunch.rows.size()) * bunch.box.Penalty(table_->points.columns);
}

double Draft::CostOfAdding(const Bunch& bunch, std::uint32_t row) const {
  const std::span<const Column> columns = table_->points.columns;
  const std::span<const double> place = table_->points.of(row);
  double after = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    after += columns[c].Penalty(std::min(bunch.box.low[c], place[c]),
                                std::max(bunch.box.high[c], place[c]));
  }
  if (!columns.empty()) after /= static_cast<double>(columns.size());
  return static_cast<double>(bunch.rows.size() + 1) * after - Cost(bunch);
}

double Draft::CostOfJoining(const Bunch& bunch, const Bunch& other) const {
  const std::span<const Column> columns = table_->points.columns;
  double after = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    after += columns[c].Penalty(std::min(bunch.box.low[c], other.box.low[c]),
                                std::max(bunch.box.high[c], other.box.high[c]));
  }
  if (!columns.empty()) after /= static_cast<double>(columns.size());
  return static_cast<double>(bunch.rows.size() + other.rows.size()) * after - Cost(bunch) -
         Cost(other);
}

double Draft::Cost() const {
  double sum = static_cast<double>(out.size());
  for (const Bunch& bunch : groups) sum += Cost(bunch);
  return sum;
}

void Draft::Tidy() {
  std::erase_if(groups, [](const Bunch& bunch) { return bunch.rows.empty(); });
}

Outcome Draft::ToOutcome() const {
  Outcome outcome;
  outcome.group.assign(table_->value.size(), kSuppressed);
  outcome.shown = shown;
  for (const Bunch& bunch : groups) {
    if (bunch.rows.empty()) continue;
    for (const std::uint32_t row : bunch.rows) {
      outcome.group[row] = outcome.groups;
      outcome.counterfeit += shown[row] != table_->value[row];
    }
    ++outcome.groups;
  }
  outcome.suppressed = static_cast<std::uint64_t>(std::ranges::count(outcome.group, kSuppressed));
  outcome.penalty = CertaintyPenalty(table_->points, outcome.group);
  return outcome;
}

}  // namespace reissue::models::similarity::internal
