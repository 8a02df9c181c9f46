#pragma once
// Small linked tables for tests: from labels, at random; and their join, row by row.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "random_taxonomy.h"
#include "reissue/core/cells.h"
#include "reissue/core/random.h"
#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/release/linked.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::xy::testing {

using Tree = std::shared_ptr<const taxonomy::Taxonomy>;
using Codes = std::vector<std::uint32_t>;

inline Tree MakeTree(const std::vector<std::vector<std::string>>& lines) {
  std::vector<taxonomy::HierarchyLine> numbered;
  for (const auto& labels : lines) numbered.push_back({numbered.size() + 1, labels});
  return std::make_shared<taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(numbered, "tree.csv").value());
}

inline std::uint32_t Node(const Tree& tree, const std::string& label) {
  return tree->Find(label)->raw();
}

// One row per person; a label of a tree, or of a column without one a number.
inline LinkedTable FromLabels(const std::vector<Tree>& trees,
                              const std::vector<std::vector<std::string>>& rows) {
  Codes keys;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      keys.push_back(trees[i] == nullptr ? static_cast<std::uint32_t>(std::stoul(row[i]))
                                         : Node(trees[i], row[i]));
    }
  }
  return {trees, CollectCells(trees.size(), keys, std::vector<std::uint64_t>(rows.size(), 1))};
}

inline Requirement Anonymity(std::vector<Attribute> x, std::vector<Attribute> y,
                             std::vector<std::size_t> y_keys, std::uint64_t k = 2) {
  Requirement requirement;
  requirement.x = std::move(x);
  requirement.y = std::move(y);
  requirement.y_keys = std::move(y_keys);
  requirement.k = k;
  return requirement;
}

inline Requirement Linkability(std::vector<Attribute> x, std::vector<Attribute> y,
                               double confidence = 0.5) {
  Requirement requirement;
  requirement.kind = Requirement::Kind::kLinkability;
  requirement.x = std::move(x);
  requirement.y = std::move(y);
  requirement.confidence = confidence;
  return requirement;
}

// The join, row by row, from the definitions.
class RowJoin {
 public:
  explicit RowJoin(const Linked& linked) : linked_(linked), rows_(linked.tables.size()) {
    for (std::size_t table = 0; table < rows_.size(); ++table) {
      const Cells& cells = linked.tables[table].cells;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto key = cells.key(CellId(i));
        rows_[table].insert(rows_[table].end(), cells.count(CellId(i)),
                            Codes(key.begin(), key.end()));
      }
    }
    std::vector<std::size_t> tuple;
    Extend(tuple);
  }

  const std::vector<std::vector<std::size_t>>& tuples() const { return tuples_; }
  std::uint32_t Code(const std::vector<std::size_t>& tuple, const Attribute& column) const {
    return rows_[column.table][tuple[column.table]][column.column];
  }
  Codes All(const std::vector<std::size_t>& tuple, const std::vector<Attribute>& columns) const {
    Codes codes;
    for (const Attribute& column : columns) codes.push_back(Code(tuple, column));
    return codes;
  }
  std::uint64_t Dangling(std::size_t table) const {
    std::set<std::size_t> found;
    for (const auto& tuple : tuples_) found.insert(tuple[table]);
    return rows_[table].size() - found.size();
  }

  // What the report must say, by the definitions; everything counted, all findings listed.
  RequirementReport Assess(const Requirement& requirement) const {
    std::map<Codes, std::vector<std::vector<std::size_t>>> by_x;
    for (const auto& tuple : tuples_) by_x[All(tuple, requirement.x)].push_back(tuple);
    RequirementReport report;
    const bool anonymity = requirement.kind == Requirement::Kind::kAnonymity;
    for (const auto& [x, tuples] : by_x) {
      Finding finding;
      finding.x = x;
      finding.records = tuples.size();
      if (anonymity) {
        std::set<std::pair<Codes, std::vector<std::size_t>>> distinct;
        for (const auto& tuple : tuples) {
          std::vector<std::size_t> keys;
          for (const std::size_t table : requirement.y_keys) keys.push_back(tuple[table]);
          distinct.emplace(All(tuple, requirement.y), keys);
        }
        finding.distinct = distinct.size();
        report.violating += finding.distinct < requirement.k;
        report.anonymity = std::min(report.anonymity.value_or(finding.distinct), finding.distinct);
      } else {
        double largest = 0;
        Worst(requirement, tuples, finding, largest);
        report.violating += finding.share > finding.threshold;
        report.linkability = std::max(report.linkability.value_or(0), largest);
      }
      report.worst.push_back(finding);
    }
    std::ranges::stable_sort(report.worst, [&](const Finding& a, const Finding& b) {
      if (anonymity) return a.distinct < b.distinct;
      return a.share - a.threshold > b.share - b.threshold;
    });
    report.satisfied = report.violating == 0;
    return report;
  }

 private:
  void Worst(const Requirement& requirement, const std::vector<std::vector<std::size_t>>& tuples,
             Finding& finding, double& largest) const {
    std::map<std::pair<std::size_t, Codes>, std::uint64_t> counts;
    for (std::size_t i = 0; i < requirement.values.size(); ++i) {
      counts[{i, {requirement.values[i].code}}] = 0;
    }
    for (const auto& tuple : tuples) {
      if (requirement.values.empty()) ++counts[{0, All(tuple, requirement.y)}];
      for (std::size_t i = 0; i < requirement.values.size(); ++i) {
        const auto& value = requirement.values[i];
        if (AtOrBelow(value.column, value.code, Code(tuple, value.column))) {
          ++counts[{i, {value.code}}];
        }
      }
    }
    bool first = true;
    for (const auto& [y, count] : counts) {
      const bool listed = !requirement.values.empty();
      const double threshold =
          listed ? requirement.values[y.first].threshold : requirement.confidence;
      const double share = static_cast<double>(count) / static_cast<double>(tuples.size());
      largest = std::max(largest, share);
      if (!first && share - threshold <= finding.share - finding.threshold) continue;
      first = false;
      finding.y = y.second;
      if (listed) finding.value = y.first;
      finding.records_with_y = count;
      finding.share = share;
      finding.threshold = threshold;
    }
  }

  bool AtOrBelow(const Attribute& column, std::uint32_t above, std::uint32_t code) const {
    const Tree& tree = linked_.tables[column.table].trees[column.column];
    return tree ? tree->IsAncestor(NodeId(above), NodeId(code)) : above == code;
  }
  bool Matches(const std::vector<std::size_t>& tuple) const {
    for (const auto& join : linked_.joins) {
      const Tree& tree = linked_.tables[join[0].table].trees[join[0].column];
      for (const Attribute& a : join) {
        for (const Attribute& b : join) {
          if (!tree->OnOnePath(NodeId(Code(tuple, a)), NodeId(Code(tuple, b)))) return false;
        }
      }
    }
    return std::ranges::none_of(linked_.inconsistent, [&](const Inconsistent& pair) {
      return AtOrBelow(pair.a, pair.a_code, Code(tuple, pair.a)) &&
             AtOrBelow(pair.b, pair.b_code, Code(tuple, pair.b));
    });
  }
  void Extend(std::vector<std::size_t>& tuple) {
    if (tuple.size() == rows_.size()) {
      if (Matches(tuple)) tuples_.push_back(tuple);
      return;
    }
    for (std::size_t row = 0; row < rows_[tuple.size()].size(); ++row) {
      tuple.push_back(row);
      Extend(tuple);
      tuple.pop_back();
    }
  }

  const Linked& linked_;
  std::vector<std::vector<Codes>> rows_;
  std::vector<std::vector<std::size_t>> tuples_;
};

