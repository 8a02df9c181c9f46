#include "product.h"

#include <memory>

#include "reissue/core/cells.h"
#include "reissue/taxonomy/taxonomy.h"

namespace oracle::bcf {
namespace {

std::shared_ptr<const reissue::taxonomy::Taxonomy> Tree(const Taxonomy& taxonomy) {
  std::vector<reissue::taxonomy::HierarchyLine> lines;
  for (const std::string& leaf : Leaves(taxonomy)) {
    std::vector<std::string> labels = {leaf};
    while (labels.back() != "*") labels.push_back(taxonomy.at(labels.back()));
    lines.push_back({lines.size() + 1, labels});
  }
  return std::make_shared<reissue::taxonomy::Taxonomy>(
      reissue::taxonomy::FromHierarchy(lines, "tree.csv").value());
}

model::Scale ScaleOf(const LabelSets& sets, SetsAs as) {
  using reissue::taxonomy::Regions;
  std::vector<reissue::taxonomy::Region> regions;
  std::vector<std::string> labels;
  const std::vector<std::string> values(sets.at("*").begin(), sets.at("*").end());
  for (const auto& [label, stands_for] : sets) {
    regions.push_back({label, {}});
    labels.push_back(label);
    for (std::uint32_t v = 0; v < values.size(); ++v) {
      if (stands_for.contains(values[v])) regions.back().atoms.push_back(v);
    }
  }
  auto made =
      as == SetsAs::kRanges
          ? Regions::FromRanges(labels, "column").value()
          : Regions::Make(static_cast<std::uint32_t>(values.size()), regions, "column").value();
  if (as == SetsAs::kTreesWhereNested) {
    if (auto tree = made.AsTree()) {
      return {std::make_shared<const reissue::taxonomy::Taxonomy>(*std::move(tree)), nullptr};
    }
  }
  return {nullptr, std::make_shared<const Regions>(std::move(made))};
}

}  // namespace

std::uint32_t CodeOf(const std::string& value) {
  return static_cast<std::uint32_t>(value.at(0) - 's');
}

std::string ValueOf(std::uint32_t code) {
  return std::string(1, static_cast<char>('s' + static_cast<int>(code)));
}

Translator::Translator(const Domain& domain, SetsAs sets) : domain_(domain) {
  for (const Taxonomy& taxonomy : domain.taxonomies()) {
    scales_.push_back({Tree(taxonomy), nullptr});
  }
  for (const LabelSets& column : domain.sets()) scales_.push_back(ScaleOf(column, sets));
}

std::vector<std::uint32_t> Translator::KeyOf(const Quasi& cell) const {
  std::vector<std::uint32_t> key;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const model::Scale& scale = scales_[i];
    const auto node = scale.tree ? scale.tree->Find(cell[i]) : scale.regions->Find(cell[i]);
    key.push_back(node.value().raw());
  }
  return key;
}

model::Series Translator::ToProduct(const Series& series) const {
  std::vector<reissue::Cells> published;
  for (const Release& release : series) {
    std::vector<std::uint32_t> keys;
    for (const Row& row : release) {
      for (const std::uint32_t node : KeyOf(row.quasi)) keys.push_back(node);
      keys.push_back(CodeOf(row.sensitive));
    }
    published.push_back(reissue::CollectCells(scales_.size() + 1, keys,
                                              std::vector<std::uint64_t>(release.size(), 1)));
  }
  return model::Series::Make(scales_, published).value();
}

std::uint32_t Translator::CellOf(const model::Release& release, const Quasi& cell) const {
  return static_cast<std::uint32_t>(release.FindCell(KeyOf(cell)).value());
}

std::vector<std::uint32_t> Translator::CellsOfTarget(const model::Series& series,
                                                     const Target& target) const {
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < target.cells.size(); ++i) {
    cells.push_back(CellOf(series.release(target.birth - 1 + i), target.cells[i]));
  }
  return cells;
}

Quasi Translator::LabelsOf(const model::Release& release, std::size_t cell) const {
  Quasi labels;
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    const reissue::NodeId node = release.node(cell, i);
    labels.push_back(scales_[i].tree ? scales_[i].tree->label(node)
                                     : scales_[i].regions->label(node));
  }
  return labels;
}

}  // namespace oracle::bcf
