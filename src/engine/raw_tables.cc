#include "reissue/engine/raw_tables.h"

#include <algorithm>
#include <utility>

#include "reissue/advice/shape.h"
#include "reissue/binding/rows.h"

namespace reissue::engine {
namespace {

Status Readable(const std::vector<std::string>& paths) {
  if (paths.empty()) return UsageError("no table was named", "Name at least one.");
  if (std::count(paths.begin(), paths.end(), "-") > 0) {
    return UsageError("a table is read twice here, and standard input can be read once",
                      "Name a file.");
  }
  return Ok();
}

// One [table] of a policy is about all of them.
Status Join(const advice::Shape& next, const std::string& path, RawTables& raw) {
  if (raw.csv.header != next.csv.header || raw.csv.separator != next.csv.separator) {
    return InputError(
        {path, 1, std::nullopt, ""},
        "this table is written differently from the one before: another separator, or "
        "a header where the other has none",
        "Write all tables alike, or run the command for each of them.");
  }
  raw.csv.trim = raw.csv.trim || next.csv.trim;
  if (raw.csv.comment_prefix.empty()) raw.csv.comment_prefix = next.csv.comment_prefix;
  for (const std::string& name : next.csv.decimal_comma) {
    if (std::count(raw.csv.decimal_comma.begin(), raw.csv.decimal_comma.end(), name) == 0) {
      raw.csv.decimal_comma.push_back(name);
    }
  }
  for (const std::string& reason : next.reasons) {
    if (std::count(raw.reasons.begin(), raw.reasons.end(), reason) == 0) {
      raw.reasons.push_back(reason);
    }
  }
  return Ok();
}

Status ReadAll(const std::vector<std::string>& paths, const io::CsvOptions& csv, RawTables& raw,
               binding::Context& context) {
  std::vector<Table> tables;
  for (const std::string& path : paths) {
    io::CsvFile file = REISSUE_TRY(binding::ReadRows(path, csv, context));
    tables.push_back(std::move(file.table));
  }
  std::vector<const Table*> pointers;
  for (const Table& table : tables) pointers.push_back(&table);
  const advice::TableOrder order = advice::OrderTables(paths, pointers);
  raw.how = order.how;
  for (const std::size_t i : order.order) {
    raw.paths.push_back(paths[i]);
    raw.tables.push_back(std::move(tables[i]));
  }
  return Ok();
}

}  // namespace

std::vector<advice::SettingTable> RawTables::ForSetting() const {
  std::vector<advice::SettingTable> named;
  for (std::size_t i = 0; i < tables.size(); ++i) named.push_back({paths[i], &tables[i]});
  return named;
}

std::vector<advice::Profile> RawTables::Profiles() const {
  std::vector<std::string> names;
  for (auto table = tables.rbegin(); table != tables.rend(); ++table) {
    for (const Column& column : table->columns()) {
      if (std::count(names.begin(), names.end(), column.name()) == 0)
        names.push_back(column.name());
    }
  }
  std::vector<advice::Profile> profiles;
  for (const std::string& name : names) {
    std::vector<const Column*> columns;
    for (const Table& table : tables) {
      if (const auto id = table.Find(name)) columns.push_back(&table[*id]);
    }
    profiles.push_back(advice::ProfileOf(columns));
  }
  return profiles;
}

namespace {

Result<RawTables> ReadWritten(const std::vector<std::string>& paths,
                              const std::vector<std::string>& beginnings, io::Encoding encoding,
                              binding::Context& context) {
  RawTables raw;
  bool first = true;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    // Without one it has no shape; the reader says what is wrong with it.
    if (beginnings[i].empty()) continue;
    const advice::Shape shape = advice::GuessShape(io::AsUtf8(encoding, beginnings[i]));
    if (std::exchange(first, false)) raw.csv = shape.csv;
    REISSUE_TRY(Join(shape, paths[i], raw));
  }
  raw.csv.encoding = encoding;
  io::CsvOptions csv = raw.csv;
  csv.digest = false;
  csv.on_missing = io::OnMissing::kValue;
  REISSUE_TRY(ReadAll(paths, csv, raw, context));
  return raw;
}

}  // namespace

Result<RawTables> ReadRawTables(const std::vector<std::string>& paths, binding::Context& context) {
  REISSUE_TRY(Readable(paths));
  std::vector<std::string> beginnings;
  bool utf8 = true;
  for (const std::string& path : paths) {
    std::string beginning;
    if (binding::IsFile(path, context)) {
      beginning = REISSUE_TRY(io::ReadBeginning(context.files, path));
    }
    // The last line may end in the middle of a letter.
    utf8 = utf8 && io::IsUtf8(std::string_view(beginning).substr(0, beginning.rfind('\n') + 1));
    beginnings.push_back(std::move(beginning));
  }
  Result<RawTables> read = ReadWritten(paths, beginnings, io::Encoding::kUtf8, context);
  if (read || (utf8 && !io::IsAboutEncoding(read.error()))) return read;
  Result<RawTables> again = ReadWritten(paths, beginnings, io::Encoding::kWindows1252, context);
  if (!again) return read;
  again->reasons.emplace_back(
      "bytes that are no UTF-8 are taken for Windows-1252, as Excel writes it: see whether letters "
      "with marks are right");
  return again;
}

Result<RawTables> ReadTablesAs(const io::Policy& policy, const std::vector<std::string>& paths,
                               binding::Context& context) {
  REISSUE_TRY(Readable(paths));
  RawTables raw;
  raw.csv = policy.csv;
  io::CsvOptions csv = policy.csv;
  csv.digest = false;
  for (const io::PolicyColumn& column : policy.columns) {
    csv.expected_columns.push_back(column.name);
    if (column.role == io::Role::kDrop) csv.skip_columns.push_back(column.name);
  }
  csv.others = policy.drops_others ? io::OtherColumns::kSkipped : io::OtherColumns::kKept;
  REISSUE_TRY(ReadAll(paths, csv, raw, context));
  return raw;
}

std::string ShellWord(const std::string& text) {
  constexpr std::string_view kPlain = "-_./,:=+@%";
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           kPlain.find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace reissue::engine
