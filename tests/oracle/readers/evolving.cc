// Model `j-similarity`. The reader has all releases, knows everybody in them by name and group, and
// has priors, transitions and statements. After each release she believes what Bayes' rule says;
// promised is the shape of every group (k, j, beta, t), and that she believes no value of anybody
// more than `max_belief`, or than before, and gains no more than `max_gain`.

#include <algorithm>
#include <cmath>

#include "beliefs.h"
#include "measures.h"
#include "model.h"

namespace reissue::readers {
namespace similarity {
namespace {

constexpr std::size_t kMostPeople = 8;  // of a group

const std::vector<std::string>& Diseases() {
  static const std::vector<std::string> diseases = {"u", "v", "w"};
  return diseases;
}

// Whole parts of twenty, each at least so large.
std::vector<std::uint64_t> Parts(std::size_t values, std::uint64_t least, Chance& chance) {
  std::vector<std::uint64_t> parts(values, least);
  for (std::uint64_t left = 20 - least * values; left > 0; --left) ++parts[chance.Below(values)];
  // More often than not one value stands out.
  const std::size_t favoured = chance.Below(values);
  for (std::size_t v = 0; v < values && chance.OneIn(2); ++v) {
    if (v == favoured) continue;
    parts[favoured] += (parts[v] - least) / 2;
    parts[v] -= (parts[v] - least) / 2;
  }
  return parts;
}

std::string Probability(std::uint64_t part) {
  std::string text = std::to_string(part * 5 + 100);
  return part == 20 ? "1" : "0." + text.substr(1);
}

struct Group {
  std::vector<std::string> people, sexes, values;
};

std::map<std::string, Group> GroupsOf(const Sheet& sheet) {
  std::map<std::string, Group> groups;
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    const std::string& name = sheet.At(r, "group");
    if (name.empty()) continue;  // left out
    Group& group = groups[name];
    group.people.push_back(sheet.At(r, "id"));
    group.sexes.push_back(sheet.At(r, "sex"));
    group.values.push_back(sheet.At(r, sheet.Has("shown") ? "shown" : "disease"));
  }
  return groups;
}

// What was asked of one release, against what is.
class Release {
 public:
  Release(const Case& one, std::size_t number, Finding& finding)
      : case_(one), number_(number), finding_(finding) {}

  // Whether her knowledge explains the release at all.
  bool Look(const Sheet& sheet, Mind& mind) {
    const auto groups = GroupsOf(sheet);
    Counts all;
    for (const auto& [name, group] : groups) {
      for (const std::string& value : group.values) ++all[value];
    }
    Case shape = case_;  // beta and t are those of model `k`
    std::erase_if(shape.asked,
                  [](const auto& one) { return one.first != "beta" && one.first != "t"; });
    for (const auto& [name, group] : groups) {
      Counts rows;
      for (const std::string& value : group.values) ++rows[value];
      for (const std::string& promise : Broken(shape, rows, all)) Break(promise);
      if (!Judge(group, rows, mind)) return false;
    }
    Say("k", least_);
    Say("j", divergence_);
    if (least_ < case_.Asked("k", 1)) Break("k");
    if (divergence_ > case_.Asked("j", 1) + kTolerance) Break("j");
    return true;
  }

 private:
  bool Judge(const Group& group, const Counts& rows, Mind& mind) {
    const auto people = static_cast<double>(group.people.size());
    std::vector<Belief> before;
    for (std::size_t p = 0; p < group.people.size(); ++p) {
      before.push_back(mind.Before(group.people[p], group.sexes[p], number_));
    }
    least_ = least_ == 0 ? people : std::min(least_, people);
    divergence_ = std::max(divergence_, Divergence(before));
    for (std::size_t p = 0; p < group.people.size(); ++p) {
      const std::string value = mind.Certain(group.people[p], number_);
      if (!value.empty()) before[p] = {{value, 1}};
    }
    const std::vector<Belief> after = After(before, group.values);
    if (after.empty()) return false;
    for (std::size_t p = 0; p < group.people.size(); ++p) {
      // Whoever is known already stands outside.
      const bool known = std::any_of(before[p].begin(), before[p].end(),
                                     [](const auto& one) { return one.second > 1 - kTolerance; });
      for (const auto& [value, belief] : after[p]) {
        if (!known) Believes(before[p][value], belief, rows.at(value) / people);
      }
      mind.Revise(group.people[p], after[p]);
    }
    return true;
  }

