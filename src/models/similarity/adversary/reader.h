#pragma once
// A reader with background knowledge who sees one release after the other (section 4.3 of Amiri et
// al., Transactions on Data Privacy 12, 2019): prior → posterior → transition → revised prior.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/similarity/adversary/group.h"
#include "reissue/models/similarity/release/knowledge.h"
#include "reissue/models/similarity/release/series.h"

namespace reissue::models::similarity {

// What she thinks of one person: posteriors of the releases in which the person was seen, the
// newest last; at most as many as the transition has steps. She forgets nothing while the person is
// away.
struct PersonBeliefs {
  std::vector<Distribution> seen;
};

// What she believes after a release, per row; suppressed rows are empty and change nothing.
struct Beliefs {
  std::vector<Distribution> prior, posterior;  // over all values; Detail::kSummary: nothing here
  double divergence = 0;                       // of the priors in a group, the largest
  // Of the values shown, for whoever knows them: equation 8, 0 for suppressed rows; the largest
  // belief in one, of people not stated as certain.
  std::vector<double> gain;
  double mean_gain = 0, largest_gain = 0;
  double strongest = 0;
  Judgement judged;                // of all groups together
  std::uint64_t approximated = 0;  // groups that kExact left to kScaling
};

// What is to be told of her beliefs; of large tables beliefs of everybody are large.
enum class Detail { kEverybody, kSummary };

class Reader {
 public:
  // The knowledge must stay where it is. It may change between releases, and values may be added:
  // nobody was believed to have them before.
  Reader(const Knowledge& knowledge, const ReaderOptions& options);

  // Her prior of a person before the next release; with statements about it below certainty, where
  // they change the prior.
  Distribution PriorOf(Person person, std::uint32_t kind) const;
  Distribution Before(Person person, std::uint32_t kind,
                      std::span<const Statement> statements) const;

  // She sees the next release. `statements` are those about it, `bounds` what is promised. Groups
  // are independent of one another; the same answers for any number of threads.
  Beliefs See(const Snapshot& snapshot, std::span<const Statement> statements, ThreadPool& pool,
              const Bounds& bounds = {}, Detail detail = Detail::kEverybody);

  // To be kept between releases.
  const std::unordered_map<Person, PersonBeliefs>& person_beliefs() const {
    return person_beliefs_;
  }
  std::unordered_map<Person, PersonBeliefs> TakePersonBeliefs() && {
    return std::move(person_beliefs_);
  }
  void Remember(std::unordered_map<Person, PersonBeliefs> person_beliefs, std::uint32_t releases);
  std::uint32_t releases() const { return releases_; }

 private:
  const Knowledge& knowledge_;
  ReaderOptions options_;
  std::unordered_map<Person, PersonBeliefs> person_beliefs_;
  std::uint32_t releases_ = 0;
};

// Equations 3 and 4: the revised prior after posteriors of up to `steps` releases (the newest
// last; values that they do not have had probability 0). With fewer posteriors than steps, as many
// steps as there are.
Distribution Revise(const Knowledge& knowledge, std::span<const Distribution> seen);

}  // namespace reissue::models::similarity
