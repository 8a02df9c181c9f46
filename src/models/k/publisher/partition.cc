#include "reissue/models/k/publisher/partition.h"

#include <algorithm>
#include <numeric>

namespace reissue::models::k::internal {
namespace {

constexpr std::uint32_t kNobody = static_cast<std::uint32_t>(-1);
// A look at the sensitive histogram of a tuple, in visits.
constexpr std::uint64_t kSensitiveVisit = 6;
constexpr std::size_t kLargestTable = std::size_t{1} << 21;

}  // namespace

Partition::Partition(const Problem& problem)
    : problem_(problem),
      checker_(&problem.checker()),
      early_exit_(problem.suppression_limit() == 0),
      order_(problem.tuples()),
      status_(problem.places()),
      gain_(problem.places()),
      lost_(problem.places()),
      squares_at_(problem.places()),
      child_rows_(std::size_t{problem.max_fan_out()} * problem.columns(), 0),
      sorted_(problem.tuples()),
      child_head_(problem.max_fan_out(), kNobody),
      next_(problem.guarantee().NeedsSensitive() ? problem.tuples() : 0),
      child_kept_(problem.max_fan_out()),
      code_rows_(problem.overall().size(), 0) {}

void Partition::Reset(Recoding recoding, std::span<const std::uint8_t> closed) {
  recoding_ = std::move(recoding);
  OpenPlaces(closed);
  Group();
  Settle();
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) Evaluate(cell);
}

void Partition::OpenPlaces(std::span<const std::uint8_t> closed) {
  std::fill(status_.begin(), status_.end(), Status::kNone);
  std::fill(gain_.begin(), gain_.end(), 0);
  std::fill(lost_.begin(), lost_.end(), 0);
  std::fill(squares_at_.begin(), squares_at_.end(), 0);
  open_.clear();
  for (std::size_t j = 0; j < problem_.columns(); ++j) {
    const Spot root = problem_.root(j), end = problem_.end(root);
    for (Spot p = root; p < end;) {
      if (recoding_[p] != 0) {
        ++p;
        continue;
      }
      if (problem_.rows_at(p) == 0) {
        problem_.SpecialiseFully(p, recoding_);
      } else if (!problem_.is_leaf(p) && (closed.empty() || closed[p] == 0)) {
        status_[p] = Status::kOpen;
        open_.push_back(p);
      }
      p = problem_.end(p);
    }
  }
}

// ---- cells

void Partition::Group() {
  const std::size_t tuples = problem_.tuples();
  std::vector<std::uint32_t> cell_of_tuple(tuples, 0);
  std::uint32_t cells = 1;
  for (std::size_t j = 0; j < problem_.columns(); ++j) {
    if (recoding_[problem_.root(j)] != 0) GroupColumn(j, cell_of_tuple, cells);
  }
  cells_.assign(cells, Cell{});
  for (std::size_t t = 0; t < tuples; ++t) {
    ++cells_[cell_of_tuple[t]].end;
    cells_[cell_of_tuple[t]].rows += problem_.rows(t);
  }
  std::uint32_t begin = 0;
  for (Cell& cell : cells_) {
    const std::uint32_t size = cell.end;
    cell.begin = cell.end = begin;
    begin += size;
  }
  for (std::uint32_t t = 0; t < tuples; ++t) order_[cells_[cell_of_tuple[t]].end++] = t;
  work_ += tuples;

  cell_places_.resize(cells * problem_.columns());
  effects_.assign(cells * problem_.columns(), Effect{});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto leaves = problem_.leaves(order_[cells_[cell].begin]);
    for (std::size_t j = 0; j < problem_.columns(); ++j) {
      Spot p = problem_.root(j);
      while (recoding_[p] != 0) p = problem_.children(p)[problem_.child_of_leaf(p)[leaves[j]]];
      place_of(cell, j) = p;
    }
  }
}

