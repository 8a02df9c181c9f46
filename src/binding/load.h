#pragma once
// From files to what models work on: a table bound to its policy. Loading checks everything that a
// policy and a table must agree on, so that models never see bad input.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/cells.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/sources/table_source.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::binding {

// A quasi-identifier of a table: its tree, and the leaf rank of every dictionary entry.
struct Quasi {
  ColumnId column;
  const io::PolicyColumn* policy = nullptr;
  std::shared_ptr<const taxonomy::Taxonomy> tree;
  std::vector<std::uint32_t> leaf_of_value;
  // Where `tree` ends at a floor (levels.h): the whole one.
  std::shared_ptr<const taxonomy::Taxonomy> beyond_floor = nullptr;
  const taxonomy::Taxonomy& whole_tree() const { return beyond_floor ? *beyond_floor : *tree; }
};

// Several sensitive columns act as one composite value, kept as one more column of the table whose
// texts are the parts joined by " / ". Numbers count by what they are worth: 5, 5.0 and 05 are one
// value, of the table as of the release.
struct Sensitive {
  std::vector<ColumnId> columns;             // as in the file
  std::optional<ColumnId> column;            // the one, or the composite; empty where none is
  std::shared_ptr<const Dictionary> values;  // never null; one empty text where no column is
  // `column` is not of the file: it stands for several, or for numbers.
  bool stands_in() const { return column && (columns.size() > 1 || *column != columns[0]); }
};

// The holder's raw table. Where its model needs no rows it is counted: who means people says
// table.total() and weight(), who means combinations says rows().
struct HolderTable {
  Table table;
  std::vector<Quasi> quasi;  // in policy order
  Sensitive sensitive;
  bool identified = false;               // there is an identifier
  std::optional<ColumnId> identifier;    // its column, where the table is not counted
  std::vector<sources::Person> persons;  // where it is, and somebody keeps the keys: one per person
  std::vector<ColumnId> published;       // quasi, sensitive, publish: in file order
  std::uint64_t dropped_rows = 0;        // by missing = "drop-row"
  std::string digest;
  sources::Consistency consistency = sources::Consistency::kOneReading;
};

// For models that generalise along hierarchies: an error where a quasi-identifier has none and is
// not numeric either.
Status CheckHierarchies(const io::Policy& policy);

// Numeric quasi-identifiers whose ranges end in numbers of the table: without taxonomy, breakpoints
// or round ranges.
std::vector<std::string> RangesFromData(const io::Policy& policy);

// An error where the class column of a policy (empty: none) is not one that is kept.
Status CheckClassColumn(const io::Policy& policy, const std::string& column);

// An error where an identifier stands on two lines (both are named).
Status IdentifiersOnce(const Table& table, ColumnId identifier, std::string remedy);

// Reads the trees of the policy's columns that are files, in policy order; empty pointers for
// numeric columns whose tree comes from the data.
Result<std::vector<std::shared_ptr<const taxonomy::Taxonomy>>> LoadTaxonomies(
    const io::Policy& policy, Context& context);

// The lines of a hierarchy file.
Result<std::vector<taxonomy::HierarchyLine>> ReadHierarchy(const std::string& path,
                                                           Context& context);

// The hierarchy file of a column that has one, with sets and ranges where the column has them.
Result<std::shared_ptr<const taxonomy::Taxonomy>> LoadTaxonomy(const io::PolicyColumn& column,
                                                               Context& context);

// What earlier releases of a series have made of numeric columns without taxonomy: by column, the
// labels, ranges and single numbers.
using RangeLabels = std::map<std::string, std::vector<std::string>>;

// What to do about values that a taxonomy does not have.
inline constexpr char kNoLeafRemedy[] =
    "Add a line for it to the taxonomy, or correct the table. A series that has begun goes on with "
    "the changed taxonomy: its next release records the change. `reissue taxonomy draft` makes a "
    "first hierarchy from a column.";

// Reads and binds a raw table, counted. Identifiers become keys as they are read; without `hash`
// they only have to be different. A numeric column without taxonomy and breakpoints takes its tree
// from `ranges` if it is named there, so that labels mean the same in all releases; one with
// breakpoints takes single numbers from there. Errors: a
// column of the file that the policy does not name, a named column that the file lacks, a value
// without a leaf (place, not value), a number that is none, an identifier twice (both lines), no
// rows.
Result<HolderTable> LoadTable(const io::Policy& policy, const std::string& path, Context& context,
                              const RangeLabels& ranges = {},
                              const sources::HashIdentifier& hash = {});

// The same where the policy also names columns of other tables: the file may lack
// some.
Result<HolderTable> LoadPartOfColumns(const io::Policy& policy, const std::string& path,
                                      Context& context, const RangeLabels& ranges = {});

// The same, row by row, where numbers need no ranges and values no hierarchy: only
// quasi-identifiers with a taxonomy file have a tree, and leaves. Unless `all`, the file may lack
// some columns.
Result<HolderTable> LoadWithoutRanges(const io::Policy& policy, const std::string& path,
                                      Context& context, bool all = true);

// How a number is written where only its worth counts; other texts stay as they are.
std::string CanonicalNumber(std::string_view text);

// The raw values of a column as leaves of its tree (built from the data where `tree` is null).
Result<Quasi> BindQuasi(const Table& table, const io::PolicyColumn& column,
                        std::shared_ptr<const taxonomy::Taxonomy> tree,
                        const RangeLabels& ranges = {});

// A published file. Quasi-identifier cells hold labels.
struct ReleaseTable {
  Table table;
  std::vector<ColumnId> quasi;  // in policy order
  Sensitive sensitive;
  std::vector<std::string> identifiers;  // identifier columns that were published, by mistake
  std::vector<std::string> dropped;      // columns that the policy drops, published all the same
  std::string digest;
  io::Fingerprint fingerprint;  // of files
};

// How the values of a sensitive column follow one another.
struct ValueOrder {
  std::vector<std::string> texts;  // from the lowest to the highest
  bool numeric = false;            // or: as numbers
  bool known() const { return numeric || !texts.empty(); }
};

// Which columns a published file has, by role: from a policy or from a certificate.
struct ReleaseColumns {
  std::vector<std::string> quasi;
  std::vector<std::string> sensitive;
  std::vector<std::string> numeric;      // those of `sensitive` that are numbers
  std::vector<std::string> others;       // publish
  std::vector<std::string> hidden;       // identifier and drop: must not be there
  std::vector<std::string> identifiers;  // those of `hidden` that identify
  bool hides_others = false;             // whatever is named nowhere must not be there either
  ValueOrder order;                      // of the sensitive column, where there is one and no more
};
ReleaseColumns ColumnsOf(const io::Policy& policy);

// Counted.
Result<ReleaseTable> LoadRelease(const ReleaseColumns& columns, const std::string& path,
                                 Context& context);
// The same of what was counted already; `path` is for messages.
Result<ReleaseTable> BindRelease(const ReleaseColumns& columns, sources::Counted counted,
                                 const std::string& path);

// Key = quasi-identifier value ids, then one sensitive code (0 where there is none).
Cells ReleaseCells(const ReleaseTable& release, ThreadPool& pool);

// Cells of the chosen columns whose keys end in a zero where `last` is empty.
Cells CellsWithSensitive(const Table& table, std::vector<ColumnId> columns,
                         std::optional<ColumnId> last, ThreadPool& pool);

}  // namespace reissue::binding
