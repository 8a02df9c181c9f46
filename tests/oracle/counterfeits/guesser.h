#pragma once
// A reader who looks for counterfeits. She knows the program and not its random numbers, so she
// makes series of her own, in which she knows the truth, and learns from them what gives
// counterfeits away: many small trees, each grown to mend what the ones before got wrong.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "published.h"

namespace oracle::counterfeits {

// What she goes by. Lifetimes are the same for all rows that came to a group together and are still
// there; looks are what is left to tell those apart.
enum class By { kLooks, kLifetimes, kBoth };

// The rows of a series with their signals.
struct Examined {
  std::vector<std::string> names;
  std::vector<std::vector<double>> signals;  // per row
  std::vector<int> peers;  // per row: those that came to the same group together have the same
  std::vector<bool> counterfeit;  // per row; she trains with it, and is judged by it
};
Examined Examine(const Series& series, const Truth& truth, By by);

class Guesser {
 public:
  static Guesser Learn(const std::vector<Examined>& examples);
  // The larger, the likelier a counterfeit, among peers.
  double Score(const std::vector<double>& signals) const;

 private:
  struct Tree {
    std::vector<std::pair<std::size_t, std::size_t>> cuts;  // signal, last bin of the left side
    std::vector<double> steps;                              // per leaf
  };
  std::vector<std::vector<double>> ends_;  // of the bins, per signal
  std::vector<Tree> trees_;
};

struct Rates {
  double chance = 0;        // share of counterfeits among peers, per counterfeit
  double precision = 0;     // among as many guesses as there are counterfeits, per set of peers
  double counterfeits = 0;  // that were guessed
};
// Peers who are all people, or all counterfeits, are left out.
Rates Evaluate(const Guesser& guesser, const std::vector<Examined>& fresh);

}  // namespace oracle::counterfeits
