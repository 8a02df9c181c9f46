#include "product.h"

#include <algorithm>
#include <map>

#include "reissue/labels/tree.h"

namespace oracle::survey {
namespace {

namespace product = reissue::survey;

Interval Of(const product::FromTo& number) { return {number.lower, number.upper}; }

// What the product adds up must be what it says of each row.
void Agree(const Interval& sum, const Interval& told) {
  if (!(sum == told)) std::abort();
}

reissue::taxonomy::Taxonomy TreeOf(const std::vector<std::vector<std::string>>& hierarchy) {
  std::vector<reissue::taxonomy::HierarchyLine> lines;
  for (const auto& labels : hierarchy) lines.push_back({lines.size() + 1, labels});
  return reissue::taxonomy::FromHierarchy(lines, "tree.csv").value();
}

}  // namespace

Product::Product(const std::vector<Drawn>& files, const Bend& bend) {
  const std::size_t columns = files[0].texts[0].size() - 1;
  std::vector<std::map<std::string, std::uint32_t>> numbers(columns + 1);
  for (std::size_t c = 0; c <= columns; ++c) {
    std::vector<std::string_view> texts;
    for (const Drawn& file : files) {
      for (const auto& row : file.texts) {
        const auto [at, added] =
            numbers[c].emplace(row[c], static_cast<std::uint32_t>(texts.size()));
        if (added) texts.push_back(at->first);
      }
    }
    if (c == columns) break;
    if (c < files[0].numbers || files[0].hierarchy.empty()) {
      columns_.push_back(reissue::labels::ReadLabels(texts));
    } else {
      columns_.push_back(reissue::labels::ReadLabels(texts, TreeOf(files[0].hierarchy)));
    }
  }
  if (bend) bend(columns_);
  for (const Drawn& file : files) {
    std::vector<std::uint32_t> keys;
    for (const auto& row : file.texts) {
      for (std::size_t c = 0; c < columns; ++c) {
        keys.push_back(columns_[c].of_text[numbers[c].at(row[c])]);
      }
      keys.push_back(numbers[columns].at(row[columns]));
    }
    const std::vector<std::uint64_t> ones(file.texts.size(), 1);
    files_.emplace_back(columns, 1, reissue::CollectCells(columns + 1, keys, ones));
    const product::Published& published = files_.back();
    std::vector<Where>& where = rows_.emplace_back();
    for (std::size_t r = 0; r < file.texts.size(); ++r) {
      const std::span<const std::uint32_t> key(keys.data() + r * (columns + 1), columns);
      std::size_t cell = 0;
      while (!std::ranges::equal(published.key(cell), key)) ++cell;
      std::size_t group = 0;
      while (published.values(cell, 0)[group].code != keys[r * (columns + 1) + columns]) ++group;
      where.push_back({cell, group});
    }
  }
}

std::vector<RowFound> Product::Alone(std::size_t file, const product::Effort& effort) {
  const product::OverlapTable overlaps(columns_);
  const product::Matching match = product::Match(columns_, files_[file], overlaps, pool_, effort);
  std::vector<RowFound> found;
  for (const Where& where : rows_[file]) {
    const product::CellMatch& cell = match.cells[where.cell];
    found.push_back({cell.singled_out.surely, cell.singled_out.possibly, cell.certain[0].surely,
                     cell.certain[0].possibly, cell.least.lower, false});
  }
  Agree(Singled(found), Of(match.singled_out));
  Agree(Certain(found), Of(match.certain[0]));
  Agree(Certain(found), Of(match.value_certain));
  Agree(Either(found), Of(match.exposed));
  return found;
}

std::vector<RowFound> Product::Together(std::size_t file, const product::Effort& effort) {
  const product::OverlapTable overlaps(columns_);
  const product::Together all = product::Intersect(columns_, files_, overlaps, 0, pool_, effort);
  const product::FileTogether& together = all.files[file];
  std::vector<RowFound> found;
  for (const Where& where : rows_[file]) {
    const product::GroupLeft& group = together.cells[where.cell][where.group];
    found.push_back({group.singled_out.surely, group.singled_out.possibly, group.certain.surely,
                     group.certain.possibly, 0, false});
  }
  Agree(Singled(found), Of(together.singled_out));
  Agree(Certain(found), Of(together.certain));
  Agree(Either(found), Of(together.exposed));
  return found;
}

std::vector<RowFound> Product::Joined(std::size_t from, std::size_t to,
                                      const product::Effort& effort) {
  const product::OverlapTable overlaps(columns_);
  const product::Linked linked =
      product::Link(columns_, files_[from], files_[to], overlaps, pool_, effort);
  std::vector<RowFound> found;
  for (const Where& where : rows_[from]) {
    const product::CellLink& cell = linked.cells[where.cell];
    found.push_back({cell.one_row.surely, cell.one_row.possibly, cell.certain[0].surely,
                     cell.certain[0].possibly, 0, cell.partners > 0});
  }
  Agree(Singled(found), Of(linked.one_row));
  Agree(Certain(found), Of(linked.certain[0]));
  return found;
}

}  // namespace oracle::survey
