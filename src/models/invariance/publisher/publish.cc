#include "reissue/models/invariance/publisher/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "reissue/core/random.h"
#include "reissue/models/invariance/publisher/assign.h"
#include "reissue/models/invariance/publisher/at_hand.h"
#include "reissue/models/invariance/publisher/balance.h"
#include "reissue/models/invariance/publisher/movement.h"
#include "reissue/models/invariance/publisher/value_numbers.h"

namespace reissue::models::invariance {
namespace {

using internal::Assign;
using internal::Judge;
using internal::Movement;
using internal::Target;
using internal::ValueNumbers;
using internal::Work;

Status CheckCall(const State& before, std::span<const Present> today,
                 const PublishOptions& options) {
  if (options.m < 2) {
    return UsageError(fmt::format("m is {}, and must be at least 2", options.m),
                      "a signature needs two values to hide anything");
  }
  if (options.e < 1 || options.e > options.m) {
    return UsageError(
        fmt::format("e is {}, and must be between 1 and m = {}", options.e, options.m),
        "choose an e that m allows");
  }
  std::vector<bool> seen(before.members.size());
  for (std::size_t i = 0; i < today.size(); ++i) {
    const std::uint32_t member = today[i].member;
    if (member == kNewcomer) continue;
    if (member >= before.members.size() || before.members[member].counterfeit) {
      return InputError(fmt::format("row {} belongs to nobody who is known", i + 1));
    }
    if (seen[member]) return InputError(fmt::format("row {} belongs to a person twice", i + 1));
    if (before.members[member].value != today[i].value) {
      return InputError(fmt::format("row {} has another value than before", i + 1),
                        "whoever gets another value is a newcomer");
    }
    seen[member] = true;
  }
  return Ok();
}

// Whom a release can take in: a value may be too frequent among the newcomers (who then join the
// others) or in the whole table (of whom most have their buckets already), not in both.
Ineligible TooFrequent(std::span<const Present> today, std::uint64_t m) {
  std::vector<Present> newcomers;
  std::ranges::copy_if(today, std::back_inserter(newcomers),
                       [](const Present& row) { return row.member == kNewcomer; });
  if (Eligibility(newcomers, m).values.empty()) return {};
  return Eligibility(today, m);
}

Error NotEligible(const Ineligible& found, std::uint64_t m, std::size_t rows) {
  return PromiseError(
      fmt::format("{} of the sensitive values have more than 1/{} of the {} rows each",
                  found.values.size(), m, rows),
      found.largest_m >= 2 ? fmt::format("the largest m that works is {}", found.largest_m)
                           : "no m works for this table");
}

// Who is there, per bucket and slot: all slots in one list, each found once.
class PeopleCounts {
 public:
  explicit PeopleCounts(const std::vector<Work>& works) {
    for (const Work& work : works) {
      begins_.push_back(counts_.size());
      counts_.resize(counts_.size() + work.size());
    }
  }
  template <typename SlotOf>
  void Count(const Member& member, SlotOf slot_of) {
    ++counts_[places_.Of({member.bucket, member.value, 0}, [&] {
      return static_cast<std::uint32_t>(begins_[member.bucket] + slot_of());
    })];
  }
  void Give(std::vector<Work>& works) const {
    for (std::size_t b = 0; b < works.size(); ++b) {
      std::copy_n(counts_.begin() + static_cast<std::ptrdiff_t>(begins_[b]), works[b].size(),
                  works[b].people.begin());
    }
  }

 private:
  std::vector<std::size_t> begins_;  // per bucket
  std::vector<std::uint64_t> counts_;
  internal::AtHand places_;
};

// One release in the making.
class ReleasePlanner {
 public:
  ReleasePlanner(State before, std::span<const Present> today, const PublishOptions& options)
      : today_(today),
        options_(options),
        now_(before.release + 1),
        judge_(options, now_),
        random_(Random::Seeded(DeriveSeed(options.seed, now_))) {
    plan_.state = std::move(before);
    plan_.state.release = now_;
  }

