#pragma once
// What a certificate of an evolving table says beyond the others, and how it is checked.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reissue/binding/grouped/reader.h"
#include "reissue/contract/model.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/similarity/service/promise.h"
#include "reissue/models/similarity/service/table.h"

namespace reissue::models::similarity::service {

struct SimilarityFacts {
  // The reader.
  std::string against;
  struct Source {
    std::string part;          // "prior", "transition"
    std::string source;        // "uniform", "learned", "file"
    std::string keyed_digest;  // of the file
  };
  std::vector<Source> knowledge;
  std::uint32_t steps = 1;
  bool compromised = false;  // single people's values are known to her
};
// Reads the files that the promise names. What they say is the holder's: `vault` has the key.
Result<SimilarityFacts> FactsOf(const Promise& promise, ledger::Vault& vault,
                                binding::Context& context);

nlohmann::ordered_json FactsJson(const SimilarityFacts& facts);

// k, beta and t of a published file.
Shape ShapeOfFile(const binding::ReleasedGroups& released, const ValueRanks& ranks, bool ordered);

// What follows from a file with the columns and the promise of a certificate.
Result<contract::AuditReport> AuditFile(const contract::Certificate& certificate,
                                        const std::string& file, binding::Context& context);

// The certified file, or all up to it. From the file follow k, beta and t; that beliefs are alike
// is the holder's word, and a note says so.
Status VerifyGroups(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report);

}  // namespace reissue::models::similarity::service
