// What a reader who runs the publisher knows beforehand, where people are published in groups: who
// is in which release, by name.

#include <algorithm>

#include "identities.h"
#include "runs.h"

namespace reissue::readers {
namespace {

constexpr std::size_t kMostWorlds = 100000;

bool Counterfeit(const Sheet& sheet, std::size_t row) {
  return sheet.Has("counterfeit") && sheet.At(row, "counterfeit") == "yes";
}

// Whoever was left out stands in the holder's copy without a group, and in no release.
Sheet Seen(Sheet sheet) {
  const std::size_t group = sheet.Column("group");
  std::erase_if(sheet.rows, [&](const Fields& row) { return row[group].empty(); });
  return sheet;
}

// The people and values of each row's group, in one order.
Fields GroupOfRows(const Sheet& sheet) {
  std::map<std::string, std::pair<std::multiset<std::string>, std::multiset<std::string>>> groups;
  const std::string value = sheet.Has("shown") ? "shown" : "disease";
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    auto& [people, values] = groups[sheet.At(r, "group")];
    if (!Counterfeit(sheet, r)) people.insert(sheet.rows[r][0]);
    values.insert(sheet.At(r, value));
  }
  Fields texts;
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    const auto& [people, values] = groups[sheet.At(r, "group")];
    std::string text;
    for (const std::string& person : people) text += person + " ";
    for (const std::string& one : values) text += one + " ";
    texts.push_back(text);
  }
  return texts;
}

// Groups without their numbers, and of each row that is nobody's in which groups it was.
std::string GroupsOf(const Desk::Published& published) {
  std::string text;
  std::map<std::string, std::string> counterfeits;
  for (const Sheet& copy : published.released) {
    const Sheet sheet = Seen(copy);
    const Fields groups = GroupOfRows(sheet);
    for (auto& [name, history] : counterfeits) history += "|";
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
      if (Counterfeit(sheet, r)) counterfeits[sheet.rows[r][0]] += "|" + groups[r];
    }
    for (const std::string& group : std::set<std::string>(groups.begin(), groups.end())) {
      text += group + ";";
    }
    text += "\n";
  }
  std::multiset<std::string> histories;
  for (const auto& [name, history] : counterfeits) histories.insert(history);
  for (const std::string& history : histories) text += history + "\n";
  return text;
}

// Whether every group shows what its people have in this world.
bool Explains(const Case& world, const Desk::Published& published) {
  for (std::size_t i = 0; i < published.released.size(); ++i) {
    const Sheet release = Seen(published.released[i]);
    const std::size_t value = release.Column(release.Has("shown") ? "shown" : "disease");
    std::map<std::string, std::multiset<std::string>> shown, had;
    for (const Fields& row : release.rows) {
      const std::string& group = row[release.Column("group")];
      shown[group].insert(row[value]);
      for (const Fields& person : world.sheets[i].rows) {
        if (person[0] == row[0]) had[group].insert(person.back());
      }
    }
    if (shown != had) return false;
  }
  return true;
}

// Values of the real people, in the order of their names.
std::set<Fields> ValuesOfReal(const Identities& identities, const std::vector<World>& worlds) {
  std::set<Fields> found;
  for (const World& world : worlds) {
    std::map<std::string, std::string> values;
    for (std::size_t p = 0; p < identities.size(); ++p) {
      if (identities.real[p]) values[identities.names[p]] = identities.values[world[p]];
    }
    Fields fields;
    for (const auto& [name, value] : values) fields.push_back(value);
    found.insert(std::move(fields));
  }
  return found;
}

// Every value for everybody, one after the other.
bool Next(std::vector<std::size_t>& world, std::size_t values) {
  for (std::size_t& value : world) {
    if (++value < values) return true;
    value = 0;
  }
  return false;
}

const Fields& Diseases() {
  static const Fields diseases = {"u", "v", "w"};
  return diseases;
}

// The first release has the first four of five people, the second all but the fourth.
Case Wards(const std::vector<std::size_t>& world, std::uint64_t e) {
  Case one;
  one.model = "m-invariance";
  one.columns =
      "owner = { role = \"identifier\" }\nage = { role = \"quasi\", type = \"numeric\" }\n"
      "disease = { role = \"sensitive\" }\n";
  one.asked = {{"m", 2}, {"e", static_cast<double>(e)}};
  one.sheets.assign(2, Sheet{{"owner", "age", "disease"}, {}});
  for (std::size_t p = 0; p < world.size(); ++p) {
    const Fields row = {"p" + std::to_string(p + 1), std::to_string(20 + p), Diseases()[world[p]]};
    if (p < 4) one.sheets[0].rows.push_back(row);
    if (p != 3) one.sheets[1].rows.push_back(row);
  }
  return one;
}

// Four people, two of each sex, whose values follow one another.
class EvolvingWorlds {
 public:
  EvolvingWorlds(std::size_t values, std::size_t releases, Chance& chance)
      : values_(values), releases_(releases) {
    for (std::size_t sex = 0; sex < 2; ++sex) prior_.push_back(Shares(chance));
    for (std::size_t value = 0; value < values; ++value) follows_.push_back(Shares(chance));
  }

