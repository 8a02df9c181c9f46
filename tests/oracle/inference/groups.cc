#include "groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace oracle::inference {
namespace {

std::vector<double> DrawBelief(const GroupShape& shape, std::size_t values,
                               reissue::Random& random) {
  std::vector<double> belief(values + (shape.outside ? 1 : 0));
  for (double& entry : belief) {
    entry = shape.coarse ? double(random.Below(5)) : random.Unit();
    if (shape.sharp && random.Below(3) == 0) entry *= 1e-6 * random.Unit();
    if (random.Unit() < shape.impossible) entry = 0;
  }
  if (shape.coarse) {
    for (double& entry : belief) entry /= 16;
  } else {
    const double total = std::accumulate(belief.begin(), belief.end(), 0.0);
    for (double& entry : belief) entry = total > 0 ? entry / total : 0;
  }
  belief.resize(values);
  return belief;
}

}  // namespace

Group DrawGroup(const GroupShape& shape, reissue::Random& random) {
  std::vector<int> count(std::size_t(shape.values));
  for (int row = 0; row < shape.people; ++row) ++count[random.Below(count.size())];
  Group group;
  for (const int rows : count) {
    if (rows > 0) group.rows.push_back(rows);
  }
  const std::vector<double> uniform(group.rows.size(), 1.0 / double(group.rows.size()));
  for (int v = 0; v < shape.people; ++v) {
    if (random.Unit() < shape.alike) {
      const std::uint64_t which = random.Below(group.prior.size() + 1);
      group.prior.push_back(which == group.prior.size() ? uniform : group.prior[which]);
    } else {
      group.prior.push_back(DrawBelief(shape, group.rows.size(), random));
    }
  }
  return group;
}

std::vector<Told> DrawTold(const Group& group, double chance, reissue::Random& random) {
  std::vector<Told> told;
  for (int v = 0; v < group.people(); ++v) {
    double left = 1;
    std::vector<int> order(std::size_t(group.values()));
    std::iota(order.begin(), order.end(), 0);
    random.Shuffle(order);
    for (const int s : order) {
      if (random.Unit() >= chance) continue;
      const double prior = group.prior[std::size_t(v)][std::size_t(s)];
      double confidence = random.Below(4) == 0 ? prior : 0.98 * left * random.Unit();
      if (random.Below(5) == 0) confidence = prior * random.Unit();
      if (confidence > left * 0.99) continue;
      left -= confidence;
      told.push_back({v, s, confidence});
    }
  }
  return told;
}

product::BeliefGroup ProductGroup(const Group& group) {
  product::BeliefGroup made;
  made.people = group.prior.size();
  for (const int rows : group.rows) made.rows.push_back(std::uint32_t(rows));
  for (const auto& prior : group.prior) {
    made.prior.insert(made.prior.end(), prior.begin(), prior.end());
  }
  return made;
}

std::vector<product::Hint> ProductHints(const std::vector<Told>& told) {
  std::vector<product::Hint> hints;
  for (const Told& one : told) {
    hints.push_back({std::size_t(one.person), std::size_t(one.value), one.confidence});
  }
  return hints;
}

Table AsTable(const std::vector<double>& belief, int values) {
  Table table;
  for (std::size_t i = 0; i < belief.size(); i += std::size_t(values)) {
    table.emplace_back(belief.begin() + long(i), belief.begin() + long(i) + values);
  }
  return table;
}

std::string Describe(const Group& group, const std::vector<Told>& told) {
  std::string text = "rows:";
  for (const int rows : group.rows) text += fmt::format(" {}", rows);
  for (const auto& prior : group.prior) {
    text += "\n ";
    for (const double p : prior) text += fmt::format(" {}", p);
  }
  for (const Told& one : told) {
    text += fmt::format("\ntold {} has {}: {}", one.person, one.value, one.confidence);
  }
  return text + "\n";
}

std::string Spread(std::vector<double> numbers) {
  if (numbers.empty()) return "none";
  std::sort(numbers.begin(), numbers.end());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / double(numbers.size());
  const auto at = [&](double share) {
    return numbers[std::size_t(share * double(numbers.size() - 1))];
  };
  return fmt::format("{} numbers, mean {:.2e}, median {:.2e}, 95 % {:.2e}, largest {:.2e}",
                     numbers.size(), mean, at(0.5), at(0.95), numbers.back());
}

}  // namespace oracle::inference
