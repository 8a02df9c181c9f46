#include "reissue/models/similarity/service/audit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "reissue/models/similarity/release/points.h"
#include "reissue/models/similarity/service/certain.h"
#include "reissue/models/similarity/service/exposures.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using inference::Estimator;

constexpr Estimator kAllEstimators[] = {Estimator::kBayes, Estimator::kSum, Estimator::kExact,
                                        Estimator::kOmega, Estimator::kScaling};
static_assert(binding::kNoGroup == sim::kSuppressed);

// Without what is left of rounding.
double Clean(double measured) { return std::round(measured * 1e12) / 1e12; }

// The reader of the promise first: where others believe as much, it is said of her.
std::vector<Estimator> InOrder(Estimator against) {
  std::vector<Estimator> order = {against};
  for (const Estimator estimator : {Estimator::kExact, Estimator::kBayes, Estimator::kSum,
                                    Estimator::kOmega, Estimator::kScaling}) {
    if (estimator != against) order.push_back(estimator);
  }
  return order;
}

Result<std::vector<sim::Statement>> StatementsAbout(const Background& background,
                                                    const EvolvingCopy& copy,
                                                    const std::vector<sim::Person>& persons,
                                                    std::uint32_t release) {
  const reissue::Column& column = copy.table.holder.table[*copy.table.holder.identifier];
  std::vector<std::optional<sim::Person>> of_text(column.dictionary().size());
  for (std::size_t row = 0; row < persons.size(); ++row) {
    of_text[column[RowId(row)].index()] = persons[row];
  }
  return background.Statements(release, [&](std::string_view id) -> std::optional<sim::Person> {
    const auto known = column.dictionary().Find(id);
    return known ? of_text[known->index()] : std::nullopt;
  });
}

// Rows with another value than the true one, as the copy says.
Status ShowOther(const EvolvingCopy& copy, const std::vector<binding::ValueTexts>& values,
                 EvolvingRelease& release) {
  std::unordered_map<std::string, sim::Value> by_text;
  for (sim::Value value = 0; value < values.size(); ++value) {
    by_text.emplace(binding::Joined(values[value]), value);
  }
  const reissue::Table& table = copy.table.holder.table;
  for (std::size_t row = 0; row < copy.shown.size(); ++row) {
    release.truth.push_back(release.snapshot.rows[row].value);
    if (copy.group[row] == sim::kSuppressed || copy.shown[row].empty()) continue;
    const auto known = by_text.find(copy.shown[row]);
    if (known == by_text.end()) {
      return InputError(table.PlaceOf(RowId(row), *table.Find(kShownColumn)),
                        "this is no value of the series",
                        "The column says what the release shows instead of the true value (of "
                        "several sensitive columns: \"A / B\"); empty: the true one.");
    }
    release.snapshot.rows[row].value = known->second;
  }
  return Ok();
}

// A series out of holder's copies, oldest first.
class CopiedSeries {
 public:
  CopiedSeries(const io::Policy& policy, Background background, binding::Context& context)
      : copies_(policy), background_(std::move(background)), context_(context) {
    series_.order = binding::ColumnsOf(policy).order;
  }

  Status Add(const std::string& file) {
    const EvolvingCopy copy = REISSUE_TRY(copies_.Read(file, context_));
    const reissue::Table& table = copy.table.holder.table;
    const reissue::Column& identifier = table[*copy.table.holder.identifier];
    std::vector<sim::Person> persons;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      persons.push_back(ids_.Intern(identifier.text(RowId(row))).raw());
    }
    const Background::CodedRows taken = REISSUE_TRY(background_.Take(copy.table, persons));
    EvolvingRelease& release = series_.releases.emplace_back();
    release.snapshot.groups = copy.groups;
    for (std::size_t row = 0; row < persons.size(); ++row) {
      release.snapshot.rows.push_back(
          {persons[row], copy.group[row], taken.value[row], taken.kind[row]});
      release.suppressed += copy.group[row] == sim::kSuppressed;
    }
    if (!copy.shown.empty()) REISSUE_TRY(ShowOther(copy, background_.values(), release));
    const std::string digest = DigestOf(background_.knowledge());
    if (digest != known_) release.knowledge = background_.knowledge();
    known_ = digest;
    const sim::Points points = PlacesOfRows(copy.table);
    release.penalty = sim::CertaintyPenalty(points, copy.group);
    release.linkage = sim::RecordLinkage(points, copy.group, context_.pool);
    files_.push_back(
        {file, table.rows() - release.suppressed, copy.groups, 0, copy.table.holder.digest});
    series_.statements.push_back(REISSUE_TRY(StatementsAbout(
        background_, copy, persons, static_cast<std::uint32_t>(series_.releases.size()))));
    return Ok();
  }

  const std::vector<contract::AuditReport::File>& files() const { return files_; }

  EvolvingSeries Take() && {
    series_.values = background_.values();
    series_.persons = static_cast<std::uint32_t>(ids_.size());
    for (std::uint32_t person = 0; person < series_.persons; ++person) {
      series_.ids.emplace_back(ids_[ValueId(person)]);
    }
    return std::move(series_);
  }

 private:
  EvolvingCopies copies_;
  Background background_;
  binding::Context& context_;
  EvolvingSeries series_;
  DictionaryBuilder ids_;
  std::string known_;  // digest of the knowledge of the copy before
  std::vector<contract::AuditReport::File> files_;
};

}  // namespace

