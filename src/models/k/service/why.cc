#include "reissue/models/k/service/why.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/models/k/publisher/stops.h"
#include "reissue/taxonomy/levels.h"

namespace reissue::models::k::service {
namespace {

using contract::WayOut;
using contract::Why;

// Seconds of searching for each way out.
constexpr double kSecondsOfTrial = 0.2;
// More rows than this are not a few.
constexpr double kFew = 0.05;
// What is not worth saying.
constexpr double kLeastGain = 0.0005;
constexpr std::size_t kMostWays = 3;

std::string Rows(std::uint64_t rows, std::string_view one = "row", std::string_view many = "rows") {
  return fmt::format("{} {}", rows, rows == 1 ? one : many);
}

double MeanWithout(const std::vector<double>& loss, std::size_t column) {
  double sum = 0;
  for (std::size_t j = 0; j < loss.size(); ++j) sum += j == column ? 0 : loss[j];
  return loss.size() > 1 ? sum / static_cast<double>(loss.size() - 1) : 0;
}

// The table without rows of these cells; of a later release without newcomers among them.
Cells Without(const Cells& cells, const std::vector<std::uint32_t>& held_back) {
  std::vector<std::uint8_t> held(cells.size(), 0);
  for (const std::uint32_t cell : held_back) held[cell] = 1;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
      if (held[i] != 0 && part.origin + 1 == cells.origins()) return;
      keys.insert(keys.end(), key.begin(), key.end());
      if (cells.origins() > 1) keys.push_back(part.origin);
      counts.push_back(part.rows);
    });
  }
  return CollectCells(cells.width(), keys, counts, cells.origins());
}

class Explainer {
 public:
  Explainer(const Explained& e, const TryOut& try_out) : e_(e), try_out_(try_out) {}

  Why Explain(const Outcome& outcome) {
    const std::vector<ColumnStops> stops = StopsOf(e_.leaves, e_.guarantee, outcome);
    now_ = LossByColumn(e_.leaves, outcome);
    Why why;
    why.loss = LossOf(e_.leaves, outcome);
    loss_ = why.loss;
    for (std::size_t j = 0; j < stops.size(); ++j) {
      why.columns.push_back(Describe(stops[j], j));
      if (stops[j].loss > 0) why.columns.back().ways = WaysOf(stops[j].nearest, outcome, j);
    }
    if (e_.first) why.ways = WaysOfAll();
    return why;
  }

  Why WithoutCeilings() {
    Why why;
    for (std::size_t j = 0; j < e_.leaves.ceilings.size(); ++j) {
      if (!Column(j).ceiling) continue;
      Trial trial = Here();
      trial.leaves.ceilings[j] = taxonomy::Cut::Root(*e_.leaves.taxonomies[j]);
      const auto outcome = try_out_(trial);
      if (!outcome) continue;
      why.ways.push_back({fmt::format("no `ceiling` or `keep` for \"{}\"", Column(j).name), 1,
                          LossOf(trial.leaves, *outcome)});
    }
    return why;
  }

 private:
  const io::PolicyColumn& Column(std::size_t j) const { return *e_.holder.quasi[j].policy; }

  Why::Column Describe(const ColumnStops& stops, std::size_t j) const {
    const taxonomy::Taxonomy& tree = *e_.leaves.taxonomies[j];
    Why::Column column;
    column.name = Column(j).name;
    column.loss = stops.loss;
    column.stopped = stops.labels;
    const Stop& stop = stops.nearest;
    if (!stop.node.valid()) return column;
    column.label = tree.label(stop.node);
    column.groups = stop.groups;
    column.rows = stop.rows;
    column.newcomers = stop.newcomers;
    column.missing = stop.missing;
    for (const Stop::Value& value : stop.values) {
      column.values.push_back({tree.label(value.node), value.rows});
    }
    return column;
  }

  Trial Here() const {
    Trial trial{e_.leaves, e_.options, e_.local};
    trial.options.search = Search::kDefault;
    trial.options.budget_seconds = kSecondsOfTrial;
    return trial;
  }

  // Tries what `change` makes of the release.
  template <typename Change>
  void Offer(std::string words, const Change& change, std::vector<WayOut>& ways) const {
    Trial trial = Here();
    change(trial);
    const auto outcome = try_out_(trial);
    if (!outcome) return;
    const double after = LossOf(trial.leaves, *outcome);
    if (loss_ - after >= kLeastGain) ways.push_back({std::move(words), loss_, after});
  }

