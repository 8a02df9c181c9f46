#include "reissue/models/k/publisher/stops.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k {
namespace {

// Where the rows of a table stand in a release: per cell of the table the group, and its nodes.
class Shown {
 public:
  Shown(const LeafCells& table, const Outcome& outcome) : columns_(table.taxonomies.size()) {
    const std::set<std::vector<NodeId>> left_out(outcome.suppressed.begin(),
                                                 outcome.suppressed.end());
    std::map<std::vector<NodeId>, std::uint32_t> number;
    std::vector<NodeId> nodes(columns_);
    std::optional<taxonomy::Locator> locate;
    if (outcome.local) locate.emplace(outcome.local->tree);
    const bool first = table.cells.origins() == 1;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      const auto ranks = table.cells.key(CellId(i)).first(columns_);
      const bool shown = locate ? NodesOf((*locate)(ranks), *outcome.local, first, nodes)
                                : NodesOf(ranks, outcome.cuts, nodes);
      if (!shown || left_out.contains(nodes)) {
        group_.push_back(kNone);
        continue;
      }
      const auto [found, added] =
          number.try_emplace(nodes, static_cast<std::uint32_t>(number.size()));
      if (added) nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
      group_.push_back(found->second);
    }
  }

  bool left_out(std::size_t cell) const { return group_[cell] == kNone; }
  std::uint32_t group(std::size_t cell) const { return group_[cell]; }
  NodeId node(std::uint32_t group, std::size_t column) const {
    return nodes_[group * columns_ + column];
  }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  // False where the rows are not told.
  static bool NodesOf(taxonomy::SpaceTree::Box leaf, const LocalRecoding& local, bool first,
                      std::vector<NodeId>& nodes) {
    const taxonomy::SpaceTree::Box box = local.shown[leaf];
    if (box == LocalRecoding::kLeftOut) return false;
    // Of a first release everybody there is starred; later ones ask about those who are not.
    if (first && !local.starred.empty() && local.starred[leaf] != 0) return false;
    std::ranges::copy(local.tree.nodes(box), nodes.begin());
    return true;
  }
  static bool NodesOf(std::span<const std::uint32_t> ranks, const std::vector<taxonomy::Cut>& cuts,
                      std::vector<NodeId>& nodes) {
    for (std::size_t j = 0; j < nodes.size(); ++j) nodes[j] = cuts[j].NodeOfLeaf(ranks[j]);
    return true;
  }

  std::size_t columns_;
  std::vector<std::uint32_t> group_;
  std::vector<NodeId> nodes_;  // per group
};

double Share(const taxonomy::Taxonomy& tree, NodeId node) {
  return internal::Hidden(tree, node, Score::kLoss);
}

// What would be a group if one column were a step finer.
struct Piece {
  std::map<std::uint32_t, std::uint64_t> values;  // rows by sensitive code
  std::uint64_t rows = 0, newcomers = 0;
  std::vector<std::uint32_t> cells;
};

class ColumnLook {
 public:
  ColumnLook(const LeafCells& table, const Guarantee& guarantee, const Shown& shown,
             const PromiseChecker& checker, bool local, std::size_t column)
      : table_(table),
        shown_(shown),
        checker_(checker),
        local_(local),
        tree_(*table.taxonomies[column]),
        column_(column),
        k_(std::max<std::uint64_t>(guarantee.k, 1)) {}

  // The labels that are stopped, by node.
  std::map<NodeId, Stop> Stops() {
    Collect();
    std::map<NodeId, Stop> stops;
    std::set<std::uint32_t> stopped;
    for (const auto& [key, piece] : pieces_) {
      const auto& [group, child] = key;
      if (Judge(piece, child, stops[shown_.node(group, column_)])) stopped.insert(group);
    }
    for (const auto& [key, piece] : pieces_) {
      const auto& [group, child] = key;
      const NodeId node = shown_.node(group, column_);
      // One box can be finer by itself, one group of a cut only with all others.
      if (local_ && !stopped.contains(group)) continue;
      stops[node].saved += static_cast<double>(piece.rows) *
                           (Share(tree_, node) - Share(tree_, child)) /
                           static_cast<double>(table_.cells.rows());
    }
    std::erase_if(stops, [](const auto& each) { return each.second.groups == 0; });
    for (auto& [node, stop] : stops) {
      if (stop.newcomers < stop.rows) stop.missing = 0;
      stop.node = node;
      std::ranges::stable_sort(stop.values, {}, &Stop::Value::rows);
    }
    return stops;
  }

