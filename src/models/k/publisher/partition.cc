#include "reissue/models/k/publisher/partition.h"

#include <algorithm>
#include <numeric>

#include "reissue/core/let_go.h"

namespace reissue::models::k::internal {

Partition::Partition(const Problem& problem)
    : problem_(problem),
      checker_(&problem.checker()),
      early_exit_(problem.suppression_limit() == 0),
      weighs_(!early_exit_ && problem.by_nodes()),
      child_rows_(std::size_t{problem.max_fan_out()} * problem.columns(), 0),
      child_head_(problem.max_fan_out(), kNobody),
      next_(problem.guarantee().NeedsSensitive() ? problem.tuples() : 0),
      child_kept_(problem.max_fan_out()),
      code_rows_(problem.overall().size(), 0) {}

void Partition::Reset(Recoding recoding, std::span<const std::uint8_t> closed) {
  recoding_ = std::move(recoding);
  cost_.reset();
  gained_.reset();
  OpenPlaces(closed);
  // Where there are very many, what is set back for each of them is most of the work.
  if (problem_.places() > kManyPlaces) work_ += kVisitsPerPlace * problem_.places();
  bare_ = open_.empty();
  Group();
  LinkAll();
  Settle();
  AddUp();
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) Evaluate(cell);
}

void Partition::Forget() {
  LetGo(order_);
  LetGo(cells_);
  LetGo(cell_places_);
  LetGo(effects_);
  LetGo(next_at_);
  LetGo(cell_of_tuple_);
  LetGo(sorted_);
}

void Partition::OpenPlaces(std::span<const std::uint8_t> closed) {
  status_.assign(problem_.places(), Status::kNone);
  for (std::size_t i = 1; i < steps_.size(); ++i) step_of_[steps_[i].place] = 0;
  steps_.resize(1);
  open_.clear();
  problem_.VisitCut(recoding_, [&](Spot place) {
    if (!closed.empty() && closed[place] != 0) return;
    Open(place);
  });
}

void Partition::Open(Spot place) {
  if (step_of_.empty()) step_of_.resize(problem_.places());
  step_of_[place] = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back({.place = place});
  status_[place] = Status::kOpen;
  open_.push_back(place);
}

// ---- cells

void Partition::LinkAll() {
  if (bare_) return;
  next_at_.resize(cell_places_.size());
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    for (std::size_t j = 0; j < problem_.columns(); ++j) Link(cell, j);
  }
}

void Partition::Link(std::size_t cell, std::size_t column) {
  const Spot place = place_of(cell, column);
  if (step_of_[place] == 0) return;  // never to be specialised
  std::uint32_t& first = StepAt(place).first_cell;
  next_at_[cell * problem_.columns() + column] = first;
  first = static_cast<std::uint32_t>(cell);
}

