#include <algorithm>

#include "reissue/models/xy/adversary/assess.h"
#include "reissue/models/xy/adversary/tuples.h"

namespace reissue::models::xy {
namespace {

using Codes = std::vector<std::uint32_t>;

// Adds up the join for one combination on the X of table 0 after the other. An entry is a
// combination on the X of the other tables, a y, and a state; a y has a number per table: of its
// codes, or (rows that count as themselves) of the partition, which then stands for all its rows.
class Products {
 public:
  Products(const Matching& matching, const Requirement& requirement,
           const std::vector<TableParts>& parts)
      : matching_(matching),
        requirement_(requirement),
        parts_(parts),
        tables_(matching.tables()),
        places_(PlacesOfX(requirement, tables_)),
        entries_(2 * tables_),
        next_(2 * tables_),
        xs_(tables_ - 1) {
    for (const Attribute& column : requirement.y) {
      const auto& columns = parts_[column.table].y_columns;
      const auto at = std::ranges::find(columns, column.column);
      y_places_.push_back({column.table, static_cast<std::size_t>(at - columns.begin())});
    }
    for (const auto& value : requirement.values) {
      const auto& columns = parts_[value.column.table].y_columns;
      const auto at = std::ranges::find(columns, value.column.column);
      value_places_.push_back({value.column.table, static_cast<std::size_t>(at - columns.begin())});
    }
  }

  // visit(x, sums): `x` builds the codes when called.
  template <typename Visit>
  void ForEachX(const Visit& visit) {
    const auto& first = parts_[0].parts;
    for (std::size_t begin = 0; begin < first.size();) {
      std::size_t end = begin;
      while (end < first.size() && first[end].x == first[begin].x) ++end;
      Join(begin, end);
      SumUp();
      for (std::size_t i = 0; i < xs_.size(); ++i) {
        visit([&, i] { return CodesOfX(first[begin].x, i); }, sums_[i]);
      }
      begin = end;
    }
  }

  // All y of the combination that was visited last, where it was the only one.
  std::vector<JoinedX::Y> AllY() const {
    std::vector<JoinedX::Y> all;
    for (std::size_t i = 0; i < entries_.size(); ++i) all.push_back({CodesOfY(i), rows_[i]});
    std::ranges::sort(all, {}, &JoinedX::Y::codes);
    return all;
  }

  struct Sums {
    Wide records = 0;
    Wide distinct = 0;
    std::size_t most = 0;  // linkability without values: the entry of the most frequent y
    std::vector<Wide> with_value;
  };
  Wide rows(std::size_t entry) const { return rows_[entry]; }

  Codes CodesOfY(std::size_t entry) const {
    Codes codes;
    for (const Attribute& place : y_places_) {
      const std::uint32_t y = entries_.key(entry)[tables_ - 1 + place.table];
      codes.push_back(parts_[place.table].y.key(y)[place.column]);
    }
    return codes;
  }

 private:
  // Calls visit(y, rows) for each y that a partition holds.
  template <typename Visit>
  void ForEachY(const TableParts& table, std::uint32_t number, const Visit& visit) const {
    const Part& part = table.parts[number];
    if (!table.has_y()) return visit(table.key ? number : 0, part.rows);
    for (const TableParts::Y& y : table.y_of(part)) visit(y.y, y.rows);
  }

  void Add(TupleIndex& index, std::vector<Wide>& rows, const Codes& key, Wide more) {
    const std::uint32_t number = index.Add(key);
    if (number == rows.size()) rows.push_back(0);
    rows[number] += more;
  }

