// Model `k`. The reader has one file, knows that a person is in the table and all
// quasi-identifiers. Rows that agree on them are a cell. A world gives each of its rows to one of
// its people; what she believes of a person is the share of worlds.

#include <algorithm>
#include <numeric>
#include <set>

#include "measures.h"
#include "model.h"
#include "tree.h"

namespace reissue::readers {
namespace k {
namespace {

constexpr std::size_t kMostRows = 7;  // of a cell

using Cells = std::map<Fields, std::vector<std::string>>;  // labels → the values of the rows

Cells CellsOf(const Sheet& sheet) {
  Cells cells;
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    Fields labels;
    for (const std::string& column : sheet.header) {
      if (column != "disease") labels.push_back(sheet.At(r, column));
    }
    cells[labels].push_back(sheet.At(r, "disease"));
  }
  return cells;
}

// What the worlds leave to one of the people of a cell: as many rows as may be theirs, by value as
// often as worlds say so.
Counts LeftTo(std::size_t person, const std::vector<std::string>& values) {
  std::vector<std::size_t> row_of(values.size());
  std::iota(row_of.begin(), row_of.end(), 0);
  std::set<std::size_t> rows;
  Counts believed;
  double worlds = 0;
  do {
    rows.insert(row_of[person]);
    ++believed[values[row_of[person]]];
    ++worlds;
  } while (std::next_permutation(row_of.begin(), row_of.end()));
  for (auto& [value, share] : believed) share *= static_cast<double>(rows.size()) / worlds;
  return believed;
}

Sheet Drawn(const Fields& columns, std::size_t rows, Chance& chance) {
  Sheet sheet{columns, {}};
  sheet.header.insert(sheet.header.begin(), "id");
  sheet.header.push_back("disease");
  static const std::vector<std::string> diseases = {"u", "v", "w", "x"};
  const std::uint64_t values = chance.From(2, 4);
  for (std::size_t r = 0; r < rows; ++r) {
    Fields row{"p" + std::to_string(r + 1)};
    for (const std::string& column : columns) row.push_back(chance.Of(TreeOf(column).leaves()));
    row.push_back(diseases[chance.Below(values)]);
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

// A numeric column, whose ranges are found from the data or declared.
void AddAges(Chance& chance, Case& one) {
  AddTrees({"age"}, one);
  if (chance.OneIn(2)) FindRanges(one);
  Sheet& sheet = one.sheets.front();
  sheet.header.insert(sheet.header.begin() + 1, "age");
  for (Fields& row : sheet.rows) {
    row.insert(row.begin() + 1, std::to_string(chance.From(10, 79)));
  }
}

class OneReleaseModel final : public Model {
 public:
  std::string name() const override { return "k"; }
  std::vector<Setting> Settings(std::uint64_t number, Chance& chance) const override {
    std::vector<Setting> settings;
    while (settings.size() < number) settings.push_back(OneReleaseSetting(chance));
    for (std::size_t i = 0; i < number; ++i) settings.push_back(InBoxes(settings[i]));
    return settings;
  }

  Case Foreign(Chance& chance) const override {
    Case one;
    const Fields columns = Begin(chance, one);
    Sheet sheet = Drawn(columns, chance.From(1, 9), chance);
    if (chance.OneIn(2)) {
      Recode(columns, chance, sheet);
    } else {
      for (Fields& row : sheet.rows) {
        for (const std::string& column : columns) {
          std::string& field = row[sheet.Column(column)];
          field = TreeOf(column).Above(field, chance);
        }
      }
    }
    sheet.header.erase(sheet.header.begin());
    for (Fields& row : sheet.rows) row.erase(row.begin());
    one.sheets = {sheet};
    one.columns += DiseaseColumn(one.sheets);
    return one;
  }

  Case Tables(Chance& chance) const override {
    Case one;
    const Fields columns = Begin(chance, one);
    one.sheets = {Drawn(columns, chance.From(3, 9), chance)};
    if (chance.OneIn(3)) AddAges(chance, one);
    one.columns += DiseaseColumn(one.sheets);
    if (chance.OneIn(2)) one.asked["suppression"] = static_cast<double>(chance.From(1, 3));
    if (chance.OneIn(2)) one.settings["recoding"] = "local";
    return one;
  }

  std::optional<Finding> Read(const Case& one, const std::vector<Sheet>& released) const override {
    const Sheet& sheet = released.front();
    Counts all;
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) ++all[sheet.At(r, "disease")];
    Finding finding;
    double exposed = 0;
    for (const auto& [labels, values] : CellsOf(sheet)) {
      if (values.size() > kMostRows) return std::nullopt;
      for (std::size_t person = 0; person < values.size(); ++person) {
        const std::vector<std::string> broken = Broken(one, LeftTo(person, values), all);
        exposed += !broken.empty();
        for (const std::string& promise : broken) finding.words += promise + " ";
      }
    }
    finding.numbers["exposed"] = exposed;
    finding.verdict = exposed == 0 ? Verdict::kKept : Verdict::kBroken;
    return finding;
  }

 private:
  static Fields Begin(Chance& chance, Case& one) {
    one.model = "k";
    one.columns = "id = { role = \"identifier\" }\n";
    Fields columns = {"place", "sex"};
    if (chance.OneIn(3)) columns = {"place", "job"};
    AddTrees(columns, one);
    AskSomething(chance, one);
    return columns;
  }
};

}  // namespace
}  // namespace k

std::unique_ptr<Model> OneRelease() { return std::make_unique<k::OneReleaseModel>(); }

}  // namespace reissue::readers
