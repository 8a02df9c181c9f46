#include "reissue/advice/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace reissue::advice {
namespace {

std::string Persons(std::uint64_t number, bool people) {
  if (people) return fmt::format("{} {}", number, number == 1 ? "person" : "people");
  return fmt::format("{} {}", number, number == 1 ? "row" : "rows");
}

bool HasColumn(const Table& table, const std::string& name) { return table.Find(name).has_value(); }

// Row by identifier; nothing where somebody stands twice.
using Rows = std::unordered_map<std::string_view, RowId>;
std::optional<Rows> RowsOf(const Table& table, const std::string& identifier) {
  const auto id = table.Find(identifier);
  if (!id) return std::nullopt;
  Rows rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!rows.emplace(table[*id].text(RowId(row)), RowId(row)).second) return std::nullopt;
  }
  return rows;
}

// The values of one column by the numbers that they have in another.
std::vector<std::optional<ValueId>> Translated(const Column& from, const Column& to) {
  std::vector<std::optional<ValueId>> ids;
  for (const std::string_view text : from.dictionary().strings()) {
    ids.push_back(to.dictionary().Find(text));
  }
  return ids;
}

SettingStep ByIdentifier(const SettingTable& a, const SettingTable& b, const Rows& in_a,
                         const Rows& in_b, const std::vector<std::string>& common,
                         const SettingKnown& known) {
  SettingStep step = {.from = a.name, .to = b.name, .columns = {}};
  std::vector<std::pair<RowId, RowId>> both;
  for (const auto& [id, row] : in_b) {
    const auto found = in_a.find(id);
    if (found != in_a.end()) both.emplace_back(found->second, row);
  }
  step.stayed = both.size();
  step.came = in_b.size() - both.size();
  step.left = in_a.size() - both.size();
  std::vector<bool> changed(both.size()), sensitive(both.size());
  for (const std::string& name : common) {
    if (name == known.identifier) continue;
    const Column& old_column = (*a.table)[*a.table->Find(name)];
    const Column& new_column = (*b.table)[*b.table->Find(name)];
    const auto ids = Translated(new_column, old_column);
    const bool matters =
        std::find(known.sensitive.begin(), known.sensitive.end(), name) != known.sensitive.end();
    std::uint64_t people = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
      if (ids[new_column[both[i].second].index()] == old_column[both[i].first]) continue;
      ++people;
      changed[i] = true;
      if (matters) sensitive[i] = true;
    }
    if (people > 0) step.columns.emplace_back(name, people);
  }
  step.changed = static_cast<std::uint64_t>(std::count(changed.begin(), changed.end(), true));
  step.changed_sensitive =
      static_cast<std::uint64_t>(std::count(sensitive.begin(), sensitive.end(), true));
  std::stable_sort(step.columns.begin(), step.columns.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  return step;
}

std::vector<const Column*> ColumnsNamed(const Table& table, const std::vector<std::string>& names) {
  std::vector<const Column*> columns;
  for (const std::string& name : names) columns.push_back(&table[*table.Find(name)]);
  return columns;
}

// The texts of a row, one behind the other.
void RowText(const std::vector<const Column*>& columns, RowId row, std::string& text) {
  text.clear();
  for (const Column* column : columns) {
    text += column->text(row);
    text += '\0';
  }
}

SettingStep ByEqualRows(const SettingTable& a, const SettingTable& b,
                        const std::vector<std::string>& common) {
  SettingStep step = {.from = a.name, .to = b.name, .columns = {}};
  std::unordered_map<std::string, std::uint64_t> counts;
  std::string text;
  const auto in_a = ColumnsNamed(*a.table, common), in_b = ColumnsNamed(*b.table, common);
  for (std::size_t row = 0; row < a.table->rows(); ++row) {
    RowText(in_a, RowId(row), text);
    ++counts[text];
  }
  for (std::size_t row = 0; row < b.table->rows(); ++row) {
    RowText(in_b, RowId(row), text);
    const auto found = counts.find(text);
    if (found == counts.end() || found->second == 0) {
      ++step.came;
    } else {
      --found->second;
      ++step.stayed;
    }
  }
  step.left = a.table->rows() - step.stayed;
  return step;
}

