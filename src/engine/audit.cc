#include "reissue/engine/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/models/k/adversary/attack.h"

namespace reissue::engine {
namespace {

using models::k::Finding;
using models::k::Report;

std::string Where(const std::vector<std::pair<std::string, std::string>>& cell) {
  std::string text;
  for (const auto& [column, label] : cell) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", column, label);
  }
  return text;
}

std::string People(std::uint64_t rows) {
  return rows == 1 ? "1 person" : fmt::format("{} people", rows);
}

std::string Percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// One sentence that a data-protection officer can act on.
std::string Words(const Exposure& e) {
  const std::string where = Where(e.cell);
  if (e.promise == "k") {
    return fmt::format(
        "{} in the release: {} where groups of at least {} were promised, so whoever knows this "
        "much "
        "of a person is down to {}.",
        where, People(e.rows), static_cast<std::uint64_t>(e.asked),
        e.rows == 1 ? "one row" : fmt::format("{} rows", e.rows));
  }
  if (e.attack == "homogeneity") {
    return fmt::format(
        "{}: {} \"{}\", so whoever finds a person there knows it for certain.", where,
        e.rows == 1 ? "the only person has" : fmt::format("all {} have", People(e.rows)), e.value);
  }
  if (e.promise == "distinct") {
    return fmt::format("{}: {} with only {} different values where {} were promised.", where,
                       People(e.rows), static_cast<std::uint64_t>(e.measured),
                       static_cast<std::uint64_t>(e.asked));
  }
  if (e.promise == "entropy") {
    return fmt::format(
        "{}: the values of {} are as telling as {:.2f} equally likely ones where {:g} "
        "were promised.",
        where, People(e.rows), e.measured, e.asked);
  }
  if (e.promise == "recursive") {
    return fmt::format(
        "{}: \"{}\" is too frequent among {} beside the rarer values (ratio {:.2f}, "
        "below {:g} was promised).",
        where, e.value, People(e.rows), e.measured, e.asked);
  }
  if (e.promise == "alpha" || e.promise == "confidence") {
    return fmt::format("{}: \"{}\" holds for {} of {}, more than the promised {}.", where, e.value,
                       Percent(e.measured), People(e.rows), Percent(e.asked));
  }
  if (e.promise == "t") {
    return fmt::format(
        "{}: the values of {} differ from the whole release by {:.3f} (promised: at "
        "most {:g}).",
        where, People(e.rows), e.measured, e.asked);
  }
  return fmt::format(
      "{}: \"{}\" is {:.2f} times likelier than in the whole release for {} (promised: "
      "at most {:g} times).",
      where, e.value, 1 + e.measured, People(e.rows), 1 + e.asked);
}

std::string AttackOf(const Finding& finding, bool one_value) {
  if (finding.promise == "k") return "identity";
  return one_value ? "homogeneity" : "skew";
}

void AddPromises(const Promise& promise, const models::k::Guarantee& guarantee,
                 const Report& report, bool has_sensitive, AuditReport& audit) {
  const double no_rows = report.rows == 0 ? 1 : 0;
  const auto add = [&](const std::string& name, std::optional<double> asked, double measured,
                       bool kept) {
    if (asked) {
      audit.promises.push_back({name, *asked, measured, kept || no_rows > 0});
    } else if (has_sensitive) {
      audit.also_measured.push_back({name, 0, measured, true});
    }
  };
  const auto number = [](const auto& value) -> std::optional<double> {
    if (!value) return std::nullopt;
    return static_cast<double>(*value);
  };
  // Whether a promise is kept is the adversary's word, cell by cell; here only its worst numbers.
  const auto kept = [&](const std::string& name) {
    return std::none_of(report.broken.begin(), report.broken.end(),
                        [&](const std::string& broken) { return broken == name; });
  };
  audit.promises.push_back(
      {"k", static_cast<double>(guarantee.k), static_cast<double>(report.smallest), kept("k")});
  add("distinct", number(guarantee.distinct), report.distinct, kept("distinct"));
  add("entropy", guarantee.entropy, report.entropy_l, kept("entropy"));
  if (guarantee.recursive) {
    add("recursive", guarantee.recursive->c, report.recursive_c, kept("recursive"));
  }
  add("alpha", guarantee.alpha, report.top_share, kept("alpha"));
  if (!guarantee.confidence.empty()) {
    audit.promises.push_back(
        {"confidence", promise.confidence.value_or(1), report.top_share, kept("confidence")});
  }
  add("t", guarantee.t, report.distance, kept("t"));
  add("beta", guarantee.beta, report.gain, kept("beta"));
}

}  // namespace

