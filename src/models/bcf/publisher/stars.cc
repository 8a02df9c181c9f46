#include "reissue/models/bcf/publisher/stars.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "reissue/models/bcf/release/stars.h"

namespace reissue::models::bcf {
namespace {

// Collects the rows of a table with other quasi-identifiers or origins.
class Rows {
 public:
  Rows(const k::LeafCells& table, std::vector<std::shared_ptr<const taxonomy::Taxonomy>> trees,
       std::size_t origins)
      : beside_(table.cells.width() - table.taxonomies.size()), origins_(origins) {
    made_.taxonomies = std::move(trees);
    made_.sensitive_values = table.sensitive_values;
    made_.class_values = table.class_values;
    made_.ceilings = table.ceilings;
    made_.hidden = table.hidden;
    if (made_.hidden.empty()) return;
    // The column of stars hides nothing by itself.
    made_.hidden.resize(made_.taxonomies.size(), std::vector<double>(StarTree()->nodes(), 0));
  }

  // `quasi` as the table has them, but for the column of stars; then what stands beside them.
  void Add(std::span<const std::uint32_t> quasi, std::optional<std::uint32_t> star,
           std::span<const std::uint32_t> beside, const Cells::Part& part) {
    if (part.rows == 0) return;
    keys_.insert(keys_.end(), quasi.begin(), quasi.end());
    if (star) keys_.push_back(*star);
    keys_.insert(keys_.end(), beside.begin(), beside.end());
    if (origins_ > 1) keys_.push_back(part.origin);
    counts_.push_back(part.rows);
  }
  k::LeafCells Collect() {
    made_.cells = CollectCells(made_.taxonomies.size() + beside_, keys_, counts_, origins_);
    return std::move(made_);
  }

 private:
  std::size_t beside_, origins_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint64_t> counts_;
  k::LeafCells made_;
};

template <typename Wanted>
k::LeafCells WithoutColumn(const k::LeafCells& table, Wanted&& wanted) {
  const std::size_t column = table.taxonomies.size() - 1;
  Rows rows(table, {table.taxonomies.begin(), table.taxonomies.end() - 1}, table.cells.origins());
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    if (!wanted(key[column])) continue;
    table.cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
      rows.Add(key.first(column), std::nullopt, key.subspan(column + 1), part);
    });
  }
  return rows.Collect();
}

}  // namespace

k::LeafCells WithStars(const k::LeafCells& table) {
  REISSUE_CHECK(table.cells.origins() % 2 == 0);
  const std::size_t births = table.cells.origins() / 2, width = table.taxonomies.size();
  auto trees = table.taxonomies;
  trees.push_back(StarTree());
  Rows rows(table, std::move(trees), births);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    table.cells.ForEachPart(CellId(i), [&](Cells::Part part) {
      const bool starred = part.origin >= births;
      if (starred) part.origin -= static_cast<std::uint32_t>(births);
      rows.Add(key.first(width), starred ? kStarred : kTold, key.subspan(width), part);
    });
  }
  return rows.Collect();
}

k::LeafCells WithoutStars(const k::LeafCells& table) {
  return WithoutColumn(table, [](std::uint32_t) { return true; });
}

k::LeafCells PartOf(const k::LeafCells& table, std::uint32_t star) {
  return WithoutColumn(table, [&](std::uint32_t code) { return code == star; });
}

k::LeafCells AfterStarring(const k::LeafCells& table, const taxonomy::SpaceTree& tree,
                           const std::vector<std::uint8_t>& starred) {
  if (starred.empty()) return table;
  const std::size_t births = table.cells.origins(), column = tree.columns();
  Rows rows(table, table.taxonomies, births);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    const bool star = starred[tree.Locate(key.first(column))] != 0;
    table.cells.ForEachPart(CellId(i), [&](const Cells::Part& part) {
      const bool newcomer = part.origin + 1 == births;
      rows.Add(key.first(column), star && newcomer ? kStarred : key[column],
               key.subspan(column + 1), part);
    });
  }
  return rows.Collect();
}

std::uint64_t StarsAtOnce(std::uint64_t limit, std::uint64_t already, std::uint64_t k) {
  const std::uint64_t left = limit - std::min(limit, already);
  return std::min(left, std::max(left / 2, 2 * k));
}

namespace internal {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// What a star costs beyond the detail of its row, in rows' worth of detail. It stays in all later
// releases, where what it saves now might be won otherwise: less than the least does not pay in
// the end.
constexpr double kLeastPrice = 2, kLargestPrice = 256, kStep = 1.19;
// After the first plan none stars a smaller share of the newcomers than one in so many.
constexpr std::uint64_t kFewest = 64;

class StarPlanner {
 public:
  StarPlanner(const k::LeafCells& table, const Series& earlier, NodeId aside, std::uint64_t k)
      : tree_(*table.taxonomies[0]), hidden_(table.hidden[0]), aside_(aside), k_(k) {
    Count(table);
    for (std::size_t i = 0; i < earlier.size(); ++i) Compare(earlier.release(i));
    stay_.resize(tree_.nodes());
    for (std::size_t x = tree_.nodes(); x-- > 0;) stay_[x] = Stay(x);
  }

  std::uint64_t newcomers() const { return fresh_[0]; }

