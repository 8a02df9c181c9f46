// What the paper says of its figures, checked on our runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "reissue/lab/belief.h"

namespace reissue::lab {
namespace {

using BeliefSeriesOf = std::vector<double>;

struct BeliefSpan {
  double least = 0, most = 0;
  double width() const { return most - least; }
};

class Claims {
 public:
  explicit Claims(const BeliefReport& report) : report_(report) {}

  std::vector<BeliefClaim> Take() { return std::move(claims_); }

  // The run behind a curve of a figure.
  const BeliefRun& Run(int figure, const std::string& name) const {
    const BeliefRun* run = nullptr;
    for (const BeliefCurve& curve : CurvesOf(figure)) {
      if (curve.name == name) run = FindBelief(report_, curve.setup);
    }
    REISSUE_CHECK(run != nullptr);
    return *run;
  }

  void Add(int figure, std::string paper, std::string ours, bool agrees, std::string why) {
    claims_.push_back({fmt::format("{}", figure), std::move(paper), std::move(ours), agrees,
                       agrees ? std::string() : std::move(why)});
  }

  // The first is below the second in at least nine of ten releases.
  void Below(int figure, std::string paper, const BeliefSeriesOf& low, const BeliefSeriesOf& high,
             std::string why) {
    std::size_t below = 0;
    for (std::size_t i = 0; i < low.size(); ++i) below += low[i] < high[i] ? 1 : 0;
    Add(figure, std::move(paper),
        fmt::format("{:.3f} and {:.3f} in the mean; so in {} of {} releases", MeanOf(low),
                    MeanOf(high), below, low.size()),
        10 * below >= 9 * low.size(), std::move(why));
  }

  // GCP and RL lie within the paper's ranges.
  void Within(int figure, const std::string& name, const BeliefRun& run, BeliefSpan penalty,
              BeliefSpan linkage, std::string why) {
    const BeliefSpan p = PenaltySpan(run), l = LinkageSpan(run);
    Add(figure,
        fmt::format("{}: lost {:.0f} to {:.0f}, linked {:.0f} to {:.0f}", name, penalty.least,
                    penalty.most, linkage.least, linkage.most),
        fmt::format("lost {:.0f} to {:.0f}, linked {:.0f} to {:.0f}", p.least, p.most, l.least,
                    l.most),
        p.least >= penalty.least && p.most <= penalty.most && l.least >= linkage.least &&
            l.most <= linkage.most,
        std::move(why));
  }

  // Means of GCP and RL differ by less than a quarter.
  void Alike(int figure, std::string paper, const BeliefRun& a, const BeliefRun& b,
             std::string why) {
    const BeliefMeans x = MeansOf(a), y = MeansOf(b);
    const auto near = [](double one, double other) {
      return std::abs(one - other) <= 0.25 * std::max(one, other);
    };
    Add(figure, std::move(paper),
        fmt::format("lost {:.0f} and {:.0f}, linked {:.0f} and {:.0f} in the mean", x.penalty,
                    y.penalty, x.linkage, y.linkage),
        near(x.penalty, y.penalty) && near(x.linkage, y.linkage), std::move(why));
  }

  static double MeanOf(const BeliefSeriesOf& list, std::size_t from = 0) {
    double sum = 0;
    for (std::size_t i = from; i < list.size(); ++i) sum += list[i];
    return sum / static_cast<double>(std::max<std::size_t>(1, list.size() - from));
  }
  static BeliefSeriesOf Part(const BeliefSeriesOf& list, std::size_t from, std::size_t to) {
    return {list.begin() + static_cast<std::ptrdiff_t>(std::min(from, list.size())),
            list.begin() + static_cast<std::ptrdiff_t>(std::min(to, list.size()))};
  }
  static BeliefSeriesOf Gains(const BeliefRun& run) {
    return Over(run, [](const BeliefRelease& release) { return release.reader.gain; });
  }
  static BeliefSeriesOf GainsOfOthers(const BeliefRun& run) {
    return Over(run, [](const BeliefRelease& release) { return release.reader.gain_others; });
  }
  static BeliefSpan PenaltySpan(const BeliefRun& run) {
    return SpanOf(Over(run, [](const BeliefRelease& release) { return release.penalty; }));
  }
  static BeliefSpan LinkageSpan(const BeliefRun& run) {
    return SpanOf(Over(run, [](const BeliefRelease& release) { return release.linkage; }));
  }
  static BeliefSeriesOf Over(const BeliefRun& run,
                             const std::function<double(const BeliefRelease&)>& measure) {
    BeliefSeriesOf list;
    for (const BeliefRelease& release : run.releases) list.push_back(measure(release));
    return list;
  }
  static BeliefSpan SpanOf(const BeliefSeriesOf& list) {
    const auto [least, most] = std::minmax_element(list.begin(), list.end());
    return {*least, *most};
  }
  // Correlation of GCP and RL over the releases.
  static double Correlation(const BeliefRun& run) {
    const BeliefMeans means = MeansOf(run);
    double together = 0, first = 0, second = 0;
    for (const BeliefRelease& release : run.releases) {
      const double x = release.penalty - means.penalty, y = release.linkage - means.linkage;
      together += x * y;
      first += x * x;
      second += y * y;
    }
    return first > 0 && second > 0 ? together / std::sqrt(first * second) : 0;
  }

