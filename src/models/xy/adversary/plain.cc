#include <algorithm>
#include <map>

#include "reissue/models/xy/adversary/assess.h"
#include "reissue/models/xy/adversary/tuples.h"

namespace reissue::models::xy {
namespace {

// One sensitive y (or value) in one partition.
struct Exposure {
  std::uint64_t rows = 0;
  double share = 0, threshold = 0;
  std::vector<std::uint32_t> y;
  std::optional<std::size_t> value;
  double excess() const { return share - threshold; }
};

class Plain {
 public:
  Plain(const Matching& matching, const Requirement& requirement,
        const std::vector<TableParts>& parts, std::size_t limit)
      : matching_(matching),
        requirement_(requirement),
        parts_(parts),
        places_(PlacesOfX(requirement, matching.tables())),
        limit_(limit) {}

  RequirementReport Anonymity() const {
    RequirementReport report;
    std::vector<std::vector<Wide>> distinct;
    for (const TableParts& table : parts_) {
      auto& own = distinct.emplace_back();
      for (const Part& part : table.parts) {
        own.push_back(table.key ? part.rows : table.has_y() ? part.last_y - part.first_y : 1);
      }
    }
    WorstTuples<Wide, LeastProduct> worst(matching_, parts_, places_, distinct,
                                          std::max<std::size_t>(limit_, 1));
    for (const auto& tuple : worst.Run()) {
      Finding finding = Begin(tuple.parts);
      finding.distinct = Saturated(tuple.score);
      if (!report.anonymity) report.anonymity = finding.distinct;
      if (report.worst.size() < limit_) report.worst.push_back(std::move(finding));
    }
    report.violating = Saturated(CountBelow(distinct, requirement_.k));
    report.satisfied = report.violating == 0;
    report.one_row = CountOneRow();
    return report;
  }

  RequirementReport Linkability() const {
    RequirementReport report;
    // Partitions, per table and group.
    std::vector<std::vector<std::size_t>> broken(parts_.size()), certain(parts_.size());
    for (std::size_t table = 0; table < parts_.size(); ++table) {
      broken[table].assign(matching_.groups(table), 0);
      certain[table].assign(matching_.groups(table), 0);
      if (!parts_[table].has_y()) continue;
      std::vector<std::vector<double>> excess;
      for (const TableParts& other : parts_) excess.emplace_back(other.parts.size(), 1.0);
      for (std::size_t i = 0; i < parts_[table].parts.size(); ++i) {
        const Part& part = parts_[table].parts[i];
        double largest = 0;
        const Exposure exposure = Worst(table, part, largest);
        excess[table][i] = exposure.excess();
        broken[table][part.group] += exposure.share > exposure.threshold;
        certain[table][part.group] += largest == 1;
        report.linkability = std::max(report.linkability.value_or(0), largest);
      }
      WorstTuples<double, GreatestExcess> worst(matching_, parts_, places_, excess,
                                                std::max<std::size_t>(limit_, 1));
      for (const auto& tuple : worst.Run()) report.worst.push_back(Describe(tuple.parts));
    }
    // The worst of all are among the worst of each table.
    std::ranges::sort(report.worst, [](const Finding& a, const Finding& b) {
      const double left = a.share - a.threshold;
      const double right = b.share - b.threshold;
      return left != right ? left > right : a.x < b.x;
    });
    const auto same = [](const Finding& a, const Finding& b) { return a.x == b.x; };
    report.worst.erase(std::unique(report.worst.begin(), report.worst.end(), same),
                       report.worst.end());
    if (report.worst.size() > limit_) report.worst.resize(limit_);
    report.violating = CountBroken(broken);
    report.satisfied = report.violating == 0;
    report.certain = CountBroken(certain);
    report.one_row = CountOneRow();
    return report;
  }

 private:
  Finding Begin(std::span<const std::uint32_t> tuple) const {
    Finding finding;
    finding.records = 1;
    for (const Attribute& place : places_) {
      const TableParts& table = parts_[place.table];
      finding.x.push_back(table.x.key(table.parts[tuple[place.table]].x)[place.column]);
    }
    for (std::size_t table = 0; table < parts_.size(); ++table) {
      finding.records *= parts_[table].parts[tuple[table]].rows;
    }
    return finding;
  }

  // The y of a partition that exceeds its threshold most; the largest share of any.
  Exposure Worst(std::size_t table, const Part& part, double& largest) const {
    Exposure worst;
    bool first = true;
    const auto consider = [&](Exposure exposure) {
      exposure.share = Share(exposure.rows, part.rows);
      largest = std::max(largest, exposure.share);
      const bool better =
          first || exposure.excess() > worst.excess() ||
          (exposure.excess() == worst.excess() && !exposure.value && exposure.y < worst.y);
      if (better) worst = std::move(exposure);
      first = false;
    };
    if (requirement_.values.empty()) {
      for (const TableParts::Y& y : parts_[table].y_of(part)) {
        // Copying the codes of a y that cannot be the worst would cost more than all the rest.
        if (y.rows < worst.rows) continue;
        consider({y.rows, 0, requirement_.confidence, CodesOfY(table, y.y), std::nullopt});
      }
      return worst;
    }
    for (std::size_t i = 0; i < requirement_.values.size(); ++i) {
      const auto& value = requirement_.values[i];
      if (value.column.table != table) continue;
      const auto& columns = parts_[table].y_columns;
      const auto at = static_cast<std::size_t>(std::ranges::find(columns, value.column.column) -
                                               columns.begin());
      std::uint64_t rows = 0;
      for (const TableParts::Y& y : parts_[table].y_of(part)) {
        if (parts_[table].Counts(y.y, at, value.code)) rows += y.rows;
      }
      consider({rows, 0, value.threshold, {value.code}, i});
    }
    return worst;
  }

