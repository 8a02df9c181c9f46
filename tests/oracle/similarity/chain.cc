#include "chain.h"

#include <algorithm>
#include <optional>

namespace oracle::similarity {
namespace {

using inference::Answers;
using inference::Group;
using inference::Table;
using inference::Told;

std::optional<int> CertainValue(const Member& member) {
  for (const Said& one : member.said) {
    if (one.confidence >= 1) return one.value;
  }
  return std::nullopt;
}

// The group without those of whom she is certain and without their rows.
struct Rest {
  std::vector<std::size_t> members;
  std::vector<int> values;
  Group group;
  std::vector<Told> told;
};

Rest RestOf(const std::vector<Member>& members, bool hints) {
  Rest rest;
  std::map<int, int> rows;
  for (const Member& member : members) ++rows[member.value];
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::optional<int> certain = CertainValue(members[i]);
    if (certain) {
      --rows[*certain];
    } else {
      rest.members.push_back(i);
    }
  }
  for (const auto& [value, count] : rows) {
    if (count <= 0) continue;
    rest.values.push_back(value);
    rest.group.rows.push_back(count);
  }
  for (const std::size_t i : rest.members) {
    const Belief prior = hints ? members[i].prior : Cascaded(members[i].prior, members[i].said);
    rest.group.prior.emplace_back();
    for (const int value : rest.values)
      rest.group.prior.back().push_back(prior[std::size_t(value)]);
    if (!hints) continue;
    for (const Said& one : members[i].said) {
      const auto found = std::find(rest.values.begin(), rest.values.end(), one.value);
      if (found == rest.values.end()) continue;
      rest.told.push_back(
          {int(rest.group.prior.size()) - 1, int(found - rest.values.begin()), one.confidence});
    }
  }
  return rest;
}

std::vector<Belief> Spread(const std::vector<Member>& members, const Rest& rest,
                           const Table& belief) {
  std::vector<Belief> spread;
  for (const Member& member : members) {
    spread.emplace_back(member.prior.size());
    const std::optional<int> certain = CertainValue(member);
    if (certain) spread.back()[std::size_t(*certain)] = 1;
  }
  for (std::size_t i = 0; i < rest.members.size(); ++i) {
    for (std::size_t s = 0; s < rest.values.size(); ++s) {
      spread[rest.members[i]][std::size_t(rest.values[s])] = belief[i][s];
    }
  }
  return spread;
}

void Sequences(const Known& known, std::size_t length, std::vector<int>& sequence,
               double probability, const Belief& oldest, Belief& revised) {
  if (sequence.size() == length) {
    for (int s = 0; s < known.values; ++s) {
      revised[std::size_t(s)] += probability * known.Next(sequence, s);
    }
    return;
  }
  for (int s = 0; s < known.values; ++s) {
    const double step = sequence.empty() ? oldest[std::size_t(s)] : known.Next(sequence, s);
    sequence.push_back(s);
    Sequences(known, length, sequence, probability * step, oldest, revised);
    sequence.pop_back();
  }
}

}  // namespace

double Known::Next(std::vector<int> context, int value) const {
  for (; !context.empty(); context.erase(context.begin())) {
    const auto found = after.find(context);
    if (found != after.end()) return found->second[std::size_t(value)];
  }
  return 1.0 / values;
}

Belief RevisedPrior(const Known& known, const std::vector<Belief>& seen) {
  const std::size_t length = std::min(seen.size(), std::size_t(known.steps));
  Belief revised(std::size_t(known.values), 0.0);
  std::vector<int> sequence;
  Sequences(known, length, sequence, 1, seen[seen.size() - length], revised);
  return revised;
}

Belief Cascaded(const Belief& prior, const std::vector<Said>& said) {
  Belief belief = prior;
  for (const Said& one : said) {
    if (one.confidence < 1) belief = inference::Compromised(belief, one.value, one.confidence);
  }
  return belief;
}

Views ViewsOf(const std::vector<Member>& members, Way way, bool posterior_cascade) {
  const bool hints = posterior_cascade && way == Way::kBayes;
  const Rest rest = RestOf(members, hints);
  Views views;
  if (rest.members.empty()) {
    views.choices.push_back(Spread(members, rest, {}));
    views.shared = views.choices[0];
    return views;
  }
  if (way == Way::kOmega) {
    const std::optional<Table> omega = inference::Omega(rest.group);
    if (omega) views.choices.push_back(Spread(members, rest, *omega));
    return views;
  }
  if (way == Way::kExact && rest.members.size() > 7) {
    const std::optional<Table> exact = inference::ExactByRoots(rest.group);
    if (exact) views.choices.push_back(Spread(members, rest, *exact));
    return views;
  }
  const Answers answers =
      inference::Enumerate(rest.group, inference::Counting(rest.group, rest.told));
  switch (way) {
    case Way::kBayes:
      for (const auto& best : answers.best) {
        views.choices.push_back(Spread(members, rest, answers.Bayes(best)));
      }
      views.shared = Spread(members, rest, answers.BayesShared());
      break;
    case Way::kExact:
      if (answers.exact) views.choices.push_back(Spread(members, rest, *answers.exact));
      break;
    default:
      views.choices.push_back(Spread(members, rest, answers.sum));
  }
  return views;
}

}  // namespace oracle::similarity
