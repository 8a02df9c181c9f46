#pragma once
// The experiments of `lab`, for people and for programs.

#include <string>
#include <vector>

#include "cli/style.h"
#include "reissue/lab/belief.h"
#include "reissue/lab/equivalence.h"
#include "reissue/lab/growing.h"
#include "reissue/lab/linked.h"

namespace reissue::cli {

struct LabGrowingReport {
  lab::GrowingReport result;
  std::vector<std::string> files;  // that were written
};

struct LabLinkedReport {
  lab::LinkedReport result;
  std::vector<std::string> files;  // that were written
};

struct LabEquivalenceReport {
  lab::EquivalenceReport result;
  std::vector<std::string> files;  // that were written
};

struct LabBeliefReport {
  lab::BeliefReport result;
  std::vector<std::string> files;  // that were written
};

std::string ToText(const LabGrowingReport& report, const Style& style);
std::string ToJson(const LabGrowingReport& report);
std::string ToText(const LabLinkedReport& report, const Style& style);
std::string ToJson(const LabLinkedReport& report);
std::string ToText(const LabEquivalenceReport& report, const Style& style);
std::string ToJson(const LabEquivalenceReport& report);
std::string ToText(const LabBeliefReport& report, const Style& style);
std::string ToJson(const LabBeliefReport& report);

}  // namespace reissue::cli
