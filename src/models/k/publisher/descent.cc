#include "reissue/models/k/publisher/descent.h"

#include <algorithm>
#include <type_traits>

namespace reissue::models::k::internal {
namespace {

// On a partition, or on a trail.
template <typename Course>
class Steps {
 public:
  Steps(Course& partition, const DescentOptions& options)
      : partition_(partition),
        problem_(partition.problem()),
        options_(options),
        lasting_(ScoresLast()) {}

  void Run() {
    if (lasting_) {
      for (const Spot place : partition_.open()) Rank(place);
    }
    while (const std::optional<Spot> place = lasting_ ? First() : Best()) {
      if (problem_.reference_moves()) {
        Try(*place);
      } else if (Watched(*place)) {
        if (partition_.lost(*place) > 0) Note();
        partition_.Specialise(*place);
        if (lasting_) {
          for (const Spot child : problem_.children(*place)) Rank(child);
        }
        if (options_.steps != nullptr) options_.steps->push_back(*place);
      } else {
        partition_.Close(*place);
      }
    }
    Note();
  }

 private:
  struct Ranked {
    double score;
    Spot place;
  };
  auto Behind() const {
    return [this](const Ranked& a, const Ranked& b) {
      return a.score != b.score ? a.score < b.score : Leads(b.place, a.place);
    };
  }

  double Score(Spot place) const {
    if constexpr (std::is_same_v<Course, Partition>) {
      if (options_.ranking == Ranking::kPaper) {
        return problem_.score() == Score::kDiscernibility ? partition_.SquaresAt(place)
                                                          : problem_.paper_score(place);
      }
    }
    return partition_.Gain(place);
  }

  // Where the score of a place never changes, and a place that is not allowed never will be: places
  // are ranked once, and a step need not look at all of them.
  bool ScoresLast() const {
    return options_.noise == 0 && problem_.score() != Score::kDiscernibility &&
           problem_.suppression_limit() == 0;
  }

  void Rank(Spot place) {
    if (!options_.avoid.empty() && options_.avoid[place] != 0) return;
    if (!partition_.Allowed(place)) return;
    ranked_.push_back({Score(place), place});
    std::push_heap(ranked_.begin(), ranked_.end(), Behind());
  }

  std::optional<Spot> First() {
    while (!ranked_.empty() && !partition_.Allowed(ranked_.front().place)) {
      std::pop_heap(ranked_.begin(), ranked_.end(), Behind());
      ranked_.pop_back();
    }
    if (ranked_.empty()) return std::nullopt;
    return ranked_.front().place;
  }

  std::optional<Spot> Best() {
    std::optional<Spot> best;
    double best_score = 0, best_gain = 0;
    for (const Spot place : partition_.open()) {
      if (!options_.avoid.empty() && options_.avoid[place] != 0) continue;
      if (!partition_.Allowed(place) || Refused(place)) continue;
      const double gain = Score(place);
      double score = gain;
      if (options_.noise > 0) score *= 1 + options_.noise * (2 * options_.random->Unit() - 1);
      if (best && (score < best_score || (score == best_score && !Leads(place, *best)))) continue;
      best = place;
      best_score = score;
      best_gain = gain;
    }
    const bool raises = problem_.suppression_limit() > 0 && best_gain < 0;
    return raises ? std::nullopt : best;
  }

  // Among equal scores the paper's ranking takes the last place: that order reproduces its costs.
  bool Leads(Spot a, Spot b) const { return options_.ranking == Ranking::kPaper ? a > b : a < b; }

  bool Watched(Spot place) const {
    if constexpr (std::is_same_v<Course, Partition>) {
      return options_.check == nullptr || options_.check->Ask(partition_, place) == Answer::kKeeps;
    }
    return true;
  }

  void Note() {
    if (options_.seen == nullptr || !partition_.valid()) return;
    const double cost = partition_.Cost();
    if (!options_.seen->Wants(partition_.suppressed_rows(), cost)) return;
    options_.seen->Offer({partition_.recoding(), cost, partition_.suppressed_rows()});
  }

  bool Refused(Spot place) const {
    return std::find(refused_.begin(), refused_.end(), place) != refused_.end();
  }

  // Where what t and β are measured against moves with the suppressed rows, only doing it tells.
  void Try(Spot place) {
    Recoding before = partition_.recoding(), after = before;
    after[place] = 1;
    Note();
    partition_.Reset(std::move(after));
    if (partition_.valid()) {
      refused_.clear();
      return;
    }
    refused_.push_back(place);
    partition_.Reset(std::move(before));
  }

  Course& partition_;
  const Problem& problem_;
  const DescentOptions& options_;
  bool lasting_;
  std::vector<Ranked> ranked_;  // a heap, the best in front
  std::vector<Spot> refused_;   // since the last step that was taken
};

}  // namespace

void Descend(Partition& partition, const DescentOptions& options) {
  Steps(partition, options).Run();
}

void Descend(Trail& trail, const DescentOptions& options) {
  REISSUE_CHECK(options.check == nullptr && options.ranking == Ranking::kGain);
  Steps(trail, options).Run();
}

}  // namespace reissue::models::k::internal
