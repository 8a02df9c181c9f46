#include "reissue/models/bcf/release/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reissue/models/bcf/release/overlap.h"

namespace reissue::models::bcf {
namespace {

// The most general nodes that stand above none of the labels (ascending, none above another),
// together with the labels themselves: a cut.
std::vector<NodeId> Complete(const taxonomy::Taxonomy& tree, std::span<const NodeId> labels) {
  std::vector<NodeId> cut;
  std::vector<NodeId> pending = {taxonomy::Taxonomy::root()};
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    const auto label = std::lower_bound(labels.begin(), labels.end(), node);
    if (label == labels.end() || *label == node || !tree.IsAncestor(node, *label)) {
      cut.push_back(node);
    } else {
      pending.insert(pending.end(), tree.children(node).begin(), tree.children(node).end());
    }
  }
  return cut;
}

// Walks the sorted keys of a release column by column.
class Search {
 public:
  // `key` counts for columns with trees, `overlap` for others; without those it may be null.
  Search(const Series& series, const Release& release, std::span<const std::uint32_t> key,
         const Overlap* overlap)
      : series_(series), release_(release), key_(key), overlap_(overlap) {}

  std::vector<std::uint32_t> Run() {
    Narrow(0, 0, release_.cells());
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  std::size_t Lower(std::size_t column, std::size_t first, std::size_t last, NodeId node) const {
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (release_.node(middle, column) < node) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }

  // Cells first … last − 1 agree on the columns before `column`.
  void Narrow(std::size_t column, std::size_t first, std::size_t last) {
    if (column == series_.columns()) {
      for (std::size_t cell = first; cell < last; ++cell) {
        found_.push_back(static_cast<std::uint32_t>(cell));
      }
      return;
    }
    if (series_.regions(column) != nullptr) return NarrowRegions(column, first, last);
    const taxonomy::Taxonomy& tree = series_.tree(column);
    const NodeId node(key_[column]);
    for (NodeId above = tree.parent(node); above.valid(); above = tree.parent(above)) {
      const std::size_t from = Lower(column, first, last, above);
      const std::size_t to = Lower(column, from, last, NodeId(above.index() + 1));
      if (from < to) Narrow(column + 1, from, to);
    }
    std::size_t from = Lower(column, first, last, node);
    while (from < last && tree.IsAncestor(node, release_.node(from, column))) {
      const NodeId below = release_.node(from, column);
      const std::size_t to = Lower(column, from, last, NodeId(below.index() + 1));
      Narrow(column + 1, from, to);
      from = to;
    }
  }

  void NarrowRegions(std::size_t column, std::size_t first, std::size_t last) {
    while (first < last) {
      const NodeId node = release_.node(first, column);
      const std::size_t to = Lower(column, first, last, NodeId(node.index() + 1));
      if (overlap_->Fits(column, node)) Narrow(column + 1, first, to);
      first = to;
    }
  }

  const Series& series_;
  const Release& release_;
  std::span<const std::uint32_t> key_;
  const Overlap* overlap_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

Result<Release> Release::Make(const Taxonomies& taxonomies, const Cells& published) {
  Scales scales;
  for (const auto& tree : taxonomies) scales.push_back({tree, nullptr});
  return Make(scales, published);
}

Result<Release> Release::Make(const Scales& scales, const Cells& published) {
  Release release;
  release.width_ = scales.size();
  if (published.size() > 0 && published.width() != release.width_ + 1) {
    return InputError(fmt::format("a published combination has {} codes, but there are {} "
                                  "quasi-identifiers and one sensitive value",
                                  published.width(), release.width_),
                      "name the same columns in every release");
  }
  for (std::size_t i = 0; i < published.size(); ++i) {
    const CellId combination(i);
    if (published.count(combination) == 0) continue;
    const auto key = published.key(combination);
    for (std::size_t column = 0; column < release.width_; ++column) {
      if (key[column] >= scales[column].nodes()) {
        return InputError(fmt::format("quasi-identifier {} has no node {} in its taxonomy",
                                      column + 1, key[column]),
                          "read all releases with the same taxonomies");
      }
    }
    const auto quasi = key.first(release.width_);
    const bool same =
        release.cells() > 0 && std::ranges::equal(quasi, release.key(release.cells() - 1));
    if (!same) {
      release.keys_.insert(release.keys_.end(), quasi.begin(), quasi.end());
      release.first_group_.push_back(release.groups());
      release.cell_rows_.push_back(0);
    }
    release.cell_of_group_.push_back(static_cast<std::uint32_t>(release.cells() - 1));
    release.values_.push_back(key[release.width_]);
    release.group_rows_.push_back(published.count(combination));
    release.first_group_.back() = release.groups();
    release.cell_rows_.back() += published.count(combination);
    release.rows_ += published.count(combination);
    release.codes_ = std::max<std::size_t>(release.codes_, key[release.width_] + std::size_t{1});
  }
  return release;
}

Cells Release::AsCells() const {
  std::vector<std::uint32_t> keys;
  for (std::size_t g = 0; g < groups(); ++g) {
    const auto own = key(cell_of_group(g));
    keys.insert(keys.end(), own.begin(), own.end());
    keys.push_back(value(g));
  }
  return Cells(width_ + 1, std::move(keys), group_rows_);
}

std::optional<std::size_t> Release::FindGroup(std::size_t cell, std::uint32_t value) const {
  const auto first = values_.begin() + static_cast<std::ptrdiff_t>(first_group(cell));
  const auto last = values_.begin() + static_cast<std::ptrdiff_t>(last_group(cell));
  const auto found = std::lower_bound(first, last, value);
  if (found == last || *found != value) return std::nullopt;
  return static_cast<std::size_t>(found - values_.begin());
}

std::optional<std::size_t> Release::FindCell(std::span<const std::uint32_t> wanted) const {
  std::size_t first = 0;
  std::size_t last = cells();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (std::ranges::lexicographical_compare(key(middle), wanted)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  if (first == cells() || !std::ranges::equal(key(first), wanted)) return std::nullopt;
  return first;
}

Recoding RecoverCuts(const Taxonomies& taxonomies, const Release& release) {
  Recoding recoding;
  for (std::size_t column = 0; column < taxonomies.size(); ++column) {
    if (taxonomies[column] == nullptr) {
      recoding.regions = true;
      continue;
    }
    const taxonomy::Taxonomy& tree = *taxonomies[column];
    std::vector<NodeId> labels;
    labels.reserve(release.cells());
    for (std::size_t cell = 0; cell < release.cells(); ++cell) {
      labels.push_back(release.node(cell, column));
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    // Nodes are numbered in preorder: what follows a node with labels below it is one of them.
    for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
      if (!tree.IsAncestor(labels[i], labels[i + 1])) continue;
      return Recoding{{}, NestedLabels{column, labels[i], labels[i + 1]}, recoding.regions};
    }
    auto cut = taxonomy::Cut::FromNodes(tree, Complete(tree, labels));
    REISSUE_CHECK(cut.has_value());
    recoding.cuts.push_back(*std::move(cut));
  }
  if (recoding.regions) recoding.cuts.clear();
  return recoding;
}

Result<Series> Series::Make(Taxonomies taxonomies, std::span<const Cells> published) {
  Scales scales;
  for (auto& tree : taxonomies) scales.push_back({std::move(tree), nullptr});
  return Make(scales, published);
}

Result<Series> Series::Make(const Scales& scales, std::span<const Cells> published) {
  if (scales.empty()) {
    return InputError("a series needs at least one quasi-identifier",
                      "give a column the role \"quasi\"");
  }
  Series series;
  bool regions = false;
  for (const Scale& scale : scales) {
    if (scale.tree == nullptr && scale.regions == nullptr) {
      return InputError("a quasi-identifier has no taxonomy");
    }
    series.taxonomies_.push_back(scale.tree);
    series.regions_.push_back(scale.tree ? nullptr : scale.regions);
    if (scale.tree) continue;
    regions = true;
    series.pairwise_ = series.pairwise_ && scale.regions->intervals();
  }
  if (!regions) series.regions_.clear();
  for (const Cells& release : published) series = REISSUE_TRY(series.With(release));
  return series;
}

Scales Series::scales() const {
  Scales scales;
  for (std::size_t column = 0; column < columns(); ++column) {
    scales.push_back({taxonomies_[column], trees_only() ? nullptr : regions_[column]});
  }
  return scales;
}

Result<Series> Series::With(const Cells& published) const {
  auto release = Release::Make(scales(), published);
  if (!release) {
    Error error = std::move(release).error();
    error.message = fmt::format("release {}: {}", size() + 1, error.message);
    return error;
  }
  Series series = *this;
  std::size_t shape = 0;
  while (shape < size() && !releases_[shape]->SameCells(*release)) ++shape;
  series.shapes_.push_back(shape);
  series.recodings_.push_back(
      shape < size() ? recodings_[shape]
                     : std::make_shared<const Recoding>(RecoverCuts(taxonomies_, *release)));
  series.releases_.push_back(std::make_shared<const Release>(*std::move(release)));
  return series;
}

bool Series::Comparable(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  if (!trees_only()) {
    for (std::size_t column = 0; column < columns(); ++column) {
      const taxonomy::Regions* labels = regions(column);
      if (labels != nullptr && !labels->Meet(NodeId(a[column]), NodeId(b[column]))) return false;
      if (labels == nullptr && !tree(column).OnOnePath(NodeId(a[column]), NodeId(b[column]))) {
        return false;
      }
    }
    return true;
  }
  for (std::size_t column = 0; column < columns(); ++column) {
    if (!tree(column).OnOnePath(NodeId(a[column]), NodeId(b[column]))) return false;
  }
  return true;
}

bool Series::LiesIn(std::span<const std::uint32_t> inner,
                    std::span<const std::uint32_t> outer) const {
  for (std::size_t column = 0; column < columns(); ++column) {
    const NodeId in(inner[column]), out(outer[column]);
    const taxonomy::Regions* labels = regions(column);
    if (labels != nullptr ? !labels->Contains(out, in) : !tree(column).IsAncestor(out, in)) {
      return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> Series::ComparableCells(std::size_t release,
                                                   std::span<const std::uint32_t> key) const {
  if (trees_only()) return Search(*this, *releases_[release], key, nullptr).Run();
  Overlap cell(*this);
  cell.Start(key);
  return ComparableCells(release, cell);
}

std::vector<std::uint32_t> Series::ComparableCells(std::size_t release,
                                                   const Overlap& cells) const {
  return Search(*this, *releases_[release], cells.nodes(), &cells).Run();
}

}  // namespace reissue::models::bcf
