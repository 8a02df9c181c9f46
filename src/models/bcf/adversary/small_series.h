#pragma once
// Small series for tests: from labels, and random tables that grow.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "random_taxonomy.h"
#include "reissue/core/cells.h"
#include "reissue/core/random.h"
#include "reissue/models/bcf/release/series.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/space_tree.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::bcf::testing {

inline std::shared_ptr<const taxonomy::Taxonomy> Tree(
    const std::vector<std::vector<std::string>>& lines) {
  std::vector<taxonomy::HierarchyLine> numbered;
  for (const auto& labels : lines) numbered.push_back({numbered.size() + 1, labels});
  return std::make_shared<taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(numbered, "tree.csv").value());
}

struct Published {
  std::vector<std::string> labels;
  std::uint32_t value;
  std::uint64_t rows;
};

inline std::vector<std::uint32_t> Key(const Taxonomies& trees,
                                      const std::vector<std::string>& labels) {
  std::vector<std::uint32_t> key;
  for (std::size_t i = 0; i < labels.size(); ++i) key.push_back(trees[i]->Find(labels[i])->raw());
  return key;
}

inline Series FromLabels(const Taxonomies& trees,
                         const std::vector<std::vector<Published>>& releases) {
  std::vector<Cells> published;
  for (const auto& release : releases) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (const Published& line : release) {
      for (const std::uint32_t node : Key(trees, line.labels)) keys.push_back(node);
      keys.push_back(line.value);
      counts.push_back(line.rows);
    }
    published.push_back(CollectCells(trees.size() + 1, keys, counts));
  }
  return Series::Make(trees, published).value();
}

inline std::uint32_t CellOf(const Series& series, std::size_t release,
                            const std::vector<std::string>& labels) {
  return static_cast<std::uint32_t>(
      series.release(release).FindCell(Key(series.taxonomies(), labels)).value());
}

// Tables 1 and 2 of the paper; values: 0 flu, 1 HIV.
inline Series PaperTables() {
  const Taxonomies trees = {
      Tree({{"UK", "Europe", "*"}, {"France", "Europe", "*"}, {"Canada", "America", "*"}}),
      Tree({{"Lawyer", "Professional", "*"},
            {"Doctor", "Professional", "*"},
            {"Painter", "Artist", "*"}})};
  return FromLabels(trees, {{{{"Europe", "Lawyer"}, 0, 3}, {{"Europe", "Lawyer"}, 1, 2}},
                            {{{"UK", "Professional"}, 0, 3},
                             {{"UK", "Professional"}, 1, 2},
                             {{"France", "Professional"}, 0, 2},
                             {{"France", "Professional"}, 1, 3}}});
}

// A table that grows: people with leaf ranks, a value and the release in which they first appear.
struct Person {
  std::vector<std::uint32_t> leaves;
  std::uint32_t value;
  std::size_t born;
};
struct GrowingTable {
  Taxonomies trees;
  std::vector<Person> people;
};

inline GrowingTable RandomTable(Random& random, std::size_t columns, std::size_t leaves,
                                std::size_t people, std::size_t values, std::size_t releases) {
  GrowingTable table;
  for (std::size_t i = 0; i < columns; ++i) {
    table.trees.push_back(
        std::make_shared<taxonomy::Taxonomy>(support::RandomBranchingTaxonomy(random, leaves, 3)));
  }
  for (std::size_t i = 0; i < people; ++i) {
    Person person;
    for (std::size_t column = 0; column < columns; ++column) {
      person.leaves.push_back(static_cast<std::uint32_t>(random.Below(leaves)));
    }
    person.value = static_cast<std::uint32_t>(random.Below(values));
    person.born = random.Below(releases);
    table.people.push_back(std::move(person));
  }
  return table;
}

using Cuts = std::vector<taxonomy::Cut>;

inline Cuts RandomCuts(Random& random, const Taxonomies& trees) {
  Cuts cuts;
  for (const auto& tree : trees) cuts.push_back(support::RandomCut(random, *tree));
  return cuts;
}

// node_of(person, column) recodes.
template <typename NodeOf>
Cells Recode(const GrowingTable& table, std::size_t release, NodeOf&& node_of) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const Person& person : table.people) {
    if (person.born > release) continue;
    for (std::size_t column = 0; column < table.trees.size(); ++column) {
      keys.push_back(node_of(person, column).raw());
    }
    keys.push_back(person.value);
    counts.push_back(1);
  }
  return CollectCells(table.trees.size() + 1, keys, counts);
}

inline Series Publish(const GrowingTable& table, const std::vector<Cuts>& cuts) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    published.push_back(Recode(table, i, [&](const Person& person, std::size_t column) {
      return cuts[i][column].NodeOfLeaf(person.leaves[column]);
    }));
  }
  return Series::Make(table.trees, published).value();
}

inline taxonomy::SpaceTree RandomSpace(Random& random, const Taxonomies& trees) {
  taxonomy::SpaceTree space(trees);
  for (std::uint64_t steps = 1 + random.Below(8); steps > 0; --steps) {
    const auto box = static_cast<taxonomy::SpaceTree::Box>(random.Below(space.size()));
    const std::size_t column = random.Below(trees.size());
    if (!space.is_leaf(box) || trees[column]->is_leaf(space.nodes(box)[column])) continue;
    space.Split(box, column);
  }
  return space;
}

// Cuts through one tree of boxes.
inline Series PublishBoxes(Random& random, const GrowingTable& table, std::size_t releases) {
  const taxonomy::SpaceTree space = RandomSpace(random, table.trees);
  std::vector<Cells> published;
  for (std::size_t i = 0; i < releases; ++i) {
    std::vector<std::uint8_t> stops(space.size());
    for (std::uint8_t& stop : stops) stop = random.Below(3) == 0;
    published.push_back(Recode(table, i, [&](const Person& person, std::size_t column) {
      taxonomy::SpaceTree::Box box = 0;
      while (!space.is_leaf(box) && stops[box] == 0) {
        box = space.ChildWith(box, person.leaves[space.column(box)]);
      }
      return space.nodes(box)[column];
    }));
  }
  return Series::Make(table.trees, published).value();
}

// Every row goes up its trees by chance: no global recoding, most of the time.
inline Series PublishLocally(Random& random, const GrowingTable& table, std::size_t releases) {
  std::vector<Cells> published;
  for (std::size_t i = 0; i < releases; ++i) {
    published.push_back(Recode(table, i, [&](const Person& person, std::size_t column) {
      const taxonomy::Taxonomy& tree = *table.trees[column];
      NodeId node = tree.leaf(person.leaves[column]);
      while (node != taxonomy::Taxonomy::root() && random.Below(2) == 0) node = tree.parent(node);
      return node;
    }));
  }
  return Series::Make(table.trees, published).value();
}

}  // namespace reissue::models::bcf::testing
