#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/words.h"
#include "reissue/models/xy/service/linked.h"

namespace reissue::models::xy::service {
namespace {

std::string PositionName(std::size_t prior) {
  return prior == 0 ? "prior" : fmt::format("prior{}", prior + 1);
}

std::string TableName(const std::vector<binding::PriorFile>& priors, std::size_t table) {
  if (table == 0) return "";
  const std::string& given = priors[table - 1].name;
  return given.empty() ? PositionName(table - 1) : given;
}

// Names of promises to columns of tables.
class Resolver {
 public:
  Resolver(const LinkedColumns& columns, const Promise& promise,
           const std::vector<std::vector<std::string>>& headers,
           const std::vector<binding::PriorFile>& priors)
      : columns_(columns), promise_(promise), headers_(headers), priors_(priors) {}

  Result<LinkedSchema> Run() {
    for (std::size_t t = 0; t < headers_.size(); ++t) {
      schema_.tables.push_back({TableName(priors_, t), {}});
    }
    REISSUE_TRY(FindJoins());
    for (const AskedRequirement& requirement : promise_.requirements) {
      REISSUE_TRY(AddRequirement(requirement));
    }
    for (const InconsistentLabels& pair : promise_.inconsistent) REISSUE_TRY(AddPair(pair));
    AddNotes();
    return std::move(schema_);
  }

 private:
  bool Has(std::size_t table, std::string_view column) const {
    return std::find(headers_[table].begin(), headers_[table].end(), column) !=
           headers_[table].end();
  }

  std::optional<std::size_t> TableOf(std::string_view prefix) const {
    for (std::size_t p = 0; p < priors_.size(); ++p) {
      if (prefix == priors_[p].name || prefix == PositionName(p)) return p + 1;
    }
    return std::nullopt;
  }

  xy::Attribute Use(std::size_t table, const std::string& column) {
    std::vector<std::string>& used = schema_.tables[table].columns;
    const auto at = std::find(used.begin(), used.end(), column);
    const auto index = static_cast<std::size_t>(at - used.begin());
    if (at == used.end()) used.push_back(column);
    return {table, index};
  }

  Error AtLine(std::uint64_t line, std::string message, std::string remedy) const {
    Place place{columns_.source, std::nullopt, std::nullopt, ""};
    if (line > 0) place.line = line;
    return InputError(std::move(place), std::move(message), std::move(remedy));
  }

  Result<xy::Attribute> Find(const std::string& name, std::uint64_t line) {
    if (Has(0, name)) return Use(0, name);
    const std::size_t dot = name.find('.');
    if (dot != std::string::npos) {
      const auto table = TableOf(std::string_view(name).substr(0, dot));
      const std::string column = name.substr(dot + 1);
      if (table && Has(*table, column)) return Use(*table, column);
    }
    std::vector<std::string> known = headers_[0];
    std::string there = fmt::format("The release has {}", binding::Listed(headers_[0]));
    for (std::size_t t = 1; t < headers_.size(); ++t) {
      std::vector<std::string> names;
      for (const std::string& column : headers_[t]) {
        names.push_back(TableName(priors_, t) + "." + column);
      }
      known.insert(known.end(), names.begin(), names.end());
      there += fmt::format("; {} has {}", priors_[t - 1].file, binding::Listed(names));
    }
    return AtLine(line, fmt::format("no file has the column \"{}\"", name),
                  io::DidYouMean(name, known) + there + ".");
  }

  Status FindJoins() {
    std::set<std::string> seen;
    for (std::size_t t = 0; t < headers_.size(); ++t) {
      for (const std::string& column : headers_[t]) {
        if (!seen.insert(column).second) continue;
        std::vector<std::size_t> tables;
        for (std::size_t other = t; other < headers_.size(); ++other) {
          if (Has(other, column)) tables.push_back(other);
        }
        if (tables.size() < 2) continue;
        if (!columns_.trees.contains(column) && !columns_.numeric.contains(column)) {
          return InputError(
              {columns_.source, std::nullopt, std::nullopt, column},
              fmt::format("{} and {} both have this column, and it has no taxonomy: nobody could "
                          "say which of its values match",
                          Spoken(tables[0]), Spoken(tables[1])),
              "Give it role = \"quasi\" and a taxonomy (`reissue taxonomy draft` makes a first "
              "one), breakpoints or type = \"numeric\" if it has numbers, or role = \"drop\" if "
              "the release need not have it.");
        }
        std::vector<xy::Attribute> join;
        for (const std::size_t table : tables) join.push_back(Use(table, column));
        schema_.joins.push_back(std::move(join));
      }
    }
    return Ok();
  }