// Ascending.
std::vector<std::uint32_t> Partition::CellsAt(Spot place) const {
  const std::size_t columns = problem_.columns(), column = problem_.column(place);
  std::vector<std::uint32_t> cells;
  for (std::uint32_t cell = StepAt(place).first_cell; cell != kNobody;
       cell = next_at_[cell * columns + column]) {
    cells.push_back(cell);
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

void Partition::Settle() {
  if (problem_.reference_moves()) return SettleAgainstWhatRemains();
  for (Cell& cell : cells_) {
    const std::span<const std::uint32_t> tuples(order_.data() + cell.begin, cell.end - cell.begin);
    cell.kept = TuplesKeep(tuples, cell.rows);
  }
}

void Partition::AddUp() {
  suppressed_rows_ = squares_ = 0;
  benefit_ = 0;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) CountIn(cell);
}

void Partition::CountIn(std::size_t index) {
  const Cell& cell = cells_[index];
  if (!cell.kept) {
    suppressed_rows_ += cell.rows;
    return;
  }
  squares_ += cell.rows * cell.rows;
  if (weighs_) benefit_ += static_cast<double>(cell.rows) * BenefitOf(index);
}

void Partition::CountOut(std::size_t index) {
  const Cell& cell = cells_[index];
  if (!cell.kept) {
    suppressed_rows_ -= cell.rows;
    return;
  }
  squares_ -= cell.rows * cell.rows;
  if (weighs_) benefit_ -= static_cast<double>(cell.rows) * BenefitOf(index);
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

// ---- steps

std::span<const Spot> Partition::open() {
  std::erase_if(open_, [&](Spot p) { return !IsOpen(p); });
  return open_;
}

void Partition::Specialise(Spot place) {
  status_[place] = Status::kNone;
  recoding_[place] = 1;
  cost_.reset();
  gained_.reset();
  for (const Spot child : problem_.children(place)) {
    if (problem_.rows_at(child) == 0) {
      problem_.SpecialiseFully(child, recoding_);
    } else if (!problem_.is_leaf(child)) {
      Open(child);
    }
  }
  const std::size_t column = problem_.column(place), cells = cells_.size();
  work_ += cells;
  const std::vector<std::uint32_t> split = CellsAt(place);
  StepAt(place).first_cell = kNobody;
  for (const std::uint32_t cell : split) {
    Withdraw(cell, column);
    Split(cell, place);
  }
  for (const std::uint32_t cell : split) Evaluate(cell);
  for (std::size_t cell = cells; cell < cells_.size(); ++cell) Evaluate(cell);
}

// Takes the contributions of a cell back before it is split.
void Partition::Withdraw(std::size_t index, std::size_t except_column) {
  const Cell& cell = cells_[index];
  CountOut(index);
  for (std::size_t j = 0; j < problem_.columns(); ++j) {
    const Spot place = place_of(index, j);
    if (j == except_column || !IsOpen(place)) continue;
    const Effect& effect = effects_[index * problem_.columns() + j];
    Step& step = StepAt(place);
    step.gain -= effect.gain;
    step.lost -= effect.lost;
    step.benefit -= effect.benefit;
    step.squares -= cell.rows * cell.rows;
  }
}

// The first child that has rows takes the place of the cell, the others are added at the end.
void Partition::Split(std::size_t index, Spot place) {
  const Cell whole = cells_[index];
  const std::size_t columns = problem_.columns(), column = problem_.column(place);
  const ChildOfLeaf child_of_leaf = problem_.child_of_leaf(place);
  const auto children = problem_.children(place);
  parts_.assign(children.size(), Cell{});
  Cell* parts = parts_.data();
  std::uint32_t* order = order_.data();
  if (sorted_.empty()) sorted_.resize(order_.size());
  std::uint32_t* sorted = sorted_.data();
  std::uint32_t* child_of_tuple = cell_of_tuple_.data();  // by where it stands in the order
  const std::uint64_t* rows_of_tuple = problem_.rows_of_tuples().data();
  for (std::uint32_t i = whole.begin; i < whole.end; ++i) {
    const std::uint32_t child = child_of_leaf[problem_.leaves(order[i]).data()[column]];
    child_of_tuple[i] = child;
    ++parts[child].end;
    parts[child].rows += rows_of_tuple[order[i]];
  }
  std::uint32_t begin = whole.begin;
  for (Cell& part : parts_) {
    const std::uint32_t size = part.end;
    part.begin = part.end = begin;
    begin += size;
  }
  for (std::uint32_t i = whole.begin; i < whole.end; ++i) {
    sorted[parts[child_of_tuple[i]].end++] = order[i];
  }
  std::copy(sorted + whole.begin, sorted + whole.end, order + whole.begin);
  work_ += whole.end - whole.begin;

  bool first = true;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const Cell& part = parts_[c];
    if (part.rows == 0) continue;
    const bool kept =
        early_exit_ || TuplesKeep({order + part.begin, part.end - part.begin}, part.rows);
    std::size_t at = index;
    if (!first) {
      at = cells_.size();
      cells_.emplace_back();
      cell_places_.resize(cell_places_.size() + columns);
      effects_.resize(effects_.size() + columns);
      next_at_.resize(next_at_.size() + columns);
      std::copy_n(cell_places_.begin() + static_cast<std::ptrdiff_t>(index * columns), columns,
                  cell_places_.begin() + static_cast<std::ptrdiff_t>(at * columns));
    }
    cells_[at] = part;
    cells_[at].kept = kept;
    place_of(at, column) = children[c];
    for (std::size_t j = 0; j < columns; ++j) {
      if (j == column || !first) Link(at, j);
    }
    first = false;
    CountIn(at);
  }
}

// ---- results

double Partition::Cost() const {
  if (!cost_) cost_ = CostNow();
  return *cost_;
}

double Partition::CostNow() const {
  if (weighs_) return problem_.CostOf(benefit_);
  if (problem_.score() == Score::kDiscernibility) {
    return problem_.CostOf(squares_, suppressed_rows_);
  }
  const std::vector<std::uint32_t> suppressed = SuppressedTuples();
  work_ += problem_.places() + kWayDown * suppressed.size() * problem_.columns();
  return problem_.Cost(recoding_, squares_, suppressed);
}

std::vector<std::uint8_t> Partition::BrokenPlaces() const {
  std::vector<std::uint8_t> broken(problem_.places(), 0);
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    if (cells_[cell].kept) continue;
    for (std::size_t j = 0; j < problem_.columns(); ++j) {
      Spot p = place(cell, j);
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
