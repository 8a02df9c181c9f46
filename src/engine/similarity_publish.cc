#include "reissue/engine/similarity_publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "reissue/core/random.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/invariance_arrival.h"
#include "reissue/engine/invariance_files.h"
#include "reissue/engine/publish_steps.h"
#include "reissue/engine/similarity_audit.h"
#include "reissue/engine/similarity_knowledge.h"
#include "reissue/engine/similarity_state.h"
#include "reissue/engine/similarity_table.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace reissue::engine {
namespace {

namespace sim = models::similarity;

// One call: its parts in the order in which they are filled in.
class EvolvingPublication {
 public:
  EvolvingPublication(const PublishRequest& request, const io::Policy& policy,
                      const Promise& promise, Context& context)
      : request_(request),
        context_(context),
        policy_(policy),
        promise_(promise),
        asked_(*promise.similarity),
        columns_(ColumnsOf(policy)),
        random_(Random::From(request.seed)) {}

  Result<PublishReport> Run() {
    REISSUE_TRY(Prepare());
    table_ = REISSUE_TRY(LoadChanging(policy_, request_.table, context_));
    REISSUE_TRY(Arrive());
    REISSUE_TRY(Believe());
    REISSUE_TRY(Group());
    REISSUE_TRY(Write());
    REISSUE_TRY(Attack());
    REISSUE_TRY(Record());
    return std::move(report_);
  }

 private:
  std::uint32_t number() const { return static_cast<std::uint32_t>(earlier_.size()) + 1; }
  std::size_t rows() const { return table_.holder.table.rows(); }

  // Everything that can be refused before the table is read.
  Status Prepare() {
    if (!request_.search.empty()) {
      return UsageError(
          "model \"j-similarity\" does not search: --score, --search and --budget mean nothing",
          "Leave them out; `algorithm` in the policy says how groups are formed.");
    }
    REISSUE_TRY(CheckTarget(request_, context_));
    REISSUE_TRY(CheckHolderCopy(request_, {}, context_));
    background_ = REISSUE_TRY(Background::Read(policy_, asked_, context_));
    vault_ = REISSUE_TRY(OpenVault(request_, context_));
    if (!vault_) return Ok();
    REISSUE_TRY(MayPublishAgain(*vault_, policy_, promise_, request_));
    const auto history = REISSUE_TRY(vault_->History());
    for (const ledger::ReleaseRecord& record : history) earlier_.push_back(record.digest);
    state_ = REISSUE_TRY(LoadEvolvingState(*vault_));
    if (state_.releases > 0) REISSUE_TRY(background_->Restore(state_.background));
    return Ok();
  }

  // Who is who, and what has changed since the last release. People get numbers in the order in
  // which they first appear.
  Status Arrive() {
    persons_.resize(rows());
    EvolvedRows& evolving = report_.evolving.emplace();
    if (!vault_) {
      for (std::size_t row = 0; row < rows(); ++row) persons_[row] = static_cast<sim::Person>(row);
      evolving.people_new = rows();
    } else {
      const auto keys = REISSUE_TRY(KeysOf(table_.holder, *vault_));
      std::map<ledger::PersonKey, sim::Person> by_key;
      for (sim::Person person = 0; person < state_.keys.size(); ++person) {
        by_key.emplace(state_.keys[person], person);
      }
      for (std::size_t row = 0; row < rows(); ++row) {
        const auto [at, added] =
            by_key.emplace(keys[row], static_cast<sim::Person>(state_.keys.size()));
        if (added) state_.keys.push_back(keys[row]);
        persons_[row] = at->second;
        evolving.people_new += added;
      }
    }
    taken_ = REISSUE_TRY(background_->Take(table_, persons_));
    if (vault_ && state_.releases > 0) REISSUE_TRY(Compare(evolving));
    return Ok();
  }

  Status Compare(EvolvedRows& evolving) {
    const EvolvingRelease last = REISSUE_TRY(LoadEvolvingRelease(*vault_, state_.releases));
    std::unordered_map<sim::Person, sim::Value> before;
    for (std::size_t i = 0; i < last.snapshot.rows.size(); ++i) {
      const sim::Row& row = last.snapshot.rows[i];
      before.emplace(row.person, last.truth.empty() ? row.value : last.truth[i]);
    }
    std::uint64_t stayed = 0;
    for (std::size_t row = 0; row < rows(); ++row) {
      const auto known = before.find(persons_[row]);
      if (known == before.end()) continue;
      ++stayed;
      evolving.changed_values += known->second != taken_.value[row];
    }
    evolving.people_left = before.size() - stayed;
    evolving.people_returned = rows() - stayed - evolving.people_new;
    return Ok();
  }

