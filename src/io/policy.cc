#include "reissue/io/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reissue/io/policy_toml.h"

namespace reissue::io {
namespace {

using Kind = Setting::Kind;
using Words = std::vector<std::string>;

const Words& TopLevelKeys() {
  static const Words keys = {"title", "table", "columns", "guarantee", "inconsistent", "knowledge"};
  return keys;
}
const Words& TableKeys() {
  static const Words keys = {"separator", "header",  "columns",        "trim",
                             "missing",   "comment", "missing_markers"};
  return keys;
}
const Words& ColumnKeys() {
  static const Words keys = {"role", "taxonomy", "sets", "type", "breakpoints", "ranges", "order"};
  return keys;
}
const Words& RoleNames() {  // in the order of enum Role
  static const Words names = {"identifier", "quasi", "sensitive", "publish", "drop"};
  return names;
}

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kNumber:
      return "a number";
    case Kind::kText:
      return "text";
    case Kind::kFlag:
      return "true or false";
    case Kind::kList:
      return "a list";
    case Kind::kTable:
      return "a table";
  }
  return "";
}

// `did you mean "x"? ` where there is a near word, then the whole list.
std::string Suggest(std::string_view word, const Words& known, std::string_view list_name) {
  const std::string nearest = Nearest(word, known);
  return fmt::format("{}{}: {}", nearest.empty() ? "" : "did you mean \"" + nearest + "\"? ",
                     list_name, fmt::join(known, ", "));
}

class PolicyReader {
 public:
  PolicyReader(FileSystem& files, const std::string& path, bool beliefs)
      : files_(files), file_(path), beliefs_(beliefs) {}

  Result<Policy> Read() {
    const std::unique_ptr<Bytes> bytes = REISSUE_TRY(files_.Read(file_));
    policy_.file = file_;
    policy_.text = bytes->view();
    const Setting root = REISSUE_TRY(ParseToml(policy_.text, file_));
    const Setting* columns = nullptr;
    const Setting* guarantee = nullptr;
    const Setting* inconsistent = nullptr;
    for (const auto& [key, value] : root.table) {
      if (key == "title") {
        REISSUE_TRY(Expect(value, Kind::kText, "\"title\""));
        policy_.title = value.text;
      } else if (key == "table") {
        REISSUE_TRY(ReadTable(value));
      } else if (key == "columns") {
        columns = &value;
      } else if (key == "guarantee") {
        guarantee = &value;
      } else if (key == "inconsistent") {
        inconsistent = &value;
      } else if (key == "knowledge") {
        REISSUE_TRY(Expect(value, Kind::kTable, "[knowledge]"));
        policy_.knowledge = value.table;
        policy_.knowledge_line = value.line;
      } else {
        return At(value, fmt::format("unknown key \"{}\" at the top of the policy", key),
                  Suggest(key, TopLevelKeys(), "known are"));
      }
    }
    REISSUE_TRY(ReadColumns(columns));
    REISSUE_TRY(ReadGuarantee(guarantee));
    if (inconsistent != nullptr) REISSUE_TRY(ReadInconsistent(*inconsistent));
    REISSUE_TRY(ReadOtherFiles());
    return std::move(policy_);
  }

 private:
  Error At(const Setting& setting, std::string message, std::string remedy,
           std::string column = {}) const {
    return InputError({file_, setting.line, std::nullopt, std::move(column)}, std::move(message),
                      std::move(remedy));
  }
  Error AtColumn(const PolicyColumn& column, std::string message, std::string remedy) const {
    return InputError({file_, column.line, std::nullopt, column.name}, std::move(message),
                      std::move(remedy));
  }
  Error Whole(std::string message, std::string remedy) const {
    return InputError({file_, std::nullopt, std::nullopt, ""}, std::move(message),
                      std::move(remedy));
  }

