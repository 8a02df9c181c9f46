#pragma once
// The worst complete tuples of partitions, one per table, by a score that multiplies. No tuple is
// looked at that cannot be among them.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "reissue/models/xy/adversary/matching.h"
#include "reissue/models/xy/adversary/parts.h"

namespace reissue::models::xy {

template <typename Score>
struct PartTuple {
  Score score;
  std::vector<std::uint32_t> parts;  // one per table
};

// `Order` has: bool Before(Score, Score), worse first; Score Product(Score, Score), which keeps the
// order in each factor. Ties are broken by the codes on X.
//
// A tuple that is the i-th best of a state with the j-th best partition of a group has i · j tuples
// at or before it, so of each list `limit` entries suffice, and of their products those with
// i · j ≤ limit. O(partitions · log limit + steps · limit · log² limit) comparisons.
template <typename Score, typename Order>
class WorstTuples {
 public:
  // `scores`: per table and part.
  WorstTuples(const Matching& matching, const std::vector<TableParts>& parts,
              const std::vector<Attribute>& places, const std::vector<std::vector<Score>>& scores,
              std::size_t limit)
      : matching_(matching), parts_(parts), places_(places), scores_(scores), limit_(limit) {}

  std::vector<PartTuple<Score>> Run() {
    std::vector<List> states = WorstOfGroups(0);
    for (std::size_t table = 0; table + 1 < matching_.tables(); ++table) {
      const std::vector<List> groups = WorstOfGroups(table + 1);
      std::vector<List> next(matching_.states(table + 1));
      for (std::size_t state = 0; state < states.size(); ++state) {
        for (const Matching::Step& step : matching_.steps(table, state)) {
          Multiply(states[state], groups[step.group], next[step.state]);
        }
      }
      states = std::move(next);
    }
    List all;
    for (List& list : states) {
      for (Tuple& tuple : list) Insert(std::move(tuple), all);
    }
    return all;
  }

 private:
  using Tuple = PartTuple<Score>;
  using List = std::vector<Tuple>;

  // Both tuples are of the same first tables.
  bool Before(const Tuple& a, const Tuple& b) const {
    if (Order::Before(a.score, b.score)) return true;
    if (Order::Before(b.score, a.score)) return false;
    for (const Attribute& place : places_) {
      if (place.table >= a.parts.size()) continue;
      const std::uint32_t left = Code(place, a.parts[place.table]);
      const std::uint32_t right = Code(place, b.parts[place.table]);
      if (left != right) return left < right;
    }
    return false;
  }
  std::uint32_t Code(const Attribute& place, std::uint32_t part) const {
    const TableParts& table = parts_[place.table];
    return table.x.key(table.parts[part].x)[place.column];
  }
  bool PartBefore(std::size_t table, std::uint32_t a, std::uint32_t b) const {
    if (Order::Before(scores_[table][a], scores_[table][b])) return true;
    if (Order::Before(scores_[table][b], scores_[table][a])) return false;
    const TableParts& own = parts_[table];
    return std::ranges::lexicographical_compare(own.x.key(own.parts[a].x),
                                                own.x.key(own.parts[b].x));
  }

  std::vector<List> WorstOfGroups(std::size_t table) const {
    std::vector<List> lists(matching_.groups(table));
    for (std::size_t group = 0; group < lists.size(); ++group) {
      const auto members = parts_[table].of_group(group);
      std::vector<std::uint32_t> worst(members.begin(), members.end());
      const std::size_t kept = std::min(limit_, worst.size());
      std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(kept),
                        worst.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return PartBefore(table, a, b); });
      for (std::size_t i = 0; i < kept; ++i) {
        lists[group].push_back({scores_[table][worst[i]], {worst[i]}});
      }
    }
    return lists;
  }

  void Multiply(const List& left, const List& right, List& into) const {
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = 0; j < right.size() && (i + 1) * (j + 1) <= limit_; ++j) {
        const Score score = Order::Product(left[i].score, right[j].score);
        if (into.size() == limit_ && Order::Before(into.back().score, score)) break;
        Tuple tuple{score, left[i].parts};
        tuple.parts.push_back(right[j].parts[0]);
        Insert(std::move(tuple), into);
      }
    }
  }

  void Insert(Tuple tuple, List& into) const {
    const auto before = [&](const Tuple& a, const Tuple& b) { return Before(a, b); };
    if (into.size() == limit_ && !Before(tuple, into.back())) return;
    into.insert(std::upper_bound(into.begin(), into.end(), tuple, before), std::move(tuple));
    if (into.size() > limit_) into.pop_back();
  }

  const Matching& matching_;
  const std::vector<TableParts>& parts_;
  const std::vector<Attribute>& places_;
  const std::vector<std::vector<Score>>& scores_;
  std::size_t limit_;
};

// Products of whole numbers, capped where they no longer fit.
inline Wide CappedProduct(Wide a, Wide b) {
  Wide product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~Wide{0} : product;
}
struct LeastProduct {
  static bool Before(Wide a, Wide b) { return a < b; }
  static Wide Product(Wide a, Wide b) { return CappedProduct(a, b); }
};
struct GreatestProduct {
  static bool Before(Wide a, Wide b) { return a > b; }
  static Wide Product(Wide a, Wide b) { return CappedProduct(a, b); }
};
// One factor is a share or an excess, the others are 1.
struct GreatestExcess {
  static bool Before(double a, double b) { return a > b; }
  static double Product(double a, double b) { return a * b; }
};

}  // namespace reissue::models::xy
