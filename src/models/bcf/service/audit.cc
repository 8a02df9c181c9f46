#include "reissue/models/bcf/service/audit.h"

#include <algorithm>
#include <limits>

#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/diversity.h"
#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/service/words.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/service/audit.h"

namespace reissue::models::bcf::service {
namespace {

Bounds ToBounds(const bcf::Interval& interval) { return {interval.lower, interval.upper}; }

contract::AuditReport::Failure FailureOf(SeriesVerdict verdict) {
  using Failure = contract::AuditReport::Failure;
  if (verdict == SeriesVerdict::kNotOneSeries) return Failure::kNotOneSeries;
  return verdict == SeriesVerdict::kUnknown ? Failure::kNotProven : Failure::kBroken;
}

void Lower(std::optional<std::uint64_t>& least, const std::optional<std::uint64_t>& other) {
  if (other && (!least || *other < *least)) least = other;
}

// The worst numbers of all that a promise is about: cells as published, and what attacks leave.
class Measured {
 public:
  explicit Measured(std::size_t values) : shares_(values, 0) {}

  void Add(const k::Measures& m) {
    if (!any_) worst_ = m;
    any_ = true;
    worst_.Worsen(m);
  }
  void Add(const k::Report& alone) {
    k::Measures measures;
    measures.distinct = alone.distinct;
    measures.entropy_l = alone.entropy_l;
    measures.recursive_c = alone.recursive_c;
    measures.top_share = alone.top_share;
    measures.distance = alone.distance;
    measures.gain = alone.gain;
    Add(measures);
  }
  void AddShares(const std::vector<double>& shares) {
    for (std::size_t v = 0; v < std::min(shares.size(), shares_.size()); ++v) {
      shares_[v] = std::max(shares_[v], shares[v]);
    }
  }
  const k::Measures& worst() const { return worst_; }
  const std::vector<double>& shares() const { return shares_; }

 private:
  bool any_ = false;
  k::Measures worst_;
  std::vector<double> shares_;
};

class SeriesAuditor {
 public:
  SeriesAuditor(const BoundSeries& bound, const Promise& promise, const k::Guarantee& guarantee,
                std::size_t worst, std::optional<RealTuples> real, Extent extent)
      : bound_(bound),
        series_(bound.series),
        promise_(promise),
        guarantee_(guarantee),
        limit_(worst),
        real_(std::move(real)),
        extent_(extent),
        measured_(bound.values->size()) {}

  contract::AuditReport Run() {
    audit_.model = promise_.model;
    found_.k = guarantee_.k;
    found_.targets = real_ ? "real" : "any";
    found_.promised = promise_.targets == Targets::kReal ? "real" : "any";
    EachAlone();
    if (bound_.stars || bound_.rule_broken) {
      found_.starred = {StarredRows(), bound_.rule_broken};
    }
    const bcf::Formulas formulas(series_);
    if (AllPairs()) Pairs(formulas);
    if (Consistent(formulas)) {
      Together(formulas);
    } else {
      found_.verdict = SeriesVerdict::kNotOneSeries;
    }
    Promises();
    audit_.satisfied = found_.verdict == SeriesVerdict::kKept && alone_broken_.empty() &&
                       audit_.published_identifiers.empty() && audit_.published_dropped.empty();
    audit_.failure = FailureOf(found_.verdict);
    audit_.findings = contract::Findings::Of(std::move(found_));
    return std::move(audit_);
  }

 private:
  void EachAlone() {
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const k::PublishedCells published{bound_.cells[i], series_.columns(),
                                        static_cast<std::uint32_t>(bound_.values->size())};
      constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
      const k::Report alone = k::Attack(published, guarantee_, kAll);
      alone_worst_.push_back(alone.worst);
      measured_.Add(alone);
      measured_.AddShares(k::service::LargestShares(published));
      for (const std::string& name : alone.broken) AddOnce(alone_broken_, name);
      const PublishedRelease& release = bound_.releases[i];
      audit_.releases.push_back(
          {release.name, alone.rows, alone.cells, alone.smallest, release.digest});
      audit_.rows = alone.rows;
      audit_.cells = alone.cells;
      audit_.smallest = alone.smallest;
      for (const std::string& name : release.identifiers) {
        AddOnce(audit_.published_identifiers, name);
      }
      for (const std::string& name : release.dropped) AddOnce(audit_.published_dropped, name);
    }
  }