  // `what` is the quoted key, with the table it stands in.
  Status Expect(const Setting& setting, Kind kind, std::string_view what,
                const std::string& column = {}) const {
    if (setting.kind == kind) return Ok();
    return At(setting,
              fmt::format("{} must be {}, not {}", what, KindName(kind), KindName(setting.kind)),
              kind == Kind::kText ? "put it in quotes" : "see docs/formats/policy.md for examples",
              column);
  }

  Result<Words> Texts(const Setting& setting, std::string_view what,
                      const std::string& column = {}) const {
    REISSUE_TRY(Expect(setting, Kind::kList, what, column));
    Words texts;
    for (const Setting& item : setting.list) {
      REISSUE_TRY(Expect(item, Kind::kText, fmt::format("every item of {}", what), column));
      if (std::find(texts.begin(), texts.end(), item.text) != texts.end()) {
        return At(item, fmt::format("\"{}\" stands twice in {}", item.text, what), "name each once",
                  column);
      }
      texts.push_back(item.text);
    }
    return texts;
  }

  // ---- [table]

  Status ReadTable(const Setting& table) {
    REISSUE_TRY(Expect(table, Kind::kTable, "[table]"));
    const Setting* columns = nullptr;
    for (const auto& [key, value] : table.table) {
      if (key == "columns") columns = &value;
      REISSUE_TRY(ReadTableKey(key, value));
    }
    if (!policy_.csv.header && columns == nullptr) {
      return At(table, "header = false, but [table] does not name the columns",
                "add `columns = [\"first\", \"second\", …]` with the names in file order");
    }
    if (policy_.csv.header && columns != nullptr) {
      return At(*columns, "\"columns\" in [table] is only for tables without a header",
                "remove it, or add `header = false`");
    }
    return Ok();
  }

  Status ReadTableKey(const std::string& key, const Setting& value) {
    CsvOptions& csv = policy_.csv;
    const std::string what = fmt::format("\"{}\" in [table]", key);
    if (key == "header" || key == "trim") {
      REISSUE_TRY(Expect(value, Kind::kFlag, what));
      (key == "header" ? csv.header : csv.trim) = value.flag;
    } else if (key == "columns") {
      csv.columns = REISSUE_TRY(Texts(value, what));
      if (csv.columns.empty() ||
          std::find(csv.columns.begin(), csv.columns.end(), "") != csv.columns.end()) {
        return At(value, "\"columns\" in [table] is empty or has an empty name",
                  "name every column of the file, in file order");
      }
    } else if (key == "missing_markers") {
      csv.missing_markers = REISSUE_TRY(Texts(value, what));
    } else if (key == "separator") {
      REISSUE_TRY(Expect(value, Kind::kText, what));
      return ReadSeparator(value);
    } else if (key == "missing") {
      REISSUE_TRY(Expect(value, Kind::kText, what));
      return ReadMissing(value);
    } else if (key == "comment") {
      REISSUE_TRY(Expect(value, Kind::kText, what));
      csv.comment_prefix = value.text;
    } else {
      return At(value, fmt::format("unknown key \"{}\" in [table]", key),
                Suggest(key, TableKeys(), "known are"));
    }
    return Ok();
  }

  Status ReadSeparator(const Setting& value) {
    if (value.text == "," || value.text == ";" || value.text == "\t") {
      policy_.csv.separator = value.text[0];
    } else if (value.text == "tab") {
      policy_.csv.separator = '\t';
    } else {
      return At(value, fmt::format("unknown separator \"{}\"", value.text),
                "use \",\", \";\" or \"tab\", or leave the key out: it is recognised");
    }
    return Ok();
  }

  Status ReadMissing(const Setting& value) {
    static const Words words = {"error", "drop-row", "value"};  // in the order of enum OnMissing
    const auto found = std::find(words.begin(), words.end(), value.text);
    if (found == words.end()) {
      return At(value, fmt::format("unknown way to treat missing values, \"{}\"", value.text),
                Suggest(value.text, words, "use one of"));
    }
    policy_.csv.on_missing = static_cast<OnMissing>(found - words.begin());
    return Ok();
  }