  // What she believes of everybody before the release.
  Status Believe() {
    REISSUE_TRY(Recall());
    statements_ = REISSUE_TRY(StatementsToday());
    report_.evolving->statements = statements_.size();
    std::unordered_map<sim::Person, std::vector<sim::Statement>> stated;
    for (const sim::Statement& statement : statements_) {
      stated[statement.person].push_back(statement);
    }
    std::map<sim::Distribution, std::uint32_t> known;
    std::unordered_map<std::uint32_t, std::uint32_t> of_kind;  // nobody stated, never seen
    grouped_.belief.resize(rows());
    for (std::size_t row = 0; row < rows(); ++row) {
      const auto about = stated.find(persons_[row]);
      const bool plain = about == stated.end() && !reader_->minds().contains(persons_[row]);
      if (plain) {
        const auto seen = of_kind.find(taken_.kind[row]);
        if (seen != of_kind.end()) {
          grouped_.belief[row] = seen->second;
          continue;
        }
      }
      const auto [at, added] =
          known.emplace(reader_->Before(persons_[row], taken_.kind[row],
                                        about == stated.end() ? std::span<const sim::Statement>()
                                                              : std::span(about->second)),
                        static_cast<std::uint32_t>(grouped_.beliefs.size()));
      if (added) grouped_.beliefs.push_back(at->first);
      grouped_.belief[row] = at->second;
      if (plain) of_kind.emplace(taken_.kind[row], at->second);
    }
    return Ok();
  }

  // Her beliefs after the last release: as kept, unless something else has become known of earlier
  // releases since.
  Status Recall() {
    reader_.emplace(background_->knowledge(), ReaderOf(asked_, asked_.against));
    if (state_.releases == 0) return Ok();
    std::vector<std::string> stated(state_.releases);
    if (!asked_.compromised.empty()) {
      const auto statements = REISSUE_TRY(StatementsSoFar(*vault_, state_, *background_));
      for (std::size_t r = 0; r < statements.size(); ++r) stated[r] = DigestOf(statements[r]);
    }
    if (stated == state_.stated) {
      reader_->Remember(std::move(state_.minds), state_.releases);
      return Ok();
    }
    report_.evolving->replayed = true;
    state_.stated = std::move(stated);
    const EvolvingSeries series =
        REISSUE_TRY(LoadEvolvingSeries(*vault_, state_, policy_, *background_));
    sim::Knowledge knowledge;
    sim::Reader again(knowledge, ReaderOf(asked_, asked_.against));
    for (std::size_t r = 0; r < series.releases.size(); ++r) {
      if (series.releases[r].knowledge) knowledge = *series.releases[r].knowledge;
      again.See(series.releases[r].snapshot, series.statements[r], context_.pool);
    }
    reader_->Remember(std::move(again).TakeMinds(), state_.releases);
    return Ok();
  }

  Result<std::vector<sim::Statement>> StatementsToday() const {
    const Column& column = table_.holder.table[*table_.holder.identifier];
    std::vector<std::optional<sim::Person>> of_text(column.dictionary().size());
    for (std::size_t row = 0; row < rows(); ++row) {
      of_text[column[RowId(row)].index()] = persons_[row];
    }
    return background_->Statements(number(),
                                   [&](std::string_view id) -> std::optional<sim::Person> {
                                     const auto known = column.dictionary().Find(id);
                                     return known ? of_text[known->index()] : std::nullopt;
                                   });
  }

  Status Group() {
    ranks_ = REISSUE_TRY(
        RanksOf(background_->values(), OrderOfValues(policy_), asked_.guarantee.ordered));
    grouped_.points = PlacesOfRows(table_);
    grouped_.values = ranks_.values;
    for (const sim::Value value : taken_.value) grouped_.value.push_back(ranks_.of[value]);
    for (sim::Distribution& belief : grouped_.beliefs) belief = Ranked(belief);
    sim::PublishOptions options;
    options.guarantee = asked_.guarantee;
    options.algorithm = asked_.algorithm;
    options.leftover = asked_.leftover;
    options.seed = random_.Next();
    if (asked_.max_belief || asked_.max_gain) options.watch = WatchToday();
    auto outcome = sim::Publish(grouped_, options, context_.pool);
    if (!outcome) {
      Error error = std::move(outcome).error();
      if (error.code == ErrorCode::kPromise && !error.place) {
        error.place = Place{request_.table, std::nullopt, std::nullopt, ""};
      }
      return error;
    }
    outcome_ = std::move(*outcome);
    std::vector<sim::Value> value_of(ranks_.values, 0);
    for (sim::Value value = 0; value < ranks_.of.size(); ++value)
      value_of[ranks_.of[value]] = value;
    for (sim::Value& shown : outcome_.shown) shown = value_of[shown];
    penalty_ = sim::CertaintyPenalty(grouped_.points, outcome_.group);
    linkage_ = sim::RecordLinkage(grouped_.points, outcome_.group, context_.pool);
    grouped_ = {};  // not needed any more, and large
    release_ = ArrangeGroups(table_, outcome_.group, outcome_.shown, random_);
    Describe();
    return Ok();
  }

