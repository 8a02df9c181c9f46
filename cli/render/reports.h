#pragma once
// The engine's reports for people (ToText) and for programs (ToJson). Texts are for a
// data-protection officer: the verdict first, plain words, every number explained.

#include <string>
#include <vector>

#include "cli/render/error.h"
#include "cli/style.h"
#include "reissue/binding/codebook.h"
#include "reissue/binding/spreadsheet.h"
#include "reissue/contract/explore.h"
#include "reissue/contract/reports.h"
#include "reissue/engine/advise.h"
#include "reissue/engine/describe.h"
#include "reissue/engine/init.h"
#include "reissue/engine/set_policy.h"
#include "reissue/engine/survey.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli {

// The series of a vault.
struct HistoryReport {
  std::string vault;
  ledger::VaultPolicy policy;
  bool unprotected = false;
  std::vector<ledger::ReleaseRecord> releases;
  std::vector<std::uint32_t> policy_changes;  // the first release under each further policy
};

// A verification with the names of what was given.
struct VerificationReport {
  std::string certificate;
  std::vector<std::string> releases;
  contract::VerifyReport result;
};

// A check with the names of what was given. The problems themselves go to standard error as text,
// and into the object as JSON.
struct CheckedReport {
  std::string policy;
  std::vector<std::string> tables;
  contract::CheckReport result;
};

// A copy for spreadsheets with its name.
struct SpreadsheetReport {
  std::string file;
  binding::NeutralCopy copy;
};

// A warning of several verbs.
inline constexpr char kUnprotected[] =
    "the vault has no passphrase: whoever can read its directory can read what it holds.";

std::string ToText(const contract::AuditReport& report, const Style& style);
std::string ToJson(const contract::AuditReport& report);
std::string ToText(const engine::SurveyReport& report, const Style& style);
std::string ToJson(const engine::SurveyReport& report);
std::string ToText(const contract::ExplainReport& report, const Style& style);
std::string ToJson(const contract::ExplainReport& report);
std::string ToText(const contract::AdoptReport& report, const Style& style);
std::string ToJson(const contract::AdoptReport& report);
std::string ToText(const contract::PublishReport& report, const Style& style);
std::string ToJson(const contract::PublishReport& report);
std::string ToText(const contract::DryRunReport& report, const Style& style);
std::string ToJson(const contract::DryRunReport& report);
std::string ToText(const contract::ExploreReport& report, const Style& style);
std::string ToJson(const contract::ExploreReport& report);
std::string ToText(const contract::ForecastReport& report, const Style& style);
std::string ToJson(const contract::ForecastReport& report);
std::string ToText(const contract::MetricsReport& report, const Style& style);
std::string ToJson(const contract::MetricsReport& report);
std::string ToText(const binding::Codebook& book, const Style& style);
std::string ToJson(const binding::Codebook& book);
std::string ToText(const SpreadsheetReport& report, const Style& style);
std::string ToJson(const SpreadsheetReport& report);
std::string ToText(const engine::AdviseReport& report, const Style& style);
std::string ToJson(const engine::AdviseReport& report);
std::string ToText(const engine::DescribeReport& report, const Style& style);
std::string ToJson(const engine::DescribeReport& report);
std::string ToText(const engine::SetPolicyReport& report, const Style& style);
std::string ToJson(const engine::SetPolicyReport& report);
std::string ToText(const engine::InitReport& report, const Style& style);
std::string ToJson(const engine::InitReport& report);
std::string ToText(const contract::LearnReport& report, const Style& style);
std::string ToJson(const contract::LearnReport& report);
std::string ToText(const VerificationReport& report, const Style& style);
std::string ToJson(const VerificationReport& report);
// The exit status of a verification.
int StatusOf(contract::Verdict verdict);
std::string ToText(const HistoryReport& report, const Style& style);
std::string ToJson(const HistoryReport& report);
std::string ToText(const CheckedReport& report, const Style& style);
std::string ToJson(const CheckedReport& report);

}  // namespace reissue::cli
