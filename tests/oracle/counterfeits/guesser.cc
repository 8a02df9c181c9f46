#include "guesser.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "signals.h"

namespace oracle::counterfeits {
namespace {

constexpr std::size_t kBins = 16;
constexpr int kTrees = 80;
constexpr int kDepth = 3;
constexpr double kStep = 0.1, kCaution = 5;

std::size_t BinOf(const std::vector<double>& ends, double number) {
  return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), number) -
                                  ends.begin());
}

// All examples together while she learns.
struct Lesson {
  std::vector<std::vector<std::uint8_t>> bin;  // per signal and row
  std::vector<bool> counterfeit;
  std::vector<double> score;         // so far, per row
  std::vector<double> slope, curve;  // of the likelihood, per row
};

struct Cut {
  std::size_t signal = 0, last = kBins;  // everything is on the left
  double gain = 0;
};

double Worth(double slope, double curve) { return slope * slope / (curve + kCaution); }

Cut BestCut(const Lesson& lesson, const std::vector<std::uint32_t>& rows) {
  Cut best;
  for (std::size_t s = 0; s < lesson.bin.size(); ++s) {
    std::vector<double> slope(kBins), curve(kBins);
    for (const std::uint32_t row : rows) {
      slope[lesson.bin[s][row]] += lesson.slope[row];
      curve[lesson.bin[s][row]] += lesson.curve[row];
    }
    const double all_slope = std::accumulate(slope.begin(), slope.end(), 0.0);
    const double all_curve = std::accumulate(curve.begin(), curve.end(), 0.0);
    double left_slope = 0, left_curve = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
      left_slope += slope[b];
      left_curve += curve[b];
      if (left_curve < kCaution || all_curve - left_curve < kCaution) continue;
      const double gain = Worth(left_slope, left_curve) +
                          Worth(all_slope - left_slope, all_curve - left_curve) -
                          Worth(all_slope, all_curve);
      if (gain > best.gain) best = {s, b, gain};
    }
  }
  return best;
}

// Where she starts: the share of counterfeits among the peers, which is a matter of lifetimes.
void Start(const Examined& example, Lesson& lesson) {
  std::map<int, std::pair<double, double>> counts;
  for (std::size_t i = 0; i < example.peers.size(); ++i) {
    auto& [counterfeits, rows] = counts[example.peers[i]];
    counterfeits += example.counterfeit[i];
    rows += 1;
  }
  for (const int peers : example.peers) {
    const auto& [counterfeits, rows] = counts[peers];
    lesson.score.push_back(std::log((counterfeits + 0.02) / (rows - counterfeits + 0.02)));
  }
  lesson.counterfeit.insert(lesson.counterfeit.end(), example.counterfeit.begin(),
                            example.counterfeit.end());
}

}  // namespace

Examined Examine(const Series& series, const Truth& truth, By by) {
  const std::vector<Track> tracks = Follow(series);
  const auto since = FirstSeen(series, tracks);
  Signals looks, lifetimes;
  if (by != By::kLifetimes) looks = Looks(series, tracks);
  if (by != By::kLooks) lifetimes = Lifetimes(series, tracks);
  Examined examined;
  examined.names = looks.names;
  examined.names.insert(examined.names.end(), lifetimes.names.begin(), lifetimes.names.end());
  std::map<std::vector<std::string>, int> peers;
  for (std::size_t t = 0; t < series.releases.size(); ++t) {
    for (std::size_t row = 0; row < truth[t].size(); ++row) {
      std::vector<double> signals;
      if (by != By::kLifetimes) signals = looks.of_row[t][row];
      if (by != By::kLooks) {
        const auto& more = lifetimes.of_row[t][row];
        signals.insert(signals.end(), more.begin(), more.end());
      }
      examined.signals.push_back(std::move(signals));
      std::vector<std::string> who = {std::to_string(t)};
      if (by == By::kLooks) {
        who.push_back(std::to_string(since[t][row]));
        who.push_back(series.releases[t].BucketOf(row));
      }
      examined.peers.push_back(peers.emplace(who, static_cast<int>(peers.size())).first->second);
      examined.counterfeit.push_back(truth[t][row]);
    }
  }
  return examined;
}