ReaderFindings FindingsOf(Estimator estimator, const sim::Beliefs& beliefs) {
  ReaderFindings findings;
  findings.estimator = inference::NameOf(estimator);
  findings.strongest_any = Clean(beliefs.judged.belief);
  findings.largest_gain_any = Clean(beliefs.judged.gain);
  findings.beyond = beliefs.judged.beyond;
  findings.certain = beliefs.judged.certain;
  findings.unsettled = beliefs.judged.unsettled;
  findings.mean_gain = Clean(beliefs.mean_gain);
  findings.largest_gain = Clean(beliefs.largest_gain);
  findings.strongest = Clean(beliefs.strongest);
  findings.approximated = beliefs.approximated;
  return findings;
}

sim::ReaderOptions ReaderOf(const Promise& promise, Estimator estimator) {
  sim::ReaderOptions options;
  options.estimator = estimator;
  options.cascade = promise.cascade;
  options.estimate.share_ties = promise.share_ties;
  return options;
}

sim::Shape MeasureShape(const sim::Snapshot& snapshot, double divergence, const ValueRanks& ranks,
                        bool ordered) {
  std::vector<std::vector<sim::Value>> groups(snapshot.groups);
  std::vector<std::uint64_t> all(ranks.values, 0);
  for (const sim::Row& row : snapshot.rows) {
    if (row.group == sim::kSuppressed) continue;
    groups[row.group].push_back(ranks.of[row.value]);
    ++all[ranks.of[row.value]];
  }
  sim::Shape worst{.j = divergence};
  for (const std::vector<sim::Value>& group : groups) {
    std::vector<std::uint64_t> values(ranks.values, 0);
    for (const sim::Value value : group) ++values[value];
    const bool first = &group == &groups[0];
    worst.k = first ? group.size() : std::min<std::uint64_t>(worst.k, group.size());
    worst.beta = std::max(worst.beta, sim::BetaLikeness(values, all));
    worst.t = std::max(worst.t, sim::Closeness(values, all, ordered));
  }
  return worst;
}

void JudgeRelease(const Promise& promise, const sim::Judgement& judged,
                  EvolvingFindings& findings) {
  const auto above = [&](const char* name, double measured, double asked) {
    if (measured > asked + sim::kBeliefTolerance) findings.broken.emplace_back(name);
  };
  const sim::Guarantee& asked = promise.guarantee;
  if (findings.shape.k < asked.k) findings.broken.emplace_back("k");
  above("j", findings.shape.j, asked.j);
  if (asked.beta > 0) above("beta", findings.shape.beta, asked.beta);
  if (asked.t > 0) above("t", findings.shape.t, asked.t);
  const auto about_her = [&](const char* name, bool promised, bool kept) {
    if (!kept) {
      findings.broken.emplace_back(name);
    } else if (promised && judged.unsettled > 0) {
      findings.unproven.emplace_back(name);
    }
  };
  const sim::Bounds& bounds = promise.bounds;
  about_her("max_belief", bounds.max_belief.has_value(), judged.KeepsBelief(bounds));
  about_her("max_gain", bounds.max_gain.has_value(), judged.KeepsGain(bounds));
}

EvolvingFindings CountsOf(const EvolvingRelease& release) {
  EvolvingFindings findings;
  const std::vector<sim::Row>& rows = release.snapshot.rows;
  findings.groups = release.snapshot.groups;
  findings.suppressed = release.suppressed;
  findings.rows = rows.size() - release.suppressed;
  for (std::size_t i = 0; i < release.truth.size(); ++i) {
    findings.counterfeit += release.truth[i] != rows[i].value && rows[i].group != sim::kSuppressed;
  }
  findings.penalty = release.penalty;
  findings.penalty_share = rows.empty() ? 0 : release.penalty / static_cast<double>(rows.size());
  findings.linkage = release.linkage;
  return findings;
}

