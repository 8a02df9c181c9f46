#include "reissue/binding/levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/taxonomy/levels.h"

namespace reissue::binding {
namespace {

using taxonomy::Cut;
using taxonomy::Taxonomy;

// Of the whole tree.
Result<Cut> LevelOf(const Quasi& quasi, std::uint32_t level, std::string_view key,
                    const std::string& policy, Context& context) {
  const Taxonomy& tree = quasi.whole_tree();
  const auto lines = quasi.policy->taxonomy.empty()
                         ? taxonomy::BreakpointLines(quasi.policy->breakpoints, tree)
                         : REISSUE_TRY(ReadHierarchy(quasi.policy->taxonomy, context));
  auto cut = taxonomy::LevelOf(tree, lines, level);
  if (cut) return cut;
  return InputError({policy, quasi.policy->line, std::nullopt, quasi.policy->name},
                    fmt::format("`{}`: {}", key, cut.error().message), cut.error().remedy);
}

}  // namespace

Status ApplyFloors(HolderTable& holder, const std::string& policy, Context& context) {
  for (Quasi& quasi : holder.quasi) {
    if (quasi.policy->floor.value_or(0) == 0) continue;
    const Cut floor = REISSUE_TRY(LevelOf(quasi, *quasi.policy->floor, "floor", policy, context));
    auto tree = std::make_shared<const Taxonomy>(taxonomy::Truncated(*quasi.tree, floor));
    for (std::uint32_t& leaf : quasi.leaf_of_value) {
      leaf = tree->first_leaf(*tree->Find(quasi.tree->label(floor.NodeOfLeaf(leaf))));
    }
    quasi.beyond_floor = std::move(quasi.tree);
    quasi.tree = std::move(tree);
  }
  return Ok();
}

Result<std::vector<Cut>> CeilingsOf(const HolderTable& holder, const std::string& policy,
                                    Context& context) {
  std::vector<Cut> ceilings;
  bool any = false;
  for (const Quasi& quasi : holder.quasi) {
    ceilings.push_back(Cut::Root(*quasi.tree));
    if (!quasi.policy->ceiling) continue;
    any = true;
    const Cut cut = REISSUE_TRY(LevelOf(quasi, *quasi.policy->ceiling, "ceiling", policy, context));
    std::vector<NodeId> nodes;
    for (const NodeId node : cut.Nodes()) {
      nodes.push_back(*quasi.tree->Find(quasi.whole_tree().label(node)));
    }
    ceilings.back() = REISSUE_TRY(Cut::FromNodes(*quasi.tree, nodes));
  }
  if (!any) ceilings.clear();
  return ceilings;
}

}  // namespace reissue::binding
