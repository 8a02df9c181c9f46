#pragma once
// Shows a report on standard output in the format that was asked for.

#include "cli/render/reports.h"
#include "cli/session.h"

namespace reissue::cli {

template <typename Report>
Status Print(Session& session, const Report& report) {
  session.progress().Clear();
  return session.out().Write(session.format == Format::kJson
                                 ? ToJson(report)
                                 : ForLocale(ToText(report, session.style())));
}

}  // namespace reissue::cli
