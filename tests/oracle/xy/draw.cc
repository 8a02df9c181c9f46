#include "draw.h"

#include <algorithm>
#include <set>

namespace oracle::xy {
namespace {

using reissue::Random;

bool Chance(Random& random, std::uint64_t percent) { return random.Below(100) < percent; }

template <typename T>
const T& OneOf(const std::vector<T>& items, Random& random) {
  return items[random.Below(items.size())];
}

// Depth one to three. Nodes are numbered level by level, unlike in the product.
Tree DrawTree(Random& random) {
  Tree tree;
  tree.parents = {-1};
  const std::size_t depth = 1 + random.Below(3);
  std::vector<Label> level = {0};
  for (std::size_t d = 0; d < depth; ++d) {
    std::vector<Label> next;
    for (const Label node : level) {
      if (d > 0 && Chance(random, 35)) continue;
      std::size_t children = 2 + random.Below(2);
      if (d > 0) children = Chance(random, 15) ? 1 : 2;
      for (std::size_t i = 0; i < children; ++i) {
        next.push_back(static_cast<Label>(tree.parents.size()));
        tree.parents.push_back(node);
      }
    }
    level = next;
  }
  return tree;
}

constexpr Label kPlainValues = 3;

Label DrawLeaf(const World& world, const std::optional<std::size_t>& tree, Random& random) {
  if (!tree) return static_cast<Label>(random.Below(kPlainValues));
  return OneOf(world.trees[*tree].Leaves(), random);
}

// Which join column a column is, if any.
using Origins = std::vector<std::vector<std::optional<std::size_t>>>;

Origins DrawSchema(World& world, std::size_t tables, Random& random) {
  Origins origins(tables);
  const std::size_t joins = 1 + random.Below(3);
  world.joins.resize(joins);
  world.tables.resize(tables);
  std::vector<std::size_t> tree_of_join;
  for (std::size_t j = 0; j < joins; ++j) {
    if (j == 0 || Chance(random, 80)) world.trees.push_back(DrawTree(random));
    tree_of_join.push_back(world.trees.size() - 1);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < tables; ++i) members.push_back(i);
    random.Shuffle(members);
    members.resize(2 + random.Below(tables - 1));
    if (Chance(random, 70) && std::count(members.begin(), members.end(), 0) == 0) members[0] = 0;
    for (const std::size_t i : members) origins[i].push_back(j);
  }
  for (std::size_t i = 0; i < tables; ++i) {
    for (std::size_t more = random.Below(3); more > 0; --more) origins[i].push_back(std::nullopt);
    if (origins[i].empty()) origins[i].push_back(std::nullopt);
    random.Shuffle(origins[i]);
    for (std::size_t c = 0; c < origins[i].size(); ++c) {
      if (origins[i][c]) {
        world.joins[*origins[i][c]].push_back({i, c});
        world.tables[i].trees.push_back(tree_of_join[*origins[i][c]]);
      } else if (Chance(random, 35)) {
        world.trees.push_back(DrawTree(random));
        world.tables[i].trees.push_back(world.trees.size() - 1);
      } else {
        world.tables[i].trees.push_back(std::nullopt);
      }
    }
  }
  return origins;
}

void DrawRows(DrawnWorld& drawn, const Origins& origins, Random& random) {
  World& world = drawn.raw;
  const std::size_t most = world.tables.size() == 2 ? 9 : world.tables.size() == 3 ? 6 : 4;
  const std::size_t people = 1 + random.Below(most);
  std::vector<Labels> common(people);
  for (Labels& person : common) {
    for (const auto& attribute : world.joins) {
      const auto& tree = world.tables[attribute[0].table].trees[attribute[0].column];
      person.push_back(DrawLeaf(world, tree, random));
    }
  }
  drawn.one_table = Chance(random, 60);
  const bool independent = !drawn.one_table && Chance(random, 50);
  for (std::size_t i = 0; i < world.tables.size(); ++i) {
    Table& table = world.tables[i];
    for (const Labels& person : common) {
      if (!drawn.one_table && Chance(random, 20) && !table.rows.empty()) continue;
      Labels row;
      for (std::size_t c = 0; c < table.trees.size(); ++c) {
        const bool known = origins[i][c].has_value() && !independent;
        row.push_back(known ? person[*origins[i][c]] : DrawLeaf(world, table.trees[c], random));
      }
      table.rows.push_back(row);
    }
  }
}

void DrawForbidden(World& world, Random& random) {
  if (Chance(random, 55)) return;
  const std::vector<Place> places = AllPlaces(world);
  for (std::size_t more = 1 + random.Below(3); more > 0; --more) {
    Forbidden pair;
    pair.a = OneOf(places, random);
    pair.b = OneOf(places, random);
    if (pair.a.table == pair.b.table) continue;
    // A label of some row, or one above it, but not the root.
    const auto label = [&](const Place& place) {
      const Table& table = world.tables[place.table];
      Label found = OneOf(table.rows, random)[place.column];
      if (!table.trees[place.column]) return found;
      const Tree& tree = world.trees[*table.trees[place.column]];
      while (Chance(random, 60)) {
        const Label parent = tree.parents[static_cast<std::size_t>(found)];
        if (parent == 0) break;
        found = parent;
      }
      return found;
    };
    pair.a_label = label(pair.a);
    pair.b_label = label(pair.b);
    world.forbidden.push_back(pair);
  }
}

void Publish(DrawnWorld& drawn, Random& random) {
  for (std::size_t i = 0; i < drawn.world.tables.size(); ++i) {
    const auto recoding = static_cast<Recoding>(Chance(random, 20)   ? 0
                                                : Chance(random, 70) ? 1
                                                                     : 2);
    drawn.recodings.push_back(recoding);
    Table& table = drawn.world.tables[i];
    for (std::size_t c = 0; c < table.trees.size(); ++c) {
      if (!table.trees[c] || recoding == Recoding::kLeaves) continue;
      const Tree& tree = drawn.world.trees[*table.trees[c]];
      if (recoding == Recoding::kCuts) Recode(drawn.world, {i, c}, RandomCut(tree, random));
      if (recoding != Recoding::kLocal) continue;
      for (Labels& row : table.rows) {
        while (row[c] > 0 && Chance(random, 35))
          row[c] = tree.parents[static_cast<std::size_t>(row[c])];
      }
    }
  }
}

bool Has(const std::vector<Place>& places, const Place& place) {
  return std::count(places.begin(), places.end(), place) > 0;
}

// The columns that decide what matches.
std::vector<Place> MatchingPlaces(const World& world) {
  std::set<Place> places;
  for (const auto& attribute : world.joins) places.insert(attribute.begin(), attribute.end());
  for (const Forbidden& pair : world.forbidden) {
    places.insert(pair.a);
    places.insert(pair.b);
  }
  return {places.begin(), places.end()};
}

std::vector<Place> DrawX(const World& world, const std::vector<Place>& fixed, Random& random) {
  const std::vector<Place> matching = MatchingPlaces(world);
  const bool plain = Chance(random, 50);
  const std::uint64_t share = 20 + random.Below(60);
  std::vector<Place> x;
  for (const Place& place : AllPlaces(world)) {
    if (Has(fixed, place)) continue;
    if ((plain && Has(matching, place)) || Chance(random, share)) x.push_back(place);
  }
  while (x.empty()) {
    const Place place = OneOf(AllPlaces(world), random);
    if (!Has(fixed, place)) x.push_back(place);
  }
  random.Shuffle(x);
  return x;
}

void DrawNamed(const World& world, const std::vector<Place>& rest, Random& random,
               Promise& promise) {
  for (std::size_t more = 1 + random.Below(3); more > 0; --more) {
    Promise::Named named;
    named.place = OneOf(rest, random);
    const Table& table = world.tables[named.place.table];
    named.label = static_cast<Label>(random.Below(kPlainValues));
    if (!table.rows.empty() && Chance(random, 90)) {
      named.label = OneOf(table.rows, random)[named.place.column];
    }
    named.threshold = static_cast<double>(1 + random.Below(8)) / 8;
    const bool again = std::any_of(promise.named.begin(), promise.named.end(), [&](const auto& n) {
      return n.place == named.place && n.label == named.label;
    });
    if (!again) promise.named.push_back(named);
  }
}

}  // namespace

