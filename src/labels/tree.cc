#include "reissue/labels/tree.h"

#include <algorithm>
#include <map>
#include <optional>

#include "reissue/labels/collect.h"
#include "reissue/labels/notation.h"

namespace reissue::labels {
namespace {

using taxonomy::Taxonomy;

class TreeReader {
 public:
  TreeReader(std::span<const std::string_view> texts, const Taxonomy& tree)
      : given_(texts), tree_(tree) {}

  ColumnLabels Read() {
    column_.notation = Notation::kTaxonomy;
    ReadNumbers();
    Sets sets;
    for (const std::string_view text : given_) sets.push_back(LeavesOf(Trimmed(text)));
    Merge(sets);
    Collect(given_, std::move(sets), column_);
    return std::move(column_);
  }

 private:
  std::vector<Span> All() const { return {{0, static_cast<std::uint32_t>(tree_.leaves())}}; }

  // The leaves as numbers; none where one of them is none.
  void ReadNumbers() {
    for (std::size_t rank = 0; rank < tree_.leaves(); ++rank) {
      const NumberReading number = ReadNumber(tree_.label(tree_.leaf(rank)));
      if (number.sureness != Sureness::kPlain) {
        numbers_.clear();
        return;
      }
      numbers_.push_back(number.piece.low);
    }
  }

  std::vector<Span> LeavesOf(std::string_view text) {
    if (const auto node = tree_.Find(text)) return LeavesOf(*node);
    if (IsStar(text)) return All();
    const Missing missing = MissingKind(text);
    if (missing == Missing::kAlways || missing == Missing::kUnlessCodes) {
      column_.missing.emplace_back(text);
      return All();
    }
    std::vector<Span> leaves;
    bool known = true;
    for (const std::string_view part : Parts(text)) {
      const std::vector<Span> some = LeavesOfPart(part);
      known = known && !some.empty();
      leaves.insert(leaves.end(), some.begin(), some.end());
    }
    if (known) {
      column_.ranges = true;
      return leaves;
    }
    column_.odd.emplace_back(text);
    const auto own = static_cast<std::uint32_t>(tree_.leaves() + column_.odd.size() - 1);
    return {{own, own + 1}};
  }

  std::vector<Span> LeavesOf(NodeId node) {
    column_.ranges = column_.ranges || (node != Taxonomy::root() && !tree_.is_leaf(node));
    return {{tree_.first_leaf(node), tree_.last_leaf(node)}};
  }

  std::vector<Span> LeavesOfPart(std::string_view part) {
    if (const auto node = tree_.Find(part)) return LeavesOf(*node);
    if (const auto mask = ReadMask(part)) {
      return LeavesThat([&](std::size_t rank) {
        const std::string leaf = tree_.label(tree_.leaf(rank));
        return mask->behind ? leaf.starts_with(mask->known) : leaf.ends_with(mask->known);
      });
    }
    const NumberReading number = ReadNumber(part);
    if (numbers_.empty() || number.sureness == Sureness::kNone) return {};
    const Piece& piece = number.piece;
    return LeavesThat([&](std::size_t rank) {
      const double leaf = numbers_[rank];
      return (piece.low < leaf && leaf < piece.high) || (leaf == piece.low && piece.with_low) ||
             (leaf == piece.high && piece.with_high);
    });
  }

  template <typename Predicate>
  std::vector<Span> LeavesThat(const Predicate& within) const {
    std::vector<Span> leaves;
    for (std::uint32_t rank = 0; rank < tree_.leaves(); ++rank) {
      if (within(rank)) leaves.push_back({rank, rank + 1});
    }
    return leaves;
  }

  // Neighbours that no text tells apart become one atom; what no text names is left out.
  void Merge(Sets& sets) {
    const std::size_t all = tree_.leaves() + column_.odd.size();
    std::vector<std::int64_t> change(all + 1, 0);
    std::vector<char> cut(all + 1, 0);
    for (std::vector<Span>& set : sets) {
      set = AtomSet(std::move(set)).spans();
      for (const Span& span : set) {
        ++change[span.first];
        --change[span.last];
        cut[span.first] = cut[span.last] = 1;
      }
    }
    std::vector<std::uint32_t> before(all + 1, 0);  // atoms that begin before each leaf
    std::int64_t covering = 0;
    for (std::size_t leaf = 0; leaf < all; ++leaf) {
      covering += change[leaf];
      before[leaf + 1] = before[leaf] + (cut[leaf] != 0 && covering > 0 ? 1 : 0);
    }
    for (std::vector<Span>& set : sets) {
      for (Span& span : set) span = {before[span.first], before[span.last]};
    }
    column_.atoms = before.back();
  }

  std::span<const std::string_view> given_;
  const Taxonomy& tree_;
  std::vector<double> numbers_;
  ColumnLabels column_;
};

}  // namespace

ColumnLabels ReadLabels(std::span<const std::string_view> texts, const Taxonomy& tree) {
  return TreeReader(texts, tree).Read();
}

}  // namespace reissue::labels
