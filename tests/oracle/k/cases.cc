#include "cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reissue/core/cells.h"
#include "reissue/taxonomy/taxonomy.h"

namespace oracle::k {

namespace {

using reissue::Random;
using reissue::taxonomy::HierarchyLine;
using reissue::taxonomy::Taxonomy;

bool Chance(Random& random, std::size_t one_in) { return random.Below(one_in) == 0; }

// A fraction that shares of small classes hit exactly, or any number.
double Threshold(Random& random) {
  if (Chance(random, 2)) return random.Unit();
  const std::uint64_t below = 1 + random.Below(6);
  return static_cast<double>(1 + random.Below(below)) / static_cast<double>(below);
}

// Joins nodes at random until one is left, which becomes the root.
Tree RandomTree(Random& random) {
  Tree tree;
  std::vector<std::string> tops;
  for (std::uint64_t i = 3 + random.Below(5); i > 0; --i) tops.push_back("v" + std::to_string(i));
  for (std::size_t inner = 0; tops.size() > 1; ++inner) {
    random.Shuffle(tops);
    std::size_t joined = Chance(random, 6) ? 1 : 2 + random.Below(3);
    joined = std::min(joined, tops.size());
    const bool last = joined == tops.size() && !Chance(random, 8);
    const std::string above = last ? "*" : "N" + std::to_string(inner);
    for (std::size_t i = 0; i < joined; ++i) {
      tree.parent[tops.back()] = above;
      tops.pop_back();
    }
    tops.push_back(above);
  }
  if (tops.front() != "*") tree.parent[tops.front()] = "*";
  return tree;
}

std::shared_ptr<const Taxonomy> ToTaxonomy(const Tree& tree) {
  std::vector<HierarchyLine> lines;
  for (const std::string& leaf : Leaves(tree)) {
    HierarchyLine line{lines.size() + 1, {leaf}};
    while (tree.parent.contains(line.labels.back())) {
      line.labels.push_back(tree.parent.at(line.labels.back()));
    }
    lines.push_back(line);
  }
  auto built = reissue::taxonomy::FromHierarchy(lines, "tree.csv");
  if (!built) {
    ADD_FAILURE() << built.error().ToString();
    return nullptr;
  }
  return std::make_shared<const Taxonomy>(std::move(*built));
}

std::shared_ptr<const Taxonomy> RandomNumericTaxonomy(Random& random) {
  std::vector<double> breaks = {0};
  std::vector<std::string> values;
  const std::uint64_t leaves = 3 + random.Below(4);
  for (std::uint64_t value = 0; value < leaves; ++value) {
    values.push_back(std::to_string(value));
    const bool close = value + 1 == leaves || Chance(random, 2);
    if (close) breaks.push_back(static_cast<double>(value) + 1);
  }
  const std::vector<std::vector<double>> levels = {breaks};
  auto built = reissue::taxonomy::FromBreakpoints(levels, values, "number");
  if (!built) {
    ADD_FAILURE() << built.error().ToString();
    return nullptr;
  }
  return std::make_shared<const Taxonomy>(std::move(*built));
}

Tree FromTaxonomy(const Taxonomy& taxonomy) {
  Tree tree;
  for (std::size_t i = 0; i < taxonomy.nodes(); ++i) {
    const reissue::NodeId node(i);
    if (taxonomy.numeric()) {
      tree.length[taxonomy.label(node)] = taxonomy.range(node).high - taxonomy.range(node).low;
    }
    if (node != Taxonomy::root())
      tree.parent[taxonomy.label(node)] = taxonomy.label(taxonomy.parent(node));
  }
  return tree;
}

std::uint32_t CodeOf(const std::vector<std::string>& values, const std::string& value) {
  return static_cast<std::uint32_t>(std::find(values.begin(), values.end(), value) -
                                    values.begin());
}

}  // namespace

std::vector<std::string> SensitiveValues(std::size_t number) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < number; ++i) values.push_back("s" + std::to_string(i));
  return values;
}

Rows RandomRows(Random& random, std::size_t rows, std::size_t columns,
                const std::vector<std::string>& values) {
  // Values of a narrow range are more often together.
  const std::uint64_t spread = 1 + random.Below(3);
  const std::uint64_t used = 1 + random.Below(values.size());
  Rows table;
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    for (std::size_t j = 0; j < columns; ++j) {
      row.quasi.push_back("q" + std::to_string(random.Below(spread)));
    }
    const std::uint64_t among = Chance(random, 4) ? values.size() : used;
    row.sensitive = values[random.Below(among)];
    table.push_back(row);
  }
  return table;
}

