#pragma once
// What a certificate of a changing table says beyond the others, and how it is checked.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reissue/contract/model.h"
#include "reissue/core/result.h"
#include "reissue/models/invariance/service/promise.h"

namespace reissue::models::invariance::service {

struct InvarianceFacts {
  std::uint64_t m = 0, e = 0;
  struct File {
    std::string suffix;  // of its name, after that of the release
    std::string digest;
  };
  std::vector<File> files;                    // beside the release
  std::optional<std::uint64_t> counterfeits;  // where their number is published
};
nlohmann::ordered_json FactsJson(const InvarianceFacts& facts);

// The certified file, or all up to it; what belongs to it is looked for beside it. `task.copies`:
// none, or the holder's copies of all releases up to it, oldest first.
Status VerifyGroups(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report);

}  // namespace reissue::models::invariance::service
