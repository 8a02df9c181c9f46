#pragma once
// Model `k`: one release, judged alone. And what model `bcf` does in the same way.

#include <optional>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"

namespace reissue::models::k::service {

const contract::Model& TheModel();

// A certificate about one release, which lies alone.
Status VerifyAlone(const contract::Certificate& certificate, const std::string& file,
                   binding::Context& context, contract::VerifyReport& report);
// The releases of all parts of such a table, as one file, measured anew.
Result<std::optional<contract::AuditReport>> AuditUnionAlone(
    const contract::Certificate& certificate, const std::string& file, binding::Context& context);
// Whether the release has the columns that were published as they are, and the labels of others.
void CompareColumns(const contract::Certificate& certificate, const binding::ReleaseTable& release,
                    contract::VerifyReport& report);
// What a recoded release costs in detail.
Result<contract::MetricsReport> MeasureRecoded(const contract::MeasureTask& task,
                                               binding::Context& context);

}  // namespace reissue::models::k::service