SimilarityFindings AskedOf(const Promise& promise) {
  SimilarityFindings audit;
  audit.guarantee = promise.guarantee;
  audit.max_belief = promise.bounds.max_belief;
  audit.max_gain = promise.bounds.max_gain;
  audit.against = inference::NameOf(promise.against);
  return audit;
}

contract::PromiseKept AtMost(const char* name, double asked, double measured) {
  return {name, asked, Clean(measured), measured <= asked + sim::kBeliefTolerance};
}

contract::Basis BasisOf(std::string_view name, const Promise& promise) {
  if (name == "k" || name == "beta" || name == "t") return contract::Basis::kFiles;
  const bool relaxed = promise.leftover == sim::Leftover::kRelax;
  return name == "j" && relaxed ? contract::Basis::kOpen : contract::Basis::kHolder;
}

void AddSimilarity(const Promise& promise, contract::AuditReport& audit) {
  const auto& found = audit.findings.As<SimilarityFindings>();
  const std::string against(inference::NameOf(promise.against));
  EvolvingFindings worst;
  ReaderFindings reader;
  bool broken = false;
  audit.satisfied = true;
  for (const EvolvingFindings& release : found.releases) {
    const bool first = &release == &found.releases[0];
    worst.shape.k = first ? release.shape.k : std::min(worst.shape.k, release.shape.k);
    worst.shape.j = std::max(worst.shape.j, release.shape.j);
    worst.shape.beta = std::max(worst.shape.beta, release.shape.beta);
    worst.shape.t = std::max(worst.shape.t, release.shape.t);
    for (const ReaderFindings& each : release.readers) {
      if (each.estimator != against) continue;
      reader.strongest_any = std::max(reader.strongest_any, each.strongest_any);
      reader.largest_gain_any = std::max(reader.largest_gain_any, each.largest_gain_any);
    }
    broken = broken || !release.broken.empty();
    audit.satisfied = audit.satisfied && release.broken.empty() && release.unproven.empty();
  }
  using Failure = contract::AuditReport::Failure;
  audit.failure = broken ? Failure::kBroken : Failure::kNotProven;
  const auto add = [&](const char* name, double asked, double measured) {
    const bool kept = std::ranges::none_of(found.releases, [&](const EvolvingFindings& release) {
      return std::ranges::count(release.broken, name) > 0 ||
             std::ranges::count(release.unproven, name) > 0;
    });
    audit.promises.push_back({name, asked, Clean(measured), kept, BasisOf(name, promise)});
  };
  const sim::Guarantee& asked = promise.guarantee;
  add("k", static_cast<double>(asked.k), static_cast<double>(worst.shape.k));
  add("j", asked.j, worst.shape.j);
  if (asked.beta > 0) add("beta", asked.beta, worst.shape.beta);
  if (asked.t > 0) add("t", asked.t, worst.shape.t);
  const auto& [max_belief, max_gain] = promise.bounds;
  if (max_belief) add("max_belief", *max_belief, reader.strongest_any);
  if (max_gain) add("max_gain", *max_gain, reader.largest_gain_any);
}

Result<contract::AuditReport> AuditEvolving(const EvolvingSeries& series, const Promise& promise,
                                            std::size_t worst, binding::Context& context) {
  contract::AuditReport audit;
  audit.model = promise.model;
  audit.findings = contract::Findings::Of(AskedOf(promise));
  auto& found = audit.findings.As<SimilarityFindings>();
  const std::vector<Estimator> order = InOrder(promise.against);
  sim::Knowledge knowledge;  // of the release in question, for all readers
  std::vector<sim::Reader> readers;
  for (const Estimator estimator : order) {
    readers.emplace_back(knowledge, ReaderOf(promise, estimator));
  }
  Exposures exposures(series, promise);
  CertainPeople certain(series.persons);
  for (std::uint32_t r = 0; r < series.releases.size(); ++r) {
    const EvolvingRelease& release = series.releases[r];
    if (release.knowledge) knowledge = *release.knowledge;
    REISSUE_TRY(sim::Validate(release.snapshot, series.persons, knowledge));
    const ValueRanks ranks = REISSUE_TRY(RanksOf(std::span(series.values).first(knowledge.values),
                                                 series.order, promise.guarantee.ordered));
    EvolvingFindings& findings = found.releases.emplace_back(CountsOf(release));
    exposures.Begin(r);
    std::map<Estimator, ReaderFindings> by;
    sim::Judgement judged;
    for (std::size_t e = 0; e < order.size(); ++e) {
      const sim::Beliefs beliefs =
          readers[e].See(release.snapshot, series.statements[r], context.pool, promise.bounds);
      if (e == 0) {
        findings.shape =
            MeasureShape(release.snapshot, beliefs.divergence, ranks, promise.guarantee.ordered);
        judged = beliefs.judged;
        certain.See(release.snapshot, series.statements[r], beliefs);
      }
      by[order[e]] = FindingsOf(order[e], beliefs);
      exposures.See(order[e], beliefs);
    }
    exposures.End();
    for (const Estimator estimator : kAllEstimators) findings.readers.push_back(by[estimator]);
    JudgeRelease(promise, judged, findings);
  }
  exposures.Report(worst, found);
  audit.exposed = found.exposed;
  audit.exposure = certain.Report();
  AddSimilarity(promise, audit);
  const EvolvingFindings& last = found.releases.back();
  audit.rows = last.rows;
  audit.cells = last.groups;
  audit.smallest = last.shape.k;
  return audit;
}

