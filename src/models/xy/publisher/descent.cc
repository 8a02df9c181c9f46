#include "reissue/models/xy/publisher/descent.h"

#include <algorithm>

#include "reissue/core/random.h"

namespace reissue::models::xy::internal {
namespace {

// Nodes without rows go to the leaves: it costs nothing.
taxonomy::Cut CutOf(const taxonomy::Taxonomy& tree, const Places& places,
                    const std::vector<Spot>& spots) {
  std::vector<NodeId> nodes;
  for (const Spot place : spots) {
    if (places.rows(place) > 0) {
      nodes.push_back(places.node(place));
      continue;
    }
    for (std::uint32_t rank = places.begin(place); rank < places.end(place); ++rank) {
      nodes.push_back(tree.leaf(rank));
    }
  }
  auto cut = taxonomy::Cut::FromNodes(tree, nodes);
  REISSUE_CHECK(cut.has_value());
  return *std::move(cut);
}

class Descent {
 public:
  Descent(const Start& start, const Order& order)
      : start_(start),
        order_(order),
        random_(Random::Seeded(order.seed.value_or(0))),
        places_(start.places),
        keepers_(start.keepers),
        squares_(start.squares),
        cuts_(RootCuts(start.places)) {
    before_.resize(start.requirements.size());
    after_.resize(start.requirements.size());
  }

  Descended Run(Progress& progress) {
    for (const Spot place : start_.steps) Specialise(place);
    steps_ = start_.steps.size();
    while (const std::optional<Spot> place = Best()) {
      Specialise(*place);
      ++steps_;
      progress.Advance(1);
    }
    Descended result;
    result.outcome = Current();
    result.outcome.steps = steps_;
    result.outcome.reexamined = reexamined_;
    result.cost = squares_ ? squares_->cost() : 0;
    for (const auto& cut : cuts_) {
      for (const Spot place : cut) result.cost += places_.cost(place);
    }
    return result;
  }

 private:
  std::optional<Spot> Best() {
    std::ranges::fill(before_, Measure());
    for (const DemandKeeper& keeper : keepers_)
      before_[keeper.demand().requirement].Worsen(keeper.now());
    for (const std::size_t r : start_.asked) {
      before_[r] = Ask(start_.view, start_.requirements[r], Current());
    }
    refused_.resize(places_.size(), 0);
    std::optional<Spot> best;
    double best_score = 0;
    bool best_first = false;
    for (const auto& cut : cuts_) {
      for (const Spot place : cut) {
        if (!places_.open(place) || !Allowed(place)) continue;
        const double score = Score(place) * (order_.seed ? 2 * random_.Unit() : 1);
        const bool first = places_.column(place) == order_.first;
        if (best && (first == best_first ? score <= best_score : best_first)) continue;
        best = place;
        best_score = score;
        best_first = first;
      }
    }
    return best;
  }

  // Fills after_; closes a place that is refused for good.
  bool Allowed(Spot place) {
    std::ranges::fill(after_, Measure());
    bool broken = false;
    for (const DemandKeeper& keeper : keepers_) {
      const bool sees = keeper.Sees(places_.column(place));
      const Measure after = sees ? keeper.After(place, places_) : keeper.now();
      after_[keeper.demand().requirement].Worsen(after);
      broken = broken || after.broken;
      if (!after.broken || !keeper.final()) continue;
      places_.Close(place);
      return false;
    }
    for (std::size_t i = 0; !broken && i < start_.asked.size(); ++i) {
      const std::size_t r = start_.asked[i];
      after_[r] = Ask(start_.view, start_.requirements[r], With(place));
      broken = after_[r].broken;
    }
    if (!broken && refused_[place] != 0) ++reexamined_;
    refused_[place] = broken;
    return !broken;
  }

