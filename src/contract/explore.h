#pragma once
// Releases that are tried out before one is published, and what is told of them. Plain values. For
// the holder alone: they tell of groups that a release hides.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/settings.h"
#include "reissue/contract/promise.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"

namespace reissue::contract {

// A setting of [guarantee] that a grid may vary.
struct Axis {
  std::string key;
  // What a larger number does to the promise. kNothing: it is about how a release is made.
  enum class Sense { kPromisesMore, kPromisesLess, kNothing } sense = Sense::kNothing;
  bool later = false;             // can still be chosen for later releases of a series
  std::vector<io::Setting> grid;  // by default; empty: as the policy has it
};

// What is to be tried of one setting.
struct Choice {
  std::string key;
  std::vector<io::Setting> values;
};

struct ExploreRequest {
  PublishRequest publish;  // without a file; the vault may be missing
  std::vector<Choice> choices;
  std::vector<std::string> servers = {};  // of the table, as commands name them
  std::optional<double>
      budget;  // seconds of searching a point; else the policy's, a second at most
};

// One publication of the grid, planned and not written.
struct Tried {
  std::optional<Error> problem;  // why there is no such release; nothing else is known then
  double loss = 0;               // mean over the quasi-identifiers; whoever is left out loses all
  std::uint64_t suppressed = 0;  // rows left out or starred
  std::uint64_t smallest = 0;    // rows of the smallest group
  double seconds = 0;            // of the clock
};

struct Explored {
  std::uint32_t release = 1;
  std::uint64_t rows = 0;
  std::vector<Tried> points;
};

struct ExploreTask {
  const PublishTask& publish;
  const std::vector<PromisePtr>& points;
  Progress& progress;  // counts points
};

struct ExploreReport {
  std::string model, policy, table, vault;  // vault: empty where the series has not begun
  std::uint32_t release = 1;
  std::uint64_t rows = 0;
  double budget = 0;
  std::vector<Axis> axes;  // that vary, in the order of the settings of points; without grids
  struct Point {
    std::vector<io::Setting> settings;  // one for each axis
    Tried tried;
    // The number of the point whose release it would better be: it promises as much, is made the
    // same way, leaves out no more rows than are allowed here, and loses less. Its own otherwise.
    std::size_t taken = 0;
    bool frontier = false;           // no other point promises as much and loses less
    bool knee = false;               // of the frontier, farthest below the chord
    std::vector<std::string> lines;  // of [guarantee], as they must be for this release
    std::string command;             // that publishes it then
  };
  std::vector<Point> points;
};

struct ForecastRequest {
  PublishRequest publish;
  std::uint32_t releases = 12;
  std::optional<std::uint64_t> rows;  // newcomers of each release
  std::optional<double> share;        // or their share of the rows before
  std::uint32_t draws = 3;
};

struct ForecastReport {
  std::string model, policy, table, vault;
  std::uint32_t first = 1;  // the number of the first release, which is the table itself
  std::uint32_t draws = 1;
  std::uint64_t seed = 1;
  std::uint64_t newcomers = 0;  // of each release; 0: a share
  double share = 0;
  enum class Rests { kAsked, kHistory, kPolicy, kGuess } rests = Rests::kAsked;  // on whose word
  struct Release {
    std::uint64_t rows = 0, newcomers = 0;
    std::optional<double> loss;
    std::uint64_t aside = 0;  // as the history counts
    double seconds = 0;
  };
  struct Draw {
    std::vector<Release> releases;
    std::optional<Error> refused;  // of the release after them
  };
  std::vector<Draw> results;
};

}  // namespace reissue::contract
