#include <algorithm>

#include "reissue/core/result.h"
#include "reissue/models/xy/adversary/assess.h"
#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/adversary/tuples.h"

namespace reissue::models::xy {
namespace {

// The tables without the rows that say something else than `x`.
Linked OnlyWith(const Linked& linked, const Requirement& requirement,
                std::span<const std::uint32_t> x) {
  Linked only = linked;
  for (std::size_t table = 0; table < linked.tables.size(); ++table) {
    const Cells& cells = linked.tables[table].cells;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const auto key = cells.key(CellId(cell));
      bool same = cells.count(CellId(cell)) > 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Attribute& column = requirement.x[i];
        if (column.table == table && key[column.column] != x[i]) same = false;
      }
      if (!same) continue;
      keys.insert(keys.end(), key.begin(), key.end());
      counts.push_back(cells.count(CellId(cell)));
    }
    only.tables[table].cells = Cells(cells.width(), std::move(keys), std::move(counts));
  }
  return only;
}

// X and all that decides what matches.
std::vector<std::vector<std::size_t>> ColumnsThatMatter(const Matching& matching,
                                                        const Requirement& requirement) {
  std::vector<std::vector<std::size_t>> columns;
  for (std::size_t table = 0; table < matching.tables(); ++table) {
    auto& own = columns.emplace_back(matching.columns(table));
    for (const Attribute& column : requirement.x) {
      if (column.table == table) own.push_back(column.column);
    }
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return columns;
}

// How many complete tuples of partitions there are.
Wide CountTuples(const Matching& matching, const std::vector<TableParts>& parts) {
  std::vector<Wide> states(matching.states(0));
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = parts[0].of_group(i).size();
  for (std::size_t table = 0; table + 1 < parts.size(); ++table) {
    std::vector<Wide> next(matching.states(table + 1), 0);
    for (std::size_t state = 0; state < states.size(); ++state) {
      for (const Matching::Step& step : matching.steps(table, state)) {
        next[step.state] += states[state] * parts[table + 1].of_group(step.group).size();
      }
    }
    states = std::move(next);
  }
  Wide sum = 0;
  for (const Wide count : states) sum += count;
  return sum;
}

void ListMatches(const Linked& linked, const Matching& matching, std::size_t limit,
                 Explanation& explanation) {
  Requirement partitions;
  for (std::size_t table = 0; table < matching.tables(); ++table) {
    for (const std::size_t column : explanation.columns[table]) {
      partitions.x.push_back({table, column});
    }
  }
  const std::vector<TableParts> parts = MakeParts(linked, matching, partitions);
  const std::vector<Attribute> places = PlacesOfX(partitions, parts.size());
  std::vector<std::vector<Wide>> rows;
  for (const TableParts& table : parts) {
    auto& own = rows.emplace_back();
    for (const Part& part : table.parts) own.push_back(part.rows);
  }
  const std::uint64_t all = Saturated(CountTuples(matching, parts));
  if (limit > 0) {
    WorstTuples<Wide, GreatestProduct> most(matching, parts, places, rows, limit);
    for (const auto& tuple : most.Run()) {
      Explanation::Match& match = explanation.matches.emplace_back();
      match.records = tuple.score;
      for (std::size_t table = 0; table < parts.size(); ++table) {
        const Part& part = parts[table].parts[tuple.parts[table]];
        const auto codes = parts[table].x.key(part.x);
        match.partitions.emplace_back(codes.begin(), codes.end());
        match.rows.push_back(part.rows);
      }
    }
  }
  explanation.more = all - explanation.matches.size();
}

}  // namespace

Explanation Explain(const Linked& linked, const Requirement& requirement,
                    std::span<const std::uint32_t> x, std::size_t limit) {
  REISSUE_CHECK(x.size() == requirement.x.size());
  const Linked only = OnlyWith(linked, requirement, x);
  const Matching matching(only);
  Explanation explanation;
  explanation.columns = ColumnsThatMatter(matching, requirement);
  ListMatches(only, matching, limit, explanation);
  const JoinedX sums = SumUp(only, matching, requirement);
  explanation.records = sums.records;
  explanation.distinct = Saturated(sums.distinct);

  Requirement listed = requirement;
  listed.kind = Requirement::Kind::kLinkability;
  if (requirement.values.empty() && !requirement.y.empty()) {
    for (const JoinedX::Y& y : SumUp(only, matching, listed).ys) {
      explanation.values.push_back({y.codes, y.records, Share(y.records, sums.records)});
    }
  }
  for (std::size_t i = 0; i < sums.with_value.size(); ++i) {
    explanation.values.push_back({{requirement.values[i].code},
                                  sums.with_value[i],
                                  Share(sums.with_value[i], sums.records)});
  }
  std::ranges::stable_sort(explanation.values, std::ranges::greater(), &Explanation::Y::records);
  if (explanation.values.size() > limit) explanation.values.resize(limit);
  return explanation;
}

}  // namespace reissue::models::xy