  // ---- [columns]

  Status ReadColumns(const Setting* columns) {
    if (columns == nullptr) {
      return Whole("the policy has no [columns]",
                   "name every column of the table with its role, for example `age = { role = "
                   "\"quasi\", taxonomy = \"age.csv\" }`");
    }
    REISSUE_TRY(Expect(*columns, Kind::kTable, "[columns]"));
    const PolicyColumn* identifier = nullptr;
    policy_.columns.reserve(columns->table.size());
    for (const auto& [name, value] : columns->table) {
      PolicyColumn column = REISSUE_TRY(ReadColumn(name, value));
      REISSUE_TRY(CheckColumn(column));
      if (column.role == Role::kIdentifier && identifier != nullptr) {
        return AtColumn(
            column,
            fmt::format("a second identifier; \"{}\" on line {} is one already", identifier->name,
                        identifier->line),
            "keep the one that links a person across tables, and give the other `role = "
            "\"drop\"`");
      }
      policy_.columns.push_back(std::move(column));
      if (policy_.columns.back().role == Role::kIdentifier) identifier = &policy_.columns.back();
    }
    if (policy_.WithRole(Role::kQuasi).empty()) {
      return At(*columns, "no column has the role \"quasi\"",
                "give that role to the columns by which somebody who knows a person could find "
                "them: age, sex, place, job, dates");
    }
    return Ok();
  }

  Result<PolicyColumn> ReadColumn(const std::string& name, const Setting& value) const {
    if (name.empty()) return At(value, "a column without a name in [columns]", "name the column");
    if (value.kind != Kind::kTable) {
      return At(value, fmt::format("a column must be a table, not {}", KindName(value.kind)),
                "write for example `{ role = \"drop\" }`", name);
    }
    PolicyColumn column;
    column.name = name;
    column.line = value.line;
    bool has_role = false;
    for (const auto& [key, setting] : value.table) {
      if (key == "role") has_role = true;
      REISSUE_TRY(ReadColumnKey(key, setting, column));
    }
    if (!has_role) {
      return AtColumn(
          column, "the column has no role",
          fmt::format("add `role = …`; the roles are: {}", fmt::join(RoleNames(), ", ")));
    }
    return column;
  }

  Status ReadColumnKey(const std::string& key, const Setting& value, PolicyColumn& column) const {
    const std::string what = fmt::format("\"{}\"", key);
    if (key == "breakpoints") return ReadBreakpoints(value, column);
    if (key == "order") {
      column.order = REISSUE_TRY(Texts(value, what, column.name));
      if (!column.order.empty()) return Ok();
      return At(value, "\"order\" is empty", "list the values from the least to the greatest",
                column.name);
    }
    if (key == "sets") {
      REISSUE_TRY(Expect(value, Kind::kFlag, what, column.name));
      column.sets = value.flag;
      return Ok();
    }
    if (key != "role" && key != "taxonomy" && key != "type" && key != "ranges") {
      return At(value, fmt::format("unknown key {}", what),
                Suggest(key, ColumnKeys(), "a column knows"), column.name);
    }
    REISSUE_TRY(Expect(value, Kind::kText, what, column.name));
    if (key == "role") {
      const auto found = std::find(RoleNames().begin(), RoleNames().end(), value.text);
      if (found == RoleNames().end()) {
        return At(value, fmt::format("unknown role \"{}\"", value.text),
                  Suggest(value.text, RoleNames(), "the roles are"), column.name);
      }
      column.role = static_cast<Role>(found - RoleNames().begin());
    } else if (key == "taxonomy") {
      if (value.text.empty()) {
        return At(value, "\"taxonomy\" is empty", "name the file, relative to the policy",
                  column.name);
      }
      column.taxonomy = Beside(file_, value.text);
    } else if (key == "ranges") {
      if (value.text != "round") {
        return At(value, fmt::format("unknown ranges \"{}\"", value.text),
                  "the only ones are \"round\"; leave the key out for ranges found from the data",
                  column.name);
      }
      column.numeric = column.round_ranges = true;
    } else {
      if (value.text != "numeric") {
        return At(value, fmt::format("unknown type \"{}\"", value.text),
                  "the only type is \"numeric\"; leave the key out for anything else", column.name);
      }
      column.numeric = true;
    }
    return Ok();
  }