Guesser Guesser::Learn(const std::vector<Examined>& examples) {
  Guesser guesser;
  Lesson lesson;
  for (const Examined& example : examples) Start(example, lesson);
  for (std::size_t s = 0; s < examples[0].names.size(); ++s) {
    std::vector<double> sorted;
    for (const Examined& example : examples) {
      for (const auto& signals : example.signals) sorted.push_back(signals[s]);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> ends;
    for (std::size_t b = 1; b < kBins; ++b) ends.push_back(sorted[sorted.size() * b / kBins]);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    lesson.bin.emplace_back();
    for (const Examined& example : examples) {
      for (const auto& signals : example.signals) {
        lesson.bin[s].push_back(static_cast<std::uint8_t>(BinOf(ends, signals[s])));
      }
    }
    guesser.ends_.push_back(std::move(ends));
  }
  const std::size_t rows = lesson.score.size();
  for (int tree_number = 0; tree_number < kTrees; ++tree_number) {
    lesson.slope.resize(rows);
    lesson.curve.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double belief = 1 / (1 + std::exp(-lesson.score[i]));
      lesson.slope[i] = static_cast<double>(lesson.counterfeit[i]) - belief;
      lesson.curve[i] = belief * (1 - belief);
    }
    Tree tree;
    std::vector<std::vector<std::uint32_t>> leaves(1, std::vector<std::uint32_t>(rows));
    std::iota(leaves[0].begin(), leaves[0].end(), 0);
    for (int depth = 0; depth < kDepth; ++depth) {
      std::vector<std::vector<std::uint32_t>> sides;
      for (const auto& leaf : leaves) {
        const Cut cut = BestCut(lesson, leaf);
        tree.cuts.emplace_back(cut.signal, cut.last);
        std::vector<std::uint32_t> left, right;
        for (const std::uint32_t row : leaf) {
          (lesson.bin[cut.signal][row] <= cut.last ? left : right).push_back(row);
        }
        sides.push_back(std::move(left));
        sides.push_back(std::move(right));
      }
      leaves = std::move(sides);
    }
    for (const auto& leaf : leaves) {
      double slope = 0, curve = 0;
      for (const std::uint32_t row : leaf) slope += lesson.slope[row], curve += lesson.curve[row];
      tree.steps.push_back(kStep * slope / (curve + kCaution));
      for (const std::uint32_t row : leaf) lesson.score[row] += tree.steps.back();
    }
    guesser.trees_.push_back(std::move(tree));
  }
  return guesser;
}

double Guesser::Score(const std::vector<double>& signals) const {
  double score = 0;
  for (const Tree& tree : trees_) {
    std::size_t node = 0;
    for (int depth = 0; depth < kDepth; ++depth) {
      const auto& [signal, last] = tree.cuts[node];
      node = 2 * node + (BinOf(ends_[signal], signals[signal]) <= last ? 1 : 2);
    }
    score += tree.steps[node - tree.cuts.size()];
  }
  return score;
}

Rates Evaluate(const Guesser& guesser, const std::vector<Examined>& fresh) {
  Rates rates;
  for (const Examined& series : fresh) {
    std::map<int, std::vector<std::pair<double, bool>>> sets;
    for (std::size_t i = 0; i < series.signals.size(); ++i) {
      sets[series.peers[i]].emplace_back(guesser.Score(series.signals[i]), series.counterfeit[i]);
    }
    for (auto& [peers, scored] : sets) {
      const auto found = static_cast<std::size_t>(
          std::count_if(scored.begin(), scored.end(), [](const auto& one) { return one.second; }));
      if (found == 0 || found == scored.size()) continue;
      std::stable_sort(scored.begin(), scored.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      for (std::size_t i = 0; i < found; ++i) rates.precision += scored[i].second;
      const auto guesses = static_cast<double>(found);
      rates.chance += guesses * guesses / static_cast<double>(scored.size());
      rates.counterfeits += guesses;
    }
  }
  rates.chance /= rates.counterfeits;
  rates.precision /= rates.counterfeits;
  return rates;
}

}  // namespace oracle::counterfeits