  std::string Spoken(std::size_t table) const {
    return table == 0 ? "the release" : priors_[table - 1].file;
  }

  Status AddRequirement(const AskedRequirement& asked) {
    xy::Requirement requirement;
    requirement.kind = asked.kind;
    requirement.k = asked.k;
    requirement.confidence = asked.confidence;
    for (const std::string& name : asked.x) {
      const xy::Attribute column = REISSUE_TRY(Find(name, asked.line));
      requirement.x.push_back(column);
    }
    for (const std::string& name : asked.y) {
      if (asked.anonymity() && name == "key") {
        requirement.y_keys.push_back(0);
        continue;
      }
      const bool key = asked.anonymity() && name.ends_with(".key");
      if (const auto table = key ? TableOf(name.substr(0, name.size() - 4)) : std::nullopt) {
        requirement.y_keys.push_back(*table);
        continue;
      }
      const xy::Attribute column = REISSUE_TRY(Find(name, asked.line));
      requirement.y.push_back(column);
    }
    for (const AskedRequirement::Value& value : asked.values) {
      const xy::Attribute column = REISSUE_TRY(Find(value.column, asked.line));
      requirement.values.push_back({column, 0, value.threshold});
    }
    REISSUE_TRY(OnlyOnce(asked, requirement));
    schema_.requirements.push_back(std::move(requirement));
    return Ok();
  }

  // One column may be written in two ways: prior.job and NAME.job.
  Status OnlyOnce(const AskedRequirement& asked, const xy::Requirement& requirement) const {
    const std::vector<xy::Attribute>& y = requirement.y;
    for (std::size_t i = 0; i < requirement.x.size(); ++i) {
      const xy::Attribute& column = requirement.x[i];
      if (std::count(requirement.x.begin(), requirement.x.end(), column) > 1) {
        return AtLine(asked.line, fmt::format("\"{}\" stands twice in `x`", asked.x[i]),
                      "Name each column once.");
      }
      if (std::count(y.begin(), y.end(), column) > 0) {
        return AtLine(asked.line, fmt::format("\"{}\" stands in x and in y", asked.x[i]),
                      "x is what readers know, y what they must not learn: keep it in one of "
                      "them.");
      }
    }
    return Ok();
  }

  Status AddPair(const InconsistentLabels& pair) {
    xy::Inconsistent codes;
    codes.a = REISSUE_TRY(Find(pair.a.first, pair.line));
    codes.b = REISSUE_TRY(Find(pair.b.first, pair.line));
    if (codes.a.table == codes.b.table) {
      return AtLine(
          pair.line,
          fmt::format("\"{}\" and \"{}\" are columns of one table", pair.a.first, pair.b.first),
          "An inconsistent pair keeps rows of two tables apart: name one column of the "
          "release and one of an earlier release, as prior.NAME.");
    }
    schema_.inconsistent.push_back(codes);
    return Ok();
  }

  // The tables that y is in.
  static std::set<std::size_t> TablesOfY(const xy::Requirement& requirement) {
    std::set<std::size_t> tables(requirement.y_keys.begin(), requirement.y_keys.end());
    for (const xy::Attribute& column : requirement.y) tables.insert(column.table);
    for (const auto& value : requirement.values) tables.insert(value.column.table);
    return tables;
  }

