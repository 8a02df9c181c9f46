#pragma once
// A further condition on recodings, which comes from what readers have besides this release: the
// earlier releases of a series. Implemented by other models; internal to publishers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {

enum class Answer {
  kKeeps,
  kBreaks,    // something finer may still keep the condition
  kHopeless,  // nothing finer does
};

// Asks about the cells of one partition after the other. The condition is one on each cell by
// itself (its nodes and its rows). Has scratch of its own: belongs to one thread.
class ConditionCheck {
 public:
  virtual ~ConditionCheck() = default;

  // The worst of the cells that the specialisation of a place would make.
  virtual Answer Ask(const Partition& partition, Spot place) = 0;
  // One cell as it is.
  virtual Answer AskCell(const Partition& partition, std::size_t cell) = 0;
  // The dear part of the condition, on a recoding whose cells all keep the rest.
  virtual bool Confirm(const Recoding& recoding) = 0;
  // Where Confirm said no: places of which each is to blame by itself, whatever is specialised that
  // is neither above nor below it. Nothing: that is not known.
  virtual std::vector<Spot> Broken(const Recoding&) { return {}; }
  // Work so far, in tuple visits: a function of the questions alone.
  virtual std::uint64_t work() const = 0;
};

using Fence = std::vector<std::uint8_t>;

// Shared by any number of threads; must outlive its checks.
class Condition {
 public:
  virtual ~Condition() = default;

  virtual std::unique_ptr<ConditionCheck> NewCheck() const = 0;
  // Each the places (1) without whose specialisation Confirm costs little: a descent that leaves
  // them alone stays within a fence. The cheapest first; empty: there are none.
  virtual const std::vector<Fence>& fences() const = 0;
  // If the cells of a recoding keep the condition, so do those of every coarser one; what breaks it
  // is hopeless.
  virtual bool anti_monotone() const = 0;
  // Whether Confirm may say no.
  virtual bool confirms() const = 0;
  // Why no recoding keeps the condition, where that can be told without a search. Only asked where
  // the most general one does not.
  virtual std::optional<Error> Hopeless() const = 0;
  // What a search says that found none, in all recodings or in those that it has seen.
  virtual Error NothingFound(bool all_seen) const = 0;
};

// Whether no place of the fence is specialised.
bool Within(const Fence& fence, const Recoding& recoding);

// Whether all cells keep the condition; Confirm is not asked.
bool AllKeep(ConditionCheck& check, const Partition& partition);

}  // namespace reissue::models::k::internal
