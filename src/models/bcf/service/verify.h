#pragma once
// Certificates of a series, checked again from all published files up to the certified one.

#include "reissue/contract/model.h"

namespace reissue::models::bcf::service {

Status VerifySeries(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report);

}  // namespace reissue::models::bcf::service