  // Without both sides of a join column in x, readers may know more than x says (the paper's
  // advice). But with y in an earlier release, its own sides in x ask what that release says alone.
  void AddNotes() {
    for (std::size_t r = 0; r < schema_.requirements.size(); ++r) NoteAbout(r);
    if (schema_.joins.empty()) {
      schema_.notes.push_back(
          "the files have no column in common: every row matches every row of the others");
    }
  }

  void NoteAbout(std::size_t r) {
    const xy::Requirement& requirement = schema_.requirements[r];
    const std::set<std::size_t> y = TablesOfY(requirement);
    const bool y_is_out = !y.contains(0) || (!requirement.values.empty() && y.size() > 1);
    std::vector<std::string> missing, earlier, out;
    // All that decides what rows with y match: then a share in the join is their own.
    bool own = y.size() == 1 && !y.contains(0) && schema_.inconsistent.empty();
    for (const auto& join : schema_.joins) {
      for (const xy::Attribute& column : join) {
        const auto& x = requirement.x;
        const bool in_x = std::find(x.begin(), x.end(), column) != x.end();
        if (in_x && y.contains(column.table)) out.push_back(schema_.NameOf(column));
        if (in_x) continue;
        own &= !y.contains(column.table);
        (column.table > 0 && y_is_out ? earlier : missing).push_back(schema_.NameOf(column));
      }
    }
    const std::string which =
        fmt::format("requirement {} ({})", r + 1,
                    promise_.requirements[r].anonymity() ? "anonymity" : "linkability");
    const auto them = [](const auto& names) { return names.size() == 1 ? "it" : "them"; };
    if (!missing.empty()) {
      schema_.notes.push_back(
          fmt::format("{}: its x lacks {}. Whoever joins the files knows {} too; a promise that "
                      "covers that has all join columns in x, of the release{}",
                      which, binding::Listed(missing), them(missing),
                      y_is_out ? "" : " and of the earlier ones"));
    }
    if (own && !out.empty()) {
      schema_.notes.push_back(
          fmt::format("{}: y is in an earlier release, and x has {} of it: it measures what is out "
                      "already, and no release can change that. A promise about what the release "
                      "adds has an x without {}",
                      which, binding::Listed(out), them(out)));
    } else if (!earlier.empty()) {
      schema_.notes.push_back(fmt::format(
          "{}: its x lacks {}, and y is in an earlier release: it is about readers who "
          "learn {} from the release. With {} in x it would measure what is out already",
          which, binding::Listed(earlier), them(earlier), them(earlier)));
    }
  }

  const LinkedColumns& columns_;
  const Promise& promise_;
  const std::vector<std::vector<std::string>>& headers_;
  const std::vector<binding::PriorFile>& priors_;
  LinkedSchema schema_;
};

}  // namespace

Status SomePriors(const std::vector<binding::PriorFile>& priors) {
  if (!priors.empty()) return Ok();
  return UsageError("model \"xy\" is about a release beside earlier ones, and none was given",
                    "Name what readers have already with --prior FILE, once for each file.");
}

Status CheckPriors(const std::vector<binding::PriorFile>& priors) {
  for (std::size_t p = 0; p < priors.size(); ++p) {
    for (std::size_t other = 0; other < priors.size(); ++other) {
      if (other == p || priors[p].name.empty()) continue;
      if (priors[p].name != priors[other].name && priors[p].name != PositionName(other)) continue;
      return UsageError(
          fmt::format("two earlier releases are called \"{}\"", priors[p].name),
          "Names given with --prior NAME=FILE must differ; prior, prior2, … are the first, the "
          "second, … of them.");
    }
  }
  return Ok();
}

std::string LinkedSchema::NameOf(const xy::Attribute& column) const {
  const std::string& table = tables[column.table].name;
  return table.empty() ? ColumnOf(column) : table + "." + ColumnOf(column);
}

Result<LinkedSchema> ResolveLinked(const LinkedColumns& columns, const Promise& promise,
                                   const std::vector<std::vector<std::string>>& headers,
                                   const std::vector<binding::PriorFile>& priors) {
  return Resolver(columns, promise, headers, priors).Run();
}

}  // namespace reissue::models::xy::service
