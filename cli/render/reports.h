#pragma once
// The engine's reports for people (ToText) and for programs (ToJson). Texts are for a
// data-protection officer: the verdict first, plain words, every number explained.

#include <string>
#include <vector>

#include "cli/render/error.h"
#include "cli/style.h"
#include "reissue/engine/adopt.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/check.h"
#include "reissue/engine/explain.h"
#include "reissue/engine/invariance_measure.h"
#include "reissue/engine/learn.h"
#include "reissue/engine/linked_report.h"
#include "reissue/engine/measure.h"
#include "reissue/engine/publish.h"
#include "reissue/engine/similarity_measure.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli {

// The series of a vault.
struct HistoryReport {
  std::string vault;
  ledger::VaultPolicy policy;
  bool unprotected = false;
  std::vector<ledger::ReleaseRecord> releases;
};

// A verification with the names of what was given.
struct VerificationReport {
  std::string certificate;
  std::vector<std::string> releases;
  engine::VerifyReport result;
};

// A check with the names of what was given. The problems themselves go to standard error as text,
// and into the object as JSON.
struct CheckedReport {
  std::string policy;
  std::vector<std::string> tables;
  engine::CheckReport result;
};

std::string ToText(const engine::AuditReport& report, const Style& style);
std::string ToJson(const engine::AuditReport& report);
std::string ToText(const engine::ExplainReport& report, const Style& style);
std::string ToJson(const engine::ExplainReport& report);
std::string ToText(const engine::LinkedExplanation& report, const Style& style);
std::string ToJson(const engine::LinkedExplanation& report);
std::string ToText(const engine::AdoptReport& report, const Style& style);
std::string ToJson(const engine::AdoptReport& report);
std::string ToText(const engine::PublishReport& report, const Style& style);
std::string ToJson(const engine::PublishReport& report);
std::string ToText(const engine::MetricsReport& report, const Style& style);
std::string ToJson(const engine::MetricsReport& report);
std::string ToText(const engine::ChangingMetrics& report, const Style& style);
std::string ToJson(const engine::ChangingMetrics& report);
std::string ToText(const engine::LearnReport& report, const Style& style);
std::string ToJson(const engine::LearnReport& report);
std::string ToText(const engine::EvolvingMetrics& report, const Style& style);
std::string ToJson(const engine::EvolvingMetrics& report);
std::string ToText(const VerificationReport& report, const Style& style);
std::string ToJson(const VerificationReport& report);
std::string ToText(const HistoryReport& report, const Style& style);
std::string ToJson(const HistoryReport& report);
std::string ToText(const CheckedReport& report, const Style& style);
std::string ToJson(const CheckedReport& report);

}  // namespace reissue::cli
