// What the reader makes of one group, against enumeration.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "chain.h"
#include "random_series.h"
#include "reissue/models/similarity/adversary/reader.h"

namespace oracle::similarity {
namespace {

namespace estimators = reissue::inference;

// Certain knowledge by one group; who is certain does not depend on the order of the group.
TEST(SimilarityReader, ConsiderByEnumeration) {
  std::size_t groups = 0, certain = 0, turned_differ = 0;
  double largest = 0;
  for (std::uint64_t number = 0; number < 8000; ++number) {
    reissue::Random random = reissue::Random::Seeded(920'000 + number);
    const int values = 2 + int(random.Below(4));
    const std::size_t people = 1 + random.Below(6);
    std::vector<Belief> priors;
    std::vector<std::vector<product::Statement>> said(people);
    std::vector<Member> members(people);
    for (std::size_t i = 0; i < people; ++i) {
      priors.push_back(DrawBelief(values, number % 4 == 0 ? 0.3 : 0, random));
      members[i].prior = priors[i];
      members[i].value = int(random.Below(std::uint64_t(values)));
      double rest = 1;
      std::set<int> spoken;
      if (random.Below(4) == 0) {
        members[i].said.push_back({members[i].value, 1});
        ++certain;
      } else {
        for (std::uint64_t more = random.Below(3); more-- > 0;) {
          const int value = int(random.Below(std::uint64_t(values)));
          if (!spoken.insert(value).second) continue;
          const double confidence = rest * random.Unit() * 0.99;
          rest -= confidence;
          members[i].said.push_back({value, confidence});
        }
      }
      for (const Said& one : members[i].said) {
        said[i].push_back({std::uint32_t(i), std::uint32_t(one.value), 0, one.confidence});
      }
    }
    std::vector<product::Suspect> suspects(people), turned;
    for (std::size_t i = 0; i < people; ++i) {
      suspects[i].value = std::uint32_t(members[i].value);
      suspects[i].statements = said[i];
    }
    for (const auto& [estimator, way] : {std::pair(estimators::Estimator::kBayes, Way::kBayes),
                                         std::pair(estimators::Estimator::kSum, Way::kSum),
                                         std::pair(estimators::Estimator::kExact, Way::kExact)}) {
      product::ReaderOptions options;
      options.estimator = estimator;
      const bool cascade = number % 2 == 0;
      options.cascade = cascade ? product::Cascade::kPosterior : product::Cascade::kPrior;
      options.estimate.share_ties = true;
      const bool mixed = !(cascade && way == Way::kBayes);
      std::vector<Belief> before;
      for (const Member& member : members) {
        before.push_back(mixed ? Cascaded(member.prior, member.said) : member.prior);
      }
      for (std::size_t i = 0; i < people; ++i) suspects[i].prior = &before[i];
      const product::GroupBeliefs theirs =
          product::Consider(suspects, std::uint32_t(values), options, number);
      const Views views = ViewsOf(members, way, cascade);
      if (views.choices.empty()) continue;
      const auto& mine = way == Way::kBayes ? views.shared : views.choices[0];
      ++groups;
      for (std::size_t i = 0; i < people; ++i) {
        const bool sure = !members[i].said.empty() && members[i].said[0].confidence == 1;
        ASSERT_EQ(bool(theirs.certain[i]), sure);
        const double off = Away(theirs.posterior[i], mine[i]);
        largest = std::max(largest, off);
        ASSERT_LE(off, 1e-11) << estimators::NameOf(estimator) << ' ' << number;
      }
      turned.assign(suspects.rbegin(), suspects.rend());
      const product::GroupBeliefs other =
          product::Consider(turned, std::uint32_t(values), options, number);
      for (std::size_t i = 0; i < people; ++i) {
        if (Away(other.posterior[people - 1 - i], theirs.posterior[i]) > 1e-9) ++turned_differ;
      }
    }
  }
  std::cout << groups << " groups considered, " << certain << " people certain; largest difference "
            << largest << "; order matters in " << turned_differ << "\n";
  EXPECT_EQ(turned_differ, 0u);
}

// Statements that cannot all be true: certain of a value that the group does not show, or of more
// people than there are rows, or of two values. Beliefs stay distributions.
TEST(SimilarityReader, Contradictions) {
  reissue::ThreadPool pool(1);
  std::size_t statements = 0, people = 0, off_group = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    reissue::Random random = reissue::Random::Seeded(930'000 + number);
    World world = DrawKnowledge(2 + int(random.Below(3)), 1, number % 3 == 0 ? 0.3 : 0, random);
    DrawReleases(world, 3, 5, 0.3, random);
    for (std::size_t r = 0; r < world.releases.size(); ++r) {
      for (const auto& row : world.releases[r].rows) {
        if (random.Below(3) > 0) continue;
        const auto value = std::uint32_t(random.Below(world.knowledge.values));
        world.statements[r].push_back({row.person, value, std::uint32_t(r), 1});
        ++statements;
      }
    }
    product::ReaderOptions options;
    options.estimator = estimators::Estimator(number % 5);
    options.cascade = number % 2 == 0 ? product::Cascade::kPosterior : product::Cascade::kPrior;
    product::Reader reader(world.knowledge, options);
    for (std::size_t r = 0; r < world.releases.size(); ++r) {
      const product::Beliefs beliefs = reader.See(world.releases[r], world.statements[r], pool);
      for (std::size_t i = 0; i < beliefs.posterior.size(); ++i) {
        if (beliefs.posterior[i].empty()) continue;
        ++people;
        double total = 0;
        for (std::uint32_t s = 0; s < world.knowledge.values; ++s) {
          const double p = beliefs.posterior[i][s];
          ASSERT_TRUE(p >= 0 && p <= 1 + 1e-12) << number;
          total += p;
          bool shown = false;
          for (const auto& row : world.releases[r].rows) {
            shown |= row.group == world.releases[r].rows[i].group && row.value == s;
          }
          off_group += !shown && p > 0 ? 1 : 0;
        }
        ASSERT_NEAR(total, 1, 1e-9) << number;
        ASSERT_TRUE(std::isfinite(beliefs.gain[i]));
      }
    }
  }
  std::cout << statements << " certain statements at random: beliefs of " << people
            << " people are distributions; values believed that the group does not show: "
            << off_group << '\n';
}

}  // namespace
}  // namespace oracle::similarity
