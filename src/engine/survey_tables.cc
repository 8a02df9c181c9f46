#include "reissue/engine/survey_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "reissue/binding/load.h"
#include "reissue/binding/rows.h"
#include "reissue/core/cells.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/labels/notation.h"
#include "reissue/labels/tree.h"
#include "reissue/survey/roles.h"

namespace reissue::engine {
namespace {

using survey::Role;

const char* NameOf(Role role) {
  switch (role) {
    case Role::kQuasi:
      return "quasi";
    case Role::kSensitive:
      return "sensitive";
    case Role::kIdentifier:
      return "identifier";
    case Role::kDropped:
      break;
  }
  return "drop";
}

// The labels as the files write them: numbers and dates along their line, others by alphabet.
std::vector<std::string> InOrder(const labels::ColumnLabels& column) {
  const bool line =
      column.notation == labels::Notation::kNumbers || column.notation == labels::Notation::kDates;
  std::vector<std::uint32_t> order(column.texts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return line ? column.labels[a] < column.labels[b] : column.texts[a] < column.texts[b];
  });
  std::vector<std::string> texts;
  for (const std::uint32_t label : order) texts.push_back(column.texts[label]);
  return texts;
}

const char* NameOf(labels::Notation notation) {
  switch (notation) {
    case labels::Notation::kNumbers:
      return "numbers";
    case labels::Notation::kDates:
      return "dates";
    case labels::Notation::kCodes:
      return "codes";
    case labels::Notation::kTaxonomy:
      return "taxonomy";
    case labels::Notation::kText:
      break;
  }
  return "text";
}

// A name that could as well be a value: a number, a range, a star, nothing, or a value of the
// column itself.
bool LooksLikeData(const Column& column) {
  const std::string_view name = labels::Trimmed(column.name());
  return labels::ReadNumber(name).sureness != labels::Sureness::kNone || labels::IsStar(name) ||
         labels::MissingKind(name) == labels::Missing::kAlways ||
         column.dictionary().Find(column.name()).has_value();
}

Status HasHeader(const Table& table, const std::string& file) {
  const auto data = std::count_if(table.columns().begin(), table.columns().end(), LooksLikeData);
  if (2 * static_cast<std::size_t>(data) <= table.width()) return Ok();
  return InputError({file, 1, std::nullopt, ""},
                    fmt::format("the first line seems to be data: {} of its {} fields are numbers, "
                                "labels, or values of their own columns",
                                data, table.width()),
                    "Put a line with the names of the columns before it; readers need them to say "
                    "who is exposed by what.");
}

// One column over all files.
struct UnionColumn {
  std::string name;
  DictionaryBuilder texts;
  std::vector<std::vector<std::uint32_t>> code_of;  // per file: of a value of its dictionary
  std::vector<std::size_t> place;                   // per file: column, or none
  std::vector<std::uint64_t> rows_of;               // per text
  std::string taxonomy;                             // file, or none
};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Loader {
 public:
  Loader(const SurveyRequest& request, binding::Context& context)
      : request_(request), context_(context) {}

  Result<SurveyTables> Load() {
    for (const std::string& file : request_.files) {
      io::CsvFile read = REISSUE_TRY(binding::ReadRows(file, io::CsvOptions{}, context_));
      REISSUE_TRY(HasHeader(read.table, file));
      tables_.push_back(std::move(read.table));
    }
    Unite();
    REISSUE_TRY(ToldRoles());
    REISSUE_TRY(ReadAll());
    Guess();
    REISSUE_TRY(Assign());
    for (std::size_t f = 0; f < tables_.size(); ++f) {
      AddFile(f);
      if (!result_.files.back().quasi.empty()) continue;
      return InputError({request_.files[f], std::nullopt, std::nullopt, ""},
                        "no column of this file is taken for something that readers may know",
                        "Name some with --quasi.");
    }
    return std::move(result_);
  }

 private:
  void Unite() {
    std::map<std::string, std::size_t> at;
    for (std::size_t f = 0; f < tables_.size(); ++f) {
      for (std::size_t c = 0; c < tables_[f].width(); ++c) {
        const Column& column = tables_[f][ColumnId(c)];
        const auto [found, added] = at.emplace(column.name(), columns_.size());
        if (added) {
          columns_.emplace_back();
          columns_.back().name = column.name();
          columns_.back().place.assign(tables_.size(), kNone);
          columns_.back().code_of.resize(tables_.size());
        }
        UnionColumn& whole = columns_[found->second];
        whole.place[f] = c;
        std::vector<std::uint64_t> rows(column.dictionary().size(), 0);
        for (const ValueId value : column.values()) ++rows[value.index()];
        for (std::size_t v = 0; v < rows.size(); ++v) {
          const std::uint32_t code = whole.texts.Intern(column.dictionary()[ValueId(v)]).raw();
          whole.code_of[f].push_back(code);
          whole.rows_of.resize(std::max<std::size_t>(whole.rows_of.size(), code + 1), 0);
          whole.rows_of[code] += rows[v];
        }
      }
    }
  }

  Result<std::size_t> Find(const std::string& name, const char* option) const {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].name == name) return c;
    }
    std::vector<std::string> known;
    for (const UnionColumn& column : columns_) known.push_back(column.name);
    return UsageError(fmt::format("no file has a column \"{}\" ({})", name, option),
                      io::DidYouMean(name, known) + "There are " + binding::Listed(known) + ".");
  }

  Status ToldRoles() {
    told_.assign(columns_.size(), std::nullopt);
    const auto tell = [&](const std::vector<std::string>& names, Role role,
                          const char* option) -> Status {
      for (const std::string& name : names) {
        auto& told = told_[REISSUE_TRY(Find(name, option))];
        if (told && *told != role) {
          return UsageError(fmt::format("column \"{}\" has two roles: {} and {}", name,
                                        NameOf(*told), NameOf(role)),
                            option == std::string_view("--taxonomy")
                                ? "Taxonomies are for columns that readers may know (quasi)."
                                : "Name it once.");
        }
        told = role;
      }
      return Ok();
    };
    REISSUE_TRY(tell(request_.quasi, Role::kQuasi, "--quasi"));
    REISSUE_TRY(tell(request_.sensitive, Role::kSensitive, "--sensitive"));
    REISSUE_TRY(tell(request_.identifiers, Role::kIdentifier, "--identifier"));
    REISSUE_TRY(tell(request_.dropped, Role::kDropped, "--drop"));
    std::vector<std::string> with_taxonomy;
    for (const auto& taxonomy : request_.taxonomies) with_taxonomy.push_back(taxonomy.column);
    return tell(with_taxonomy, Role::kQuasi, "--taxonomy");
  }

  // What the texts of each column stand for.
  Status ReadAll() {
    std::vector<const SurveyRequest::ColumnTaxonomy*> of(columns_.size(), nullptr);
    for (const SurveyRequest::ColumnTaxonomy& taxonomy : request_.taxonomies) {
      const std::size_t c = REISSUE_TRY(Find(taxonomy.column, "--taxonomy"));
      if (of[c] != nullptr) {
        return UsageError(fmt::format("column \"{}\" has two taxonomies", taxonomy.column),
                          "Name it once with --taxonomy.");
      }
      of[c] = &taxonomy;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      DictionaryBuilder& texts = columns_[c].texts;
      std::vector<std::string_view> views;
      for (std::size_t v = 0; v < texts.size(); ++v) views.push_back(texts[ValueId(v)]);
      if (of[c] == nullptr) {
        read_.push_back(labels::ReadLabels(views, AreCut(c)));
        continue;
      }
      const auto lines = REISSUE_TRY(binding::ReadHierarchy(of[c]->file, context_));
      const taxonomy::Taxonomy tree = REISSUE_TRY(taxonomy::FromHierarchy(lines, of[c]->file));
      read_.push_back(labels::ReadLabels(views, tree));
      columns_[c].taxonomy = of[c]->file;
      REISSUE_TRY(AllInTree(c, tree));
    }
    return Ok();
  }

  bool AreCut(std::size_t c) const {
    std::vector<std::vector<std::string_view>> files;
    for (const auto& codes : columns_[c].code_of) {
      files.emplace_back();
      for (const std::uint32_t code : codes) {
        files.back().push_back(columns_[c].texts[ValueId(code)]);
      }
    }
    return labels::AreCutCodes(files);
  }

  // All labels that a taxonomy lacks at once, and the line of the first.
  Status AllInTree(std::size_t c, const taxonomy::Taxonomy& tree) const {
    constexpr std::size_t kShown = 5;
    const std::vector<std::string>& odd = read_[c].odd;
    if (odd.empty()) return Ok();
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(odd.size(), kShown); ++i) {
      shown.push_back("\"" + odd[i] + "\"");
    }
    if (odd.size() > kShown) shown.push_back(fmt::format("{} more", odd.size() - kShown));
    const std::string root = tree.label(taxonomy::Taxonomy::root());
    return InputError(
        PlaceOf(c, odd[0]),
        fmt::format("{} {} not in the taxonomy {}: {}",
                    odd.size() == 1 ? "1 label of this column"
                                    : fmt::format("{} labels of this column", odd.size()),
                    odd.size() == 1 ? "is" : "are", columns_[c].taxonomy, binding::Listed(shown)),
        fmt::format("Add a line for each (a value with nothing above it: \"{};{}\"). What stands "
                    "above what decides who is exposed, so none is guessed.",
                    odd[0], root));
  }

  // Where a text stands first.
  Place PlaceOf(std::size_t c, const std::string& wanted) const {
    for (std::size_t f = 0; f < tables_.size(); ++f) {
      if (columns_[c].place[f] == kNone) continue;
      const ColumnId id(columns_[c].place[f]);
      const Column& column = tables_[f][id];
      for (std::size_t row = 0; row < tables_[f].rows(); ++row) {
        const std::string_view text = column.dictionary()[column[RowId(row)]];
        if (labels::Trimmed(text) == wanted) return tables_[f].PlaceOf(RowId(row), id);
      }
    }
    return {};
  }

  // Who told which columns are sensitive, or which readers know, needs no guess of the kind.
  void Guess() {
    std::vector<survey::ColumnLook> looks;
    std::vector<std::size_t> open;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (told_[c]) continue;
      DictionaryBuilder& texts = columns_[c].texts;
      survey::ColumnLook look;
      look.name = columns_[c].name;
      look.values = texts.size();
      for (const std::uint64_t rows : columns_[c].rows_of) look.rows += rows;
      const labels::ColumnLabels& labels = read_[c];
      look.generalised = labels.ranges;
      for (std::size_t v = 0; v < texts.size(); ++v) {
        look.generalised = look.generalised || labels::IsStar(labels::Trimmed(texts[ValueId(v)]));
      }
      look.numbers = labels.notation == labels::Notation::kNumbers ||
                     labels.notation == labels::Notation::kDates;
      looks.push_back(std::move(look));
      open.push_back(c);
    }
    const std::vector<survey::RoleGuess> guesses = survey::GuessRoles(looks);
    roles_.resize(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const bool only = !columns_[c].taxonomy.empty() &&
                        std::ranges::find(request_.quasi, columns_[c].name) == request_.quasi.end();
      if (told_[c]) roles_[c] = {*told_[c], only ? "it has a taxonomy" : "as told", false};
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      survey::RoleGuess guess = guesses[i];
      if (guess.role == Role::kSensitive && !request_.sensitive.empty()) {
        guess = {Role::kQuasi, "not named as sensitive", false};
      }
      if (!request_.quasi.empty() && guess.role == Role::kQuasi) {
        guess = {Role::kDropped, "not named among the columns that readers know", false};
      }
      roles_[open[i]] = std::move(guess);
    }
  }

  Status Assign() {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      SurveyReport::Column shown;
      shown.name = columns_[c].name;
      shown.role = NameOf(roles_[c].role);
      shown.reason = roles_[c].reason;
      shown.guessed = !told_[c].has_value();
      shown.names = roles_[c].names;
      shown.labels = columns_[c].texts.size();
      for (std::uint32_t f = 0; f < tables_.size(); ++f) {
        if (columns_[c].place[f] != kNone) shown.files.push_back(f);
      }
      if (roles_[c].role == Role::kQuasi) {
        const labels::ColumnLabels& labels = read_[c];
        shown.notation = NameOf(labels.notation);
        shown.taxonomy = columns_[c].taxonomy;
        shown.labels = labels.labels.size();
        shown.texts = InOrder(labels);
        shown.ranges = labels.ranges;
        shown.cut = labels.cut;
        shown.overlap = !labels.nested;
        shown.missing_as = labels.missing;
        shown.odd = labels.odd.size();
        const std::set<std::string_view> missing(labels.missing.begin(), labels.missing.end());
        for (std::size_t v = 0; v < columns_[c].rows_of.size(); ++v) {
          const std::string_view text = labels::Trimmed(columns_[c].texts[ValueId(v)]);
          if (missing.contains(text)) shown.missing += columns_[c].rows_of[v];
        }
        shown.unshared = Unshared(c);
        index_.push_back(result_.quasi.size());
        result_.quasi.push_back(columns_[c].name);
        result_.labels.push_back(std::move(read_[c]));
      } else if (roles_[c].role == Role::kSensitive) {
        index_.push_back(result_.sensitive.size());
        result_.sensitive.push_back(columns_[c].name);
        result_.values.push_back(std::move(columns_[c].texts).Build());
      } else {
        index_.push_back(kNone);
      }
      result_.columns.push_back(std::move(shown));
    }
    if (result_.quasi.empty()) {
      return UsageError("no column is left that readers could know of a person",
                        "Name some with --quasi.");
    }
    return Ok();
  }

  // Rows with a text that some other file has nowhere in this column: it may stand above or below
  // one that is there. Notations say so themselves; words among them do not.
  std::uint64_t Unshared(std::size_t c) const {
    const UnionColumn& column = columns_[c];
    const labels::ColumnLabels& labels = read_[c];
    const std::set<std::string_view> odd(labels.odd.begin(), labels.odd.end());
    const auto word = [&](std::size_t v) {
      return labels.notation == labels::Notation::kText ||
             odd.contains(labels::Trimmed(column.texts[ValueId(v)]));
    };
    std::vector<std::size_t> in(column.rows_of.size(), 0);
    std::size_t having = 0;
    for (const auto& codes : column.code_of) {
      having += codes.empty() ? 0 : 1;
      for (const std::uint32_t code : codes) ++in[code];
    }
    std::uint64_t rows = 0;
    for (std::size_t v = 0; v < in.size(); ++v) {
      const bool open = labels.unnamed && labels.labels[labels.of_text[v]].size() == labels.atoms;
      if (in[v] < having && !open && word(v)) rows += column.rows_of[v];
    }
    return rows;
  }

  void AddFile(std::size_t f) {
    SurveyTable file;
    file.name = request_.files[f];
    std::vector<ColumnId> ids;
    std::vector<const UnionColumn*> quasi, sensitive;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].place[f] == kNone) continue;
      if (roles_[c].role == Role::kQuasi) {
        quasi.push_back(&columns_[c]);
        file.quasi.push_back(index_[c]);
      } else if (roles_[c].role == Role::kSensitive) {
        sensitive.push_back(&columns_[c]);
        file.sensitive.push_back(index_[c]);
      } else if (roles_[c].role == Role::kIdentifier && (told_[c] || roles_[c].names)) {
        file.identifiers.push_back(columns_[c].name);
      }
    }
    for (const UnionColumn* column : quasi) ids.emplace_back(column->place[f]);
    for (const UnionColumn* column : sensitive) ids.emplace_back(column->place[f]);
    const Cells raw = BuildCells(tables_[f], ids, context_.pool);
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    keys.reserve(raw.size() * ids.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const auto key = raw.key(CellId(i));
      for (std::size_t q = 0; q < quasi.size(); ++q) {
        const std::uint32_t text = quasi[q]->code_of[f][key[q]];
        keys.push_back(result_.labels[file.quasi[q]].of_text[text]);
      }
      for (std::size_t s = 0; s < sensitive.size(); ++s) {
        keys.push_back(sensitive[s]->code_of[f][key[quasi.size() + s]]);
      }
      counts.push_back(raw.count(CellId(i)));
    }
    file.published =
        survey::Published(quasi.size(), sensitive.size(), CollectCells(ids.size(), keys, counts));
    result_.files.push_back(std::move(file));
  }

  const SurveyRequest& request_;
  binding::Context& context_;
  std::vector<Table> tables_;
  std::vector<UnionColumn> columns_;
  std::vector<std::optional<Role>> told_;
  std::vector<labels::ColumnLabels> read_;
  std::vector<survey::RoleGuess> roles_;
  std::vector<std::size_t> index_;  // of a column among those of its role
  SurveyTables result_;
};

}  // namespace

survey::Columns SurveyTables::LabelsOf(const std::vector<std::size_t>& quasi_columns) const {
  survey::Columns chosen;
  for (const std::size_t q : quasi_columns) chosen.push_back(labels[q]);
  return chosen;
}

binding::LabelledCell SurveyTables::CellOf(std::size_t file, std::size_t cell) const {
  binding::LabelledCell shown;
  const auto key = files[file].published.key(cell);
  for (std::size_t q = 0; q < key.size(); ++q) {
    const std::size_t column = files[file].quasi[q];
    shown.emplace_back(quasi[column], labels[column].texts[key[q]]);
  }
  return shown;
}

Result<SurveyTables> LoadSurvey(const SurveyRequest& request, binding::Context& context) {
  return Loader(request, context).Load();
}

}  // namespace reissue::engine
