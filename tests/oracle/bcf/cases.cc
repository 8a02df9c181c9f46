#include "cases.h"

#include <functional>
#include <set>

namespace oracle::bcf {
namespace {

std::vector<std::string> Children(const Taxonomy& taxonomy, const std::string& node) {
  std::vector<std::string> children;
  for (const auto& [child, parent] : taxonomy) {
    if (parent == node) children.push_back(child);
  }
  return children;
}

std::vector<std::string> LeavesBelow(const Taxonomy& taxonomy, const std::string& node) {
  const auto children = Children(taxonomy, node);
  if (children.empty()) return {node};
  std::vector<std::string> leaves;
  for (const std::string& child : children) {
    for (const std::string& leaf : LeavesBelow(taxonomy, child)) leaves.push_back(leaf);
  }
  return leaves;
}

std::vector<Cut> CutsBelow(const Taxonomy& taxonomy, const std::string& node) {
  Cut whole;
  for (const std::string& leaf : LeavesBelow(taxonomy, node)) whole[leaf] = node;
  const auto children = Children(taxonomy, node);
  if (children.empty()) return {whole};
  std::vector<Cut> finer = {{}};
  for (const std::string& child : children) {
    std::vector<Cut> longer;
    for (const Cut& start : finer) {
      for (const Cut& part : CutsBelow(taxonomy, child)) {
        longer.push_back(start);
        longer.back().insert(part.begin(), part.end());
      }
    }
    finer = longer;
  }
  finer.push_back(whole);
  return finer;
}

}  // namespace

Taxonomy TwoLeaves() { return {{"a", "*"}, {"b", "*"}}; }

Taxonomy FourLeaves() {
  return {{"A", "*"}, {"B", "*"}, {"a1", "A"}, {"a2", "A"}, {"b1", "B"}, {"b2", "B"}};
}

std::vector<Cut> AllCuts(const Taxonomy& taxonomy) { return CutsBelow(taxonomy, "*"); }

std::vector<Recoding> AllRecodings(const Domain& domain) {
  std::vector<Recoding> recodings = {{}};
  for (const Taxonomy& taxonomy : domain.taxonomies()) {
    std::vector<Recoding> longer;
    for (const Recoding& start : recodings) {
      for (const Cut& cut : AllCuts(taxonomy)) {
        longer.push_back(start);
        longer.back().push_back(cut);
      }
    }
    recodings = longer;
  }
  return recodings;
}

std::vector<Recoding> Specialised(const Domain& domain, const Recoding& recoding) {
  std::vector<Recoding> finer;
  for (std::size_t column = 0; column < recoding.size(); ++column) {
    const Taxonomy& taxonomy = domain.taxonomies()[column];
    std::set<std::string> nodes;
    for (const auto& [leaf, node] : recoding[column]) nodes.insert(node);
    for (const std::string& node : nodes) {
      const auto children = Children(taxonomy, node);
      if (children.empty()) continue;
      finer.push_back(recoding);
      for (const std::string& child : children) {
        for (const std::string& leaf : LeavesBelow(taxonomy, child)) {
          finer.back()[column][leaf] = child;
        }
      }
    }
  }
  return finer;
}

std::vector<Quasi> CellsOf(const Domain& domain, const Recoding& recoding) {
  std::set<Quasi> cells;
  for (const Quasi& place : domain.places()) {
    Quasi cell;
    for (std::size_t i = 0; i < place.size(); ++i) cell.push_back(recoding[i].at(place[i]));
    cells.insert(cell);
  }
  return {cells.begin(), cells.end()};
}

std::vector<Release> AllReleases(const std::vector<Row>& rows, std::size_t most) {
  std::vector<Release> all;
  Release chosen;
  const std::function<void(std::size_t)> extend = [&](std::size_t from) {
    all.push_back(chosen);
    if (chosen.size() == most) return;
    for (std::size_t i = from; i < rows.size(); ++i) {
      chosen.push_back(rows[i]);
      extend(i);
      chosen.pop_back();
    }
  };
  extend(0);
  return all;
}

Series Publish(const std::vector<Person>& people, const std::vector<Recoding>& recodings) {
  Series series;
  for (std::size_t i = 0; i < recodings.size(); ++i) {
    series.emplace_back();
    for (const Person& person : people) {
      if (person.birth > i + 1) continue;
      Row row = {{}, person.sensitive};
      for (std::size_t column = 0; column < person.quasi.size(); ++column) {
        row.quasi.push_back(recodings[i][column].at(person.quasi[column]));
      }
      series.back().push_back(row);
    }
  }
  return series;
}

Release FromText(const std::vector<std::pair<Quasi, std::string>>& cells) {
  Release release;
  for (const auto& [quasi, values] : cells) {
    for (char value : values) release.push_back({quasi, std::string(1, value)});
  }
  return release;
}

RandomSeries DrawSeries(const Domain& domain, const std::vector<Recoding>& recodings,
                        std::size_t releases, std::size_t people, std::size_t values,
                        reissue::Random& random) {
  RandomSeries drawn;
  for (std::size_t i = 0; i < people; ++i) {
    const std::size_t birth = i == 0 ? 1 : 1 + random.Below(releases);
    drawn.people.push_back({domain.places()[random.Below(domain.places().size())],
                            std::string(1, static_cast<char>('s' + random.Below(values))), birth});
  }
  for (std::size_t i = 0; i < releases; ++i) {
    drawn.recodings.push_back(recodings[random.Below(recodings.size())]);
  }
  return drawn;
}

}  // namespace oracle::bcf
