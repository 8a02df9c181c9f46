#pragma once
// From files to linked tables that can be attacked: which columns the files have in common,
// what the names of the promises mean, labels as nodes of trees.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/priors.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/policy.h"
#include "reissue/models/xy/release/linked.h"
#include "reissue/models/xy/service/promise.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::xy::service {

// A usage error where a name stands twice or for another position.
Status CheckPriors(const std::vector<binding::PriorFile>& priors);

// A usage error where no earlier release is given.
Status SomePriors(const std::vector<binding::PriorFile>& priors);

// What is known of the columns of all tables, from a policy or from a certificate.
struct LinkedColumns {
  std::string source;  // the policy or certificate, for messages
  std::map<std::string, std::shared_ptr<const taxonomy::Taxonomy>> trees;
  std::set<std::string> numeric;      // numbers count by what they are worth
  std::set<std::string> known;        // all columns that may occur
  std::set<std::string> identifiers;  // must not be published anywhere
  std::set<std::string> dropped;      // must not be published in T1
  bool drops_others = false;          // nor must what is not known
  // Numeric join columns without a taxonomy: their trees are made of the labels.
  std::set<std::string> from_labels;
};
Result<LinkedColumns> LinkedColumnsOf(const io::Policy& policy, binding::Context& context);

// A published file.
struct LinkedFile {
  std::string file, digest;
  io::Fingerprint fingerprint;
  Table table;
  std::vector<std::string> columns;               // that count, in file order
  std::vector<std::string> identifiers, dropped;  // published by mistake
};
// The file as it is, without its columns sorted out. `expected` tells a header; with `others`,
// whatever stands beside them.
Result<LinkedFile> OpenLinkedFile(const std::string& path, std::vector<std::string> expected,
                                  binding::Context& context, bool others = false);
// `first`: this is T1. Errors: a column that is not known.
Result<LinkedFile> ReadLinkedFile(const LinkedColumns& columns, const std::string& path, bool first,
                                  binding::Context& context);

// What the promises are about, before any row is looked at.
struct LinkedSchema {
  struct Table {
    std::string name;                  // "" for T1
    std::vector<std::string> columns;  // that matter, in file order
  };
  std::vector<Table> tables;
  std::vector<std::vector<xy::Attribute>> joins;
  // As promised, with codes of values still open.
  std::vector<xy::Requirement> requirements;
  std::vector<xy::Inconsistent> inconsistent;
  std::vector<std::string> notes;  // what may not be meant

  // "job", "prior.job".
  std::string NameOf(const xy::Attribute& column) const;
  const std::string& ColumnOf(const xy::Attribute& column) const {
    return tables[column.table].columns[column.column];
  }
};
// `headers`: the columns of T1 and of each prior that count. Errors: a name that no file has (with
// what there is), a common column that is not numeric and has no taxonomy, an inconsistent pair
// within one table.
Result<LinkedSchema> ResolveLinked(const LinkedColumns& columns, const Promise& promise,
                                   const std::vector<std::vector<std::string>>& headers,
                                   const std::vector<binding::PriorFile>& priors);

// Makes the trees of numeric join columns without a taxonomy anew: of the numbers and ranges in
// these tables (one per table of the schema), of those that the promise names, and of `more`.
// Errors: another label (its place), ranges that overlap although none contains the other.
Status MakeRangeTrees(const std::vector<const Table*>& tables, const Promise& promise,
                      const LinkedSchema& schema, const binding::RangeLabels& more,
                      LinkedColumns& columns);

// The codes of one column of a file.
struct LinkedCodes {
  std::shared_ptr<const taxonomy::Taxonomy> tree;    // null: plain codes
  std::vector<std::uint32_t> code_of_value;          // by ValueId
  std::shared_ptr<const Dictionary> texts;           // of plain codes
  binding::Labels labels = binding::Labels::kWords;  // of the tree
  bool secret = false;                               // labels are raw values: never shown

  std::optional<std::uint32_t> Find(std::string_view label) const;
  std::string LabelOf(std::uint32_t code) const;
};
// Plain codes of a column without a tree.
LinkedCodes PlainCodes(const Column& column, bool numeric);
// Errors: a label without a node (its place, not the label).
Result<LinkedCodes> CodesOfLabels(const Table& table, ColumnId id, const LinkedColumns& columns);
// Rows of `columns` of the table in these codes, counted.
xy::LinkedTable CodedTable(const Table& table, const std::vector<std::string>& columns,
                           const std::vector<LinkedCodes>& codes, ThreadPool& pool);

// Fills in the codes of sensitive values and inconsistent labels. `codes`: per table and column of
// the schema. Errors: an inconsistent label or a sensitive value that its column cannot have; if
// `strict`, one of a column without a tree that does not occur, which otherwise becomes a code that
// nothing has.
Status FillCodes(const Promise& promise, const std::string& source,
                 const std::vector<std::vector<LinkedCodes>>& codes, bool strict,
                 LinkedSchema& schema);

// Published files, ready for an attack.
struct BoundLinked {
  Promise promise;
  LinkedColumns columns;
  std::vector<LinkedFile> files;
  LinkedSchema schema;
  std::vector<std::vector<LinkedCodes>> codes;  // per table and column of the schema
  xy::Linked linked;
};
Result<BoundLinked> BindLinked(LinkedColumns columns, const Promise& promise,
                               std::vector<LinkedFile> files,
                               const std::vector<binding::PriorFile>& priors,
                               binding::Context& context);
// ReadLinkedFile for each, BindLinked.
Result<BoundLinked> LoadLinked(const io::Policy& policy, const Promise& promise,
                               const std::string& release,
                               const std::vector<binding::PriorFile>& priors,
                               binding::Context& context);

// For certificates: of each column with a tree the labels that occur, and those that are promised
// about.
std::vector<binding::ColumnHierarchy> HierarchyOf(const BoundLinked& bound);

}  // namespace reissue::models::xy::service
