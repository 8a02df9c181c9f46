#pragma once
// A recoding on its way down: the tuples grouped into the cells of the current cuts, and what each
// possible next specialisation would bring and break. Every cell remembers its contribution per
// column, so a step costs only the tuples of the cells that it splits. Owned and used by one
// thread; refers to its Problem. Internal to the publisher.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

class Partition {
 public:
  // A look at the sensitive histogram of a tuple, in visits.
  static constexpr std::uint64_t kSensitiveVisit = 6;
  // The way of a tuple from the root of a column to its node.
  static constexpr std::uint64_t kWayDown = 3;
  // A place of the taxonomies in a Reset, in visits; counted where there are so many.
  static constexpr std::uint64_t kVisitsPerPlace = 4;
  static constexpr std::size_t kManyPlaces = std::size_t{1} << 16;

  explicit Partition(const Problem& problem);

  // Large cells are looked at by all threads; for whoever is not one of the pool's own. What comes
  // of it is the same.
  void ShareWith(ThreadPool& pool) { pool_ = &pool; }

  // Puts the tuples into the cells of `recoding`, and looks at all specialisations from there,
  // except below the places of `closed` (all stay open where it is empty). Nodes without rows are
  // specialised to the leaves: it costs nothing. O(tuples · columns).
  void Reset(Recoding recoding, std::span<const std::uint8_t> closed = {});

  // Specialises an open place. O(tuples of the cells that contain it · columns).
  void Specialise(Spot place);

  // Lets go of the cells: until the next Reset only recoding(), suppressed_rows(), valid(), work()
  // and a Cost() that was asked for before can be asked for.
  void Forget();

  // Takes an open place off the list.
  void Close(Spot place) {
    if (status_[place] == Status::kOpen) status_[place] = Status::kDead;
  }

  const Recoding& recoding() const { return recoding_; }
  const Problem& problem() const { return problem_; }
  // The places that may still be specialised; where the promise is anti-monotone, those that break
  // it are gone for good. In no particular order.
  std::span<const Spot> open();
  // The rows left out here, and whether that is within the limit.
  std::uint64_t suppressed_rows() const { return suppressed_rows_; }
  bool valid() const { return suppressed_rows_ <= problem_.suppression_limit(); }
  // Whether the specialisation of an open place keeps the promise (with suppression: by what is
  // known before the reference of t and β moves).
  bool Allowed(Spot place) const;
  // Rows that the specialisation would leave out in addition.
  std::int64_t lost(Spot place) const { return StepAt(place).lost; }  // of an open place
  // What it takes off the cost, before normalisation.
  double Gain(Spot place) const;
  // Σ |cell|² over the cells that contain an open place.
  double SquaresAt(Spot place) const { return static_cast<double>(StepAt(place).squares); }
  double Cost() const;
  // Tuples that are left out. O(cells + tuples left out).
  std::vector<std::uint32_t> SuppressedTuples() const;

  // 1 for every place that has a cell at or below it which breaks the promise. O(cells · columns ·
  // height).
  std::vector<std::uint8_t> BrokenPlaces() const;

  // ---- cells, numbered from 0
  std::size_t cells() const { return cells_.size(); }
  std::span<const std::uint32_t> tuples(std::size_t cell) const {
    return {order_.data() + cells_[cell].begin, cells_[cell].end - cells_[cell].begin};
  }
  std::uint64_t rows(std::size_t cell) const { return cells_[cell].rows; }
  bool kept(std::size_t cell) const { return cells_[cell].kept != 0; }  // keeps the promise
  Spot place(std::size_t cell, std::size_t column) const {
    if (!bare_) return cell_places_[cell * problem_.columns() + column];
    return leaf_places_[column][problem_.leaves(order_[cells_[cell].begin])[column]].place;
  }

  // Tuple visits since the construction.
  std::uint64_t work() const { return work_; }
  // Rows of each cell; for bounds.
  template <typename Visitor>
  void VisitCells(const Visitor& visitor) const {
    for (const Cell& cell : cells_) visitor(cell.rows);
  }

 private:
  static constexpr auto kNobody = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t kWorthSharing = 1 << 14;  // tuples
  static constexpr std::size_t kShares = 4;
  enum class Status : std::uint8_t { kNone, kOpen, kDead };
  struct Cell {
    std::uint32_t begin = 0, end = 0;
    std::uint64_t rows : 63 = 0;
    std::uint64_t kept : 1 = 1;
  };
  // What is known of a place that is open, or was: very few of all.
  struct Step {
    Spot place = 0;
    std::uint32_t first_cell = kNobody;  // of the list of cells at the place
    std::int64_t gain = 0, lost = 0;
    double benefit = 0;
    std::uint64_t squares = 0;
  };
  // What splitting one cell in one column would do.
  struct Effect {
    std::int64_t gain = 0;
    std::int64_t lost = 0;
    double benefit = 0;
  };
  struct Active {
    std::uint32_t column;
    Spot place;
    ChildOfLeaf child_of_leaf;
    std::uint64_t* rows;  // per child
  };