  // One requirement: as the paper says, the fall of A or the rise of L. Several: the largest
  // relative one, as numbers of people and shares do not compare.
  double Loss() const {
    double largest = 0;
    for (std::size_t r = 0; r < before_.size(); ++r) {
      if (!before_[r].any || !after_[r].any) continue;
      const bool anonymity = start_.requirements[r].kind == Requirement::Kind::kAnonymity;
      const double from = anonymity ? static_cast<double>(before_[r].distinct) : after_[r].share;
      const double to = anonymity ? static_cast<double>(after_[r].distinct) : before_[r].share;
      if (from <= to) continue;
      largest = std::max(largest, before_.size() == 1 ? from - to : (from - to) / from);
    }
    return largest;
  }

  double Score(Spot place) const {
    const double gain = squares_ ? squares_->gain(place) : places_.gain(place);
    if (order_.ranking == Ranking::kPaper) return gain / (Loss() + 1);
    if (order_.ranking == Ranking::kGain || start_.gain != Gain::kClass) return gain;
    return gain * static_cast<double>(places_.rows(place));
  }

  void Specialise(Spot place) {
    for (std::uint32_t i = 0; i < places_.fan_out(place); ++i)
      places_.Open(places_.child(place, i));
    if (squares_) squares_->Specialise(place, places_);
    for (DemandKeeper& keeper : keepers_) keeper.Specialise(place, places_);
    Replace(place, places_, cuts_);
  }

  Outcome Current() const { return OutcomeOf(start_.view.source, places_, cuts_); }

  Outcome With(Spot place) const {
    auto cuts = cuts_;
    Replace(place, places_, cuts);
    return OutcomeOf(start_.view.source, places_, cuts);
  }

  const Start& start_;
  Order order_;
  Random random_;
  Places places_;
  std::vector<DemandKeeper> keepers_;
  std::optional<Squares> squares_;
  std::vector<std::vector<Spot>> cuts_;  // per generalised column, by rank
  std::vector<Measure> before_, after_;  // per requirement
  std::vector<std::uint8_t> refused_;    // per place
  std::uint64_t steps_ = 0, reexamined_ = 0;
};

}  // namespace

std::vector<std::vector<Spot>> RootCuts(const Places& places) {
  std::vector<std::vector<Spot>> cuts;
  for (const std::uint32_t column : places.columns()) cuts.push_back({places.root(column)});
  return cuts;
}

void Replace(Spot place, const Places& places, std::vector<std::vector<Spot>>& cuts) {
  const auto columns = places.columns();
  const auto at = std::ranges::find(columns, places.column(place)) - columns.begin();
  auto& cut = cuts[static_cast<std::size_t>(at)];
  auto position = cut.erase(std::ranges::find(cut, place));
  for (std::uint32_t i = places.fan_out(place); i > 0; --i) {
    position = cut.insert(position, places.child(place, i - 1));
  }
}

Outcome OutcomeOf(const Source& source, const Places& places,
                  const std::vector<std::vector<Spot>>& cuts) {
  Outcome outcome;
  outcome.cuts.resize(source.columns.size());
  outcome.intervals.resize(source.columns.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::uint32_t column = places.columns()[i];
    if (source.columns[column].tree != nullptr) {
      outcome.cuts[column] = CutOf(*source.columns[column].tree, places, cuts[i]);
    } else {
      for (const Spot place : cuts[i]) outcome.intervals[column].push_back(places.begin(place));
    }
  }
  return outcome;
}

Measure Ask(const View& view, const Requirement& requirement, const Outcome& outcome) {
  Linked linked;
  linked.tables.push_back(Published(view.source, outcome));
  linked.tables.insert(linked.tables.end(), view.prior.begin(), view.prior.end());
  linked.joins = view.joins;
  linked.inconsistent = view.inconsistent;
  const Report report = Attack(linked, std::span(&requirement, 1), 1);
  const RequirementReport& about = report.requirements.front();
  Measure measure;
  measure.any = about.anonymity.has_value() || about.linkability.has_value();
  measure.broken = !about.satisfied;
  if (about.anonymity) measure.distinct = *about.anonymity;
  if (about.linkability) measure.share = *about.linkability;
  return measure;
}

Descended Descend(const Start& start, const Order& order, Progress& progress) {
  return Descent(start, order).Run(progress);
}

}  // namespace reissue::models::xy::internal
