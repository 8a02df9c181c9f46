#pragma once
// Random trees and all cuts of a tree, for property tests. Header-only; the test must see the
// modules core and taxonomy.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/random.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/taxonomy.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::support {

// A tree with 1 … max_nodes nodes, of any shape: every node hangs below a random earlier one, and
// `depth_bias` chooses between bushes (0) and chains (1). The root is `*`, the others are `n1`,
// `n2`, … in the order of creation, which is not preorder.
inline taxonomy::Taxonomy RandomTaxonomy(Random& random, std::size_t max_nodes,
                                         double depth_bias = 0.3) {
  const std::size_t nodes = 1 + random.Below(max_nodes);
  taxonomy::TreeBuilder builder;
  builder.Add("*", taxonomy::TreeBuilder::kNoParent);
  for (std::size_t i = 1; i < nodes; ++i) {
    const std::size_t parent = random.Unit() < depth_bias ? i - 1 : random.Below(i);
    builder.Add("n" + std::to_string(i), parent);
  }
  return std::move(builder).Build();
}

// A tree with exactly `leaves` leaves, each inner node with 2 … max_fan_out children. The leaves
// are `v0`, `v1`, … in leaf order, the inner nodes `g1`, `g2`, …, the root is `*`.
inline taxonomy::Taxonomy RandomBranchingTaxonomy(Random& random, std::size_t leaves,
                                                  std::size_t max_fan_out = 4) {
  taxonomy::TreeBuilder builder;
  struct Part {
    std::size_t first, count, node;
  };
  std::vector<Part> pending = {{0, leaves, builder.Add("*", taxonomy::TreeBuilder::kNoParent)}};
  std::size_t groups = 0;
  while (!pending.empty()) {
    const Part part = pending.back();
    pending.pop_back();
    const std::size_t most = std::min(part.count, std::max<std::size_t>(max_fan_out, 2));
    const std::size_t parts = part.count == 1 ? 1 : 2 + random.Below(most - 1);
    std::vector<std::size_t> sizes(parts, 1);
    for (std::size_t extra = part.count - parts; extra > 0; --extra) ++sizes[random.Below(parts)];
    std::size_t first = part.first;
    for (const std::size_t size : sizes) {
      if (size == 1) {
        builder.Add("v" + std::to_string(first), part.node);
      } else {
        pending.push_back({first, size, builder.Add("g" + std::to_string(++groups), part.node)});
      }
      first += size;
    }
  }
  return std::move(builder).Build();
}

// A random cut: from the root, each node is specialised with the given probability.
inline taxonomy::Cut RandomCut(Random& random, const taxonomy::Taxonomy& tree,
                               double specialise = 0.5) {
  taxonomy::Cut cut = taxonomy::Cut::Root(tree);
  for (std::size_t i = 0; i < tree.nodes(); ++i) {
    const NodeId node(i);
    if (cut.Contains(tree, node) && !tree.is_leaf(node) && random.Unit() < specialise) {
      cut.Specialise(tree, node);
    }
  }
  return cut;
}

// The node sets (ascending) of all cuts of the tree below `node`. Exponential: small trees only.
inline std::vector<std::vector<NodeId>> AllCutNodes(const taxonomy::Taxonomy& tree,
                                                    NodeId node = taxonomy::Taxonomy::root()) {
  std::vector<std::vector<NodeId>> cuts = {{node}};
  if (tree.is_leaf(node)) return cuts;
  std::vector<std::vector<NodeId>> product = {{}};
  for (const NodeId child : tree.children(node)) {
    const std::vector<std::vector<NodeId>> of_child = AllCutNodes(tree, child);
    std::vector<std::vector<NodeId>> longer;
    for (const std::vector<NodeId>& head : product) {
      for (const std::vector<NodeId>& tail : of_child) {
        longer.push_back(head);
        longer.back().insert(longer.back().end(), tail.begin(), tail.end());
      }
    }
    product = std::move(longer);
  }
  cuts.insert(cuts.end(), product.begin(), product.end());
  return cuts;
}

// All cuts of a small tree, the root's first.
inline std::vector<taxonomy::Cut> AllCuts(const taxonomy::Taxonomy& tree) {
  std::vector<taxonomy::Cut> cuts;
  for (const std::vector<NodeId>& nodes : AllCutNodes(tree)) {
    cuts.push_back(taxonomy::Cut::FromNodes(tree, nodes).value());
  }
  return cuts;
}

}  // namespace reissue::support
