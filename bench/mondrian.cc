// A plain Mondrian over taxonomies, as a yardstick: the widest column that can be split is split;
// children with at least k rows go on, the rest stays at the parent. One release is k-anonymous;
// labels overlap, and nobody looks at earlier releases.
//
//   mondrian POLICY TABLE K OUT

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "measure.h"
#include "reissue/binding/load.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"

namespace {

using reissue::NodeId;
using reissue::RowId;
using reissue::bench::Must;
using reissue::binding::HolderTable;
using reissue::taxonomy::Taxonomy;
using Rows = std::vector<std::uint32_t>;

class Mondrian {
 public:
  Mondrian(const HolderTable& holder, std::size_t k)
      : holder_(holder), k_(k), labels_(holder.table.rows()) {
    Rows all(holder.table.rows());
    for (std::uint32_t row = 0; row < all.size(); ++row) all[row] = row;
    Divide(all, std::vector<NodeId>(holder.quasi.size(), Taxonomy::root()),
           std::vector<bool>(holder.quasi.size()));
  }
  const std::vector<NodeId>& labels(std::size_t row) const { return labels_[row]; }

 private:
  const Taxonomy& tree(std::size_t q) const { return *holder_.quasi[q].tree; }

  std::vector<Rows> Children(const Rows& rows, std::size_t q, NodeId node) const {
    const auto below = tree(q).children(node);
    std::vector<Rows> children(below.size());
    for (const std::uint32_t row : rows) {
      const reissue::binding::Quasi& quasi = holder_.quasi[q];
      const std::uint32_t leaf =
          quasi.leaf_of_value[holder_.table[quasi.column][RowId(row)].index()];
      const auto after = std::ranges::upper_bound(
          below, leaf, {}, [&](NodeId child) { return tree(q).first_leaf(child); });
      children[static_cast<std::size_t>(after - below.begin() - 1)].push_back(row);
    }
    return children;
  }

  void Divide(const Rows& rows, std::vector<NodeId> box, std::vector<bool> closed) {
    std::vector<std::pair<double, std::size_t>> widest;
    for (std::size_t q = 0; q < box.size(); ++q) {
      if (closed[q] || tree(q).is_leaf(box[q])) continue;
      widest.emplace_back(
          -static_cast<double>(tree(q).leaf_count(box[q])) / static_cast<double>(tree(q).leaves()),
          q);
    }
    std::ranges::sort(widest);
    for (const auto& [width, q] : widest) {
      if (Split(rows, box, closed, q)) return;
    }
    for (const std::uint32_t row : rows) labels_[row] = box;
  }

  bool Split(const Rows& rows, std::vector<NodeId> box, std::vector<bool> closed, std::size_t q) {
    std::vector<Rows> children = Children(rows, q, box[q]);
    Rows rest;
    const auto stays = [&](Rows& child) {
      rest.insert(rest.end(), child.begin(), child.end());
      child.clear();
    };
    for (Rows& child : children) {
      if (child.size() < k_) stays(child);
    }
    while (!rest.empty() && rest.size() < k_) {
      Rows* least = nullptr;
      for (Rows& child : children) {
        if (!child.empty() && (least == nullptr || child.size() < least->size())) least = &child;
      }
      if (least == nullptr) return false;
      stays(*least);
    }
    if (rest.size() == rows.size()) return false;
    const NodeId node = box[q];
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (children[c].empty()) continue;
      box[q] = tree(q).children(node)[c];
      Divide(children[c], box, closed);
    }
    box[q] = node;
    closed[q] = true;
    if (!rest.empty()) Divide(rest, box, closed);
    return true;
  }

  const HolderTable& holder_;
  std::size_t k_;
  std::vector<std::vector<NodeId>> labels_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  reissue::ThreadPool pool(1);
  reissue::Progress progress;
  reissue::binding::Context context{reissue::io::SystemFiles(), pool, progress};
  const reissue::io::Policy policy = Must(reissue::io::ReadPolicy(context.files, argv[1]));
  const HolderTable holder = Must(reissue::binding::LoadTable(policy, argv[2], context));
  const Mondrian mondrian(holder, std::strtoul(argv[3], nullptr, 10));
  std::ofstream out(argv[4]);
  std::string line;
  for (const reissue::ColumnId id : holder.published) {
    if (!line.empty()) line += ',';
    reissue::io::AppendField(line, holder.table[id].name());
  }
  out << line << '\n';
  for (std::size_t row = 0; row < holder.table.rows(); ++row) {
    line.clear();
    for (const reissue::ColumnId id : holder.published) {
      if (id != holder.published.front()) line += ',';
      const auto quasi = std::ranges::find(holder.quasi, id, &reissue::binding::Quasi::column);
      const auto q = static_cast<std::size_t>(quasi - holder.quasi.begin());
      reissue::io::AppendField(line, quasi == holder.quasi.end()
                                         ? std::string(holder.table[id].text(RowId(row)))
                                         : quasi->tree->label(mondrian.labels(row)[q]));
    }
    out << line << '\n';
  }
  return out.good() ? 0 : 1;
}