  // Of the newest release.
  std::uint64_t StarredRows() const {
    const bcf::Release& last = series_.release(series_.size() - 1);
    std::uint64_t rows = 0;
    for (std::size_t cell = 0; cell < last.cells(); ++cell) {
      bool starred = true;
      for (std::size_t q = 0; q < bound_.columns.quasi.size(); ++q) {
        starred = starred && last.node(cell, q) == taxonomy::Taxonomy::root();
      }
      if (starred) rows += last.rows_of_cell(cell);
    }
    return rows;
  }

  static void AddOnce(std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }

  bool AllPairs() const { return extent_ == Extent::kAll || guarantee_.NeedsSensitive(); }

  // Two earlier releases were looked at when the later one of them was made; those that tell
  // something in common the exact adversary looks at again, and the others follow from them.
  bool Consistent(const bcf::Formulas& formulas) const {
    if (AllPairs()) return formulas.consistent();
    const std::size_t last = series_.size() - 1;
    for (std::size_t earlier = 0; earlier < last; ++earlier) {
      if (!formulas.pair(earlier, last).contradictions().empty()) return false;
    }
    return true;
  }

  void Pairs(const bcf::Formulas& formulas) {
    for (std::size_t later = 1; later < series_.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        Pair(formulas.pair(earlier, later));
      }
    }
    if (found_.conflicts.size() > limit_) found_.conflicts.resize(std::max<std::size_t>(limit_, 1));
  }

  void Pair(const bcf::Pair& pair) {
    const bcf::PairReport report = bcf::AttackPair(series_, pair, guarantee_.k, limit_);
    PairAudit shown;
    shown.earlier = FromOne(report.earlier);
    shown.later = FromOne(report.later);
    shown.method = report.method == bcf::Method::kEnvelope ? "envelope" : "flow";
    if (report.method == bcf::Method::kFlow) {
      shown.why = WhyFlow(bound_, report.earlier, report.later);
    }
    for (const bcf::Contradiction& contradiction : report.contradictions) {
      found_.conflicts.push_back(
          DescribeContradiction(bound_, report.earlier, report.later, contradiction));
    }
    shown.forward = {report.forward.anonymity, report.forward.exposed};
    shown.cross = {report.cross.anonymity, report.cross.exposed};
    shown.backward = {report.backward.anonymity, report.backward.exposed};
    Lower(found_.forward, report.forward.anonymity);
    Lower(found_.cross, report.cross.anonymity);
    Lower(found_.backward, report.backward.anonymity);
    if (series_.size() == 2) {
      for (const bcf::Finding& finding : report.worst) {
        found_.worst.push_back(DescribeFinding(bound_, finding, finding.born, guarantee_.k));
      }
    }
    if (guarantee_.NeedsSensitive()) Diversity(pair, shown);
    found_.pairs.push_back(std::move(shown));
  }

  void Diversity(const bcf::Pair& pair, PairAudit& shown) {
    const bcf::Diversity diversity = bcf::MeasureDiversity(series_, pair, guarantee_);
    if (diversity.targets > 0) measured_.Add(diversity.worst);
    measured_.AddShares(diversity.largest_share);
    for (const bcf::DiversityBreach& breach : diversity.broken) {
      SeriesExposure exposure = DescribeBreach(bound_, pair, breach);
      shown.broken.push_back({exposure.attack, breach.promise, exposure.cell, exposure.left,
                              breach.measured, breach.promised});
      if (series_.size() == 2 && found_.worst.size() < limit_) {
        found_.worst.push_back(std::move(exposure));
      }
    }
  }