// A number of rows, not of people: whoever has the same one is somebody else.
bool MatchesStrangers(const SettingStep& step, std::size_t columns) {
  std::uint64_t differences = 0;
  for (const auto& [name, people] : step.columns) differences += people;
  return step.stayed > 0 && columns > 1 && differences * 2 > step.stayed * (columns - 1);
}

class SettingFinder {
 public:
  SettingFinder(const std::vector<SettingTable>& tables, const SettingKnown& known)
      : tables_(tables), known_(known) {}

  SettingAdvice Find() {
    if (tables_.size() == 1) {
      Say(SettingKind::kOne, "k", "There is one table.");
      advice_.notes.emplace_back(
          "If it is published again later, the promise of model \"k\" covers no second release: "
          "show the next table to `reissue advise` together with this one before the first release "
          "is out.");
      return std::move(advice_);
    }
    FindCommon();
    if (own_everywhere_) return OtherColumns();
    if (advice_.common.empty()) {
      Say(SettingKind::kOtherPeople, "k", "The tables have no column in common.");
      return std::move(advice_);
    }
    Compare();
    Decide();
    return std::move(advice_);
  }

 private:
  void Say(SettingKind kind, std::string model, std::string why) {
    advice_.kind = kind;
    advice_.promise = PromiseOf(model);
    advice_.model = std::move(model);
    advice_.why = std::move(why);
  }

  void FindCommon() {
    const auto in_all = [&](const std::string& name) {
      return std::all_of(tables_.begin(), tables_.end(),
                         [&](const SettingTable& each) { return HasColumn(*each.table, name); });
    };
    std::size_t with_own = 0;
    for (const SettingTable& each : tables_) {
      const auto& columns = each.table->columns();
      const bool own = std::any_of(columns.begin(), columns.end(),
                                   [&](const Column& column) { return !in_all(column.name()); });
      with_own += own ? 1 : 0;
    }
    for (const Column& column : tables_[0].table->columns()) {
      if (in_all(column.name())) advice_.common.push_back(column.name());
    }
    own_everywhere_ = with_own == tables_.size() && !advice_.common.empty();
    if (with_own > 0 && !own_everywhere_) {
      advice_.notes.emplace_back(
          "Some tables have columns that others lack; only those that all have were compared. A "
          "policy names the columns of all releases of a series: leave the others out, or publish "
          "them apart (model \"xy\").");
    }
  }

  SettingAdvice OtherColumns() {
    Say(SettingKind::kOtherColumns, "xy",
        fmt::format("Each table has columns that the others lack, and {} in common, on which "
                    "readers join them.",
                    advice_.common.size()));
    if (const auto rows = AllRows()) {
      advice_.identifier = known_.identifier;
      for (std::size_t i = 1; i < tables_.size(); ++i) {
        advice_.steps.push_back(ByIdentifier(tables_[i - 1], tables_[i], (*rows)[i - 1], (*rows)[i],
                                             advice_.common, known_));
      }
    }
    return std::move(advice_);
  }

  std::optional<std::vector<Rows>> AllRows() const {
    if (known_.identifier.empty()) return std::nullopt;
    std::vector<Rows> all;
    for (const SettingTable& each : tables_) {
      std::optional<Rows> rows = RowsOf(*each.table, known_.identifier);
      if (!rows) return std::nullopt;
      all.push_back(*std::move(rows));
    }
    return all;
  }

  void Compare() {
    const auto rows = AllRows();
    if (rows) {
      bool strangers = false;
      for (std::size_t i = 1; i < tables_.size(); ++i) {
        advice_.steps.push_back(ByIdentifier(tables_[i - 1], tables_[i], (*rows)[i - 1], (*rows)[i],
                                             advice_.common, known_));
        strangers = strangers || MatchesStrangers(advice_.steps.back(), advice_.common.size());
      }
      if (!strangers) {
        advice_.identifier = known_.identifier;
        return;
      }
      advice_.steps.clear();
      advice_.notes.push_back(fmt::format(
          "Rows with the same \"{}\" differ in most columns: it numbers rows, not people, and was "
          "not used to compare.",
          known_.identifier));
      std::erase(advice_.common, known_.identifier);
    } else if (!known_.identifier.empty()) {
      advice_.notes.push_back(fmt::format(
          "Column \"{}\" does not tell people apart: some table lacks it, or somebody stands twice "
          "in one.",
          known_.identifier));
    }
    for (std::size_t i = 1; i < tables_.size(); ++i) {
      advice_.steps.push_back(ByEqualRows(tables_[i - 1], tables_[i], advice_.common));
    }
  }

