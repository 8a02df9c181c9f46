#pragma once
// What `policy show` tells.

#include <string>
#include <vector>

#include "cli/style.h"
#include "reissue/io/policy.h"

namespace reissue::cli {

// A policy with its text as a tree: what is shown is what is written, and what it means.
struct ShownPolicy {
  io::Policy policy;
  io::Setting tree;
  std::vector<Error> problems;
};

std::string ToText(const ShownPolicy& shown, const Style& style);
std::string ToJson(const ShownPolicy& shown);

}  // namespace reissue::cli