  sim::Distribution Ranked(const sim::Distribution& belief) const {
    sim::Distribution ranked(ranks_.values, 0);
    for (sim::Value value = 0; value < belief.size(); ++value) {
      ranked[ranks_.of[value]] = belief[value];
    }
    return ranked;
  }

  sim::Watch WatchToday() {
    sim::Watch watch;
    watch.reader = ReaderOf(asked_, asked_.against);
    watch.max_belief = asked_.max_belief;
    watch.max_gain = asked_.max_gain;
    std::unordered_map<sim::Person, std::uint32_t> row_of;
    for (std::uint32_t row = 0; row < rows(); ++row) row_of.emplace(persons_[row], row);
    for (sim::Statement statement : statements_) {
      statement.person = row_of.at(statement.person);
      statement.value = ranks_.of[statement.value];
      watch.statements.push_back(statement);
    }
    return watch;
  }

  void Describe() {
    EvolvedRows& evolving = *report_.evolving;
    evolving.algorithm = NameOf(asked_.algorithm);
    evolving.leftover = NameOf(asked_.leftover);
    evolving.against = inference::NameOf(asked_.against);
    evolving.repaired = outcome_.repaired;
    evolving.relaxed = outcome_.relaxed;
    evolving.holder_copy = request_.holder_copy;
    report_.newcomers = evolving.people_new;
  }

  // Her frequencies count people who are left out, and so do the numbers of rows by which she
  // chooses among equally likely assignments.
  bool LeftOutCount() const {
    return asked_.prior.kind == KnowledgeSource::Kind::kLearned ||
           asked_.transition.kind == KnowledgeSource::Kind::kLearned ||
           (asked_.against == inference::Estimator::kBayes && !asked_.share_ties);
  }

  Status Write() {
    report_.release = number();
    report_.rows_in = rows();
    report_.rows_out = rows() - outcome_.suppressed;
    report_.suppressed = outcome_.suppressed;
    report_.dropped = table_.holder.dropped_rows;
    report_.earlier_releases = number() - 1;
    const bool first = !vault_;
    REISSUE_TRY(Reserve(request_, policy_, promise_, vault_, pending_, report_, context_));
    if (first) state_.keys = REISSUE_TRY(KeysOf(table_.holder, *vault_));
    REISSUE_TRY(WriteMain(release_, OneTable(), columns_.sensitive, background_->values(),
                          pending_.temporary, random_, context_));
    if (!request_.holder_copy.empty()) REISSUE_TRY(WriteCopy());
    table_keyed_digest_ = REISSUE_TRY(vault_->KeyedDigest(table_.holder.digest));
    table_ = {};  // not needed any more, and large
    return Ok();
  }

  Status WriteCopy() {
    ledger::Companion companion;
    companion.target = Absolute(request_.holder_copy);
    companion.temporary = REISSUE_TRY(vault_->Reserve(companion.target));
    companion.owner_only = true;
    const CopyContents contents{.table = table_,
                                .release = release_,
                                .values = background_->values(),
                                .truth = taken_.value,
                                .with_shown = asked_.leftover == sim::Leftover::kCounterfeit,
                                .left_out = LeftOutCount()};
    REISSUE_TRY(WriteEvolvingCopy(contents, columns_.sensitive, companion.temporary, context_));
    const auto bytes = REISSUE_TRY(context_.files.Read(companion.temporary));
    companion.digest = io::Digest(bytes->view());
    pending_.companions.push_back(std::move(companion));
    return Ok();
  }

