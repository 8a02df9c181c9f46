#include "reissue/models/invariance/service/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/persons.h"
#include "reissue/binding/words.h"
#include "reissue/contract/certificate.h"
#include "reissue/models/invariance/service/arrival.h"
#include "reissue/models/invariance/service/audit.h"
#include "reissue/models/invariance/service/certificate.h"
#include "reissue/models/invariance/service/disguise.h"
#include "reissue/models/invariance/service/forms.h"
#include "reissue/models/invariance/service/gone.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {
namespace {

namespace inv = models::invariance;

class GroupsPublication final : public contract::Publication {
 public:
  GroupsPublication(const contract::PublishTask& task, const contract::Traits& traits,
                    binding::Context& context)
      : Publication(task, traits, context), asked_(task.promise->As<Promise>()) {}

 private:
  Status Refuse() override {
    if (request().search.empty()) return Ok();
    return UsageError(
        "model \"m-invariance\" does not search: --score, --search and --budget mean nothing",
        "Leave them out. Only counterfeits cost something, and as few as possible are made.");
  }

  std::vector<std::string> Suffixes() const override {
    return binding::SuffixesOf(FilesOf(asked_));
  }

  std::vector<std::string> RangesFromData() const override { return ShownRanges(policy(), asked_); }

  // With several threads while the table is read, which asks nothing of the vault.
  Status Recall() override {
    if (context().pool.threads() > 1) {
      try {
        recalled_ = std::async(std::launch::async, [&] { return LoadSeriesState(*vault()); });
        return Ok();
      } catch (const std::system_error&) {  // the machine gives no more of them
      }
    }
    before_ = REISSUE_TRY(LoadSeriesState(*vault()));
    return Ok();
  }

  Result<contract::Loaded> Load() override {
    auto table = binding::LoadGrouped(policy(), request().table, context());
    // What is wrong with the vault is said first.
    if (recalled_.valid()) before_ = REISSUE_TRY(recalled_.get());
    table_ = REISSUE_TRY(std::move(table));
    return contract::Loaded{table_.holder.table.rows(), table_.holder.dropped_rows,
                            table_.holder.digest};
  }

  Result<std::vector<ledger::PersonKey>> Keys() {
    return binding::KeysOf(table_.holder, *vault(), context().pool);
  }

  Result<contract::Planned> Plan() override {
    if (!Fits(before_, table_)) return SenselessSeries();
    std::vector<ledger::PersonKey> keys;
    if (vault() != nullptr) keys = REISSUE_TRY(Keys());
    const ArrivedRows today = REISSUE_TRY(Arrive(table_.sensitive, keys, vault(), before_));
    inv::PublishOptions options;
    options.m = asked_.m;
    options.e = asked_.e;
    options.rule = asked_.rule;
    options.seed = random().Next();
    auto plan = inv::Publish(std::move(before_.state), today.rows, options);
    if (!plan) {
      // The publisher knows no values by name.
      if (plan.error().code == ErrorCode::kPromise) {
        REISSUE_TRY(CheckEligible(table_.sensitive, asked_.m, request().table));
      }
      return std::move(plan).error();
    }
    plan_ = std::move(*plan);
    after_ = std::move(before_);
    Describe(today, after_.counterfeits.size());
    after_.state = std::move(plan_.state);
    keys_ = std::move(keys);
    Disguise(table_, policy(), plan_, after_, random());
    std::vector<std::uint32_t> bucket = plan_.bucket;
    std::vector<std::uint32_t> value;
    value.reserve(bucket.size() + after_.counterfeits.size());
    for (const inv::Present& row : today.rows) value.push_back(row.value);
    for (const Counterfeit& counterfeit : after_.counterfeits) {
      bucket.push_back(after_.state.members[counterfeit.member].bucket);
      value.push_back(after_.state.members[counterfeit.member].value);
    }
    release_ = Arrange(table_, asked_, after_, bucket, std::move(value), random());
    std::vector<bool> used(after_.state.buckets.size());
    for (const std::uint32_t one : bucket) used[one] = true;
    changing_.buckets = static_cast<std::uint64_t>(std::ranges::count(used, true));
    changing_.groups = release_.groups;
    return contract::Planned{release_.size(), 0, after_.counterfeits.size()};
  }

  void Describe(const ArrivedRows& today, std::uint64_t counterfeits_before) {
    ChangedRows& changing = changing_;
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
    changing.holder_copy = request().holder_copy;
    report().newcomers = changing.people_new;
  }

  Status Write(const std::string& path) override {
    if (keys_.empty()) keys_ = REISSUE_TRY(Keys());
    return binding::WriteMain(release_, FilesOf(asked_), columns().sensitive, after_.values, path,
                              random(), context());
  }

  Status WriteBeside(const std::string& suffix, const std::string& path) override {
    changing_.files.push_back(request().out + suffix);
    return binding::WriteBeside(release_, suffix, columns().sensitive, after_.values, path,
                                context());
  }