  // All releases at once. The only place that asks the exact adversary.
  void Together(const bcf::Formulas& formulas) {
    bcf::SeriesAttackOptions options;
    options.guarantee = guarantee_;
    options.limit = limit_;
    options.real = std::move(real_);
    const bcf::SeriesAttackReport attacked = AttackSeries(series_, formulas, options);
    for (const bcf::Impossible& impossible : attacked.impossible) {
      if (found_.conflicts.size() < std::max<std::size_t>(limit_, 1)) {
        found_.conflicts.push_back(DescribeImpossible(bound_, impossible));
      }
    }
    if (!attacked.impossible.empty()) {
      found_.verdict = SeriesVerdict::kNotOneSeries;
      return;
    }
    found_.verdict = attacked.verdict == bcf::Verdict::kKept     ? SeriesVerdict::kKept
                     : attacked.verdict == bcf::Verdict::kBroken ? SeriesVerdict::kBroken
                                                                 : SeriesVerdict::kUnknown;
    if (attacked.anonymity) found_.exact = ToBounds(*attacked.anonymity);
    found_.broken = attacked.broken;
    found_.targets_seen = attacked.targets;
    found_.undecided = attacked.undecided;
    audit_.exposure = ExposureOf(attacked);
    for (std::size_t i = 0; i < series_.size(); ++i) audit_.exposed += ExposedIn(i, attacked);
    if (!audit_.published_identifiers.empty())
      audit_.exposed = std::max(audit_.exposed, audit_.rows);
    Births(formulas, attacked);
    if (series_.size() > 2) {
      for (const bcf::TargetLeft& target : attacked.worst) {
        found_.worst.push_back(Explained(formulas, target));
      }
    }
  }

  // Rows in cells that the series exposes, or the release by itself: its t and β are measured
  // against itself there, and against the newest release by those who read all.
  std::uint64_t ExposedIn(std::size_t release, const bcf::SeriesAttackReport& attacked) const {
    const bcf::Release& published = series_.release(release);
    std::vector<char> cells(published.cells(), 0);
    if (!attacked.exposed_cells.empty()) cells = attacked.exposed_cells[release];
    for (const k::Finding& finding : alone_worst_[release]) {
      const auto cell = published.FindCell(finding.quasi);
      if (cell) cells[*cell] = 1;
    }
    std::uint64_t rows = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (cells[cell] != 0) rows += published.rows_of_cell(cell);
    }
    return rows;
  }

  contract::Exposure ExposureOf(const bcf::SeriesAttackReport& attacked) const {
    const bool named = !audit_.published_identifiers.empty();  // everybody finds their row
    const auto number = [&](const bcf::Interval& found) {
      return named ? contract::Exposure::Exactly(audit_.rows)
                   : contract::Exposure::Number{found.lower, found.upper};
    };
    contract::Exposure exposure;
    exposure.singled_out = number(attacked.singled_out);
    if (!bound_.columns.sensitive.empty()) exposure.value_certain = number(attacked.value_certain);
    return exposure;
  }

  void Births(const bcf::Formulas& formulas, const bcf::SeriesAttackReport& attacked) {
    bcf::SeriesBound bound;
    if (series_.size() > 2 && extent_ == Extent::kAll) {
      bound = formulas.Bound();
      found_.formulas = bound.anonymity;
      found_.formulas_complete = bound.complete;
    }
    for (std::size_t b = 0; b < series_.size(); ++b) {
      BirthAudit birth;
      birth.release = FromOne(b);
      if (b < bound.births.size()) {
        birth.forward = bound.births[b].forward;
        birth.cross = bound.births[b].cross;
        birth.backward = bound.births[b].backward;
      }
      if (b < attacked.of_birth.size() && attacked.of_birth[b]) {
        birth.exact = ToBounds(*attacked.of_birth[b]);
      }
      found_.births.push_back(birth);
    }
  }

  // By the attack on two releases that leaves no more, where there is one.
  SeriesExposure Explained(const bcf::Formulas& formulas, const bcf::TargetLeft& found) const {
    const bcf::Target& target = found.target;
    const bool only_k = found.broken.size() == 1 && found.broken[0] == "k";
    std::optional<bcf::Finding> best;
    const auto offer = [&](bcf::Finding finding) {
      if (!best || finding.left < best->left) best = std::move(finding);
    };
    for (std::size_t i = 0; i < target.birth && only_k; ++i) {
      offer(bcf::Explain(series_, formulas.pair(i, target.birth), bcf::AttackKind::kBackward,
                         target.cells[0]));
    }
    for (std::size_t i = 0; i < target.cells.size() && only_k; ++i) {
      for (std::size_t j = i + 1; j < target.cells.size(); ++j) {
        const bcf::Pair& pair = formulas.pair(target.birth + i, target.birth + j);
        offer(bcf::Explain(series_, pair, bcf::AttackKind::kForward, target.cells[i],
                           target.cells[j]));
      }
    }
    if (best && best->left <= found.left.upper) {
      return DescribeFinding(bound_, *best, target.birth, guarantee_.k);
    }
    return DescribeTarget(bound_, found, guarantee_.k);
  }

  bool Kept(const std::string& name) const {
    const auto in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    return !in(alone_broken_) && !in(found_.broken) && found_.undecided == 0 &&
           (found_.verdict == SeriesVerdict::kKept || found_.verdict == SeriesVerdict::kBroken);
  }

  void Promises() {
    const auto add = [&](const std::string& name, double asked, double measured) {
      audit_.promises.push_back({name, asked, measured, Kept(name)});
    };
    const k::Guarantee& g = guarantee_;
    const k::Measures& worst = measured_.worst();
    const std::uint64_t left = found_.exact ? found_.exact->lower : 0;
    audit_.promises.push_back(
        {"k", static_cast<double>(g.k), static_cast<double>(left), left >= g.k && Kept("k")});
    if (g.distinct) add("distinct", *g.distinct, worst.distinct);
    if (g.entropy) add("entropy", *g.entropy, worst.entropy_l);
    if (g.recursive) add("recursive", g.recursive->c, worst.recursive_c);
    if (g.alpha) add("alpha", *g.alpha, worst.top_share);
    if (g.t) add("t", *g.t, worst.distance);
    if (g.beta) add("beta", *g.beta, worst.gain);
    const std::size_t before = audit_.promises.size();
    k::service::AddConfidence(promise_, measured_.shares(), *bound_.values, audit_);
    for (std::size_t p = before; p < audit_.promises.size(); ++p) {
      // The shares are those that anybody could be left; of real people the adversary tells.
      bool& kept = audit_.promises[p].kept;
      kept = (found_.targets == "real" ? Kept("confidence") : kept) && found_.undecided == 0 &&
             found_.verdict != SeriesVerdict::kNotOneSeries;
    }
    if (promise_.targets != Targets::kReal) return;
    // Who is in the table the files do not tell.
    for (contract::PromiseKept& each : audit_.promises) each.basis = contract::Basis::kHolder;
  }

  const BoundSeries& bound_;
  const bcf::Series& series_;
  const Promise& promise_;
  const k::Guarantee& guarantee_;
  std::size_t limit_;
  std::optional<RealTuples> real_;
  Extent extent_;
  Measured measured_;
  std::vector<std::string> alone_broken_;
  std::vector<std::vector<k::Finding>> alone_worst_;  // per release: all that breaks a promise
  contract::AuditReport audit_;
  SeriesFindings found_;
};

