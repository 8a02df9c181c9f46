// Model `m-invariance`. The reader knows everybody in the releases by name and group. A world gives
// everybody one value for life so that every group has the values that it shows. Promised is that
// everybody real has at least m values over all worlds, and that no two lists of fewer than e
// people have the same values in all of them.

#include <algorithm>
#include <array>

#include "identities.h"
#include "model.h"

namespace reissue::readers {
namespace invariance {
namespace {

constexpr std::size_t kMostWorlds = 20000;

struct Member {
  std::string name;
  std::string value;
  std::uint64_t group = 1;
  bool counterfeit = false;
};

const std::vector<std::string>& Diseases() {
  static const std::vector<std::string> diseases = {"u", "v", "w", "x"};
  return diseases;
}

Case Promise(Chance& chance) {
  Case one;
  one.model = "m-invariance";
  one.columns =
      "owner = { role = \"identifier\" }\nage = { role = \"quasi\", type = \"numeric\" }\n"
      "disease = { role = \"sensitive\" }\n";
  const std::uint64_t m = chance.From(2, 3);
  one.asked["m"] = static_cast<double>(m);
  one.asked["e"] = static_cast<double>(chance.From(1, m));
  return one;
}

Sheet Copy(const std::vector<Member>& members) {
  Sheet sheet{{"owner", "group", "disease", "counterfeit"}, {}};
  for (const Member& one : members) {
    sheet.rows.push_back(
        {one.name, std::to_string(one.group), one.value, one.counterfeit ? "yes" : "no"});
  }
  return sheet;
}

// Everybody who may appear.
std::vector<Member> Crowd(std::size_t people, std::size_t values, Chance& chance) {
  std::vector<Member> crowd;
  for (std::size_t p = 0; p < people; ++p) {
    crowd.push_back({"p" + std::to_string(p + 1), Diseases()[chance.Below(values)]});
    crowd.back().counterfeit = chance.OneIn(20);
  }
  return crowd;
}

// Whoever is there, in groups as they come.
std::vector<Member> Anyhow(std::vector<Member> crowd, Chance& chance) {
  const std::uint64_t groups = chance.From(1, 3);
  std::erase_if(crowd, [&](const Member&) { return chance.OneIn(4); });
  for (Member& one : crowd) one.group = chance.From(1, groups);
  return crowd;
}

// Every value equally often, in one group or in groups that have each value once.
std::vector<Member> Balanced(std::vector<Member> crowd, bool fine, Chance& chance) {
  chance.Shuffle(crowd);
  std::map<std::string, std::vector<Member>> by_value;
  for (const Member& one : crowd) by_value[one.value].push_back(one);
  std::size_t rows = crowd.size();
  for (const auto& [value, members] : by_value) rows = std::min(rows, members.size());
  rows = rows == 0 ? 0 : chance.From(1, rows);
  std::vector<Member> there;
  for (const auto& [value, members] : by_value) {
    for (std::size_t i = 0; i < rows; ++i) {
      there.push_back(members[i]);
      there.back().group = fine ? i + 1 : 1;
    }
  }
  return there;
}

// No value has more than one m-th of the rows.
bool Eligible(const Sheet& sheet, double m) {
  std::map<std::string, double> rows;
  for (const Fields& row : sheet.rows) ++rows[row.back()];
  return std::all_of(rows.begin(), rows.end(), [&](const auto& value) {
    return value.second * m <= static_cast<double>(sheet.rows.size());
  });
}

class ChangingModel final : public Model {
 public:
  std::string name() const override { return "m-invariance"; }
  // All worlds of one table.
  std::vector<Setting> Settings(std::uint64_t, Chance&) const override {
    return {ChangingSetting(2), ChangingSetting(1)};
  }