  // In one value of one person, before and after; `share`: of the value in the group. To be certain
  // is no small gain.
  void Believes(double before, double after, double share) {
    if (after > std::max(case_.Asked("max_belief", 1), before) + kTolerance) Break("max_belief");
    if (!case_.Asks("max_gain")) return;
    const bool certain = after > 1 - kTolerance;
    const double gain = share > 1 - kTolerance ? 0 : std::abs(after - share) / (1 - share);
    if (certain || gain > case_.asked.at("max_gain") + kTolerance) Break("max_gain");
  }

  void Break(const std::string& promise) {
    finding_.verdict = Verdict::kBroken;
    const std::string words = promise + " in release " + std::to_string(number_) + "; ";
    if (finding_.words.find(words) == std::string::npos) finding_.words += words;
  }
  void Say(const std::string& what, double number) {
    finding_.numbers[what + " " + std::to_string(number_)] = number;
  }

  const Case& case_;
  std::size_t number_;
  Finding& finding_;
  double least_ = 0, divergence_ = 0;
};

class EvolvingModel final : public Model {
 public:
  std::string name() const override { return "j-similarity"; }
  std::vector<Setting> Settings(std::uint64_t number, Chance& chance) const override {
    std::vector<Setting> settings;
    // Few worlds each, and of these many are refused.
    while (settings.size() < 4 * number) settings.push_back(EvolvingSetting(chance));
    return settings;
  }

  Case Foreign(Chance& chance) const override {
    Case one = Draw(chance, chance.From(2, 7), chance.From(1, 3));
    for (Sheet& sheet : one.sheets) {
      const std::uint64_t groups = chance.From(1, 2);
      sheet.header.insert(sheet.header.begin() + 1, "group");
      for (Fields& row : sheet.rows) {
        row.insert(row.begin() + 1, std::to_string(chance.From(1, groups)));
      }
    }
    return one;
  }

  Case Tables(Chance& chance) const override {
    Case one = Draw(chance, chance.From(4, 8), chance.From(1, 3));
    if (chance.OneIn(4)) one.settings["leftover"] = "counterfeit";
    static const std::vector<std::string> algorithms = {"reissue", "bkaa", "js-reduce"};
    one.settings["algorithm"] = chance.Of(algorithms);
    return one;
  }

  std::optional<Finding> Read(const Case& one, const std::vector<Sheet>& released) const override {
    Mind mind(one);
    Finding finding;
    for (std::size_t i = 0; i < released.size(); ++i) {
      for (const auto& [name, group] : GroupsOf(released[i])) {
        if (group.people.size() > kMostPeople) return std::nullopt;
      }
      if (!Release(one, i + 1, finding).Look(released[i], mind)) return std::nullopt;
    }
    return finding;
  }

