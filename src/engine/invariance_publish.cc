#include "reissue/engine/invariance_publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "reissue/core/random.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/invariance_arrival.h"
#include "reissue/engine/invariance_audit.h"
#include "reissue/engine/invariance_files.h"
#include "reissue/engine/invariance_forms.h"
#include "reissue/engine/invariance_gone.h"
#include "reissue/engine/invariance_state.h"
#include "reissue/engine/publish_steps.h"

namespace reissue::engine {
namespace {

namespace inv = models::invariance;

// One call: its parts in the order in which they are filled in.
class ChangingPublication {
 public:
  ChangingPublication(const PublishRequest& request, const io::Policy& policy,
                      const Promise& promise, Context& context)
      : request_(request),
        context_(context),
        policy_(policy),
        promise_(promise),
        asked_(*promise.invariance),
        columns_(ColumnsOf(policy)),
        random_(Random::From(request.seed)) {}

  Result<PublishReport> Run() {
    REISSUE_TRY(Prepare());
    table_ = REISSUE_TRY(LoadChanging(policy_, request_.table, context_));
    REISSUE_TRY(MakePlan());
    REISSUE_TRY(Write());
    REISSUE_TRY(Attack());
    REISSUE_TRY(Record());
    return std::move(report_);
  }

 private:
  std::uint32_t number() const { return static_cast<std::uint32_t>(earlier_.size()) + 1; }

  // Everything that can be refused before the table is read.
  Status Prepare() {
    if (!request_.search.empty()) {
      return UsageError(
          "model \"m-invariance\" does not search: --score, --search and --budget mean nothing",
          "Leave them out. Only counterfeits cost something, and as few as possible are made.");
    }
    REISSUE_TRY(CheckTarget(request_, context_));
    for (const std::string& suffix : SuffixesOf(asked_)) {
      REISSUE_TRY(IsFree(request_.out + suffix, "A file of a release"));
    }
    REISSUE_TRY(CheckHolderCopy(request_, SuffixesOf(asked_), context_));
    vault_ = REISSUE_TRY(OpenVault(request_, context_));
    if (!vault_) return Ok();
    REISSUE_TRY(MayPublishAgain(*vault_, policy_, promise_, request_));
    const auto history = REISSUE_TRY(vault_->History());
    for (const ledger::ReleaseRecord& record : history) earlier_.push_back(record.digest);
    before_ = REISSUE_TRY(LoadRemembered(*vault_));
    return Ok();
  }

  Status IsFree(const std::string& path, const std::string& what) const {
    if (!context_.files.Exists(path)) return Ok();
    return UsageError(fmt::format("{} exists already", path),
                      fmt::format("{} is never overwritten: choose another name, or move the old "
                                  "file.",
                                  what));
  }

  Status MakePlan() {
    std::vector<ledger::PersonKey> keys;
    if (vault_) keys = REISSUE_TRY(KeysOf(table_.holder, *vault_));
    const Today today =
        REISSUE_TRY(Arrive(table_.sensitive, keys, vault_ ? &*vault_ : nullptr, before_));
    inv::PublishOptions options;
    options.m = asked_.m;
    options.e = asked_.e;
    options.rule = asked_.rule;
    options.seed = random_.Next();
    auto plan = inv::Publish(before_.state, today.rows, options);
    if (!plan) {
      // The publisher knows no values by name.
      if (plan.error().code == ErrorCode::kPromise) {
        REISSUE_TRY(CheckEligible(table_.sensitive, asked_.m, request_.table));
      }
      return std::move(plan).error();
    }
    plan_ = std::move(*plan);
    after_ = std::move(before_);
    Describe(today, after_.counterfeits.size());
    after_.state = std::move(plan_.state);
    keys_ = std::move(keys);
    MakeCounterfeits();
    std::vector<std::uint32_t> bucket = plan_.bucket;
    std::vector<std::uint32_t> value;
    value.reserve(bucket.size() + after_.counterfeits.size());
    for (const inv::Present& row : today.rows) value.push_back(row.value);
    for (const Counterfeit& counterfeit : after_.counterfeits) {
      bucket.push_back(after_.state.members[counterfeit.member].bucket);
      value.push_back(after_.state.members[counterfeit.member].value);
    }
    release_ = Arrange(table_, asked_, after_, bucket, std::move(value), random_);
    std::sort(bucket.begin(), bucket.end());
    report_.changing->buckets =
        static_cast<std::uint64_t>(std::unique(bucket.begin(), bucket.end()) - bucket.begin());
    report_.changing->groups = release_.groups;
    return Ok();
  }

