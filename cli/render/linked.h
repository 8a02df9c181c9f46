#pragma once
// What an audit of linked releases found; parts of the reports of audit, publish and verify.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/engine/audit.h"

namespace reissue::cli {

// The audit for people, after the verdict.
std::string LinkedText(const engine::AuditReport& report, const Style& style);
// One paragraph per requirement.
std::string RequirementsText(const engine::LinkedAudit& linked, const Style& style);
// Warnings about rows without a partner; nothing where there are none.
std::string DanglingText(const engine::LinkedAudit& linked, const Style& style);
// The audit for programs.
Json LinkedObject(const engine::AuditReport& report);

}  // namespace reissue::cli