  Plan Make() {
    Number();
    Divide();
    for (std::size_t b = 0; b < work_.size(); ++b) {
      judge_.Settle(buckets()[b], members(), work_[b]);
    }
    Deal();
    HandOut();
    for (std::size_t b = 0; b < work_.size(); ++b) Complete(static_cast<std::uint32_t>(b));
    if (options_.compact && options_.rule != Rule::kPlain) {
      plan_.merged = internal::Compact(plan_.state, options_.e);
    }
    return std::move(plan_);
  }

 private:
  std::vector<Bucket>& buckets() { return plan_.state.buckets; }
  std::vector<Member>& members() { return plan_.state.members; }

  void Number() {
    for (const Present& row : today_) numbers_.See(row.value);
    for (const Bucket& bucket : buckets()) {
      for (const Value value : bucket.signature) numbers_.See(value);
    }
    numbers_.Finish();
    newcomers_.resize(numbers_.size());
    plan_.bucket.resize(today_.size());
    plan_.member.resize(today_.size());
    for (std::uint32_t i = 0; i < today_.size(); ++i) {
      const std::uint32_t value = numbers_.Of(today_[i].value);
      if (today_[i].member != kNewcomer) continue;
      newcomers_[value].push_back(i);
      ++plan_.newcomers;
    }
    for (auto& rows : newcomers_) random_.Shuffle(rows);
  }

  Work MakeWork(const std::vector<Value>& signature) const {
    Work work;
    for (const Value value : signature) work.values.push_back(numbers_.Of(value));
    work.people.resize(signature.size());
    work.fakes.resize(signature.size());
    return work;
  }

  std::size_t SlotOf(const Member& member) const {
    const std::vector<Value>& signature = plan_.state.buckets[member.bucket].signature;
    return static_cast<std::size_t>(std::ranges::lower_bound(signature, member.value) -
                                    signature.begin());
  }

  // Who stayed, left, came back.
  void Divide() {
    for (const Bucket& bucket : buckets()) work_.push_back(MakeWork(bucket.signature));
    std::vector<std::uint8_t> present(members().size());
    for (std::uint32_t i = 0; i < today_.size(); ++i) {
      if (today_[i].member == kNewcomer) continue;
      present[today_[i].member] = 1;
      plan_.member[i] = today_[i].member;
      plan_.bucket[i] = members()[today_[i].member].bucket;
    }
    Movement movement(buckets(), now_);
    PeopleCounts people(work_);
    for (std::uint32_t i = 0; i < members().size(); ++i) {
      Member& member = members()[i];
      const bool there = member.left == kStillThere;
      if (!there && present[i] == 0) continue;
      if (member.counterfeit) {
        work_[member.bucket].counterfeits.push_back(i);
        ++work_[member.bucket].fakes[SlotOf(member)];
        continue;
      }
      if (present[i] != 0) people.Count(member, [&] { return SlotOf(member); });
      if (there && present[i] == 0) {
        movement.Leave(member);
        ++work_[member.bucket].left;
      } else if (!there) {
        movement.ComeBack(member);
        ++work_[member.bucket].back;
      }
    }
    movement.Finish();
    people.Give(work_);
    for (std::size_t b = 0; b < work_.size(); ++b) {
      plan_.departed += work_[b].left;
      plan_.returned += work_[b].back;
      if (buckets()[b].merged) buckets()[b].returned += work_[b].back;
    }
  }

  // Newcomers that are left when all gaps are filled.
  std::vector<std::uint64_t> UnplacedNewcomers() const {
    std::vector<std::uint64_t> rest(numbers_.size());
    for (std::size_t v = 0; v < rest.size(); ++v) rest[v] = newcomers_[v].size();
    for (const Work& work : work_) {
      if (work.still) continue;
      for (std::size_t i = 0; i < work.size(); ++i) {
        std::uint64_t& left = rest[work.values[i]];
        left -= std::min(left, work.rows - work.people[i]);
      }
    }
    return rest;
  }