  void Describe(const Today& today, std::uint64_t counterfeits_before) {
    ChangedRows& changing = report_.changing.emplace();
    changing.m = asked_.m;
    changing.e = asked_.e;
    changing.form = FormName(asked_.form);
    changing.counterfeits_published = asked_.counterfeits_published;
    changing.people_new = plan_.newcomers - today.changed_new;
    changing.people_returned = plan_.returned - (today.changed - today.changed_new);
    changing.people_left = plan_.departed - today.changed_there;
    changing.changed_values = today.changed;
    changing.counterfeits_kept = plan_.kept_counterfeits;
    changing.counterfeits_new = plan_.counterfeits.size() - plan_.kept_counterfeits;
    changing.counterfeits_dropped = counterfeits_before - plan_.kept_counterfeits;
    changing.topped_up = plan_.buckets_topped_up;
    changing.holder_copy = request_.holder_copy;
    report_.newcomers = changing.people_new;
  }

  // Old ones look as they did; a new one looks like a random row of its bucket.
  void MakeCounterfeits() {
    std::vector<std::vector<std::uint32_t>> rows_of(after_.state.buckets.size());
    for (std::uint32_t row = 0; row < plan_.bucket.size(); ++row) {
      rows_of[plan_.bucket[row]].push_back(row);
    }
    std::unordered_map<std::uint32_t, Counterfeit> old;
    for (Counterfeit& counterfeit : after_.counterfeits) {
      old.emplace(counterfeit.member, std::move(counterfeit));
    }
    std::vector<Counterfeit> shown;
    for (const std::uint32_t member : plan_.counterfeits) {
      if (const auto known = old.find(member); known != old.end()) {
        shown.push_back(std::move(known->second));
        continue;
      }
      Counterfeit counterfeit{member, ++after_.counterfeits_so_far, {}};
      const auto& rows = rows_of[after_.state.members[member].bucket];
      const std::size_t row = rows.empty() ? random_.Below(table_.holder.table.rows())
                                           : rows[random_.Below(rows.size())];
      for (const ColumnId id : table_.shown) {
        counterfeit.row.emplace_back(table_.holder.table[id].text(RowId(row)));
      }
      shown.push_back(std::move(counterfeit));
    }
    after_.counterfeits = std::move(shown);
    after_.per_release.push_back(after_.counterfeits.size());
  }

  Status Write() {
    report_.release = number();
    report_.rows_in = table_.holder.table.rows();
    report_.rows_out = release_.size();
    report_.dropped = table_.holder.dropped_rows;
    report_.earlier_releases = number() - 1;
    const bool first = !vault_;
    REISSUE_TRY(Reserve(request_, policy_, promise_, vault_, pending_, report_, context_));
    if (first) keys_ = REISSUE_TRY(KeysOf(table_.holder, *vault_));
    REISSUE_TRY(WriteMain(release_, asked_, columns_.sensitive, after_.values, pending_.temporary,
                          random_, context_));
    for (const std::string& suffix : SuffixesOf(asked_)) {
      report_.changing->files.push_back(request_.out + suffix);
      const std::string temporary = REISSUE_TRY(Companion(request_.out + suffix, false));
      REISSUE_TRY(
          WriteBeside(release_, suffix, columns_.sensitive, after_.values, temporary, context_));
    }
    if (!request_.holder_copy.empty()) {
      const std::string temporary = REISSUE_TRY(Companion(request_.holder_copy, true));
      REISSUE_TRY(
          WriteHolderCopy(release_, table_, after_, columns_.sensitive, temporary, context_));
      const auto bytes = REISSUE_TRY(context_.files.Read(temporary));
      pending_.companions.back().digest = io::Digest(bytes->view());
    }
    table_keyed_digest_ = REISSUE_TRY(vault_->KeyedDigest(table_.holder.digest));
    REISSUE_TRY(Remember());
    table_ = {};  // not needed any more, and large
    return Ok();
  }

  // The name of its temporary.
  Result<std::string> Companion(const std::string& target, bool owner_only) {
    ledger::Companion companion;
    companion.target = Absolute(target);
    companion.temporary = REISSUE_TRY(vault_->Reserve(companion.target));
    companion.owner_only = owner_only;
    pending_.companions.push_back(companion);
    return companion.temporary;
  }

  Status Remember() {
    after_.keys.resize(after_.state.members.size());
    for (std::size_t row = 0; row < keys_.size(); ++row) {
      after_.keys[plan_.member[row]] = keys_[row];
    }
    REISSUE_TRY(TakeOutGone(after_, plan_.merged, *vault_, pending_.secrets));
    pending_.secrets.emplace_back(Remembered::kSecret, Save(after_));
    return Ok();
  }

