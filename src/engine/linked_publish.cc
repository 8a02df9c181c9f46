#include "reissue/engine/linked_publish.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/core/random.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/linked_audit.h"
#include "reissue/engine/linked_source.h"
#include "reissue/engine/publish_steps.h"
#include "reissue/engine/release_writer.h"
#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

namespace xy = models::xy;

// One call: its parts in the order in which they are filled in.
class LinkedPublication {
 public:
  LinkedPublication(const PublishRequest& request, const io::Policy& policy, const Promise& promise,
                    Context& context)
      : request_(request), context_(context), policy_(policy), promise_(promise) {}

  Result<PublishReport> Run() {
    REISSUE_TRY(Prepare());
    in_ = REISSUE_TRY(LoadInputs(policy_, linked(), request_.table, request_.priors, context_));
    REISSUE_TRY(Search());
    REISSUE_TRY(Write());
    REISSUE_TRY(Attack());
    REISSUE_TRY(Record());
    return std::move(report_);
  }

 private:
  LinkedPromise& linked() { return *promise_.linked; }

  // Everything that can be refused before the table is read.
  Status Prepare() {
    REISSUE_TRY(Override());
    REISSUE_TRY(CheckPriors(request_.priors));
    REISSUE_TRY(CheckTarget(request_, context_));
    vault_ = REISSUE_TRY(OpenVault(request_, context_));
    if (!vault_) return Ok();
    return MayPublishAgain(*vault_, policy_, promise_, request_);
  }

  // Another score or search for this release; what is promised stays.
  Status Override() {
    if (request_.search.empty()) return Ok();
    Settings settings = policy_.guarantee;
    for (const auto& [key, value] : request_.search) {
      std::erase_if(settings, [&](const auto& setting) { return setting.first == key; });
      settings.emplace_back(key, value);
    }
    const auto other = ReadLinkedPromise(settings, policy_.file);
    if (!other) return UsageError(other.error().message, other.error().remedy);
    linked().gain = other->gain;
    linked().search = other->search;
    return Ok();
  }

  Status Search() {
    REISSUE_TRY(CanBeKept());
    const xy::PublishOptions options{linked().gain, linked().search};
    outcome_ = REISSUE_TRY(xy::Publish(in_.source.source, in_.prior_tables, in_.schema.joins,
                                       in_.schema.inconsistent, in_.schema.requirements, options,
                                       context_.pool, context_.progress));
    return Ok();
  }

  // The most general release says it in numbers if nothing can be done.
  Status CanBeKept() {
    xy::Linked general;
    general.tables.push_back(xy::Published(in_.source.source, MostGeneral(in_.source)));
    general.tables.insert(general.tables.end(), in_.prior_tables.begin(), in_.prior_tables.end());
    general.joins = in_.schema.joins;
    general.inconsistent = in_.schema.inconsistent;
    const xy::Report report = xy::Attack(general, in_.schema.requirements, 1);
    if (report.satisfied) return Ok();
    std::vector<std::string> files = {"the release"};
    for (const PriorFile& prior : request_.priors) files.push_back(prior.file);
    const LinkedAudit audit = DescribeLinked(linked(), in_.schema, in_.codes, files, report);
    for (std::size_t r = 0; r < audit.requirements.size(); ++r) {
      const LinkedRequirementAudit& requirement = audit.requirements[r];
      if (requirement.satisfied) continue;
      return PromiseError(
          fmt::format("requirement {} ({}) cannot be kept: even the most general release breaks "
                      "it. {}",
                      r + 1, requirement.asked.anonymity() ? "anonymity" : "linkability",
                      requirement.worst.empty() ? "" : requirement.worst[0].words),
          WhatToDo(in_.schema.requirements[r]));
    }
    REISSUE_CHECK(false);
    return Ok();
  }

  // About a requirement that the most general release breaks.
  std::string WhatToDo(const xy::Requirement& requirement) const {
    for (const xy::Attribute& column : requirement.y) {
      if (column.table != 0 || !in_.source.columns[column.column].generalised) continue;
      return fmt::format(
          "\"{}\" is in y here and in the x of another requirement, so it is generalised, and the "
          "most general release has a single value of it. Take it out of one of the two.",
          in_.schema.ColumnOf(column));
    }
    return "Promise less (a lower k, a higher confidence, fewer columns in x), or publish fewer "
           "columns: what is out already cannot be changed.";
  }

