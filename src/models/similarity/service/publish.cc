#include "reissue/models/similarity/service/publish.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/persons.h"
#include "reissue/contract/certificate.h"
#include "reissue/core/let_go.h"
#include "reissue/models/similarity/publisher/publish.h"
#include "reissue/models/similarity/service/audit.h"
#include "reissue/models/similarity/service/certificate.h"
#include "reissue/models/similarity/service/knowledge.h"
#include "reissue/models/similarity/service/state.h"
#include "reissue/models/similarity/service/table.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

struct KeyHash {  // keys are random numbers already
  std::size_t operator()(const ledger::PersonKey& key) const {
    std::size_t hash = 0;
    std::memcpy(&hash, key.data(), sizeof hash);
    return hash;
  }
};

class GroupsPublication final : public contract::Publication {
 public:
  GroupsPublication(const contract::PublishTask& task, const contract::Traits& traits,
                    binding::Context& context)
      : Publication(task, traits, context), asked_(task.promise->As<Promise>()) {}

 private:
  std::size_t rows() const { return table_.holder.table.rows(); }

  Status Refuse() override {
    if (request().search.empty()) return Ok();
    return UsageError(
        "model \"j-similarity\" does not search: --score, --search and --budget mean nothing",
        "Leave them out; `algorithm` in the policy says how groups are formed.");
  }

  Status Recall() override {
    background_ = REISSUE_TRY(Background::Read(policy(), asked_, context()));
    state_ = REISSUE_TRY(LoadEvolvingState(*vault()));
    return state_.releases > 0 ? background_->Restore(state_.background) : Ok();
  }

  Result<contract::Loaded> Load() override {
    if (!background_) {
      background_ = REISSUE_TRY(Background::Read(policy(), asked_, context()));
    }
    table_ = REISSUE_TRY(binding::LoadGrouped(policy(), request().table, context()));
    return contract::Loaded{rows(), table_.holder.dropped_rows, table_.holder.digest};
  }

  Result<contract::Planned> Plan() override {
    REISSUE_TRY(Arrive());
    REISSUE_TRY(Believe());
    REISSUE_TRY(Group());
    const std::uint64_t left_out = outcome_.suppressed;
    return contract::Planned{rows() - left_out, left_out, left_out};
  }

  // Who is who, and what has changed since the last release. People get numbers in the order in
  // which they first appear.
  Status Arrive() {
    persons_.resize(rows());
    EvolvedRows& evolving = evolving_;
    if (vault() == nullptr) {
      for (std::size_t row = 0; row < rows(); ++row) persons_[row] = static_cast<sim::Person>(row);
      evolving.people_new = rows();
    } else {
      const auto keys = REISSUE_TRY(binding::KeysOf(table_.holder, *vault(), context().pool));
      std::unordered_map<ledger::PersonKey, sim::Person, KeyHash> by_key;
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
    coded_ = REISSUE_TRY(background_->Take(table_, persons_));
    if (vault() != nullptr && state_.releases > 0) REISSUE_TRY(Compare(evolving));
    return Ok();
  }

  Status Compare(EvolvedRows& evolving) {
    const EvolvingRelease last =
        REISSUE_TRY(LoadEvolvingRelease(*vault(), state_.releases, background_->values().size()));
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
      evolving.changed_values += known->second != coded_.value[row];
    }
    evolving.people_left = before.size() - stayed;
    evolving.people_returned = rows() - stayed - evolving.people_new;
    return Ok();
  }

