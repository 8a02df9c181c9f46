#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "reissue/lab/belief.h"

namespace reissue::lab {
namespace {

using BeliefMeasure = std::function<double(const BeliefRelease&)>;

double GainOf(const BeliefRelease& release) { return release.reader.gain; }
double GainOfOthers(const BeliefRelease& release) { return release.reader.gain_others; }
double ExactGainOf(const BeliefRelease& release) { return release.exact.gain; }
double ExactGainOfOthers(const BeliefRelease& release) { return release.exact.gain_others; }

constexpr const char* kGainLabel = "gain of knowledge";

// Something over the releases; `steps` 0: all curves.
Panel OverReleases(const BeliefReport& report, int figure, const std::string& title,
                   const std::string& label, std::uint32_t steps, const BeliefMeasure& measure) {
  Panel panel{title, "release", label, {}};
  for (const BeliefCurve& curve : CurvesOf(figure)) {
    const BeliefRun* run = FindBelief(report, curve.setup);
    if (run == nullptr || (steps != 0 && curve.setup.steps != steps)) continue;
    Line line;
    line.name = curve.name;
    for (std::size_t i = 0; i < run->releases.size(); ++i) {
      line.points.emplace_back(static_cast<double>(i + 1), measure(run->releases[i]));
    }
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

// Pairs of GCP and RL, from the least loss of information on.
Panel ConfidentialityMap(const BeliefReport& report, int figure, const std::string& title,
                         std::uint32_t steps) {
  Panel panel{title, "detail lost (GCP)", "people linked (RL)", {}};
  for (const BeliefCurve& curve : CurvesOf(figure)) {
    const BeliefRun* run = FindBelief(report, curve.setup);
    if (run == nullptr || (steps != 0 && curve.setup.steps != steps)) continue;
    Line line;
    line.name = curve.name;
    for (const BeliefRelease& release : run->releases) {
      line.points.emplace_back(release.penalty, release.linkage);
    }
    std::sort(line.points.begin(), line.points.end());
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

}  // namespace

std::vector<Panel> FigureOf(const BeliefReport& report, int figure) {
  switch (figure) {
    case 4:
      return {OverReleases(report, figure, "a) everybody", kGainLabel, 0, GainOf),
              OverReleases(report, figure, "b) those not compromised", kGainLabel, 0, GainOfOthers),
              OverReleases(report, figure, "a) exact adversary", kGainLabel, 0, ExactGainOf),
              OverReleases(report, figure, "b) exact adversary", kGainLabel, 0, ExactGainOfOthers)};
    case 5:
      return {OverReleases(report, figure, "a) FDTMM", kGainLabel, 1, GainOf),
              OverReleases(report, figure, "b) SDTMM", kGainLabel, 2, GainOf),
              OverReleases(report, figure, "a) exact adversary", kGainLabel, 1, ExactGainOf),
              OverReleases(report, figure, "b) exact adversary", kGainLabel, 2, ExactGainOf)};
    case 6:
      return {OverReleases(report, figure, "as the paper's reader sees it", kGainLabel, 0, GainOf),
              OverReleases(report, figure, "exact adversary", kGainLabel, 0, ExactGainOf)};
    case 7:
      return {ConfidentialityMap(report, figure, "a) FDTMM", 1),
              ConfidentialityMap(report, figure, "b) SDTMM", 2)};
    case 8:
      return {ConfidentialityMap(report, figure, "R-U map", 0)};
    case 10:
      return {OverReleases(
          report, figure, "rows left out", "rows", 0,
          [](const BeliefRelease& release) { return static_cast<double>(release.suppressed); })};
    default:
      return {OverReleases(report, figure, "a) gain of knowledge", kGainLabel, 0, GainOf),
              ConfidentialityMap(report, figure, "b) R-U map", 0),
              OverReleases(report, figure, "a) exact adversary", kGainLabel, 0, ExactGainOf),
              OverReleases(report, figure, "surer than 90 %, exact adversary", "share of people", 0,
                           [](const BeliefRelease& release) { return release.exact.sure; })};
  }
}

std::vector<Panel> FigureSweeps(const BeliefReport& report) {
  std::vector<Panel> panels;
  for (const BeliefSweep& sweep : SweepsOf(report.options)) {
    Panel gain{sweep.data + ": " + sweep.parameter, sweep.parameter, kGainLabel, {}};
    Panel cost{sweep.data + ": " + sweep.parameter, sweep.parameter, "detail lost (GCP)", {}};
    for (const auto algorithm :
         {models::similarity::Algorithm::kBkaa, models::similarity::Algorithm::kReissue}) {
      Line own{NameOf(algorithm) + ", its own reader", {}},
          exact{NameOf(algorithm) + ", exact", {}};
      Line penalty{NameOf(algorithm) + ", its own reader", {}};
      for (const auto& [value, setup] : sweep.points) {
        const BeliefRun* run = FindBelief(report, setup);
        if (run == nullptr || setup.algorithm != algorithm) continue;
        const BeliefMeans means = MeansOf(*run);
        own.points.emplace_back(value, means.gain);
        exact.points.emplace_back(value, means.exact_gain);
        penalty.points.emplace_back(value, means.penalty);
      }
      gain.lines.push_back(std::move(own));
      gain.lines.push_back(std::move(exact));
      cost.lines.push_back(std::move(penalty));
    }
    panels.push_back(std::move(gain));
    panels.push_back(std::move(cost));
  }
  return panels;
}

std::string BeliefCsv(const BeliefReport& report) {
  std::string out =
      "data,algorithm,reader,steps,cascade,k,J,beta,t,sigma,confidence,release,rows,groups,"
      "suppressed,largest_group,gcp,rl,gain,gain_others,strongest,sure,exact_gain,"
      "exact_gain_others,exact_strongest,exact_sure,exact_approximated\n";
  for (const BeliefRun& run : report.runs) {
    const BeliefSetup& setup = run.setup;
    const std::string begin =
        fmt::format("{},{},{},{},{},{},{},{},{},{},{}", setup.data, NameOf(setup.algorithm),
                    inference::NameOf(setup.reader), setup.steps,
                    setup.cascade == models::similarity::Cascade::kPrior ? "prior" : "posterior",
                    setup.k, setup.j, setup.beta, setup.t, setup.sigma, setup.confidence);
    for (std::size_t i = 0; i < run.releases.size(); ++i) {
      const BeliefRelease& release = run.releases[i];
      out += fmt::format(
          "{},{},{},{},{},{},{:.4f},{:.4f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},"
          "{:.6f},{}\n",
          begin, i + 1, release.rows, release.groups, release.suppressed, release.largest,
          release.penalty, release.linkage, release.reader.gain, release.reader.gain_others,
          release.reader.strongest, release.reader.sure, release.exact.gain,
          release.exact.gain_others, release.exact.strongest, release.exact.sure,
          release.exact.approximated);
    }
  }
  return out;
}

}  // namespace reissue::lab