  Status WriteHolderCopy(const std::string& path) override {
    return service::WriteHolderCopy(release_, table_, after_, columns().sensitive, path, context());
  }

  Status Remember() {
    after_.keys.resize(after_.state.members.size());
    for (std::size_t row = 0; row < keys_.size(); ++row) {
      after_.keys[plan_.member[row]] = keys_[row];
    }
    REISSUE_TRY(TakeOutGone(after_, plan_.merged, *vault(), secrets()));
    Keep(SeriesState::kSecret, Save(after_));
    return Ok();
  }

  // What the vault knows of the series is attacked too.
  Result<contract::Proof> Attack(const std::string& path,
                                 const std::vector<std::string>& beside) override {
    table_ = {};  // not needed any more, and large
    REISSUE_TRY(Remember());
    const binding::ReleasedGroups written =
        REISSUE_TRY(binding::ReadReleased(columns(), FilesOf(asked_), path, beside, context()));
    contract::Proof proof;
    proof.digest = written.digests[0];
    proof.beside.assign(written.digests.begin() + 1, written.digests.end());
    proof.fingerprints = written.fingerprints;
    proof.audit = AuditState(after_, asked_);
    contract::AuditReport& audit = proof.audit;
    audit.rows = written.table.rows();
    audit.cells = written.groups.size();
    audit.smallest = written.groups[0].rows;
    for (const auto& group : written.groups) audit.smallest = std::min(audit.smallest, group.rows);
    audit.releases.push_back(
        {report().out, audit.rows, audit.cells, audit.smallest, written.digests[0]});
    changing_.least_values = written.least_values;
    // As whoever reads the files counts.
    audit.promises[0].measured = static_cast<double>(written.least_values);
    audit.promises[0].basis = contract::Basis::kFiles;
    report().details = contract::Findings::Of(changing_);
    auto& found = audit.findings.As<InvarianceFindings>();
    proof.kept = written.faults.empty() && written.columns.empty() &&
                 written.least_values >= asked_.m && written.groups.size() == release_.groups &&
                 !found.broken;
    if (!audit.satisfied) KeptByRule(found, audit);
    return proof;
  }

  // Where people have come back the state alone does not always prove it anew; the rules by which
  // the release was made do.
  static void KeptByRule(InvarianceFindings& found, contract::AuditReport& audit) {
    audit.satisfied = true;
    if (found.e == 1) return;  // promises nothing
    found.e_by_rule = true;
    found.lower.reset();
    for (contract::PromiseKept& promise : audit.promises) {
      if (promise.name != "e") continue;
      promise.kept = true;
      promise.number = contract::PromiseKept::Number::kNone;
    }
  }

  void Certify(nlohmann::ordered_json& certificate) const override {
    InvarianceFacts facts{asked_.m, asked_.e, {}, {}};
    const std::vector<std::string> suffixes = Suffixes();
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      facts.files.push_back({suffixes[i], beside_digests()[i]});
    }
    if (asked_.counterfeits_published) facts.counterfeits = after_.counterfeits.size();
    certificate["changing"] = FactsJson(facts);
    certificate["recoding"] = contract::RecodingJson(report());
  }

  const Promise& asked_;
  SeriesState before_, after_;
  std::future<Result<SeriesState>> recalled_;  // of `before_`, while it is read
  binding::GroupedTable table_;
  std::vector<ledger::PersonKey> keys_;
  inv::Plan plan_;
  binding::GroupedRelease release_;
  ChangedRows changing_;
};

}  // namespace

Status CheckEligible(const binding::SensitiveCodes& sensitive, std::uint64_t m,
                     const std::string& table) {
  std::vector<inv::Present> rows(sensitive.of_row.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row].value = sensitive.of_row[row];
  const inv::Ineligible found = inv::Eligibility(rows, m);
  if (found.values.empty()) return Ok();
  std::vector<std::uint64_t> counts(sensitive.values.size());
  for (const std::uint32_t value : sensitive.of_row) ++counts[value];
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  const std::string too_frequent =
      found.values.size() == 1
          ? fmt::format("one is in {}", most)
          : fmt::format("{} are in more, the most frequent one in {}", found.values.size(), most);
  return Error{
      ErrorCode::kPromise,
      fmt::format("m = {} cannot be promised: a value may be in at most {} of the {} rows (1/m of "
                  "them), and {}",
                  m, rows.size() / m, rows.size(), too_frequent),
      Place{table, std::nullopt, std::nullopt, ""},
      found.largest_m < 2
          ? std::string("No m works for this table: one value has more than half of the rows. Wait "
                        "for more people with other values, or divide the value into finer ones.")
          : fmt::format("The largest m that works for this table is {}. Promise that in a new "
                        "series, wait for more people with other values, or divide the frequent "
                        "values into finer ones.",
                        found.largest_m)};
}

std::unique_ptr<contract::Publication> StartGroups(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context) {
  return std::make_unique<GroupsPublication>(task, traits, context);
}

}  // namespace reissue::models::invariance::service