  // What she believes of everybody before the release.
  Status Believe() {
    REISSUE_TRY(TakeUpReader());
    statements_ = REISSUE_TRY(StatementsToday());
    evolving_.statements = statements_.size();
    std::unordered_map<sim::Person, std::vector<sim::Statement>> stated;
    for (const sim::Statement& statement : statements_) {
      stated[statement.person].push_back(statement);
    }
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      return grouped_.beliefs[a] < grouped_.beliefs[b];
    };
    std::set<std::uint32_t, decltype(less)> known(less);
    std::unordered_map<std::uint32_t, std::uint32_t> of_kind;  // nobody stated, never seen
    grouped_.belief.resize(rows());
    for (std::size_t row = 0; row < rows(); ++row) {
      const auto about = stated.find(persons_[row]);
      const bool plain =
          about == stated.end() && !reader_->person_beliefs().contains(persons_[row]);
      if (plain) {
        const auto seen = of_kind.find(coded_.kind[row]);
        if (seen != of_kind.end()) {
          grouped_.belief[row] = seen->second;
          continue;
        }
      }
      grouped_.beliefs.push_back(reader_->Before(
          persons_[row], coded_.kind[row],
          about == stated.end() ? std::span<const sim::Statement>() : std::span(about->second)));
      const auto [at, added] =
          known.insert(static_cast<std::uint32_t>(grouped_.beliefs.size() - 1));
      if (!added) grouped_.beliefs.pop_back();
      grouped_.belief[row] = *at;
      if (plain) of_kind.emplace(coded_.kind[row], *at);
    }
    return Ok();
  }

  // Her beliefs after the last release: as kept, unless something else has become known of earlier
  // releases since.
  Status TakeUpReader() {
    reader_.emplace(background_->knowledge(), ReaderOf(asked_, asked_.against));
    if (state_.releases == 0) return Ok();
    std::vector<std::string> stated(state_.releases);
    if (!asked_.compromised.empty()) {
      const auto statements = REISSUE_TRY(StatementsSoFar(*vault(), state_, *background_));
      for (std::size_t r = 0; r < statements.size(); ++r) stated[r] = DigestOf(statements[r]);
    }
    if (stated == state_.stated) {
      reader_->Remember(std::move(state_.person_beliefs), state_.releases);
      return Ok();
    }
    evolving_.replayed = true;
    state_.stated = std::move(stated);
    const EvolvingSeries series =
        REISSUE_TRY(LoadEvolvingSeries(*vault(), state_, policy(), *background_));
    sim::Knowledge knowledge;
    sim::Reader again(knowledge, ReaderOf(asked_, asked_.against));
    for (std::size_t r = 0; r < series.releases.size(); ++r) {
      if (series.releases[r].knowledge) knowledge = *series.releases[r].knowledge;
      REISSUE_TRY(sim::Validate(series.releases[r].snapshot, series.persons, knowledge));
      again.See(series.releases[r].snapshot, series.statements[r], context().pool, {},
                sim::Detail::kSummary);
    }
    reader_->Remember(std::move(again).TakePersonBeliefs(), state_.releases);
    return Ok();
  }

  Result<std::vector<sim::Statement>> StatementsToday() const {
    const reissue::Column& column = table_.holder.table[*table_.holder.identifier];
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
    ranks_ = REISSUE_TRY(RanksOf(background_->values(), columns().order, asked_.guarantee.ordered));
    grouped_.points = PlacesOfRows(table_);
    grouped_.values = ranks_.values;
    for (const sim::Value value : coded_.value) grouped_.value.push_back(ranks_.of[value]);
    for (sim::Distribution& belief : grouped_.beliefs) belief = Ranked(belief);
    sim::PublishOptions options;
    options.guarantee = asked_.guarantee;
    options.algorithm = asked_.algorithm;
    options.leftover = asked_.leftover;
    options.seed = random().Next();
    if (asked_.bounds.any()) options.limits = LimitsToday();
    auto outcome = sim::Publish(grouped_, options, context().pool);
    if (!outcome) {
      Error error = std::move(outcome).error();
      if (error.code == ErrorCode::kPromise && !error.place) {
        error.place = Place{request().table, std::nullopt, std::nullopt, ""};
      }
      return error;
    }
    outcome_ = std::move(*outcome);
    std::vector<sim::Value> value_of(ranks_.values, 0);
    for (sim::Value value = 0; value < ranks_.of.size(); ++value)
      value_of[ranks_.of[value]] = value;
    for (sim::Value& shown : outcome_.shown) shown = value_of[shown];
    penalty_ = sim::CertaintyPenalty(grouped_.points, outcome_.group);
    linkage_ = sim::RecordLinkage(grouped_.points, outcome_.group, context().pool);
    grouped_ = {};  // not needed any more, and large
    release_ = ArrangeGroups(table_, outcome_.group, outcome_.shown, random());
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

  sim::ReaderLimits LimitsToday() {
    sim::ReaderLimits limits;
    limits.reader = ReaderOf(asked_, asked_.against);
    limits.bounds = asked_.bounds;
    std::unordered_map<sim::Person, std::uint32_t> row_of;
    for (std::uint32_t row = 0; row < rows(); ++row) row_of.emplace(persons_[row], row);
    for (sim::Statement statement : statements_) {
      statement.person = row_of.at(statement.person);
      statement.value = ranks_.of[statement.value];
      limits.statements.push_back(statement);
    }
    return limits;
  }

  void Describe() {
    EvolvedRows& evolving = evolving_;
    evolving.algorithm = NameOf(asked_.algorithm);
    evolving.leftover = NameOf(asked_.leftover);
    evolving.against = inference::NameOf(asked_.against);
    evolving.repaired = outcome_.repaired;
    evolving.relaxed = outcome_.relaxed;
    evolving.holder_copy = request().holder_copy;
    report().newcomers = evolving.people_new;
  }

  // Her frequencies count people who are left out, and so do the numbers of rows by which she
  // chooses among equally likely assignments.
  bool LeftOutCount() const {
    return asked_.prior.kind == KnowledgeSource::Kind::kLearned ||
           asked_.transition.kind == KnowledgeSource::Kind::kLearned ||
           (asked_.against == inference::Estimator::kBayes && !asked_.share_ties);
  }

  Status Write(const std::string& path) override {
    if (number() == 1) {
      state_.keys = REISSUE_TRY(binding::KeysOf(table_.holder, *vault(), context().pool));
    }
    return binding::WriteMain(release_, {}, columns().sensitive, background_->values(), path,
                              random(), context());
  }

  Status WriteHolderCopy(const std::string& path) override {
    const CopyContents contents{.table = table_,
                                .release = release_,
                                .values = background_->values(),
                                .truth = coded_.value,
                                .with_shown = asked_.leftover == sim::Leftover::kCounterfeit,
                                .left_out = LeftOutCount()};
    return WriteEvolvingCopy(contents, columns().sensitive, path, context());
  }

  // Runs the reader. Whatever is not needed any more goes before something else is made: all of it
  // is large.
  Result<contract::Proof> Attack(const std::string& path,
                                 const std::vector<std::string>&) override {
    table_ = {};
    const auto [digest, fingerprint, same] = REISSUE_TRY(ReadBack(path));
    EvolvingRelease now = ReleaseToday();
    const sim::Beliefs beliefs = reader_->See(now.snapshot, statements_, context().pool,
                                              asked_.bounds, sim::Detail::kSummary);
    contract::Proof proof = Judge(now, beliefs, digest);
    proof.fingerprints = {fingerprint};
    proof.kept = proof.kept && same;
    REISSUE_TRY(Remember(std::move(now)));
    return proof;
  }

  // Digest and fingerprint of the file, and whether it has what was planned.
  Result<std::tuple<std::string, io::Fingerprint, bool>> ReadBack(const std::string& path) {
    const binding::ReleasedGroups written =
        REISSUE_TRY(binding::ReadReleased(columns(), {}, path, {}, context()));
    return std::tuple(written.digests[0], written.fingerprints[0],
                      written.columns.empty() && Same(written));
  }

  EvolvingRelease ReleaseToday() {
    EvolvingRelease now;
    now.snapshot.groups = release_.groups;
    now.snapshot.rows.reserve(persons_.size());
    for (std::size_t row = 0; row < persons_.size(); ++row) {
      now.snapshot.rows.push_back(
          {persons_[row], release_.group[row], release_.value[row], coded_.kind[row]});
    }
    if (outcome_.counterfeit > 0) now.truth = coded_.value;
    now.suppressed = outcome_.suppressed;
    now.penalty = penalty_;
    now.linkage = linkage_;
    release_ = {};
    persons_ = {};
    coded_ = {};
    LetGo(outcome_.group);
    LetGo(outcome_.shown);
    return now;
  }

  // Every group of the file has the values that it was given.
  bool Same(const binding::ReleasedGroups& written) const {
    if (written.table.rows() != report().rows_out) return false;
    std::map<std::string, sim::Value> number;  // of what is written for a value
    std::vector<sim::Value> number_of;
    for (sim::Value value = 0; value < background_->values().size(); ++value) {
      number_of.push_back(
          number.emplace(binding::Joined(background_->values()[value]), value).first->second);
    }
    using Entry = std::pair<std::uint32_t, sim::Value>;  // a row: its group and value
    std::vector<Entry> planned, found;
    for (std::size_t row = 0; row < release_.size(); ++row) {
      if (release_.group[row] == binding::kNoGroup) continue;
      planned.push_back({release_.group[row], number_of[release_.value[row]]});
    }
    for (const binding::ReleasedGroups::Group& group : written.groups) {
      const std::optional<std::uint32_t> named = GroupNamed(group.name);
      for (const auto& [code, count] : group.values) {
        const auto value = number.find(binding::Joined(written.values[code]));
        if (!named || value == number.end()) return false;
        found.insert(found.end(), count, {*named, value->second});
      }
    }
    std::ranges::sort(planned);
    std::ranges::sort(found);
    return planned == found;
  }

  // Groups are written with numbers from 1.
  static std::optional<std::uint32_t> GroupNamed(const std::string& name) {
    std::uint32_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number == 0 || std::to_string(number) != name) return std::nullopt;
    return number - 1;
  }

  contract::Proof Judge(const EvolvingRelease& now, const sim::Beliefs& beliefs,
                        const std::string& digest) {
    contract::Proof proof;
    proof.digest = digest;
    contract::AuditReport& audit = proof.audit;
    audit.model = asked_.model;
    audit.findings = contract::Findings::Of(AskedOf(asked_));
    EvolvingFindings& findings =
        audit.findings.As<SimilarityFindings>().releases.emplace_back(CountsOf(now));
    findings.shape =
        MeasureShape(now.snapshot, beliefs.divergence, ranks_, asked_.guarantee.ordered);
    findings.readers.push_back(FindingsOf(asked_.against, beliefs));
    JudgeRelease(asked_, beliefs.judged, findings);
    AddSimilarity(asked_, audit);
    audit.rows = findings.rows;
    audit.cells = findings.groups;
    audit.smallest = findings.shape.k;
    audit.releases.push_back({report().out, audit.rows, audit.cells, audit.smallest, digest});
    const auto about_her = [](const std::string& name) { return name.starts_with("max_"); };
    proof.kept = findings.shape.Keeps(outcome_.relaxed.value_or(asked_.guarantee)) &&
                 std::ranges::none_of(findings.broken, about_her) && findings.unproven.empty();
    return proof;
  }

  Status Remember(EvolvingRelease now) {
    const std::string digest = DigestOf(background_->knowledge());
    if (digest != state_.knowledge) now.knowledge = background_->knowledge();
    state_.knowledge = digest;
    state_.stated.push_back(DigestOf(statements_));
    state_.person_beliefs = std::move(*reader_).TakePersonBeliefs();
    state_.releases = number();
    state_.background = background_->Save();
    Keep(EvolvingState::kSecret, Save(state_));
    state_ = {};  // large
    Keep(ReleaseSecret(number()), Save(now));
    report().details = contract::Findings::Of(evolving_);
    facts_ = REISSUE_TRY(FactsOf(asked_, *vault(), context()));
    return Ok();
  }

  void Certify(nlohmann::ordered_json& certificate) const override {
    certificate["evolving"] = FactsJson(facts_);
    certificate["recoding"] = contract::RecodingJson(report());
  }

  const Promise& asked_;
  std::optional<Background> background_;
  EvolvingState state_;
  binding::GroupedTable table_;
  std::vector<sim::Person> persons_;  // per row
  Background::CodedRows coded_;
  std::optional<sim::Reader> reader_;
  std::vector<sim::Statement> statements_;  // about this release
  ValueRanks ranks_;
  sim::Table grouped_;
  sim::Outcome outcome_;
  double penalty_ = 0, linkage_ = 0;
  binding::GroupedRelease release_;
  EvolvedRows evolving_;
  SimilarityFacts facts_;
};

}  // namespace

std::unique_ptr<contract::Publication> StartGroups(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context) {
  return std::make_unique<GroupsPublication>(task, traits, context);
}

}  // namespace reissue::models::similarity::service
