#include "reissue/models/k/service/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/models/k/adversary/attack.h"

namespace reissue::models::k::service {
namespace {

std::string ShareWords(double share) { return fmt::format("{:.1f} %", 100 * share); }

// One sentence that a data-protection officer can act on.
std::string SentenceOf(const Exposure& e) {
  const std::string where = binding::Where(e.cell);
  if (e.promise == "k") {
    return fmt::format(
        "{} in the release: {} where groups of at least {} were promised, so whoever knows this "
        "much "
        "of a person is down to {}.",
        where, binding::People(e.rows), static_cast<std::uint64_t>(e.asked),
        e.rows == 1 ? "one row" : fmt::format("{} rows", e.rows));
  }
  if (e.attack == "homogeneity") {
    return fmt::format(
        "{}: {} \"{}\", so whoever finds a person there knows it for certain.", where,
        e.rows == 1 ? "the only person has" : fmt::format("all {} have", binding::People(e.rows)),
        e.value);
  }
  if (e.promise == "distinct") {
    return fmt::format("{}: {} with only {} different values where {} were promised.", where,
                       binding::People(e.rows), static_cast<std::uint64_t>(e.measured),
                       static_cast<std::uint64_t>(e.asked));
  }
  if (e.promise == "entropy") {
    return fmt::format(
        "{}: the values of {} are as telling as {:.2f} equally likely ones where {:g} "
        "were promised.",
        where, binding::People(e.rows), e.measured, e.asked);
  }
  if (e.promise == "recursive") {
    return fmt::format(
        "{}: \"{}\" is too frequent among {} beside the rarer values (ratio {:.2f}, "
        "below {:g} was promised).",
        where, e.value, binding::People(e.rows), e.measured, e.asked);
  }
  if (e.promise == "alpha" || e.promise == "confidence") {
    return fmt::format("{}: \"{}\" holds for {} of {}, more than the promised {}.", where, e.value,
                       ShareWords(e.measured), binding::People(e.rows), ShareWords(e.asked));
  }
  if (e.promise == "t") {
    return fmt::format(
        "{}: the values of {} differ from the whole release by {:.3f} (promised: at "
        "most {:g}).",
        where, binding::People(e.rows), e.measured, e.asked);
  }
  return fmt::format(
      "{}: \"{}\" is {:.2f} times likelier than in the whole release for {} (promised: "
      "at most {:g} times).",
      where, e.value, 1 + e.measured, binding::People(e.rows), 1 + e.asked);
}

std::string AttackOf(const Finding& finding, bool one_value) {
  if (finding.promise == "k") return "identity";
  return one_value ? "homogeneity" : "skew";
}

void AddPromises(const Guarantee& guarantee, const Report& report, bool has_sensitive,
                 contract::AuditReport& audit) {
  // Whether a promise is kept is the adversary's word, cell by cell; here only its worst numbers.
  const auto add = [&](const std::string& name, std::optional<double> asked, double measured) {
    const bool kept =
        std::find(report.broken.begin(), report.broken.end(), name) == report.broken.end();
    if (asked) {
      audit.promises.push_back({name, *asked, measured, kept});
    } else if (has_sensitive) {
      audit.also_measured.push_back({name, 0, measured, true});
    }
  };
  const auto number = [](const auto& value) -> std::optional<double> {
    if (!value) return std::nullopt;
    return static_cast<double>(*value);
  };
  add("k", static_cast<double>(guarantee.k), static_cast<double>(report.smallest));
  add("distinct", number(guarantee.distinct), report.distinct);
  add("entropy", guarantee.entropy, report.entropy_l);
  if (guarantee.recursive) add("recursive", guarantee.recursive->c, report.recursive_c);
  add("alpha", guarantee.alpha, report.top_share);
  add("t", guarantee.t, report.distance);
  add("beta", guarantee.beta, report.gain);
}

std::vector<Exposure> WorstCells(const Report& report, const binding::ReleaseTable& release,
                                 const binding::ReleaseColumns& columns) {
  std::vector<Exposure> worst;
  for (const Finding& finding : report.worst) {
    Exposure exposure;
    exposure.promise = finding.promise;
    exposure.rows = finding.rows;
    exposure.measured = finding.measured;
    exposure.asked = finding.promised;
    for (std::size_t q = 0; q < finding.quasi.size(); ++q) {
      const Dictionary& labels = release.table[release.quasi[q]].dictionary();
      exposure.cell.emplace_back(columns.quasi[q], labels[ValueId(finding.quasi[q])]);
    }
    if (finding.value) exposure.value = (*release.sensitive.values)[ValueId(*finding.value)];
    exposure.attack = AttackOf(finding, finding.distinct == 1);
    exposure.words = SentenceOf(exposure);
    worst.push_back(std::move(exposure));
  }
  return worst;
}

}  // namespace

std::vector<double> LargestShares(const PublishedCells& published) {
  std::vector<double> largest(published.sensitive_values, 0);
  const Cells& cells = published.cells;
  for (std::size_t first = 0; first < cells.size();) {
    const auto cell = cells.key(CellId(first)).first(published.quasi);
    std::size_t end = first;
    std::uint64_t rows = 0;
    for (; end < cells.size(); ++end) {
      if (!std::ranges::equal(cells.key(CellId(end)).first(published.quasi), cell)) break;
      rows += cells.count(CellId(end));
    }
    for (; first < end; ++first) {
      double& share = largest[cells.key(CellId(first))[published.quasi]];
      share = std::max(share,
                       static_cast<double>(cells.count(CellId(first))) / static_cast<double>(rows));
    }
  }
  return largest;
}

void AddConfidence(const Promise& promise, std::vector<double> shares, const Dictionary& values,
                   contract::AuditReport& audit) {
  if (!promise.confidence && promise.confidence_of.empty()) return;
  const auto add = [&](const std::string& name, double asked, double measured) {
    audit.promises.push_back({name, asked, measured, measured <= asked + kTolerance});
  };
  for (const auto& [value, bound] : promise.confidence_of) {
    const auto code = values.Find(value);
    add("confidence in " + value, bound, code ? shares[code->index()] : 0);
    if (code) shares[code->index()] = 0;
  }
  if (promise.confidence) {
    add("confidence", *promise.confidence, *std::max_element(shares.begin(), shares.end()));
  }
}

Result<contract::AuditReport> AuditRelease(const binding::ReleaseTable& release,
                                           const binding::ReleaseColumns& columns,
                                           const Promise& promise, const std::string& file,
                                           binding::Context& context, std::size_t worst) {
  const Guarantee guarantee = REISSUE_TRY(Resolve(promise, *release.sensitive.values));
  PublishedCells published;
  published.cells = binding::ReleaseCells(release, context.pool);
  published.quasi = release.quasi.size();
  published.sensitive_values = static_cast<std::uint32_t>(release.sensitive.values->size());
  const Report report = Attack(published, guarantee, worst);
  contract::AuditReport audit;
  audit.model = promise.model;
  audit.satisfied = report.satisfied && release.identifiers.empty() && release.dropped.empty();
  audit.rows = report.rows;
  audit.cells = report.cells;
  audit.smallest = report.smallest;
  audit.exposed = release.identifiers.empty() ? report.exposed : report.rows;
  const bool named = !release.identifiers.empty();  // everybody finds their row
  audit.exposure.singled_out =
      contract::Exposure::Exactly(named ? report.rows : report.singled_out);
  if (!columns.sensitive.empty()) {
    audit.exposure.value_certain =
        contract::Exposure::Exactly(named ? report.rows : report.value_certain);
  }
  AddPromises(guarantee, report, !columns.sensitive.empty(), audit);
  AddConfidence(promise, LargestShares(published), *release.sensitive.values, audit);
  audit.findings = contract::Findings::Of(CellFindings{
      report.identity, report.homogeneity, report.skew, WorstCells(report, release, columns)});
  audit.releases.push_back({file, audit.rows, audit.cells, audit.smallest, release.digest});
  audit.published_identifiers = release.identifiers;
  audit.published_dropped = release.dropped;
  return audit;
}

}  // namespace reissue::models::k::service
