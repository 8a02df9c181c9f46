#include "reissue/models/xy/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reissue/models/xy/publisher/descent.h"
#include "reissue/models/xy/publisher/predict.h"
#include "reissue/models/xy/publisher/start.h"

namespace reissue::models::xy {
namespace {

using internal::DemandKeeper;
using internal::Descended;
using internal::Order;
using internal::Places;
using internal::Ranking;
using internal::Start;
using internal::View;

// X ∩ att(T1), over all requirements; a column without tree and numbers stays as it is.
std::vector<std::uint32_t> Generalised(const Source& source,
                                       std::span<const Requirement> requirements) {
  std::set<std::uint32_t> columns;
  for (const Requirement& requirement : requirements) {
    for (const Attribute& attribute : requirement.x) {
      if (attribute.table != 0) continue;
      const Source::Column& column = source.columns[attribute.column];
      if (column.tree == nullptr && !column.continuous()) continue;
      columns.insert(static_cast<std::uint32_t>(attribute.column));
    }
  }
  return {columns.begin(), columns.end()};
}

Status CheckCall(const View& view, std::span<const Requirement> requirements,
                 const std::vector<std::uint32_t>& generalised, const PublishOptions& options) {
  if (options.gain == Gain::kClass && view.source.class_values == 0) {
    return UsageError("the gain is by class, and the table has no class column",
                      "name a class column, or choose distortion or discernibility");
  }
  const auto moves = [&](const Attribute& a) {
    return a.table == 0 && view.source.columns[a.column].tree == nullptr &&
           std::ranges::count(generalised, a.column) > 0;
  };
  for (const Inconsistent& pair : view.inconsistent) {
    if (moves(pair.a) || moves(pair.b)) {
      return UsageError("an inconsistent pair names a number of a column that becomes intervals",
                        "give the column a taxonomy, or take it out of X");
    }
  }
  for (const Requirement& requirement : requirements) {
    for (const Requirement::Sensitive& value : requirement.values) {
      if (!moves(value.column)) continue;
      return UsageError("a sensitive value is a number of a column that becomes intervals",
                        "give the column a taxonomy, or take it out of X");
    }
  }
  return Ok();
}

bool YMoves(const Requirement& requirement, const Places& places) {
  const auto moves = [&](const Attribute& a) {
    return a.table == 0 && places.generalised(a.column);
  };
  const bool value = std::ranges::any_of(
      requirement.values, [&](const Requirement::Sensitive& v) { return moves(v.column); });
  return value || std::ranges::any_of(requirement.y, moves);
}

// Everything at the root, whether it keeps the promises or not.
Result<Start> MakeStart(const View& view, std::span<const Requirement> requirements,
                        const PublishOptions& options) {
  const std::vector<std::uint32_t> generalised = Generalised(view.source, requirements);
  REISSUE_TRY(CheckCall(view, requirements, generalised, options));
  Start start{view, requirements, options.gain, Places(view.source, generalised, options.gain),
              {},   {},           {},           {}};
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    if (YMoves(requirements[r], start.places)) {
      start.asked.push_back(r);
      continue;
    }
    for (const internal::Demand& demand : internal::DemandsOf(
             requirements[r], r, [&](const Attribute& column) { return view.Tree(column); })) {
      DemandKeeper keeper = REISSUE_TRY(DemandKeeper::Make(view, demand, start.places));
      start.keepers.push_back(std::move(keeper));
    }
  }
  if (options.gain == Gain::kDiscernibility) start.squares.emplace(view.source, start.places);
  return start;
}

std::string Found(const Requirement& requirement, const internal::Measure& measure) {
  if (requirement.kind == Requirement::Kind::kLinkability) {
    return fmt::format("some y is inferred with confidence {:.4g}", measure.share);
  }
  return fmt::format("some x has {} distinct y, and {} are promised", measure.distinct,
                     requirement.k);
}

// Finds the first steps, if some are needed, or says why there are none.
std::optional<Refusal> Begin(Start& start, Progress& progress) {
  const auto broken = internal::BrokenAtTheRoot(start);
  if (!broken) return std::nullopt;
  Refusal refusal{broken->requirement, broken->hopeless, true,
                  Found(start.requirements[broken->requirement], broken->measure)};
  if (refusal.hopeless) return refusal;
  internal::Way way = internal::FindWay(start, progress);
  refusal.all_seen = way.all_seen;
  if (!way.steps) return refusal;
  start.steps = *std::move(way.steps);
  return std::nullopt;
}

Error ErrorOf(const Refusal& refusal) {
  const std::size_t number = refusal.requirement + 1;
  if (refusal.hopeless) {
    return PromiseError(
        fmt::format("requirement {} cannot be kept: even with every column of X at the root, {}",
                    number, refusal.found),
        "weaken it, or take columns of the earlier releases out of X");
  }
  return PromiseError(
      fmt::format("no release {} that keeps all requirements together: with every column of X at "
                  "the root requirement {} is broken, {}",
                  refusal.all_seen ? "exists" : "was found", number, refusal.found),
      "weaken a requirement, or take columns out of X");
}

// Descents by chance in the default search, and how many combinations all descents together may
// look at: large tables get fewer descents, so that the search stays in proportion to loading.
constexpr std::uint64_t kShuffled = 24;
constexpr std::uint64_t kWork = 400'000;
constexpr std::uint64_t kLeastDescents = 3;

std::vector<Order> Orders(const Start& start, const PublishOptions& options) {
  std::vector<Order> orders = {{Ranking::kPaper, {}, {}}};
  if (options.search == Search::kPaper) return orders;
  orders.push_back({Ranking::kGain, {}, {}});
  const Ranking best = options.gain == Gain::kClass ? Ranking::kSaving : Ranking::kGain;
  if (best != Ranking::kGain) orders.push_back({best, {}, {}});
  for (const std::uint32_t column : start.places.columns()) orders.push_back({best, column, {}});
  for (std::uint64_t seed = 1; seed <= kShuffled; ++seed) orders.push_back({best, {}, seed});
  const std::uint64_t cells = std::max<std::uint64_t>(1, start.view.source.cells.size());
  const std::uint64_t affordable = std::max(kLeastDescents, kWork / cells);
  if (orders.size() > affordable) orders.resize(affordable);
  return orders;
}

// The paper's first.
std::vector<Descended> AllDescents(const Start& start, const PublishOptions& options,
                                   ThreadPool& pool, Progress& progress) {
  const std::vector<Order> orders = Orders(start, options);
  std::vector<Descended> found(orders.size());
  progress.Begin("specialise", 0);
  pool.Run(orders.size(), [&](std::size_t i) { found[i] = Descend(start, orders[i], progress); });
  return found;
}

// The release that costs least; the paper's where none costs less.
const Descended& Least(const std::vector<Descended>& found) {
  return *std::ranges::min_element(found, {}, &Descended::cost);
}

// What costs least by the class tells each column for itself. Of that, of the paper's and of what
// distorts least: the release from which decision trees predict the class best.
Result<Descended> MostPredictive(const Start& start, const std::vector<Descended>& found,
                                 const PublishOptions& options, ThreadPool& pool,
                                 Progress& progress) {
  std::vector<Descended> candidates = {Least(found), found.front()};
  PublishOptions other = options;
  other.gain = Gain::kDistortion;
  Start by_distortion = REISSUE_TRY(MakeStart(start.view, start.requirements, other));
  if (!Begin(by_distortion, progress)) {
    const auto less = AllDescents(by_distortion, other, pool, progress);
    candidates.insert(candidates.end(), {Least(less), less.front()});
  }
  std::vector<std::uint64_t> errors(candidates.size());
  pool.Run(errors.size(), [&](std::size_t i) {
    errors[i] = internal::PredictionErrors(start.view.source, start.places.columns(),
                                           candidates[i].outcome);
  });
  return std::move(
      candidates[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())]);
}

