#include "reissue/models/similarity/adversary/reader.h"

#include <algorithm>
#include <optional>

#include "reissue/core/random.h"

namespace reissue::models::similarity {
namespace {

using inference::BeliefGroup;
using inference::Estimator;
using inference::Hint;

// Whether statements below certainty go into the weights of assignments.
bool InWeights(const ReaderOptions& options) {
  return options.cascade == Cascade::kPosterior && options.estimator == Estimator::kBayes;
}

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
    for (Value value = 0; value < knowledge_.values; ++value) {
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

// One group of a release as she sees it. Who is certain is taken out first, with a row each.
class GroupView {
 public:
  GroupView(std::uint32_t values, const ReaderOptions& options)
      : options_(options), left_(values, 0) {}

  void Add(const Row& row, const Distribution& prior, const std::vector<Statement>& statements) {
    ++left_[row.value];
    people_.push_back({&prior, &statements, std::nullopt, 0});
  }

  inference::Posterior Estimate(std::uint64_t seed) {
    for (Member& member : people_) TakeOut(member);
    BeliefGroup group;
    std::vector<std::size_t> column(left_.size(), 0);
    for (Value value = 0; value < left_.size(); ++value) {
      if (left_[value] == 0) continue;
      column[value] = group.rows.size();
      group.rows.push_back(left_[value]);
      shown_.push_back(value);
    }
    std::vector<Hint> hints;
    for (Member& member : people_) {
      if (member.certain) continue;
      member.number = group.people++;
      for (const Value value : shown_) group.prior.push_back((*member.prior)[value]);
      for (const Statement& statement : *member.statements) {
        if (left_[statement.value] == 0) continue;
        hints.push_back({member.number, column[statement.value], statement.confidence});
      }
    }
    if (group.people == 0) return {};
    if (!InWeights(options_)) hints.clear();
    inference::EstimateOptions estimate = options_.estimate;
    estimate.seed = seed;
    return inference::Estimate(group, options_.estimator, HintsThatCount(group, hints), estimate);
  }

  // Over all values.
  Distribution Of(std::size_t place, const std::vector<double>& belief) const {
    const Member& member = people_[place];
    Distribution posterior(left_.size(), 0);
    if (member.certain) {
      posterior[*member.certain] = 1;
      return posterior;
    }
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      posterior[shown_[i]] = belief[member.number * shown_.size() + i];
    }
    return posterior;
  }
  bool certain(std::size_t place) const { return people_[place].certain.has_value(); }

 private:
  struct Member {
    const Distribution* prior;
    const std::vector<Statement>* statements;
    std::optional<Value> certain;
    std::size_t number;  // among those who are not certain
  };

  // A statement that no row is left for cannot be true, and is not believed.
  void TakeOut(Member& member) {
    for (const Statement& statement : *member.statements) {
      if (statement.confidence < 1 || left_[statement.value] == 0) continue;
      --left_[statement.value];
      member.certain = statement.value;
      return;
    }
  }

  const ReaderOptions& options_;
  std::vector<std::uint32_t> left_;  // rows per value
  std::vector<Member> people_;
  std::vector<Value> shown_;  // values with rows left
};

// One release as she sees it: groups one by one, in any order.
class Sight {
 public:
  Sight(const Snapshot& snapshot, std::span<const Statement> statements, std::uint32_t values,
        const ReaderOptions& options)
      : snapshot_(snapshot), values_(values), options_(options), members_(snapshot.groups) {
    for (const Statement& statement : statements) stated_[statement.person].push_back(statement);
    for (std::size_t i = 0; i < snapshot.rows.size(); ++i) {
      if (snapshot.rows[i].group != kSuppressed) members_[snapshot.rows[i].group].push_back(i);
    }
    beliefs_.prior.resize(snapshot.rows.size());
    beliefs_.posterior.resize(snapshot.rows.size());
    beliefs_.gain.assign(snapshot.rows.size(), 0);
    strongest_.assign(snapshot.groups, 0);
    approximated_.assign(snapshot.groups, 0);
  }