  Status Write() {
    report_.rows_in = report_.rows_out = in_.holder.table.rows();
    report_.dropped = in_.holder.dropped_rows;
    report_.earlier_releases = static_cast<std::uint32_t>(in_.priors.size());
    report_.score = GainName(linked().gain);
    report_.linked = PublishReport::LinkedSearch{outcome_.steps, outcome_.reexamined, {}, {}};
    REISSUE_TRY(Reserve(request_, policy_, promise_, vault_, pending_, report_, context_));
    const Cells combinations = BuildCells(in_.holder.table, in_.holder.published, context_.pool);
    Random random = Random::From(request_.seed);
    REISSUE_TRY(WriteRows(in_.holder.table, in_.holder.published, Texts(), combinations, nullptr,
                          pending_.temporary, random, context_));
    table_keyed_digest_ = REISSUE_TRY(vault_->KeyedDigest(in_.holder.digest));
    in_.holder = {};  // the table is not needed any more, and large
    return Ok();
  }

  // The fields of every value of every published column; says which columns stay as they are.
  std::vector<std::vector<std::string>> Texts() {
    std::vector<std::vector<std::string>> texts;
    for (const ColumnId id : in_.holder.published) {
      const Column& values = in_.holder.table[id];
      const auto at = std::find_if(in_.source.columns.begin(), in_.source.columns.end(),
                                   [&](const SourceColumn& column) { return column.id == id; });
      std::vector<std::string> plain;
      if (at == in_.source.columns.end()) {
        plain.assign(values.dictionary().strings().begin(), values.dictionary().strings().end());
      } else {
        plain = TextsOf(*at, values, outcome_,
                        static_cast<std::size_t>(at - in_.source.columns.begin()));
      }
      if (at == in_.source.columns.end() || !at->generalised) {
        report_.linked->as_is.push_back(values.name());
        if (policy_.Find(values.name())->role == io::Role::kQuasi) {
          report_.linked->exposed.push_back(values.name());
        }
      }
      std::vector<std::string> fields(plain.size());
      for (std::size_t v = 0; v < plain.size(); ++v) io::AppendField(fields[v], plain[v]);
      texts.push_back(std::move(fields));
    }
    return texts;
  }

  // Reads what was written as its readers will, and attacks that with what they have already.
  Status Attack() {
    LinkedFile written =
        REISSUE_TRY(ReadLinkedFile(in_.columns, pending_.temporary, /*first=*/true, context_));
    pending_.record.digest = written.digest;
    written.file = report_.out;
    std::vector<LinkedFile> files;
    files.push_back(std::move(written));
    for (LinkedFile& prior : in_.priors) files.push_back(std::move(prior));
    bound_ =
        REISSUE_TRY(BindLinked(in_.columns, linked(), std::move(files), request_.priors, context_));
    report_.audit = AuditLinked(bound_, kWorstShown);
    // A publisher that the adversary beats is a bug of ours.
    REISSUE_CHECK(report_.audit.satisfied && report_.audit.rows == report_.rows_out);
    for (std::size_t c = 0; c < in_.source.columns.size(); ++c) DescribeRecoding(c);
    return Ok();
  }

  // Labels that occur, no others.
  void DescribeRecoding(std::size_t index) {
    const SourceColumn& column = in_.source.columns[index];
    if (!column.generalised) return;
    const Table& table = bound_.files[0].table;
    const Dictionary& occur = table[*table.Find(column.name)].dictionary();
    PublishReport::Recoded recoded{column.name, {}, column.raw_values};
    for (const std::string& label : LabelsOf(column, outcome_, index)) {
      if (occur.Find(label)) recoded.labels.push_back(label);
    }
    report_.recoding.push_back(std::move(recoded));
  }

  // Puts release and certificate in place together.
  Status Record() {
    CertificateFacts facts;
    facts.table_keyed_digest = table_keyed_digest_;
    facts.columns = PublishedColumns();
    facts.promise = promise_;
    facts.hierarchy = HierarchyOf(bound_);
    facts.linked = FactsOf(bound_, *report_.audit.linked);
    return PutInPlace(std::move(facts), request_, policy_, report_, std::move(pending_), *vault_);
  }

  // By role, those that the release has.
  ReleaseColumns PublishedColumns() const {
    ReleaseColumns columns = ColumnsOf(policy_);
    const std::vector<std::string>& there = bound_.files[0].columns;
    for (auto* names : {&columns.quasi, &columns.sensitive, &columns.numeric, &columns.others}) {
      std::erase_if(*names, [&](const std::string& name) {
        return std::find(there.begin(), there.end(), name) == there.end();
      });
    }
    return columns;
  }

  const PublishRequest& request_;
  Context& context_;
  const io::Policy& policy_;
  Promise promise_;
  std::optional<ledger::Vault> vault_;
  LinkedInputs in_;
  xy::Outcome outcome_;
  BoundLinked bound_;
  ledger::Vault::Pending pending_;
  std::string table_keyed_digest_;
  PublishReport report_;
};

}  // namespace

Result<PublishReport> PublishLinked(const PublishRequest& request, const io::Policy& policy,
                                    const Promise& promise, Context& context) {
  return LinkedPublication(request, policy, promise, context).Run();
}

}  // namespace reissue::engine
