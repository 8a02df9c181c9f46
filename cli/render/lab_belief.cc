#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/lab.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using lab::BeliefClaim;
using lab::BeliefCurve;
using lab::BeliefMeans;
using lab::BeliefRelease;
using lab::BeliefReport;
using lab::BeliefRun;
using lab::BeliefSweep;

using enum TextTable::Align;

std::string Whole(double number) { return Count(static_cast<std::uint64_t>(number + 0.5)); }

// "12" or "12 to 40".
std::string SpanText(const BeliefRun& run, double BeliefRelease::*measure) {
  double least = run.releases.front().*measure, most = least;
  for (const BeliefRelease& release : run.releases) {
    least = std::min(least, release.*measure);
    most = std::max(most, release.*measure);
  }
  return Whole(least) == Whole(most) ? Whole(least) : Whole(least) + " to " + Whole(most);
}

std::string MostLeftOut(const BeliefRun& run) {
  std::uint64_t most = 0;
  for (const BeliefRelease& release : run.releases) most = std::max(most, release.suppressed);
  return Count(most);
}

std::string CurveTable(const BeliefReport& report, int figure) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kRight, kRight});
  table.Add({"", "gain", "last", "lost", "linked", "left out", "exact gain", "last", "known"});
  for (const BeliefCurve& curve : lab::CurvesOf(figure)) {
    const BeliefRun* run = lab::FindBelief(report, curve.setup);
    if (run == nullptr) continue;
    const BeliefMeans means = lab::MeansOf(*run);
    table.Add({curve.name, Number(means.gain), Number(run->releases.back().reader.gain),
               SpanText(*run, &BeliefRelease::penalty), SpanText(*run, &BeliefRelease::linkage),
               MostLeftOut(*run), Number(means.exact_gain), Number(run->releases.back().exact.gain),
               Percent(means.exact_sure)});
  }
  return table.ToString();
}

std::string SweepTable(const BeliefReport& report) {
  TextTable table({kLeft, kLeft, kRight, kLeft, kRight, kRight, kRight, kRight, kRight, kRight});
  table.Add({"data", "", "", "", "gain", "lost", "linked", "left out", "exact gain", "known"});
  for (const BeliefSweep& sweep : lab::SweepsOf(report.options)) {
    for (const auto& [value, setup] : sweep.points) {
      const BeliefRun* run = lab::FindBelief(report, setup);
      if (run == nullptr) continue;
      const BeliefMeans means = lab::MeansOf(*run);
      table.Add({sweep.data, sweep.parameter, Number(value), lab::NameOf(setup.algorithm),
                 Number(means.gain), Whole(means.penalty), Whole(means.linkage), MostLeftOut(*run),
                 Number(means.exact_gain), Percent(means.exact_sure)});
    }
  }
  return table.ToString();
}

std::string ClaimText(const BeliefReport& report) {
  std::string text;
  for (const BeliefClaim& claim : report.claims) {
    text += Fill("Figure " + claim.figure + (claim.agrees ? ", agrees: " : ", differs: ") +
                     claim.paper + ".",
                 2);
    text += Fill("Here: " + claim.ours + ".", 6);
    if (!claim.why.empty()) text += Fill(claim.why, 6);
  }
  const auto agreed = std::count_if(report.claims.begin(), report.claims.end(),
                                    [](const BeliefClaim& claim) { return claim.agrees; });
  return text + "\n  " + Count(static_cast<std::uint64_t>(agreed)) + " of " +
         Counted(report.claims.size(), "statement agrees", "statements agree") + ".\n";
}

Json JsonAttack(const lab::BeliefAttack& attack) {
  return {{"gain", JsonNumber(attack.gain)},
          {"gain_others", JsonNumber(attack.gain_others)},
          {"strongest", JsonNumber(attack.strongest)},
          {"known", JsonNumber(attack.sure)},
          {"approximated", attack.approximated}};
}

