#include "cli/page/columns.h"

#include <algorithm>

#include "cli/render/text.h"

namespace reissue::cli::page {
namespace {

using engine::Portrait;

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// 1, 2, 3, 4, then up to 5, 10, 20, 50, 100 …
std::uint64_t EndOfRange(std::uint64_t size) {
  if (size < 5) return size;
  for (std::uint64_t power = 10;; power *= 10) {
    for (const std::uint64_t end : {power - 1, 2 * power - 1, 5 * power - 1}) {
      if (size <= end) return end;
    }
  }
}

std::uint64_t BeginOfRange(std::uint64_t end) {
  if (end < 5) return end;
  if (end == 9) return 5;
  const std::uint64_t next = end + 1;
  std::uint64_t power = 1;
  while (power * 10 <= next) power *= 10;
  if (next / power == 1) return power / 2;
  return next / power == 2 ? power : 2 * power;
}

std::string RoleWords(const std::string& role) {
  if (role == "quasi") return "readers may know it";
  return role == "sensitive" ? "sensitive" : "published as it is";
}

Grid BarsGrid(std::string caption, const Portrait::Column& column) {
  Grid grid{std::move(caption), {{"value"}, {"rows"}, {"share", true}}, {}};
  std::uint64_t most = 1;
  for (const Portrait::Bar& bar : column.bars) most = std::max(most, bar.rows);
  for (const Portrait::Bar& bar : column.bars) {
    const std::string label =
        bar.others > 0 ? Counted(bar.others, "other value", "other values") : bar.label;
    grid.rows.push_back({{label},
                         {Count(bar.rows), Share(bar.rows, most)},
                         {Percent(Share(bar.rows, column.rows))}});
  }
  return grid;
}

}  // namespace

Section SizesOfGroups(const Dossier& dossier) {
  Section section{"Sizes of groups", {}};
  if (dossier.releases.empty() || dossier.releases.back().portrait.sizes.empty()) return section;
  const Portrait& portrait = dossier.releases.back().portrait;
  struct Range {
    std::uint64_t end = 0, groups = 0, rows = 0;
  };
  std::vector<Range> ranges;
  std::uint64_t groups = 0, most = 1;
  for (const auto& [size, number] : portrait.sizes) {
    const std::uint64_t end = EndOfRange(size);
    if (ranges.empty() || ranges.back().end != end) ranges.push_back({end, 0, 0});
    ranges.back().groups += number;
    ranges.back().rows += size * number;
    groups += number;
  }
  for (const Range& range : ranges) most = std::max(most, range.rows);
  section.blocks.push_back(Paragraph{Counted(portrait.rows, "row", "rows") + " of " +
                                     portrait.file + " in " + Counted(groups, "group", "groups") +
                                     " of people who look alike; the smallest has " +
                                     Count(portrait.sizes.front().first) + ", the largest " +
                                     Count(portrait.sizes.back().first) + "."});
  Grid grid{
      "Rows by the size of their group", {{"rows in a group"}, {"rows"}, {"groups", true}}, {}};
  for (const Range& range : ranges) {
    const std::uint64_t begin = BeginOfRange(range.end);
    grid.rows.push_back(
        {{begin == range.end ? Count(begin) : Count(begin) + " to " + Count(range.end)},
         {Count(range.rows), Share(range.rows, most)},
         {Count(range.groups)}});
  }
  section.blocks.push_back(std::move(grid));
  return section;
}

Section WhatColumnsLost(const Dossier& dossier) {
  Section section{"What each column lost", {}};
  if (dossier.releases.empty()) return section;
  const Portrait& portrait = dossier.releases.back().portrait;
  Grid grid{"Columns of " + portrait.file,
            {{"column"}, {"role"}, {"labels", true}, {"rows hidden", true}, {"detail lost"}},
            {}};
  bool lost = false;
  for (const Portrait::Column& column : portrait.columns) {
    lost = lost || column.lost;
    const bool quasi = column.role == "quasi";
    Grid::Cell share{quasi ? "not known" : "none"};
    if (column.lost) share = {Percent(*column.lost), *column.lost};
    grid.rows.push_back(
        {{column.name},
         {RoleWords(column.role)},
         {Count(column.labels)},
         {column.hidden == 0
              ? "none"
              : Count(column.hidden) + " (" + Percent(Share(column.hidden, column.rows)) + ")"},
         share});
  }
  if (grid.rows.empty()) return section;
  section.blocks.push_back(std::move(grid));
  if (lost) {
    section.blocks.push_back(
        Paragraph{"Detail lost: the share of a column's taxonomy, or of its range of numbers, that "
                  "a published label leaves open, on average over the rows. 0 %: every value is "
                  "there; 100 %: nothing is left. Hidden: rows whose label is *."});
  }
  return section;
}

Section Distributions(const Dossier& dossier) {
  Section section{dossier.table ? "Columns before and after" : "Columns as published", {}};
  if (dossier.releases.empty()) return section;
  const Portrait& after = dossier.releases.back().portrait;
  for (const Portrait::Column& column : after.columns) {
    if (dossier.table) {
      const auto before =
          std::ranges::find(dossier.table->columns, column.name, &Portrait::Column::name);
      if (before != dossier.table->columns.end()) {
        section.blocks.push_back(Beside{
            {BarsGrid(
                 column.name + " in the table (" + Counted(before->labels, "value", "values") + ")",
                 *before),
             BarsGrid(
                 column.name + " as published (" + Counted(column.labels, "label", "labels") + ")",
                 column)}});
        continue;
      }
    }
    if (section.blocks.empty() || !std::holds_alternative<Beside>(section.blocks.back()) ||
        dossier.table) {
      section.blocks.push_back(Beside{});
    }
    std::get<Beside>(section.blocks.back())
        .grids.push_back(
            BarsGrid(column.name + " (" + Counted(column.labels, "label", "labels") + ")", column));
  }
  return section;
}

}  // namespace reissue::cli::page
