#include "domain.h"

#include <algorithm>
#include <cstdlib>

namespace oracle::bcf {
namespace {

// All ways to take one label of each list.
std::vector<Quasi> Combinations(const std::vector<std::vector<std::string>>& lists) {
  std::vector<Quasi> combinations = {{}};
  for (const auto& list : lists) {
    std::vector<Quasi> longer;
    for (const Quasi& combination : combinations) {
      for (const std::string& label : list) {
        longer.push_back(combination);
        longer.back().push_back(label);
      }
    }
    combinations = longer;
  }
  return combinations;
}

}  // namespace

std::vector<std::string> Nodes(const Taxonomy& taxonomy) {
  std::vector<std::string> nodes = {"*"};
  for (const auto& [node, parent] : taxonomy) nodes.push_back(node);
  return nodes;
}

std::vector<std::string> Leaves(const Taxonomy& taxonomy) {
  std::vector<std::string> leaves;
  for (const std::string& node : Nodes(taxonomy)) {
    const bool inner = std::any_of(taxonomy.begin(), taxonomy.end(),
                                   [&](const auto& edge) { return edge.second == node; });
    if (!inner) leaves.push_back(node);
  }
  return leaves;
}

Domain::Domain(std::vector<Taxonomy> taxonomies) : taxonomies_(std::move(taxonomies)) {
  std::vector<std::vector<std::string>> nodes, leaves;
  for (const Taxonomy& taxonomy : taxonomies_) {
    nodes.push_back(Nodes(taxonomy));
    leaves.push_back(Leaves(taxonomy));
    above_.emplace_back();
    for (const std::string& node : nodes.back()) {
      std::string at = node;
      above_.back().insert({at, node});
      while (at != "*") {
        at = taxonomy.at(at);
        above_.back().insert({at, node});
      }
    }
  }
  FindPlaces(nodes, leaves);
}

Domain::Domain(std::vector<LabelSets> sets) : sets_(std::move(sets)) {
  std::vector<std::vector<std::string>> labels, values;
  for (const LabelSets& column : sets_) {
    labels.emplace_back();
    above_.emplace_back();
    for (const auto& [label, stands_for] : column) {
      labels.back().push_back(label);
      for (const std::string& value : stands_for) above_.back().insert({label, value});
    }
    values.emplace_back(column.at("*").begin(), column.at("*").end());
  }
  FindPlaces(labels, values);
}

void Domain::FindPlaces(const std::vector<std::vector<std::string>>& nodes,
                        const std::vector<std::vector<std::string>>& leaves) {
  places_ = Combinations(leaves);
  if (places_.size() > kMostPlaces) std::abort();
  for (const Quasi& quasi : Combinations(nodes)) {
    Places& places = under_[quasi];
    for (std::size_t i = 0; i < places_.size(); ++i) places[i] = Matches(places_[i], quasi);
  }
}

bool Domain::Matches(const Quasi& person, const Quasi& quasi) const {
  for (std::size_t a = 0; a < quasi.size(); ++a) {
    if (!above_[a].contains({quasi[a], person[a]})) return false;
  }
  return true;
}

bool Domain::Comparable(const Quasi& a, const Quasi& b) const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!above_[i].contains({a[i], b[i]}) && !above_[i].contains({b[i], a[i]})) return false;
  }
  return true;
}

std::set<Quasi> Cells(const Release& release) {
  std::set<Quasi> cells;
  for (const Row& row : release) cells.insert(row.quasi);
  return cells;
}

std::set<std::string> Values(const Series& series) {
  std::set<std::string> values;
  for (const Release& release : series) {
    for (const Row& row : release) values.insert(row.sensitive);
  }
  return values;
}

long CellSize(const Release& release, const Quasi& cell) {
  return std::count_if(release.begin(), release.end(),
                       [&](const Row& row) { return row.quasi == cell; });
}

long GroupSize(const Release& release, const Quasi& cell, const std::string& sensitive) {
  return std::count_if(release.begin(), release.end(), [&](const Row& row) {
    return row.sensitive == sensitive && row.quasi == cell;
  });
}

}  // namespace oracle::bcf