  StarPlan At(double price) {
    best_.assign(tree_.nodes(), 0);
    for (std::size_t x = tree_.nodes(); x-- > 1;) best_[x] = Best(x, price);
    StarPlan plan;
    std::vector<NodeId> stack(tree_.children(taxonomy::Taxonomy::root()).rbegin(),
                              tree_.children(taxonomy::Taxonomy::root()).rend());
    plan.cost = Children(0, best_) + static_cast<double>(rows_[aside_.index()]) * hidden_[0];
    if (plan.cost == kNever) return plan;
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      const std::size_t x = node.index();
      if (fresh_[x] == 0 || best_[x] == Told(x)) continue;
      if (best_[x] < Star(x, price)) {
        stack.insert(stack.end(), tree_.children(node).rbegin(), tree_.children(node).rend());
        continue;
      }
      plan.nodes.push_back(node);
      plan.rows += fresh_[x];
      plan.cost -= static_cast<double>(fresh_[x]) * price * hidden_[0];
    }
    return plan;
  }

 private:
  // What a release says about a node.
  struct Past {
    std::vector<std::uint64_t> rows;   // at or below
    std::vector<std::uint32_t> whole;  // the cell at or above the node; itself where there is none
  };

  void Count(const k::LeafCells& table) {
    rows_.assign(tree_.nodes(), 0);
    fresh_.assign(tree_.nodes(), 0);
    const Cells& cells = table.cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t leaf = tree_.leaf(cells.key(CellId(i))[0]).index();
      rows_[leaf] += cells.count(CellId(i));
      if (leaf != aside_.index()) fresh_[leaf] += cells.count(CellId(i), cells.origins() - 1);
    }
    AddUp(rows_);
    AddUp(fresh_);
  }

  void AddUp(std::vector<std::uint64_t>& numbers) const {
    for (std::size_t x = tree_.nodes(); x-- > 1;) {
      numbers[tree_.parent(NodeId(x)).index()] += numbers[x];
    }
  }

  void Compare(const Release& release) {
    Past past{std::vector<std::uint64_t>(tree_.nodes(), 0), {}};
    std::vector<char> is_cell(tree_.nodes(), 0);
    for (std::size_t cell = 0; cell < release.cells(); ++cell) {
      is_cell[release.node(cell, 0).index()] = 1;
      past.rows[release.node(cell, 0).index()] += release.rows_of_cell(cell);
    }
    AddUp(past.rows);
    std::vector<char> below(tree_.nodes(), 0);  // a cell
    for (std::uint32_t x = 0; x < tree_.nodes(); ++x) {
      past.whole.push_back(x);
      if (x > 0) {
        const std::size_t parent = tree_.parent(NodeId(x)).index();
        below[x] = static_cast<char>(below[parent] | is_cell[parent]);
        if (below[x] != 0) past.whole[x] = past.whole[parent];
      }
    }
    pasts_.push_back(std::move(past));
  }

  bool Enough(std::uint64_t rows) const { return rows == 0 || rows >= k_; }

  // A box as a cell of the release, with its newcomers or with all of them starred.
  bool Fits(std::size_t x, bool stars) const {
    if (!Enough(rows_[x] - (stars ? fresh_[x] : 0))) return false;
    return std::ranges::all_of(pasts_, [&](const Past& past) {
      const std::size_t whole = past.whole[x];
      const std::uint64_t added = rows_[whole] - past.rows[whole];
      if (stars && Enough(added - fresh_[whole])) return true;
      return (!stars || whole != x) && Enough(added);
    });
  }

  double Children(std::size_t x, const std::vector<double>& costs) const {
    if (tree_.is_leaf(NodeId(x))) return kNever;
    double sum = 0;
    for (const NodeId child : tree_.children(NodeId(x))) sum += costs[child.index()];
    return sum;
  }

  // What a box costs as a cell; split, with all newcomers below it starred, who are not counted.
  double Stay(std::size_t x) const {
    const std::uint64_t rows = rows_[x] - fresh_[x];
    if (rows == 0 || NodeId(x) == aside_) return 0;
    const double cell = Fits(x, true) ? static_cast<double>(rows) * hidden_[x] : kNever;
    return std::min(cell, Children(x, stay_));
  }
  double Told(std::size_t x) const {
    return Fits(x, false) ? static_cast<double>(rows_[x]) * hidden_[x] : kNever;
  }
  double Star(std::size_t x, double price) const {
    if (fresh_[x] == 0) return kNever;
    return stay_[x] + static_cast<double>(fresh_[x]) * (1 + price) * hidden_[0];
  }
  double Best(std::size_t x, double price) const {
    if (rows_[x] == 0 || NodeId(x) == aside_) return 0;
    return std::min({Told(x), Star(x, price), Children(x, best_)});
  }

  const taxonomy::Taxonomy& tree_;
  const std::vector<double>& hidden_;
  NodeId aside_;
  std::uint64_t k_;
  std::vector<std::uint64_t> rows_, fresh_;  // per node, at or below it: all, newcomers
  std::vector<Past> pasts_;
  std::vector<double> stay_, best_;
};

}  // namespace

std::vector<StarPlan> PlanStars(const k::LeafCells& table, const Series& earlier, NodeId aside,
                                std::uint64_t k) {
  StarPlanner planner(table, earlier, aside, std::max<std::uint64_t>(k, 1));
  std::vector<StarPlan> plans;
  std::uint64_t least = std::max<std::uint64_t>(k, 1);
  for (double price = kLargestPrice; price > kLeastPrice / kStep; price /= kStep) {
    StarPlan plan = planner.At(std::max(price, kLeastPrice));
    if (plan.rows < least) continue;
    least = std::max(plan.rows + plan.rows / 2, planner.newcomers() / kFewest) + 1;
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace internal
}  // namespace reissue::models::bcf
