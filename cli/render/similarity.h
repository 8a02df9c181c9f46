#pragma once
// What an audit of an evolving table found, and what a publication of one did; parts of the reports
// of audit, publish and verify.

#include <string>
#include <vector>

#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/publish.h"

namespace reissue::cli {

// The audit for people, after the verdict.
std::string SimilarityText(const engine::AuditReport& report, const Style& style);
// The audit for programs.
Json SimilarityObject(const engine::AuditReport& report);

// What takes the place of rows, recoding and promises in the report of a publication.
std::string EvolvedRowsText(const engine::PublishReport& report, const Style& style);
Json EvolvedRowsObject(const engine::EvolvedRows& evolving);
std::vector<std::string> EvolvedRowsWarnings(const engine::PublishReport& report);

}  // namespace reissue::cli
