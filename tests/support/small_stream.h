#pragma once
// Streams of small tables for tests: people come, leave, come back and get other values.

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance {

struct StreamOptions {
  std::uint32_t values = 6;
  std::size_t rows = 24, leave = 4, come = 4, back = 0, change = 0;
  std::uint32_t releases = 10;
};

// What was published, by people who are numbered for the whole stream.
struct Published {
  std::uint32_t person = 0, bucket = 0;
  Value value = 0;
  bool counterfeit = false;
};

class SmallStream {
 public:
  SmallStream(const StreamOptions& stream, const PublishOptions& publish, std::uint64_t seed)
      : stream_(stream), publish_(publish), random_(Random::Seeded(seed)) {}

  // Publishes a release; false where the table is not eligible (it is then not published, and the
  // next one follows). `after` sees the plan.
  bool Step(const std::function<void(const Plan&)>& after = {}) {
    Change();
    std::vector<Present> today;
    for (const Person& person : here_) today.push_back({person.member, person.value});
    if (!Eligibility(today, publish_.m).values.empty()) return false;
    Result<Plan> made = Publish(state, today, publish_);
    REISSUE_CHECK(made.has_value());
    const Plan plan = std::move(made).value();
    for (std::size_t i = 0; i < today.size(); ++i) here_[i].member = plan.member[i];
    Keep(plan);
    state = plan.state;
    if (after) after(plan);
    return true;
  }

  State state;
  std::vector<std::vector<Published>> releases;
  std::uint64_t counterfeits = 0;  // of all releases

 private:
  struct Person {
    std::uint32_t member = kNewcomer;
    Value value = 0;
  };

  void Leave(std::size_t count, std::vector<Person>& to) {
    for (; count > 0 && !here_.empty(); --count) {
      std::swap(here_[random_.Below(here_.size())], here_.back());
      to.push_back(here_.back());
      here_.pop_back();
    }
  }
  void Change() {
    const bool first = releases.empty() && here_.empty();
    if (!first) Leave(random_.Below(stream_.leave + 1), gone_);
    for (std::size_t i = 0; i < stream_.back && !gone_.empty(); ++i) {
      std::swap(gone_[random_.Below(gone_.size())], gone_.back());
      if (gone_.back().member != kNewcomer) here_.push_back(gone_.back());
      gone_.pop_back();
    }
    std::vector<Person> changed;
    Leave(random_.Below(stream_.change + 1), changed);
    for (std::size_t i = 0; i < changed.size(); ++i) Come();
    const std::size_t come = first ? stream_.rows : random_.Below(stream_.come + 1);
    for (std::size_t i = 0; i < come; ++i) Come();
  }
  void Come() {
    // Low values are more frequent.
    const auto value = std::min(random_.Below(stream_.values), random_.Below(stream_.values + 2));
    here_.push_back({kNewcomer, static_cast<Value>(value)});
  }
  void Keep(const Plan& plan) {
    std::vector<Published> release;
    for (const std::uint32_t member : plan.member) release.push_back(Show(plan, member));
    for (const std::uint32_t member : plan.counterfeits) release.push_back(Show(plan, member));
    releases.push_back(std::move(release));
    counterfeits += plan.counterfeits.size();
  }
  static Published Show(const Plan& plan, std::uint32_t member) {
    const Member& m = plan.state.members[member];
    return {member, m.bucket, m.value, m.counterfeit};
  }

  StreamOptions stream_;
  PublishOptions publish_;
  Random random_;
  std::vector<Person> here_, gone_;
};

// The history of each bucket as a reader of all releases sees it: nothing is merged.
inline std::map<std::uint32_t, History> HistoriesOf(
    const std::vector<std::vector<Published>>& releases) {
  using Stays = std::vector<std::pair<Moment, Moment>>;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Stays> people;  // bucket, person
  for (Moment moment = 1; moment <= releases.size(); ++moment) {
    for (const Published& row : releases[moment - 1]) {
      Stays& stays = people[{row.bucket, row.person}];
      if (stays.empty() || stays.back().second != moment) stays.emplace_back(moment, 0);
      stays.back().second = moment + 1;
    }
  }
  std::map<std::uint32_t, std::map<Stays, std::uint64_t>> alike;
  for (auto& [key, stays] : people) {
    if (stays.back().second > releases.size()) stays.back().second = kStillThere;
    ++alike[key.first][stays];
  }
  std::map<std::uint32_t, History> histories;
  for (const auto& [bucket, counts] : alike) {
    for (const auto& [stays, count] : counts) {
      if (stays.size() == 1) {
        histories[bucket].stays.push_back({stays[0].first, stays[0].second, count});
      } else {
        histories[bucket].returns.push_back({stays, count});
      }
    }
  }
  return histories;
}

}  // namespace reissue::models::invariance