Promise RandomPromise(Random& random, const std::vector<std::string>& values) {
  Promise promise;
  promise.k = 1 + random.Below(4);
  if (values.size() < 2) return promise;
  const std::uint64_t rarity = 2 + random.Below(4);
  if (Chance(random, rarity)) promise.distinct = 1 + random.Below(values.size());
  if (Chance(random, rarity)) {
    promise.entropy =
        Chance(random, 2) ? static_cast<double>(1 + random.Below(3)) : 1 + random.Unit() * 2;
  }
  if (Chance(random, rarity)) {
    const double c =
        Chance(random, 2) ? static_cast<double>(1 + random.Below(8)) / 2 : 3 * Threshold(random);
    promise.recursive = {c, 1 + random.Below(values.size())};
  }
  if (Chance(random, rarity)) promise.alpha = Threshold(random);
  if (Chance(random, rarity)) {
    for (const std::string& value : values) {
      if (Chance(random, 2)) promise.confidence[value] = Threshold(random);
    }
  }
  if (Chance(random, rarity)) promise.t = Threshold(random);
  if (Chance(random, 2)) {
    promise.order = values;
    random.Shuffle(promise.order);
  }
  if (Chance(random, rarity)) promise.beta = 3 * Threshold(random);
  return promise;
}

Problem RandomProblem(Random& random, std::size_t combinations) {
  Problem problem;
  const std::size_t columns = 2 + random.Below(2);
  std::size_t number = 1;
  while (problem.trees.size() < columns) {
    const bool numeric = Chance(random, 5);
    auto taxonomy = numeric ? RandomNumericTaxonomy(random) : ToTaxonomy(RandomTree(random));
    if (taxonomy == nullptr) return problem;
    const Tree tree = FromTaxonomy(*taxonomy);
    const std::size_t cuts = AllCuts(tree).size();
    if (number * cuts > combinations) {  // begin again
      problem = Problem();
      number = 1;
      continue;
    }
    number *= cuts;
    problem.trees.push_back(tree);
    problem.taxonomies.push_back(taxonomy);
  }
  problem.values = SensitiveValues(Chance(random, 8) ? 1 : 2 + random.Below(3));
  if (!Chance(random, 4)) problem.labels = {"yes", "no", "maybe"};
  const std::size_t rows = 6 + random.Below(35);
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    for (const Tree& tree : problem.trees) {
      const std::vector<std::string> leaves = Leaves(tree);
      // Some leaves are much more common than others, the last ones may be absent.
      row.quasi.push_back(
          leaves[std::min(random.Below(leaves.size()), random.Below(leaves.size()))]);
    }
    row.sensitive = problem.values[random.Below(problem.values.size())];
    if (!problem.labels.empty()) row.label = problem.labels[random.Below(problem.labels.size())];
    problem.rows.push_back(row);
  }
  return problem;
}

bool Feasible(const Problem& problem, const Promise& promise) {
  return Broken(problem.rows, problem.rows, promise).empty();
}

Promise RandomFeasiblePromise(Random& random, const Problem& problem) {
  Promise promise = RandomPromise(random, problem.values);
  if (Chance(random, 10)) return promise;
  while (!Feasible(problem, promise)) promise = RandomPromise(random, problem.values);
  return promise;
}

reissue::models::k::Guarantee ToGuarantee(const Promise& promise,
                                          const std::vector<std::string>& values) {
  reissue::models::k::Guarantee guarantee;
  guarantee.k = promise.k;
  if (promise.distinct) guarantee.distinct = static_cast<std::uint32_t>(*promise.distinct);
  guarantee.entropy = promise.entropy;
  if (promise.recursive) {
    guarantee.recursive = {promise.recursive->first,
                           static_cast<std::uint32_t>(promise.recursive->second)};
  }
  guarantee.alpha = promise.alpha;
  if (!promise.confidence.empty()) {
    for (const std::string& value : values) {
      const auto threshold = promise.confidence.find(value);
      guarantee.confidence.push_back(threshold == promise.confidence.end() ? 2 : threshold->second);
    }
  }
  guarantee.t = promise.t;
  guarantee.beta = promise.beta;
  if (!promise.order.empty()) {
    guarantee.distance = reissue::models::k::Distance::kOrdered;
    for (const std::string& value : values) guarantee.order.push_back(CodeOf(promise.order, value));
  }
  return guarantee;
}