std::vector<Place> AllPlaces(const World& world) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < world.tables.size(); ++i) {
    for (std::size_t c = 0; c < world.tables[i].trees.size(); ++c) places.push_back({i, c});
  }
  return places;
}

DrawnWorld DrawWorld(Random& random) {
  DrawnWorld drawn;
  const std::size_t tables = Chance(random, 50) ? 2 : Chance(random, 60) ? 3 : 4;
  const Origins origins = DrawSchema(drawn.raw, tables, random);
  DrawRows(drawn, origins, random);
  DrawForbidden(drawn.raw, random);
  drawn.world = drawn.raw;
  Publish(drawn, random);
  return drawn;
}

Promise DrawPromise(const World& world, const std::vector<Place>& fixed, Random& random) {
  Promise promise;
  promise.x = DrawX(world, fixed, random);
  std::vector<Place> rest;
  for (const Place& place : AllPlaces(world)) {
    if (!Has(promise.x, place)) rest.push_back(place);
  }
  random.Shuffle(rest);
  promise.anonymity = rest.empty() || Chance(random, 50);
  if (!promise.anonymity && Chance(random, 50)) {
    DrawNamed(world, rest, random, promise);
    return promise;
  }
  if (!rest.empty() && (!promise.anonymity || Chance(random, 50))) {
    promise.y.assign(
        rest.begin(),
        rest.begin() + static_cast<long>(1 + random.Below(std::min<std::size_t>(3, rest.size()))));
  }
  if (promise.anonymity && (promise.y.empty() || Chance(random, 25))) {
    const std::size_t first = random.Below(world.tables.size());
    promise.y_keys = {Chance(random, 40) ? 0 : first};
    const std::size_t second = random.Below(world.tables.size());
    if (Chance(random, 35) && second != promise.y_keys[0]) promise.y_keys.push_back(second);
  }
  promise.k = static_cast<long>(1 + random.Below(5));
  promise.confidence =
      std::vector<double>{0.2, 0.25, 1.0 / 3, 0.5, 0.6, 2.0 / 3, 0.75, 1}[random.Below(8)];
  return promise;
}