  void OpenPlaces(std::span<const std::uint8_t> closed);
  void Open(Spot place);
  void Group();
  std::uint64_t FindPlaces(std::size_t column);
  void NumberCells(std::uint64_t& keys, std::uint32_t& cells);
  void FreeLargeScratch();
  void Settle();
  void SettleAgainstWhatRemains();
  void AddUp();
  void CountIn(std::size_t cell);
  void CountOut(std::size_t cell);
  // Suppresses what breaks a promise against `overall`, and takes it off; whether there was any.
  bool Leave(const Guarantee& guarantee, Overall& overall);
  void LinkAll();
  void Link(std::size_t cell, std::size_t column);
  std::vector<std::uint32_t> CellsAt(Spot place) const;
  void Split(std::size_t cell, Spot place);
  void Evaluate(std::size_t cell);
  void CountChildren(const Cell& cell, std::size_t children);
  Effect EffectOf(const Cell& cell, const Active& active, double per_row);
  bool ChildrenKeep(const Cell& cell, const Active& active);
  std::span<const std::uint8_t> KeptChildren(const Cell& cell, const Active& active);
  void Withdraw(std::size_t cell, std::size_t except_column);
  bool TuplesKeep(std::span<const std::uint32_t> tuples, std::uint64_t rows);
  void CountSensitive(std::uint32_t tuple);
  bool CountedKeep(std::uint64_t rows);
  std::int64_t CostOfRows(std::uint64_t rows, bool kept) const;
  double CostNow() const;
  double Gained() const;
  double BenefitOf(std::size_t cell) const;
  double BenefitGained(const Cell& cell, const Active& active, double per_row) const;
  // Of a place that is open or was; of others one that nothing is known of, if any ever was open.
  Step& StepAt(Spot place) { return steps_[step_of_[place]]; }
  const Step& StepAt(Spot place) const { return steps_[step_of_[place]]; }
  bool IsOpen(Spot place) const { return status_[place] == Status::kOpen; }
  Spot& place_of(std::size_t cell, std::size_t column) {
    return cell_places_[cell * problem_.columns() + column];
  }

  const Problem& problem_;
  ThreadPool* pool_ = nullptr;  // null: one thread
  const PromiseChecker* checker_;
  std::unique_ptr<PromiseChecker> own_checker_;
  bool early_exit_;
  bool weighs_;  // follows benefits
  // Nothing is open: there is no step from here, and what steps need of every cell is not kept.
  bool bare_ = false;

  Recoding recoding_;
  std::vector<std::uint32_t> order_;  // tuples, cell by cell
  std::vector<Cell> cells_;
  std::vector<Spot> cell_places_;  // per cell and column
  std::vector<Effect> effects_;    // per cell and column
  // Per cell and column the next cell at the same place, where that is open or was.
  std::vector<std::uint32_t> next_at_;
  std::vector<Status> status_;
  std::vector<Step> steps_ = std::vector<Step>(1);  // the first: of all places that never were open
  std::vector<std::uint32_t> step_of_;              // by place, once there is one that is open
  std::vector<Spot> open_;
  std::uint64_t suppressed_rows_ = 0;
  // Of the rows that stay.
  std::uint64_t squares_ = 0;
  double benefit_ = 0;
  mutable std::uint64_t work_ = 0;
  mutable std::optional<double> cost_, gained_;  // once they were asked for

  // Scratch.
  struct LeafPlace {
    Spot place = 0;
    std::uint32_t number = 0;  // of the place, within the cut
  };
  struct KeyPart {
    std::uint32_t column;
    std::uint64_t times;
  };
  std::vector<std::vector<LeafPlace>> leaf_places_;  // by column and leaf
  std::vector<KeyPart> parts_of_key_;
  std::vector<std::uint32_t> cell_of_tuple_, numbers_;
  std::vector<std::uint64_t> key_of_cell_;
  std::vector<Cell> parts_;
  std::vector<Active> active_;
  std::vector<std::uint64_t> child_rows_, shared_rows_;
  std::vector<std::uint32_t> sorted_, child_head_, next_;
  std::vector<std::uint8_t> child_kept_;
  std::vector<std::uint64_t> code_rows_;
  std::vector<std::uint32_t> codes_;
  std::vector<Bin> bins_;
};

}  // namespace reissue::models::k::internal
