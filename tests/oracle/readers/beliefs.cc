#include "beliefs.h"

#include <algorithm>
#include <cmath>

namespace reissue::readers {
namespace {

double Of(const Belief& belief, const std::string& value) {
  const auto at = belief.find(value);
  return at == belief.end() ? 0 : at->second;
}

double Bits(const Belief& belief) {
  double bits = 0;
  for (const auto& [value, p] : belief) bits -= p > 0 ? p * std::log2(p) : 0;
  return bits;
}

Sheet File(const Case& one, const std::string& key) {
  const auto at = one.knowledge.find(key);
  if (at == one.knowledge.end() || !one.files.contains(at->second)) return {};
  return Sheet::Parse(one.files.at(at->second));
}

}  // namespace

Mind::Mind(const Case& one) {
  const Sheet prior = File(one, "prior");
  for (std::size_t r = 0; r < prior.rows.size(); ++r) {
    prior_[prior.Has("sex") ? prior.At(r, "sex") : "*"][prior.At(r, "disease")] =
        std::stod(prior.At(r, "probability"));
  }
  const Sheet transition = File(one, "transition");
  for (std::size_t r = 0; r < transition.rows.size(); ++r) {
    transition_[transition.At(r, "from")][transition.At(r, "to")] =
        std::stod(transition.At(r, "probability"));
  }
  const Sheet known = File(one, "compromised");
  for (std::size_t r = 0; r < known.rows.size(); ++r) {
    statements_[{known.At(r, "id"), std::stoul(known.At(r, "release"))}] = {
        known.At(r, "disease"), std::stod(known.At(r, "confidence"))};
  }
}

Belief Mind::Before(const std::string& person, const std::string& sex, std::size_t number) const {
  const auto revised = revised_.find(person);
  const auto kind = prior_.find(sex);
  Belief belief = revised != revised_.end() ? revised->second
                  : kind != prior_.end()    ? kind->second
                                            : prior_.at("*");
  const auto said = statements_.find({person, number});
  if (said == statements_.end() || said->second.confidence == 1) return belief;
  for (auto& [value, p] : belief) {
    p *= 1 - said->second.confidence;
    if (value == said->second.value) p += said->second.confidence;
  }
  return belief;
}

std::string Mind::Certain(const std::string& person, std::size_t number) const {
  const auto said = statements_.find({person, number});
  return said == statements_.end() || said->second.confidence < 1 ? "" : said->second.value;
}

void Mind::Revise(const std::string& person, const Belief& after) {
  Belief& next = revised_[person];
  next.clear();
  std::vector<std::string> values;
  for (const auto& [value, p] : prior_.begin()->second) values.push_back(value);
  for (const auto& [from, p] : after) {
    const auto follows = transition_.find(from);
    for (const std::string& to : values) {
      next[to] += p * (follows == transition_.end() ? 1 / static_cast<double>(values.size())
                                                    : Of(follows->second, to));
    }
  }
}

std::vector<Belief> After(const std::vector<Belief>& before, std::vector<std::string> values) {
  std::vector<Belief> after(before.size());
  double all = 0;
  std::sort(values.begin(), values.end());
  do {
    double weight = 1;
    for (std::size_t p = 0; p < before.size(); ++p) weight *= Of(before[p], values[p]);
    all += weight;
    for (std::size_t p = 0; p < before.size(); ++p) after[p][values[p]] += weight;
  } while (std::next_permutation(values.begin(), values.end()));
  if (all == 0) return {};
  for (Belief& belief : after) {
    for (auto& [value, p] : belief) p /= all;
  }
  return after;
}

double Divergence(const std::vector<Belief>& beliefs) {
  Belief mean;
  double bits = 0;
  const auto people = static_cast<double>(beliefs.size());
  for (const Belief& belief : beliefs) {
    for (const auto& [value, p] : belief) mean[value] += p / people;
    bits += Bits(belief) / people;
  }
  return Bits(mean) - bits;
}

}  // namespace reissue::readers
