#include "reissue/models/xy/publisher/contexts.h"

#include <algorithm>
#include <numeric>

namespace reissue::models::xy::internal {
namespace {

// A column without a tree before its code is known.
constexpr std::uint32_t kNoCode = static_cast<std::uint32_t>(-1);

}  // namespace

std::size_t Contexts::KeyHash::operator()(const std::vector<std::uint32_t>& key) const {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const std::uint32_t code : key) {
    h = (h ^ code) * 0xff51afd7ed558ccdu;
    h ^= h >> 29;
  }
  return h;
}

Contexts::Contexts(const Side& side, const Source& source) : side_(side) {
  std::vector<std::uint32_t> labels, tuples(side.tuples.size());
  std::iota(tuples.begin(), tuples.end(), 0u);
  for (std::size_t s = 0; s < side.slots.size(); ++s) {
    trees_.push_back(source.columns[side.slots[s].column].tree.get());
    labels.push_back(trees_[s] == nullptr ? kNoCode : 0);
    if (trees_[s] == nullptr) continue;
    const auto forbidden = Forbidden(s, 0);
    std::erase_if(tuples, [&](std::uint32_t t) { return !Clear(t, forbidden); });
  }
  Context context;
  context.tuples = std::make_shared<const std::vector<std::uint32_t>>(std::move(tuples));
  Summarise(context);
  contexts_.push_back(std::move(context));
  labels_ = labels;
  kids_.assign(labels.size(), 0);
  known_.emplace(std::move(labels), 0u);
}

std::optional<std::size_t> Contexts::SlotOf(std::size_t column) const {
  const auto found = std::ranges::find(side_.slots, column, &Side::Slot::column);
  if (found == side_.slots.end()) return std::nullopt;
  return static_cast<std::size_t>(found - side_.slots.begin());
}

// The bits that a tuple must not have to match a label.
std::vector<std::uint64_t> Contexts::Forbidden(std::size_t slot, std::uint32_t label) const {
  std::vector<std::uint64_t> forbidden(side_.words, 0);
  for (const Side::Slot::Never& never : side_.slots[slot].never) {
    const bool below = trees_[slot] == nullptr
                           ? never.code == label
                           : trees_[slot]->IsAncestor(NodeId(never.code), NodeId(label));
    if (below) forbidden[never.bit / 64] |= std::uint64_t{1} << (never.bit % 64);
  }
  return forbidden;
}

bool Contexts::Clear(std::uint32_t tuple, const std::vector<std::uint64_t>& forbidden) const {
  for (std::size_t w = 0; w < forbidden.size(); ++w) {
    if ((side_.bits[tuple * side_.words + w] & forbidden[w]) != 0) return false;
  }
  return true;
}

void Contexts::Summarise(Context& context) const {
  context.distinct = std::numeric_limits<std::uint64_t>::max();
  context.part = side_.has_y ? 0 : 1;
  context.whole = 1;
  const std::vector<std::uint32_t>& tuples = *context.tuples;
  for (std::size_t i = 0; i < tuples.size();) {
    const std::uint32_t x = side_.tuples[tuples[i]].x;
    Wide distinct = 0, whole = 0, largest = 0;
    std::size_t end = i;
    while (end < tuples.size() && side_.tuples[tuples[end]].x == x) {
      whole += side_.tuples[tuples[end++]].rows;
    }
    while (i < end) {
      const Side::Tuple& first = side_.tuples[tuples[i]];
      distinct += first.distinct;
      Wide part = 0;
      for (; i < end && side_.tuples[tuples[i]].y == first.y; ++i) {
        part += side_.tuples[tuples[i]].rows;
      }
      const double limit = side_.limits.empty() ? 1 : side_.limits[first.y];
      if (limit < 0) continue;
      largest = std::max(largest, part);
      context.broken = context.broken || ShareOf(part, whole) > limit;
    }
    context.distinct = std::min(context.distinct, distinct);
    if (side_.has_y && ShareOf(largest, whole) > ShareOf(context.part, context.whole)) {
      context.part = largest;
      context.whole = whole;
    }
  }
}

