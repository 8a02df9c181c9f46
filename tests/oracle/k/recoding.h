#pragma once
// The slow, obvious twin of the publisher of model `k`: every cut of every tree, every combination
// of cuts, the table recoded by each, and what each costs. For tests only.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle.h"

namespace oracle::k {

// Parent of every node but the root; for a column of numbers also how long the range of a node is
// (0 for a single number).
struct Tree {
  std::map<std::string, std::string> parent;
  std::map<std::string, double> length = {};

  bool numeric() const { return !length.empty(); }
};

// A cut as a recoding: for every leaf the node that stands for it.
using Cut = std::map<std::string, std::string>;
using Combination = std::vector<Cut>;  // one cut per quasi-identifier

std::vector<std::string> Leaves(const Tree& tree);
std::vector<std::string> Children(const Tree& tree, const std::string& node);
std::string Root(const Tree& tree);
// Steps from a node up to an ancestor of it.
std::size_t Steps(const Tree& tree, const std::string& node, const std::string& ancestor);

Cut CutFromNodes(const Tree& tree, const std::set<std::string>& nodes);
std::set<std::string> Nodes(const Cut& cut);
// The cut in which the children of `node`, an inner node of it, take its place.
Cut Specialised(const Tree& tree, const Cut& cut, const std::string& node);
// Every cut: of a leaf itself; of an inner node itself, or any choice of cuts of its children.
std::vector<Cut> AllCuts(const Tree& tree);
std::vector<Combination> AllCombinations(const std::vector<Tree>& trees);

// Every quasi-identifier replaced by the node that stands for it.
Rows Recode(const Rows& rows, const Combination& cuts);
// The recoded rows without those of the named classes (quasi-identifiers of the recoded table).
Rows LeaveOut(const Rows& recoded, const std::set<std::vector<std::string>>& classes);

enum class Cost { kDiscernibility, kDistortion, kLoss, kClass };

// `left_out`: classes of the recoded table that are not published.
//   discernibility: Σ |class|² over published classes + N per row left out, over N²
//   distortion: mean over all N rows of the sum over the columns of the generalisation steps, and
//   in
//     numeric columns of the length of the range over that of the root; a row left out is
//     generalised to the root
//   class: Σ_columns Σ_nodes |T[v]|·H₂(label | published value is v) / N; a row left out costs, per
//     column, the entropy of the labels of the whole table, as it would in the root
double CostOf(Cost cost, const Rows& rows, const std::vector<Tree>& trees, const Combination& cuts,
              const std::set<std::vector<std::string>>& left_out = {});

// No single further specialisation of a node of a cut keeps the promise.
bool IsMaximal(const Rows& rows, const std::vector<Tree>& trees, const Combination& cuts,
               const Promise& promise);

// The combinations that keep the promise without leaving out rows.
std::vector<Combination> ValidCombinations(const Rows& rows, const std::vector<Tree>& trees,
                                           const Promise& promise);
// Those of them that are maximal.
std::vector<Combination> MaximalCombinations(const Rows& rows, const std::vector<Tree>& trees,
                                             const Promise& promise);

// Least cost over all combinations that keep the promise once exactly the classes that break it are
// left out, where those have at most `limit` rows in all and somebody stays. Nothing where there is
// no such combination. With a limit above 0 only for promises that look at one class alone (no t,
// no β): what is left out does not change how the rest is measured.
std::optional<double> LeastCost(Cost cost, const Rows& rows, const std::vector<Tree>& trees,
                                const Promise& promise, std::size_t limit = 0);

// Fewest rows that have to be left out of any combination, whichever classes they are, so that what
// stays keeps the promise; all rows where nothing does. Tries all choices of classes.
std::size_t FewestLeftOut(const Rows& rows, const std::vector<Tree>& trees, const Promise& promise);

}  // namespace oracle::k
