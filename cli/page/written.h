#pragma once
// Pages as files.

#include <string>
#include <vector>

#include "cli/page/dossier.h"
#include "cli/style.h"
#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/engine/survey.h"

namespace reissue::cli::page {

// A page that was written.
struct Written {
  std::string file, mark, verdict;
  bool for_holder = true, satisfied = true;
};

// Before any work is done: whether a page can be written there. `option` is what named it; `others`
// are the other files of the call. Errors: a name that is taken, by one of them too, no file name,
// no directory, `-`.
Status CheckPlace(const std::string& option, const std::string& path,
                  const std::vector<std::string>& others, binding::Context& context);

// Whole or not at all, and never over another file. The holder's page can be read by its owner
// only.
Result<Written> Write(const Dossier& dossier, const std::string& path, binding::Context& context);
// Of an audit without a policy. `created`: when.
Result<Written> Write(const engine::SurveyReport& report, bool for_holder,
                      const std::string& created, const std::string& path,
                      binding::Context& context);

std::string ToText(const Written& written, const Style& style);
std::string ToJson(const Written& written);

}  // namespace reissue::cli::page