  Case Foreign(Chance& chance) const override {
    Case one = Promise(chance);
    const std::size_t values = chance.OneIn(12) ? 1 : chance.From(2, 4);
    const std::vector<Member> crowd = Crowd(chance.From(4, 9), values, chance);
    const std::uint64_t kind = chance.Below(5);
    const std::uint64_t releases = chance.From(2, 4);
    while (one.sheets.size() < releases) {
      std::vector<Member> there =
          kind == 0 ? Anyhow(crowd, chance) : Balanced(crowd, kind >= 3, chance);
      if (kind % 2 == 0 && !there.empty() && chance.OneIn(3)) there.pop_back();
      if (!there.empty() && chance.OneIn(20))
        there.front().value = Diseases()[chance.Below(values)];
      if (there.empty()) there.push_back(crowd.front());
      one.sheets.push_back(Copy(there));
    }
    return one;
  }

  Case Tables(Chance& chance) const override {
    Case one = Promise(chance);
    static const std::vector<std::string> forms = {"anatomy", "anatomy", "generalized"};
    one.settings["form"] =
        one.Asked("e", 1) == 1 && chance.OneIn(2) ? "partitions" : chance.Of(forms);
    if (chance.OneIn(3)) one.settings["rule"] = "paper";
    if (chance.OneIn(3)) one.settings["counterfeits"] = "published";
    const std::size_t values = chance.From(static_cast<std::uint64_t>(one.Asked("m", 2)), 4);
    std::vector<Member> crowd = Crowd(chance.From(4, 8), values, chance);
    // Most often no value is too frequent to be published.
    for (std::size_t p = 0; p < crowd.size(); ++p) {
      if (!chance.OneIn(5)) crowd[p].value = Diseases()[p % values];
    }
    const std::uint64_t releases = chance.From(1, 4);
    while (one.sheets.size() < releases) {
      Sheet sheet{{"owner", "age", "disease"}, {}};
      for (std::size_t p = 0; p < crowd.size(); ++p) {
        if (chance.OneIn(5)) continue;
        if (chance.OneIn(40)) crowd[p].value = Diseases()[chance.Below(values)];
        sheet.rows.push_back({crowd[p].name, std::to_string(20 + p), crowd[p].value});
      }
      // What is refused says nothing.
      const bool eligible = Eligible(sheet, one.Asked("m", 2));
      if (!sheet.rows.empty() && (eligible || chance.OneIn(one.sheets.empty() ? 20 : 2))) {
        one.sheets.push_back(std::move(sheet));
      }
    }
    return one;
  }

  std::optional<Finding> Read(const Case& one, const std::vector<Sheet>& released) const override {
    const Identities identities = IdentitiesOf(released);
    const auto worlds = WorldsOf(identities, kMostWorlds);
    if (!worlds) return std::nullopt;
    const auto m = static_cast<std::size_t>(one.Asked("m", 2));
    const auto possible = PossibleValues(*worlds);
    const auto equal = InEqualities(*worlds, static_cast<std::uint64_t>(one.Asked("e", 1)));
    Finding finding;
    std::size_t few = 0;
    for (std::size_t p = 0; p < identities.size(); ++p) {
      if (!identities.real[p] || possible[p].size() >= m) continue;
      ++few;
      finding.words +=
          identities.names[p] + " has " + std::to_string(possible[p].size()) + " possible values; ";
    }
    std::size_t alike = 0;  // counterfeits count as people, and nobody is exposed with them
    for (const std::size_t p : equal) {
      alike += identities.real[p];
      finding.words += identities.names[p] + " is in an equality; ";
    }
    finding.numbers["exposed by association"] = static_cast<double>(few);
    finding.numbers["exposed by equivalence"] = static_cast<double>(alike);
    finding.verdict = few == 0 && equal.empty() ? Verdict::kKept : Verdict::kBroken;
    return finding;
  }
};

}  // namespace
}  // namespace invariance

std::unique_ptr<Model> Changing() { return std::make_unique<invariance::ChangingModel>(); }

}  // namespace reissue::readers
