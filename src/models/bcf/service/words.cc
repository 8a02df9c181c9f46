#include "reissue/models/bcf/service/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace reissue::models::bcf::service {
namespace {

namespace bcf = models::bcf;

// Of the groups behind a conflict so many are listed.
constexpr std::size_t kGroupsShown = 20;
// In a sentence.
constexpr std::size_t kCellsNamed = 3;

std::string ValueOf(const BoundSeries& bound, std::uint32_t code) {
  return std::string((*bound.values)[ValueId(code)]);
}

// "rows with Flu", or "rows" where no column is sensitive.
std::string RowsWith(const BoundSeries& bound, std::uint64_t rows, std::uint32_t code) {
  if (bound.columns.sensitive.empty()) return binding::Rows(rows);
  return fmt::format("{} with {}", binding::Rows(rows), ValueOf(bound, code));
}

std::string LeftWhere(std::uint64_t left, std::uint64_t k) {
  return fmt::format("{} left where {} {} promised.",
                     left == 1 ? "1 is" : fmt::format("{} are", left), k, k == 1 ? "was" : "were");
}

const bcf::GroupCrack& LargestCrack(const bcf::Finding& finding) {
  return *std::max_element(finding.groups.begin(), finding.groups.end(),
                           [](const auto& a, const auto& b) { return a.excluded < b.excluded; });
}

std::string OtherValues(const bcf::Finding& finding) {
  const auto cracked = std::count_if(finding.groups.begin(), finding.groups.end(),
                                     [](const auto& group) { return group.excluded > 0; });
  if (cracked < 2) return "";
  return fmt::format(" (and so on for {} other value{})", cracked - 1, cracked == 2 ? "" : "s");
}

// Why rows of F and C are excluded.
std::string TogetherReason(const BoundSeries& bound, const bcf::Finding& finding) {
  const bcf::GroupCrack& crack = LargestCrack(finding);
  if (crack.counterpart + crack.excluded == crack.size) {
    return fmt::format("release {} has only {} there, release {} has {}", finding.against + 1,
                       RowsWith(bound, crack.counterpart, crack.value), finding.release + 1,
                       crack.size);
  }
  return fmt::format("of the {} at most {} can be the same people in both places",
                     RowsWith(bound, crack.size, crack.value), crack.size - crack.excluded);
}

// Why rows of B are excluded.
std::string OlderReason(const BoundSeries& bound, const bcf::Finding& finding) {
  const bcf::GroupCrack& crack = LargestCrack(finding);
  const std::uint64_t elsewhere = crack.class_later - std::min(crack.class_later, crack.size);
  if (crack.class_earlier == elsewhere + crack.excluded) {
    return fmt::format(
        "release {} has {} that can only be in this group and those like it, which have {}, and "
        "{} of them find{} room elsewhere",
        finding.against + 1, RowsWith(bound, crack.class_earlier, crack.value), crack.class_later,
        elsewhere == 0 ? "none" : fmt::format("{}", elsewhere), elsewhere < 2 ? "s" : "");
  }
  return fmt::format("release {} has {} that find no room in any other group", finding.against + 1,
                     RowsWith(bound, crack.excluded, crack.value));
}

std::string Verb(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string FindingWords(const BoundSeries& bound, const bcf::Finding& finding,
                         const SeriesExposure& exposure, std::uint64_t k) {
  if (finding.excluded == 0) {
    return fmt::format("Only {} {} {} in release {}. {}", binding::Rows(finding.size),
                       finding.size == 1 ? "matches" : "match", binding::Where(exposure.cell),
                       exposure.release, LeftWhere(finding.left, k));
  }
  const std::string rows =
      fmt::format("Of the {} that match {} in release {}, ", binding::Rows(finding.size),
                  binding::Where(exposure.cell), exposure.release);
  if (finding.kind == bcf::AttackKind::kBackward) {
    return rows + fmt::format("{} be older than somebody who first appears there: {}{}. {}",
                              Verb(finding.excluded, "must", "must"), OlderReason(bound, finding),
                              OtherValues(finding), LeftWhere(finding.left, k));
  }
  return rows + fmt::format("{} belong to somebody who is in release {} with {}: {}{}. {}",
                            Verb(finding.excluded, "cannot", "cannot"), finding.against + 1,
                            binding::Where(exposure.elsewhere[0].cell),
                            TogetherReason(bound, finding), OtherValues(finding),
                            LeftWhere(finding.left, k));
}

std::string CellsInWords(const std::vector<binding::LabelledCell>& cells) {
  std::vector<std::string> items;
  for (const binding::LabelledCell& cell : cells) {
    if (items.size() == kCellsNamed) break;
    items.push_back("(" + binding::Where(cell) + ")");
  }
  if (cells.size() > kCellsNamed) {
    items.push_back(fmt::format("{} more", cells.size() - kCellsNamed));
  }
  return binding::Listed(items);
}

void AddGroup(const BoundSeries& bound, std::size_t release, std::uint32_t cell,
              std::uint32_t value, std::int64_t times, SeriesConflict& conflict) {
  if (conflict.groups.size() == kGroupsShown) {
    ++conflict.more_groups;
    return;
  }
  const bcf::Release& published = bound.series.release(release);
  const auto group = published.FindGroup(cell, value);
  conflict.groups.push_back({FromOne(release), CellOf(bound, release, cell),
                             group ? published.rows_of_group(*group) : 0, times});
}

}  // namespace

binding::LabelledCell CellOf(const BoundSeries& bound, std::size_t release, std::size_t cell) {
  binding::LabelledCell labelled;
  for (std::size_t q = 0; q < bound.columns.quasi.size(); ++q) {
    labelled.emplace_back(bound.columns.quasi[q],
                          bound.series.label(q, bound.series.release(release).node(cell, q)));
  }
  return labelled;
}

SeriesExposure DescribeFinding(const BoundSeries& bound, const bcf::Finding& finding,
                               std::size_t born, std::uint64_t k) {
  SeriesExposure exposure;
  exposure.attack = bcf::Letter(finding.kind);
  exposure.promise = "k";
  exposure.born = FromOne(born);
  exposure.release = FromOne(finding.release);
  exposure.against = {FromOne(finding.against)};
  exposure.cell = CellOf(bound, finding.release, finding.cell);
  exposure.size = finding.size;
  exposure.excluded = finding.excluded;
  exposure.left = finding.left;
  if (finding.other) {
    exposure.elsewhere.push_back(
        {FromOne(finding.against), CellOf(bound, finding.against, *finding.other),
         bound.series.release(finding.against).rows_of_cell(*finding.other)});
  }
  exposure.words = FindingWords(bound, finding, exposure, k);
  return exposure;
}

SeriesExposure DescribeBreach(const BoundSeries& bound, const bcf::Pair& pair,
                              const bcf::DiversityBreach& breach) {
  const bcf::Finding finding =
      bcf::Explain(bound.series, pair, breach.kind, breach.cell, breach.other.value_or(0));
  SeriesExposure exposure = DescribeFinding(bound, finding, finding.born, 0);
  exposure.promise = breach.promise;
  std::vector<std::string> values;
  for (const bcf::GroupCrack& group : finding.groups) {
    if (group.size > group.excluded) {
      values.push_back(
          fmt::format("{} {}", group.size - group.excluded, ValueOf(bound, group.value)));
    }
  }
  if (values.size() > kCellsNamed) {
    const std::size_t more = values.size() - kCellsNamed;
    values.resize(kCellsNamed);
    values.push_back(fmt::format("{} other values", more));
  }
  exposure.words = fmt::format(
      "Of the {} that match {} in release {}, {} left to somebody who {}: {}. That breaks the "
      "promise `{}`.",
      binding::Rows(exposure.size), binding::Where(exposure.cell), exposure.release,
      Verb(exposure.left, "is", "are"),
      exposure.elsewhere.empty()
          ? fmt::format("first appears there and not in release {}", exposure.against[0])
          : fmt::format("is in release {} with {}", exposure.against[0],
                        binding::Where(exposure.elsewhere[0].cell)),
      binding::Listed(values), breach.promise);
  return exposure;
}

SeriesExposure DescribeTarget(const BoundSeries& bound, const bcf::TargetLeft& found,
                              std::uint64_t k) {
  const bcf::Target& target = found.target;
  SeriesExposure exposure;
  exposure.attack = "exact";
  exposure.promise = found.broken.empty() ? "k" : found.broken.front();
  exposure.born = FromOne(target.birth);
  exposure.release = FromOne(target.birth);
  exposure.cell = CellOf(bound, target.birth, target.cells[0]);
  exposure.size = bound.series.release(target.birth).rows_of_cell(target.cells[0]);
  exposure.left = found.left.upper;
  exposure.excluded = exposure.size - std::min(exposure.size, exposure.left);
  for (std::size_t i = 0; i < bound.series.size(); ++i) {
    if (i != target.birth) exposure.against.push_back(FromOne(i));
  }
  std::string places;
  for (std::size_t i = 1; i < target.cells.size(); ++i) {
    const std::size_t release = target.birth + i;
    exposure.elsewhere.push_back({FromOne(release), CellOf(bound, release, target.cells[i]),
                                  bound.series.release(release).rows_of_cell(target.cells[i])});
    places += fmt::format(", and one of the {} that match {} in release {}",
                          exposure.elsewhere.back().size,
                          binding::Where(exposure.elsewhere.back().cell), FromOne(release));
  }
  const bool rows = exposure.promise == "k";
  exposure.words = fmt::format(
      "Somebody who first appears in release {} is one of the {} that match {} there{}. All "
      "releases together leave {} that can be this person{}",
      exposure.born, binding::Rows(exposure.size), binding::Where(exposure.cell), places,
      exposure.left == 1 ? "only 1" : fmt::format("only {}", exposure.left),
      rows ? fmt::format(", where {} {} promised.", k, k == 1 ? "was" : "were")
           : fmt::format(", and their sensitive values break the promise `{}`.", exposure.promise));
  return exposure;
}

SeriesConflict DescribeContradiction(const BoundSeries& bound, std::size_t earlier,
                                     std::size_t later, const bcf::Contradiction& contradiction) {
  SeriesConflict conflict;
  conflict.value = ValueOf(bound, contradiction.value);
  std::vector<binding::LabelledCell> before, after;
  for (const std::uint32_t cell : contradiction.earlier_cells) {
    AddGroup(bound, earlier, cell, contradiction.value, -1, conflict);
    before.push_back(CellOf(bound, earlier, cell));
  }
  for (const std::uint32_t cell : contradiction.later_cells) {
    AddGroup(bound, later, cell, contradiction.value, 1, conflict);
    after.push_back(CellOf(bound, later, cell));
  }
  const std::string rows = RowsWith(bound, contradiction.earlier_rows, contradiction.value);
  if (after.empty()) {
    conflict.words =
        fmt::format("Release {} has {} in {}; release {} has no group that could contain them.",
                    earlier + 1, rows, CellsInWords(before), later + 1);
  } else {
    conflict.words = fmt::format(
        "Release {} has {} in {}. In release {} they could only be in {}, where there {} {} such "
        "{}.",
        earlier + 1, rows, CellsInWords(before), later + 1, CellsInWords(after),
        contradiction.later_rows == 1 ? "is" : "are",
        contradiction.later_rows == 0 ? "no" : fmt::format("only {}", contradiction.later_rows),
        contradiction.later_rows == 1 ? "row" : "rows");
  }
  return conflict;
}

SeriesConflict DescribeImpossible(const BoundSeries& bound, const bcf::Impossible& impossible) {
  SeriesConflict conflict;
  conflict.value = ValueOf(bound, impossible.value);
  for (const bcf::Impossible::Term& term : impossible.terms) {
    AddGroup(bound, term.release, term.cell, impossible.value, term.times, conflict);
  }
  const std::string what = bound.columns.sensitive.empty()
                               ? std::string("the rows")
                               : fmt::format("the rows with {}", conflict.value);
  conflict.words = fmt::format(
      "No growing table has {} of all releases together, although each two of them agree.", what);
  if (impossible.terms.empty()) {
    conflict.words += " There is no short proof to show.";
  } else {
    std::vector<std::string> groups;
    for (const SeriesConflict::Group& group : conflict.groups) {
      groups.push_back(fmt::format("{} in release {} ({})", binding::Rows(group.rows),
                                   group.release, binding::Where(group.cell)));
    }
    conflict.words += fmt::format(" These contradict each other: {}.", binding::Listed(groups));
  }
  return conflict;
}

std::string WhyFlow(const BoundSeries& bound, std::size_t earlier, std::size_t later) {
  std::vector<std::string> reasons;
  for (const auto& [release, other] :
       {std::pair(earlier, later), std::pair(earlier, earlier), std::pair(later, later)}) {
    const auto found = FindCrossing(bound.series, release, other);
    if (!found) continue;
    const std::string& column = bound.columns.quasi[found->column];
    const std::string label = bound.series.label(found->column, found->label);
    const std::string other_label = bound.series.label(found->column, found->other_label);
    return release == other
               ? fmt::format("in release {} the column \"{}\" has {} and {}, which overlap",
                             release + 1, column, label, other_label)
               : fmt::format(
                     "the column \"{}\" has {} in release {} and {} in release {}, which "
                     "overlap",
                     column, label, release + 1, other_label, other + 1);
  }
  for (const std::size_t release : {earlier, later}) {
    const auto& nested = bound.series.recoding(release).nested;
    if (!nested) continue;
    const auto& tree = bound.series.tree(nested->column);
    reasons.push_back(fmt::format(
        "in release {} the column \"{}\" has both {} and {}, which stands above it", release + 1,
        bound.columns.quasi[nested->column], tree.label(nested->below), tree.label(nested->above)));
  }
  return binding::Listed(reasons);
}

}  // namespace reissue::models::bcf::service
