#include "reissue/models/bcf/service/space.h"

#include <vector>

#include "reissue/binding/state_bytes.h"

namespace reissue::models::bcf::service {
namespace {

using taxonomy::SpaceTree;

constexpr std::uint32_t kSpaceFormat = 1;

struct SavedBox {
  std::uint32_t column = 0;         // that it splits, from 1; 0: it is a leaf
  std::vector<std::string> labels;  // of the children, in their order
};

// Which child has a label that was saved.
std::optional<SpaceTree::Box> Child(const SpaceTree& space, SpaceTree::Box box,
                                    const std::string& label) {
  const std::size_t column = space.column(box);
  for (std::size_t c = 0; c < space.fan_out(box); ++c) {
    const SpaceTree::Box child = space.first_child(box) + static_cast<SpaceTree::Box>(c);
    if (space.trees()[column]->label(space.nodes(child)[column]) == label) return child;
  }
  return std::nullopt;
}

}  // namespace

std::string SaveSpace(const SpaceTree& space) {
  binding::StateWriter out;
  out.Number(kSpaceFormat);
  // Depth first, children in their order.
  std::vector<SpaceTree::Box> stack = {0};
  while (!stack.empty()) {
    const SpaceTree::Box box = stack.back();
    stack.pop_back();
    out.Small(space.is_leaf(box) ? 0 : static_cast<std::uint32_t>(space.column(box) + 1));
    if (space.is_leaf(box)) continue;
    std::vector<SpaceTree::Box> children;
    for (std::size_t c = 0; c < space.fan_out(box); ++c) {
      children.push_back(space.first_child(box) + static_cast<SpaceTree::Box>(c));
    }
    const std::size_t column = space.column(box);
    out.Each(children, [&](SpaceTree::Box child) {
      out.Text(space.trees()[column]->label(space.nodes(child)[column]));
    });
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return out.Take();
}

Result<SpaceTree> ParseSpace(std::string_view bytes, SpaceTree::Trees trees) {
  binding::StateReader in(bytes);
  SpaceTree space(std::move(trees));
  bool good = in.Number<std::uint32_t>() == kSpaceFormat;
  // Nothing: a box that the trees do not have any more, because one of them was refined.
  std::vector<std::optional<SpaceTree::Box>> stack = {0};
  while (good && in.good() && !stack.empty()) {
    const std::optional<SpaceTree::Box> box = stack.back();
    stack.pop_back();
    const std::uint32_t column = in.Small();
    if (column == 0) continue;
    std::vector<std::string> labels;
    in.Each(labels, [&] { return in.Text(); });
    good = column <= space.columns();
    if (!good) break;
    bool split = false;
    if (box) {
      // Named twice, a box would be split twice.
      good = space.is_leaf(*box);
      split = good && !space.trees()[column - 1]->is_leaf(space.nodes(*box)[column - 1]);
      if (split) space.Split(*box, column - 1);
    }
    for (std::size_t c = labels.size(); c-- > 0;) {
      stack.push_back(split ? Child(space, *box, labels[c]) : std::nullopt);
    }
  }
  if (!good || !in.done()) return binding::SenselessRecord("the boxes of the series");
  return space;
}

}  // namespace reissue::models::bcf::service
