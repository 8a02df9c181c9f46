#include "reissue/binding/grouped/reader.h"

#include <algorithm>
#include <charconv>

#include "reissue/binding/rows.h"
#include "reissue/io/csv.h"

namespace reissue::binding {
namespace {

using ReleasedGroup = ReleasedGroups::Group;

Result<ColumnId> NeededColumn(const Table& table, const std::string& path,
                              const std::string& name) {
  const auto id = table.Find(name);
  if (id) return *id;
  return InputError({path, 1, std::nullopt, name}, "the file lacks this column",
                    "Give the files as they were published.");
}

Result<std::uint64_t> CountAt(const Table& table, std::size_t row, ColumnId id) {
  const std::string_view text = table[id].text(RowId(row));
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status == std::errc() && end == text.data() + text.size()) return number;
  return InputError(table.PlaceOf(RowId(row), id), "a whole number was expected");
}

class ReleasedReader {
 public:
  ReleasedReader(const ReleaseColumns& columns, const GroupedFiles& files, Context& context)
      : columns_(columns), files_(files), context_(context) {}

  Result<ReleasedGroups> Read(const std::string& release, const std::vector<std::string>& beside) {
    REISSUE_TRY(ReadMain(release));
    const std::vector<std::string> suffixes = SuffixesOf(files_);
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
      if (suffixes[i] == kSensitiveSuffix) {
        REISSUE_TRY(ReadSensitive(beside[i]));
      } else {
        REISSUE_TRY(ReadCounterfeits(beside[i]));
      }
    }
    Judge();
    return std::move(found_);
  }

 private:
  bool anatomy() const { return files_.values_apart; }

  Result<Table> Open(const std::string& path) {
    io::CsvFile file = REISSUE_TRY(ReadRows(path, {}, context_));
    found_.digests.push_back(std::move(file.digest));
    found_.fingerprints.push_back(file.fingerprint);
    return std::move(file.table);
  }

  Result<std::vector<ColumnId>> Sensitive(const Table& table, const std::string& path) const {
    std::vector<ColumnId> ids;
    for (const std::string& name : columns_.sensitive) {
      const ColumnId id = REISSUE_TRY(NeededColumn(table, path, name));
      ids.push_back(id);
    }
    return ids;
  }

  Status ReadMain(const std::string& path) {
    found_.table = REISSUE_TRY(Open(path));
    const Table& table = found_.table;
    std::vector<std::string> expected = columns_.quasi;
    expected.insert(expected.end(), columns_.others.begin(), columns_.others.end());
    for (const std::string& name : expected) REISSUE_TRY(NeededColumn(table, path, name));
    const ColumnId group = REISSUE_TRY(NeededColumn(table, path, kGroupColumn));
    expected.push_back(kGroupColumn);
    if (!anatomy()) {
      expected.insert(expected.end(), columns_.sensitive.begin(), columns_.sensitive.end());
    }
    for (const Column& column : table.columns()) {
      if (std::find(expected.begin(), expected.end(), column.name()) == expected.end()) {
        found_.columns.push_back(column.name());
      }
    }
    const Column& groups = table[group];
    for (const std::string_view name : groups.dictionary().strings()) {
      found_.groups.push_back({std::string(name), 0, {}, 0});
    }
    for (const ValueId value : groups.values()) ++found_.groups[value.index()].rows;
    group_ = group;
    if (anatomy()) return Ok();
    const std::vector<ColumnId> sensitive = REISSUE_TRY(Sensitive(table, path));
    SensitiveCodes codes = Code(table, sensitive);
    std::vector<std::vector<std::uint32_t>> of_group(found_.groups.size());
    for (std::size_t row = 0; row < table.rows(); ++row) {
      of_group[groups[RowId(row)].index()].push_back(codes.of_row[row]);
    }
    found_.values = std::move(codes.values);
    for (std::size_t g = 0; g < of_group.size(); ++g) {
      std::sort(of_group[g].begin(), of_group[g].end());
      for (const std::uint32_t value : of_group[g]) Add(value, 1, found_.groups[g]);
    }
    return Ok();
  }

