// Model `bcf`. The reader has all releases of a table that only grows, knows a person's
// quasi-identifiers and first release. A world says which rows of the releases are one record: a
// record has a row in its first release and in each later one, always with the same sensitive
// value, and labels that some quasi-identifiers fit; every row belongs to one record. Of a person
// whose labels are known from the first release on, so many rows cannot be excluded as some world
// has records there; a promise holds for those rows, and for every cell by itself.
//
// Where the policy allows starred rows (`*` in every quasi-identifier), the reader knows that a
// record is starred in all releases that have such rows beside others, or in none; unless no world
// is like that.

#include <algorithm>
#include <functional>
#include <set>

#include "measures.h"
#include "model.h"
#include "tree.h"

namespace reissue::readers {
namespace bcf {
namespace {

constexpr std::size_t kMostStates = 20000;

using Cell = Fields;  // labels on the quasi-identifiers, and whether the row is starred
// The first release, and the cell in it and in each later one.
struct Record {
  std::size_t born = 0;
  std::vector<Cell> cells;
  auto operator<=>(const Record&) const = default;
};
// Which records there are so far, and how many of each.
using State = std::map<Record, std::size_t>;

Fields QuasiOf(const Sheet& sheet) {
  Fields columns;
  for (const std::string& column : QuasiColumns()) {
    if (sheet.Has(column)) columns.push_back(column);
  }
  return columns;
}

struct Release {
  std::map<Cell, Counts> cells;
  Counts all;
};

// The last field of a cell: what is known of a person who is in it.
const std::string kTold = "told", kStarred = "starred", kMaybe = "maybe starred";

Cell LabelsIn(const Sheet& sheet, std::size_t row) {
  Cell labels;
  for (const std::string& column : QuasiOf(sheet)) labels.push_back(sheet.At(row, column));
  return labels;
}

bool AllStars(const Cell& labels) {
  return std::all_of(labels.begin(), labels.end(), [](const auto& label) { return label == "*"; });
}

bool HasToldRows(const Sheet& sheet) {
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    if (!AllStars(LabelsIn(sheet, r))) return true;
  }
  return false;
}

// `rule`: whoever is starred stays so.
Release ReleaseOf(const Sheet& sheet, bool rule) {
  Release release;
  const bool tells = rule && HasToldRows(sheet);
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    Cell cell = LabelsIn(sheet, r);
    cell.push_back(!tells ? kMaybe : AllStars(cell) ? kStarred : kTold);
    ++release.cells[cell][sheet.At(r, "disease")];
    ++release.all[sheet.At(r, "disease")];
  }
  return release;
}

class Worlds {
 public:
  Worlds(const std::vector<Release>& releases, Fields columns)
      : releases_(releases), columns_(std::move(columns)) {}

  // Whether some quasi-identifiers fit the labels of all these cells.
  bool Fit(const std::vector<Cell>& cells) const {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::vector<std::string> labels;
      for (const Cell& cell : cells) labels.push_back(cell[c]);
      if (!Share(columns_[c], labels)) return false;
    }
    const auto any = [&](const std::string& what) {
      return std::any_of(cells.begin(), cells.end(),
                         [&](const Cell& cell) { return cell.back() == what; });
    };
    return !any(kTold) || !any(kStarred);
  }

  // For one sensitive value: all ways to explain the releases. Nothing: too many.
  std::optional<std::set<State>> Of(const std::string& value) const {
    std::set<State> states{{}};
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      std::map<Cell, std::size_t> rows;
      for (const auto& [cell, counts] : releases_[i].cells) {
        if (counts.contains(value)) rows[cell] = static_cast<std::size_t>(counts.at(value));
      }
      std::set<State> next;
      for (const State& state : states) {
        std::vector<Record> older;
        for (const auto& [record, count] : state) older.insert(older.end(), count, record);
        Continue(older, 0, rows, i, {}, next);
        if (next.size() > kMostStates) return std::nullopt;
      }
      states = std::move(next);
    }
    return states;
  }

 private:
  // Gives each older record a row of release i; rows that are left are newcomers'.
  void Continue(const std::vector<Record>& older, std::size_t at, std::map<Cell, std::size_t>& rows,
                std::size_t i, const State& so_far, std::set<State>& found) const {
    if (found.size() > kMostStates) return;
    if (at == older.size()) {
      State state = so_far;
      for (const auto& [cell, count] : rows) {
        if (count > 0) state[{i, {cell}}] += count;
      }
      found.insert(std::move(state));
      return;
    }
    for (auto& [cell, count] : rows) {
      if (count == 0) continue;
      Record record = older[at];
      record.cells.push_back(cell);
      if (!Fit(record.cells)) continue;
      --count;
      State state = so_far;
      ++state[record];
      Continue(older, at + 1, rows, i, state, found);
      ++count;
    }
  }

  const std::vector<Release>& releases_;
  Fields columns_;
};

