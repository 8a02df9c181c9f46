#pragma once
// What the page sends to start a command. The passphrase is taken out of the text before anybody
// else looks at it.

#include <optional>
#include <string>
#include <vector>

#include "reissue/ledger/secret_text.h"

namespace reissue::cli::studio {

struct JobRequest {
  std::vector<std::string> arguments;
  std::optional<ledger::SecretText> passphrase;
};

// `{"arguments": ["check", …], "passphrase": "…"}`. Nothing where it is not that. The body is wiped
// in any case.
std::optional<JobRequest> ParseJobRequest(std::string& body);

}  // namespace reissue::cli::studio