Result<contract::AuditReport> AuditFirst(const BoundSeries& bound, const Promise& promise,
                                         binding::Context& context, std::size_t worst) {
  const PublishedRelease& release = bound.releases[0];
  REISSUE_CHECK(release.source != nullptr);
  contract::AuditReport audit = REISSUE_TRY(k::service::AuditRelease(
      *release.source, bound.columns, promise, release.name, context, worst));
  SeriesFindings found;
  found.alone = audit.findings.As<k::service::CellFindings>();
  found.k = promise.guarantee.k;
  found.verdict = audit.satisfied ? SeriesVerdict::kKept : SeriesVerdict::kBroken;
  if (audit.rows > 0) found.exact = Bounds{audit.smallest, audit.smallest};
  audit.findings = contract::Findings::Of(std::move(found));
  return audit;
}

}  // namespace

Result<contract::AuditReport> AuditSeries(const BoundSeries& bound, const Promise& promise,
                                          binding::Context& context, std::size_t worst,
                                          std::optional<RealTuples> real, Extent extent) {
  if (bound.series.size() == 1) return AuditFirst(bound, promise, context, worst);
  const k::Guarantee guarantee = REISSUE_TRY(k::service::Resolve(promise, *bound.values));
  return SeriesAuditor(bound, promise, guarantee, worst, std::move(real), extent).Run();
}

}  // namespace reissue::models::bcf::service
