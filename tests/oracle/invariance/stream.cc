#include "stream.h"

#include <algorithm>

#include "draw.h"

namespace oracle::invariance {
namespace {

// Takes people out until no value has more than 1/m of the rows.
void MakeEligible(std::vector<int>& table, const Stream& stream, reissue::Random& random) {
  random.Shuffle(table);
  for (;;) {
    std::vector<std::size_t> count(std::size_t(stream.values));
    for (const int id : table) ++count[std::size_t(stream.value_of[std::size_t(id)])];
    const auto most = std::max_element(count.begin(), count.end());
    if (*most * std::size_t(stream.m) <= table.size()) return;
    const int value = int(most - count.begin());
    table.erase(std::find_if(table.begin(), table.end(),
                             [&](int id) { return stream.value_of[std::size_t(id)] == value; }));
  }
}

class Runner {
 public:
  Runner(const Stream& stream, const Meddling& meddling) : stream_(stream), meddling_(meddling) {
    run_.published.people = int(stream.value_of.size());
    run_.published.values = stream.values;
    run_.published.counterfeit.resize(stream.value_of.size());
    member_of_.assign(stream.value_of.size(), model::kNewcomer);
  }

  bool Next(std::size_t number, const model::PublishOptions& options) {
    const std::vector<int>& table = stream_.tables[number];
    std::vector<model::Present> today;
    for (const int id : table) {
      std::uint32_t member = member_of_[std::size_t(id)];
      if (meddling_.returned_are_new && !last_.count(id)) member = model::kNewcomer;
      today.push_back({member, std::uint32_t(stream_.value_of[std::size_t(id)])});
    }
    const auto plan = model::Publish(state_, today, options);
    if (!plan.has_value()) {
      run_.wrong = "refused: " + plan.error().message;
      return false;
    }
    run_.wrong = WrongIn(*plan, today);
    if (!run_.wrong.empty()) return false;
    Show(*plan, table);
    state_ = plan->state;
    if (number % 3 == 2) Forget();
    if (meddling_.forget_histories) {
      for (model::Bucket& bucket : state_.buckets) bucket.history.stays.clear();
      for (model::Bucket& bucket : state_.buckets) {
        for (const model::Member& member : state_.members) {
          if (member.bucket != std::uint32_t(&bucket - state_.buckets.data())) continue;
          if (member.left != model::kStillThere || member.stays != model::kOneStay) continue;
          bucket.history.stays.push_back({member.came, member.left, 1});
        }
      }
    }
    last_ = {table.begin(), table.end()};
    return true;
  }

  Outcome Take() { return std::move(run_); }

 private:
  std::string WrongIn(const model::Plan& plan, const std::vector<model::Present>& today) const {
    if (plan.bucket.size() != today.size() || plan.member.size() != today.size()) {
      return "a plan of another size";
    }
    std::set<std::uint32_t> shown;
    const auto& members = plan.state.members;
    for (std::size_t i = 0; i < today.size(); ++i) {
      if (plan.member[i] >= members.size()) return "a member who does not exist";
      const model::Member& member = members[plan.member[i]];
      if (!shown.insert(plan.member[i]).second) return "a member twice";
      if (today[i].member != model::kNewcomer && today[i].member != plan.member[i]) {
        return "a member became another";
      }
      if (member.value != today[i].value || member.counterfeit) return "a member's value";
      if (member.bucket != plan.bucket[i]) return "a member's bucket";
      if (member.left != model::kStillThere) return "a member who is there has left";
    }
    for (const std::uint32_t c : plan.counterfeits) {
      if (c >= members.size() || !members[c].counterfeit) return "a counterfeit that is none";
      if (!shown.insert(c).second) return "a counterfeit twice";
      if (members[c].left != model::kStillThere) return "a counterfeit that is shown has left";
    }
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      const auto& signature = plan.state.buckets.at(members[m].bucket).signature;
      if (!std::count(signature.begin(), signature.end(), members[m].value)) {
        return "a value that is not in the signature";
      }
      if (!shown.count(m) && members[m].left == model::kStillThere) return "who left is there";
    }
    std::set<std::vector<model::Value>> signatures;
    for (const model::Bucket& bucket : plan.state.buckets) {
      if (!signatures.insert(bucket.signature).second) return "two buckets of one signature";
    }
    return "";
  }

