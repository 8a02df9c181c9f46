#include "reissue/models/invariance/publisher/departed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "reissue/core/random.h"
#include "reissue/models/invariance/publisher/coherent.h"
#include "rounds.h"

namespace reissue::models::invariance {
namespace {

struct LongStream {
  std::uint32_t values = 5, releases = 40;
  std::size_t rows = 80, move = 20;
  double back = 0.5;  // of those who come, so many were there before
};

// The same tables twice: one state remembers everybody, from the other people are taken out when
// they leave and put back when they return.
class Twice {
 public:
  Twice(const LongStream& stream, const PublishOptions& options, std::uint64_t seed,
        bool renumber = true)
      : stream_(stream), options_(options), renumber_(renumber), random_(Random::Seeded(seed)) {}

  // What differs; empty: nothing.
  std::string Run() {
    for (std::uint32_t i = 0; i < stream_.releases; ++i) {
      Move(i == 0 ? stream_.rows : stream_.move);
      std::string difference = Step();
      if (!difference.empty()) return difference + " in release " + std::to_string(i + 1);
    }
    return {};
  }

  std::uint64_t returned = 0, merged = 0, given_up = 0, several = 0, renumbered = 0;

 private:
  struct Someone {
    Value value = 0;
    std::uint32_t kept = kNewcomer, present = kNewcomer;  // as members
    std::optional<Departed> away;
    std::size_t left_after = 0;  // so many releases
  };

  void Move(std::size_t count) {
    for (std::size_t i = random_.Below(count + 1); i > 0 && !here_.empty(); --i) {
      std::swap(here_[random_.Below(here_.size())], here_.back());
      gone_.push_back(here_.back());
      here_.pop_back();
    }
    for (std::size_t i = merges_.empty() ? count : random_.Below(count + 1); i > 0; --i) {
      if (!gone_.empty() && random_.Unit() < stream_.back) {
        std::swap(gone_[random_.Below(gone_.size())], gone_.back());
        here_.push_back(gone_.back());
        gone_.pop_back();
      } else {
        here_.push_back(static_cast<std::uint32_t>(people_.size()));
        people_.emplace_back().value = static_cast<Value>(random_.Below(stream_.values));
      }
    }
  }

  // As a vault would: newest first.
  std::string PutBack(const std::vector<std::uint32_t>& back) {
    std::vector<Departed> people;
    for (const std::uint32_t id : back) {
      MomentsSince since;
      for (std::size_t release = merges_.size(); release > people_[id].left_after; --release) {
        if (renumber_) since.AddEarlier(merges_[release - 1]);
      }
      people.push_back(*people_[id].away);
      since.Renumber(people.back());
      renumbered += people.back() != *people_[id].away ? 1 : 0;
      several += people.back().stays.size() > 1 ? 1 : 0;
    }
    const auto indices = Restore(present_, people);
    if (!indices) return indices.error().message;
    for (std::size_t i = 0; i < back.size(); ++i) {
      people_[back[i]].present = (*indices)[i];
      people_[back[i]].away.reset();
    }
    return {};
  }

  std::string Step() {
    std::vector<std::uint32_t> back;
    for (const std::uint32_t id : here_) {
      if (people_[id].away) back.push_back(id);
    }
    std::vector<Present> kept_rows;
    for (const std::uint32_t id : here_) kept_rows.push_back({people_[id].kept, people_[id].value});
    Result<Plan> kept = Publish(kept_, kept_rows, options_);
    if (!kept) return {};  // this table is skipped
    std::string fault = PutBack(back);
    if (!fault.empty()) return fault;
    std::vector<Present> rows;
    for (const std::uint32_t id : here_) rows.push_back({people_[id].present, people_[id].value});
    const Plan plan = Publish(present_, rows, options_).value();
    fault = Compare(*kept, plan);
    kept_ = std::move(kept->state);
    present_ = plan.state;
    if (!Coherent(kept_) || !Coherent(present_)) return "a state that makes no sense";
    merges_.push_back(plan.merged);
    returned += plan.returned;
    merged += plan.merged.size();
    given_up = static_cast<std::uint64_t>(std::ranges::count_if(
        kept_.buckets, [](const Bucket& b) { return b.merged && b.returned > kReturnSlack; }));
    TakeOut(*kept, plan);
    return fault;
  }

  void TakeOut(const Plan& kept, const Plan& plan) {
    for (std::size_t i = 0; i < here_.size(); ++i) {
      people_[here_[i]].kept = kept.member[i];
      people_[here_[i]].present = plan.member[i];
    }
    const Dismissal dismissal = Dismiss(present_);
    std::map<std::uint32_t, const Departed*> away;
    for (const auto& [member, departed] : dismissal.people) away.emplace(member, &departed);
    for (Someone& someone : people_) {
      if (someone.present == kNewcomer) continue;
      const std::uint32_t before = someone.present;
      someone.present = dismissal.to[before];
      if (someone.present != kNewcomer) continue;
      someone.away = *away.at(before);
      someone.left_after = merges_.size();
    }
  }

  static std::vector<std::pair<std::uint32_t, Value>> Shown(const Plan& plan) {
    std::vector<std::pair<std::uint32_t, Value>> shown;
    for (const std::uint32_t member : plan.counterfeits) {
      shown.emplace_back(plan.state.members[member].bucket, plan.state.members[member].value);
    }
    return shown;
  }

  static auto Sorted(const std::vector<Return>& returns) {
    std::vector<std::pair<std::vector<std::pair<Moment, Moment>>, std::uint64_t>> sorted;
    for (const Return& people : returns) sorted.emplace_back(people.stays, people.people);
    std::ranges::sort(sorted);
    return sorted;
  }