// What is left to whoever is born in a release and stands in these cells: by value the most records
// that some world has there.
using Left = std::map<Record, Counts>;

std::optional<Left> LeftIn(const std::vector<Release>& releases, const Worlds& worlds,
                           bool& one_series) {
  Left left;
  std::set<std::string> values;
  for (const Release& release : releases) {
    for (const auto& [value, rows] : release.all) values.insert(value);
  }
  for (const std::string& value : values) {
    const auto states = worlds.Of(value);
    if (!states) return std::nullopt;
    one_series = one_series && !states->empty();
    for (const State& state : *states) {
      for (const auto& [record, count] : state) {
        double& most = left[record][value];
        most = std::max(most, static_cast<double>(count));
      }
    }
  }
  return left;
}

// A reader who does not know the rule of stars cannot exclude more.
bool LeavesMore(const Left& without, const Left& with) {
  return std::all_of(with.begin(), with.end(), [&](const auto& entry) {
    Record record = entry.first;
    for (Cell& cell : record.cells) cell.back() = kMaybe;
    return std::all_of(entry.second.begin(), entry.second.end(), [&](const auto& rows) {
      return without.at(record).at(rows.first) >= rows.second;
    });
  });
}

// Cells that leave too little to somebody.
class Exposed {
 public:
  Exposed(const Case& one, const std::vector<Release>& releases)
      : case_(one), releases_(releases) {}

  // Of the newest release are the shares that what is left is compared with.
  void LookAt(const Record& record, const Counts& rows) {
    for (const std::string& promise : Broken(case_, rows, releases_.back().all)) {
      finding_.words += promise + " for somebody born in " + std::to_string(record.born + 1) + "; ";
      for (std::size_t i = 0; i < record.cells.size(); ++i) {
        cells_.insert({record.born + i, record.cells[i]});
      }
    }
  }

  // Every cell by itself, then what was found in all.
  Finding Alone() {
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      for (const auto& [cell, rows] : releases_[i].cells) {
        for (const std::string& promise : Broken(case_, rows, releases_[i].all)) {
          finding_.words += promise + " in release " + std::to_string(i + 1) + "; ";
          cells_.insert({i, cell});
        }
      }
    }
    double& rows = finding_.numbers["exposed"];
    for (const auto& [i, cell] : cells_) {
      for (const auto& [value, count] : releases_[i].cells.at(cell)) rows += count;
    }
    finding_.verdict = cells_.empty() ? Verdict::kKept : Verdict::kBroken;
    return finding_;
  }

 private:
  const Case& case_;
  const std::vector<Release>& releases_;
  std::set<std::pair<std::size_t, Cell>> cells_;
  Finding finding_;
};

// People by their first release.
struct Person {
  Fields leaves;
  std::string disease;
  std::size_t born = 0;
};