  // In the order of Requirement::y, a column named twice twice.
  std::vector<std::uint32_t> CodesOfY(std::size_t table, std::uint32_t y) const {
    const auto& columns = parts_[table].y_columns;
    std::vector<std::uint32_t> codes;
    for (const Attribute& column : requirement_.y) {
      const auto at = std::ranges::find(columns, column.column) - columns.begin();
      codes.push_back(parts_[table].y.key(y)[static_cast<std::size_t>(at)]);
    }
    return codes;
  }

  Finding Describe(std::span<const std::uint32_t> tuple) const {
    Finding finding = Begin(tuple);
    bool first = true;
    for (std::size_t table = 0; table < parts_.size(); ++table) {
      if (!parts_[table].has_y()) continue;
      const Part& part = parts_[table].parts[tuple[table]];
      double largest = 0;
      Exposure exposure = Worst(table, part, largest);
      const double known = finding.share - finding.threshold;
      if (!first && (exposure.excess() < known ||
                     (exposure.excess() == known && exposure.value > finding.value))) {
        continue;
      }
      first = false;
      finding.y = std::move(exposure.y);
      finding.value = exposure.value;
      finding.records_with_y = finding.records / part.rows * exposure.rows;
      finding.share = exposure.share;
      finding.threshold = exposure.threshold;
    }
    return finding;
  }

  // Complete tuples whose product is below k. Factors are 1 or more, so none of them reaches k.
  Wide CountBelow(const std::vector<std::vector<Wide>>& factors, std::uint64_t k) const {
    using Counts = std::map<Wide, Wide>;  // factor → how many
    const auto of_groups = [&](std::size_t table) {
      std::vector<Counts> counts(matching_.groups(table));
      for (std::size_t i = 0; i < parts_[table].parts.size(); ++i) {
        if (factors[table][i] < k) ++counts[parts_[table].parts[i].group][factors[table][i]];
      }
      return counts;
    };
    std::vector<Counts> states = of_groups(0);
    for (std::size_t table = 0; table + 1 < parts_.size(); ++table) {
      const std::vector<Counts> groups = of_groups(table + 1);
      std::vector<Counts> next(matching_.states(table + 1));
      for (std::size_t state = 0; state < states.size(); ++state) {
        for (const Matching::Step& step : matching_.steps(table, state)) {
          for (const auto& [a, how_many] : states[state]) {
            for (const auto& [b, times] : groups[step.group]) {
              if (a * b >= k) break;
              next[step.state][a * b] += how_many * times;
            }
          }
        }
      }
      states = std::move(next);
    }
    Wide sum = 0;
    for (const Counts& counts : states) {
      for (const auto& [product, how_many] : counts) sum += how_many;
    }
    return sum;
  }

  // X tells the groups: the rows of table 0 that fit are those of its partition.
  std::uint64_t CountOneRow() const {
    std::vector<std::vector<Wide>> rows;
    for (const TableParts& table : parts_) rows.emplace_back(table.parts.size(), 1);
    for (std::size_t i = 0; i < rows[0].size(); ++i) rows[0][i] = parts_[0].parts[i].rows;
    return Saturated(CountBelow(rows, 2));
  }

  // Complete tuples with a broken partition: all, less those without one.
  std::uint64_t CountBroken(const std::vector<std::vector<std::size_t>>& broken) const {
    const auto walk = [&](bool whole_only) {
      const auto of_group = [&](std::size_t table, std::size_t group) {
        return Wide{parts_[table].of_group(group).size() - (whole_only ? broken[table][group] : 0)};
      };
      std::vector<Wide> states(matching_.states(0));
      for (std::size_t i = 0; i < states.size(); ++i) states[i] = of_group(0, i);
      for (std::size_t table = 0; table + 1 < parts_.size(); ++table) {
        std::vector<Wide> next(matching_.states(table + 1), 0);
        for (std::size_t state = 0; state < states.size(); ++state) {
          for (const Matching::Step& step : matching_.steps(table, state)) {
            next[step.state] += states[state] * of_group(table + 1, step.group);
          }
        }
        states = std::move(next);
      }
      Wide sum = 0;
      for (const Wide count : states) sum += count;
      return sum;
    };
    return Saturated(walk(false) - walk(true));
  }

  const Matching& matching_;
  const Requirement& requirement_;
  const std::vector<TableParts>& parts_;
  std::vector<Attribute> places_;
  std::size_t limit_;
};

}  // namespace

bool IsPlain(const Matching& matching, const Requirement& requirement,
             const std::vector<TableParts>& parts) {
  if (!XTellsGroups(matching, parts)) return false;
  if (requirement.kind == Requirement::Kind::kAnonymity || !requirement.values.empty()) return true;
  return !requirement.y.empty() && std::ranges::all_of(requirement.y, [&](const Attribute& column) {
    return column.table == requirement.y[0].table;
  });
}

RequirementReport AssessPlain(const Matching& matching, const Requirement& requirement,
                              const std::vector<TableParts>& parts, std::size_t limit) {
  const Plain plain(matching, requirement, parts, limit);
  return requirement.kind == Requirement::Kind::kAnonymity ? plain.Anonymity()
                                                           : plain.Linkability();
}

}  // namespace reissue::models::xy
