#include "reissue/models/similarity/adversary/reader.h"

#include <algorithm>

#include "reissue/core/random.h"

namespace reissue::models::similarity {
namespace {

Distribution Uniform(std::uint32_t values) { return Distribution(values, 1.0 / values); }

// Adds weight · P(next | context) for all ways to go on from the context, value by value, until it
// has as many values as there are posteriors: equation 4, then equation 3.
class Revision {
 public:
  Revision(const Knowledge& knowledge, std::size_t steps)
      : knowledge_(knowledge),
        steps_(steps),
        uniform_(Uniform(knowledge.values)),
        revised_(knowledge.values, 0) {}

  Distribution From(const Distribution& first) {
    for (Value value = 0; value < first.size(); ++value) {
      if (first[value] > 0) GoOn({value}, first[value]);
    }
    return std::move(revised_);
  }

 private:
  void GoOn(std::vector<Value> context, double weight) {
    const Distribution* after = knowledge_.transition.After(context);
    const Distribution& next = after ? *after : uniform_;
    for (Value value = 0; value < knowledge_.values; ++value) {
      if (next[value] == 0) continue;
      if (context.size() == steps_) {
        revised_[value] += weight * next[value];
      } else {
        std::vector<Value> longer = context;
        longer.push_back(value);
        GoOn(std::move(longer), weight * next[value]);
      }
    }
  }

  const Knowledge& knowledge_;
  std::size_t steps_;
  Distribution uniform_, revised_;
};

// One release as she sees it: groups one by one, in any order.
class Sight {
 public:
  Sight(const Snapshot& snapshot, std::span<const Statement> statements, std::uint32_t values,
        const ReaderOptions& options, const Bounds& bounds, Detail detail)
      : snapshot_(snapshot),
        values_(values),
        options_(options),
        bounds_(bounds),
        members_(snapshot.groups) {
    options_.estimate.all_choices = bounds.any();
    for (const Statement& statement : statements) stated_[statement.person].push_back(statement);
    for (std::size_t i = 0; i < snapshot.rows.size(); ++i) {
      if (snapshot.rows[i].group != kSuppressed) members_[snapshot.rows[i].group].push_back(i);
    }
    if (detail == Detail::kEverybody) beliefs_.prior.resize(snapshot.rows.size());
    beliefs_.posterior.resize(snapshot.rows.size());
    beliefs_.gain.assign(snapshot.rows.size(), 0);
    strongest_.assign(snapshot.groups, 0);
    divergence_.assign(snapshot.groups, 0);
    judged_.resize(snapshot.groups);
    approximated_.assign(snapshot.groups, 0);
  }

  void SeeGroup(std::size_t number, const Reader& reader, std::uint64_t seed) {
    const std::vector<std::size_t>& members = members_[number];
    std::vector<std::uint32_t> rows(values_, 0);
    std::vector<Distribution> priors;
    std::vector<const Distribution*> before;
    std::vector<Suspect> suspects;
    priors.reserve(members.size());
    for (const std::size_t i : members) {
      const Row& row = snapshot_.rows[i];
      const std::vector<Statement>& stated = StatedOf(row.person);
      ++rows[row.value];
      before.push_back(&priors.emplace_back(reader.Before(row.person, row.kind, stated)));
      suspects.push_back({row.value, before.back(), stated});
    }
    divergence_[number] = Divergence(before);
    GroupBeliefs found = Consider(suspects, values_, options_, DeriveSeed(seed, members.front()));
    approximated_[number] = found.approximated;
    judged_[number] = Judge(suspects, found, bounds_).judged;
    for (std::size_t place = 0; place < members.size(); ++place) {
      const std::size_t i = members[place];
      const Value value = snapshot_.rows[i].value;
      beliefs_.posterior[i] = std::move(found.posterior[place]);
      const double belief = beliefs_.posterior[i][value];
      if (!found.certain[place]) strongest_[number] = std::max(strongest_[number], belief);
      beliefs_.gain[i] = inference::Gain(belief, rows[value], members.size());
      if (!beliefs_.prior.empty()) beliefs_.prior[i] = std::move(priors[place]);
    }
  }

