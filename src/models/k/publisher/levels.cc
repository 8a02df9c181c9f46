#include "reissue/models/k/publisher/levels.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "reissue/core/let_go.h"

namespace reissue::models::k::internal {
namespace {

// Levels of larger columns are made when they are looked at, and let go of then: there is mostly
// one such column, and it comes first.
constexpr std::size_t kMostKept = std::size_t{1} << 14;  // leaves
constexpr std::uint64_t kMostKeys = std::numeric_limits<std::uint64_t>::max() / 4;

// One level of one column.
struct Level {
  std::uint32_t depth = 0;
  Recoding specialised;             // of the places of the column
  std::vector<std::uint32_t> node;  // by leaf, from 0
  std::vector<double> benefit_of;   // by node, of a row
  double benefit = 0;               // of all rows
};

struct Column {
  std::size_t number = 0;
  std::vector<Level> levels;     // the coarsest first, all different
  bool kept = true;              // whole; else depth and benefit
  std::uint64_t keys_below = 1;  // combinations of leaves of the columns that follow
  double most_below = 0;         // of all rows, what these can benefit
};

// Tuples that are the same by now. Keys: nodes of the columns that have a level, then leaves of the
// others.
struct Group {
  std::uint64_t key = 0;
  std::uint64_t rows = 0;
  double benefit = 0;  // of a row, in columns that have a level
};

// Groups by keys, in the order in which they come.
class Joined {
 public:
  // `numbers` is scratch until the next Clear, of whichever groups.
  void Clear(std::size_t most, std::vector<std::uint32_t>& numbers) {
    std::size_t room = 16;
    while (room < 2 * most) room *= 2;
    numbers.assign(room, kNobody);
    numbers_ = numbers;
    groups_.clear();
  }
  void Add(std::uint64_t key, std::uint64_t rows, double benefit) {
    const std::uint64_t mixed = key * 0x9e3779b97f4a7c15;
    const std::size_t mask = numbers_.size() - 1;
    std::size_t at = (mixed ^ (mixed >> 29)) & mask;
    while (numbers_[at] != kNobody && groups_[numbers_[at]].key != key) at = (at + 1) & mask;
    if (numbers_[at] == kNobody) {
      numbers_[at] = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({key, rows, benefit});
    } else {
      groups_[numbers_[at]].rows += rows;
    }
  }
  const std::vector<Group>& groups() const { return groups_; }

 private:
  static constexpr auto kNobody = static_cast<std::uint32_t>(-1);
  std::span<std::uint32_t> numbers_;
  std::vector<Group> groups_;
};

Level LevelAt(const Problem& problem, std::size_t column, std::uint32_t depth) {
  const taxonomy::Taxonomy& tree = problem.tree(column);
  const Spot root = problem.root(column);
  Level level;
  level.depth = depth;
  level.specialised.assign(problem.end(root) - root, 0);
  level.node.resize(tree.leaves());
  for (Spot p = root; p < problem.end(root);) {
    const NodeId node = problem.node(p);
    const bool above = tree.depth(node) < depth || problem.Root()[p] != 0;
    if (above && !problem.is_leaf(p)) {
      level.specialised[p++ - root] = 1;
      continue;
    }
    std::fill(level.node.begin() + tree.first_leaf(node), level.node.begin() + tree.last_leaf(node),
              static_cast<std::uint32_t>(level.benefit_of.size()));
    level.benefit_of.push_back(problem.by_nodes() ? problem.benefit(p) : 0);
    level.benefit += level.benefit_of.back() * static_cast<double>(problem.rows_at(p));
    p = problem.end(p);
  }
  return level;
}

class Lattice {
 public:
  Lattice(const Problem& problem, double below, std::uint64_t work_limit)
      : problem_(problem), work_limit_(work_limit), joined_(problem.columns() + 1) {
    result_.cost = below;
    FindColumns();
  }

  Levels Run() {
    Joined& all = joined_[0];
    all.Clear(problem_.tuples(), numbers_);
    for (std::size_t t = 0; t < problem_.tuples(); ++t) {
      std::uint64_t key = 0;
      for (const Column& column : columns_) {
        key = key * problem_.tree(column.number).leaves() + problem_.leaves(t)[column.number];
      }
      all.Add(key, problem_.rows(t), 0);
    }
    result_.work += problem_.tuples() * problem_.columns();
    Visit(0, 0);
    result_.all_seen = !exhausted_;
    return std::move(result_);
  }

 private:
  // Those with most leaves first: there are fewer groups to join then.
  void FindColumns() {
    std::vector<std::size_t> order(problem_.columns());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t j) { return problem_.tree(j).leaves(); });
    for (const std::size_t j : order) {
      columns_.push_back({j, {}});
      FindLevels(columns_.back());
    }
    for (std::size_t c = columns_.size(); c-- > 1;) {
      const Column& next = columns_[c];
      columns_[c - 1].keys_below = next.keys_below * problem_.tree(next.number).leaves();
      columns_[c - 1].most_below = next.most_below + MostOf(next);
    }
  }

