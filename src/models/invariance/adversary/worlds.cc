#include "reissue/models/invariance/adversary/worlds.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace reissue::models::invariance {

using Domain = std::uint64_t;  // a bit per value

class WorldFinder {
 public:
  WorldFinder(const Worlds& worlds, const Worlds::Asked& asked, const Worlds::World* like,
              Random& random, std::uint64_t& nodes)
      : worlds_(worlds), asked_(asked), like_(like), random_(random), nodes_(nodes) {}

  Worlds::Answer Run(Worlds::World& found) {
    std::vector<Domain> domains(worlds_.people_.size(), ~Domain{0});
    for (const Worlds::Group& group : worlds_.groups_) {
      Domain here = 0;
      for (const auto& [value, rows] : group.values) here |= Bit(value);
      for (const std::uint32_t person : group.people) domains[person] &= here;
    }
    for (const auto& [person, value] : asked_.fixed) domains[person] &= Bit(value);
    if (std::ranges::count(domains, Domain{0}) > 0) return Answer::kNone;
    std::vector<std::uint32_t> all(worlds_.groups_.size());
    std::iota(all.begin(), all.end(), 0);
    const Worlds::Answer answer = Visit(std::move(domains), std::move(all));
    if (answer == Worlds::Answer::kFound) found = std::move(world_);
    return answer;
  }

 private:
  using Answer = Worlds::Answer;
  static Domain Bit(std::uint32_t value) { return Domain{1} << value; }

  Answer Visit(std::vector<Domain> domains, std::vector<std::uint32_t> changed) {
    if (nodes_ == 0) return Answer::kGaveUp;
    --nodes_;
    if (!Narrow(domains, std::move(changed))) return Answer::kNone;
    if (asked_.unequal.empty() || Unequal(domains) == Sums::kUnequal) return Branch(domains, false);
    if (Unequal(domains) == Sums::kEqual) return Answer::kNone;
    return Branch(domains, true);
  }

  // The person with the fewest values left, of those that `unequal` counts if it is still open.
  Answer Branch(const std::vector<Domain>& domains, bool open) {
    std::size_t next = domains.size();
    int fewest = 65;
    for (std::size_t p = 0; p < domains.size(); ++p) {
      const int left = std::popcount(domains[p]);
      if (left < 2 || left >= fewest || (open && asked_.unequal[p] == 0)) continue;
      next = p;
      fewest = left;
    }
    if (next == domains.size()) {
      world_.clear();
      for (const Domain domain : domains)
        world_.push_back(static_cast<std::uint32_t>(std::countr_zero(domain)));
      return Answer::kFound;
    }
    bool gave_up = false;
    for (const std::uint32_t value : Order(domains[next], next)) {
      std::vector<Domain> narrowed = domains;
      narrowed[next] = Bit(value);
      const Answer answer = Visit(std::move(narrowed), worlds_.groups_of_[next]);
      if (answer == Answer::kFound) return answer;
      gave_up |= answer == Answer::kGaveUp;
    }
    return gave_up ? Answer::kGaveUp : Answer::kNone;
  }

  std::vector<std::uint32_t> Order(Domain domain, std::size_t person) {
    std::vector<std::uint32_t> order;
    for (; domain != 0; domain &= domain - 1)
      order.push_back(static_cast<std::uint32_t>(std::countr_zero(domain)));
    random_.Shuffle(order);
    if (like_ != nullptr) {
      const auto first = std::ranges::find(order, (*like_)[person]);
      if (first != order.end()) std::swap(*first, order.front());
    }
    return order;
  }

  enum class Sums { kOpen, kEqual, kUnequal };
  Sums Unequal(const std::vector<Domain>& domains) const {
    std::vector<std::int64_t> sums(worlds_.values_.size(), 0);
    for (std::size_t p = 0; p < domains.size(); ++p) {
      if (asked_.unequal[p] == 0) continue;
      if (std::popcount(domains[p]) > 1) return Sums::kOpen;
      sums[static_cast<std::size_t>(std::countr_zero(domains[p]))] += asked_.unequal[p];
    }
    const bool equal = std::ranges::all_of(sums, [](std::int64_t sum) { return sum == 0; });
    return equal ? Sums::kEqual : Sums::kUnequal;
  }

  // What the groups leave; false where that is nothing.
  bool Narrow(std::vector<Domain>& domains, std::vector<std::uint32_t> changed) {
    std::vector<char> waiting(worlds_.groups_.size(), 0);
    for (const std::uint32_t g : changed) waiting[g] = 1;
    bool somebody_has_none = false;
    while (!changed.empty() && !somebody_has_none) {
      const std::uint32_t g = changed.back();
      changed.pop_back();
      waiting[g] = 0;
      const Worlds::Group& group = worlds_.groups_[g];
      auto set = [&](std::uint32_t person, Domain domain) {
        domains[person] = domain;
        somebody_has_none |= domain == 0;
        for (const std::uint32_t other : worlds_.groups_of_[person]) {
          if (!waiting[other]) changed.push_back(other);
          waiting[other] = 1;
        }
      };
      for (const auto& [value, rows] : group.values) {
        if (!NarrowValue(group, value, rows, domains, set)) return false;
      }
    }
    return !somebody_has_none;
  }

  template <typename Set>
  static bool NarrowValue(const Worlds::Group& group, std::uint32_t value, std::uint32_t rows,
                          const std::vector<Domain>& domains, Set set) {
    std::uint32_t may = 0, must = 0;
    for (const std::uint32_t person : group.people) {
      may += (domains[person] & Bit(value)) != 0;
      must += domains[person] == Bit(value);
    }
    if (must > rows || may < rows) return false;
    if (must == may) return true;
    for (const std::uint32_t person : group.people) {
      const Domain now = domains[person];
      if ((now & Bit(value)) == 0 || now == Bit(value)) continue;
      if (must == rows) set(person, now & ~Bit(value));
      if (may == rows) set(person, Bit(value));
    }
    return true;
  }

  const Worlds& worlds_;
  const Worlds::Asked& asked_;
  const Worlds::World* like_;
  Random& random_;
  std::uint64_t& nodes_;
  Worlds::World world_;
};

Worlds::Worlds(const std::vector<PublishedGroup>& groups) {
  for (const PublishedGroup& group : groups) {
    people_.insert(people_.end(), group.people.begin(), group.people.end());
    for (const auto& [value, rows] : group.values) values_.push_back(value);
  }
  for (auto* numbers : {&people_, &values_}) {
    std::ranges::sort(*numbers);
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
  }
  auto number = [](const std::vector<std::uint32_t>& all, std::uint32_t one) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(all, one) - all.begin());
  };
  groups_of_.resize(people_.size());
  for (const PublishedGroup& published : groups) {
    Group& group = groups_.emplace_back();
    for (const Person person : published.people) {
      group.people.push_back(number(people_, person));
      groups_of_[group.people.back()].push_back(static_cast<std::uint32_t>(groups_.size() - 1));
    }
    for (const auto& [value, rows] : published.values)
      group.values.emplace_back(number(values_, value), static_cast<std::uint32_t>(rows));
  }
}

Worlds::Answer Worlds::Find(const Asked& asked, const World* like, Random& random,
                            std::uint64_t& nodes, World& found) const {
  return WorldFinder(*this, asked, like, random, nodes).Run(found);
}

}  // namespace reissue::models::invariance
