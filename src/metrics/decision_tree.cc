#include "reissue/metrics/decision_tree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "reissue/metrics/pruning.h"
#include "reissue/metrics/tree_grower.h"

namespace reissue::metrics {
namespace {

using Node = DecisionTree::Node;

// A subtree is kept only if it promises at least this many errors fewer than a leaf in its place.
constexpr double kWorthASubtree = 0.1;

void MakeLeaf(Node& node) {
  node.children = 0;
  node.first_child = 0;
  node.attribute = 0;
  node.threshold = 0;
  node.branch_codes.clear();
}

// Children come after their parents, so one pass from the back sees subtrees first.
void Prune(std::vector<Node>& nodes, double confidence) {
  const double quantile = NormalUpperQuantile(confidence);
  std::vector<double> expected(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    Node& node = nodes[i];
    const double as_leaf = ExpectedErrors(node.cases, node.errors, confidence, quantile);
    expected[i] = as_leaf;
    if (node.leaf()) continue;
    double as_subtree = 0;
    for (std::uint32_t c = 0; c < node.children; ++c) as_subtree += expected[node.first_child + c];
    if (as_leaf <= as_subtree + kWorthASubtree) {
      MakeLeaf(node);
    } else {
      expected[i] = as_subtree;
    }
  }
}

// Drops nodes that no longer hang on the root.
std::vector<Node> Compact(std::vector<Node> nodes) {
  std::vector<Node> kept;
  kept.push_back(std::move(nodes[0]));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].leaf()) continue;
    const std::uint32_t first = kept[i].first_child;
    const std::uint32_t children = kept[i].children;
    kept[i].first_child = static_cast<std::uint32_t>(kept.size());
    for (std::uint32_t c = 0; c < children; ++c) kept.push_back(std::move(nodes[first + c]));
  }
  return kept;
}

}  // namespace

Status CheckExamples(const Schema& schema, const Examples& examples) {
  const auto fault = [](const std::string& what) {
    return UsageError("examples for a classifier do not fit their schema: " + what);
  };
  if (examples.columns.size() != schema.attributes.size()) return fault("number of columns");
  for (const std::uint32_t code : examples.classes) {
    if (code >= schema.classes) return fault("class code out of range");
  }
  for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
    const Attribute& attribute = schema.attributes[a];
    if (attribute.numeric()) {
      if (attribute.numbers.size() != attribute.codes) {
        return fault("numbers of attribute \"" + attribute.name + "\"");
      }
      for (const double number : attribute.numbers) {
        if (!std::isfinite(number)) {
          return fault("attribute \"" + attribute.name + "\" has a number that is not finite");
        }
      }
    }
    if (examples.columns[a].size() != examples.rows()) {
      return fault("rows of attribute \"" + attribute.name + "\"");
    }
    for (const std::uint32_t code : examples.columns[a]) {
      if (code >= attribute.codes) {
        return fault("code out of range in attribute \"" + attribute.name + "\"");
      }
    }
  }
  return Ok();
}

Result<DecisionTree> DecisionTree::Learn(const Schema& schema, const Examples& training,
                                         const TreeOptions& options) {
  if (Status status = CheckExamples(schema, training); !status) return std::move(status).error();
  if (training.rows() == 0) {
    return InputError("a classifier needs training rows, and there are none",
                      "give a table with rows, or a smaller share of test rows");
  }
  if (training.rows() > std::numeric_limits<std::uint32_t>::max()) {
    return InputError("a classifier takes at most 4294967295 training rows", "train on a sample");
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    return UsageError("the confidence of pruning must lie between 0 and 1",
                      "0.25 is the usual choice");
  }
  if (options.min_cases == 0) return UsageError("a branch needs at least one case");
  DecisionTree tree;
  for (const Attribute& attribute : schema.attributes) {
    tree.numbers_.push_back(attribute.numbers);
    tree.names_.push_back(attribute.name);
  }
  tree.nodes_ = internal::TreeGrower(schema, training, options).Grow();
  if (options.prune) {
    Prune(tree.nodes_, options.confidence);
  }
  tree.nodes_ = Compact(std::move(tree.nodes_));
  return tree;
}

std::uint32_t DecisionTree::Classify(const Examples& examples, std::size_t row) const {
  const Node* node = &nodes_.front();
  while (!node->leaf()) {
    const std::uint32_t code = examples.columns[node->attribute][row];
    const std::vector<double>& numbers = numbers_[node->attribute];
    std::size_t branch = 0;
    if (!numbers.empty()) {
      branch = numbers[code] <= node->threshold ? 0 : 1;
    } else {
      const auto& codes = node->branch_codes;
      const auto found = std::lower_bound(codes.begin(), codes.end(), code);
      if (found == codes.end() || *found != code) break;
      branch = static_cast<std::size_t>(found - codes.begin());
    }
    node = &nodes_[node->first_child + branch];
  }
  return node->majority;
}

std::uint64_t DecisionTree::CountErrors(const Examples& examples) const {
  std::uint64_t errors = 0;
  for (std::size_t row = 0; row < examples.rows(); ++row) {
    if (Classify(examples, row) != examples.classes[row]) ++errors;
  }
  return errors;
}

std::size_t DecisionTree::leaves() const {
  return static_cast<std::size_t>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.leaf(); }));
}

std::size_t DecisionTree::depth() const {
  std::vector<std::size_t> depths(nodes_.size(), 0);
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    deepest = std::max(deepest, depths[i]);
    for (std::uint32_t c = 0; c < nodes_[i].children; ++c) {
      depths[nodes_[i].first_child + c] = depths[i] + 1;
    }
  }
  return deepest;
}

std::string DecisionTree::ToString() const {
  std::string text;
  struct Visit {
    std::size_t node;
    std::size_t depth;
    std::string test;
  };
  std::vector<Visit> open{{0, 0, "all"}};
  while (!open.empty()) {
    const Visit visit = std::move(open.back());
    open.pop_back();
    const Node& node = nodes_[visit.node];
    text += std::string(2 * visit.depth, ' ') + visit.test + ": class " +
            std::to_string(node.majority) + " (" + std::to_string(node.cases) + "/" +
            std::to_string(node.errors) + ")\n";
    for (std::uint32_t c = node.children; c-- > 0;) {
      std::string test = names_[node.attribute];
      if (node.branch_codes.empty()) {
        test += (c == 0 ? " <= " : " > ") + std::to_string(node.threshold);
      } else {
        test += " = code " + std::to_string(node.branch_codes[c]);
      }
      open.push_back({node.first_child + c, visit.depth + 1, std::move(test)});
    }
  }
  return text;
}

}  // namespace reissue::metrics