bool IsPlain(const World& world, const Promise& promise) {
  const std::vector<Place> matching = MatchingPlaces(world);
  return std::all_of(matching.begin(), matching.end(),
                     [&](const Place& place) { return Has(promise.x, place); });
}

Cut RandomCut(const Tree& tree, Random& random) {
  Cut cut(tree.parents.size(), -1);
  for (const Label leaf : tree.Leaves()) cut[static_cast<std::size_t>(leaf)] = 0;
  const std::uint64_t percent = 20 + random.Below(70);
  for (Label node = 0; node < static_cast<Label>(tree.parents.size()); ++node) {
    const bool on_cut = std::count(cut.begin(), cut.end(), node) > 0;
    if (on_cut && Chance(random, percent)) cut = Specialised(tree, cut, node);
  }
  return cut;
}

Cut Specialised(const Tree& tree, const Cut& cut, Label node) {
  Cut finer = cut;
  for (const Label child : tree.Children(node)) {
    for (const Label leaf : tree.Leaves()) {
      if (tree.AtOrAbove(child, leaf)) finer[static_cast<std::size_t>(leaf)] = child;
    }
  }
  return finer;
}

void Recode(World& world, const Place& place, const Cut& cut) {
  for (Labels& row : world.tables[place.table].rows) {
    row[place.column] = cut[static_cast<std::size_t>(row[place.column])];
  }
}

}  // namespace oracle::xy
