#include "reissue/engine/linked_certificate.h"

#include <fmt/format.h>

#include "reissue/engine/series.h"
#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

Result<LinkedFile> ReadCertified(const std::string& path, const std::vector<std::string>& columns,
                                 Context& context) {
  io::CsvOptions options;
  options.expected_columns = columns;
  io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, path, options, context.pool, context.progress));
  LinkedFile linked;
  linked.file = path;
  linked.digest = std::move(file.digest);
  linked.table = std::move(file.table);
  linked.columns = columns;
  for (const std::string& name : columns) {
    if (linked.table.Find(name)) continue;
    return InputError({path, 1, std::nullopt, name}, "the file lacks this column",
                      "Give the files that the certificate belongs to.");
  }
  return linked;
}

Status RightPriors(const LinkedFacts& facts, const std::vector<PriorFile>& priors) {
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

}  // namespace

LinkedFacts FactsOf(const BoundLinked& bound, const LinkedAudit& audit) {
  LinkedFacts facts;
  facts.dangling = audit.dangling[0];
  facts.columns = bound.files[0].columns;
  facts.numeric.assign(bound.columns.numeric.begin(), bound.columns.numeric.end());
  for (std::size_t t = 1; t < bound.files.size(); ++t) {
    facts.priors.push_back({bound.schema.tables[t].name, bound.files[t].digest,
                            bound.files[t].table.rows(), audit.dangling[t],
                            bound.files[t].columns});
  }
  return facts;
}

std::vector<std::string> CompareDangling(const LinkedFacts& facts, const AuditReport& audit) {
  std::vector<std::uint64_t> said = {facts.dangling};
  for (const LinkedFacts::Prior& prior : facts.priors) said.push_back(prior.dangling);
  std::vector<std::string> differences;
  for (std::size_t t = 0; t < said.size(); ++t) {
    const std::uint64_t found = audit.linked->dangling[t];
    if (said[t] == found) continue;
    differences.push_back(
        fmt::format("The certificate says {} row{} of {} without a partner in the join, there {} "
                    "{}.",
                    said[t], said[t] == 1 ? "" : "s", audit.releases[t].file,
                    found == 1 ? "is" : "are", found));
  }
  return differences;
}

Result<BoundLinked> BindCertified(const LinkedFacts& facts,
                                  const std::vector<ColumnHierarchy>& hierarchy,
                                  const LinkedPromise& promise, const std::string& certificate,
                                  const std::string& release, const std::vector<PriorFile>& priors,
                                  Context& context) {
  REISSUE_TRY(RightPriors(facts, priors));
  LinkedColumns columns;
  columns.source = certificate;
  columns.numeric.insert(facts.numeric.begin(), facts.numeric.end());
  ReleaseColumns with_tree;
  for (const ColumnHierarchy& column : hierarchy) with_tree.quasi.push_back(column.column);
  const models::bcf::Taxonomies trees = REISSUE_TRY(TreesOf(hierarchy, with_tree, certificate));
  for (std::size_t i = 0; i < trees.size(); ++i) columns.trees[with_tree.quasi[i]] = trees[i];
  std::vector<LinkedFile> files;
  LinkedFile first = REISSUE_TRY(ReadCertified(release, facts.columns, context));
  files.push_back(std::move(first));
  std::vector<PriorFile> named;
  for (std::size_t p = 0; p < priors.size(); ++p) {
    LinkedFile file = REISSUE_TRY(ReadCertified(priors[p].file, facts.priors[p].columns, context));
    files.push_back(std::move(file));
    named.push_back({facts.priors[p].name, priors[p].file});
  }
  return BindLinked(std::move(columns), promise, std::move(files), named, context);
}

}  // namespace reissue::engine