// Refines the grouping by one column.
void Partition::GroupColumn(std::size_t column, std::vector<std::uint32_t>& cell_of_tuple,
                            std::uint32_t& cells) {
  const taxonomy::Taxonomy& tree = problem_.tree(column);
  std::vector<std::uint32_t> node_of_leaf(tree.leaves());
  std::uint32_t nodes = 0;
  const Spot root = problem_.root(column);
  for (Spot p = root; p < problem_.end(root);) {
    if (recoding_[p] != 0) {
      ++p;
      continue;
    }
    const NodeId node = problem_.node(p);
    for (std::uint32_t r = tree.first_leaf(node); r < tree.last_leaf(node); ++r) {
      node_of_leaf[r] = nodes;
    }
    ++nodes;
    p = problem_.end(p);
  }
  const std::size_t tuples = problem_.tuples();
  work_ += tuples;
  const auto key = [&](std::size_t t) {
    return std::size_t{cell_of_tuple[t]} * nodes + node_of_leaf[problem_.leaves(t)[column]];
  };
  std::uint32_t next = 0;
  if (std::size_t{cells} * nodes <= std::max(kLargestTable, 4 * tuples)) {
    std::vector<std::uint32_t> number(std::size_t{cells} * nodes, kNobody);
    for (std::size_t t = 0; t < tuples; ++t) {
      std::uint32_t& cell = number[key(t)];
      if (cell == kNobody) cell = next++;
      cell_of_tuple[t] = cell;
    }
  } else {
    std::vector<std::pair<std::size_t, std::uint32_t>> keyed(tuples);
    for (std::uint32_t t = 0; t < tuples; ++t) keyed[t] = {key(t), t};
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < tuples; ++i) {
      if (i > 0 && keyed[i].first != keyed[i - 1].first) ++next;
      cell_of_tuple[keyed[i].second] = next;
    }
    ++next;
  }
  cells = next;
}

void Partition::Settle() {
  suppressed_rows_ = 0;
  if (problem_.reference_moves()) return SettleAgainstWhatRemains();
  for (Cell& cell : cells_) {
    const std::span<const std::uint32_t> tuples(order_.data() + cell.begin, cell.end - cell.begin);
    cell.kept = TuplesKeep(tuples, cell.rows);
    if (!cell.kept) suppressed_rows_ += cell.rows;
  }
}

// Suppresses what breaks the promise by itself, then what breaks it against the rows that remain,
// until nothing does.
void Partition::SettleAgainstWhatRemains() {
  Overall overall = problem_.overall();
  for (Cell& cell : cells_) cell.kept = true;
  Leave(problem_.guarantee().WithoutOverall(), overall);
  while (Leave(problem_.guarantee(), overall)) {
  }
}

bool Partition::Leave(const Guarantee& guarantee, Overall& overall) {
  own_checker_ = std::make_unique<PromiseChecker>(guarantee, overall);
  checker_ = own_checker_.get();
  bool any = false;
  for (Cell& cell : cells_) {
    if (!cell.kept) continue;
    const std::span<const std::uint32_t> tuples(order_.data() + cell.begin, cell.end - cell.begin);
    if (TuplesKeep(tuples, cell.rows)) continue;
    cell.kept = false;
    any = true;
    suppressed_rows_ += cell.rows;
    for (const std::uint32_t t : tuples) {
      for (const Bin& bin : problem_.sensitive(t)) overall[bin.code] -= bin.rows;
    }
  }
  return any;
}

// ---- the promise

bool Partition::TuplesKeep(std::span<const std::uint32_t> tuples, std::uint64_t rows) {
  if (rows < problem_.k()) return false;
  if (!problem_.guarantee().NeedsSensitive()) return true;
  for (const std::uint32_t t : tuples) CountSensitive(t);
  work_ += kSensitiveVisit * tuples.size();
  return CountedKeep(rows);
}

void Partition::CountSensitive(std::uint32_t tuple) {
  for (const Bin& bin : problem_.sensitive(tuple)) {
    if (code_rows_[bin.code] == 0) codes_.push_back(bin.code);
    code_rows_[bin.code] += bin.rows;
  }
}

// Checks what was counted, in the order of the codes so that rounding is always the same, and
// clears the counters.
bool Partition::CountedKeep(std::uint64_t rows) {
  std::sort(codes_.begin(), codes_.end());
  bins_.clear();
  for (const std::uint32_t code : codes_) {
    bins_.push_back({code, code_rows_[code]});
    code_rows_[code] = 0;
  }
  codes_.clear();
  return checker_->KeepsSensitive(bins_, rows);
}

// ---- what a specialisation would do

// Squares in integers; suppressed rows cost the whole table each.
std::int64_t Partition::CostOfRows(std::uint64_t rows, bool kept) const {
  return static_cast<std::int64_t>(rows * (kept ? rows : problem_.rows()));
}

void Partition::Evaluate(std::size_t index) {
  const Cell& cell = cells_[index];
  active_.clear();
  std::uint64_t* child_rows = child_rows_.data();
  for (std::uint32_t j = 0; j < problem_.columns(); ++j) {
    const Spot place = place_of(index, j);
    if (status_[place] != Status::kOpen) continue;
    active_.push_back({j, place, problem_.child_of_leaf(place), child_rows});
    child_rows += problem_.fan_out(place);
    squares_at_[place] += cell.rows * cell.rows;
  }
  if (active_.empty()) return;
  for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
    const auto leaves = problem_.leaves(order_[i]);
    const std::uint64_t rows = problem_.rows(order_[i]);
    for (const Active& a : active_) a.rows[a.child_of_leaf[leaves[a.column]]] += rows;
  }
  work_ += (cell.end - cell.begin) * active_.size();
  for (const Active& a : active_) {
    const Effect effect = EffectOf(cell, a);
    std::fill_n(a.rows, problem_.fan_out(a.place), 0);
    effects_[index * problem_.columns() + a.column] = effect;
    gain_[a.place] += effect.gain;
    lost_[a.place] += effect.lost;
    if (problem_.anti_monotone() && !Allowed(a.place)) status_[a.place] = Status::kDead;
  }
}

