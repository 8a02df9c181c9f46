#include "reissue/models/bcf/release/stars.h"

#include <algorithm>

#include "reissue/taxonomy/tree_builder.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::Taxonomy;

// All quasi-identifiers are roots.
bool IsStarred(std::span<const std::uint32_t> key) {
  return std::ranges::all_of(key.first(key.size() - 1),
                             [](std::uint32_t node) { return NodeId(node) == Taxonomy::root(); });
}

struct Rows {
  bool starred = false, told = false;
  bool both() const { return starred && told; }
};

Rows RowsOf(const Cells& published) {
  Rows rows;
  for (std::size_t i = 0; i < published.size(); ++i) {
    if (published.count(CellId(i)) == 0) continue;
    (IsStarred(published.key(CellId(i))) ? rows.starred : rows.told) = true;
  }
  return rows;
}

Cells WithColumn(const Cells& published) {
  const std::shared_ptr<const Taxonomy> tree = StarTree();
  const bool all_starred = !RowsOf(published).told;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto key = published.key(CellId(i));
    const NodeId node = all_starred      ? Taxonomy::root()
                        : IsStarred(key) ? tree->leaf(kStarred)
                                         : tree->leaf(kTold);
    keys.insert(keys.end(), key.begin(), key.end() - 1);
    keys.push_back(node.raw());
    keys.push_back(key.back());
    counts.push_back(published.count(CellId(i)));
  }
  return CollectCells(published.width() + 1, keys, counts);
}

}  // namespace

std::shared_ptr<const Taxonomy> StarTree() {
  static const auto tree = [] {
    taxonomy::TreeBuilder builder;
    const std::size_t root = builder.Add("*", taxonomy::TreeBuilder::kNoParent);
    builder.Add("told", root);
    builder.Add("starred", root);
    return std::make_shared<const Taxonomy>(std::move(builder).Build());
  }();
  return tree;
}

bool AnyStars(std::span<const Cells> published) {
  return std::ranges::any_of(published, [](const Cells& each) { return RowsOf(each).both(); });
}

std::vector<Cells> WithStars(std::span<const Cells> published) {
  std::vector<Cells> with;
  for (const Cells& each : published) with.push_back(WithColumn(each));
  return with;
}

}  // namespace reissue::models::bcf
