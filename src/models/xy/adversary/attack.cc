#include "reissue/models/xy/adversary/attack.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace reissue::models::xy {
namespace {

using Codes = std::vector<std::uint32_t>;
using Tuple = std::vector<std::size_t>;  // one cell per table

std::uint32_t CodeOf(const Linked& linked, const Tuple& tuple, const Attribute& column) {
  return linked.tables[column.table].cells.key(CellId(tuple[column.table]))[column.column];
}

Codes CodesOf(const Linked& linked, const Tuple& tuple, const std::vector<Attribute>& columns) {
  Codes codes;
  for (const Attribute& column : columns) codes.push_back(CodeOf(linked, tuple, column));
  return codes;
}

std::uint64_t Rows(const Linked& linked, const Tuple& tuple, std::size_t table) {
  return linked.tables[table].cells.count(CellId(tuple[table]));
}

bool Below(const Linked& linked, const Attribute& column, std::uint32_t above, std::uint32_t code) {
  const auto& tree = linked.tables[column.table].trees[column.column];
  return tree == nullptr ? above == code : tree->IsAncestor(NodeId(above), NodeId(code));
}

// Whether the newest cell of a tuple matches those before it.
bool Matches(const Linked& linked, const Tuple& tuple) {
  const std::size_t newest = tuple.size() - 1;
  for (const auto& join : linked.joins) {
    const auto own = std::ranges::find(join, newest, &Attribute::table);
    if (own == join.end()) continue;
    const auto& tree = *linked.tables[newest].trees[own->column];
    const NodeId node(CodeOf(linked, tuple, *own));
    for (const Attribute& other : join) {
      if (other.table >= newest) continue;
      if (!tree.OnOnePath(node, NodeId(CodeOf(linked, tuple, other)))) return false;
    }
  }
  for (const Inconsistent& pair : linked.inconsistent) {
    if (std::max(pair.a.table, pair.b.table) != newest) continue;
    if (Below(linked, pair.a, pair.a_code, CodeOf(linked, tuple, pair.a)) &&
        Below(linked, pair.b, pair.b_code, CodeOf(linked, tuple, pair.b))) {
      return false;
    }
  }
  return true;
}

template <typename Visit>
void ForEachMatch(const Linked& linked, Tuple& tuple, const Visit& visit) {
  if (tuple.size() == linked.tables.size()) return visit(tuple);
  const std::size_t cells = linked.tables[tuple.size()].cells.size();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    tuple.push_back(cell);
    if (Matches(linked, tuple)) ForEachMatch(linked, tuple, visit);
    tuple.pop_back();
  }
}

std::uint64_t Saturate(Wide value) {
  return static_cast<std::uint64_t>(
      std::min<Wide>(value, std::numeric_limits<std::uint64_t>::max()));
}

double Share(Wide part, Wide whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// What the join says about one combination on X.
struct Group {
  Wide records = 0;
  // Anonymity: y (with the cells of tables whose rows count as themselves) → how many it stands
  // for.
  std::map<Codes, Wide> distinct;
  std::map<Codes, Wide> with_y;  // linkability without values
  std::vector<Wide> with_value;  // linkability with values
};

void Add(const Linked& linked, const Requirement& requirement, const Tuple& tuple, Wide records,
         Group& group) {
  group.records += records;
  Codes y = CodesOf(linked, tuple, requirement.y);
  if (requirement.kind == Requirement::Kind::kAnonymity) {
    Wide rows = 1;
    std::vector<std::size_t> keys = requirement.y_keys;
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::size_t table : keys) {
      y.push_back(static_cast<std::uint32_t>(tuple[table]));
      rows *= Rows(linked, tuple, table);
    }
    group.distinct[y] = rows;
    return;
  }
  if (requirement.values.empty()) {
    group.with_y[y] += records;
    return;
  }
  group.with_value.resize(requirement.values.size());
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    if (CodeOf(linked, tuple, requirement.values[i].column) == requirement.values[i].code) {
      group.with_value[i] += records;
    }
  }
}

