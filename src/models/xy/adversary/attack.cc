#include "reissue/models/xy/adversary/attack.h"

#include "reissue/models/xy/adversary/assess.h"

namespace reissue::models::xy {

Report Attack(const Linked& linked, std::span<const Requirement> requirements, std::size_t limit,
              Wanted wanted) {
  const Matching matching(linked);
  Report report;
  report.join_rows = matching.join_rows();
  report.dangling = matching.dangling();
  report.by_classes = matching.global();
  for (const Requirement& requirement : requirements) {
    const std::vector<TableParts> parts = MakeParts(linked, matching, requirement);
    const bool plain = IsPlain(matching, requirement, parts);
    report.requirements.push_back(plain ? AssessPlain(matching, requirement, parts, limit)
                                        : AssessByProducts(matching, requirement, parts, limit));
    if (!plain && wanted == Wanted::kAll) {
      report.requirements.back().one_row = CountOneRow(linked, matching, requirement);
    }
    report.satisfied = report.satisfied && report.requirements.back().satisfied;
  }
  return report;
}

}  // namespace reissue::models::xy