  std::vector<WayOut> WaysOf(const Stop& stop, const Outcome& outcome, std::size_t j) const {
    std::vector<WayOut> ways;
    if (stop.node.valid() && e_.tries) LeaveRowsOut(stop, outcome, ways);
    if (stop.missing > 0) {
      const double after = loss_ - stop.saved / static_cast<double>(now_.size());
      ways.push_back({fmt::format("wait for {} in these groups",
                                  Rows(stop.missing, "more newcomer", "more newcomers")),
                      loss_, after});
    }
    const bool plain = e_.leaves.hidden.empty() && e_.leaves.ceilings.empty();
    if (e_.first && plain && !Column(j).sets && !Column(j).taxonomy.empty()) {
      Offer(
          "let neighbours in its taxonomy be one label: `sets = true`",
          [&](Trial& trial) { WithSetsOf(trial.leaves, j); }, ways);
    }
    KeepBest(ways);
    return ways;
  }

  // What concerns all columns.
  std::vector<WayOut> WaysOfAll() const {
    std::vector<WayOut> ways;
    if (!e_.local) {
      Offer(
          "`recoding = \"local\"`", [](Trial& trial) { trial.local = true; }, ways);
    }
    for (std::size_t j = 0; now_.size() > 1 && j < now_.size(); ++j) DoWithout(j, ways);
    KeepBest(ways);
    return ways;
  }

  static void KeepBest(std::vector<WayOut>& ways) {
    std::ranges::stable_sort(ways, std::greater<>(),
                             [](const WayOut& way) { return way.before - way.after; });
    if (ways.size() > kMostWays) ways.resize(kMostWays);
  }

  void LeaveRowsOut(const Stop& stop, const Outcome& outcome, std::vector<WayOut>& ways) const {
    const auto few = static_cast<std::uint64_t>(kFew * static_cast<double>(e_.leaves.cells.rows()));
    if (stop.rows > few) return;
    if (!e_.grows) {
      const std::uint64_t limit = outcome.suppressed_rows + stop.rows;
      Offer(
          fmt::format("leave {} out: `suppression = {}`", Rows(stop.rows), limit),
          [&](Trial& trial) {
            trial.options.suppression_limit = std::max(trial.options.suppression_limit, limit);
          },
          ways);
      return;
    }
    const std::uint64_t rows = e_.first ? stop.rows : stop.newcomers;
    if (rows < stop.rows) return;  // some of them are out already
    Offer(
        fmt::format("hold {} back until there are more like them",
                    Rows(rows, e_.first ? "row" : "newcomer", e_.first ? "rows" : "newcomers")),
        [&](Trial& trial) { trial.leaves.cells = Without(trial.leaves.cells, stop.cells); }, ways);
  }

  // The leaves keep their ranks.
  static void WithSetsOf(LeafCells& leaves, std::size_t j) {
    leaves.taxonomies[j] =
        std::make_shared<const taxonomy::Taxonomy>(taxonomy::WithSets(*leaves.taxonomies[j]));
  }

  // With nothing but its root a column tells nothing.
  void DoWithout(std::size_t j, std::vector<WayOut>& ways) const {
    Trial trial = Here();
    const taxonomy::Taxonomy& tree = *trial.leaves.taxonomies[j];
    auto root = std::make_shared<const taxonomy::Taxonomy>(
        taxonomy::Truncated(tree, taxonomy::Cut::Root(tree)));
    trial.leaves.cells = AtRoot(trial.leaves.cells, j);
    if (!trial.leaves.hidden.empty()) trial.leaves.hidden[j] = {0};
    if (!trial.leaves.ceilings.empty()) trial.leaves.ceilings[j] = taxonomy::Cut::Root(*root);
    trial.leaves.taxonomies[j] = std::move(root);
    const auto outcome = try_out_(trial);
    if (!outcome) return;
    const double before = MeanWithout(now_, j);
    const double after = MeanWithout(LossByColumn(trial.leaves, *outcome), j);
    if (before - after < kLeastGain) return;
    ways.push_back({fmt::format("do without \"{}\"", Column(j).name), before, after, true});
  }

  static Cells AtRoot(const Cells& cells, std::size_t j) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto key = cells.key(CellId(i));
      cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
        keys.insert(keys.end(), key.begin(), key.end());
        keys[keys.size() - cells.width() + j] = 0;
        if (cells.origins() > 1) keys.push_back(part.origin);
        counts.push_back(part.rows);
      });
    }
    return CollectCells(cells.width(), keys, counts, cells.origins());
  }

  const Explained& e_;
  const TryOut& try_out_;
  std::vector<double> now_;
  double loss_ = 0;
};

}  // namespace

contract::Why WhyHidden(const Explained& explained, const Outcome& outcome, const TryOut& try_out) {
  return Explainer(explained, try_out).Explain(outcome);
}

contract::Why WithoutCeilings(const Explained& explained, const TryOut& try_out) {
  return Explainer(explained, try_out).WithoutCeilings();
}

}  // namespace reissue::models::k::service
