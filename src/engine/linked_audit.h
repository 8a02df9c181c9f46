#pragma once
// The audit of a release beside earlier ones of the same people (model `xy`): what whoever joins
// them learns.

#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/linked.h"
#include "reissue/engine/linked_report.h"

namespace reissue::engine {

// Satisfied only where every requirement is kept and nothing is published that the policy hides.
AuditReport AuditLinked(const BoundLinked& bound, std::size_t worst = 10);

// What to know of rows that match nothing, in words: an entry per file that has some. Everything is
// per file, the release first.
std::vector<std::string> DanglingWords(const std::vector<std::string>& files,
                                       const std::vector<std::uint64_t>& rows,
                                       const std::vector<std::uint64_t>& dangling);

// What the attack found, in words. `files` are the names of the files for people.
LinkedAudit DescribeLinked(const LinkedPromise& promise, const LinkedSchema& schema,
                           const std::vector<std::vector<LinkedCodes>>& codes,
                           const std::vector<std::string>& files, const models::xy::Report& report);

// `text` is one CSV record: per column of x of the requirement (from 1) a label, or a value, which
// stands for the label that it is published under. Usage errors: another number of fields, a
// requirement that is not there, a value that the column cannot have.
Result<LinkedExplanation> ExplainLinked(const io::Policy& policy, const std::string& release,
                                        const std::vector<PriorFile>& priors,
                                        std::size_t requirement, const std::string& text,
                                        Context& context);

}  // namespace reissue::engine
