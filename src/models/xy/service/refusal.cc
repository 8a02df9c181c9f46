#include "reissue/models/xy/service/refusal.h"

#include <fmt/format.h>

#include "reissue/models/xy/service/audit.h"

namespace reissue::models::xy::service {
namespace {

// What the most general release says about a requirement that it breaks.
std::string AtItsMostGeneral(const LinkedInputs& in, const Promise& promise,
                             const std::vector<binding::PriorFile>& priors,
                             std::size_t requirement) {
  xy::Linked general;
  general.tables.push_back(xy::Published(in.source.source, MostGeneral(in.source)));
  general.tables.insert(general.tables.end(), in.prior_tables.begin(), in.prior_tables.end());
  general.joins = in.schema.joins;
  general.inconsistent = in.schema.inconsistent;
  const xy::Report report = xy::Attack(general, in.schema.requirements, 1);
  std::vector<std::string> files = {"the release"};
  for (const binding::PriorFile& prior : priors) files.push_back(prior.file);
  const JoinFindings found = DescribeLinked(promise, in.schema, in.codes, files, report);
  const RequirementFindings& about = found.requirements[requirement];
  return about.worst.empty() ? "" : about.worst[0].words;
}

std::string WhatToDo(const LinkedInputs& in, const xy::Requirement& requirement) {
  for (const xy::Attribute& column : requirement.y) {
    if (column.table != 0 || !in.source.columns[column.column].generalised) continue;
    return fmt::format(
        "\"{}\" is in y here and in the x of another requirement: it is generalised for the one, "
        "and must keep enough values for the other. Take it out of one of the two, or promise "
        "less.",
        in.schema.ColumnOf(column));
  }
  return "Promise less (a lower k, a higher confidence, fewer columns in x), or publish fewer "
         "columns: what is out already cannot be changed.";
}

}  // namespace

Status CanBeKept(const LinkedInputs& in, const Promise& promise,
                 const std::vector<binding::PriorFile>& priors, binding::Context& context) {
  const auto refused =
      REISSUE_TRY(xy::Refused(in.source.source, in.prior_tables, in.schema.joins,
                              in.schema.inconsistent, in.schema.requirements, context.progress));
  if (!refused) return Ok();
  const std::size_t r = refused->requirement;
  const char* const kind = promise.requirements[r].anonymity() ? "anonymity" : "linkability";
  const std::string words = AtItsMostGeneral(in, promise, priors, r);
  const std::string remedy = WhatToDo(in, in.schema.requirements[r]);
  if (refused->hopeless) {
    return PromiseError(fmt::format("requirement {} ({}) cannot be kept: even the most general "
                                    "release breaks it. {}",
                                    r + 1, kind, words),
                        remedy);
  }
  return PromiseError(fmt::format("no release {} that keeps all requirements together. The most "
                                  "general one breaks requirement {} ({}): {}",
                                  refused->all_seen ? "exists" : "was found", r + 1, kind, words),
                      remedy);
}

}  // namespace reissue::models::xy::service
