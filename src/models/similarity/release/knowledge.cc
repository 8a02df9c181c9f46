#include "reissue/models/similarity/release/knowledge.h"

#include <fmt/format.h>

#include <cmath>

namespace reissue::models::similarity {
namespace {

constexpr double kSumRounding = 1e-6;

Status Check(const Distribution& distribution, std::uint32_t values, const char* what) {
  if (distribution.size() != values) {
    return InputError(fmt::format("a distribution of {} has {} probabilities for {} values", what,
                                  distribution.size(), values));
  }
  double sum = 0;
  for (const double p : distribution) {
    if (!(p >= 0)) return InputError(fmt::format("a probability of {} is negative", what));
    sum += p;
  }
  if (std::abs(sum - 1) > kSumRounding) {
    return InputError(fmt::format("a distribution of {} sums to {:.6g} instead of 1", what, sum));
  }
  return Ok();
}

}  // namespace

const Distribution* Transition::After(std::span<const Value> context) const {
  for (; !context.empty(); context = context.subspan(1)) {
    const auto found = after.find({context.begin(), context.end()});
    if (found != after.end()) return &found->second;
  }
  return nullptr;
}

Status Validate(const Knowledge& knowledge) {
  if (knowledge.values == 0) return InputError("knowledge about no value");
  const std::uint32_t steps = knowledge.transition.steps;
  if (steps < 1 || steps > kMostSteps)
    return InputError(fmt::format("transitions of {} steps", steps));
  for (const Distribution& prior : knowledge.prior) {
    REISSUE_TRY(Check(prior, knowledge.values, "the prior"));
  }
  for (const auto& [context, next] : knowledge.transition.after) {
    if (context.empty() || context.size() > steps) {
      return InputError(fmt::format("a transition from {} values, where there are {} steps",
                                    context.size(), steps));
    }
    for (const Value value : context) {
      if (value >= knowledge.values) return InputError("a transition from an unknown value");
    }
    REISSUE_TRY(Check(next, knowledge.values, "the transitions"));
  }
  return Ok();
}

}  // namespace reissue::models::similarity
