#include "reissue/io/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reissue/io/policy_columns.h"
#include "reissue/io/policy_source.h"
#include "reissue/io/policy_toml.h"
#include "reissue/io/policy_words.h"

namespace reissue::io {
namespace {

using Kind = Setting::Kind;
using Words = std::vector<std::string>;

const Words& TopLevelKeys() {
  static const Words keys = {"title",     "source",       "table",    "columns",
                             "guarantee", "inconsistent", "knowledge"};
  return keys;
}
const Words& TableKeys() {
  static const Words keys = {"separator",       "header",  "columns", "trim",     "missing",
                             "missing_markers", "comment", "others",  "encoding", "decimal"};
  return keys;
}

// Which of the files that a policy names must be there.
enum class OtherFiles { kAll, kTaxonomies, kNone };

class PolicyReader : PolicyWords {
 public:
  PolicyReader(FileSystem& files, const std::string& path, OtherFiles others)
      : PolicyWords(path), files_(files), others_(others) {}

  PolicyReading Read() {
    Note(ReadAll());
    return {std::move(policy_), std::move(problems_), has_columns_};
  }

 private:
  void Note(const Status& status) {
    if (!status) problems_.push_back(status.error());
  }

  // Errors: no TOML at all. All others are noted.
  Status ReadAll() {
    const std::unique_ptr<Bytes> bytes = REISSUE_TRY(files_.Read(file()));
    policy_.file = file();
    policy_.text = bytes->view();
    const Setting root = REISSUE_TRY(ParseToml(policy_.text, file()));
    const Setting* columns = nullptr;
    const Setting* guarantee = nullptr;
    const Setting* inconsistent = nullptr;
    for (const auto& [key, value] : root.table) {
      if (key == "title") {
        Note(Expect(value, Kind::kText, "\"title\""));
        policy_.title = value.text;
      } else if (key == "table") {
        Note(ReadTable(value));
      } else if (key == "source") {
        Result<PolicySource> source = ReadPolicySource(value, *this);
        if (source) policy_.source = *std::move(source);
        if (!source) problems_.push_back(source.error());
      } else if (key == "columns") {
        columns = &value;
      } else if (key == "guarantee") {
        guarantee = &value;
      } else if (key == "inconsistent") {
        inconsistent = &value;
      } else if (key == "knowledge") {
        Note(Expect(value, Kind::kTable, "[knowledge]"));
        policy_.knowledge = value.table;
        policy_.knowledge_line = value.line;
      } else {
        Note(At(value, fmt::format("unknown key \"{}\" at the top of the policy", key),
                Suggest(key, TopLevelKeys(), "known are")));
      }
    }
    Note(ReadColumns(columns));
    for (const PolicyColumn& column : policy_.columns) {
      if (decimal_comma_ && column.numeric) policy_.csv.decimal_comma.push_back(column.name);
    }
    Note(ReadGuarantee(guarantee));
    if (inconsistent != nullptr) Note(ReadInconsistent(*inconsistent));
    if (others_ != OtherFiles::kNone) ReadOtherFiles();
    return Ok();
  }

  // ---- [table]