  // Reads what was written as its readers will, and runs the reader.
  Status Attack() {
    const ReleasedGroups written =
        REISSUE_TRY(ReadReleased(columns_, OneTable(), pending_.temporary, {}, context_));
    pending_.record.digest = written.digests[0];
    REISSUE_CHECK(written.columns.empty() && Same(written));
    EvolvingRelease now;
    now.snapshot.groups = release_.groups;
    for (std::size_t row = 0; row < persons_.size(); ++row) {
      now.snapshot.rows.push_back(
          {persons_[row], release_.group[row], release_.value[row], taken_.kind[row]});
    }
    if (outcome_.counterfeit > 0) now.truth = taken_.value;
    now.suppressed = outcome_.suppressed;
    now.penalty = penalty_;
    now.linkage = linkage_;
    const sim::Beliefs beliefs = reader_->See(now.snapshot, statements_, context_.pool);
    Judge(now, beliefs);
    const std::string digest = DigestOf(background_->knowledge());
    if (digest != state_.knowledge) now.knowledge = background_->knowledge();
    state_.knowledge = digest;
    state_.stated.push_back(DigestOf(statements_));
    state_.minds = std::move(*reader_).TakeMinds();
    state_.releases = number();
    state_.background = background_->Save();
    pending_.secrets.emplace_back(EvolvingState::kSecret, engine::Save(state_));
    pending_.secrets.emplace_back(ReleaseSecret(number()), engine::Save(now));
    return Ok();
  }

  // Every group of the file has the values that it was given.
  bool Same(const ReleasedGroups& written) const {
    std::map<std::string, std::map<std::string, std::uint64_t>> planned, found;
    for (std::size_t row = 0; row < release_.size(); ++row) {
      if (release_.group[row] == kNoGroup) continue;
      ++planned[std::to_string(release_.group[row] + 1)]
               [Joined(background_->values()[release_.value[row]])];
    }
    for (const ReleasedGroups::Group& group : written.groups) {
      for (const auto& [value, count] : group.values) {
        found[group.name][Joined(written.values[value])] += count;
      }
    }
    return planned == found && written.table.rows() == report_.rows_out;
  }

  void Judge(const EvolvingRelease& now, const sim::Beliefs& beliefs) {
    AuditReport& audit = report_.audit;
    audit.model = promise_.model;
    SimilarityAudit& found = audit.similarity.emplace(AskedOf(asked_));
    EvolvingFindings& findings = found.releases.emplace_back(CountsOf(now));
    findings.shape = MeasureShape(now.snapshot, beliefs.prior, ranks_, asked_.guarantee.ordered);
    findings.readers.push_back(FindingsOf(asked_.against, beliefs));
    JudgeRelease(asked_, findings.readers[0], findings);
    AddSimilarity(asked_, audit);
    audit.rows = findings.rows;
    audit.cells = findings.groups;
    audit.smallest = findings.shape.k;
    audit.releases.push_back(
        {report_.out, audit.rows, audit.cells, audit.smallest, pending_.record.digest});
    const auto about_her = [](const std::string& name) { return name.starts_with("max_"); };
    const bool kept = findings.shape.Keeps(outcome_.relaxed.value_or(asked_.guarantee)) &&
                      std::ranges::none_of(findings.broken, about_her);
    // A publisher that the adversary beats is a bug of ours.
    REISSUE_CHECK(kept);
  }

  Status Record() {
    CertificateFacts facts;
    facts.table_keyed_digest = table_keyed_digest_;
    facts.columns = columns_;
    facts.promise = promise_;
    facts.earlier = earlier_;
    facts.similarity = REISSUE_TRY(FactsOf(asked_, outcome_.relaxed, context_));
    if (asked_.guarantee.ordered) {
      const ValueOrder order = OrderOfValues(policy_);
      facts.promise.order = order.texts;
      facts.promise.numeric_order = order.numeric;
    }
    pending_.record.suppressed = outcome_.suppressed;
    return PutInPlace(std::move(facts), request_, policy_, report_, std::move(pending_), *vault_);
  }

  const PublishRequest& request_;
  Context& context_;
  const io::Policy& policy_;
  const Promise& promise_;
  const SimilarityPromise& asked_;
  ReleaseColumns columns_;
  Random random_;
  std::optional<Background> background_;
  std::optional<ledger::Vault> vault_;
  std::vector<std::string> earlier_;  // digests
  EvolvingState state_;
  ChangingTable table_;
  std::vector<sim::Person> persons_;  // per row
  Background::Taken taken_;
  std::optional<sim::Reader> reader_;
  std::vector<sim::Statement> statements_;  // about this release
  ValueRanks ranks_;
  sim::Table grouped_;
  sim::Outcome outcome_;
  double penalty_ = 0, linkage_ = 0;
  ChangingRelease release_;
  ledger::Vault::Pending pending_;
  std::string table_keyed_digest_;
  PublishReport report_;
};

}  // namespace

Result<PublishReport> PublishEvolving(const PublishRequest& request, const io::Policy& policy,
                                      const Promise& promise, Context& context) {
  return EvolvingPublication(request, policy, promise, context).Run();
}

}  // namespace reissue::engine
