#include "reissue/advice/policy_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reissue/taxonomy/numbers.h"

namespace reissue::advice {
namespace {

using io::Role;

constexpr std::uint64_t kDefaultK = 5, kDefaultM = 3;

std::string TomlKey(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? name : TomlText(name);
}

std::string Quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(TomlText(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// A comment ends with its line, whatever a column is called.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

class PolicyWriter {
 public:
  explicit PolicyWriter(const PolicyPlan& plan) : plan_(plan) {}

  std::string Write() {
    Head();
    Source();
    Table();
    Columns();
    Guarantee();
    return std::move(text_);
  }

 private:
  // `key = value`, and a comment where there is one.
  void Line(const std::string& setting, const std::string& comment = {}) {
    constexpr std::size_t kColumn = 30;
    text_ += setting;
    if (!comment.empty()) {
      text_ += std::string(setting.size() < kColumn ? kColumn - setting.size() : 0, ' ');
      text_ += "  # " + OneLine(comment);
    }
    text_ += "\n";
  }

  void Head() {
    text_ +=
        "# A first policy, drafted by `reissue init`: every role is a guess, with its reason "
        "beside "
        "it.\n"
        "# Look over all of them, those that are not sure first. What readers may know of a person "
        "is quasi,\n"
        "# what nobody may learn is sensitive, what is not needed is drop.\n"
        "# It is as private as the table, and so are the taxonomies beside it: they list its "
        "values.\n";
    for (const std::string& note : plan_.columns.notes) text_ += "# - " + OneLine(note) + "\n";
    text_ += fmt::format("title = {}\n", TomlText(plan_.title));
  }

  void Source() {
    if (plan_.servers.empty()) return;
    text_ += "\n[source]\n";
    if (plan_.servers.size() == 1) return Line("connection = " + TomlText(plan_.servers[0]));
    Line("shards = " + Quoted(plan_.servers));
    Line("# consistent = \"lock\"", "nobody writes while the shards are looked at; needs UPDATE");
  }

  void Table() {
    const io::CsvOptions& csv = plan_.csv;
    const TableAdvice& advice = plan_.columns;
    const bool plain = csv.header && !csv.trim && csv.comment_prefix.empty() &&
                       csv.separator.value_or(',') == ',' && advice.missing_markers.empty() &&
                       csv.encoding == io::Encoding::kUtf8 && csv.decimal_comma.empty();
    if (plain) return;
    text_ += "\n[table]\n";
    if (csv.separator.value_or(',') != ',') {
      Line(fmt::format("separator = {}", *csv.separator == ';' ? "\";\"" : "\"tab\""));
    }
    if (csv.encoding == io::Encoding::kWindows1252) {
      Line("encoding = \"windows-1252\"", "a guess: the bytes are no UTF-8");
    }
    if (!csv.decimal_comma.empty()) Line("decimal = \",\"", "labels have a point instead");
    if (!csv.header) {
      Line("header = false",
           "the first line looks like data; give the columns better names here "
           "and below");
      Line(fmt::format("columns = {}", Quoted(csv.columns)));
    }
    if (csv.trim) Line("trim = true", "blanks stand around fields");
    if (!csv.comment_prefix.empty()) Line("comment = " + TomlText(csv.comment_prefix));
    if (advice.on_missing == io::OnMissing::kDropRow) {
      Line("missing = \"drop-row\"", fmt::format("leaves out {} rows, in which a column that is "
                                                 "kept has one of these",
                                                 plan_.dropped_rows));
      Line("missing_markers = " + Quoted(advice.missing_markers),
           advice.marks.empty() ? ""
                                : fmt::format("{} other fields say {}, a value like any other here",
                                              advice.fields_with_marks, Quoted(advice.marks)));
    } else if (advice.on_missing == io::OnMissing::kValue) {
      Line("missing = \"value\"",
           fmt::format("{} fields are missing; the mark is a value of its own. \"drop-row\" would "
                       "leave out the rows",
                       advice.fields_with_marks));
      Line("missing_markers = " + Quoted(advice.missing_markers));
    }
  }

  void Columns() {
    text_ += "\n[columns]\n";
    for (const ColumnAdvice& column : plan_.columns.columns) {
      std::string entry =
          fmt::format("{} = {{ role = \"{}\"", TomlKey(column.name), RoleName(column.role));
      const auto file = plan_.taxonomies.find(column.name);
      if (file != plan_.taxonomies.end()) {
        entry += ", taxonomy = " + TomlText(file->second);
      } else if (!column.breakpoints.empty()) {
        entry += Grouped() ? ", ranges = \"round\"" : ", breakpoints = " + Numbers(column);
      } else if (column.numeric) {
        entry += ", type = \"numeric\"";
      }
      Line(entry + " }", (column.sure ? "" : "not sure: ") + column.reason);
    }
  }

  static std::string Numbers(const ColumnAdvice& column) {
    std::vector<std::string> numbers;
    for (const double end : column.breakpoints) numbers.push_back(taxonomy::FormatNumber(end));
    return fmt::format("[{}]", fmt::join(numbers, ", "));
  }

  bool Grouped() const { return plan_.model == "m-invariance" || plan_.model == "j-similarity"; }

  void Guarantee() {
    text_ += "\n";
    if (plan_.tables.size() > 1) text_ += "# " + OneLine(plan_.setting.why) + "\n";
    text_ += "# " + PromiseOf(plan_.model) + "\n[guarantee]\n";
    Line(fmt::format("model = \"{}\"", plan_.model),
         plan_.tables.size() == 1 ? "one release; `reissue advise` says what fits several tables"
                                  : "");
    if (plan_.model == "m-invariance") return Invariance();
    if (plan_.model == "j-similarity") return Similarity();
    if (plan_.model == "xy") return Linked();
    Line(fmt::format("k = {}", K()), "everybody looks like so many, with themselves");
    if (!plan_.columns.Names(Role::kSensitive).empty()) {
      Line("distinct = 2", "and has not the same sensitive value as all of them");
    }
    Line("recoding = \"local\"", "each group as fine as its rows allow; \"global\" loses far more");
  }

  std::uint64_t K() const { return plan_.rows >= 2 * kDefaultK ? kDefaultK : 2; }

  void Invariance() {
    Line(fmt::format("m = {}", std::clamp<std::uint64_t>(plan_.m, 2, kDefaultM)),
         "so many sensitive values stay possible for everybody");
    Line("e = 2", "no two people can be shown to have the same value");
    Line("form = \"generalized\"",
         "or \"anatomy\": two tables, with quasi-identifiers as they are");
  }

  void Similarity() {
    Line("k = 3", "people in every group");
    Line("j = 0.6", "how far apart a reader's beliefs about them may be, in bits");
    Line("beta = 5", "how far a value's share may exceed that of the table");
    Line("max_belief = 0.9", "she believes in no value of anybody more than that");
    text_ += "\n[knowledge]\n";
    Line("prior = \"learned\"", "what readers know beforehand: as much as the tables tell");
    Line("transition = \"learned\"");
  }

  void Linked() {
    text_ +=
        "\n[[guarantee.anonymity]]       # whoever is looked for with all of x is one of k rows of "
        "the release\n";
    std::vector<std::string> x = plan_.release_columns;
    for (std::size_t p = 0; p < plan_.prior_joins.size(); ++p) {
      for (const std::string& name : plan_.prior_joins[p]) {
        x.push_back((p == 0 ? "prior." : fmt::format("prior{}.", p + 1)) + name);
      }
    }
    Line("x = " + Quoted(x));
    Line("y = [\"key\"]");
    Line(fmt::format("k = {}", K()));
  }

  const PolicyPlan& plan_;
  std::string text_;
};

}  // namespace

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kIdentifier:
      return "identifier";
    case Role::kQuasi:
      return "quasi";
    case Role::kSensitive:
      return "sensitive";
    case Role::kPublish:
      return "publish";
    case Role::kDrop:
      return "drop";
  }
  return "";
}

std::string TomlText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string TaxonomyFile(std::string_view column, const std::map<std::string, std::string>& taken) {
  constexpr std::size_t kLongest = 60;
  std::string name;
  for (const char c : column.substr(0, kLongest)) {
    const bool plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
                       c == '-' || c == '_';
    name += plain ? c : '_';
  }
  if (name.empty() || name[0] == '-') name = "column" + name;
  const auto lower = [](std::string text) {
    for (char& c : text) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return text;
  };
  std::string file = name + ".csv";
  const auto is_taken = [&] {
    return std::any_of(taken.begin(), taken.end(),
                       [&](const auto& entry) { return lower(entry.second) == lower(file); });
  };
  for (int n = 2; is_taken(); ++n) file = fmt::format("{}-{}.csv", name, n);
  return file;
}

std::string PolicyText(const PolicyPlan& plan) { return PolicyWriter(plan).Write(); }

}  // namespace reissue::advice
