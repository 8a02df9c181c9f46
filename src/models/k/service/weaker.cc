// Which of two promises promises less.

#include <fmt/format.h>

#include "reissue/models/k/service/promise.h"

namespace reissue::models::k::service {
namespace {

// More than any share.
constexpr double kNoBound = 2;

double BoundOf(const Promise& promise, const std::string& value) {
  for (const auto& [name, bound] : promise.confidence_of) {
    if (name == value) return bound;
  }
  return promise.confidence.value_or(kNoBound);
}

bool WeakerConfidence(const Promise& before, const Promise& now) {
  if (now.confidence.value_or(kNoBound) > before.confidence.value_or(kNoBound)) return true;
  for (const Promise* promise : {&before, &now}) {
    for (const auto& [value, bound] : promise->confidence_of) {
      if (BoundOf(now, value) > BoundOf(before, value)) return true;
    }
  }
  return false;
}

// `more`: a larger number promises more.
template <typename T>
bool WeakerNumber(const std::optional<T>& before, const std::optional<T>& now, bool more) {
  if (!before) return false;
  return !now || (more ? *now < *before : *now > *before);
}

}  // namespace

std::vector<std::string> WeakerThan(const Promise& before, const Promise& now) {
  const Guarantee &then = before.guarantee, &here = now.guarantee;
  std::vector<std::string> weaker;
  const auto say = [&](bool is, const char* name) {
    if (is) weaker.push_back(fmt::format("`{}` promises less than before", name));
  };
  say(here.k < then.k, "k");
  say(WeakerNumber(then.distinct, here.distinct, true), "distinct");
  say(WeakerNumber(then.entropy, here.entropy, true), "entropy");
  say(then.recursive && (!here.recursive || here.recursive->c > then.recursive->c ||
                         here.recursive->l < then.recursive->l),
      "recursive");
  say(WeakerNumber(then.alpha, here.alpha, false), "alpha");
  say(WeakerConfidence(before, now), "confidence");
  say(WeakerNumber(then.t, here.t, false), "t");
  say(WeakerNumber(then.beta, here.beta, false), "beta");
  if (then.t && here.t && then.distance != here.distance) {
    weaker.push_back("`distance` is another one");
  }
  return weaker;
}

}  // namespace reissue::models::k::service