  void SeeGroup(std::size_t number, const Reader& reader, std::uint64_t seed) {
    const std::vector<std::size_t>& members = members_[number];
    GroupView view(values_, options_);
    std::vector<std::uint32_t> rows(values_, 0);
    for (const std::size_t i : members) {
      const Row& row = snapshot_.rows[i];
      ++rows[row.value];
      beliefs_.prior[i] = Prior(row, reader);
      view.Add(row, beliefs_.prior[i], StatedOf(row.person));
    }
    const inference::Posterior found = view.Estimate(seed);
    approximated_[number] = options_.estimator == Estimator::kExact && !found.belief.empty() &&
                            found.by != Estimator::kExact;
    for (std::size_t place = 0; place < members.size(); ++place) {
      const std::size_t i = members[place];
      const Value value = snapshot_.rows[i].value;
      beliefs_.posterior[i] = view.Of(place, found.belief);
      const double belief = beliefs_.posterior[i][value];
      if (!view.certain(place)) strongest_[number] = std::max(strongest_[number], belief);
      beliefs_.gain[i] = inference::Gain(belief, rows[value], members.size());
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
    for (const char approximated : approximated_) beliefs_.approximated += approximated;
    return std::move(beliefs_);
  }

 private:
  const std::vector<Statement>& StatedOf(Person person) const {
    static const std::vector<Statement> kNone;
    const auto found = stated_.find(person);
    return found == stated_.end() ? kNone : found->second;
  }

  Distribution Prior(const Row& row, const Reader& reader) const {
    Distribution prior = reader.PriorOf(row.person, row.kind);
    if (InWeights(options_)) return prior;
    for (const Statement& statement : StatedOf(row.person)) {
      if (statement.confidence < 1)
        inference::MixHint(prior, statement.value, statement.confidence);
    }
    return prior;
  }

  const Snapshot& snapshot_;
  std::uint32_t values_;
  const ReaderOptions& options_;
  std::vector<std::vector<std::size_t>> members_;
  std::unordered_map<Person, std::vector<Statement>> stated_;
  Beliefs beliefs_;
  std::vector<double> strongest_;   // per group
  std::vector<char> approximated_;  // per group
};

}  // namespace

Distribution Revise(const Knowledge& knowledge, std::span<const Distribution> seen) {
  const std::size_t steps = std::min<std::size_t>(seen.size(), knowledge.transition.steps);
  return Revision(knowledge, steps).From(seen[seen.size() - steps]);
}

Reader::Reader(const Knowledge& knowledge, const ReaderOptions& options)
    : knowledge_(knowledge), options_(options) {}

Distribution Reader::PriorOf(Person person, std::uint32_t kind) const {
  const auto mind = minds_.find(person);
  return mind == minds_.end() ? knowledge_.prior[kind] : mind->second.revised;
}

void Reader::Remember(std::unordered_map<Person, Mind> minds, std::uint32_t releases) {
  minds_ = std::move(minds);
  releases_ = releases;
}

Beliefs Reader::See(const Snapshot& snapshot, std::span<const Statement> statements,
                    ThreadPool& pool) {
  Sight sight(snapshot, statements, knowledge_.values, options_);
  const std::uint64_t seed = DeriveSeed(options_.estimate.seed, releases_);
  pool.Run(snapshot.groups,
           [&](std::size_t group) { sight.SeeGroup(group, *this, DeriveSeed(seed, group)); });
  Beliefs beliefs = sight.Summary();
  for (std::size_t i = 0; i < snapshot.rows.size(); ++i) {
    if (snapshot.rows[i].group == kSuppressed) continue;
    Mind& mind = minds_[snapshot.rows[i].person];
    mind.seen.push_back(beliefs.posterior[i]);
    if (mind.seen.size() > knowledge_.transition.steps) mind.seen.erase(mind.seen.begin());
    mind.revised = Revise(knowledge_, mind.seen);
  }
  ++releases_;
  return beliefs;
}

}  // namespace reissue::models::similarity