  void Show(const model::Plan& plan, const std::vector<int>& table) {
    run_.published.releases.emplace_back();
    auto& rows = run_.published.releases.back();
    for (std::size_t i = 0; i < table.size(); ++i) {
      member_of_[std::size_t(table[i])] = plan.member[i];
      rows.push_back({table[i], int(plan.bucket[i]), stream_.value_of[std::size_t(table[i])]});
    }
    for (const std::uint32_t c : plan.counterfeits) {
      const auto [at, fresh] = counterfeit_.emplace(c, run_.published.people);
      if (fresh) {
        ++run_.published.people;
        run_.published.counterfeit.push_back(true);
      }
      const model::Member& member = plan.state.members[c];
      rows.push_back({at->second, int(member.bucket), int(member.value)});
    }
    run_.counterfeits += plan.counterfeits.size();
  }

  void Forget() {
    const std::vector<std::uint32_t> now = model::Forget(state_);
    for (std::uint32_t& member : member_of_) {
      if (member == model::kNewcomer) continue;
      member = now[member];
      if (member == model::kNewcomer) run_.wrong = "a person was forgotten";
    }
    std::map<std::uint32_t, int> left;
    for (const auto& [member, id] : counterfeit_) {
      if (now[member] != model::kNewcomer) left.emplace(now[member], id);
    }
    counterfeit_ = std::move(left);
  }

  const Stream& stream_;
  const Meddling& meddling_;
  Outcome run_;
  model::State state_;
  std::vector<std::uint32_t> member_of_;      // per identity
  std::map<std::uint32_t, int> counterfeit_;  // member to person of the series
  std::set<int> last_;
};

}  // namespace

Stream DrawStream(const StreamShape& shape, reissue::Random& random) {
  Stream stream;
  stream.m = 2 + int(random.Below(4));
  stream.e = 1 + int(random.Below(std::uint64_t(stream.m)));
  stream.values = stream.m + int(random.Below(4));
  const double leave = 0.05 + 0.7 * random.Unit();
  const double skew = random.Below(2) == 0 ? 0 : 1 + 2 * random.Unit();
  const int releases = 2 + int(random.Below(std::uint64_t(shape.releases - 1)));
  std::vector<int> here, gone;
  for (int r = 0; r < releases; ++r) {
    std::vector<int> table;
    const bool all_leave = Chance(0.03, random);
    const bool nobody_moves = Chance(0.05, random);
    for (const int id : here) {
      if (all_leave || (!nobody_moves && Chance(leave, random))) {
        gone.push_back(id);
      } else if (!nobody_moves && Chance(shape.change, random)) {
        // Somebody else from now on; who they were never comes back.
        stream.value_of.push_back(int(random.Below(std::uint64_t(stream.values))));
        table.push_back(int(stream.value_of.size()) - 1);
      } else {
        table.push_back(id);
      }
    }
    const int target = all_leave || nobody_moves
                           ? 0
                           : int(random.Below(std::uint64_t(shape.rows))) + shape.rows / 2;
    const std::uint64_t start = random.Below(std::uint64_t(stream.values));
    while (int(table.size()) < target) {
      if (!gone.empty() && Chance(shape.return_share, random)) {
        std::swap(gone[random.Below(gone.size())], gone.back());
        table.push_back(gone.back());
        gone.pop_back();
        continue;
      }
      // A batch prefers some values.
      std::uint64_t value = random.Below(std::uint64_t(stream.values));
      for (int again = int(skew); again > 0; --again) {
        value = std::min(value, random.Below(std::uint64_t(stream.values)));
      }
      stream.value_of.push_back(int((value + start) % std::uint64_t(stream.values)));
      table.push_back(int(stream.value_of.size()) - 1);
    }
    const std::vector<int> wanted = table;
    MakeEligible(table, stream, random);
    const std::set<int> in(table.begin(), table.end());
    for (const int id : wanted) {
      if (!in.count(id)) gone.push_back(id);
    }
    here = table;
    stream.tables.push_back(table);
  }
  return stream;
}

Outcome PublishStream(const Stream& stream, model::Rule rule, int e, std::uint64_t seed,
                      const Meddling& meddling) {
  model::PublishOptions options;
  options.m = std::uint64_t(stream.m);
  options.e = std::uint64_t(e);
  options.rule = rule;
  options.seed = seed;
  options.compact = meddling.compact;
  Runner runner(stream, meddling);
  for (std::size_t r = 0; r < stream.tables.size(); ++r) {
    if (!runner.Next(r, options)) break;
  }
  return runner.Take();
}

}  // namespace oracle::invariance
