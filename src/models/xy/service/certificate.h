#pragma once
// What a certificate says of linked releases beyond the others, and how it is checked.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reissue/contract/model.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/service/linked.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {

// The files that the release was judged beside.
struct JoinFacts {
  struct Prior {
    std::string name;  // as the requirements call it
    std::string digest;
    std::uint64_t rows = 0;
    std::uint64_t dangling = 0;  // of them without a partner in the join
    std::vector<std::string> columns;
  };
  std::vector<std::string> columns;  // of the release
  std::vector<std::string> numeric;  // in any file
  std::uint64_t dangling = 0;        // rows of the release without a partner in the join
  std::vector<Prior> priors;
};
JoinFacts FactsOf(const BoundLinked& bound, const JoinFindings& audit);
nlohmann::ordered_json FactsJson(const JoinFacts& facts);

Status VerifyJoin(const contract::Certificate& certificate, const contract::VerifyTask& task,
                  binding::Context& context, contract::VerifyReport& report);

}  // namespace reissue::models::xy::service