  bool Allowed(std::size_t b, std::uint64_t layers) {
    if (layers > 1 || b >= work_.size()) return true;
    if (!one_layer_[b].has_value()) {
      const History gone = judge_.Without(buckets()[b], members(), work_[b].counterfeits);
      one_layer_[b] = judge_.SafeAfresh(buckets()[b], work_[b], gone, work_[b].rows + layers);
    }
    return *one_layer_[b];
  }

  // Layers for those for whom there is no gap.
  void Deal() {
    std::vector<Target> targets;
    for (const Work& work : work_) {
      targets.push_back({work.values, 0, 0, {}, false});
      if (work.still) targets.back().replaceable = work.fakes;
    }
    one_layer_.resize(work_.size());
    Assign(
        UnplacedNewcomers(), options_.m, random_,
        [this](std::size_t b, std::uint64_t layers) { return Allowed(b, layers); }, targets);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (targets[t].fresh) {
        Bucket bucket;
        for (const std::uint32_t v : targets[t].values) bucket.signature.push_back(numbers_[v]);
        work_.push_back(MakeWork(bucket.signature));
        buckets().push_back(std::move(bucket));
      }
      Work& work = work_[t];
      work.rows += targets[t].layers;
      if (targets[t].layers > 0) work.still = false;
      // The paper's rule asks something of a first snapshot, too.
      if (!targets[t].fresh) continue;
      while (!judge_.Safe(buckets()[t], {}, work.open(work.rows))) {
        ++work.rows;
        work.topped_up = true;
      }
    }
  }

  // Newcomers get their buckets: gaps that no old counterfeit fills come first.
  void HandOut() {
    taken_.resize(work_.size());
    for (std::size_t b = 0; b < work_.size(); ++b) taken_[b].resize(work_[b].size());
    next_.resize(numbers_.size());
    for (const bool replace : {false, true}) {
      for (std::uint32_t b = 0; b < work_.size(); ++b) Fill(b, replace);
    }
    for (std::size_t v = 0; v < next_.size(); ++v) REISSUE_CHECK(next_[v] == newcomers_[v].size());
    members().reserve(members().size() + plan_.newcomers);
    // Members appear in the order of their rows.
    for (std::uint32_t i = 0; i < today_.size(); ++i) {
      if (today_[i].member != kNewcomer) continue;
      plan_.member[i] = static_cast<std::uint32_t>(members().size());
      Member member;
      member.bucket = plan_.bucket[i];
      member.value = today_[i].value;
      member.came = now_;
      members().push_back(member);
    }
  }

  void Fill(std::uint32_t b, bool replace) {
    const Work& work = work_[b];
    if (work.still) return;
    for (std::size_t i = 0; i < work.size(); ++i) {
      const std::uint32_t value = work.values[i];
      std::uint64_t open = work.rows - work.people[i] - taken_[b][i];
      if (!replace) open -= std::min(open, work.fakes[i]);
      for (; open > 0 && next_[value] < newcomers_[value].size(); --open) {
        plan_.bucket[newcomers_[value][next_[value]++]] = b;
        ++taken_[b][i];
      }
    }
  }

  // Old counterfeits that stay, if that is safe; new ones for the rest.
  void Complete(std::uint32_t b) {
    Work& work = work_[b];
    if (work.topped_up) ++plan_.buckets_topped_up;
    if (work.still) {
      for (const std::uint32_t member : work.counterfeits) plan_.counterfeits.push_back(member);
      plan_.kept_counterfeits += work.counterfeits.size();
      return;
    }
    std::vector<std::uint64_t> open(work.size());
    for (std::size_t i = 0; i < work.size(); ++i) {
      open[i] = work.rows - work.people[i] - taken_[b][i];
    }
    std::vector<std::uint32_t> stay, go;
    std::vector<std::uint64_t> fresh = open;
    for (const std::uint32_t member : work.counterfeits) {
      std::uint64_t& gap = fresh[SlotOf(members()[member])];
      (gap > 0 ? stay : go).push_back(member);
      gap -= gap > 0 ? 1 : 0;
    }
    if (!stay.empty() && !MayStay(b, go, fresh)) {
      stay.clear();
      go = work.counterfeits;
      fresh = open;
    }
    Record(b, stay, go, fresh);
  }

