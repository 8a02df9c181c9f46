#pragma once
// Settings of a policy as JSON and back, and what is asked of a text before it is parsed at all.

#include <nlohmann/json.hpp>
#include <string_view>

#include "reissue/engine/similarity_certificate.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

nlohmann::ordered_json ToJson(const io::Setting& setting);
io::Setting FromJson(const nlohmann::ordered_json& json);

// What a certificate of model `j-similarity` has under `evolving`. Reading throws what nlohmann
// throws on a missing or mistyped member.
nlohmann::ordered_json SimilarityJson(const SimilarityFacts& facts);
SimilarityFacts ReadSimilarity(const nlohmann::ordered_json& json);

// Certificates come from strangers: nesting that no certificate has is not even parsed. Brackets in
// strings are labels of ranges.
bool TooDeep(std::string_view text);

}  // namespace reissue::engine