Json JsonBeliefRun(const BeliefRun& run) {
  const lab::BeliefSetup& setup = run.setup;
  Json json = {
      {"data", setup.data},
      {"algorithm", lab::NameOf(setup.algorithm)},
      {"reader", std::string(inference::NameOf(setup.reader))},
      {"steps", setup.steps},
      {"cascade", setup.cascade == models::similarity::Cascade::kPrior ? "prior" : "posterior"},
      {"k", setup.k},
      {"j", JsonNumber(setup.j)},
      {"beta", JsonNumber(setup.beta)},
      {"t", JsonNumber(setup.t)},
      {"sigma", JsonNumber(setup.sigma)},
      {"confidence", JsonNumber(setup.confidence)}};
  json["releases"] = Json::array();
  for (const BeliefRelease& release : run.releases) {
    json["releases"].push_back({{"rows", release.rows},
                                {"groups", release.groups},
                                {"suppressed", release.suppressed},
                                {"largest_group", release.largest},
                                {"gcp", JsonNumber(release.penalty)},
                                {"rl", JsonNumber(release.linkage)},
                                {"own", JsonAttack(release.reader)},
                                {"exact", JsonAttack(release.exact)}});
  }
  return json;
}

}  // namespace

std::string ToText(const LabBeliefReport& report, const Style& style) {
  const BeliefReport& result = report.result;
  std::string text =
      style.Heading("Tables whose values change, read with background knowledge") + "\n";
  text +=
      Fill(Counted(result.options.releases, "release", "releases") + " of about " +
               Counted(result.options.rows, "row", "rows") +
               ". Gain: of the reader against whom the groups were formed (JS-reduce: sum, "
               "BayFrame and reissue: bayes), mean of all releases and the last one. Exact: the "
               "same groups read by the exact adversary. Known: share of those not compromised "
               "of whose values she is surer than 90 %. Lost (the paper's GCP, global certainty "
               "penalty: detail, in rows' worth) and linked (its RL, record linkage: people): "
               "least and most of a release. Left out: most of a release. FDTMM, SDTMM: readers "
               "who know what follows one release, and what follows two.",
           2);
  for (int figure = lab::kFirstBeliefFigure; figure <= lab::kLastBeliefFigure; ++figure) {
    if (figure == 7 || figure == 8) continue;  // the runs of Figures 5 and 6
    std::string title = lab::TitleOf(figure);
    if (figure == 5) title = "Figures 5 and 7: cascading (Bkseq)";
    if (figure == 6) title = "Figures 6 and 8: cascading (Adult)";
    text += "\n" + style.Heading(title) + "\n" + CurveTable(result, figure);
  }
  text += "\n" +
          style.Heading(
              "One parameter at a time (else k = 3, J = 0.6, beta = 5; CR with "
              "sigma = 0.1; prior-based)") +
          "\n" + SweepTable(result);
  text += "\n" + style.Heading("What the paper says of its figures, and what is so here") + "\n" +
          ClaimText(result);
  for (const std::string& file : report.files) text += "\nwrote " + Printable(file);
  if (!report.files.empty()) text += "\n";
  return text;
}

std::string ToJson(const LabBeliefReport& report) {
  const BeliefReport& result = report.result;
  Json json;
  json["experiment"] = "belief";
  json["rows"] = result.options.rows;
  json["releases"] = result.options.releases;
  json["runs"] = Json::array();
  for (const BeliefRun& run : result.runs) json["runs"].push_back(JsonBeliefRun(run));
  json["claims"] = Json::array();
  for (const BeliefClaim& claim : result.claims) {
    json["claims"].push_back({{"figure", claim.figure},
                              {"paper", claim.paper},
                              {"here", claim.ours},
                              {"agrees", claim.agrees},
                              {"why", claim.why}});
  }
  json["files"] = report.files;
  return JsonText(json);
}

}  // namespace reissue::cli