 private:
  static Case Draw(Chance& chance, std::size_t people, std::size_t releases) {
    Case one = Promise(chance);
    const std::size_t values = chance.From(2, 3);
    const auto priors = Priors(values, chance, one);
    const auto transitions = Transitions(values, chance, one);
    Sheet known{{"id", "disease", "release", "confidence"}, {}};
    const bool some_known = chance.OneIn(4);
    std::map<std::size_t, std::size_t> last;  // value by person
    const std::uint64_t women = chance.Below(people + 1);
    for (std::size_t i = 0; i < releases; ++i) {
      Sheet sheet{{"id", "sex", "age", "disease"}, {}};
      for (std::size_t p = 0; p < people; ++p) {
        if (p > 0 && chance.OneIn(5)) continue;
        const auto& parts = last.contains(p) ? transitions[last[p]] : priors[p < women ? 0 : 1];
        const std::string& value = Diseases()[last[p] = Pick(parts, chance)];
        const std::string id = "p" + std::to_string(p + 1);
        sheet.rows.push_back({id, p < women ? "f" : "m", std::to_string(20 + p), value});
        if (some_known && chance.OneIn(4)) {
          known.rows.push_back({id, value, std::to_string(i + 1), chance.OneIn(2) ? "1" : "0.99"});
        }
      }
      one.sheets.push_back(std::move(sheet));
    }
    if (!known.rows.empty()) {
      one.knowledge["compromised"] = "known.csv";
      one.files["known.csv"] = known.Text();
    }
    return one;
  }

  static Case Promise(Chance& chance) {
    Case one;
    one.model = "j-similarity";
    one.columns =
        "id = { role = \"identifier\" }\nsex = { role = \"quasi\" }\n"
        "age = { role = \"quasi\", type = \"numeric\" }\ndisease = { role = \"sensitive\" }\n";
    one.asked["k"] = static_cast<double>(chance.From(1, 3));
    one.asked["j"] = static_cast<double>(chance.From(2, 10)) / 10;
    one.asked[chance.OneIn(2) ? "beta" : "t"] = static_cast<double>(chance.From(2, 6)) / 6;
    if (one.Asks("beta")) one.asked["beta"] *= 4;
    if (chance.OneIn(2)) one.asked["max_belief"] = static_cast<double>(chance.From(5, 9)) / 10;
    if (chance.OneIn(3)) one.asked["max_gain"] = static_cast<double>(chance.From(3, 9)) / 10;
    return one;
  }

  static std::size_t Pick(const std::vector<std::uint64_t>& parts, Chance& chance) {
    std::uint64_t at = chance.Below(20);
    std::size_t value = 0;
    while (at >= parts[value]) at -= parts[value++];
    return value;
  }

  // Of women and men; both alike where the file does not tell them apart.
  static std::vector<std::vector<std::uint64_t>> Priors(std::size_t values, Chance& chance,
                                                        Case& one) {
    const bool apart = chance.OneIn(2);
    std::vector<std::vector<std::uint64_t>> priors = {Parts(values, 1, chance)};
    priors.push_back(apart ? Parts(values, 1, chance) : priors.front());
    Sheet sheet{{"sex", "disease", "probability"}, {}};
    for (std::size_t sex = 0; sex < (apart ? 2 : 1); ++sex) {
      for (std::size_t v = 0; v < values; ++v) {
        sheet.rows.push_back({!apart     ? "*"
                              : sex == 0 ? "f"
                                         : "m",
                              Diseases()[v], Probability(priors[sex][v])});
      }
    }
    one.knowledge["prior"] = "prior.csv";
    one.files["prior.csv"] = sheet.Text();
    return priors;
  }

  static std::vector<std::vector<std::uint64_t>> Transitions(std::size_t values, Chance& chance,
                                                             Case& one) {
    std::vector<std::vector<std::uint64_t>> transitions;
    Sheet sheet{{"from", "to", "probability"}, {}};
    for (std::size_t from = 0; from < values; ++from) {
      transitions.push_back(Parts(values, chance.Below(2), chance));
      for (std::size_t to = 0; to < values; ++to) {
        sheet.rows.push_back(
            {Diseases()[from], Diseases()[to], Probability(transitions[from][to])});
      }
    }
    one.knowledge["transition"] = "transition.csv";
    one.files["transition.csv"] = sheet.Text();
    return transitions;
  }
};

}  // namespace
}  // namespace similarity

std::unique_ptr<Model> Evolving() { return std::make_unique<similarity::EvolvingModel>(); }

}  // namespace reissue::readers
