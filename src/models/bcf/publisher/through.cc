#include "reissue/models/bcf/publisher/through.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reissue/models/bcf/release/stars.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::SpaceTree;
using taxonomy::Taxonomy;

struct CellOf {
  std::uint32_t release = 0, cell = 0;
};

// What lies in a box.
struct Part {
  std::vector<NodeId> nodes;
  std::vector<std::uint32_t> tuples;  // cells of the table
  std::vector<CellOf> inside;         // of releases, smaller than the box
  std::uint64_t rows = 0;
};

struct Division {
  std::size_t column = 0;
  double worth = 0;  // detail that it shows for each bit that it tells
  bool fits = true;  // the newcomers allow it
};

class Through {
 public:
  Through(const k::LeafCells& table, const Series& releases, k::Score score, std::uint64_t least)
      : table_(table),
        releases_(releases),
        score_(score),
        least_(std::max<std::uint64_t>(least, 1)),
        tree_(table.taxonomies) {}

  std::optional<SpaceTree> Build(std::uint64_t work) {
    Part all;
    all.nodes.assign(table_.taxonomies.size(), Taxonomy::root());
    all.tuples.resize(table_.cells.size());
    std::iota(all.tuples.begin(), all.tuples.end(), 0);
    all.rows = table_.cells.rows();
    std::vector<CellOf> cells;
    for (std::uint32_t i = 0; i < releases_.size(); ++i) {
      for (std::uint32_t c = 0; c < releases_.release(i).cells(); ++c) {
        if (!Starred(releases_.release(i), c)) cells.push_back({i, c});
      }
    }
    if (!Put(std::move(cells), all) || !Grow(0, std::move(all), work)) return std::nullopt;
    return std::move(tree_);
  }

 private:
  // Of a series with a column of stars, which the table has not.
  bool Starred(const Release& release, std::uint32_t cell) const {
    const std::size_t columns = table_.taxonomies.size();
    return releases_.columns() > columns &&
           release.node(cell, columns) == StarTree()->leaf(kStarred);
  }

  // Those that are smaller than the box. False where the box is a cell of a release that has
  // others inside.
  bool Put(std::vector<CellOf> cells, Part& part) const {
    std::vector<std::uint8_t> whole(releases_.size(), 0);
    for (const CellOf& each : cells) {
      const auto key = releases_.release(each.release).key(each.cell);
      const bool same =
          std::ranges::equal(part.nodes, key.first(part.nodes.size()), {}, &NodeId::raw);
      if (same) whole[each.release] = 1;
      if (!same) part.inside.push_back(each);
    }
    return std::ranges::none_of(part.inside,
                                [&](const CellOf& each) { return whole[each.release] != 0; });
  }

  NodeId NodeOf(const CellOf& each, std::size_t column) const {
    return releases_.release(each.release).node(each.cell, column);
  }
  double Hidden(std::size_t column, NodeId node) const {
    return k::internal::Hidden(table_, column, node, score_);
  }

  // The columns that can be split, best first.
  std::vector<Division> Divisions(const Part& part) {
    std::vector<Division> divisions;
    for (std::size_t j = 0; j < part.nodes.size(); ++j) {
      if (table_.taxonomies[j]->is_leaf(part.nodes[j])) continue;
      const bool deeper = std::ranges::all_of(
          part.inside, [&](const CellOf& each) { return NodeOf(each, j) != part.nodes[j]; });
      if (deeper) divisions.push_back(Look(part, j));
    }
    std::ranges::stable_sort(divisions, [](const Division& a, const Division& b) {
      return a.fits != b.fits ? a.fits : a.worth > b.worth;
    });
    return divisions;
  }

