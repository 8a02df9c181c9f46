#pragma once
// Where the generalised columns of T1 may be cut: a place is a node of a tree or an interval of a
// continuous column, in both cases a run of ranks, and what specialising it brings. Intervals are
// split on the way; how depends on the interval alone, so the order of steps does not matter.
// A plain value: every search has a copy. Internal to the publisher.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reissue/models/xy/publisher/publish.h"

namespace reissue::models::xy::internal {

using Spot = std::uint32_t;

// Which child of a place a rank below it belongs to.
struct Fork {
  const std::uint32_t* table = nullptr;  // null: two children
  std::uint32_t base = 0, split = 0;
  std::uint32_t Of(std::uint32_t rank) const {
    return table == nullptr ? static_cast<std::uint32_t>(rank >= split) : table[rank - base];
  }
};

class Places {
 public:
  // Every column of `columns` at its root. `source` must outlive the places.
  Places(const Source& source, std::vector<std::uint32_t> columns, Gain gain);

  std::span<const std::uint32_t> columns() const { return columns_; }
  bool generalised(std::size_t column) const { return index_[column] >= 0; }
  // The root of a generalised column.
  Spot root(std::size_t column) const { return static_cast<Spot>(index_[column]); }

  std::size_t size() const { return places_.size(); }
  std::uint32_t column(Spot place) const { return places_[place].column; }
  std::uint32_t begin(Spot place) const { return places_[place].begin; }
  std::uint32_t end(Spot place) const { return places_[place].end; }
  // Trees only.
  NodeId node(Spot place) const { return places_[place].node; }
  std::uint64_t rows(Spot place) const { return places_[place].rows; }
  std::uint32_t fan_out(Spot place) const { return places_[place].fan_out; }
  Spot child(Spot place, std::uint32_t i) const { return places_[place].first_child + i; }
  Fork fork(Spot place) const { return places_[place].fork; }
  // InfoGain by class entropy or distortion; 0 for discernibility, which depends on the cells.
  double gain(Spot place) const { return places_[place].gain; }
  // What the place costs while it is in the cut: Σ rows · entropy, or the distortion of its rows.
  double cost(Spot place) const;

  // Finds the children of a place. Every place of the current cuts is opened once.
  void Open(Spot place);
  // Whether it can be specialised: it has children and rows, and nobody closed it.
  bool open(Spot place) const { return places_[place].open; }
  // For good.
  void Close(Spot place) { places_[place].open = false; }

 private:
  struct Entry {
    std::uint32_t column = 0, begin = 0, end = 0;
    NodeId node;
    std::uint64_t rows = 0;
    Spot first_child = 0;
    std::uint32_t fan_out = 0;
    Fork fork;
    double gain = 0;
    bool open = false;
  };
  Spot Add(std::uint32_t column, std::uint32_t begin, std::uint32_t end, NodeId node);
  std::vector<double> Histogram(const Entry& place) const;
  std::vector<std::uint32_t> Borders(const Entry& place) const;
  std::uint32_t SplitByClass(const Entry& place) const;
  std::uint32_t SplitByRows(const Entry& place) const;
  double GainOf(const Entry& place) const;
  double Width(const Entry& place) const;

  const Source* source_;
  std::vector<std::uint32_t> columns_;
  Gain gain_;
  std::vector<std::int64_t> index_;  // per column: its root; −1: not generalised
  std::size_t classes_;
  // Per column: rows per rank and class.
  std::vector<std::shared_ptr<const std::vector<std::uint64_t>>> counts_;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> tables_;
  std::vector<Entry> places_;
};

}  // namespace reissue::models::xy::internal
