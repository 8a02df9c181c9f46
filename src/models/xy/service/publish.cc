#include "reissue/models/xy/service/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reissue/binding/release_writer.h"
#include "reissue/contract/certificate.h"
#include "reissue/io/csv.h"
#include "reissue/models/xy/service/audit.h"
#include "reissue/models/xy/service/certificate.h"
#include "reissue/models/xy/service/refusal.h"
#include "reissue/models/xy/service/source.h"

namespace reissue::models::xy::service {
namespace {

class JoinPublication final : public contract::Publication {
 public:
  JoinPublication(const contract::PublishTask& task, const contract::Traits& traits,
                  binding::Context& context)
      : Publication(task, traits, context), asked_(task.promise->As<Promise>()) {}

 private:
  Status Refuse() override {
    REISSUE_TRY(SomePriors(request().priors));
    // Another score or search for this release; what is promised stays.
    if (const Status read = ReadSearch(request().search, policy().file, asked_); !read) {
      return UsageError(read.error().message, read.error().remedy);
    }
    return CheckPriors(request().priors);
  }

  bool WritesParquet() const override { return true; }

  Error SecondRelease(const std::string& last) const override {
    return PromiseError(
        fmt::format("this vault has a release already ({}), and with model \"xy\" every release "
                    "has a promise, and a vault, of its own",
                    last),
        "Start a new vault with a policy for this release, and name everything that is out, that "
        "release too, with --prior.");
  }

  Result<contract::Loaded> Load() override {
    in_ = REISSUE_TRY(LoadInputs(policy(), asked_, request().table, request().priors, context()));
    return contract::Loaded{in_.holder.table.total(), in_.holder.dropped_rows, in_.holder.digest};
  }

  Result<contract::Planned> Plan() override {
    const PublishOptions options{asked_.gain, asked_.search};
    auto outcome =
        Publish(in_.source.source, in_.prior_tables, in_.schema.joins, in_.schema.inconsistent,
                in_.schema.requirements, options, context().pool, context().progress);
    if (!outcome && outcome.error().code == ErrorCode::kPromise) {
      REISSUE_TRY(CanBeKept(in_, asked_, request().priors, context()));  // in better words
    }
    outcome_ = REISSUE_TRY(std::move(outcome));
    search_.score = GainName(asked_.gain);
    search_.steps = outcome_.steps;
    search_.reexamined = outcome_.reexamined;
    report().earlier_releases = static_cast<std::uint32_t>(in_.priors.size());
    return contract::Planned{in_.holder.table.total(), 0, 0};
  }

  Status Write(const std::string& path) override {
    const Cells combinations = BuildCells(in_.holder.table, in_.holder.published, context().pool);
    const std::vector<std::vector<std::string>> texts = Texts();
    REISSUE_TRY(binding::WriteRows(in_.holder.table, in_.holder.published,
                                   binding::FieldByField(texts), combinations, path, random(),
                                   context()));
    report().details = contract::Findings::Of(search_);
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
        search_.as_is.push_back(values.name());
        if (policy().Find(values.name())->role == io::Role::kQuasi) {
          search_.exposed.push_back(values.name());
        }
      }
      std::vector<std::string> fields(plain.size());
      for (std::size_t v = 0; v < plain.size(); ++v) io::AppendField(fields[v], plain[v]);
      texts.push_back(std::move(fields));
    }
    return texts;
  }

  Result<contract::Proof> Attack(const std::string& path,
                                 const std::vector<std::string>&) override {
    binding::Context files_only = context().OfFiles();
    LinkedFile written = REISSUE_TRY(ReadLinkedFile(in_.columns, path, /*first=*/true, files_only));
    contract::Proof proof;
    proof.digest = written.digest;
    proof.fingerprints = {written.fingerprint};
    written.file = report().out;
    std::vector<LinkedFile> files;
    files.push_back(std::move(written));
    for (LinkedFile& prior : in_.priors) files.push_back(std::move(prior));
    bound_ =
        REISSUE_TRY(BindLinked(in_.columns, asked_, std::move(files), request().priors, context()));
    proof.audit = AuditLinked(bound_, contract::kWorstShown);
    proof.kept = proof.audit.satisfied;
    for (std::size_t c = 0; c < in_.source.columns.size(); ++c) DescribeRecoding(c);
    return proof;
  }

  // Labels that occur, no others.
  void DescribeRecoding(std::size_t index) {
    const SourceColumn& column = in_.source.columns[index];
    if (!column.generalised) return;
    const Table& table = bound_.files[0].table;
    const Dictionary& occur = table[*table.Find(column.name)].dictionary();
    contract::PublishReport::Recoded recoded{column.name, {}, column.raw_values};
    for (const std::string& label : LabelsOf(column, outcome_, index)) {
      if (occur.Find(label)) recoded.labels.push_back(label);
    }
    report().recoding.push_back(std::move(recoded));
  }

  void Certify(nlohmann::ordered_json& certificate) const override {
    certificate["recoding"] = contract::RecodingJson(report());
    certificate["hierarchy"] = contract::HierarchyJson(HierarchyOf(bound_));
    certificate["linked"] = FactsJson(FactsOf(bound_, report().audit.findings.As<JoinFindings>()));
  }

  // By role, those that the release has.
  binding::ReleaseColumns CertifiedColumns() const override {
    binding::ReleaseColumns columns = Publication::columns();
    const std::vector<std::string>& there = bound_.files[0].columns;
    for (auto* names : {&columns.quasi, &columns.sensitive, &columns.numeric, &columns.others}) {
      std::erase_if(*names, [&](const std::string& name) {
        return std::find(there.begin(), there.end(), name) == there.end();
      });
    }
    return columns;
  }

  Promise asked_;
  LinkedInputs in_;
  Outcome outcome_;
  JoinSearch search_;
  BoundLinked bound_;
};

}  // namespace

std::unique_ptr<contract::Publication> StartJoin(const contract::PublishTask& task,
                                                 const contract::Traits& traits,
                                                 binding::Context& context) {
  return std::make_unique<JoinPublication>(task, traits, context);
}

}  // namespace reissue::models::xy::service
