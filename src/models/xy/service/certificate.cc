#include "reissue/models/xy/service/certificate.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reissue/binding/hierarchy.h"
#include "reissue/contract/certificate.h"
#include "reissue/models/xy/service/audit.h"

namespace reissue::models::xy::service {
namespace {

using contract::Json;

Result<LinkedFile> ReadCertified(const std::string& path, const std::vector<std::string>& columns,
                                 binding::Context& context) {
  LinkedFile linked = REISSUE_TRY(OpenLinkedFile(path, columns, context));
  linked.columns = columns;
  for (const std::string& name : columns) {
    if (linked.table.Find(name)) continue;
    return InputError({path, 1, std::nullopt, name}, "the file lacks this column",
                      "Give the files that the certificate belongs to.");
  }
  return linked;
}

Status RightPriors(const JoinFacts& facts, const std::vector<binding::PriorFile>& priors) {
  const std::size_t expected = facts.priors.size();
  if (priors.size() != expected) {
    return UsageError(
        fmt::format("the certificate counts on {} earlier release{}, and {} {} given", expected,
                    expected == 1 ? "" : "s", priors.size(), priors.size() == 1 ? "was" : "were"),
        "Give the release, and with --prior each of the earlier ones, in the order in which they "
        "were given when it was made.");
  }
  for (std::size_t p = 0; p < expected; ++p) {
    if (priors[p].name.empty() || priors[p].name == facts.priors[p].name) continue;
    return UsageError(fmt::format("the certificate calls earlier release {} \"{}\", not \"{}\"",
                                  p + 1, facts.priors[p].name, priors[p].name),
                      "Give the earlier releases in its order.");
  }
  return Ok();
}

JoinFacts ReadFacts(const contract::Member& linked) {
  JoinFacts facts;
  facts.columns = linked["columns"].Texts(1);
  facts.numeric = linked["numeric"].Texts();
  facts.dangling = linked["dangling"].Whole();
  for (const contract::Member& prior : linked["priors"].List(1)) {
    facts.priors.push_back({prior["name"].Text(), prior["digest"].Text(), prior["rows"].Whole(),
                            prior["dangling"].Whole(), prior["columns"].Texts(1)});
  }
  return facts;
}

// Those of the release that some x names.
std::vector<std::string> RecodedColumns(const LinkedSchema& schema) {
  std::vector<std::string> names;
  for (const xy::Requirement& requirement : schema.requirements) {
    for (const xy::Attribute& at : requirement.x) {
      if (at.table == 0) names.push_back(schema.ColumnOf(at));
    }
  }
  return names;
}

// Readers have all columns of a file, whatever the certificate says.
void CompareColumns(const BoundLinked& bound, contract::VerifyReport& report) {
  for (const LinkedFile& file : bound.files) {
    std::vector<std::string> there;
    for (const Column& column : file.table.columns()) there.push_back(column.name());
    if (there == file.columns) continue;
    report.Fail(fmt::format("{} has other columns than the certificate says.", file.file));
  }
}

// What the files say otherwise than the certificate about rows, and rows without a partner.
void CompareJoin(const JoinFacts& facts, contract::VerifyReport& report) {
  const contract::AuditReport& audit = report.audit;
  std::vector<std::uint64_t> said = {facts.dangling};
  for (const JoinFacts::Prior& prior : facts.priors) {
    const contract::AuditReport::File& file = audit.releases[said.size()];
    said.push_back(prior.dangling);
    if (prior.rows == file.rows) continue;
    report.Fail(fmt::format("The certificate says {} rows of {}, there are {}.", prior.rows,
                            file.file, file.rows));
  }
  for (std::size_t t = 0; t < said.size(); ++t) {
    const std::uint64_t found = audit.findings.As<JoinFindings>().dangling[t];
    if (said[t] == found) continue;
    report.Fail(
        fmt::format("The certificate says {} row{} of {} without a partner in the join, there {} "
                    "{}.",
                    said[t], said[t] == 1 ? "" : "s", audit.releases[t].file,
                    found == 1 ? "is" : "are", found));
  }
}

// The certified release and the earlier ones, read with what the certificate says and nothing
// else. Usage error: another number of earlier releases. Input error: a column that a file lacks.
Result<BoundLinked> BindCertified(const JoinFacts& facts,
                                  const std::vector<binding::ColumnHierarchy>& hierarchy,
                                  const Promise& promise, const std::string& certificate,
                                  const std::string& release,
                                  const std::vector<binding::PriorFile>& priors,
                                  binding::Context& context) {
  REISSUE_TRY(RightPriors(facts, priors));
  LinkedColumns columns;
  columns.source = certificate;
  columns.numeric.insert(facts.numeric.begin(), facts.numeric.end());
  std::vector<std::string> with_tree;
  for (const binding::ColumnHierarchy& column : hierarchy) with_tree.push_back(column.column);
  const auto trees = REISSUE_TRY(binding::TreesOf(hierarchy, with_tree, certificate));
  for (std::size_t i = 0; i < trees.size(); ++i) columns.trees[with_tree[i]] = trees[i];
  std::vector<LinkedFile> files;
  LinkedFile first = REISSUE_TRY(ReadCertified(release, facts.columns, context));
  files.push_back(std::move(first));
  std::vector<binding::PriorFile> named;
  for (std::size_t p = 0; p < priors.size(); ++p) {
    LinkedFile file = REISSUE_TRY(ReadCertified(priors[p].file, facts.priors[p].columns, context));
    files.push_back(std::move(file));
    named.push_back({facts.priors[p].name, priors[p].file});
  }
  return BindLinked(std::move(columns), promise, std::move(files), named, context);
}

}  // namespace

JoinFacts FactsOf(const BoundLinked& bound, const JoinFindings& audit) {
  JoinFacts facts;
  facts.dangling = audit.dangling[0];
  facts.columns = bound.files[0].columns;
  facts.numeric.assign(bound.columns.numeric.begin(), bound.columns.numeric.end());
  for (std::size_t t = 1; t < bound.files.size(); ++t) {
    facts.priors.push_back({bound.schema.tables[t].name, bound.files[t].digest,
                            bound.files[t].table.total(), audit.dangling[t],
                            bound.files[t].columns});
  }
  return facts;
}

Json FactsJson(const JoinFacts& facts) {
  Json priors = Json::array();
  for (const JoinFacts::Prior& prior : facts.priors) {
    priors.push_back({{"name", prior.name},
                      {"digest", prior.digest},
                      {"rows", prior.rows},
                      {"dangling", prior.dangling},
                      {"columns", prior.columns}});
  }
  return {{"columns", facts.columns},
          {"numeric", facts.numeric},
          {"dangling", facts.dangling},
          {"priors", std::move(priors)}};
}

Status VerifyJoin(const contract::Certificate& certificate, const contract::VerifyTask& task,
                  binding::Context& context, contract::VerifyReport& report) {
  REISSUE_TRY(contract::OneFile(task.releases.size()));
  JoinFacts facts;
  std::vector<binding::ColumnHierarchy> hierarchy;
  REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
    facts = ReadFacts(root["linked"]);
    hierarchy = contract::ReadHierarchy(root["hierarchy"]);
  }));
  const BoundLinked bound =
      REISSUE_TRY(BindCertified(facts, hierarchy, certificate.promise->As<Promise>(),
                                certificate.file, task.releases[0], task.priors, context));
  contract::CompareDigest(certificate, bound.files[0].digest, report);
  for (std::size_t p = 0; p < task.priors.size(); ++p) {
    if (bound.files[p + 1].digest == facts.priors[p].digest) continue;
    report.Fail(
        fmt::format("The earlier release {} is not the one that the certificate counts on: its "
                    "bytes differ.",
                    task.priors[p].file));
  }
  report.audit = AuditLinked(bound);
  contract::Compare(certificate, report.audit, report);
  contract::CompareRecoding(certificate, RecodedColumns(bound.schema), bound.files[0].table,
                            report);
  CompareColumns(bound, report);
  CompareJoin(facts, report);
  return Ok();
}

}  // namespace reissue::models::xy::service