Partition::Effect Partition::EffectOf(const Cell& cell, const Active& active) {
  const std::uint32_t children = problem_.fan_out(active.place);
  Effect effect;
  effect.gain = CostOfRows(cell.rows, cell.kept);
  if (early_exit_) {
    for (std::uint32_t c = 0; c < children; ++c) {
      const std::uint64_t rows = active.rows[c];
      if (rows > 0 && rows < problem_.k()) {
        effect.lost = static_cast<std::int64_t>(rows);
        return effect;
      }
      effect.gain -= static_cast<std::int64_t>(rows * rows);
    }
    if (problem_.guarantee().NeedsSensitive() && !ChildrenKeep(cell, active)) effect.lost = 1;
    return effect;
  }
  const auto kept = KeptChildren(cell, active);
  std::uint64_t suppressed = 0;
  for (std::uint32_t c = 0; c < children; ++c) {
    effect.gain -= CostOfRows(active.rows[c], kept[c] != 0);
    if (kept[c] == 0) suppressed += active.rows[c];
  }
  effect.lost =
      static_cast<std::int64_t>(suppressed) - static_cast<std::int64_t>(cell.kept ? 0 : cell.rows);
  return effect;
}

// Whether all children keep the promises beyond k; stops at the first that does not.
bool Partition::ChildrenKeep(const Cell& cell, const Active& active) {
  const std::uint32_t children = problem_.fan_out(active.place);
  for (std::uint32_t c = 0; c < children; ++c) {
    if (active.rows[c] == cell.rows) return cell.kept;
  }
  for (std::uint32_t i = cell.end; i-- > cell.begin;) {
    std::uint32_t& head =
        child_head_[active.child_of_leaf[problem_.leaves(order_[i])[active.column]]];
    next_[i] = head;
    head = i;
  }
  bool keep = true;
  for (std::uint32_t c = 0; c < children; ++c) {
    if (keep && active.rows[c] > 0) {
      for (std::uint32_t i = child_head_[c]; i != kNobody; i = next_[i]) {
        CountSensitive(order_[i]);
        work_ += kSensitiveVisit;
      }
      keep = CountedKeep(active.rows[c]);
    }
    child_head_[c] = kNobody;
  }
  return keep;
}

// Which children keep the whole promise, all of them looked at.
std::span<const std::uint8_t> Partition::KeptChildren(const Cell& cell, const Active& active) {
  const std::uint32_t children = problem_.fan_out(active.place);
  const bool sensitive = problem_.guarantee().NeedsSensitive();
  if (sensitive) {
    for (std::uint32_t i = cell.end; i-- > cell.begin;) {
      std::uint32_t& head =
          child_head_[active.child_of_leaf[problem_.leaves(order_[i])[active.column]]];
      next_[i] = head;
      head = i;
    }
  }
  for (std::uint32_t c = 0; c < children; ++c) {
    child_kept_[c] = active.rows[c] >= problem_.k() || active.rows[c] == 0;
    if (!sensitive) continue;
    if (active.rows[c] > 0 && child_kept_[c] != 0) {
      for (std::uint32_t i = child_head_[c]; i != kNobody; i = next_[i]) CountSensitive(order_[i]);
      child_kept_[c] = CountedKeep(active.rows[c]);
    }
    child_head_[c] = kNobody;
  }
  if (sensitive) work_ += kSensitiveVisit * (cell.end - cell.begin);
  return {child_kept_.data(), children};
}

bool Partition::Allowed(Spot place) const {
  if (status_[place] != Status::kOpen) return false;
  return static_cast<std::int64_t>(suppressed_rows_) + lost_[place] <=
         static_cast<std::int64_t>(problem_.suppression_limit());
}

double Partition::Gain(Spot place) const {
  if (problem_.score() == Score::kDiscernibility) return static_cast<double>(gain_[place]);
  if (lost_[place] == 0) return problem_.saving(place);
  // A row that is newly left out loses what an average row has gained so far.
  const double gained = problem_.RootCost() - Cost();
  return problem_.saving(place) - static_cast<double>(lost_[place]) * gained;
}

// ---- steps

