// What a reader who runs the publisher knows beforehand, by model.

#include <algorithm>

#include "runs.h"
#include "tree.h"

namespace reissue::readers {
namespace {

// Every way to give so many people one of the values.
std::vector<Fields> AllValues(std::size_t people, const Fields& values) {
  std::vector<Fields> all{{}};
  for (std::size_t p = 0; p < people; ++p) {
    std::vector<Fields> longer;
    for (const Fields& some : all) {
      for (const std::string& value : values) {
        longer.push_back(some);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::set<std::size_t> Everybody(std::size_t people) {
  std::set<std::size_t> all;
  for (std::size_t p = 0; p < people; ++p) all.insert(p);
  return all;
}

// Rows in any order.
std::string RowsOf(const Desk::Published& published) {
  std::string text;
  for (Sheet sheet : published.released) {
    std::sort(sheet.rows.begin(), sheet.rows.end());
    text += sheet.Text();
  }
  return text;
}

// Whether the labels of a published row cover a person's.
bool Fits(const Fields& row, const Sheet& table, const Fields& shown, const Sheet& release) {
  return std::all_of(release.header.begin(), release.header.end(), [&](const auto& column) {
    return Covers(column, shown[release.Column(column)], row[table.Column(column)]);
  });
}

// Whether the people of a table are those of the release; labels of one column do not overlap.
bool Fills(const Sheet& table, const Sheet& release) {
  std::vector<Fields> left = release.rows;
  for (const Fields& row : table.rows) {
    const auto at = std::find_if(left.begin(), left.end(), [&](const Fields& shown) {
      return Fits(row, table, shown, release);
    });
    if (at == left.end()) return false;
    left.erase(at);
  }
  return left.empty();
}

// The worlds whose people are those of every release.
auto Explained(const Setting& setting) {
  return [worlds = setting.worlds](const Desk::Published& published) {
    std::vector<std::size_t> explained;
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      bool all = true;
      for (std::size_t i = 0; i < published.released.size(); ++i) {
        all = all && Fills(worlds[w].sheets[i], published.released[i]);
      }
      if (all) explained.push_back(w);
    }
    return explained;
  };
}

// Fewer than so many values are possible.
auto Fewer(std::size_t values) {
  return [values](const std::vector<std::size_t>&, const std::vector<Belief>& beliefs) {
    std::set<std::size_t> people;
    for (std::size_t p = 0; p < beliefs.size(); ++p) {
      if (beliefs[p].size() < values) people.insert(p);
    }
    return people;
  };
}

Fields Leaves(const Fields& columns, Chance& chance) {
  Fields leaves;
  for (const std::string& column : columns) leaves.push_back(chance.Of(TreeOf(column).leaves()));
  return leaves;
}

// People with an id, leaves on the columns, and a value that is theirs in the world.
Sheet Known(const Fields& columns, const std::vector<Fields>& leaves, const Fields& values,
            const std::string& name, std::size_t people) {
  Sheet sheet{columns, {}};
  sheet.header.insert(sheet.header.begin(), "id");
  sheet.header.push_back(name);
  for (std::size_t p = 0; p < people; ++p) {
    Fields row = leaves[p];
    row.insert(row.begin(), "p" + std::to_string(p + 1));
    row.push_back(values[p]);
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

// Two rows and two values of whoever is there; `releases`: how many people each has.
Setting Recoded(const std::string& model, const std::vector<std::size_t>& releases,
                Chance& chance) {
  const Fields columns = {"place", "sex"};
  std::vector<Fields> leaves;
  for (std::size_t p = 0; p < releases.back(); ++p) leaves.push_back(Leaves(columns, chance));
  Setting setting;
  setting.values =
      AllValues(releases.back(), chance.OneIn(2) ? Fields{"u", "v"} : Fields{"u", "v", "w"});
  for (const Fields& values : setting.values) {
    Case one;
    one.model = model;
    one.columns = "id = { role = \"identifier\" }\ndisease = { role = \"sensitive\" }\n";
    AddTrees(columns, one);
    one.asked = {{"k", 2}, {"distinct", 2}};
    for (const std::size_t people : releases) {
      one.sheets.push_back(Known(columns, leaves, values, "disease", people));
    }
    setting.worlds.push_back(std::move(one));
  }
  setting.weights.assign(setting.worlds.size(), 1);
  setting.lines[model] = Everybody(releases.back());
  setting.shown = RowsOf;
  setting.explain = Explained(setting);
  setting.beyond = Fewer(2);
  return setting;
}

}  // namespace

Setting InBoxes(Setting setting) {
  for (Case& world : setting.worlds) world.settings["recoding"] = "local";
  std::map<std::string, std::set<std::size_t>> lines;
  for (auto& [name, people] : setting.lines) lines[name + ", boxes"] = std::move(people);
  setting.lines = std::move(lines);
  return setting;
}

Setting OneReleaseSetting(Chance& chance) { return Recoded("k", {chance.From(4, 5)}, chance); }

Setting GrowingSetting(Chance& chance) { return Recoded("bcf", {chance.From(2, 3), 5}, chance); }

Setting LinkedSetting(Chance& chance) {
  static constexpr double kBound = 2.0 / 3;
  const std::size_t people = chance.From(4, 6);
  const Fields columns = {"place", "job"};
  std::vector<Fields> leaves;
  Sheet prior{{"place", "disease"}, {}};
  for (std::size_t p = 0; p < people; ++p) {
    leaves.push_back(Leaves(columns, chance));
    prior.rows.push_back({leaves.back().front(), chance.OneIn(2) ? "u" : "v"});
  }
  Recode({"place"}, chance, prior);
  Setting setting;
  setting.values = AllValues(people, {"low", "high"});
  for (const Fields& values : setting.values) {
    Case one;
    one.model = "xy";
    one.columns =
        "id = { role = \"identifier\" }\nincome = { role = \"publish\" }\n"
        "disease = { role = \"sensitive\" }\n";
    AddTrees(columns, one);
    const Fields x = {"place", "job", "prior.place"};
    one.requirements.push_back({false, x, {"key"}, "", {}, 2});
    one.requirements.push_back({true, x, {"income"}, "", {}, kBound});
    one.sheets = {Known(columns, leaves, values, "income", people)};
    one.priors = {prior};
    setting.worlds.push_back(std::move(one));
  }
  setting.weights.assign(setting.worlds.size(), 1);
  setting.lines["xy"] = Everybody(people);
  setting.shown = RowsOf;
  setting.explain = Explained(setting);
  setting.beyond = [](const std::vector<std::size_t>&, const std::vector<Belief>& beliefs) {
    std::set<std::size_t> beyond;
    for (std::size_t p = 0; p < beliefs.size(); ++p) {
      for (const auto& [value, belief] : beliefs[p]) {
        if (belief > kBound + kTolerance) beyond.insert(p);
      }
    }
    return beyond;
  };
  return setting;
}

}  // namespace reissue::readers
