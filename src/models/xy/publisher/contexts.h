#pragma once
// What rows of T1 match on one side, by their labels on the columns that decide it. A context is a
// combination of such labels, with the tuples that match it and their worst in a word. Contexts
// are found from coarser ones when somebody asks, and remembered. Owned by one thread; refers to
// its Side. Internal to the publisher.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "reissue/models/xy/publisher/prior.h"

namespace reissue::models::xy::internal {

class Contexts {
 public:
  struct Context {
    std::shared_ptr<const std::vector<std::uint32_t>> tuples;  // ascending
    std::uint32_t same = 0;  // a context with the same tuples, the same for all of them
    // Over the combinations on X: the least number of distinct y; the largest share of a y as
    // part / whole; whether a single value exceeds its threshold.
    Wide distinct = 1, part = 1, whole = 1;
    bool broken = false;
    bool empty() const { return tuples->empty(); }
  };

  Contexts(const Side& side, const Source& source);

  const Side& side() const { return side_; }
  // How many are known by now.
  std::size_t size() const { return contexts_.size(); }
  const Context& at(std::uint32_t context) const { return contexts_[context]; }
  // Everything at the root.
  std::uint32_t root() const { return 0; }
  // Whether a column of T1 decides anything here.
  std::optional<std::size_t> SlotOf(std::size_t column) const;
  // The label on a slot becomes its i-th child.
  std::uint32_t Child(std::uint32_t context, std::size_t slot, std::size_t i);
  // The label on a slot, which is at the root, becomes a leaf (a column with a tree) or a code.
  std::uint32_t Leaf(std::uint32_t context, std::size_t slot, std::uint32_t rank_or_code);

 private:
  std::size_t Refine(std::uint32_t context, std::size_t slot);
  std::uint32_t Put(std::uint32_t parent, std::size_t slot, std::uint32_t label,
                    std::vector<std::uint32_t> tuples);
  std::optional<std::uint32_t> Find(std::uint32_t parent, std::size_t slot, std::uint32_t label);
  std::vector<std::uint64_t> Forbidden(std::size_t slot, std::uint32_t label) const;
  bool Clear(std::uint32_t tuple, const std::vector<std::uint64_t>& forbidden) const;
  void Summarise(Context& context) const;

  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };
  const Side& side_;
  std::vector<const taxonomy::Taxonomy*> trees_;  // per slot
  std::vector<Context> contexts_;
  std::vector<std::uint32_t> labels_;  // per context and slot
  std::vector<std::size_t> kids_;  // per context and slot: where in kid_ids_, plus 1; 0: unknown
  std::vector<std::uint32_t> kid_ids_;
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, KeyHash> known_;
};

}  // namespace reissue::models::xy::internal