std::span<const Spot> Partition::open() {
  std::erase_if(open_, [&](Spot p) { return status_[p] != Status::kOpen; });
  return open_;
}

void Partition::Specialise(Spot place) {
  status_[place] = Status::kNone;
  recoding_[place] = 1;
  for (const Spot child : problem_.children(place)) {
    if (problem_.rows_at(child) == 0) {
      problem_.SpecialiseFully(child, recoding_);
    } else if (!problem_.is_leaf(child)) {
      status_[child] = Status::kOpen;
      open_.push_back(child);
    }
  }
  const std::size_t column = problem_.column(place), cells = cells_.size();
  std::vector<std::uint32_t> split;
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    if (place_of(cell, column) != place) continue;
    Withdraw(cell, column);
    Split(cell, place);
    split.push_back(cell);
  }
  for (const std::uint32_t cell : split) Evaluate(cell);
  for (std::size_t cell = cells; cell < cells_.size(); ++cell) Evaluate(cell);
}

// Takes the contributions of a cell back before it is split.
void Partition::Withdraw(std::size_t index, std::size_t except_column) {
  const Cell& cell = cells_[index];
  if (!cell.kept) suppressed_rows_ -= cell.rows;
  for (std::size_t j = 0; j < problem_.columns(); ++j) {
    const Spot place = place_of(index, j);
    if (j == except_column || status_[place] != Status::kOpen) continue;
    const Effect& effect = effects_[index * problem_.columns() + j];
    gain_[place] -= effect.gain;
    lost_[place] -= effect.lost;
    squares_at_[place] -= cell.rows * cell.rows;
  }
}

// The first child that has rows takes the place of the cell, the others are added at the end.
void Partition::Split(std::size_t index, Spot place) {
  const Cell whole = cells_[index];
  const std::size_t columns = problem_.columns(), column = problem_.column(place);
  const std::uint32_t* child_of_leaf = problem_.child_of_leaf(place);
  const auto children = problem_.children(place);
  std::vector<Cell> parts(children.size());
  for (std::uint32_t i = whole.begin; i < whole.end; ++i) {
    Cell& part = parts[child_of_leaf[problem_.leaves(order_[i])[column]]];
    ++part.end;
    part.rows += problem_.rows(order_[i]);
  }
  std::uint32_t begin = whole.begin;
  for (Cell& part : parts) {
    const std::uint32_t size = part.end;
    part.begin = part.end = begin;
    begin += size;
  }
  for (std::uint32_t i = whole.begin; i < whole.end; ++i) {
    sorted_[parts[child_of_leaf[problem_.leaves(order_[i])[column]]].end++] = order_[i];
  }
  std::copy(sorted_.begin() + whole.begin, sorted_.begin() + whole.end,
            order_.begin() + whole.begin);
  work_ += whole.end - whole.begin;

  bool first = true;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    Cell& part = parts[c];
    if (part.rows == 0) continue;
    part.kept =
        early_exit_ || TuplesKeep({order_.data() + part.begin, part.end - part.begin}, part.rows);
    if (!part.kept) suppressed_rows_ += part.rows;
    std::size_t at = index;
    if (!first) {
      at = cells_.size();
      cells_.emplace_back();
      cell_places_.resize(cell_places_.size() + columns);
      effects_.resize(effects_.size() + columns);
      std::copy_n(cell_places_.begin() + static_cast<std::ptrdiff_t>(index * columns), columns,
                  cell_places_.begin() + static_cast<std::ptrdiff_t>(at * columns));
    }
    first = false;
    cells_[at] = part;
    place_of(at, column) = children[c];
  }
}

// ---- results

double Partition::Cost() const {
  std::uint64_t squares = 0;
  for (const Cell& cell : cells_) {
    if (cell.kept) squares += cell.rows * cell.rows;
  }
  return problem_.Cost(recoding_, squares, SuppressedTuples());
}

std::vector<std::uint8_t> Partition::BrokenPlaces() const {
  std::vector<std::uint8_t> broken(problem_.places(), 0);
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    if (cells_[cell].kept) continue;
    for (std::size_t j = 0; j < problem_.columns(); ++j) {
      Spot p = cell_places_[cell * problem_.columns() + j];
      while (broken[p] == 0) {
        broken[p] = 1;
        p = problem_.parent(p);  // the root is its own
      }
    }
  }
  return broken;
}

std::vector<std::uint32_t> Partition::SuppressedTuples() const {
  std::vector<std::uint32_t> tuples;
  if (suppressed_rows_ == 0) return tuples;
  for (const Cell& cell : cells_) {
    if (cell.kept) continue;
    tuples.insert(tuples.end(), order_.begin() + cell.begin, order_.begin() + cell.end);
  }
  return tuples;
}

}  // namespace reissue::models::k::internal