reissue::models::k::PublishedCells ToPublished(const Rows& release, std::size_t columns,
                                               const std::vector<std::string>& values) {
  std::vector<std::vector<std::string>> labels(columns);
  std::vector<std::uint32_t> keys;
  for (const Row& row : release) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::uint32_t code = CodeOf(labels[j], row.quasi[j]);
      if (code == labels[j].size()) labels[j].push_back(row.quasi[j]);
      keys.push_back(code);
    }
    keys.push_back(CodeOf(values, row.sensitive));
  }
  const std::vector<std::uint64_t> counts(release.size(), 1);
  return {reissue::CollectCells(columns + 1, keys, counts), columns,
          static_cast<std::uint32_t>(values.size())};
}

reissue::models::k::LeafCells ToLeafCells(const Problem& problem) {
  std::vector<std::uint32_t> keys;
  for (const Row& row : problem.rows) {
    for (std::size_t j = 0; j < problem.taxonomies.size(); ++j) {
      const Taxonomy& taxonomy = *problem.taxonomies[j];
      keys.push_back(taxonomy.first_leaf(taxonomy.Find(row.quasi[j]).value()));
    }
    keys.push_back(CodeOf(problem.values, row.sensitive));
    if (!problem.labels.empty()) keys.push_back(CodeOf(problem.labels, row.label));
  }
  const std::size_t width = problem.taxonomies.size() + (problem.labels.empty() ? 1 : 2);
  const std::vector<std::uint64_t> counts(problem.rows.size(), 1);
  return {problem.taxonomies,
          reissue::CollectCells(width, keys, counts),
          static_cast<std::uint32_t>(problem.values.size()),
          static_cast<std::uint32_t>(problem.labels.size()),
          {},
          {},
          {}};
}

Combination FromOutcome(const Problem& problem, const reissue::models::k::Outcome& outcome) {
  Combination cuts;
  for (std::size_t j = 0; j < problem.trees.size(); ++j) {
    std::set<std::string> nodes;
    for (reissue::NodeId node : outcome.cuts.at(j).Nodes()) {
      nodes.insert(problem.taxonomies[j]->label(node));
    }
    cuts.push_back(CutFromNodes(problem.trees[j], nodes));
  }
  return cuts;
}

std::set<std::vector<std::string>> LeftOut(const Problem& problem,
                                           const reissue::models::k::Outcome& outcome) {
  std::set<std::vector<std::string>> classes;
  for (const std::vector<reissue::NodeId>& cell : outcome.suppressed) {
    std::vector<std::string> labels;
    for (std::size_t j = 0; j < cell.size(); ++j) {
      labels.push_back(problem.taxonomies[j]->label(cell[j]));
    }
    classes.insert(labels);
  }
  return classes;
}

std::string Describe(const Rows& rows) {
  std::ostringstream text;
  for (const Row& row : rows) {
    for (const std::string& value : row.quasi) text << value << ' ';
    text << "| " << row.sensitive << (row.label.empty() ? "" : " | " + row.label) << '\n';
  }
  return text.str();
}

std::string Describe(const Promise& promise) {
  std::ostringstream text;
  text.precision(17);
  text << "k " << promise.k;
  if (promise.distinct) text << ", distinct " << *promise.distinct;
  if (promise.entropy) text << ", entropy " << *promise.entropy;
  if (promise.recursive) {
    text << ", recursive (" << promise.recursive->first << ", " << promise.recursive->second << ")";
  }
  if (promise.alpha) text << ", alpha " << *promise.alpha;
  for (const auto& [value, threshold] : promise.confidence) {
    text << ", confidence of " << value << " " << threshold;
  }
  if (promise.t) text << ", t " << *promise.t;
  for (const std::string& value : promise.order)
    text << (value == promise.order[0] ? ", order " : " < ") << value;
  if (promise.beta) text << ", beta " << *promise.beta;
  return text.str();
}

std::string Describe(const Problem& problem) {
  std::ostringstream text;
  for (const Tree& tree : problem.trees) {
    text << (tree.numeric() ? "numeric:" : "tree:");
    for (const auto& [node, parent] : tree.parent) text << ' ' << node << '<' << parent;
    text << '\n';
  }
  text << Describe(problem.rows);
  return text.str();
}

}  // namespace oracle::k
