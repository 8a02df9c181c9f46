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

}  // namespace

std::uint32_t CodeOf(const std::string& value) {
  return static_cast<std::uint32_t>(value.at(0) - 's');
}

std::string ValueOf(std::uint32_t code) {
  return std::string(1, static_cast<char>('s' + static_cast<int>(code)));
}

Translator::Translator(const Domain& domain) : domain_(domain) {
  for (const Taxonomy& taxonomy : domain.taxonomies()) trees_.push_back(Tree(taxonomy));
}

std::vector<std::uint32_t> Translator::KeyOf(const Quasi& cell) const {
  std::vector<std::uint32_t> key;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    key.push_back(trees_[i]->Find(cell[i]).value().raw());
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
    published.push_back(reissue::CollectCells(trees_.size() + 1, keys,
                                              std::vector<std::uint64_t>(release.size(), 1)));
  }
  return model::Series::Make(trees_, published).value();
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
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    labels.push_back(trees_[i]->label(release.node(cell, i)));
  }
  return labels;
}

}  // namespace oracle::bcf