  static std::string Compare(const Plan& a, const Plan& b) {
    if (a.bucket != b.bucket) return "other buckets";
    if (Shown(a) != Shown(b) || a.kept_counterfeits != b.kept_counterfeits) {
      return "other counterfeits";
    }
    if (std::tie(a.newcomers, a.returned, a.departed, a.buckets_topped_up, a.merged) !=
        std::tie(b.newcomers, b.returned, b.departed, b.buckets_topped_up, b.merged)) {
      return "other counts";
    }
    if (a.state.buckets.size() != b.state.buckets.size()) return "other buckets";
    for (std::size_t i = 0; i < a.state.buckets.size(); ++i) {
      const Bucket &x = a.state.buckets[i], &y = b.state.buckets[i];
      if (x.signature != y.signature || x.history.stays != y.history.stays ||
          Sorted(x.history.returns) != Sorted(y.history.returns) || x.merged != y.merged ||
          x.returned != y.returned) {
        return "another history";
      }
    }
    return {};
  }

  LongStream stream_;
  PublishOptions options_;
  bool renumber_;
  Random random_;
  State kept_, present_;
  std::vector<std::vector<MergedMoment>> merges_;  // per release
  std::vector<Someone> people_;
  std::vector<std::uint32_t> here_, gone_;
};

PublishOptions DepartedOptions(std::uint64_t seed) {
  PublishOptions options;
  options.m = 2 + seed % 2;
  options.e = 1 + seed % options.m;
  options.seed = seed;
  return options;
}

// Few values: large buckets, whose moments are merged.
LongStream StreamOf(std::uint64_t seed) {
  LongStream stream;
  stream.values = 2 + static_cast<std::uint32_t>(seed % 3);
  stream.rows = 80 + 60 * (seed % 3);
  stream.move = stream.rows / 2;
  stream.back = std::vector<double>{0.01, 0.03, 0.1, 0.5}[seed % 4];
  return stream;
}

TEST(Departed, WhoIsPutBackIsAsIfNeverTakenOut) {
  std::uint64_t returned = 0, merged = 0, given_up = 0, several = 0, renumbered = 0;
  for (std::uint64_t seed = 0; seed < Rounds(80u); ++seed) {
    PublishOptions options = DepartedOptions(seed);
    if (seed % 8 == 7) options.rule = Rule::kPaper;
    Twice twice(StreamOf(seed), options, seed);
    ASSERT_EQ(twice.Run(), "") << "seed " << seed;
    returned += twice.returned;
    merged += twice.merged;
    given_up += twice.given_up;
    several += twice.several;
    renumbered += twice.renumbered;
  }
  const auto print = [](std::uint64_t number, const char* what) {
    std::printf("%lu %s\n", static_cast<unsigned long>(number), what);
  };
  print(returned, "returns");
  print(several, "of them not for the first time");
  print(renumbered, "of them to other moments");
  print(merged, "moments merged");
  print(given_up, "histories given up");
  EXPECT_GE(returned, LeastSeen(1000u));
  EXPECT_GE(several, LeastSeen(100u));
  EXPECT_GE(merged, LeastSeen(200u));
  EXPECT_GE(given_up, LeastSeen(5u));
}

// The test above must be able to fail: who is put back with the moments of when they left is not
// who they were.
TEST(Departed, WithoutRenumberingItGoesWrong) {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    wrong += Twice(StreamOf(seed), DepartedOptions(seed), seed, false).Run().empty() ? 0 : 1;
  }
  EXPECT_GT(wrong, 4u);
}

TEST(Departed, MomentsOfManyReleasesAtOnce) {
  MomentsSince since;
  since.AddEarlier(std::vector<MergedMoment>{{1, 4, 2}});             // the newest
  since.AddEarlier(std::vector<MergedMoment>{{1, 6, 4}, {0, 6, 5}});  // before it
  since.AddEarlier(std::vector<MergedMoment>{{1, 7, 6}, {1, 9, 8}});
  EXPECT_EQ(since.Now(1, 4), 2u);
  EXPECT_EQ(since.Now(1, 6), 2u);
  EXPECT_EQ(since.Now(1, 7), 2u);
  EXPECT_EQ(since.Now(1, 9), 8u);
  EXPECT_EQ(since.Now(0, 6), 5u);
  EXPECT_EQ(since.Now(0, 7), 7u);
}

TEST(Departed, StrangersAreNotPutBack) {
  State state;
  state.release = 3;
  state.buckets.push_back({{0, 1}, {{{1, 2, 2}, {2, 0, 2}}, {{{{1, 2}, {3, 0}}, 1}}}, false, 0});
  const auto knows = [&](const Departed& person) {
    State copy = state;
    return Restore(copy, std::vector{person}).has_value();
  };
  EXPECT_TRUE(knows({0, 1, {{1, 2}}}));
  EXPECT_TRUE(knows({0, 1, {{2, 2}}}));           // whose stay has become nothing
  EXPECT_FALSE(knows({0, 1, {{1, 3}}}));          // no such stay
  EXPECT_FALSE(knows({0, 1, {{2, 0}}}));          // is still there
  EXPECT_FALSE(knows({0, 2, {{1, 2}}}));          // no such value
  EXPECT_FALSE(knows({1, 1, {{1, 2}}}));          // no such bucket
  EXPECT_FALSE(knows({0, 1, {{1, 2}, {3, 4}}}));  // came back another time
  EXPECT_FALSE(knows({0, 1, {}}));
}

}  // namespace
}  // namespace reissue::models::invariance