Result<contract::AuditReport> AuditEvolvingCopies(const io::Policy& policy, const Promise& promise,
                                                  const std::vector<std::string>& files,
                                                  std::size_t worst, binding::Context& context) {
  Background background = REISSUE_TRY(Background::Read(policy, promise, context));
  CopiedSeries copied(policy, std::move(background), context);
  for (const std::string& file : files) REISSUE_TRY(copied.Add(file));
  std::vector<contract::AuditReport::File> read = copied.files();
  const EvolvingSeries series = std::move(copied).Take();
  contract::AuditReport audit = REISSUE_TRY(AuditEvolving(series, promise, worst, context));
  audit.releases = std::move(read);
  return audit;
}

Result<EvolvingSeries> LoadEvolvingSeries(ledger::Vault& vault, const EvolvingState& state,
                                          const io::Policy& policy, const Background& background) {
  EvolvingSeries series;
  series.order = binding::ColumnsOf(policy).order;
  series.values = background.values();
  series.persons = static_cast<std::uint32_t>(state.keys.size());
  for (std::uint32_t release = 1; release <= state.releases; ++release) {
    series.releases.push_back(
        REISSUE_TRY(LoadEvolvingRelease(vault, release, series.values.size())));
  }
  series.statements = REISSUE_TRY(StatementsSoFar(vault, state, background));
  return series;
}

Result<std::vector<std::vector<sim::Statement>>> StatementsSoFar(ledger::Vault& vault,
                                                                 const EvolvingState& state,
                                                                 const Background& background) {
  std::map<ledger::PersonKey, sim::Person> by_key;
  for (sim::Person person = 0; person < state.keys.size(); ++person) {
    by_key.emplace(state.keys[person], person);
  }
  Status failed = Ok();
  const auto number_of = [&](std::string_view id) -> std::optional<sim::Person> {
    const auto key = vault.KeyOf(id);
    if (!key) failed = key.error();
    const auto known = key ? by_key.find(*key) : by_key.end();
    return known == by_key.end() ? std::nullopt : std::optional(known->second);
  };
  std::vector<std::vector<sim::Statement>> statements;
  for (std::uint32_t release = 1; release <= state.releases; ++release) {
    statements.push_back(REISSUE_TRY(background.Statements(release, number_of)));
    REISSUE_TRY(std::move(failed));
    failed = Ok();
  }
  return statements;
}

Result<contract::AuditReport> AuditEvolvingVault(ledger::Vault& vault, const io::Policy& policy,
                                                 const Promise& promise, std::size_t worst,
                                                 binding::Context& context) {
  const EvolvingState state = REISSUE_TRY(LoadEvolvingState(vault));
  if (state.releases == 0) {
    return UsageError("this vault has no release yet", "Publish one first.");
  }
  Background background = REISSUE_TRY(Background::Read(policy, promise, context));
  REISSUE_TRY(background.Restore(state.background));
  const EvolvingSeries series = REISSUE_TRY(LoadEvolvingSeries(vault, state, policy, background));
  contract::AuditReport audit = REISSUE_TRY(AuditEvolving(series, promise, worst, context));
  audit.findings.As<SimilarityFindings>().from_vault = true;
  const auto history = REISSUE_TRY(vault.History());
  for (const ledger::ReleaseRecord& record : history) {
    audit.releases.push_back({record.target, record.rows, 0, 0, record.digest});
  }
  return audit;
}

}  // namespace reissue::models::similarity::service