  // One list of numbers, or a list of such lists.
  Status ReadBreakpoints(const Setting& value, PolicyColumn& column) const {
    const bool nested =
        value.kind == Kind::kList && !value.list.empty() && value.list.front().kind == Kind::kList;
    const std::vector<Setting> lists = nested ? value.list : std::vector<Setting>{value};
    for (const Setting& list : lists) {
      std::vector<double> numbers;
      for (const Setting& item : list.list) {
        if (item.kind == Kind::kNumber) numbers.push_back(item.number);
      }
      if (list.kind != Kind::kList || numbers.size() != list.list.size() || numbers.size() < 2) {
        return At(list,
                  "\"breakpoints\" must be a list of at least two numbers, or a list of such "
                  "lists",
                  "write for example `breakpoints = [0, 20, 40, 60]`, or from the finest to the "
                  "coarsest `[[0, 10, 20, 30, 40], [0, 20, 40]]`",
                  column.name);
      }
      column.breakpoints.push_back(std::move(numbers));
    }
    column.numeric = true;
    return Ok();
  }

  Status CheckColumn(const PolicyColumn& column) const {
    const bool quasi = column.role == Role::kQuasi, sensitive = column.role == Role::kSensitive;
    if (!column.taxonomy.empty() && !quasi && !sensitive) {
      return AtColumn(column, "a taxonomy is only for quasi-identifiers and sensitive columns",
                      "remove `taxonomy`, or change the role");
    }
    if (!column.breakpoints.empty() && !quasi) {
      return AtColumn(column, "breakpoints are only for quasi-identifiers",
                      "remove `breakpoints`, or change the role to \"quasi\"");
    }
    if (!column.breakpoints.empty() && !column.taxonomy.empty()) {
      return AtColumn(column, "both a taxonomy and breakpoints", "keep one of the two");
    }
    if (column.round_ranges && !quasi) {
      return AtColumn(column, "ranges are only for quasi-identifiers",
                      "remove `ranges`, or change the role to \"quasi\"");
    }
    if (column.round_ranges && (!column.taxonomy.empty() || !column.breakpoints.empty())) {
      return AtColumn(
          column,
          fmt::format("both {} and ranges", column.taxonomy.empty() ? "breakpoints" : "a taxonomy"),
          "keep one of the two");
    }
    if (column.sets && (column.taxonomy.empty() || !quasi)) {
      return AtColumn(column, "sets are only for quasi-identifiers with a taxonomy",
                      "remove `sets`, or add a taxonomy");
    }
    if (!column.order.empty() && !sensitive) {
      return AtColumn(column, "an order of values is only for sensitive columns",
                      "remove `order`, or change the role to \"sensitive\"");
    }
    return Ok();
  }

  // ---- [guarantee]

  Status ReadGuarantee(const Setting* guarantee) {
    if (guarantee == nullptr) {
      return Whole("the policy has no [guarantee]",
                   "add what is promised, for example `[guarantee]` with `model = \"k\"` and `k = "
                   "5`");
    }
    REISSUE_TRY(Expect(*guarantee, Kind::kTable, "[guarantee]"));
    policy_.guarantee = guarantee->table;
    policy_.guarantee_line = guarantee->line;
    const Setting* model = policy_.Get("model");
    if (model == nullptr) {
      return At(*guarantee, "[guarantee] has no model", "add for example `model = \"k\"`");
    }
    return Expect(*model, Kind::kText, "\"model\" in [guarantee]");
  }