  Status ReadTable(const Setting& table) {
    REISSUE_TRY(Expect(table, Kind::kTable, "[table]"));
    const Setting* columns = nullptr;
    for (const auto& [key, value] : table.table) {
      if (key == "columns") columns = &value;
      Note(ReadTableKey(key, value));
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
    } else if (key == "encoding" || key == "decimal") {
      REISSUE_TRY(Expect(value, Kind::kText, what));
      return key == "encoding" ? ReadEncoding(value) : ReadDecimal(value);
    } else if (key == "others") {
      REISSUE_TRY(Expect(value, Kind::kText, what));
      return ReadOthers(value);
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
    } else if (value.text != "auto") {
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

  Status ReadEncoding(const Setting& value) {
    static const Words words = {"utf-8", "windows-1252"};  // in the order of enum Encoding
    const auto found = std::find(words.begin(), words.end(), value.text);
    if (found == words.end()) {
      return At(value, fmt::format("unknown encoding \"{}\"", value.text),
                Suggest(value.text, words, "use one of"));
    }
    policy_.csv.encoding = static_cast<Encoding>(found - words.begin());
    return Ok();
  }

  Status ReadDecimal(const Setting& value) {
    if (value.text != "." && value.text != ",") {
      return At(value, fmt::format("unknown decimal separator \"{}\"", value.text),
                "use \".\" or \",\"");
    }
    decimal_comma_ = value.text == ",";
    return Ok();
  }

  Status ReadOthers(const Setting& value) {
    static const Words words = {"error", "drop"};
    if (std::find(words.begin(), words.end(), value.text) == words.end()) {
      return At(value, fmt::format("unknown way to treat other columns, \"{}\"", value.text),
                Suggest(value.text, words, "use one of"));
    }
    policy_.drops_others = value.text == "drop";
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
    const std::size_t before = problems_.size();
    for (const auto& [name, value] : columns->table) {
      PolicyColumn column = ReadPolicyColumn(name, value, *this, problems_);
      if (column.role == Role::kIdentifier && identifier != nullptr) {
        Note(AtColumn(column,
                      fmt::format("a second identifier; \"{}\" on line {} is one already",
                                  identifier->name, identifier->line),
                      "keep the one that links a person across tables, and give the other `role = "
                      "\"drop\"`"));
        column.role = Role::kDrop;
      }
      policy_.columns.push_back(std::move(column));
      if (policy_.columns.back().role == Role::kIdentifier) identifier = &policy_.columns.back();
    }
    has_columns_ = true;
    if (problems_.size() == before && policy_.WithRole(Role::kQuasi).empty()) {
      return At(*columns, "no column has the role \"quasi\"",
                "give that role to the columns by which somebody who knows a person could find "
                "them: age, sex, place, job, dates");
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
  void ReadOtherFiles() {
    std::string digests = Digest(policy_.text);
    for (const PolicyColumn& column : policy_.columns) {
      if (column.taxonomy.empty()) continue;
      Note(AddDigest(column.taxonomy, "the taxonomy", column.line, column.name,
                     "make a first file with `reissue taxonomy draft`", digests));
    }
    for (const auto& [key, value] : policy_.knowledge) {
      const bool named = others_ == OtherFiles::kAll && (key == "prior" || key == "transition") &&
                         value.kind == Kind::kText && value.text != kUniformBeliefs &&
                         value.text != kLearnedBeliefs;
      if (!named) continue;
      Note(AddDigest(Beside(file(), value.text), fmt::format("the {} beliefs", key), value.line, "",
                     "make them with `reissue learn`, or write \"uniform\" or \"learned\"",
                     digests));
    }
    policy_.digest = Digest(digests);
  }

  Status AddDigest(const std::string& path, const std::string& what, std::uint64_t line,
                   const std::string& column, const std::string& or_else, std::string& digests) {
    Result<std::unique_ptr<Bytes>> bytes = files_.Read(path);
    if (!bytes) {
      Error error = InputError(
          {file(), line, std::nullopt, column},
          fmt::format("{} {}: {}", what, path, bytes.error().message),
          "correct the path, which is relative to the policy's directory, or " + or_else);
      error.code = bytes.error().code;
      return error;
    }
    digests += "\n" + Digest((*bytes)->view());
    return Ok();
  }

  FileSystem& files_;
  OtherFiles others_;
  std::vector<Error> problems_;
  bool has_columns_ = false;
  bool decimal_comma_ = false;  // decimal = ","
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

namespace {

Result<Policy> OrFirstProblem(PolicyReading reading) {
  if (!reading.problems.empty()) return std::move(reading.problems.front());
  return std::move(reading.policy);
}

}  // namespace

PolicyReading ReadWholePolicy(FileSystem& files, const std::string& path) {
  return PolicyReader(files, path, OtherFiles::kAll).Read();
}

Result<Policy> ReadPolicy(FileSystem& files, const std::string& path) {
  return OrFirstProblem(ReadWholePolicy(files, path));
}

Result<Policy> ReadPolicyWithoutBeliefs(FileSystem& files, const std::string& path) {
  return OrFirstProblem(PolicyReader(files, path, OtherFiles::kTaxonomies).Read());
}

Result<Policy> ReadPolicyAlone(FileSystem& files, const std::string& path) {
  return OrFirstProblem(PolicyReader(files, path, OtherFiles::kNone).Read());
}

}  // namespace reissue::io
