#include "reissue/models/xy/service/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reissue/models/xy/service/words.h"

namespace reissue::models::xy::service {
namespace {

void AddPromises(const JoinFindings& linked, contract::AuditReport& audit) {
  for (std::size_t r = 0; r < linked.requirements.size(); ++r) {
    const RequirementFindings& requirement = linked.requirements[r];
    contract::PromiseKept promise;
    promise.name =
        fmt::format("{} {}", requirement.asked.anonymity() ? "anonymity" : "linkability", r + 1);
    promise.kept = requirement.satisfied;
    if (requirement.asked.anonymity()) {
      promise.asked = static_cast<double>(requirement.asked.k);
      promise.measured = requirement.anonymity ? static_cast<double>(*requirement.anonymity)
                                               : std::numeric_limits<double>::infinity();
    } else {
      promise.asked = requirement.asked.confidence;
      promise.measured = requirement.linkability.value_or(0);
    }
    audit.promises.push_back(std::move(promise));
  }
}

// Of the requirement whose reader is certain of most: what each of them knows is another x.
contract::Exposure ExposureOf(const xy::Report& found,
                              const std::vector<xy::Requirement>& requirements) {
  using contract::Exposure;
  std::uint64_t one_row = 0;
  std::optional<std::uint64_t> certain;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    const xy::RequirementReport& about = found.requirements[r];
    one_row = std::max(one_row, about.one_row);
    if (requirements[r].kind == xy::Requirement::Kind::kAnonymity) continue;
    certain = std::max(certain.value_or(0), about.certain);
  }
  Exposure exposure;
  exposure.combinations = true;
  exposure.singled_out = Exposure::Exactly(one_row);
  if (certain) exposure.value_certain = Exposure::Exactly(*certain);
  return exposure;
}

// For each x of the promise and each sensitive column of each file that is not part of it: how sure
// its values are.
std::vector<AskedRequirement> LinksTo(const std::vector<std::string>& sensitive,
                                      const BoundLinked& bound) {
  std::vector<AskedRequirement> links;
  for (std::size_t r = 0; r < bound.promise.requirements.size(); ++r) {
    const std::vector<xy::Attribute>& x = bound.schema.requirements[r].x;
    for (std::size_t t = 0; t < bound.files.size(); ++t) {
      const std::string& table = bound.schema.tables[t].name;
      for (const std::string& column : sensitive) {
        const auto in_x = [&](const xy::Attribute& at) {
          return at.table == t && bound.schema.ColumnOf(at) == column;
        };
        if (std::ranges::find(bound.files[t].columns, column) == bound.files[t].columns.end() ||
            std::ranges::any_of(x, in_x))
          continue;
        AskedRequirement& link = links.emplace_back();
        link.kind = xy::Requirement::Kind::kLinkability;
        link.x = bound.promise.requirements[r].x;
        link.y = {table.empty() ? column : table + "." + column};
      }
    }
  }
  return links;
}

}  // namespace

JoinFindings DescribeLinked(const Promise& promise, const LinkedSchema& schema,
                            const std::vector<std::vector<LinkedCodes>>& codes,
                            const std::vector<std::string>& files, const xy::Report& report) {
  JoinFindings audit;
  const Namer name(schema, codes);
  for (const LinkedSchema::Table& table : schema.tables) audit.names.push_back(table.name);
  for (const auto& join : schema.joins) audit.joined_on.push_back(schema.ColumnOf(join[0]));
  for (std::size_t r = 0; r < report.requirements.size(); ++r) {
    const xy::RequirementReport& found = report.requirements[r];
    RequirementFindings requirement;
    requirement.asked = promise.requirements[r];
    requirement.satisfied = found.satisfied;
    requirement.anonymity = found.anonymity;
    requirement.linkability = found.linkability;
    requirement.violating = found.violating;
    requirement.counted = found.counted;
    for (const xy::Finding& finding : found.worst) {
      requirement.worst.push_back(
          Describe(finding, requirement.asked, schema.requirements[r], name, files));
    }
    audit.requirements.push_back(std::move(requirement));
  }
  audit.join_rows = report.join_rows;
  audit.dangling = report.dangling;
  audit.by_classes = report.by_classes;
  audit.notes = schema.notes;
  return audit;
}

contract::AuditReport AuditLinked(const BoundLinked& bound, std::size_t worst) {
  const xy::Report found =
      xy::Attack(bound.linked, bound.schema.requirements, worst, xy::Wanted::kAll);
  contract::AuditReport audit;
  audit.model = bound.promise.model;
  audit.satisfied = found.satisfied;
  std::vector<std::string> files;
  for (const LinkedFile& file : bound.files) {
    audit.releases.push_back({file.file, file.table.total(), 0, 0, file.digest});
    files.push_back(file.file == "-" ? "standard input" : file.file);
    audit.published_identifiers.insert(audit.published_identifiers.end(), file.identifiers.begin(),
                                       file.identifiers.end());
    audit.published_dropped.insert(audit.published_dropped.end(), file.dropped.begin(),
                                   file.dropped.end());
  }
  audit.satisfied &= audit.published_identifiers.empty() && audit.published_dropped.empty();
  audit.rows = bound.files[0].table.total();
  audit.exposure = ExposureOf(found, bound.schema.requirements);
  audit.beside = bound.files.size() - 1;
  JoinFindings join = DescribeLinked(bound.promise, bound.schema, bound.codes, files, found);
  std::vector<std::uint64_t> rows;
  for (const contract::AuditReport::File& file : audit.releases) rows.push_back(file.rows);
  join.warnings = DanglingWords(files, rows, found.dangling);
  AddPromises(join, audit);
  audit.findings = contract::Findings::Of(std::move(join));
  return audit;
}

Result<contract::AuditReport> AuditLinked(const BoundLinked& bound,
                                          const std::vector<std::string>& sensitive,
                                          const std::vector<binding::PriorFile>& priors,
                                          binding::Context& context, std::size_t worst) {
  contract::AuditReport audit = AuditLinked(bound, worst);
  if (audit.exposure.value_certain) return audit;
  Promise about = bound.promise;
  about.requirements = LinksTo(sensitive, bound);
  if (about.requirements.empty()) return audit;
  const BoundLinked linked =
      REISSUE_TRY(BindLinked(bound.columns, about, bound.files, priors, context));
  const xy::Report found =
      xy::Attack(linked.linked, linked.schema.requirements, 0, xy::Wanted::kAll);
  audit.exposure.value_certain = ExposureOf(found, linked.schema.requirements).value_certain;
  return audit;
}

}  // namespace reissue::models::xy::service