  Division Look(const Part& part, std::size_t column) {
    const Taxonomy& tree = *table_.taxonomies[column];
    const auto children = tree.children(part.nodes[column]);
    std::vector<std::uint64_t> rows(children.size());
    for (const std::uint32_t tuple : part.tuples) {
      const std::uint32_t leaf = table_.cells.key(CellId(tuple))[column];
      rows[tree.ChildWith(part.nodes[column], leaf)] += table_.cells.count(CellId(tuple));
    }
    spent_ += part.tuples.size();
    Division division{column, 0, Fits(part, column, rows)};
    const auto all = static_cast<double>(std::max<std::uint64_t>(part.rows, 1));
    double saved = 0, bits = 0;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      const auto n = static_cast<double>(rows[c]);
      saved += n * (Hidden(column, part.nodes[column]) - Hidden(column, children[c]));
      if (n > 0) bits += n * std::log2(all / n);
    }
    division.worth = saved / std::max(bits, all / 64);
    return division;
  }

  // Whether each child has no rows that are new since a release, or enough. A release that has the
  // whole box in one cell does not tell.
  bool Fits(const Part& part, std::size_t column, const std::vector<std::uint64_t>& rows) const {
    const Taxonomy& tree = *table_.taxonomies[column];
    std::vector<std::uint64_t> before(releases_.size() * rows.size(), 0);
    std::vector<std::uint8_t> tells(releases_.size(), 0);
    for (const CellOf& each : part.inside) {
      tells[each.release] = 1;
      const std::size_t c =
          tree.ChildWith(part.nodes[column], tree.first_leaf(NodeOf(each, column)));
      before[each.release * rows.size() + c] +=
          releases_.release(each.release).rows_of_cell(each.cell);
    }
    for (std::size_t c = 0; c < rows.size(); ++c) {
      if (rows[c] > 0 && rows[c] < least_) return false;
      for (std::size_t i = 0; i < tells.size(); ++i) {
        if (tells[i] == 0) continue;
        const std::uint64_t old = std::min(before[i * rows.size() + c], rows[c]);
        if (rows[c] > old && rows[c] - old < least_) return false;
      }
    }
    return true;
  }

  // Its parts, in the order of the column's children; none where cells overlap.
  std::vector<Part> Split(const Part& part, std::size_t column) {
    const Taxonomy& tree = *table_.taxonomies[column];
    const auto children = tree.children(part.nodes[column]);
    std::vector<Part> parts(children.size());
    std::vector<std::vector<CellOf>> cells(children.size());
    for (std::size_t c = 0; c < parts.size(); ++c) {
      parts[c].nodes = part.nodes;
      parts[c].nodes[column] = children[c];
    }
    for (const std::uint32_t tuple : part.tuples) {
      const std::uint32_t leaf = table_.cells.key(CellId(tuple))[column];
      Part& child = parts[tree.ChildWith(part.nodes[column], leaf)];
      child.tuples.push_back(tuple);
      child.rows += table_.cells.count(CellId(tuple));
    }
    for (const CellOf& each : part.inside) {
      cells[tree.ChildWith(part.nodes[column], tree.first_leaf(NodeOf(each, column)))].push_back(
          each);
    }
    spent_ += part.tuples.size();
    for (std::size_t c = 0; c < parts.size(); ++c) {
      if (!Put(std::move(cells[c]), parts[c])) return {};
    }
    return parts;
  }

  // What a release costs that splits greedily as long as the newcomers allow it.
  double Greedy(const Part& part) {
    if (!part.inside.empty() && part.rows > 0) {
      const std::vector<Division> divisions = Divisions(part);
      if (!divisions.empty() && divisions[0].fits) {
        double cost = 0;
        for (const Part& child : Split(part, divisions[0].column)) cost += Greedy(child);
        return cost;
      }
    }
    double hidden = 0;
    for (std::size_t j = 0; j < part.nodes.size(); ++j) hidden += Hidden(j, part.nodes[j]);
    return hidden * static_cast<double>(part.rows);
  }

  // Half of the work that there is for a box may go into its own choice.
  std::size_t Choose(const Part& part, const std::vector<Division>& divisions, std::uint64_t work) {
    std::size_t best = 0;
    double least = 0;
    const std::uint64_t until = spent_ + work / 2;
    for (std::size_t d = 0; d < divisions.size() && divisions[d].fits; ++d) {
      if (d > 0 && spent_ >= until) break;
      double cost = 0;
      for (const Part& child : Split(part, divisions[d].column)) cost += Greedy(child);
      if (d > 0 && cost >= least) continue;
      best = d;
      least = cost;
    }
    return best;
  }

  // False where the cells are no boxes of one tree.
  bool Grow(SpaceTree::Box box, Part part, std::uint64_t work) {
    if (part.inside.empty()) return true;
    const std::vector<Division> divisions = Divisions(part);
    if (divisions.empty()) return false;
    const bool choice = divisions.size() > 1 && divisions[1].fits && work > part.tuples.size();
    const std::size_t best = choice ? Choose(part, divisions, work) : 0;
    const std::size_t column = divisions[best].column;
    std::vector<Part> parts = Split(part, column);
    if (parts.empty()) return false;
    tree_.Split(box, column);
    const SpaceTree::Box first = tree_.first_child(box);
    const std::size_t tuples = std::max<std::size_t>(part.tuples.size(), 1);
    // Below what the newcomers do not allow the order matters to nobody.
    const std::uint64_t left = divisions[best].fits ? work / 2 : 0;
    part = {};
    for (std::uint32_t c = 0; c < parts.size(); ++c) {
      const std::uint64_t share = left / tuples * parts[c].tuples.size();
      if (!Grow(first + c, std::move(parts[c]), share)) return false;
    }
    return true;
  }

  const k::LeafCells& table_;
  const Series& releases_;
  k::Score score_;
  std::uint64_t least_;
  SpaceTree tree_;
  std::uint64_t spent_ = 0;
};

}  // namespace

std::optional<SpaceTree> TreeThrough(const k::LeafCells& table, const Series& releases,
                                     k::Score score, std::uint64_t least, std::uint64_t work) {
  return Through(table, releases, score, least).Build(work);
}

}  // namespace reissue::models::bcf
