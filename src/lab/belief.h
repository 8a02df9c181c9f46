#pragma once
// The experiments on background knowledge: section 6 of Amiri, Yazdani, Shakery and Ho
// (Transactions on Data Privacy 12, 2019), Figures 3 to 11, and the same releases read by the exact
// adversary.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/lab/belief_stream.h"
#include "reissue/lab/chart.h"

namespace reissue::lab {

struct BeliefOptions {
  std::uint64_t rows = 4000, releases = 24;
  // Each is varied while the others stay as in the paper (k = 3, J = 0.6, beta = 5).
  std::vector<std::uint64_t> ks = {2, 3, 4, 5, 6, 7, 8};
  std::vector<double> js = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  std::vector<double> betas = {3, 5, 7, 10};
  std::vector<double> sigmas = {0.01, 0.03, 0.05, 0.1};
  std::vector<double> confidences = {0.5, 0.6, 0.7, 0.8, 0.9};
  BeliefLimits limits;
  std::uint64_t seed = 1;
};

// A sentence of the paper beside what was measured here.
struct BeliefClaim {
  std::string figure;
  std::string paper, ours;  // in words
  bool agrees = false;
  std::string why;  // where it does not
};

struct BeliefReport {
  BeliefOptions options;
  std::vector<BeliefRun> runs;  // every setup once
  std::vector<BeliefClaim> claims;
};

Result<BeliefReport> RunBeliefs(const BeliefOptions& options, binding::Context& context);

// The run of a setup; null where there is none.
const BeliefRun* FindBelief(const BeliefReport& report, const BeliefSetup& setup);

// One line of a figure: a name and the run.
struct BeliefCurve {
  std::string name;
  BeliefSetup setup;
};
// The curves of a figure (3, 4, …, 11), as the paper names them, and ours.
std::vector<BeliefCurve> CurvesOf(int figure);
inline constexpr int kFirstBeliefFigure = 3, kLastBeliefFigure = 11;
// What a figure is about.
std::string TitleOf(int figure);

// One parameter varied: its name, and per value the paper's algorithm and ours.
struct BeliefSweep {
  std::string parameter;
  std::string data;
  std::vector<std::pair<double, BeliefSetup>> points;
};
std::vector<BeliefSweep> SweepsOf(const BeliefOptions& options);

// Means over all releases of a run (of the last half where `late`).
struct BeliefMeans {
  double gain = 0, gain_others = 0, exact_gain = 0, exact_gain_others = 0, exact_sure = 0;
  double penalty = 0, linkage = 0, suppressed = 0;
};
BeliefMeans MeansOf(const BeliefRun& run);

// What the paper says in its text, beside the runs.
std::vector<BeliefClaim> CheckClaims(const BeliefReport& report);

// Panels of a figure: as its own reader sees it, and the same under the exact adversary.
std::vector<Panel> FigureOf(const BeliefReport& report, int figure);
std::vector<Panel> FigureSweeps(const BeliefReport& report);
// One line per run and release.
std::string BeliefCsv(const BeliefReport& report);
// "bkaa", "js-reduce", "reissue".
std::string NameOf(models::similarity::Algorithm algorithm);

}  // namespace reissue::lab
