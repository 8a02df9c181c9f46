#include "reissue/models/xy/publisher/start.h"

#include <algorithm>
#include <limits>

namespace reissue::models::xy::internal {
namespace {

// Combinations of all tables that the walk may look at, over all steps that it tries.
constexpr std::uint64_t kWalk = 5'000'000;

std::uint64_t CombinationsOf(const View& view) {
  std::uint64_t cells = view.source.cells.size();
  for (const LinkedTable& table : view.prior) cells += table.cells.size();
  return std::max<std::uint64_t>(cells, 1);
}

// How far from what is promised: 0 where it is kept.
double Distance(const Measure& measure, const Requirement& requirement) {
  if (!measure.broken) return 0;
  if (requirement.kind == Requirement::Kind::kLinkability) return 1 + measure.share;
  return 2 - static_cast<double>(measure.distinct) / static_cast<double>(requirement.k);
}

// T1 on the way down.
struct Stage {
  Places places;
  std::vector<DemandKeeper> keepers;
  std::vector<std::vector<Spot>> cuts;  // per generalised column, by rank
  std::vector<Spot> steps;

  void Specialise(Spot place) {
    for (std::uint32_t i = 0; i < places.fan_out(place); ++i) places.Open(places.child(place, i));
    for (DemandKeeper& keeper : keepers) keeper.Specialise(place, places);
    Replace(place, places, cuts);
    steps.push_back(place);
  }
  bool StaysBroken() const {
    return std::ranges::any_of(
        keepers, [](const DemandKeeper& keeper) { return keeper.final() && keeper.now().broken; });
  }
};

class Walk {
 public:
  Walk(const Start& start, Progress& progress)
      : start_(start), progress_(progress), combinations_(CombinationsOf(start.view)) {}

  Way Run() {
    progress_.Begin("looking for a release", 0);
    Stage root{start_.places, start_.keepers, RootCuts(start_.places), {}};
    Visit(std::move(root));
    return {std::move(found_), !found_ && !Over()};
  }

 private:
  bool Over() const { return found_ || looked_at_ >= kWalk; }

  // All recodings at or below the stage that leave its closed places as they are.
  void Visit(Stage stage) {
    if (DistanceOf(stage) == 0) {
      found_ = std::move(stage.steps);
      return;
    }
    while (!Over() && !stage.StaysBroken()) {
      const std::optional<Spot> place = Next(stage);
      if (!place) return;
      Stage deeper = stage;
      deeper.Specialise(*place);
      progress_.Advance(1);
      Visit(std::move(deeper));
      stage.places.Close(*place);
    }
  }

  double DistanceOf(const Stage& stage) {
    double distance = 0;
    for (const DemandKeeper& keeper : stage.keepers) {
      distance += Distance(keeper.now(), RequirementOf(keeper));
    }
    return distance + Asked(stage.places, stage.cuts);
  }

  double After(const Stage& stage, Spot place) {
    double distance = 0;
    for (const DemandKeeper& keeper : stage.keepers) {
      const bool sees = keeper.Sees(stage.places.column(place));
      const Measure after = sees ? keeper.After(place, stage.places) : keeper.now();
      if (after.broken && keeper.final()) return std::numeric_limits<double>::infinity();
      distance += Distance(after, RequirementOf(keeper));
    }
    auto cuts = stage.cuts;
    Replace(place, stage.places, cuts);
    return distance + Asked(stage.places, cuts);
  }

  // What only the adversary can tell.
  double Asked(const Places& places, const std::vector<std::vector<Spot>>& cuts) {
    looked_at_ += combinations_;
    if (start_.asked.empty()) return 0;
    double distance = 0;
    const Outcome outcome = OutcomeOf(start_.view.source, places, cuts);
    for (const std::size_t r : start_.asked) {
      looked_at_ += combinations_;
      distance +=
          Distance(Ask(start_.view, start_.requirements[r], outcome), start_.requirements[r]);
    }
    return distance;
  }

  // The open place whose specialisation leaves least to mend, the first of equals.
  std::optional<Spot> Next(Stage& stage) {
    std::optional<Spot> next;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& cut : stage.cuts) {
      for (const Spot place : cut) {
        if (!stage.places.open(place) || Over()) continue;
        const double after = After(stage, place);
        if (after >= least) continue;
        next = place;
        least = after;
      }
    }
    return next;
  }

  const Requirement& RequirementOf(const DemandKeeper& keeper) const {
    return start_.requirements[keeper.demand().requirement];
  }

  const Start& start_;
  Progress& progress_;
  std::uint64_t combinations_, looked_at_ = 0;
  std::optional<std::vector<Spot>> found_;
};

// With T1 as the holder has it every row of every table has a partner, and labels match class by
// class. Then they do in every release.
bool AllMatchByClasses(const View& view) {
  Linked linked;
  linked.tables.push_back(Published(view.source, {}));
  linked.tables.insert(linked.tables.end(), view.prior.begin(), view.prior.end());
  linked.joins = view.joins;
  linked.inconsistent = view.inconsistent;
  const Report report = Attack(linked, {}, 0);
  return report.by_classes &&
         std::ranges::all_of(report.dangling, [](std::uint64_t rows) { return rows == 0; });
}

// What is broken at the root stays broken: `final`, or as the README proves for Y in an earlier
// table.
bool StaysBroken(const Start& start, const DemandKeeper& keeper) {
  if (keeper.final()) return true;
  const View& view = start.view;
  std::size_t tables_of_y = 0;
  for (std::size_t table = 0; table <= view.prior.size(); ++table) {
    tables_of_y += keeper.demand().HasYOf(table);
  }
  return keeper.plain() && tables_of_y == 1 && view.prior.size() == 1 &&
         view.inconsistent.empty() && AllMatchByClasses(view);
}

}  // namespace

std::optional<BrokenRequirement> BrokenAtTheRoot(const Start& start) {
  std::optional<BrokenRequirement> first;
  for (const DemandKeeper& keeper : start.keepers) {
    if (!keeper.now().broken) continue;
    const std::size_t requirement = keeper.demand().requirement;
    if (StaysBroken(start, keeper)) return BrokenRequirement{requirement, keeper.now(), true};
    if (!first || requirement < first->requirement) first = {requirement, keeper.now(), false};
  }
  const Outcome root = OutcomeOf(start.view.source, start.places, RootCuts(start.places));
  for (const std::size_t r : start.asked) {
    const Measure measure = Ask(start.view, start.requirements[r], root);
    if (measure.broken && (!first || r < first->requirement)) first = {r, measure, false};
  }
  return first;
}

Way FindWay(const Start& start, Progress& progress) { return Walk(start, progress).Run(); }

}  // namespace reissue::models::xy::internal