  // Leaves in entries_ the join of partitions [begin, end) of table 0 with all other tables.
  void Join(std::size_t begin, std::size_t end) {
    entries_.Clear();
    rows_.clear();
    Codes key(2 * tables_, 0);
    for (std::size_t i = begin; i < end; ++i) {
      ForEachY(parts_[0], static_cast<std::uint32_t>(i), [&](std::uint32_t y, std::uint64_t rows) {
        key[tables_ - 1] = y;
        key.back() = tables_ == 1 ? 0 : parts_[0].parts[i].group;
        Add(entries_, rows_, key, rows);
      });
    }
    for (std::size_t table = 1; table < tables_; ++table) {
      next_.Clear();
      next_rows_.clear();
      for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
        const auto before = entries_.key(entry);
        key.assign(before.begin(), before.end());
        for (const Matching::Step& step : matching_.steps(table - 1, before.back())) {
          key.back() = step.state;
          for (const std::uint32_t part : parts_[table].of_group(step.group)) {
            key[table - 1] = parts_[table].parts[part].x;
            ForEachY(parts_[table], part, [&](std::uint32_t y, std::uint64_t rows) {
              key[tables_ - 1 + table] = y;
              Add(next_, next_rows_, key, rows_[entry] * rows);
            });
          }
        }
      }
      std::swap(entries_, next_);
      std::swap(rows_, next_rows_);
    }
  }

  void SumUp() {
    xs_.Clear();
    sums_.clear();
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
      const auto key = entries_.key(entry);
      const std::uint32_t x = xs_.Add(key.first(tables_ - 1));
      const bool fresh = x == sums_.size();
      if (fresh) sums_.emplace_back();
      Sums& sums = sums_[x];
      sums.records += rows_[entry];
      if (requirement_.kind == Requirement::Kind::kAnonymity) {
        sums.distinct += StandsFor(key);
      } else if (!requirement_.values.empty()) {
        sums.with_value.resize(requirement_.values.size());
        for (std::size_t i = 0; i < value_places_.size(); ++i) {
          const Attribute& place = value_places_[i];
          const std::uint32_t y = key[tables_ - 1 + place.table];
          if (parts_[place.table].Counts(y, place.column, requirement_.values[i].code)) {
            sums.with_value[i] += rows_[entry];
          }
        }
      } else if (fresh || rows_[entry] > rows_[sums.most] ||
                 (rows_[entry] == rows_[sums.most] && CodesOfY(entry) < CodesOfY(sums.most))) {
        sums.most = entry;
      }
    }
  }

  Wide StandsFor(std::span<const std::uint32_t> key) const {
    Wide rows = 1;
    for (std::size_t table = 0; table < tables_; ++table) {
      if (!parts_[table].key) continue;
      rows = CappedProduct(rows, parts_[table].parts[key[tables_ - 1 + table]].rows);
    }
    return rows;
  }

  Codes CodesOfX(std::uint32_t first, std::size_t rest) const {
    Codes codes;
    for (const Attribute& place : places_) {
      const std::uint32_t x = place.table == 0 ? first : xs_.key(rest)[place.table - 1];
      codes.push_back(parts_[place.table].x.key(x)[place.column]);
    }
    return codes;
  }

  const Matching& matching_;
  const Requirement& requirement_;
  const std::vector<TableParts>& parts_;
  std::size_t tables_;
  std::vector<Attribute> places_, y_places_, value_places_;
  TupleIndex entries_, next_;  // x of tables 1, 2, …; y of tables 0, 1, …; state
  std::vector<Wide> rows_, next_rows_;
  TupleIndex xs_;
  std::vector<Sums> sums_;
};

// Rows of table 0 count, and nothing else.
bool OfRows(const Requirement& requirement) {
  return requirement.kind == Requirement::Kind::kAnonymity && requirement.y.empty() &&
         requirement.y_keys == std::vector<std::size_t>{0};
}

// The first `limit` of what is offered: by score, then by x.
class WorstFindings {
 public:
  WorstFindings(bool anonymity, std::size_t limit) : anonymity_(anonymity), limit_(limit) {}

