// Model `xy`. The reader has the release and the earlier files and joins them: all lists of one row
// of each file that match on every column that two of them share, and that nothing declares
// inconsistent. Promised is, of every combination of labels on x in the join, that it occurs with
// enough different y, or that no y holds for too large a share of its records.

#include <algorithm>
#include <set>

#include "model.h"
#include "tree.h"

namespace reissue::readers {
namespace xy {
namespace {

// A name of a policy: the file, 0 is the release, and the column in it.
struct Where {
  std::size_t file = 0;
  std::string column;
};

Where Find(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {0, name};
  const std::string file = name.substr(0, dot);
  return {file == "prior" ? 1ul : std::stoul(file.substr(5)), name.substr(dot + 1)};
}

// One row of each file.
using Record = std::vector<std::size_t>;

class Join {
 public:
  Join(const Case& one, std::vector<Sheet> files) : case_(one), files_(std::move(files)) {
    Record record;
    Extend(record);
  }
  const std::vector<Record>& records() const { return records_; }

  // What a record has there; `key` is the row itself.
  std::string At(const Record& record, const std::string& name) const {
    const Where where = Find(name);
    const std::size_t row = record[where.file];
    if (where.column == "key") return std::to_string(row);
    return files_[where.file].At(row, where.column);
  }
  Fields At(const Record& record, const Fields& names) const {
    Fields fields;
    for (const std::string& name : names) fields.push_back(At(record, name));
    return fields;
  }

 private:
  void Extend(Record& record) {
    if (record.size() == files_.size()) {
      if (Possible(record)) records_.push_back(record);
      return;
    }
    for (std::size_t r = 0; r < files_[record.size()].rows.size(); ++r) {
      record.push_back(r);
      Extend(record);
      record.pop_back();
    }
  }
  bool Possible(const Record& record) const {
    for (const std::string& column : QuasiColumns()) {
      std::vector<std::string> labels;
      for (std::size_t f = 0; f < files_.size(); ++f) {
        if (files_[f].Has(column)) labels.push_back(files_[f].At(record[f], column));
      }
      for (std::size_t a = 0; a < labels.size(); ++a) {
        for (std::size_t b = a + 1; b < labels.size(); ++b) {
          if (!Share(column, {labels[a], labels[b]})) return false;
        }
      }
    }
    return std::none_of(case_.inconsistent.begin(), case_.inconsistent.end(),
                        [&](const Inconsistent& pair) {
                          return Says(record, pair.column, pair.label) &&
                                 Says(record, pair.other_column, pair.other_label);
                        });
  }
  bool Says(const Record& record, const std::string& name, const std::string& label) const {
    return AtOrBelow(Find(name).column, At(record, name), label);
  }

  const Case& case_;
  std::vector<Sheet> files_;
  std::vector<Record> records_;
};

// What one requirement makes of the join.
struct Outcome {
  double worst = 0;  // least number of y, or largest share
  std::uint64_t violating = 0;
};

Outcome Anonymity(const Requirement& one, const Join& join) {
  std::map<Fields, std::set<Fields>> seen;
  for (const Record& record : join.records()) {
    seen[join.At(record, one.x)].insert(join.At(record, one.y));
  }
  Outcome outcome;
  for (const auto& [x, y] : seen) {
    const auto different = static_cast<double>(y.size());
    outcome.worst = outcome.worst == 0 ? different : std::min(outcome.worst, different);
    outcome.violating += different < one.bound;
  }
  return outcome;
}

Outcome Linkability(const Requirement& one, const Join& join) {
  std::map<Fields, double> records;
  std::map<Fields, std::map<Fields, double>> with;  // x → y → records
  for (const Record& record : join.records()) {
    const Fields x = join.At(record, one.x);
    ++records[x];
    if (one.values.empty()) ++with[x][join.At(record, one.y)];
    for (const auto& [value, bound] : one.values) {
      const std::string column = Find(one.column).column;
      with[x][{value}] += AtOrBelow(column, join.At(record, one.column), value);
    }
  }
  Outcome outcome;
  for (const auto& [x, of] : with) {
    bool broken = false;
    for (const auto& [y, count] : of) {
      const double share = count / records.at(x);
      const double bound = one.values.empty() ? one.bound : one.values.at(y[0]);
      outcome.worst = std::max(outcome.worst, share);
      broken = broken || share > bound + kTolerance;
    }
    outcome.violating += broken;
  }
  return outcome;
}

class LinkedModel final : public Model {
 public:
  std::string name() const override { return "xy"; }
  std::vector<Setting> Settings(std::uint64_t number, Chance& chance) const override {
    std::vector<Setting> settings;
    // Few worlds each, and of these many are refused.
    while (settings.size() < 4 * number) settings.push_back(LinkedSetting(chance));
    return settings;
  }

  Case Foreign(Chance& chance) const override {
    Case one = Draw(chance);
    Sheet& release = one.sheets.front();
    release.header.erase(release.header.begin());
    for (Fields& row : release.rows) row.erase(row.begin());
    Blur(Columns(release), chance, release);
    return one;
  }

  Case Tables(Chance& chance) const override { return Draw(chance); }

  std::optional<Finding> Read(const Case& one, const std::vector<Sheet>& released) const override {
    std::vector<Sheet> files = released;
    files.insert(files.end(), one.priors.begin(), one.priors.end());
    const Join join(one, files);
    Finding finding;
    finding.numbers["records"] = static_cast<double>(join.records().size());
    for (std::size_t i = 0; i < one.requirements.size(); ++i) {
      const Requirement& asked = one.requirements[i];
      const Outcome outcome = asked.linkability ? Linkability(asked, join) : Anonymity(asked, join);
      const std::string number = " " + std::to_string(i + 1);
      finding.numbers[(asked.linkability ? "linkability" : "anonymity") + number] = outcome.worst;
      finding.numbers["violating" + number] = static_cast<double>(outcome.violating);
      if (outcome.violating == 0) continue;
      finding.verdict = Verdict::kBroken;
      finding.words += "requirement" + number + "; ";
    }
    return finding;
  }