  SensitiveCodes Code(const Table& table, const std::vector<ColumnId>& sensitive) const {
    return CodeSensitive(table, sensitive, NumericAmong(columns_.numeric, columns_.sensitive));
  }

  static void Add(std::uint32_t value, std::uint64_t rows, ReleasedGroup& group) {
    if (!group.values.empty() && group.values.back().first == value) {
      group.values.back().second += rows;
    } else {
      group.values.emplace_back(value, rows);
    }
  }

  // The group of a row of a file beside the release; null: the release has nobody in it.
  ReleasedGroup* GroupOf(const Table& table, std::size_t row, ColumnId id) {
    const auto known = found_.table[group_].dictionary().Find(table[id].text(RowId(row)));
    return known ? &found_.groups[known->index()] : nullptr;
  }

  Status ReadSensitive(const std::string& path) {
    const Table table = REISSUE_TRY(Open(path));
    const ColumnId group = REISSUE_TRY(NeededColumn(table, path, kGroupColumn));
    const ColumnId count = REISSUE_TRY(NeededColumn(table, path, kCountColumn));
    const std::vector<ColumnId> sensitive = REISSUE_TRY(Sensitive(table, path));
    SensitiveCodes codes = Code(table, sensitive);
    found_.values = std::move(codes.values);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::uint64_t rows = REISSUE_TRY(CountAt(table, row, count));
      ReleasedGroup* const of = GroupOf(table, row, group);
      if (of == nullptr) {
        Fault("values of a group in which nobody is");
      } else {
        of->values.emplace_back(codes.of_row[row], rows);
      }
    }
    for (ReleasedGroup& of : found_.groups) {
      std::sort(of.values.begin(), of.values.end());
      const auto values = std::move(of.values);
      of.values.clear();
      for (const auto& [value, rows] : values) Add(value, rows, of);
    }
    return Ok();
  }

  Status ReadCounterfeits(const std::string& path) {
    const Table table = REISSUE_TRY(Open(path));
    const ColumnId group = REISSUE_TRY(NeededColumn(table, path, kGroupColumn));
    const ColumnId count = REISSUE_TRY(NeededColumn(table, path, kCounterfeitsColumn));
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::uint64_t rows = REISSUE_TRY(CountAt(table, row, count));
      ReleasedGroup* const of = GroupOf(table, row, group);
      if (of == nullptr) {
        Fault("counterfeits of a group in which nobody is");
        continue;
      }
      of->counterfeits += rows;
      found_.counterfeits += rows;
    }
    return Ok();
  }

  void Fault(std::string words) {
    if (std::find(found_.faults.begin(), found_.faults.end(), words) == found_.faults.end()) {
      found_.faults.push_back(std::move(words));
    }
  }

  void Judge() {
    for (const ReleasedGroup& group : found_.groups) {
      const std::uint64_t values = group.values.size();
      if (&group == &found_.groups[0] || values < found_.least_values) {
        found_.least_values = values;
      }
      std::uint64_t rows = 0;
      for (const auto& [value, count] : group.values) {
        rows += count;
        if (count != group.values[0].second) {
          Fault("a group in which one value occurs more often than another");
        }
      }
      if (rows != group.rows) Fault("a group with another number of people than of values");
      if (group.counterfeits > group.rows) Fault("a group with more counterfeits than rows");
    }
  }

  const ReleaseColumns& columns_;
  GroupedFiles files_;
  Context& context_;
  ColumnId group_;
  ReleasedGroups found_;
};

}  // namespace

Result<ReleasedGroups> ReadReleased(const ReleaseColumns& columns, const GroupedFiles& files,
                                    const std::string& release,
                                    const std::vector<std::string>& beside, Context& context) {
  return ReleasedReader(columns, files, context).Read(release, beside);
}

}  // namespace reissue::binding
