#pragma once
// What every audit's answer keeps to, whatever was read.

#include <algorithm>

#include "files.h"
#include "reissue/contract/reports.h"

namespace reissue::fuzz {

inline void CheckExposure(const std::optional<contract::Exposure::Number>& number) {
  REISSUE_CHECK(!number || number->lower <= number->upper);
}

inline void CheckAudit(const Result<contract::AuditReport>& audit, std::size_t files) {
  if (!audit) return CheckComplaint(audit.error());
  REISSUE_CHECK(!audit->model.empty() && audit->releases.size() == files);
  REISSUE_CHECK(audit->beside < files);
  const bool kept = std::ranges::all_of(audit->promises, &contract::PromiseKept::kept);
  REISSUE_CHECK(kept || !audit->satisfied);
  CheckExposure(audit->exposure.singled_out);
  CheckExposure(audit->exposure.value_certain);
}

}  // namespace reissue::fuzz