Finding Describe(const Requirement& requirement, const Codes& x, const Group& group) {
  Finding finding;
  finding.x = x;
  finding.records = group.records;
  Wide distinct = 0;
  for (const auto& [y, rows] : group.distinct) distinct += rows;
  finding.distinct = Saturate(distinct);
  bool first = true;
  const auto consider = [&](Codes y, std::optional<std::size_t> value, Wide records,
                            double threshold) {
    const double share = Share(records, group.records);
    if (!first && share - threshold <= finding.share - finding.threshold) return;
    first = false;
    finding.y = std::move(y);
    finding.value = value;
    finding.records_with_y = records;
    finding.share = share;
    finding.threshold = threshold;
  };
  for (const auto& [y, records] : group.with_y) {
    consider(y, std::nullopt, records, requirement.confidence);
  }
  for (std::size_t i = 0; i < group.with_value.size(); ++i) {
    consider({requirement.values[i].code}, i, group.with_value[i], requirement.values[i].threshold);
  }
  return finding;
}

RequirementReport Assess(const Requirement& requirement, const std::map<Codes, Group>& groups,
                         std::size_t limit) {
  RequirementReport report;
  const bool anonymity = requirement.kind == Requirement::Kind::kAnonymity;
  for (const auto& [x, group] : groups) {
    const Finding finding = Describe(requirement, x, group);
    const bool broken =
        anonymity ? finding.distinct < requirement.k : finding.share > finding.threshold;
    report.violating += broken;
    if (anonymity) {
      report.anonymity = std::min(report.anonymity.value_or(finding.distinct), finding.distinct);
    } else {
      double largest = report.linkability.value_or(0);
      for (const auto& [y, records] : group.with_y) {
        largest = std::max(largest, Share(records, group.records));
      }
      for (const Wide records : group.with_value) {
        largest = std::max(largest, Share(records, group.records));
      }
      report.linkability = largest;
    }
    report.worst.push_back(finding);
  }
  std::ranges::stable_sort(report.worst, [&](const Finding& a, const Finding& b) {
    if (anonymity) return a.distinct < b.distinct;
    return a.share - a.threshold > b.share - b.threshold;
  });
  if (report.worst.size() > limit) report.worst.resize(limit);
  report.satisfied = report.violating == 0;
  return report;
}

}  // namespace

Report Attack(const Linked& linked, std::span<const Requirement> requirements, std::size_t limit) {
  Report report;
  std::vector<std::map<Codes, Group>> groups(requirements.size());
  std::vector<std::set<std::size_t>> partnered(linked.tables.size());
  Tuple tuple;
  ForEachMatch(linked, tuple, [&](const Tuple& match) {
    Wide records = 1;
    for (std::size_t table = 0; table < match.size(); ++table) {
      records *= Rows(linked, match, table);
      partnered[table].insert(match[table]);
    }
    report.join_rows += records;
    for (std::size_t i = 0; i < requirements.size(); ++i) {
      Add(linked, requirements[i], match, records,
          groups[i][CodesOf(linked, match, requirements[i].x)]);
    }
  });
  for (std::size_t table = 0; table < linked.tables.size(); ++table) {
    std::uint64_t dangling = linked.tables[table].cells.rows();
    for (const std::size_t cell : partnered[table]) {
      dangling -= linked.tables[table].cells.count(CellId(cell));
    }
    report.dangling.push_back(dangling);
  }
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    report.requirements.push_back(Assess(requirements[i], groups[i], limit));
    report.satisfied = report.satisfied && report.requirements.back().satisfied;
  }
  return report;
}

Explanation Explain(const Linked& linked, const Requirement& requirement,
                    std::span<const std::uint32_t> x, std::size_t limit) {
  Explanation explanation;
  explanation.columns.resize(linked.tables.size());
  Group group;
  Tuple tuple;
  ForEachMatch(linked, tuple, [&](const Tuple& match) {
    if (!std::ranges::equal(CodesOf(linked, match, requirement.x), x)) return;
    Wide records = 1;
    for (std::size_t table = 0; table < match.size(); ++table) {
      records *= Rows(linked, match, table);
    }
    Add(linked, requirement, match, records, group);
  });
  explanation.records = group.records;
  explanation.distinct = Describe(requirement, Codes(x.begin(), x.end()), group).distinct;
  (void)limit;
  return explanation;
}

}  // namespace reissue::models::xy
