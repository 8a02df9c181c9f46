#pragma once
// The audit of a release beside earlier ones of the same people (model `xy`): what whoever joins
// them learns.

#include <string>
#include <vector>

#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/service/linked.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {

// Satisfied only where every requirement is kept and nothing is published that the policy hides.
contract::AuditReport AuditLinked(const BoundLinked& bound, std::size_t worst = 10);

// The same with what is certain although nothing is promised about it: where no requirement is of
// linkability, whether whoever knows an x of the promise is certain of a value of one of the
// sensitive columns. Reads no file again.
Result<contract::AuditReport> AuditLinked(const BoundLinked& bound,
                                          const std::vector<std::string>& sensitive,
                                          const std::vector<binding::PriorFile>& priors,
                                          binding::Context& context, std::size_t worst);

// What the attack found, in words. `files` are the names of the files for people.
JoinFindings DescribeLinked(const Promise& promise, const LinkedSchema& schema,
                            const std::vector<std::vector<LinkedCodes>>& codes,
                            const std::vector<std::string>& files, const xy::Report& report);

}  // namespace reissue::models::xy::service