Result<Descended> Best(const Start& start, const PublishOptions& options, ThreadPool& pool,
                       Progress& progress) {
  const std::vector<Descended> found = AllDescents(start, options, pool, progress);
  const bool predicts = options.gain == Gain::kClass && options.search == Search::kDefault;
  if (predicts) return MostPredictive(start, found, options, pool, progress);
  return Least(found);
}

}  // namespace

LinkedTable Published(const Source& source, const Outcome& outcome) {
  LinkedTable table;
  std::vector<std::vector<std::uint32_t>> codes(source.columns.size());  // per rank; empty: itself
  for (std::size_t c = 0; c < source.columns.size(); ++c) {
    const Source::Column& column = source.columns[c];
    table.trees.push_back(column.tree);
    if (column.tree != nullptr) {
      for (std::size_t rank = 0; rank < column.tree->leaves(); ++rank) {
        const bool cut = c < outcome.cuts.size() && outcome.cuts[c].has_value();
        const NodeId node = cut ? outcome.cuts[c]->NodeOfLeaf(rank) : column.tree->leaf(rank);
        codes[c].push_back(node.raw());
      }
    } else if (c < outcome.intervals.size() && !outcome.intervals[c].empty()) {
      const std::vector<std::uint32_t>& begins = outcome.intervals[c];
      for (std::uint32_t rank = 0; rank < column.numbers.size(); ++rank) {
        const auto after = std::ranges::upper_bound(begins, rank);
        codes[c].push_back(static_cast<std::uint32_t>(after - begins.begin()) - 1);
      }
    }
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(source.cells.size() * codes.size());
  for (std::size_t i = 0; i < source.cells.size(); ++i) {
    if (source.cells.count(CellId(i)) == 0) continue;
    const auto key = source.cells.key(CellId(i));
    for (std::size_t c = 0; c < codes.size(); ++c) {
      keys.push_back(codes[c].empty() ? key[c] : codes[c][key[c]]);
    }
    counts.push_back(source.cells.count(CellId(i)));
  }
  table.cells = CollectCells(codes.size(), keys, counts);
  return table;
}

Result<Outcome> Publish(const Source& source, std::span<const LinkedTable> prior,
                        const std::vector<std::vector<Attribute>>& joins,
                        const std::vector<Inconsistent>& inconsistent,
                        std::span<const Requirement> requirements, const PublishOptions& options,
                        ThreadPool& pool, Progress& progress) {
  const View view{source, prior, joins, inconsistent};
  Start start = REISSUE_TRY(MakeStart(view, requirements, options));
  if (const auto refusal = Begin(start, progress)) return ErrorOf(*refusal);
  Descended found = REISSUE_TRY(Best(start, options, pool, progress));
  // The searches are not taken at their word.
  for (const Requirement& requirement : requirements) {
    REISSUE_CHECK(!internal::Ask(view, requirement, found.outcome).broken);
  }
  return std::move(found.outcome);
}

Result<std::optional<Refusal>> Refused(const Source& source, std::span<const LinkedTable> prior,
                                       const std::vector<std::vector<Attribute>>& joins,
                                       const std::vector<Inconsistent>& inconsistent,
                                       std::span<const Requirement> requirements,
                                       Progress& progress) {
  const View view{source, prior, joins, inconsistent};
  Start start = REISSUE_TRY(MakeStart(view, requirements, {}));
  return Begin(start, progress);
}

}  // namespace reissue::models::xy
