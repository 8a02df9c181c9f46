#pragma once
// What an audit of a changing table found, and what a publication of one did; parts of the reports
// of audit, publish and verify.

#include <string>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/publish.h"

namespace reissue::cli {

// The audit for people, after the verdict.
std::string InvarianceText(const engine::AuditReport& report, const Style& style);
// The audit for programs.
Json InvarianceObject(const engine::AuditReport& report);

// What takes the place of rows, recoding and promises in the report of a publication.
std::string ChangedRowsText(const engine::PublishReport& report, const Style& style);
Json ChangedRowsObject(const engine::ChangedRows& changing);

}  // namespace reissue::cli