 private:
  static Fields Columns(const Sheet& sheet) {
    Fields columns;
    for (const std::string& column : QuasiColumns()) {
      if (sheet.Has(column)) columns.push_back(column);
    }
    return columns;
  }
  // By one cut per column, or row by row.
  static void Blur(const Fields& columns, Chance& chance, Sheet& sheet) {
    if (chance.OneIn(2)) return Recode(columns, chance, sheet);
    for (Fields& row : sheet.rows) {
      for (const std::string& column : columns) {
        std::string& field = row[sheet.Column(column)];
        if (chance.OneIn(3)) field = TreeOf(column).Above(field, chance);
      }
    }
  }
  static Sheet Of(const std::vector<std::map<std::string, std::string>>& people,
                  const Fields& columns) {
    Sheet sheet{columns, {}};
    for (const auto& person : people) {
      Fields row;
      for (const std::string& column : columns) row.push_back(person.at(column));
      sheet.rows.push_back(std::move(row));
    }
    return sheet;
  }

  using People = std::vector<std::map<std::string, std::string>>;

  static People Crowd(Chance& chance) {
    static const Fields incomes = {"low", "high"};
    People people(chance.From(2, 6));
    for (std::size_t p = 0; p < people.size(); ++p) {
      people[p]["id"] = "p" + std::to_string(p + 1);
      for (const std::string& column : QuasiColumns()) {
        people[p][column] = chance.Of(TreeOf(column).leaves());
      }
      people[p]["disease"] = people[p]["state"] = chance.Of(TreeOf("state").leaves());
      people[p]["income"] = chance.Of(incomes);
    }
    return people;
  }

  static std::vector<Sheet> Earlier(const People& people, Chance& chance) {
    static const std::vector<Fields> columns = {{"place", "disease"},
                                                {"place", "sex", "disease"},
                                                {"place", "job", "state"},
                                                {"age", "disease"}};
    std::vector<Sheet> priors = {Of(people, chance.Of(columns))};
    if (chance.OneIn(4)) priors.push_back(Of(people, {"sex", "job"}));
    for (Sheet& prior : priors) {
      chance.Shuffle(prior.rows);
      Blur(Columns(prior), chance, prior);
      if (prior.Has("state")) Blur({"state"}, chance, prior);
    }
    if (chance.OneIn(8)) priors[0].rows.pop_back();
    return priors;
  }

  static Case Draw(Chance& chance) {
    Case one;
    one.model = "xy";
    one.columns =
        "id = { role = \"identifier\" }\nincome = { role = \"publish\" }\n"
        "disease = { role = \"sensitive\" }\n";
    AddTrees(QuasiColumns(), one);
    AddTrees({"state"}, one, "sensitive");
    const People people = Crowd(chance);
    one.priors = Earlier(people, chance);
    const std::string first = one.priors.front().header.front();
    one.sheets = {Of(people, {"id", first, "job", "income"})};
    if (chance.OneIn(4)) {
      one.inconsistent.push_back(
          {"job", chance.OneIn(2) ? "X" : "z", SecretOf(one), chance.Of(TreeOf("state").leaves())});
    }
    for (std::uint64_t i = chance.From(1, 2); i > 0; --i) Ask(chance, one);
    std::stable_sort(
        one.requirements.begin(), one.requirements.end(),
        [](const Requirement& a, const Requirement& b) { return a.linkability < b.linkability; });
    return one;
  }

  // What the earlier file has to hide.
  static std::string SecretOf(const Case& one) {
    return one.priors.front().Has("state") ? "prior.state" : "prior.disease";
  }

  static void Ask(Chance& chance, Case& one) {
    Requirement asked;
    const std::string first = one.priors.front().header.front();
    Fields all = {first, "job"};
    for (std::size_t f = 0; f < one.priors.size(); ++f) {
      for (const std::string& column : Columns(one.priors[f])) {
        all.push_back((f == 0 ? "prior." : "prior2.") + column);
      }
    }
    for (const std::string& name : all) {
      if (!chance.OneIn(3)) asked.x.push_back(name);
    }
    if (asked.x.empty()) asked.x = {first};
    asked.linkability = chance.OneIn(2);
    asked.bound = asked.linkability ? static_cast<double>(chance.From(3, 6)) / 6
                                    : static_cast<double>(chance.From(1, 4));
    const std::string secret = SecretOf(one);
    const std::vector<Fields> counted = {
        {"key"}, {"prior.key"}, {"key", "prior.key"}, {secret}, {"income"}};
    const std::vector<Fields> linked = {{secret}, {"income"}, {"income", secret}};
    asked.y = chance.Of(asked.linkability ? linked : counted);
    if (asked.linkability && asked.y.size() == 1 && chance.OneIn(2)) {
      asked.column = asked.y.front();
      asked.values[asked.column == "income" ? "high" : "u"] = asked.bound;
      if (asked.column != "income") asked.values["v"] = static_cast<double>(chance.From(2, 6)) / 6;
      if (asked.column == "prior.state" && chance.OneIn(2)) asked.values["I"] = asked.bound;
    }
    one.requirements.push_back(std::move(asked));
  }
};

}  // namespace
}  // namespace xy

std::unique_ptr<Model> Linked() { return std::make_unique<xy::LinkedModel>(); }

}  // namespace reissue::readers