  Setting All() const {
    Setting setting;
    std::vector<std::size_t> world(kPeople * releases_, 0);  // person by person
    do {
      Add(world, setting);
    } while (Next(world, values_));
    std::vector<Belief> before(world.size());
    for (std::size_t w = 0; w < setting.worlds.size(); ++w) {
      for (std::size_t p = 0; p < before.size(); ++p) {
        before[p][setting.values[w][p]] += setting.weights[w];
      }
    }
    for (std::size_t p = 0; p < before.size(); ++p) setting.lines["j-similarity"].insert(p);
    setting.shown = GroupsOf;
    setting.explain = [worlds = setting.worlds](const Desk::Published& published) {
      std::vector<std::size_t> explained;
      for (std::size_t w = 0; w < worlds.size(); ++w) {
        if (Explains(worlds[w], published)) explained.push_back(w);
      }
      return explained;
    };
    setting.beyond = [before](const std::vector<std::size_t>&, const std::vector<Belief>& after) {
      return Surer(before, after);
    };
    return setting;
  }

 private:
  static constexpr std::size_t kPeople = 4;
  static constexpr double kBelief = 0.8;

  // Whole tenths.
  std::vector<double> Shares(Chance& chance) const {
    std::vector<double> shares(values_, 0.1);
    for (std::size_t tenth = values_; tenth < 10; ++tenth) shares[chance.Below(values_)] += 0.1;
    return shares;
  }

  // Of whom she believes more than is promised, and more than before.
  static std::set<std::size_t> Surer(const std::vector<Belief>& before,
                                     const std::vector<Belief>& after) {
    std::set<std::size_t> surer;
    for (std::size_t p = 0; p < after.size(); ++p) {
      for (const auto& [value, belief] : after[p]) {
        if (belief > std::max(kBelief, before[p].at(value)) + kTolerance) surer.insert(p);
      }
    }
    return surer;
  }

  Case Promise() const {
    Case one;
    one.model = "j-similarity";
    one.columns =
        "id = { role = \"identifier\" }\nsex = { role = \"quasi\" }\n"
        "age = { role = \"quasi\", type = \"numeric\" }\ndisease = { role = \"sensitive\" }\n";
    one.asked = {{"k", 2}, {"j", 1}, {"beta", 100}, {"max_belief", kBelief}};
    Sheet prior{{"sex", "disease", "probability"}, {}};
    Sheet transition{{"from", "to", "probability"}, {}};
    for (std::size_t v = 0; v < values_; ++v) {
      for (std::size_t sex = 0; sex < 2; ++sex) {
        prior.rows.push_back({Sex(sex), Diseases()[v], std::to_string(prior_[sex][v])});
      }
      for (std::size_t to = 0; to < values_; ++to) {
        transition.rows.push_back({Diseases()[v], Diseases()[to], std::to_string(follows_[v][to])});
      }
    }
    one.knowledge = {{"prior", "prior.csv"}, {"transition", "transition.csv"}};
    one.files = {{"prior.csv", prior.Text()}, {"transition.csv", transition.Text()}};
    return one;
  }

  void Add(const std::vector<std::size_t>& world, Setting& setting) const {
    Case one = Promise();
    one.sheets.assign(releases_, Sheet{{"id", "sex", "age", "disease"}, {}});
    double weight = 1;
    Fields had;
    for (std::size_t p = 0; p < kPeople; ++p) {
      for (std::size_t i = 0; i < releases_; ++i) {
        const std::size_t value = world[p * releases_ + i];
        weight *= i == 0 ? prior_[p % 2][value] : follows_[world[p * releases_ + i - 1]][value];
        had.push_back(Diseases()[value]);
        one.sheets[i].rows.push_back(
            {"p" + std::to_string(p + 1), Sex(p % 2), std::to_string(20 + p), had.back()});
      }
    }
    setting.worlds.push_back(std::move(one));
    setting.values.push_back(std::move(had));
    setting.weights.push_back(weight);
  }

  static std::string Sex(std::size_t sex) { return sex == 0 ? "f" : "m"; }

  std::size_t values_, releases_;
  std::vector<std::vector<double>> prior_, follows_;  // by sex; by the value before
};

}  // namespace

Setting ChangingSetting(std::uint64_t e) {
  Setting setting;
  setting.seeds = 20;
  std::vector<World> of;
  std::vector<std::size_t> world(5, 0);
  do {
    setting.worlds.push_back(Wards(world, e));
    Fields values;
    for (const std::size_t value : world) values.push_back(Diseases()[value]);
    setting.values.push_back(std::move(values));
    of.emplace_back(world.begin(), world.end());
  } while (Next(world, 3));
  setting.weights.assign(setting.worlds.size(), 1);
  const std::string name = "m-invariance, e = " + std::to_string(e);
  setting.lines = {{name, {0, 1, 2, 3, 4}}, {name + ", newcomers", {4}}};
  setting.shown = GroupsOf;
  setting.explain = [values = setting.values](const Desk::Published& published) {
    const Identities identities = IdentitiesOf(published.released);
    const std::set<Fields> possible =
        ValuesOfReal(identities, WorldsOf(identities, kMostWorlds).value());
    std::vector<std::size_t> worlds;
    for (std::size_t w = 0; w < values.size(); ++w) {
      if (possible.contains(values[w])) worlds.push_back(w);
    }
    return worlds;
  };
  setting.beyond = [of, e](const std::vector<std::size_t>& left,
                           const std::vector<Belief>& beliefs) {
    std::vector<World> worlds;
    for (const std::size_t one : left) worlds.push_back(of[one]);
    std::set<std::size_t> beyond = InEqualities(worlds, e);
    for (std::size_t p = 0; p < beliefs.size(); ++p) {
      if (beliefs[p].size() < 2) beyond.insert(p);
    }
    return beyond;
  };
  return setting;
}

Setting EvolvingSetting(Chance& chance) {
  const std::size_t releases = chance.From(1, 2);
  return EvolvingWorlds(releases == 1 ? chance.From(2, 3) : 2, releases, chance).All();
}

}  // namespace reissue::readers
