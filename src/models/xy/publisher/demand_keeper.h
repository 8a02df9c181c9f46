#pragma once
// Keeps one demand while T1 is specialised: the rows of T1 in blocks of one x each, the worst of
// every block, and the worst after each possible next step. The earlier releases do not move, so a
// step changes only the blocks that contain the specialised place. Owned by one thread; copies are
// independent. Internal to the publisher.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "reissue/models/xy/publisher/blocks.h"
#include "reissue/models/xy/publisher/contexts.h"
#include "reissue/models/xy/publisher/demand.h"

namespace reissue::models::xy::internal {

class DemandKeeper {
 public:
  // The columns of T1 in Y must not be generalised.
  static Result<DemandKeeper> Make(const View& view, const Demand& demand, Places& places);

  const Demand& demand() const { return demand_; }
  // A step that breaks the demand does so later as well: Y is in T1 alone, X tells what a row of
  // T1 matches, and no row of T1 dangles.
  bool final() const { return final_; }
  // X tells what a row of T1 matches.
  bool plain() const { return plain_; }
  // As T1 stands.
  const Measure& now() const { return now_; }
  // Whether a column of T1 matters at all.
  bool Sees(std::size_t column) const;
  // After specialising an open place of a column that matters.
  Measure After(Spot place, const Places& places) const;
  // The children of `place` must be open. Closes places that break the demand for good.
  void Specialise(Spot place, Places& places);

 private:
  DemandKeeper(const View& view, const Demand& demand, bool plain,
               std::shared_ptr<const std::vector<Side>> sides, const Places& places);

  // What is counted in T1 for one block, or for one child of it.
  struct Tally {
    std::uint64_t rows = 0, distinct = 0, run = 0, largest = 0;
    std::uint32_t y = static_cast<std::uint32_t>(-1);
    bool broken = false;
  };
  // A way to split a block: by the children of one place, or not at all.
  struct Active {
    std::size_t m = 0;
    Spot place = 0;
    Fork fork;
    std::uint32_t fan_out = 1;
    bool whole = false;
    std::size_t first = 0;  // its first tally
  };
  // Rows of T1 that match the same and agree on y.
  struct Entry {
    std::uint32_t context, y;
    std::uint64_t rows;
  };
  // Rows added up per context and y without sorting: most atoms of a block fall together.
  class Sums {
   public:
    // Where a table of all contexts and values would be too large, entries are kept one by one.
    void Begin(std::size_t contexts, std::size_t values);
    void Add(std::uint32_t context, std::uint32_t y, std::uint64_t rows);
    // Hands over what was added, and is empty again.
    void Take(std::vector<Entry>& entries);

   private:
    std::size_t contexts_ = 0, values_ = 1;
    std::vector<std::uint64_t> rows_;     // per context and y; 0: none
    std::vector<std::uint32_t> touched_;  // places of rows_ that are not 0
    std::vector<Entry> single_;           // where there is no table
  };
  struct Item {
    std::uint32_t x, y1, y2;
    Wide rows;
  };
  // The two worst of a column, of different places.
  struct Worst {
    Spot place = Blocks::kNone;
    Measure first, second;
  };

  std::optional<std::size_t> MovingOf(std::size_t column) const;
  void Start(Places& places);
  bool Dangles(const Source& source) const;
  void Evaluate(std::size_t block, Places& places);
  void Refresh(const Places& places);
  void RefreshCarried();

  // Where X tells what is matched.
  void EvaluatePlain(std::size_t block, Places& places);
  void CountRows(std::size_t block);
  void CountDistinct(std::size_t block);
  void CountRuns(std::size_t block);
  void EndRun(Tally& tally) const;
  template <typename Visit>
  void ForEachTally(std::size_t block, const Visit& visit);
  Measure MeasureOf(const Tally& tally, std::size_t block, const Active& active, std::uint32_t i);
  void SplitBlock(std::size_t block, std::size_t m, Places& places);

  // Otherwise.
  void EvaluateMixed(std::size_t block, const Places& places);
  void EvaluateCarried(std::size_t block, std::size_t m, const Places& places);
  std::uint32_t YOf(std::size_t atom) const { return key_ ? 0 : blocks_.y(atom); }
  std::uint32_t ContextAfter(std::size_t atom, std::size_t m, std::uint32_t child);
  void Begin(std::size_t parts);
  void Gather(std::vector<Entry>& entries) const;
  Measure Judge(Sums& sums);
  Measure JudgeKeys(const std::vector<Entry>& entries);
  Measure JudgeDistinct();
  Measure JudgeShares();
  void MoveAtoms(Spot place, std::size_t m, const Places& places);

  Demand demand_;
  bool plain_, key_, has_y_, final_ = false;
  std::vector<double> limits_;  // single values of T1: per y; negative: not sensitive
  std::shared_ptr<const std::vector<Side>> sides_;
  std::vector<Contexts> contexts_;  // per side
  Blocks blocks_;
  std::vector<std::vector<std::optional<std::size_t>>> slots_;  // per side and moving column
  std::vector<std::uint32_t> block_contexts_;                   // plain: per block and side
  std::vector<std::uint32_t> atom_contexts_;                    // otherwise: per atom
  std::vector<Spot> atom_places_;                               // otherwise: per atom and column

  std::vector<Measure> values_;                                 // per block
  std::vector<Measure> effects_;                                // per block and column grouped by
  std::vector<std::vector<std::pair<Spot, Measure>>> carried_;  // per block
  Measure now_;
  std::vector<Measure> after_;  // per place: over the blocks that contain it
  std::vector<Worst> worst_;    // per column grouped by

  std::vector<Active> active_;
  std::vector<Tally> tallies_;
  std::vector<Entry> entries_;
  std::vector<Sums> sums_;
  std::vector<Item> items_;
};

}  // namespace reissue::models::xy::internal
