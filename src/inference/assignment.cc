#include "reissue/inference/assignment.h"

#include <algorithm>
#include <limits>

namespace reissue::inference::internal {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Rows of one value are alike, so a value is one column with as many places as it has rows. People
// are added one by one; each time a cheapest chain of moves makes room (cost = -prior, shifted by
// potentials so that no step is negative).
class Assignment {
 public:
  explicit Assignment(const BeliefGroup& group)
      : group_(group),
        holders_(group.values()),
        person_price_(group.people, 0),
        value_price_(group.values(), 0),
        value_of_(group.people, kNobody) {}

  void Add(std::uint32_t person) {
    const std::size_t values = group_.values();
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<double> distance(values, kFar);
    std::vector<std::uint32_t> from(values, kNobody);  // who would move to the value
    std::vector<char> done(values, 0);
    double least = kFar;
    for (std::size_t s = 0; s < values; ++s)
      least = std::min(least, Cost(person, s) - value_price_[s]);
    person_price_[person] = least;
    for (std::size_t s = 0; s < values; ++s) {
      distance[s] = Reduced(person, s);
      from[s] = person;
    }
    std::size_t end = values;
    while (true) {
      std::size_t next = values;
      for (std::size_t s = 0; s < values; ++s) {
        if (!done[s] && (next == values || distance[s] < distance[next])) next = s;
      }
      done[next] = 1;
      if (holders_[next].size() < group_.rows[next]) {
        end = next;
        break;
      }
      for (const std::uint32_t holder : holders_[next]) {
        for (std::size_t s = 0; s < values; ++s) {
          if (done[s]) continue;
          const double through = distance[next] + Reduced(holder, s);
          if (through < distance[s]) {
            distance[s] = through;
            from[s] = holder;
          }
        }
      }
    }
    for (std::size_t s = 0; s < values; ++s) {
      if (!done[s] || s == end) continue;
      value_price_[s] += distance[s] - distance[end];
      for (const std::uint32_t holder : holders_[s])
        person_price_[holder] += distance[end] - distance[s];
    }
    person_price_[person] += distance[end];
    Move(end, from, person);
  }

  Assigned Result() const {
    constexpr double kRounding = 1e-12;
    Assigned result{value_of_, std::vector<char>(group_.prior.size(), 0)};
    for (std::uint32_t person = 0; person < group_.people; ++person) {
      for (std::size_t s = 0; s < group_.values(); ++s) {
        result.tight[person * group_.values() + s] = Reduced(person, s) <= kRounding;
      }
    }
    return result;
  }

 private:
  double Cost(std::uint32_t person, std::size_t value) const {
    return -group_.prior[person * group_.values() + value];
  }
  double Reduced(std::uint32_t person, std::size_t value) const {
    return Cost(person, value) - person_price_[person] - value_price_[value];
  }

  void Move(std::size_t value, const std::vector<std::uint32_t>& from, std::uint32_t newcomer) {
    while (true) {
      const std::uint32_t mover = from[value];
      const std::uint32_t left = value_of_[mover];
      holders_[value].push_back(mover);
      value_of_[mover] = static_cast<std::uint32_t>(value);
      if (mover == newcomer) return;
      std::erase(holders_[left], mover);
      value = left;
    }
  }

  const BeliefGroup& group_;
  std::vector<std::vector<std::uint32_t>> holders_;
  std::vector<double> person_price_, value_price_;
  std::vector<std::uint32_t> value_of_;
};

}  // namespace

Assigned BestAssignment(const BeliefGroup& group, const std::vector<std::uint32_t>& order) {
  Assignment assignment(group);
  for (const std::uint32_t person : order) assignment.Add(person);
  return assignment.Result();
}

}  // namespace reissue::inference::internal