Result<AuditReport> AuditRelease(const ReleaseTable& release, const ReleaseColumns& columns,
                                 const Promise& promise, const std::string& file, Context& context,
                                 std::size_t worst) {
  const models::k::Guarantee guarantee = REISSUE_TRY(Resolve(promise, *release.sensitive.values));
  models::k::PublishedCells published;
  published.cells = ReleaseCells(release, context.pool);
  published.quasi = release.quasi.size();
  published.sensitive_values = static_cast<std::uint32_t>(release.sensitive.values->size());
  const auto label = [&](std::size_t q, std::uint32_t code) {
    return std::string(release.table[release.quasi[q]].dictionary()[ValueId(code)]);
  };
  AuditReport audit =
      AuditCells(published, guarantee, promise, columns, label, *release.sensitive.values, worst);
  audit.releases.push_back({file, audit.rows, audit.cells, audit.smallest, release.digest});
  audit.published_identifiers = release.identifiers;
  if (!release.identifiers.empty()) {
    audit.satisfied = false;
    audit.exposed = audit.rows;
  }
  return audit;
}

AuditReport AuditCells(const models::k::PublishedCells& published,
                       const models::k::Guarantee& guarantee, const Promise& promise,
                       const ReleaseColumns& columns, const LabelOf& label,
                       const Dictionary& sensitive, std::size_t worst) {
  const Report report = models::k::Attack(published, guarantee, worst);
  AuditReport audit;
  audit.satisfied = report.satisfied;
  audit.rows = report.rows;
  audit.cells = report.cells;
  audit.smallest = report.smallest;
  audit.exposed = report.exposed;
  audit.identity = report.identity;
  audit.homogeneity = report.homogeneity;
  audit.skew = report.skew;
  AddPromises(promise, guarantee, report, !columns.sensitive.empty(), audit);
  for (const Finding& finding : report.worst) {
    Exposure exposure;
    exposure.promise = finding.promise;
    exposure.rows = finding.rows;
    exposure.measured = finding.measured;
    exposure.asked = finding.promised;
    for (std::size_t q = 0; q < finding.quasi.size(); ++q) {
      exposure.cell.emplace_back(columns.quasi[q], label(q, finding.quasi[q]));
    }
    if (finding.value) exposure.value = std::string(sensitive[ValueId(*finding.value)]);
    exposure.attack = AttackOf(finding, finding.distinct == 1);
    exposure.words = Words(exposure);
    audit.worst.push_back(std::move(exposure));
  }
  return audit;
}

Result<AuditReport> Audit(const io::Policy& policy, const std::vector<std::string>& releases,
                          Context& context, std::size_t worst) {
  const Promise promise = REISSUE_TRY(PromiseOf(policy));
  if (releases.size() != 1) {
    return UsageError(
        fmt::format("model \"k\" looks at one release, and {} were given", releases.size()),
        "Audit each file alone; what several reveal together is not covered by model \"k\".");
  }
  const ReleaseColumns columns = ColumnsOf(policy);
  const ReleaseTable release = REISSUE_TRY(LoadRelease(columns, releases[0], context));
  return AuditRelease(release, columns, promise, releases[0], context, worst);
}

}  // namespace reissue::engine
