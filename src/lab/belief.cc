#include "reissue/lab/belief.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace reissue::lab {
namespace {

namespace similarity = models::similarity;
using inference::Estimator;
using similarity::Algorithm;
using similarity::Cascade;

constexpr const char* kBkseqName = "Bkseq";
constexpr const char* kAdultName = "Adult";

// J-similarity as in sections 6.3.2 and 6.3.3: k = 3, J = 0.6, beta = 5.
BeliefSetup LikeliSetup(Algorithm algorithm, const char* data = kBkseqName) {
  BeliefSetup setup;
  setup.data = data;
  setup.algorithm = algorithm;
  return setup;
}

// The promise of JS-reduce: t-closeness instead of beta-likeness.
BeliefSetup CloseSetup(Algorithm algorithm, Estimator reader, std::uint32_t steps) {
  BeliefSetup setup;
  setup.data = kBkseqName;
  setup.algorithm = algorithm;
  setup.reader = reader;
  setup.steps = steps;
  setup.beta = 0;
  setup.t = 0.5;
  return setup;
}

BeliefSetup Compromised(BeliefSetup setup, Cascade cascade, double sigma) {
  setup.cascade = cascade;
  setup.sigma = sigma;
  return setup;
}

const char* StepsName(std::uint32_t steps) { return steps == 1 ? "(FDTMM)" : "(SDTMM)"; }

std::string ShortNumber(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Figure 3: one algorithm, two readers.
std::vector<BeliefCurve> EstimatorCurves() {
  std::vector<BeliefCurve> curves;
  for (const std::uint32_t steps : {1u, 2u}) {
    curves.push_back({std::string("JS-reduce") + StepsName(steps),
                      CloseSetup(Algorithm::kJsReduce, Estimator::kSum, steps)});
    curves.push_back({std::string("BayFrame") + StepsName(steps),
                      CloseSetup(Algorithm::kJsReduce, Estimator::kBayes, steps)});
  }
  return curves;
}

// Figure 4: with and without compromised records.
std::vector<BeliefCurve> CompromisedCurves() {
  std::vector<BeliefCurve> curves;
  for (const std::uint64_t k : {3u, 8u}) {
    BeliefSetup setup = LikeliSetup(Algorithm::kBkaa);
    setup.k = k;
    const std::string name = ", k = " + std::to_string(k);
    curves.push_back({"BayFrame" + name, setup});
    curves.push_back({"BayFrame+Compromised" + name, Compromised(setup, Cascade::kPosterior, 0.1)});
  }
  return curves;
}

// Figures 5 to 8: the two ways of cascading.
std::vector<BeliefCurve> CascadeCurves(const char* data) {
  std::vector<BeliefCurve> curves;
  for (const std::uint32_t steps : {1u, 2u}) {
    if (steps == 2 && data == std::string(kAdultName)) continue;  // uniform: the same
    for (const double sigma : {0.1, 0.01}) {
      for (const Cascade cascade : {Cascade::kPrior, Cascade::kPosterior}) {
        BeliefSetup setup = LikeliSetup(Algorithm::kBkaa, data);
        setup.steps = steps;
        const std::string name =
            cascade == Cascade::kPrior ? "BayFrame+Prior" : "BayFrame+Posterior";
        curves.push_back({name + StepsName(steps) + ", sigma = " + ShortNumber(sigma),
                          Compromised(setup, cascade, sigma)});
      }
    }
  }
  return curves;
}

// Figures 9 and 10: whole frameworks.
std::vector<BeliefCurve> FrameworkCurves(bool two_steps) {
  std::vector<BeliefCurve> curves;
  for (const std::uint32_t steps : {1u, 2u}) {
    if (steps == 2 && !two_steps) continue;
    curves.push_back({std::string("JS-reduce") + StepsName(steps),
                      CloseSetup(Algorithm::kJsReduce, Estimator::kSum, steps)});
    curves.push_back({std::string("BayFrame") + StepsName(steps),
                      CloseSetup(Algorithm::kBkaa, Estimator::kBayes, steps)});
    curves.push_back({std::string("reissue") + StepsName(steps),
                      CloseSetup(Algorithm::kReissue, Estimator::kBayes, steps)});
  }
  return curves;
}

// Figure 11: whole frameworks with compromised records.
std::vector<BeliefCurve> CompromisedFrameworkCurves() {
  std::vector<BeliefCurve> curves;
  struct Way {
    const char* name;
    Algorithm algorithm;
    Estimator reader;
    Cascade cascade;
  };
  for (const std::uint32_t steps : {1u, 2u}) {
    for (const Way& way :
         {Way{"JS-reduce+Prior", Algorithm::kJsReduce, Estimator::kSum, Cascade::kPrior},
          Way{"BayFrame+Prior", Algorithm::kBkaa, Estimator::kBayes, Cascade::kPrior},
          Way{"BayFrame+Posterior", Algorithm::kBkaa, Estimator::kBayes, Cascade::kPosterior},
          Way{"reissue+Prior", Algorithm::kReissue, Estimator::kBayes, Cascade::kPrior}}) {
      curves.push_back(
          {std::string(way.name) + StepsName(steps),
           Compromised(CloseSetup(way.algorithm, way.reader, steps), way.cascade, 0.1)});
    }
  }
  return curves;
}

}  // namespace

std::vector<BeliefCurve> CurvesOf(int figure) {
  switch (figure) {
    case 3:
      return EstimatorCurves();
    case 4:
      return CompromisedCurves();
    case 5:
    case 7:
      return CascadeCurves(kBkseqName);
    case 6:
    case 8:
      return CascadeCurves(kAdultName);
    case 9:
      return FrameworkCurves(/*two_steps=*/true);
    case 10:
      return FrameworkCurves(/*two_steps=*/false);
    case 11:
      return CompromisedFrameworkCurves();
    default:
      return {};
  }
}

std::string TitleOf(int figure) {
  switch (figure) {
    case 3:
      return "Figure 3: two readers of JS-reduce's groups (Bkseq, t = 0.5)";
    case 4:
      return "Figure 4: compromised records, k = 3 and 8 (Bkseq, sigma = 0.1)";
    case 5:
      return "Figure 5: cascading, gain of knowledge (Bkseq)";
    case 6:
      return "Figure 6: cascading, gain of knowledge (Adult)";
    case 7:
      return "Figure 7: cascading, R-U map (Bkseq)";
    case 8:
      return "Figure 8: cascading, R-U map (Adult)";
    case 9:
      return "Figure 9: whole frameworks (Bkseq, t = 0.5)";
    case 10:
      return "Figure 10: suppressed rows (Bkseq, t = 0.5)";
    case 11:
      return "Figure 11: whole frameworks with compromised records (Bkseq, sigma = 0.1)";
    default:
      return {};
  }
}

std::vector<BeliefSweep> SweepsOf(const BeliefOptions& options) {
  std::vector<BeliefSweep> sweeps;
  const auto sweep = [&](const char* parameter, const std::vector<double>& values,
                         const std::function<void(BeliefSetup&, double)>& set) {
    for (const char* data : {kBkseqName, kAdultName}) {
      BeliefSweep& entry = sweeps.emplace_back();
      entry.parameter = parameter;
      entry.data = data;
      for (const Algorithm algorithm : {Algorithm::kBkaa, Algorithm::kReissue}) {
        for (const double value : values) {
          BeliefSetup setup = LikeliSetup(algorithm, data);
          set(setup, value);
          entry.points.emplace_back(value, setup);
        }
      }
    }
  };
  sweep("k", {options.ks.begin(), options.ks.end()},
        [](BeliefSetup& setup, double k) { setup.k = static_cast<std::uint64_t>(k); });
  sweep("J", options.js, [](BeliefSetup& setup, double j) { setup.j = j; });
  sweep("beta", options.betas, [](BeliefSetup& setup, double beta) { setup.beta = beta; });
  sweep("sigma", options.sigmas, [](BeliefSetup& setup, double sigma) { setup.sigma = sigma; });
  sweep("CR", options.confidences, [](BeliefSetup& setup, double confidence) {
    setup.sigma = 0.1;
    setup.confidence = confidence;
  });
  return sweeps;
}

Result<BeliefReport> RunBeliefs(const BeliefOptions& options, binding::Context& context) {
  BeliefReport report;
  report.options = options;
  std::vector<BeliefSetup> setups;
  const auto want = [&](const BeliefSetup& setup) {
    if (std::find(setups.begin(), setups.end(), setup) == setups.end()) setups.push_back(setup);
  };
  for (int figure = kFirstBeliefFigure; figure <= kLastBeliefFigure; ++figure) {
    for (const BeliefCurve& curve : CurvesOf(figure)) want(curve.setup);
  }
  for (const BeliefSweep& sweep : SweepsOf(options)) {
    for (const auto& [value, setup] : sweep.points) want(setup);
  }
  const BeliefStream streams[] = {BkseqStream(options.rows, options.releases, options.seed),
                                  AdultStream(options.rows, options.releases, options.seed)};
  context.progress.Begin("publishing and attacking", setups.size());
  // Each run has one thread to itself.
  std::vector<std::optional<Result<BeliefRun>>> runs(setups.size());
  context.pool.Run(setups.size(), [&](std::size_t i) {
    const BeliefStream& stream = setups[i].data == kBkseqName ? streams[0] : streams[1];
    runs[i] = RunBelief(stream, setups[i], options.limits);
    context.progress.Advance(1);
  });
  for (auto& run : runs) {
    if (!*run) return run->error();
    report.runs.push_back(std::move(*run).value());
  }
  report.claims = CheckClaims(report);
  return report;
}

const BeliefRun* FindBelief(const BeliefReport& report, const BeliefSetup& setup) {
  for (const BeliefRun& run : report.runs) {
    if (run.setup == setup) return &run;
  }
  return nullptr;
}

BeliefMeans MeansOf(const BeliefRun& run) {
  BeliefMeans means;
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, run.releases.size()));
  for (const BeliefRelease& release : run.releases) {
    means.gain += release.reader.gain * share;
    means.gain_others += release.reader.gain_others * share;
    means.exact_gain += release.exact.gain * share;
    means.exact_gain_others += release.exact.gain_others * share;
    means.exact_sure += release.exact.sure * share;
    means.penalty += release.penalty * share;
    means.linkage += release.linkage * share;
    means.suppressed += static_cast<double>(release.suppressed) * share;
  }
  return means;
}

std::string NameOf(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kReissue:
      return "reissue";
    case Algorithm::kBkaa:
      return "bkaa";
    case Algorithm::kJsReduce:
      return "js-reduce";
  }
  return {};
}

}  // namespace reissue::lab
