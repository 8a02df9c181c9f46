#include "random_series.h"

#include <numeric>
#include <set>

namespace oracle::similarity {

Belief DrawBelief(int values, double impossible, reissue::Random& random) {
  Belief belief(std::size_t(values), 0.0);
  double total = 0;
  while (total == 0) {
    for (double& p : belief) total += p = random.Unit() < impossible ? 0 : random.Unit();
  }
  for (double& p : belief) p /= total;
  return belief;
}

namespace {

void DrawContexts(World& world, std::vector<int> context, double said, double impossible,
                  reissue::Random& random) {
  if (!context.empty() && random.Unit() < said) {
    const Belief next = DrawBelief(world.known.values, impossible, random);
    world.known.after[context] = next;
    world.knowledge.transition.after[{context.begin(), context.end()}] = next;
  }
  if (int(context.size()) == world.known.steps) return;
  for (int s = 0; s < world.known.values; ++s) {
    std::vector<int> longer = context;
    longer.push_back(s);
    DrawContexts(world, longer, said, impossible, random);
  }
}

}  // namespace

World DrawKnowledge(int values, int steps, double impossible, reissue::Random& random) {
  World world;
  world.known.values = values;
  world.known.steps = steps;
  world.knowledge.values = std::uint32_t(values);
  world.knowledge.transition.steps = std::uint32_t(steps);
  const std::size_t kinds = 1 + random.Below(3);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    world.known.prior.push_back(DrawBelief(values, impossible, random));
  }
  world.knowledge.prior = world.known.prior;
  DrawContexts(world, {}, 0.3 + 0.7 * random.Unit(), impossible, random);
  return world;
}

void DrawReleases(World& world, int releases, std::size_t most, double told,
                  reissue::Random& random) {
  world.people = std::uint32_t(2 + random.Below(8));
  std::vector<std::uint32_t> kind(world.people);
  for (auto& one : kind) one = std::uint32_t(random.Below(world.knowledge.prior.size()));
  for (int r = 0; r < releases; ++r) {
    product::Snapshot snapshot;
    std::vector<std::uint32_t> order(world.people);
    std::iota(order.begin(), order.end(), 0u);
    random.Shuffle(order);
    order.resize(1 + random.Below(order.size()));
    std::size_t left = 0;
    world.statements.emplace_back();
    for (const std::uint32_t person : order) {
      if (left == 0) {
        left = 1 + random.Below(most);
        ++snapshot.groups;
      }
      --left;
      product::Row row;
      row.person = person;
      row.group = snapshot.groups - 1;
      row.value = std::uint32_t(random.Below(world.knowledge.values));
      row.kind = kind[person];
      // A group that is not to be empty keeps its first row.
      const bool first = snapshot.rows.empty() || snapshot.rows.back().group != row.group;
      if (!first && random.Below(12) == 0) row.group = product::kSuppressed;
      snapshot.rows.push_back(row);
      if (random.Unit() >= told) continue;
      std::vector<product::Statement>& said = world.statements.back();
      if (random.Below(4) == 0) {
        said.push_back({person, row.value, std::uint32_t(r), 1});
        continue;
      }
      double rest = 1;
      std::set<std::uint32_t> spoken;
      for (std::uint64_t more = 1 + random.Below(2); more-- > 0;) {
        const auto value = std::uint32_t(random.Below(world.knowledge.values));
        if (!spoken.insert(value).second) continue;
        const double confidence = rest * 0.99 * random.Unit();
        rest -= confidence;
        said.push_back({person, value, std::uint32_t(r), confidence});
      }
    }
    random.Shuffle(snapshot.rows);
    world.releases.push_back(snapshot);
  }
}

}  // namespace oracle::similarity