  void FindLevels(Column& column) {
    column.kept = problem_.tree(column.number).leaves() <= kMostKept;
    Recoding before;
    for (std::uint32_t depth = 0; depth <= problem_.tree(column.number).height(); ++depth) {
      Level level = LevelAt(problem_, column.number, depth);
      if (!column.levels.empty() && before == level.specialised) continue;
      before = level.specialised;
      if (!column.kept) {
        LetGo(level.specialised);
        LetGo(level.node);
        LetGo(level.benefit_of);
      }
      column.levels.push_back(std::move(level));
    }
  }

  static double MostOf(const Column& column) {
    double most = 0;
    for (const Level& level : column.levels) most = std::max(most, level.benefit);
    return most;
  }

  // All levels of the columns from `c` on. `benefit`: of all rows, in the columns before.
  void Visit(std::size_t c, double benefit) {
    if (c == columns_.size()) return Offer();
    const Column& column = columns_[c];
    for (const Level& known : column.levels) {
      if (result_.work >= work_limit_) exhausted_ = true;
      if (exhausted_) return;
      const double most = benefit + known.benefit + column.most_below;
      if (problem_.by_nodes() && problem_.CostOf(most) >= result_.cost) continue;
      const Level made = column.kept ? Level{} : LevelAt(problem_, column.number, known.depth);
      const Level& level = column.kept ? known : made;
      chosen_.push_back(&level);
      Join(c, level);
      const bool dear = TooDear(c + 1);
      // What is finer leaves out no less.
      const bool possible = Possible(c);
      if (possible && !dear) Visit(c + 1, benefit + level.benefit);
      chosen_.pop_back();
      if (!possible) return;
    }
  }

  void Join(std::size_t c, const Level& level) {
    const std::uint64_t below = columns_[c].keys_below;
    const std::uint64_t leaves = problem_.tree(columns_[c].number).leaves();
    const std::vector<Group>& groups = joined_[c].groups();
    Joined& joined = joined_[c + 1];
    joined.Clear(groups.size(), numbers_);
    for (const Group& group : groups) {
      const std::uint64_t before = group.key / below / leaves;
      const std::uint32_t node = level.node[group.key / below % leaves];
      joined.Add((before * level.benefit_of.size() + node) * below + group.key % below, group.rows,
                 group.benefit + level.benefit_of[node]);
    }
    result_.work += kVisits * groups.size();
  }

  // Every row shares its cell at least with those that it shares all with, and with k − 1 others.
  bool TooDear(std::size_t joined) const {
    if (problem_.score() != Score::kDiscernibility) return false;
    std::uint64_t squares = 0;
    for (const Group& group : joined_[joined].groups()) {
      squares += group.rows * std::max(group.rows, problem_.k());
    }
    return problem_.CostOf(squares, 0) >= result_.cost;
  }

  // Whether few enough rows are left out with the columns that follow at their roots.
  bool Possible(std::size_t c) {
    const std::vector<Group>& groups = joined_[c + 1].groups();
    const std::uint64_t below = columns_[c].keys_below;
    const std::vector<Group>* cells = &groups;
    if (below > 1) {
      roots_.Clear(groups.size(), numbers_);
      for (const Group& group : groups) roots_.Add(group.key / below, group.rows, 0);
      result_.work += kVisits * groups.size();
      cells = &roots_.groups();
    }
    std::uint64_t left_out = 0;
    for (const Group& cell : *cells) left_out += cell.rows < problem_.k() ? cell.rows : 0;
    return left_out <= problem_.suppression_limit();
  }

  void Offer() {
    std::uint64_t squares = 0, left_out = 0;
    double benefit = 0;
    for (const Group& cell : joined_.back().groups()) {
      if (cell.rows < problem_.k()) {
        left_out += cell.rows;
        continue;
      }
      squares += cell.rows * cell.rows;
      benefit += cell.benefit * static_cast<double>(cell.rows);
    }
    const double cost =
        problem_.by_nodes() ? problem_.CostOf(benefit) : problem_.CostOf(squares, left_out);
    if (cost >= result_.cost) return;
    result_.cost = cost;
    result_.best = problem_.Root();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::ranges::copy(chosen_[c]->specialised,
                        result_.best->begin() + problem_.root(columns_[c].number));
    }
  }

  // Of a group that is looked up.
  static constexpr std::uint64_t kVisits = 4;

  const Problem& problem_;
  std::uint64_t work_limit_;
  std::vector<Column> columns_;
  std::vector<Joined> joined_;  // by columns that have a level
  Joined roots_;
  std::vector<std::uint32_t> numbers_;  // scratch
  std::vector<const Level*> chosen_;
  bool exhausted_ = false;
  Levels result_;
};

}  // namespace

bool CanSearchLevels(const Problem& problem) {
  if (problem.guarantee().NeedsSensitive() || problem.score() == Score::kClass) return false;
  std::uint64_t keys = 1;
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    const std::uint64_t leaves = problem.tree(j).leaves();
    if (keys > kMostKeys / std::max<std::uint64_t>(leaves, 1)) return false;
    keys *= leaves;
  }
  return true;
}

Levels SearchLevels(const Problem& problem, double below, std::uint64_t work_limit) {
  return Lattice(problem, below, work_limit).Run();
}

}  // namespace reissue::models::k::internal
