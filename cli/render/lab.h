#pragma once
// The experiments of `lab`, for people and for programs.

#include <string>
#include <vector>

#include "cli/style.h"
#include "reissue/lab/growing.h"

namespace reissue::cli {

struct LabGrowingReport {
  lab::GrowingReport result;
  std::vector<std::string> files;  // that were written
};

std::string ToText(const LabGrowingReport& report, const Style& style);
std::string ToJson(const LabGrowingReport& report);

}  // namespace reissue::cli
