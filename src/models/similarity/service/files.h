#pragma once
// Transition beliefs and compromised records from files. docs/formats/knowledge.md

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/release/knowledge.h"

namespace reissue::models::similarity::service {

// How values follow one another.
struct TransitionBeliefs {
  std::vector<binding::ValueTexts>
      values;  // those known before, then new ones in order of the file
  similarity::Transition transition;
};
// `known`: values that have numbers already; `closed`: there are no others, because the prior names
// all. Errors: as BeliefLines; contexts longer than `steps`; gaps in a context; a line twice; a
// value that is not known, if `closed`; probabilities that do not sum to 1 (see MakeSumOne).
Result<TransitionBeliefs> ReadTransition(const io::Policy& policy, const std::string& path,
                                         const std::vector<binding::ValueTexts>& known, bool closed,
                                         std::uint32_t steps, bool normalise,
                                         binding::Context& context);

// One person's value that a reader knows with some confidence.
struct CompromisedRecord {
  std::string identifier;
  binding::ValueTexts value;
  std::uint32_t release = 1;  // from 1
  double confidence = 1;
  std::uint64_t line = 0;
};
// Errors: as BeliefLines; the same statement twice; two values of the same
// person and release for certain.
Result<std::vector<CompromisedRecord>> ReadCompromised(const io::Policy& policy,
                                                       const std::string& path,
                                                       binding::Context& context);

}  // namespace reissue::models::similarity::service
