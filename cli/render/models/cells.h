#pragma once
// Cells of people who look alike: what an audit of one release says, and how columns were recoded.
// Shared by the views of models that publish cells, and by those that have nothing more to say.

#include <string>

#include "cli/render/json.h"
#include "cli/render/promises.h"
#include "cli/render/views.h"
#include "cli/style.h"
#include "reissue/contract/reports.h"
#include "reissue/models/k/service/report.h"

namespace reissue::cli {

// Rows and groups of every release; `numbered` if there are several.
std::string ReleaseLines(const contract::AuditReport& report, bool numbered);
// Promises, and what else was measured.
std::string MeasuresText(const contract::AuditReport& report, const Style& style,
                         const std::vector<Meaning>& own);
// Who is exposed to a reader of one release.
std::string ExposedText(const contract::AuditReport& report,
                        const models::k::service::CellFindings& found, const Style& style);

// The same for a page.
Told TellCells(const contract::AuditReport& report, const models::k::service::CellFindings& found);

Json ReleasesJson(const contract::AuditReport& report);
Json AlsoMeasuredJson(const contract::AuditReport& report);
Json ExposedJson(const contract::AuditReport& report,
                 const models::k::service::CellFindings& found);
// An audit of one release for programs; of other models, with what they have in common.
Json PlainAuditObject(const contract::AuditReport& report,
                      const models::k::service::CellFindings& found = {});

// Rows in and out, and how the columns were recoded. `suppressed` says what became of rows that
// were suppressed; empty: nothing is said of them.
std::string RecodedText(const contract::PublishReport& report, const std::string& suppressed,
                        const Style& style);
std::string PromisesAndCostText(const contract::PublishReport& report, const Style& style,
                                const std::vector<Meaning>& own);
void AddRecodedMembers(const contract::PublishReport& report, Json& json);

}  // namespace reissue::cli