  Beliefs Summary() {
    double sum = 0;
    std::size_t shown = 0;
    for (const std::vector<std::size_t>& members : members_) {
      shown += members.size();
      for (const std::size_t i : members) {
        sum += beliefs_.gain[i];
        beliefs_.largest_gain = std::max(beliefs_.largest_gain, beliefs_.gain[i]);
      }
    }
    beliefs_.mean_gain = shown ? sum / static_cast<double>(shown) : 0;
    for (const double belief : strongest_)
      beliefs_.strongest = std::max(beliefs_.strongest, belief);
    for (const double bits : divergence_) beliefs_.divergence = std::max(beliefs_.divergence, bits);
    for (const Judgement& judged : judged_) beliefs_.judged.Add(judged);
    for (const char approximated : approximated_) beliefs_.approximated += approximated;
    return std::move(beliefs_);
  }

 private:
  const std::vector<Statement>& StatedOf(Person person) const {
    static const std::vector<Statement> kNone;
    const auto found = stated_.find(person);
    return found == stated_.end() ? kNone : found->second;
  }

  const Snapshot& snapshot_;
  std::uint32_t values_;
  ReaderOptions options_;
  const Bounds& bounds_;
  std::vector<std::vector<std::size_t>> members_;
  std::unordered_map<Person, std::vector<Statement>> stated_;
  Beliefs beliefs_;
  // Per group.
  std::vector<double> strongest_, divergence_;
  std::vector<Judgement> judged_;
  std::vector<char> approximated_;
};

}  // namespace

Distribution Revise(const Knowledge& knowledge, std::span<const Distribution> seen) {
  const std::size_t steps = std::min<std::size_t>(seen.size(), knowledge.transition.steps);
  return Revision(knowledge, steps).From(seen[seen.size() - steps]);
}

Reader::Reader(const Knowledge& knowledge, const ReaderOptions& options)
    : knowledge_(knowledge), options_(options) {}

Distribution Reader::PriorOf(Person person, std::uint32_t kind) const {
  const auto believed = person_beliefs_.find(person);
  return believed == person_beliefs_.end() ? knowledge_.prior[kind]
                                           : Revise(knowledge_, believed->second.seen);
}

Distribution Reader::Before(Person person, std::uint32_t kind,
                            std::span<const Statement> statements) const {
  Distribution prior = PriorOf(person, kind);
  if (InWeights(options_)) return prior;
  for (const Statement& statement : statements) {
    if (statement.confidence < 1) inference::MixHint(prior, statement.value, statement.confidence);
  }
  return prior;
}

void Reader::Remember(std::unordered_map<Person, PersonBeliefs> person_beliefs,
                      std::uint32_t releases) {
  person_beliefs_ = std::move(person_beliefs);
  releases_ = releases;
}

Beliefs Reader::See(const Snapshot& snapshot, std::span<const Statement> statements,
                    ThreadPool& pool, const Bounds& bounds, Detail detail) {
  Sight sight(snapshot, statements, knowledge_.values, options_, bounds, detail);
  const std::uint64_t seed = DeriveSeed(options_.estimate.seed, releases_);
  pool.Run(snapshot.groups, [&](std::size_t group) { sight.SeeGroup(group, *this, seed); });
  Beliefs beliefs = sight.Summary();
  for (std::size_t i = 0; i < snapshot.rows.size(); ++i) {
    if (snapshot.rows[i].group == kSuppressed) continue;
    std::vector<Distribution>& seen = person_beliefs_[snapshot.rows[i].person].seen;
    if (detail == Detail::kSummary) {
      seen.push_back(std::move(beliefs.posterior[i]));
    } else {
      seen.push_back(beliefs.posterior[i]);
    }
    if (seen.size() > knowledge_.transition.steps) seen.erase(seen.begin());
  }
  if (detail == Detail::kSummary) beliefs.posterior = {};
  ++releases_;
  return beliefs;
}

}  // namespace reissue::models::similarity