 private:
  void Collect() {
    const std::size_t births = table_.cells.origins(), width = table_.taxonomies.size();
    for (std::uint32_t i = 0; i < table_.cells.size(); ++i) {
      if (shown_.left_out(i)) continue;
      const NodeId node = shown_.node(shown_.group(i), column_);
      if (tree_.is_leaf(node)) continue;
      const auto key = table_.cells.key(CellId(i));
      Piece& piece =
          pieces_[{shown_.group(i), tree_.children(node)[tree_.ChildWith(node, key[column_])]}];
      const std::uint64_t rows = table_.cells.count(CellId(i));
      piece.rows += rows;
      piece.values[key[width]] += rows;
      if (births > 1) piece.newcomers += table_.cells.count(CellId(i), births - 1);
      piece.cells.push_back(i);
    }
  }

  // Whether it is too small.
  bool Judge(const Piece& piece, NodeId child, Stop& stop) const {
    std::vector<Bin> bins;
    for (const auto& [code, rows] : piece.values) bins.push_back({code, rows});
    const bool few = !checker_.Keeps(bins);
    const bool few_newcomers = piece.newcomers > 0 && piece.newcomers < k_;
    if (!few && !few_newcomers) return false;
    ++stop.groups;
    const std::uint64_t rows = few_newcomers ? piece.newcomers : piece.rows;
    stop.rows += rows;
    if (few_newcomers) {
      stop.newcomers += piece.newcomers;
      stop.missing += k_ - piece.newcomers;
    }
    const auto known = std::ranges::find(stop.values, child, &Stop::Value::node);
    if (known == stop.values.end()) {
      stop.values.push_back({child, rows});
    } else {
      known->rows += rows;
    }
    stop.cells.insert(stop.cells.end(), piece.cells.begin(), piece.cells.end());
    return true;
  }

  const LeafCells& table_;
  const Shown& shown_;
  const PromiseChecker& checker_;
  bool local_;
  const taxonomy::Taxonomy& tree_;
  std::size_t column_;
  std::uint64_t k_;
  std::map<std::pair<std::uint32_t, NodeId>, Piece> pieces_;  // by group and child
};

std::vector<double> LossIn(const LeafCells& table, const Shown& shown) {
  std::vector<double> loss(table.taxonomies.size());
  for (std::uint32_t i = 0; i < table.cells.size(); ++i) {
    const auto rows = static_cast<double>(table.cells.count(CellId(i)));
    for (std::size_t j = 0; j < loss.size(); ++j) {
      loss[j] += shown.left_out(i)
                     ? rows
                     : rows * Share(*table.taxonomies[j], shown.node(shown.group(i), j));
    }
  }
  const auto rows = static_cast<double>(std::max<std::uint64_t>(table.cells.rows(), 1));
  for (double& each : loss) each /= rows;
  return loss;
}

}  // namespace

std::vector<ColumnStops> StopsOf(const LeafCells& table, const Guarantee& guarantee,
                                 const Outcome& outcome) {
  const Shown shown(table, outcome);
  const std::vector<double> loss = LossIn(table, shown);
  Overall overall(std::max<std::uint32_t>(table.sensitive_values, 1), 0);
  for (std::uint32_t i = 0; i < table.cells.size(); ++i) {
    if (shown.left_out(i)) continue;
    overall[table.cells.key(CellId(i))[loss.size()]] += table.cells.count(CellId(i));
  }
  const PromiseChecker checker(guarantee, overall);
  std::vector<ColumnStops> columns;
  for (std::size_t j = 0; j < loss.size(); ++j) {
    std::map<NodeId, Stop> stops =
        ColumnLook(table, guarantee, shown, checker, outcome.local != nullptr, j).Stops();
    columns.push_back({loss[j], stops.size(), {}});
    const auto worth = [](const Stop& stop) {
      return stop.saved / static_cast<double>(std::max<std::uint64_t>(stop.rows, 1));
    };
    for (auto& [node, stop] : stops) {
      Stop& nearest = columns.back().nearest;
      if (!nearest.node.valid() || worth(stop) > worth(nearest)) nearest = std::move(stop);
    }
  }
  return columns;
}

std::vector<double> LossByColumn(const LeafCells& table, const Outcome& outcome) {
  return LossIn(table, Shown(table, outcome));
}

std::uint64_t SmallestGroup(const LeafCells& table, const Outcome& outcome) {
  const Shown shown(table, outcome);
  std::map<std::uint32_t, std::uint64_t> rows;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    if (!shown.left_out(i)) rows[shown.group(i)] += table.cells.count(CellId(i));
  }
  const auto least =
      std::ranges::min_element(rows, {}, [](const auto& each) { return each.second; });
  return least == rows.end() ? 0 : least->second;
}

double LossOf(const LeafCells& table, const Outcome& outcome) {
  const std::vector<double> loss = LossByColumn(table, outcome);
  return std::accumulate(loss.begin(), loss.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(loss.size(), 1));
}

}  // namespace reissue::models::k