  void Decide() {
    SettingStep sum;
    for (const SettingStep& step : advice_.steps) {
      sum.stayed += step.stayed;
      sum.came += step.came;
      sum.left += step.left;
      sum.changed += step.changed;
      sum.changed_sensitive += step.changed_sensitive;
    }
    const bool people = !advice_.identifier.empty();
    const std::string moved =
        fmt::format("{} came and {} left", Persons(sum.came, people), Persons(sum.left, people));
    if (sum.stayed == 0) {
      return Say(SettingKind::kOtherPeople, "k",
                 people ? "Nobody is in two tables that follow one another."
                        : "No row is in two tables that follow one another.");
    }
    if (sum.changed_sensitive > 0 || (sum.changed > 0 && known_.sensitive.empty())) {
      return Say(SettingKind::kChanges, "j-similarity",
                 fmt::format("Values of {} who stayed changed{}; {}.", Persons(sum.changed, people),
                             known_.sensitive.empty()
                                 ? std::string()
                                 : fmt::format(", sensitive ones of {}", sum.changed_sensitive),
                             moved));
    }
    if (sum.left > 0 || sum.changed > 0) {
      Say(SettingKind::kComesAndGoes, "m-invariance",
          sum.changed == 0
              ? fmt::format("{}{}.", static_cast<char>(std::toupper(moved[0])), moved.substr(1))
              : fmt::format("{}, and values of {} changed that are not sensitive.", moved,
                            Persons(sum.changed, people)));
      if (!people) {
        advice_.notes.emplace_back(
            "Without a column that tells people apart, somebody who left cannot be told from "
            "somebody whose values changed. Models \"m-invariance\" and \"j-similarity\" need "
            "one.");
      }
      return;
    }
    if (sum.came == 0) {
      return Say(SettingKind::kSame, "bcf", "Nobody came, left or changed: it is one table.");
    }
    Say(SettingKind::kGrows, "bcf",
        fmt::format("{} came, nobody left, and nothing changed.", Persons(sum.came, people)));
  }

  const std::vector<SettingTable>& tables_;
  const SettingKnown& known_;
  bool own_everywhere_ = false;
  SettingAdvice advice_;
};

}  // namespace

std::string_view SettingName(SettingKind kind) {
  switch (kind) {
    case SettingKind::kOne:
      return "one table";
    case SettingKind::kSame:
      return "the same table";
    case SettingKind::kGrows:
      return "grows";
    case SettingKind::kComesAndGoes:
      return "comes and goes";
    case SettingKind::kChanges:
      return "changes";
    case SettingKind::kOtherColumns:
      return "other columns";
    case SettingKind::kOtherPeople:
      return "other people";
  }
  return "";
}

std::string PromiseOf(std::string_view model) {
  if (model == "bcf") {
    return "Whoever has all releases, and excludes whatever can be excluded, is still left with at "
           "least k rows for everybody.";
  }
  if (model == "m-invariance") {
    return "Whoever has all releases cannot narrow anybody down to fewer than m sensitive values, "
           "for ever.";
  }
  if (model == "j-similarity") {
    return "Everybody is in a group of at least k people of whom a reader who knows what usually "
           "follows what believes nearly the same, and what she believes after each release is "
           "bounded.";
  }
  if (model == "xy") {
    return "Whoever joins the files on their common columns finds at least k rows for everybody.";
  }
  return "Everybody looks like at least k - 1 others in the one release that is made.";
}

SettingAdvice AdviseSetting(const std::vector<SettingTable>& tables, const SettingKnown& known) {
  return SettingFinder(tables, known).Find();
}

}  // namespace reissue::advice