  std::uint64_t Arrivals(std::uint32_t b, const std::vector<std::uint64_t>& fresh) const {
    return std::accumulate(taken_[b].begin(), taken_[b].end(), std::uint64_t{0}) +
           std::accumulate(fresh.begin(), fresh.end(), std::uint64_t{0});
  }

  bool MayStay(std::uint32_t b, const std::vector<std::uint32_t>& go,
               const std::vector<std::uint64_t>& fresh) {
    if (options_.rule == Rule::kPaper) return false;
    const std::uint64_t arrivals = Arrivals(b, fresh);
    if (!work_[b].moved() && go.empty() && arrivals == 0) return true;
    return judge_.Safe(buckets()[b], judge_.Without(buckets()[b], members(), go), arrivals);
  }

  void Record(std::uint32_t b, const std::vector<std::uint32_t>& stay,
              const std::vector<std::uint32_t>& go, const std::vector<std::uint64_t>& fresh) {
    Bucket& bucket = buckets()[b];
    bucket.history = judge_.Without(bucket, members(), go);
    for (const std::uint32_t member : go) members()[member].left = now_;
    if (!internal::GivenUp(bucket)) {
      internal::AddStay(bucket.history, {now_, kStillThere, Arrivals(b, fresh)});
    }
    plan_.counterfeits.insert(plan_.counterfeits.end(), stay.begin(), stay.end());
    plan_.kept_counterfeits += stay.size();
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      for (std::uint64_t n = 0; n < fresh[i]; ++n) {
        Member member;
        member.bucket = b;
        member.value = bucket.signature[i];
        member.came = now_;
        member.counterfeit = true;
        plan_.counterfeits.push_back(static_cast<std::uint32_t>(members().size()));
        members().push_back(member);
      }
    }
  }

  std::span<const Present> today_;
  PublishOptions options_;
  Moment now_;
  Judge judge_;
  Random random_;
  Plan plan_;
  ValueNumbers numbers_;
  std::vector<std::vector<std::uint32_t>> newcomers_;  // rows, per value
  std::vector<std::size_t> next_;                      // of the newcomers, per value
  std::vector<Work> work_;                             // per bucket
  std::vector<std::optional<bool>> one_layer_;         // may be added; per bucket
  std::vector<std::vector<std::uint64_t>> taken_;      // newcomers, per bucket and value
};

}  // namespace

Ineligible Eligibility(std::span<const Present> today, std::uint64_t m) {
  ValueNumbers numbers;
  for (const Present& row : today) numbers.See(row.value);
  numbers.Finish();
  std::vector<std::uint64_t> counts(numbers.size());
  for (const Present& row : today) ++counts[numbers.Of(row.value)];
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::uint32_t value) { return counts[value]; });
  Ineligible found;
  for (const std::uint32_t value : order) {
    if (counts[value] * m > today.size()) found.values.push_back(numbers[value]);
  }
  if (!order.empty()) found.largest_m = today.size() / counts[order[0]];
  return found;
}

std::vector<std::uint32_t> Forget(State& state) {
  return internal::DropMembers(
      state, [](const Member& member) { return member.counterfeit && member.left != kStillThere; });
}

Result<Plan> Publish(State before, std::span<const Present> today, const PublishOptions& options) {
  REISSUE_TRY(CheckCall(before, today, options));
  const Ineligible ineligible = TooFrequent(today, options.m);
  if (!ineligible.values.empty()) return NotEligible(ineligible, options.m, today.size());
  return ReleasePlanner(std::move(before), today, options).Make();
}

}  // namespace reissue::models::invariance
