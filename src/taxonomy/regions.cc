#include "reissue/taxonomy/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "reissue/taxonomy/labels.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {
namespace {

constexpr std::string_view kEverything = "*";

// The bits of atoms first … last − 1 that lie in a word.
std::uint64_t Mask(std::uint32_t first, std::uint32_t last, std::uint32_t word) {
  const std::uint64_t begin = std::uint64_t{word} * 64;
  if (last <= begin || first >= begin + 64) return 0;
  std::uint64_t mask = ~std::uint64_t{0};
  if (first > begin) mask &= ~std::uint64_t{0} << (first - begin);
  if (last < begin + 64) mask &= ~std::uint64_t{0} >> (begin + 64 - last);
  return mask;
}

bool HasGaps(const Region& region) {
  return region.atoms.back() - region.atoms.front() + 1 != region.atoms.size();
}

Status CheckRegion(const Region& region, std::uint32_t atoms, const std::string& column) {
  const Place place{"", std::nullopt, std::nullopt, column};
  if (region.atoms.empty()) return InputError(place, "a label stands for no value at all");
  for (std::size_t i = 0; i < region.atoms.size(); ++i) {
    if (region.atoms[i] >= atoms || (i > 0 && region.atoms[i - 1] >= region.atoms[i])) {
      return InputError(place, "what a label stands for is not in ascending order");
    }
  }
  if (region.label == kEverything && region.atoms.size() != atoms) {
    return InputError(place, "`*` stands for less than everything");
  }
  return Ok();
}

}  // namespace

void Regions::Add(std::string label, std::uint32_t first, std::uint32_t last) {
  index_.emplace(label, static_cast<std::uint32_t>(labels_.size()));
  labels_.push_back(std::move(label));
  extents_.push_back({first, last, kNoBits});
}

Result<Regions> Regions::Make(std::uint32_t atoms, std::span<const Region> regions,
                              const std::string& column) {
  const Place place{"", std::nullopt, std::nullopt, column};
  Regions made;
  made.atoms_ = std::max(atoms, 1u);
  for (const Region& region : regions) REISSUE_TRY(CheckRegion(region, atoms, column));
  std::vector<std::uint32_t> order(regions.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t r) {
      return std::tuple(regions[r].atoms.front(), atoms - regions[r].atoms.size());
    };
    return std::tuple_cat(key(a), std::tie(regions[a].atoms)) <
           std::tuple_cat(key(b), std::tie(regions[b].atoms));
  });
  const auto everything =
      std::ranges::find_if(regions, [&](const Region& r) { return r.atoms.size() == atoms; });
  made.Add(everything == regions.end() ? std::string(kEverything) : everything->label, 0,
           made.atoms_);
  const Region* last = nullptr;
  for (const std::uint32_t r : order) {
    const Region& region = regions[r];
    const bool root = region.atoms.size() == atoms;
    const bool known = root || (last != nullptr && last->atoms == region.atoms);
    if (known) {
      const auto node = root ? 0u : static_cast<std::uint32_t>(made.nodes() - 1);
      const auto [at, added] = made.index_.emplace(region.label, node);
      if (!added && at->second != node) return InputError(place, "a label stands for two sets");
      continue;
    }
    if (made.index_.contains(region.label)) return InputError(place, "a label stands for two sets");
    last = &region;
    made.Add(region.label, region.atoms.front(), region.atoms.back() + 1);
    if (!HasGaps(region)) continue;
    Extent& extent = made.extents_.back();
    const std::uint32_t word = extent.first / 64;
    const std::size_t words = (extent.last - 1) / 64 - word + 1;
    if ((made.bits_.size() + words) * sizeof(std::uint64_t) > kMostBytes) {
      return InputError(place, "the column has too many different labels that are sets",
                        "Write them as ranges, or give the column a taxonomy.");
    }
    extent.bits = static_cast<std::uint32_t>(made.bits_.size());
    made.bits_.resize(made.bits_.size() + words, 0);
    for (const std::uint32_t atom : region.atoms) {
      made.bits_[extent.bits + atom / 64 - word] |= std::uint64_t{1} << (atom % 64);
    }
  }
  return made;
}

Result<Regions> Regions::FromRanges(std::span<const std::string> labels,
                                    const std::string& column) {
  const std::vector<Range> ranges = REISSUE_TRY(ParseLabels(labels, column));
  Regions made;
  made.numeric_ = true;
  for (const Range& range : ranges) {
    made.points_.push_back(range.low);
    made.points_.push_back(range.high);
  }
  std::ranges::sort(made.points_);
  made.points_.erase(std::unique(made.points_.begin(), made.points_.end()), made.points_.end());
  made.atoms_ = static_cast<std::uint32_t>(2 * made.points_.size() + 1);
  made.Add(std::string(kEverything), 0, made.atoms_);
  for (const Range& range : ranges) {
    const std::uint32_t first = made.AtomOf(range.low);
    made.Add(LabelOf(range), first, IsNumber(range) ? first + 1 : made.AtomOf(range.high));
  }
  return made;
}

