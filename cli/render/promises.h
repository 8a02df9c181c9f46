#pragma once
// Promises in plain words; shared by the reports that list them.

#include <string>
#include <vector>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/engine/audit.h"

namespace reissue::cli {

// A table of promises: what each means, asked, measured, kept. `series`: they are about what
// readers of several releases cannot exclude.
std::string PromiseTable(const std::vector<engine::PromiseKept>& promises, const Style& style,
                         bool series = false);
// What was measured without being promised.
std::string MeasureTable(const std::vector<engine::PromiseKept>& measures);

Json PromisesJson(const std::vector<engine::PromiseKept>& promises);
Json AuditObject(const engine::AuditReport& report);

}  // namespace reissue::cli
