#pragma once
// Changes settings of a policy file in place.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy_edit.h"

namespace reissue::engine {

struct SetPolicyReport {
  std::string policy;
  io::PolicyEdit edit;
  bool written = false;
  std::vector<Error> problems;  // what is still wrong: files that it names and are not there
};

// Nothing is written unless the new text is a policy whose promise its model can read; `dry_run`:
// nor then. Written whole or not at all, and readable for others only where it was. Errors: those
// of io::EditPolicy, of io::ReadPolicyAlone and of Bind for the new text.
Result<SetPolicyReport> SetPolicy(const std::string& policy,
                                  const std::vector<std::string>& settings, bool dry_run,
                                  binding::Context& context);

}  // namespace reissue::engine