 private:
  const BeliefReport& report_;
  std::vector<BeliefClaim> claims_;
};

constexpr const char* kTwoSteps =
    "With two steps, equation 4 takes the posterior of two releases ago and follows the "
    "transitions from there: the newest posterior is not used at all. She forgets more than the "
    "second step tells her.";
constexpr const char* kRanges =
    "The simulated tables have twelve results, all equally far apart, and priors of their own: "
    "t = 0.5 takes eight to nine rows a group here, and the paper's number of linked people means "
    "five.";
constexpr const char* kPosteriorCounts =
    "By the paper's own equations: in the prior a statement only helps to pick one of n! "
    "assignments, in the weights it counts in groups of every size. The paper reads large groups "
    "by the Omega-estimate, where the prior counts whole; from which size on it does not say.";
constexpr const char* kWeakReader = "Her term 1/n! decides: it only counts in the smallest groups.";

void Figure3(Claims& claims) {
  for (const char* steps : {"(FDTMM)", "(SDTMM)"}) {
    claims.Below(3, fmt::format("BayFrame{0} gains less than JS-reduce{0}", steps),
                 Claims::Gains(claims.Run(3, fmt::format("BayFrame{}", steps))),
                 Claims::Gains(claims.Run(3, fmt::format("JS-reduce{}", steps))), kWeakReader);
  }
  const BeliefRun &once = claims.Run(3, "JS-reduce(FDTMM)"),
                  &twice = claims.Run(3, "JS-reduce(SDTMM)");
  const double first = MeansOf(once).gain, second = MeansOf(twice).gain;
  claims.Add(3, "JS-reduce(SDTMM) gains as much as JS-reduce(FDTMM) or more",
             fmt::format("{:.4f} and {:.4f} in the mean", second, first), second >= first,
             kTwoSteps);
  claims.Within(3, "JS-reduce(SDTMM)", twice, {200, 450}, {750, 850}, kRanges);
  const BeliefRun& bayes = claims.Run(3, "BayFrame(SDTMM)");
  claims.Within(3, "BayFrame(SDTMM)", bayes, {200, 3850}, {50, 850}, kRanges);
  claims.Add(3, "BayFrame(SDTMM) has the broader range of what is lost",
             fmt::format("widths {:.0f} and {:.0f}", Claims::PenaltySpan(bayes).width(),
                         Claims::PenaltySpan(twice).width()),
             Claims::PenaltySpan(bayes).width() > 2 * Claims::PenaltySpan(twice).width(),
             "Both readers believe nearly the same of groups of eight, so nearly the same groups "
             "are formed. Ranges as broad as the paper's appear where J binds: with compromised "
             "records (Figure 7).");
  for (const char* name : {"JS-reduce(FDTMM)", "BayFrame(FDTMM)"}) {
    const double correlation = Claims::Correlation(claims.Run(3, name));
    claims.Add(3, fmt::format("fewer are linked as more is lost, {}", name),
               fmt::format("correlation {:.2f}", correlation), correlation < 0,
               "Both follow the number of groups only where that varies.");
  }
}

void Figure4(Claims& claims) {
  for (const char* k : {"3", "8"}) {
    const BeliefRun& plain = claims.Run(4, fmt::format("BayFrame, k = {}", k));
    const BeliefRun& known = claims.Run(4, fmt::format("BayFrame+Compromised, k = {}", k));
    claims.Below(4, fmt::format("Without compromised records the gain is lower, k = {}", k),
                 Claims::Gains(plain), Claims::Gains(known), kWeakReader);
    claims.Below(4, fmt::format("So it is for those who are not compromised, k = {}", k),
                 Claims::GainsOfOthers(plain), Claims::GainsOfOthers(known), kWeakReader);
    const double all = MeansOf(known).gain - MeansOf(plain).gain;
    const double others = MeansOf(known).gain_others - MeansOf(plain).gain_others;
    claims.Add(4, fmt::format("The difference is larger over everybody, k = {}", k),
               fmt::format("{:.4f} and {:.4f}", all, others), all > others, kWeakReader);
  }
  const auto small = Claims::Gains(claims.Run(4, "BayFrame+Compromised, k = 3"));
  const auto large = Claims::Gains(claims.Run(4, "BayFrame+Compromised, k = 8"));
  claims.Below(4, "In the first five releases k = 8 gains less than k = 3",
               Claims::Part(large, 0, 5), Claims::Part(small, 0, 5), kWeakReader);
  if (large.size() <= 16) return;
  claims.Below(4, "After the 16th release k = 8 gains more than k = 3",
               Claims::Part(small, 16, small.size()), Claims::Part(large, 16, large.size()),
               "From eight rows on 1/n! is nothing, and she believes the frequencies however long "
               "the series.");
}

std::string CascadeName(const char* cascade, const char* steps, const char* sigma) {
  return fmt::format("BayFrame+{}{}, sigma = {}", cascade, steps, sigma);
}

void Figure5(Claims& claims) {
  const auto gains = [&](const char* cascade, const char* steps, const char* sigma) {
    return Claims::Gains(claims.Run(5, CascadeName(cascade, steps, sigma)));
  };
  const auto first = gains("Prior", "(FDTMM)", "0.1");
  if (first.size() > 18) {
    claims.Add(5, "The gain grows in the first releases (FDTMM)",
               fmt::format("{:.3f} in the first, {:.3f} in the second to sixth", first[0],
                           Claims::MeanOf(Claims::Part(first, 1, 6))),
               Claims::MeanOf(Claims::Part(first, 1, 6)) > first[0],
               "Where beliefs differ by more than J, groups become large, and in large groups she "
               "believes the frequencies.");
    claims.Add(5, "It falls after the 18th release (FDTMM)",
               fmt::format("{:.3f} from the 10th to the 18th, {:.3f} afterwards",
                           Claims::MeanOf(Claims::Part(first, 9, 18)), Claims::MeanOf(first, 18)),
               Claims::MeanOf(first, 18) < 0.95 * Claims::MeanOf(Claims::Part(first, 9, 18)),
               "People come and go at a steady rate here: after some releases nothing changes any "
               "more.");
  }
  for (const char* steps : {"(FDTMM)", "(SDTMM)"}) {
    for (const char* cascade : {"Prior", "Posterior"}) {
      claims.Below(5, fmt::format("{}{}: sigma = 0.01 gains less than 0.1", cascade, steps),
                   gains(cascade, steps, "0.01"), gains(cascade, steps, "0.1"),
                   "The publisher knows the statements and forms larger groups because of them "
                   "(detail lost); in these she believes the frequencies.");
    }
    for (const char* sigma : {"0.1", "0.01"}) {
      claims.Below(5, fmt::format("Posterior{} gains less than Prior, sigma = {}", steps, sigma),
                   gains("Posterior", steps, sigma), gains("Prior", steps, sigma),
                   kPosteriorCounts);
    }
  }
  const double little = Claims::MeanOf(gains("Posterior", "(SDTMM)", "0.01"));
  const double much = Claims::MeanOf(gains("Posterior", "(SDTMM)", "0.1"));
  claims.Add(5, "Posterior(SDTMM): sigma = 0.1 is similar to 0.01",
             fmt::format("{:.3f} and {:.3f} in the mean", much, little),
             std::abs(much - little) <= 0.1 * much,
             "A tenth of the people is known with confidence 0.9, and their own gain counts.");
}

void Figure6(Claims& claims) {
  for (const char* cascade : {"Prior", "Posterior"}) {
    for (const char* sigma : {"0.1", "0.01"}) {
      const auto gains = Claims::Gains(claims.Run(6, CascadeName(cascade, "(FDTMM)", sigma)));
      const double later = gains.size() > 2 ? *std::max_element(gains.begin() + 2, gains.end()) : 0;
      claims.Add(
          6, fmt::format("{}, sigma = {}: falls in two releases, then below 0.06", cascade, sigma),
          fmt::format("{:.3f}, {:.3f}, then at most {:.3f}", gains[0],
                      gains.size() > 1 ? gains[1] : 0, later),
          later < 0.06 && gains.size() > 2 && later < gains[0],
          later < 0.06 ? "Below 0.06 from the first release on: there is nothing to fall "
                         "from."
                       : "Statements in the weights count whole in groups of any size.");
    }
  }
}

void Maps(Claims& claims, int figure, const std::vector<const char*>& kinds_of_steps) {
  for (const char* steps : kinds_of_steps) {
    for (const char* sigma : {"0.1", "0.01"}) {
      claims.Alike(figure, fmt::format("Prior{} is like Posterior, sigma = {}", steps, sigma),
                   claims.Run(figure, CascadeName("Prior", steps, sigma)),
                   claims.Run(figure, CascadeName("Posterior", steps, sigma)),
                   "What is known before publication makes beliefs differ: J = 0.6 binds, and "
                   "groups become large. What is known afterwards costs nothing.");
    }
    const BeliefRun& much = claims.Run(figure, CascadeName("Prior", steps, "0.1"));
    const BeliefRun& little = claims.Run(figure, CascadeName("Prior", steps, "0.01"));
    claims.Add(figure, fmt::format("Prior{}: sigma = 0.1 loses more information than 0.01", steps),
               fmt::format("lost {:.0f} and {:.0f} in the mean", MeansOf(much).penalty,
                           MeansOf(little).penalty),
               MeansOf(much).penalty > MeansOf(little).penalty,
               "J does not bind here: statements change no groups.");
    const double broad = Claims::PenaltySpan(much).width();
    const double narrow = Claims::PenaltySpan(little).width();
    claims.Add(figure,
               fmt::format("Prior{}: the range of what is lost is broader with sigma = 0.1", steps),
               fmt::format("widths {:.0f} and {:.0f}", broad, narrow), broad > narrow,
               "The first release alone is that wide, with or without statements: priors of kinds "
               "of people differ more than what transitions leave of them.");
    const double correlation = Claims::Correlation(much);
    claims.Add(figure, fmt::format("Prior{}: fewer are linked as more is lost", steps),
               fmt::format("correlation {:.2f}", correlation), correlation < 0,
               "J does not bind here: all releases are alike.");
  }
}

void Figure9(Claims& claims) {
  for (const char* steps : {"(FDTMM)", "(SDTMM)"}) {
    claims.Below(9, fmt::format("BayFrame{0} gains less than JS-reduce{0}", steps),
                 Claims::Gains(claims.Run(9, fmt::format("BayFrame{}", steps))),
                 Claims::Gains(claims.Run(9, fmt::format("JS-reduce{}", steps))), kWeakReader);
  }
  claims.Alike(9, "BayFrame(FDTMM) is like JS-reduce(FDTMM) in what is lost and linked",
               claims.Run(9, "BayFrame(FDTMM)"), claims.Run(9, "JS-reduce(FDTMM)"),
               "Towards its end the nearest point next jumps over the whole table; the Hilbert "
               "curve does not.");
  claims.Within(9, "JS-reduce(SDTMM)", claims.Run(9, "JS-reduce(SDTMM)"), {200, 400}, {750, 850},
                kRanges);
  claims.Within(9, "BayFrame(SDTMM)", claims.Run(9, "BayFrame(SDTMM)"), {200, 3500}, {100, 850},
                kRanges);
}

void Figure10(Claims& claims) {
  for (const char* name : {"JS-reduce(FDTMM)", "BayFrame(FDTMM)"}) {
    const BeliefRun& run = claims.Run(10, name);
    std::uint64_t most = 0, rows = 0;
    for (const BeliefRelease& release : run.releases) {
      most = std::max(most, release.suppressed);
      rows = std::max(rows, release.rows);
    }
    claims.Add(10, fmt::format("{}: at most 13 rows of a release are left out", name),
               fmt::format("at most {} of {}", most, rows), most <= 13,
               "Once beliefs differ by more than J, a group that is not closed early never is.");
  }
}

void Figure11(Claims& claims) {
  for (const char* steps : {"(FDTMM)", "(SDTMM)"}) {
    const BeliefRun& reduce = claims.Run(11, fmt::format("JS-reduce+Prior{}", steps));
    for (const char* way : {"Prior", "Posterior"}) {
      const BeliefRun& bayes = claims.Run(11, fmt::format("BayFrame+{}{}", way, steps));
      claims.Below(11,
                   fmt::format("BayFrame+{0}{1} gains less than JS-reduce+Prior{1}", way, steps),
                   Claims::Gains(bayes), Claims::Gains(reduce),
                   "Statements in the weights count whole in groups of any size; in sums over all "
                   "assignments they are one of n terms.");
      claims.Alike(
          11,
          fmt::format("BayFrame+{0}{1} is like JS-reduce+Prior{1} in what is lost and linked", way,
                      steps),
          bayes, reduce,
          "What is known afterwards does not change the groups; what is known before "
          "makes them larger.");
    }
  }
}

}  // namespace

std::vector<BeliefClaim> CheckClaims(const BeliefReport& report) {
  Claims claims(report);
  Figure3(claims);
  Figure4(claims);
  Figure5(claims);
  Figure6(claims);
  Maps(claims, 7, {"(FDTMM)", "(SDTMM)"});
  Maps(claims, 8, {"(FDTMM)"});
  Figure9(claims);
  Figure10(claims);
  Figure11(claims);
  return claims.Take();
}

}  // namespace reissue::lab