  // The codes on X are made only where they matter.
  template <typename MakeX>
  void Offer(Finding finding, const MakeX& make_x) {
    if (limit_ == 0) return;
    if (worst_.size() == limit_ && Compare(worst_.back(), finding) < 0) return;
    finding.x = make_x();
    const auto before = [&](const Finding& a, const Finding& b) {
      const int order = Compare(a, b);
      return order != 0 ? order < 0 : a.x < b.x;
    };
    worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), finding, before),
                  std::move(finding));
    if (worst_.size() > limit_) worst_.pop_back();
  }
  std::vector<Finding> Take() { return std::move(worst_); }

 private:
  int Compare(const Finding& a, const Finding& b) const {
    if (anonymity_) return a.distinct < b.distinct ? -1 : a.distinct > b.distinct;
    const double left = a.share - a.threshold;
    const double right = b.share - b.threshold;
    return left > right ? -1 : left < right;
  }

  bool anonymity_;
  std::size_t limit_;
  std::vector<Finding> worst_;
};

}  // namespace

RequirementReport AssessByProducts(const Matching& matching, const Requirement& requirement,
                                   const std::vector<TableParts>& parts, std::size_t limit) {
  const bool anonymity = requirement.kind == Requirement::Kind::kAnonymity;
  RequirementReport report;
  WorstFindings worst(anonymity, limit);
  Products products(matching, requirement, parts);
  products.ForEachX([&](const auto& make_x, const Products::Sums& sums) {
    Finding finding;
    finding.records = sums.records;
    if (anonymity) {
      finding.distinct = Saturated(sums.distinct);
      report.anonymity = std::min(report.anonymity.value_or(finding.distinct), finding.distinct);
      report.violating += finding.distinct < requirement.k;
      report.one_row += OfRows(requirement) && finding.distinct == 1;
      worst.Offer(std::move(finding), make_x);
      return;
    }
    double largest = 0;
    if (requirement.values.empty()) {
      finding.records_with_y = products.rows(sums.most);
      finding.share = largest = Share(finding.records_with_y, sums.records);
      finding.threshold = requirement.confidence;
      finding.y = products.CodesOfY(sums.most);
    }
    for (std::size_t i = 0; i < sums.with_value.size(); ++i) {
      const double share = Share(sums.with_value[i], sums.records);
      const double threshold = requirement.values[i].threshold;
      largest = std::max(largest, share);
      if (i > 0 && share - threshold <= finding.share - finding.threshold) continue;
      finding.value = i;
      finding.y = {requirement.values[i].code};
      finding.records_with_y = sums.with_value[i];
      finding.share = share;
      finding.threshold = threshold;
    }
    report.linkability = std::max(report.linkability.value_or(0), largest);
    report.violating += finding.share > finding.threshold;
    report.certain += largest == 1;
    worst.Offer(std::move(finding), make_x);
  });
  report.satisfied = report.violating == 0;
  report.worst = worst.Take();
  return report;
}

std::uint64_t CountOneRow(const Linked& linked, const Matching& matching, Requirement requirement) {
  requirement.kind = Requirement::Kind::kAnonymity;
  requirement.y.clear();
  requirement.values.clear();
  requirement.y_keys = {0};
  const std::vector<TableParts> parts = MakeParts(linked, matching, requirement);
  return AssessByProducts(matching, requirement, parts, 0).one_row;
}

JoinedX SumUp(const Linked& linked, const Matching& matching, const Requirement& requirement) {
  JoinedX joined;
  const std::vector<TableParts> parts = MakeParts(linked, matching, requirement);
  Products products(matching, requirement, parts);
  products.ForEachX([&](const auto&, const Products::Sums& sums) {
    joined.records = sums.records;
    joined.distinct = sums.distinct;
    joined.with_value = sums.with_value;
    const bool listed =
        requirement.kind == Requirement::Kind::kLinkability && requirement.values.empty();
    if (listed) joined.ys = products.AllY();
  });
  return joined;
}

}  // namespace reissue::models::xy