std::optional<std::uint32_t> Contexts::Find(std::uint32_t parent, std::size_t slot,
                                            std::uint32_t label) {
  const std::size_t width = side_.slots.size();
  std::vector<std::uint32_t> key(
      labels_.begin() + static_cast<std::ptrdiff_t>(parent * width),
      labels_.begin() + static_cast<std::ptrdiff_t>((parent + 1) * width));
  key[slot] = label;
  const auto found = known_.find(key);
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

std::uint32_t Contexts::Put(std::uint32_t parent, std::size_t slot, std::uint32_t label,
                            std::vector<std::uint32_t> tuples) {
  const std::size_t width = side_.slots.size();
  const auto id = static_cast<std::uint32_t>(contexts_.size());
  Context context;
  if (tuples.size() == contexts_[parent].tuples->size()) {
    context = contexts_[parent];
  } else {
    context.same = id;
    context.tuples = std::make_shared<const std::vector<std::uint32_t>>(std::move(tuples));
    Summarise(context);
  }
  contexts_.push_back(std::move(context));
  std::vector<std::uint32_t> key(
      labels_.begin() + static_cast<std::ptrdiff_t>(parent * width),
      labels_.begin() + static_cast<std::ptrdiff_t>((parent + 1) * width));
  key[slot] = label;
  labels_.insert(labels_.end(), key.begin(), key.end());
  kids_.resize(kids_.size() + width, 0);
  known_.emplace(std::move(key), id);
  return id;
}

std::size_t Contexts::Refine(std::uint32_t context, std::size_t slot) {
  const taxonomy::Taxonomy& tree = *trees_[slot];
  const NodeId node(labels_[context * side_.slots.size() + slot]);
  const auto children = tree.children(node);
  std::vector<std::vector<std::uint64_t>> forbidden;
  for (const NodeId child : children) forbidden.push_back(Forbidden(slot, child.raw()));
  std::vector<std::vector<std::uint32_t>> parts(children.size());
  const bool join = side_.slots[slot].join;
  const auto add = [&](std::size_t i, std::uint32_t tuple) {
    if (Clear(tuple, forbidden[i])) parts[i].push_back(tuple);
  };
  for (const std::uint32_t tuple : *contexts_[context].tuples) {
    const NodeId label(side_.label(tuple, slot));
    if (join && !tree.IsAncestor(label, node)) {
      const auto above = std::ranges::upper_bound(children, label);
      add(static_cast<std::size_t>(above - children.begin()) - 1, tuple);
    } else {
      for (std::size_t i = 0; i < children.size(); ++i) add(i, tuple);
    }
  }
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint32_t label = children[i].raw();
    const auto known = Find(context, slot, label);
    ids.push_back(known ? *known : Put(context, slot, label, std::move(parts[i])));
  }
  kid_ids_.insert(kid_ids_.end(), ids.begin(), ids.end());
  return kid_ids_.size() - ids.size();
}

std::uint32_t Contexts::Child(std::uint32_t context, std::size_t slot, std::size_t i) {
  const std::size_t at = context * side_.slots.size() + slot;
  if (kids_[at] == 0) {
    const std::size_t begin = Refine(context, slot);
    kids_[at] = begin + 1;
  }
  return kid_ids_[kids_[at] - 1 + i];
}

std::uint32_t Contexts::Leaf(std::uint32_t context, std::size_t slot, std::uint32_t rank_or_code) {
  const taxonomy::Taxonomy* tree = trees_[slot];
  if (tree == nullptr) {
    if (const auto known = Find(context, slot, rank_or_code)) return *known;
    std::vector<std::uint32_t> tuples = *contexts_[context].tuples;
    const auto forbidden = Forbidden(slot, rank_or_code);
    std::erase_if(tuples, [&](std::uint32_t t) { return !Clear(t, forbidden); });
    return Put(context, slot, rank_or_code, std::move(tuples));
  }
  NodeId node = tree->root();
  const NodeId leaf = tree->leaf(rank_or_code);
  while (node != leaf) {
    const auto children = tree->children(node);
    const auto i =
        static_cast<std::size_t>(std::ranges::upper_bound(children, leaf) - children.begin()) - 1;
    context = Child(context, slot, i);
    node = children[i];
  }
  return context;
}

}  // namespace reissue::models::xy::internal