Sheet TableOf(const std::vector<Person>& people, const Fields& columns, std::size_t release,
              bool named) {
  Sheet sheet{columns, {}};
  if (named) sheet.header.insert(sheet.header.begin(), "id");
  sheet.header.push_back("disease");
  for (std::size_t p = 0; p < people.size(); ++p) {
    if (people[p].born > release) continue;
    Fields row = people[p].leaves;
    if (named) row.insert(row.begin(), "p" + std::to_string(p + 1));
    row.push_back(people[p].disease);
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

class GrowingModel final : public Model {
 public:
  std::string name() const override { return "bcf"; }
  std::vector<Setting> Settings(std::uint64_t number, Chance& chance) const override {
    std::vector<Setting> settings;
    while (settings.size() < number) settings.push_back(GrowingSetting(chance));
    for (std::size_t i = 0; i < number; ++i) settings.push_back(InBoxes(settings[i]));
    return settings;
  }

  Case Foreign(Chance& chance) const override {
    Case one;
    const Fields columns = Begin(chance, one);
    const std::size_t releases = chance.From(1, 3);
    const std::vector<Person> people = Crowd(columns, releases, chance.From(2, 8), chance);
    const bool local = chance.OneIn(4);
    for (std::size_t i = 0; i < releases; ++i) {
      Sheet sheet = TableOf(people, columns, i, /*named=*/false);
      if (local) {
        for (Fields& row : sheet.rows) {
          for (std::size_t c = 0; c < columns.size(); ++c) {
            row[c] = TreeOf(columns[c]).Above(row[c], chance);
          }
        }
      } else {
        Recode(columns, chance, sheet);
      }
      // Somebody leaves, or has another value: most often no growing table explains that.
      if (sheet.rows.size() > 1 && chance.OneIn(15)) sheet.rows.pop_back();
      if (chance.OneIn(15)) sheet.rows.front().back() = "v";
      if (!sheet.rows.empty()) one.sheets.push_back(std::move(sheet));
    }
    one.columns += DiseaseColumn(one.sheets);
    if (chance.OneIn(3)) AddStars(chance, one);
    return one;
  }

  Case Tables(Chance& chance) const override {
    Case one;
    const Fields columns = Begin(chance, one);
    const std::size_t releases = chance.From(1, 3);
    std::vector<Person> people = Crowd(columns, releases, chance.From(4, 9), chance);
    const bool sparse = releases > 1 && chance.OneIn(4);
    if (sparse) AddTwoTowns(chance, people);
    for (std::size_t i = 0; i < releases; ++i) {
      one.sheets.push_back(TableOf(people, columns, i, /*named=*/true));
    }
    one.columns += DiseaseColumn(one.sheets);
    if (sparse) {
      one.asked = {{"k", 2}, {"suppression", static_cast<double>(chance.From(2, 5))}};
      one.settings["recoding"] = "local";
      return one;
    }
    if (chance.OneIn(3)) one.settings["targets"] = "real";
    if (chance.OneIn(2)) one.settings["recoding"] = "local";
    // Who is starred the tables do not tell.
    if (one.settings.contains("recoding") && !one.settings.contains("targets")) {
      one.asked["suppression"] = static_cast<double>(chance.From(1, 5));
    }
    return one;
  }

  std::optional<Finding> Read(const Case& one, const std::vector<Sheet>& released) const override {
    return ReadFor(one, released, [](const Record&) { return true; });
  }

  // Where only the people of the table are promised something, only they count.
  std::optional<Finding> ReadOwn(const Case& one,
                                 const std::vector<Sheet>& released) const override {
    if (!one.settings.contains("targets")) return Read(one, released);
    return ReadFor(one, released, [&](const Record& record) { return Real(one, record); });
  }

 private:
  static Fields Begin(Chance& chance, Case& one) {
    one.model = "bcf";
    one.columns = "id = { role = \"identifier\" }\n";
    Fields columns = {"place", "sex"};
    if (chance.OneIn(3)) columns = {"place", "job"};
    if (chance.OneIn(4)) columns = {"place"};
    if (chance.OneIn(4)) columns = {"age", "sex"};
    AddTrees(columns, one);
    if (chance.OneIn(2)) FindRanges(one);
    if (chance.OneIn(2)) {
      one.asked["k"] = static_cast<double>(chance.From(1, 3));
    } else {
      AskSomething(chance, one);
    }
    return columns;
  }

  // Stars some of the first rows of each release: nobody leaves a foreign table, so most often they
  // are the same people's. Sometimes others are starred, too, or everybody.
  static void AddStars(Chance& chance, Case& one) {
    one.asked["suppression"] = 1;
    one.settings["recoding"] = "local";
    const std::size_t stars = chance.From(1, 3);
    for (Sheet& sheet : one.sheets) {
      const bool all = chance.OneIn(6);
      for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
        if (r >= stars && !all && !chance.OneIn(15)) continue;
        std::fill(sheet.rows[r].begin(), sheet.rows[r].end() - 1, "*");
      }
    }
  }

  static std::vector<Person> Crowd(const Fields& columns, std::size_t releases, std::size_t people,
                                   Chance& chance) {
    static const std::vector<std::string> diseases = {"u", "v", "w"};
    const std::uint64_t values = chance.From(1, 3);
    std::vector<Person> crowd(people);
    for (Person& person : crowd) {
      for (const std::string& column : columns) {
        person.leaves.push_back(chance.Of(TreeOf(column).leaves()));
      }
      person.disease = diseases[chance.Below(values)];
      person.born = chance.Below(releases);
    }
    crowd.front().born = 0;
    return crowd;
  }

  // Most people live like the first or like the last of all, from the start; the others, who come
  // later, are few, and may be starred.
  static void AddTwoTowns(Chance& chance, std::vector<Person>& people) {
    const Person first = people.front(), last = people.back();
    for (Person& person : people) person.born = std::max<std::size_t>(person.born, 1);
    for (std::uint64_t more = chance.From(12, 18); more > 0; --more) {
      people.push_back({more % 2 == 0 ? first.leaves : last.leaves,
                        chance.OneIn(2) ? first.disease : last.disease, 0});
    }
  }

  // Whether somebody of the table is born then and fits the labels.
  static bool Real(const Case& one, const Record& record) {
    const Sheet& last = one.sheets[record.born + record.cells.size() - 1];
    for (std::size_t r = 0; r < last.rows.size(); ++r) {
      const std::string& id = last.At(r, "id");
      const auto there = [&](const Sheet& sheet) {
        return std::any_of(sheet.rows.begin(), sheet.rows.end(),
                           [&](const Fields& row) { return row[0] == id; });
      };
      std::size_t born = 0;
      while (!there(one.sheets[born])) ++born;
      bool fits = born == record.born;
      for (const Cell& cell : record.cells) {
        std::size_t c = 0;
        for (const std::string& column : QuasiOf(last)) {
          fits = fits && Covers(column, cell[c++], last.At(r, column));
        }
      }
      if (fits) return true;
    }
    return false;
  }

  static std::vector<Release> ReleasesOf(const std::vector<Sheet>& released, bool rule) {
    std::vector<Release> releases;
    for (const Sheet& sheet : released) releases.push_back(ReleaseOf(sheet, rule));
    return releases;
  }

  static std::optional<Finding> ReadFor(const Case& one, const std::vector<Sheet>& released,
                                        const std::function<bool(const Record&)>& counts) {
    bool one_series = true;
    std::vector<Release> releases = ReleasesOf(released, /*rule=*/false);
    const auto plain = LeftIn(releases, Worlds(releases, QuasiOf(released.front())), one_series);
    if (!plain) return std::nullopt;
    if (!one_series) return Finding{Verdict::kNotOneSeries, {}, "no growing table has these files"};
    auto left = plain;
    if (one.Asks("suppression")) {
      std::vector<Release> with = ReleasesOf(released, /*rule=*/true);
      const auto known = LeftIn(with, Worlds(with, QuasiOf(released.front())), one_series);
      if (!known) return std::nullopt;
      if (one_series) {
        if (!LeavesMore(*plain, *known)) return Finding{Verdict::kBroken, {}, "the rule hides"};
        left = known;
        releases = std::move(with);
      }
    }
    Exposed exposed(one, releases);
    double least = 0;
    for (const auto& [record, rows] : *left) {
      double sum = 0;
      for (const auto& [value, count] : rows) sum += count;
      least = least == 0 ? sum : std::min(least, sum);
      if (counts(record)) exposed.LookAt(record, rows);
    }
    Finding finding = exposed.Alone();
    if (releases.size() > 1) finding.numbers["left"] = least;
    return finding;
  }
};

}  // namespace
}  // namespace bcf

std::unique_ptr<Model> Growing() { return std::make_unique<bcf::GrowingModel>(); }

}  // namespace reissue::readers
