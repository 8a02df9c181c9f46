#pragma once
// What an audit of a changing table found, for people and programs.

#include <cstdint>
#include <string>

#include "cli/render/json.h"
#include "cli/render/views.h"
#include "cli/style.h"
#include "reissue/contract/reports.h"

namespace reissue::cli {

std::string InvarianceText(const contract::AuditReport& report, const Style& style);
Told TellInvariance(const contract::AuditReport& report);
Json InvarianceObject(const contract::AuditReport& report);

// "no counterfeits", "3 counterfeits".
std::string CounterfeitsText(std::uint64_t number);

}  // namespace reissue::cli
