#include "recoding.h"

#include <cmath>

namespace oracle::k {

namespace {

std::vector<Cut> CutsBelow(const Tree& tree, const std::string& node) {
  const std::vector<std::string> children = Children(tree, node);
  if (children.empty()) return {Cut{{node, node}}};
  std::vector<Cut> choices = {Cut{}};
  for (const std::string& child : children) {
    std::vector<Cut> longer;
    for (const Cut& choice : choices) {
      for (const Cut& below : CutsBelow(tree, child)) {
        Cut both = choice;
        both.insert(below.begin(), below.end());
        longer.push_back(both);
      }
    }
    choices = longer;
  }
  Cut whole = choices.front();
  for (auto& [leaf, stand_in] : whole) stand_in = node;
  choices.push_back(whole);
  return choices;
}

double Discernibility(const Rows& recoded, const std::set<std::vector<std::string>>& left_out) {
  const double n = static_cast<double>(recoded.size());
  double cost = 0;
  for (const Rows& members : EquivalenceClasses(recoded)) {
    const double size = static_cast<double>(members.size());
    cost += left_out.contains(members.front().quasi) ? size * n : size * size;
  }
  return cost / (n * n);
}

double Distortion(const Rows& rows, const Rows& recoded, const std::vector<Tree>& trees,
                  const std::set<std::vector<std::string>>& left_out) {
  double steps = 0;
  for (std::size_t j = 0; j < trees.size(); ++j) {
    const std::string root = Root(trees[j]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool published = !left_out.contains(recoded[i].quasi);
      const std::string ancestor = published ? recoded[i].quasi[j] : root;
      if (trees[j].numeric()) {
        steps += trees[j].length.at(ancestor) / trees[j].length.at(root);
      } else {
        steps += static_cast<double>(Steps(trees[j], rows[i].quasi[j], ancestor));
      }
    }
  }
  return steps / static_cast<double>(rows.size());
}

double CountLeavesBelow(const Tree& tree, const std::string& node) {
  const auto children = Children(tree, node);
  if (children.empty()) return 1;
  double leaves = 0;
  for (const std::string& child : children) leaves += CountLeavesBelow(tree, child);
  return leaves;
}

// Normalized certainty penalty, averaged over rows and columns: a value published as itself costs
// nothing, another one the share of the tree's leaves (of the full range) that it could be.
double Loss(const Rows& rows, const Rows& recoded, const std::vector<Tree>& trees,
            const std::set<std::vector<std::string>>& left_out) {
  double penalty = 0;
  for (std::size_t j = 0; j < trees.size(); ++j) {
    const std::string root = Root(trees[j]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool published = !left_out.contains(recoded[i].quasi);
      const std::string node = published ? recoded[i].quasi[j] : root;
      if (Children(trees[j], node).empty()) continue;
      if (trees[j].numeric()) {
        penalty += trees[j].length.at(node) / trees[j].length.at(root);
      } else {
        penalty += CountLeavesBelow(trees[j], node) / CountLeavesBelow(trees[j], root);
      }
    }
  }
  return penalty / static_cast<double>(rows.size() * trees.size());
}

// |rows| · H₂ of the labels of the rows.
double Uncertainty(const std::vector<std::string>& labels) {
  std::map<std::string, double> counts;
  for (const std::string& label : labels) counts[label] += 1;
  const double size = static_cast<double>(labels.size());
  double bits = 0;
  for (const auto& [label, count] : counts) bits -= count * std::log2(count / size);
  return bits;
}

double ClassEntropy(const Rows& recoded, std::size_t columns,
                    const std::set<std::vector<std::string>>& left_out) {
  const double n = static_cast<double>(recoded.size());
  std::vector<std::string> all;
  for (const Row& row : recoded) all.push_back(row.label);
  const double anywhere = Uncertainty(all) / n;
  double cost = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    std::map<std::string, std::vector<std::string>> labels;  // by recoded value
    for (const Row& row : recoded) {
      if (left_out.contains(row.quasi)) {
        cost += anywhere;
      } else {
        labels[row.quasi[j]].push_back(row.label);
      }
    }
    for (const auto& [value, members] : labels) cost += Uncertainty(members);
  }
  return cost / n;
}

}  // namespace

std::vector<std::string> Children(const Tree& tree, const std::string& node) {
  std::vector<std::string> children;
  for (const auto& [child, parent] : tree.parent) {
    if (parent == node) children.push_back(child);
  }
  return children;
}

std::vector<std::string> Leaves(const Tree& tree) {
  std::vector<std::string> leaves;
  for (const auto& [node, parent] : tree.parent) {
    if (Children(tree, node).empty()) leaves.push_back(node);
  }
  return leaves;
}

std::string Root(const Tree& tree) {
  std::string node = tree.parent.begin()->second;
  while (tree.parent.contains(node)) node = tree.parent.at(node);
  return node;
}

std::size_t Steps(const Tree& tree, const std::string& node, const std::string& ancestor) {
  std::size_t steps = 0;
  for (std::string at = node; at != ancestor; at = tree.parent.at(at)) ++steps;
  return steps;
}

Cut CutFromNodes(const Tree& tree, const std::set<std::string>& nodes) {
  Cut cut;
  for (const std::string& leaf : Leaves(tree)) {
    std::string at = leaf;
    while (!nodes.contains(at)) at = tree.parent.at(at);
    cut[leaf] = at;
  }
  return cut;
}