  // ---- [[inconsistent]]

  // Belongs to what is promised, and goes where models look for it.
  Status ReadInconsistent(const Setting& inconsistent) {
    bool tables = inconsistent.kind == Kind::kList;
    for (const Setting& item : inconsistent.list) tables &= item.kind == Kind::kTable;
    if (!tables) {
      return At(inconsistent, "\"inconsistent\" must be a list of tables",
                "write each pair as `[[inconsistent]]` with two lines below it, for example `sex = "
                "\"Male\"` and `\"prior.condition\" = \"Pregnant\"`");
    }
    if (policy_.Get("inconsistent") != nullptr) {
      return At(inconsistent, "\"inconsistent\" stands in [guarantee] already",
                "keep `[[inconsistent]]` at the top of the policy");
    }
    policy_.guarantee.emplace_back("inconsistent", inconsistent);
    return Ok();
  }

  // Reads every file that the policy names once, for the digest: binding reads them again.
  Status ReadOtherFiles() {
    std::string digests = Digest(policy_.text);
    for (const PolicyColumn& column : policy_.columns) {
      if (column.taxonomy.empty()) continue;
      REISSUE_TRY(AddDigest(column.taxonomy, "the taxonomy", column.line, column.name,
                            "make a first file with `reissue taxonomy draft`", digests));
    }
    for (const auto& [key, value] : policy_.knowledge) {
      const bool file = beliefs_ && (key == "prior" || key == "transition") &&
                        value.kind == Kind::kText && value.text != kUniformBeliefs &&
                        value.text != kLearnedBeliefs;
      if (!file) continue;
      REISSUE_TRY(AddDigest(
          Beside(file_, value.text), fmt::format("the {} beliefs", key), value.line, "",
          "make them with `reissue learn`, or write \"uniform\" or \"learned\"", digests));
    }
    policy_.digest = Digest(digests);
    return Ok();
  }

  Status AddDigest(const std::string& path, const std::string& what, std::uint64_t line,
                   const std::string& column, const std::string& or_else, std::string& digests) {
    Result<std::unique_ptr<Bytes>> bytes = files_.Read(path);
    if (!bytes) {
      Error error = InputError(
          {file_, line, std::nullopt, column},
          fmt::format("{} {}: {}", what, path, bytes.error().message),
          "correct the path, which is relative to the policy's directory, or " + or_else);
      error.code = bytes.error().code;
      return error;
    }
    digests += "\n" + Digest((*bytes)->view());
    return Ok();
  }

  FileSystem& files_;
  const std::string& file_;
  bool beliefs_;  // read their files, too
  Policy policy_ = [] {
    Policy policy;
    policy.csv.missing_markers = {""};
    return policy;
  }();
};

}  // namespace

std::string Beside(const std::string& policy_path, const std::string& path) {
  const std::string directory = DirectoryOf(policy_path);
  if (path.starts_with('/') || directory == ".") return path;
  return directory.ends_with('/') ? directory + path : directory + "/" + path;
}

const PolicyColumn* Policy::Find(std::string_view name) const {
  for (const PolicyColumn& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::vector<const PolicyColumn*> Policy::WithRole(Role role) const {
  std::vector<const PolicyColumn*> found;
  for (const PolicyColumn& column : columns) {
    if (column.role == role) found.push_back(&column);
  }
  return found;
}

const Setting* Policy::Get(std::string_view key) const {
  for (const auto& [name, setting] : guarantee) {
    if (name == key) return &setting;
  }
  return nullptr;
}

Result<Policy> ReadPolicy(FileSystem& files, const std::string& path) {
  return PolicyReader(files, path, /*beliefs=*/true).Read();
}

Result<Policy> ReadPolicyWithoutBeliefs(FileSystem& files, const std::string& path) {
  return PolicyReader(files, path, /*beliefs=*/false).Read();
}

}  // namespace reissue::io
