#include "reissue/taxonomy/describe.h"

#include <fmt/format.h>

namespace reissue::taxonomy {

Description Describe(const Taxonomy& tree) {
  Description description = {tree.nodes(), tree.leaves(), tree.height() + 1u, 0, ""};
  for (std::size_t i = 0; i < tree.nodes(); ++i) {
    const std::size_t fan_out = tree.children(NodeId(i)).size();
    if (fan_out <= description.largest_fan_out) continue;
    description.largest_fan_out = fan_out;
    description.widest = tree.label(NodeId(i));
  }
  return description;
}

std::string Render(const Taxonomy& tree, std::uint32_t depth_limit) {
  std::string text;
  for (std::size_t i = 0; i < tree.nodes(); ++i) {
    const NodeId node(i);
    if (tree.depth(node) > depth_limit) continue;
    text.append(2 * static_cast<std::size_t>(tree.depth(node)), ' ');
    for (const char c : tree.label(node)) {
      const auto code = static_cast<unsigned char>(c);
      text += code < 0x20 || code == 0x7F ? '?' : c;
    }
    if (!tree.is_leaf(node)) {
      const std::uint32_t leaves = tree.leaf_count(node);
      text += fmt::format(" ({} {})", leaves, leaves == 1 ? "leaf" : "leaves");
    }
    text += '\n';
  }
  return text;
}

}  // namespace reissue::taxonomy