std::set<std::string> Nodes(const Cut& cut) {
  std::set<std::string> nodes;
  for (const auto& [leaf, node] : cut) nodes.insert(node);
  return nodes;
}

Cut Specialised(const Tree& tree, const Cut& cut, const std::string& node) {
  std::set<std::string> nodes = Nodes(cut);
  nodes.erase(node);
  for (const std::string& child : Children(tree, node)) nodes.insert(child);
  return CutFromNodes(tree, nodes);
}

std::vector<Cut> AllCuts(const Tree& tree) { return CutsBelow(tree, Root(tree)); }

std::vector<Combination> AllCombinations(const std::vector<Tree>& trees) {
  std::vector<Combination> combinations = {Combination{}};
  for (const Tree& tree : trees) {
    std::vector<Combination> longer;
    for (const Combination& combination : combinations) {
      for (const Cut& cut : AllCuts(tree)) {
        longer.push_back(combination);
        longer.back().push_back(cut);
      }
    }
    combinations = longer;
  }
  return combinations;
}

Rows Recode(const Rows& rows, const Combination& cuts) {
  Rows recoded = rows;
  for (Row& row : recoded) {
    for (std::size_t j = 0; j < cuts.size(); ++j) row.quasi[j] = cuts[j].at(row.quasi[j]);
  }
  return recoded;
}

Rows LeaveOut(const Rows& recoded, const std::set<std::vector<std::string>>& classes) {
  Rows rest;
  for (const Row& row : recoded) {
    if (!classes.contains(row.quasi)) rest.push_back(row);
  }
  return rest;
}

double CostOf(Cost cost, const Rows& rows, const std::vector<Tree>& trees, const Combination& cuts,
              const std::set<std::vector<std::string>>& left_out) {
  const Rows recoded = Recode(rows, cuts);
  switch (cost) {
    case Cost::kDiscernibility:
      return Discernibility(recoded, left_out);
    case Cost::kDistortion:
      return Distortion(rows, recoded, trees, left_out);
    case Cost::kLoss:
      return Loss(rows, recoded, trees, left_out);
    case Cost::kClass:
      return ClassEntropy(recoded, trees.size(), left_out);
  }
  return 0;
}

bool IsMaximal(const Rows& rows, const std::vector<Tree>& trees, const Combination& cuts,
               const Promise& promise) {
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    for (const std::string& node : Nodes(cuts[j])) {
      if (Children(trees[j], node).empty()) continue;
      Combination finer = cuts;
      finer[j] = Specialised(trees[j], cuts[j], node);
      if (Satisfied(Recode(rows, finer), promise)) return false;
    }
  }
  return true;
}

std::vector<Combination> ValidCombinations(const Rows& rows, const std::vector<Tree>& trees,
                                           const Promise& promise) {
  std::vector<Combination> valid;
  for (const Combination& cuts : AllCombinations(trees)) {
    if (Satisfied(Recode(rows, cuts), promise)) valid.push_back(cuts);
  }
  return valid;
}

std::vector<Combination> MaximalCombinations(const Rows& rows, const std::vector<Tree>& trees,
                                             const Promise& promise) {
  std::vector<Combination> maximal;
  for (const Combination& cuts : ValidCombinations(rows, trees, promise)) {
    if (IsMaximal(rows, trees, cuts, promise)) maximal.push_back(cuts);
  }
  return maximal;
}

std::optional<double> LeastCost(Cost cost, const Rows& rows, const std::vector<Tree>& trees,
                                const Promise& promise, std::size_t limit) {
  std::optional<double> least;
  for (const Combination& cuts : AllCombinations(trees)) {
    const Rows recoded = Recode(rows, cuts);
    std::set<std::vector<std::string>> left_out;
    std::size_t people = 0;
    for (const Rows& members : EquivalenceClasses(recoded)) {
      if (Broken(members, recoded, promise).empty()) continue;
      left_out.insert(members.front().quasi);
      people += members.size();
    }
    if (people > limit || people == rows.size()) continue;
    const double price = CostOf(cost, rows, trees, cuts, left_out);
    if (!least || price < *least) least = price;
  }
  return least;
}

namespace {

// The fewest rows without which the classes keep the promise: each stays or goes.
std::size_t FewestOf(const std::vector<Rows>& classes, std::size_t next, const Rows& stay,
                     std::size_t gone, const Promise& promise, std::size_t best) {
  if (gone >= best) return best;
  if (next == classes.size()) return Satisfied(stay, promise) ? gone : best;
  Rows more = stay;
  more.insert(more.end(), classes[next].begin(), classes[next].end());
  best = FewestOf(classes, next + 1, more, gone, promise, best);
  return FewestOf(classes, next + 1, stay, gone + classes[next].size(), promise, best);
}

}  // namespace

std::size_t FewestLeftOut(const Rows& rows, const std::vector<Tree>& trees,
                          const Promise& promise) {
  std::size_t fewest = rows.size();
  for (const Combination& cuts : AllCombinations(trees)) {
    fewest = FewestOf(EquivalenceClasses(Recode(rows, cuts)), 0, {}, 0, promise, fewest);
  }
  return fewest;
}

}  // namespace oracle::k