  // Reads what was written as its readers will; attacks it with what the vault knows of the series.
  Status Attack() {
    std::vector<std::string> beside;
    for (const ledger::Companion& companion : pending_.companions) {
      if (!companion.owner_only) beside.push_back(companion.temporary);
    }
    const ReleasedGroups written =
        REISSUE_TRY(ReadReleased(columns_, asked_, pending_.temporary, beside, context_));
    pending_.record.digest = written.digests[0];
    for (std::size_t i = 0; i < beside.size(); ++i) {
      pending_.companions[i].digest = written.digests[i + 1];
    }
    report_.audit = AuditState(after_, asked_);
    report_.audit.rows = written.table.rows();
    report_.audit.cells = written.groups.size();
    report_.audit.smallest = written.groups[0].rows;
    for (const auto& group : written.groups) {
      report_.audit.smallest = std::min(report_.audit.smallest, group.rows);
    }
    report_.audit.releases.push_back({report_.out, report_.audit.rows, report_.audit.cells,
                                      report_.audit.smallest, written.digests[0]});
    report_.changing->least_values = written.least_values;
    // A publisher that the adversary beats is a bug of ours.
    REISSUE_CHECK(written.faults.empty() && written.columns.empty() &&
                  written.least_values >= asked_.m && written.groups.size() == release_.groups &&
                  report_.audit.rows == report_.rows_out && !report_.audit.invariance->broken);
    if (report_.audit.satisfied) return Ok();
    // Where people have come back the state alone does not always prove it anew; the rules by which
    // the release was made do.
    report_.changing->by_rule = true;
    report_.audit.satisfied = true;
    report_.audit.invariance->lower = asked_.e;
    for (PromiseKept& kept : report_.audit.promises) {
      kept.measured = std::max(kept.measured, kept.asked);
      kept.kept = true;
    }
    return Ok();
  }

  // Puts all files in place together.
  Status Record() {
    CertificateFacts facts;
    facts.table_keyed_digest = table_keyed_digest_;
    facts.columns = columns_;
    facts.promise = promise_;
    facts.earlier = earlier_;
    InvarianceFacts& own = facts.invariance.emplace();
    own.promise = asked_;
    const std::vector<std::string> suffixes = SuffixesOf(asked_);
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      own.files.push_back({suffixes[i], pending_.companions[i].digest});
    }
    if (asked_.counterfeits_published) own.counterfeits = after_.counterfeits.size();
    pending_.record.suppressed = after_.counterfeits.size();
    return PutInPlace(std::move(facts), request_, policy_, report_, std::move(pending_), *vault_);
  }

  const PublishRequest& request_;
  Context& context_;
  const io::Policy& policy_;
  const Promise& promise_;
  const InvariancePromise& asked_;
  ReleaseColumns columns_;
  Random random_;
  std::optional<ledger::Vault> vault_;
  std::vector<std::string> earlier_;  // digests
  Remembered before_, after_;
  ChangingTable table_;
  std::vector<ledger::PersonKey> keys_;
  inv::Plan plan_;
  ChangingRelease release_;
  ledger::Vault::Pending pending_;
  std::string table_keyed_digest_;
  PublishReport report_;
};

}  // namespace

Status CheckEligible(const SensitiveCodes& sensitive, std::uint64_t m, const std::string& table) {
  std::vector<inv::Present> rows(sensitive.of_row.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row].value = sensitive.of_row[row];
  const inv::Ineligible found = inv::Eligibility(rows, m);
  if (found.values.empty()) return Ok();
  std::vector<std::uint64_t> counts(sensitive.values.size());
  for (const std::uint32_t value : sensitive.of_row) ++counts[value];
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> named;
  for (const inv::Value value : found.values) {
    if (named.size() == kNamed) {
      named.push_back(fmt::format("{} more are", found.values.size() - kNamed));
      break;
    }
    named.push_back(fmt::format("\"{}\" is in {}", Joined(sensitive.values[value]), counts[value]));
  }
  return Error{
      ErrorCode::kPromise,
      fmt::format("m = {} cannot be promised: a value may be in at most {} of the {} rows (1/m of "
                  "them), and {}",
                  m, rows.size() / m, rows.size(), Listed(named)),
      Place{table, std::nullopt, std::nullopt, ""},
      found.largest_m < 2
          ? std::string("No m works for this table: one value has more than half of the rows. Wait "
                        "for more people with other values, or divide the value into finer ones.")
          : fmt::format("The largest m that works for this table is {}. Promise that in a new "
                        "series, wait for more people with other values, or divide the frequent "
                        "values into finer ones.",
                        found.largest_m)};
}

Result<PublishReport> PublishChanging(const PublishRequest& request, const io::Policy& policy,
                                      const Promise& promise, Context& context) {
  return ChangingPublication(request, policy, promise, context).Run();
}

}  // namespace reissue::engine
