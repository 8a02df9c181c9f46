#pragma once
// Plain values for the slow twin of model `bcf`: taxonomies as parent maps, releases as rows of
// strings, and what the words of the paper (Fung, Wang, Fu and Pei, EDBT 2008) mean for them. For
// tests only; knows nothing of the product's code. Immutable once built.

#include <bitset>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oracle::bcf {

using Quasi = std::vector<std::string>;               // one label per quasi-identifier
using Taxonomy = std::map<std::string, std::string>;  // node → parent; the root "*" has none
// Labels that need not lie in a tree: which raw values each stands for. "*" is all of them.
using LabelSets = std::map<std::string, std::set<std::string>>;

struct Row {
  Quasi quasi;
  std::string sensitive;
  friend auto operator<=>(const Row&, const Row&) = default;
};
using Release = std::vector<Row>;
using Series = std::vector<Release>;  // oldest first

// What the holder knows of a person. Births count from 1: the first release that has the person.
struct Person {
  Quasi quasi;  // leaves
  std::string sensitive;
  std::size_t birth = 1;
};

// Combinations of leaves, as positions in Domain::places().
inline constexpr std::size_t kMostPlaces = 64;
using Places = std::bitset<kMostPlaces>;

// The taxonomies (or sets) of the quasi-identifiers, with everything about their nodes worked out
// beforehand.
class Domain {
 public:
  explicit Domain(std::vector<Taxonomy> taxonomies);
  explicit Domain(std::vector<LabelSets> sets);

  const std::vector<Taxonomy>& taxonomies() const { return taxonomies_; }
  const std::vector<LabelSets>& sets() const { return sets_; }
  // All combinations of leaves: the quasi-identifiers a person can have. At most kMostPlaces.
  const std::vector<Quasi>& places() const { return places_; }
  // The places that match a tuple of nodes: its instantiations.
  const Places& Under(const Quasi& quasi) const { return under_.at(quasi); }
  bool Matches(const Quasi& person, const Quasi& quasi) const;
  // On every attribute the two nodes are on one path (Definition 4.1). Not for sets.
  bool Comparable(const Quasi& a, const Quasi& b) const;

 private:
  void FindPlaces(const std::vector<std::vector<std::string>>& nodes,
                  const std::vector<std::vector<std::string>>& leaves);

  std::vector<Taxonomy> taxonomies_;
  std::vector<LabelSets> sets_;
  std::vector<Quasi> places_;
  std::map<Quasi, Places> under_;
  std::vector<std::set<std::pair<std::string, std::string>>> above_;  // (node or ancestor, node)
};

std::vector<std::string> Nodes(const Taxonomy& taxonomy);
std::vector<std::string> Leaves(const Taxonomy& taxonomy);

// Cells of a release, values of a series, rows of a cell, rows of a group.
std::set<Quasi> Cells(const Release& release);
std::set<std::string> Values(const Series& series);
long CellSize(const Release& release, const Quasi& cell);
long GroupSize(const Release& release, const Quasi& cell, const std::string& sensitive);

}  // namespace oracle::bcf