// Tables of random people: attributes with trees (some of them in several tables, each recoded in
// its own way) and one or two columns without.
struct RandomTables {
  std::size_t tables = 2;
  std::size_t attributes = 2;
  std::size_t people = 6;
  bool same_people = true;  // otherwise each table has some of its own
  bool local = false;       // rows of a column are generalised one by one
  std::size_t pairs = 0;    // inconsistent ones
};

inline LinkedTable RandomTable(Random& random, const RandomTables& shape,
                               const std::vector<Tree>& trees, const std::vector<bool>& has,
                               const std::vector<Codes>& people) {
  LinkedTable table;
  std::vector<taxonomy::Cut> cuts;
  Codes keys;
  for (const Tree& tree : trees) cuts.push_back(support::RandomCut(random, *tree, 0.6));
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (has[i]) table.trees.push_back(trees[i]);
  }
  const std::size_t plain = 1 + random.Below(2);
  table.trees.resize(table.trees.size() + plain);
  std::uint64_t rows = 0;
  for (const Codes& person : people) {
    const bool stranger = !shape.same_people && random.Below(3) == 0;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      if (!has[i]) continue;
      const std::size_t leaf = stranger ? random.Below(trees[i]->leaves()) : person[i];
      NodeId node = cuts[i].NodeOfLeaf(leaf);
      while (shape.local && node != taxonomy::Taxonomy::root() && random.Below(4) == 0) {
        node = trees[i]->parent(node);
      }
      keys.push_back(node.raw());
    }
    for (std::size_t i = 0; i < plain; ++i) {
      keys.push_back(static_cast<std::uint32_t>(random.Below(3)));
    }
    ++rows;
  }
  table.cells = CollectCells(table.trees.size(), keys, std::vector<std::uint64_t>(rows, 1));
  return table;
}

inline Linked RandomLinked(Random& random, const RandomTables& shape) {
  std::vector<Tree> trees;
  for (std::size_t i = 0; i < shape.attributes; ++i) {
    trees.push_back(std::make_shared<taxonomy::Taxonomy>(
        support::RandomBranchingTaxonomy(random, 2 + random.Below(4), 3)));
  }
  std::vector<Codes> people(shape.people);
  for (Codes& person : people) {
    for (const Tree& tree : trees) {
      person.push_back(static_cast<std::uint32_t>(random.Below(tree->leaves())));
    }
  }
  Linked linked;
  linked.joins.resize(trees.size());
  for (std::size_t table = 0; table < shape.tables; ++table) {
    std::vector<bool> has;
    std::size_t column = 0;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      has.push_back(random.Below(4) > 0);
      if (has[i]) linked.joins[i].push_back({table, column++});
    }
    linked.tables.push_back(RandomTable(random, shape, trees, has, people));
  }
  std::erase_if(linked.joins, [](const auto& join) { return join.size() < 2; });
  for (std::size_t i = 0; i < shape.pairs; ++i) {
    Inconsistent pair;
    pair.a.table = random.Below(shape.tables);
    pair.b.table = (pair.a.table + 1 + random.Below(shape.tables - 1)) % shape.tables;
    const auto draw = [&](Attribute& side, std::uint32_t& code) {
      const auto& columns = linked.tables[side.table].trees;
      side.column = random.Below(columns.size());
      const Tree& tree = columns[side.column];
      code = static_cast<std::uint32_t>(random.Below(tree ? tree->nodes() : 3));
    };
    draw(pair.a, pair.a_code);
    draw(pair.b, pair.b_code);
    linked.inconsistent.push_back(pair);
  }
  return linked;
}

}  // namespace reissue::models::xy::testing