std::optional<NodeId> Regions::Find(std::string_view label) const {
  const auto found = index_.find(std::string(label));
  if (found == index_.end()) return std::nullopt;
  return NodeId(found->second);
}

std::uint32_t Regions::AtomOf(double number) const {
  const auto at = std::ranges::lower_bound(points_, number);
  const auto below = static_cast<std::uint32_t>(2 * (at - points_.begin()));
  return at != points_.end() && *at == number ? below + 1 : below;
}

std::uint64_t Regions::Word(const Extent& extent, std::uint32_t word) const {
  if (extent.bits == kNoBits) return Mask(extent.first, extent.last, word);
  return bits_[extent.bits + word - extent.first / 64];
}

std::uint64_t Regions::Word(const Common& common, std::uint32_t word) {
  if (common.bits_.empty()) return Mask(common.first_, common.last_, word);
  return common.bits_[word - common.first_ / 64];
}

std::size_t Regions::Count(const Extent& extent) const {
  if (extent.bits == kNoBits) return extent.last - extent.first;
  std::size_t count = 0;
  for (std::uint32_t w = extent.first / 64; w <= (extent.last - 1) / 64; ++w) {
    count += static_cast<std::size_t>(std::popcount(Word(extent, w)));
  }
  return count;
}

bool Regions::Meet(NodeId a, NodeId b) const {
  const Extent& x = extents_[a.index()];
  const Extent& y = extents_[b.index()];
  const std::uint32_t first = std::max(x.first, y.first);
  const std::uint32_t last = std::min(x.last, y.last);
  if (first >= last) return false;
  if (x.bits == kNoBits && y.bits == kNoBits) return true;
  for (std::uint32_t w = first / 64; w <= (last - 1) / 64; ++w) {
    if ((Word(x, w) & Word(y, w)) != 0) return true;
  }
  return false;
}

bool Regions::Has(NodeId node, std::uint32_t atom) const {
  const Extent& extent = extents_[node.index()];
  if (atom < extent.first || atom >= extent.last) return false;
  return (Word(extent, atom / 64) >> (atom % 64) & 1) != 0;
}

bool Regions::Contains(NodeId outer, NodeId inner) const {
  const Extent& x = extents_[outer.index()];
  const Extent& y = extents_[inner.index()];
  if (y.first < x.first || y.last > x.last) return false;
  if (x.bits == kNoBits) return true;
  for (std::uint32_t w = y.first / 64; w <= (y.last - 1) / 64; ++w) {
    if ((Word(y, w) & ~Word(x, w)) != 0) return false;
  }
  return true;
}

Regions::Common Regions::Of(NodeId node) const {
  const Extent& extent = extents_[node.index()];
  Common common;
  common.first_ = extent.first;
  common.last_ = extent.last;
  if (extent.bits == kNoBits) return common;
  for (std::uint32_t w = extent.first / 64; w <= (extent.last - 1) / 64; ++w) {
    common.bits_.push_back(Word(extent, w));
  }
  return common;
}

bool Regions::Meet(const Common& common, NodeId node) const {
  const Extent& extent = extents_[node.index()];
  const std::uint32_t first = std::max(common.first_, extent.first);
  const std::uint32_t last = std::min(common.last_, extent.last);
  if (first >= last) return false;
  if (common.bits_.empty() && extent.bits == kNoBits) return true;
  for (std::uint32_t w = first / 64; w <= (last - 1) / 64; ++w) {
    if ((Word(common, w) & Word(extent, w)) != 0) return true;
  }
  return false;
}

void Regions::Narrow(Common& common, NodeId node) const {
  const Extent& extent = extents_[node.index()];
  const std::uint32_t first = std::max(common.first_, extent.first);
  const std::uint32_t last = std::min(common.last_, extent.last);
  if (!common.bits_.empty() || extent.bits != kNoBits) {
    std::vector<std::uint64_t> bits;
    for (std::uint32_t w = first / 64; w <= (last - 1) / 64; ++w) {
      bits.push_back(Word(common, w) & Word(extent, w));
    }
    common.bits_ = std::move(bits);
  }
  common.first_ = first;
  common.last_ = last;
}

std::optional<Taxonomy> Regions::AsTree() const {
  // From the largest to the smallest: all atoms of a region must have the same one around them.
  std::vector<std::uint32_t> order(nodes());
  std::vector<std::size_t> sizes;
  for (const Extent& extent : extents_) sizes.push_back(Count(extent));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::uint32_t> around(atoms_, 0), parent(nodes(), 0);
  for (const std::uint32_t node : order) {
    const Extent& extent = extents_[node];
    parent[node] = around[extent.first];
    for (std::uint32_t atom = extent.first; atom < extent.last; ++atom) {
      if (!Has(NodeId(node), atom)) continue;
      if (around[atom] != parent[node]) return std::nullopt;
      around[atom] = node;
    }
  }
  // Nodes are numbered so that what contains comes before what is contained.
  TreeBuilder builder;
  builder.Add(labels_[0], TreeBuilder::kNoParent);
  for (std::size_t node = 1; node < nodes(); ++node) builder.Add(labels_[node], parent[node]);
  return std::move(builder).Build();
}

}  // namespace reissue::taxonomy
