// A reader outside the house: she has the published files, knows who is in which group, and has
// the files of knowledge. Her beliefs are computed here anew, by Bayes' rule over all assignments,
// with nothing of the program.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "engine_fixture.h"

namespace reissue::outsider {
namespace {

constexpr std::size_t kResults = 5;
constexpr double kMostBelieved = 0.8, kPeople = 3, kDivergence = 0.7, kLikeness = 4;
using Chances = std::array<double, kResults>;
using Rows = std::array<int, kResults>;

// What she knows: results by age, and how they follow one another.
Chances PriorOf(int age) {
  return age < 50 ? Chances{0.5, 0.2, 0.15, 0.1, 0.05} : Chances{0.2, 0.2, 0.2, 0.2, 0.2};
}
Chances After(std::size_t result) {
  Chances next{};
  for (std::size_t s = 0; s < kResults; ++s) next[s] = s == result ? 0.6 : 0.1;
  return next;
}
std::string NameOf(std::size_t result) { return "r" + std::to_string(result); }

// The weight of all ways to hand out the rows to people from `first` on.
double Ways(const std::vector<Chances>& people, std::size_t first, Rows left,
            std::map<Rows, double>& known) {
  if (first == people.size()) return 1;
  const auto before = known.find(left);
  if (before != known.end()) return before->second;
  double sum = 0;
  for (std::size_t s = 0; s < kResults; ++s) {
    if (left[s] == 0) continue;
    Rows rest = left;
    --rest[s];
    sum += people[first][s] * Ways(people, first + 1, rest, known);
  }
  return known[left] = sum;
}

// Each in turn is asked about first.
std::vector<Chances> Posteriors(std::vector<Chances> people, const Rows& rows) {
  std::vector<Chances> posteriors;
  for (std::size_t v = 0; v < people.size(); ++v) {
    std::swap(people[0], people[v]);
    std::map<Rows, double> known;
    Chances& posterior = posteriors.emplace_back();
    double sum = 0;
    for (std::size_t s = 0; s < kResults; ++s) {
      posterior[s] = 0;
      if (rows[s] == 0) continue;
      Rows rest = rows;
      --rest[s];
      sum += posterior[s] = people[0][s] * Ways(people, 1, rest, known);
    }
    for (double& p : posterior) p /= sum;
    std::swap(people[0], people[v]);
  }
  return posteriors;
}

std::vector<std::vector<std::string>> Lines(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string>& fields = lines.emplace_back(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
  }
  return lines;
}

// Numbers that stand in the policy, or that whoever has the release can compute: rows, groups,
// the smallest group, beta and t.
std::vector<double> Explained(const std::vector<std::vector<std::string>>& release) {
  std::map<std::string, Rows> groups;
  Rows all{};
  for (std::size_t i = 1; i < release.size(); ++i) {
    const auto result = std::size_t(release[i][2][1] - '0');
    ++groups[release[i][3]][result];
    ++all[result];
  }
  const auto rows = double(release.size() - 1);
  double smallest = rows, beta = 0, t = 0;
  for (const auto& [name, group] : groups) {
    const double size = std::accumulate(group.begin(), group.end(), 0);
    smallest = std::min(smallest, size);
    double moved = 0;
    for (std::size_t s = 0; s < kResults; ++s) {
      const double here = group[s] / size, there = all[s] / rows;
      if (all[s] > 0) beta = std::max(beta, here / there - 1);
      moved += std::abs(here - there) / 2;
    }
    t = std::max(t, moved);
  }
  return {kPeople,  kDivergence, kLikeness, kMostBelieved, rows, double(groups.size()),
          smallest, beta,        t};
}

// All that a certificate has, except whole numbers up to 9 (versions, counts of releases) and what
// is explained.
std::vector<double> NumbersOf(const nlohmann::json& json, const std::vector<double>& explained) {
  std::vector<double> numbers;
  if (json.is_number()) {
    const auto number = json.get<double>();
    const bool small = number == std::floor(number) && std::abs(number) < 10;
    const bool known = std::ranges::any_of(
        explained, [&](double other) { return std::abs(other - number) < 1e-9; });
    if (!small && !known) numbers.push_back(number);
  }
  if (json.is_structured()) {
    for (const nlohmann::json& part : json) {
      const std::vector<double> more = NumbersOf(part, explained);
      numbers.insert(numbers.end(), more.begin(), more.end());
    }
  }
  return numbers;
}

struct Believed {
  std::string id;
  Chances before{}, after{};
  Rows rows{};  // of the group
  int people = 0;
  // Equation 8.
  double GainOf(std::size_t result) const {
    const double share = double(rows[result]) / people;
    return share == 1 ? 1 - after[result] : std::abs(after[result] - share) / (1 - share);
  }
};

class OutsiderTest : public EngineTest {
 protected:
  // A few hundred patients, monthly; some leave, some come, results change.
  void PublishTwo() {
    Random random = Random::Seeded(2024);
    std::string prior = "age,result,probability\n", next = "from,to,probability\n";
    for (std::size_t s = 0; s < kResults; ++s) {
      prior += fmt::format("\"[0,50)\",{},{}\n\"[50,120)\",{},{}\n", NameOf(s), PriorOf(20)[s],
                           NameOf(s), PriorOf(60)[s]);
      for (std::size_t t = 0; t < kResults; ++t) {
        next += fmt::format("{},{},{}\n", NameOf(s), NameOf(t), After(s)[t]);
      }
    }
    Write("prior.csv", prior);
    Write("next.csv", next);
    const std::string policy = Write(
        "policy.toml",
        fmt::format("[columns]\nid = {{ role = \"identifier\" }}\n"
                    "age = {{ role = \"quasi\", type = \"numeric\" }}\n"
                    "weight = {{ role = \"quasi\", type = \"numeric\" }}\n"
                    "result = {{ role = \"sensitive\" }}\n[guarantee]\nmodel = \"j-similarity\"\n"
                    "k = {}\nj = {}\nbeta = {}\nmax_belief = {}\n"
                    "[knowledge]\nprior = \"prior.csv\"\ntransition = \"next.csv\"\n",
                    kPeople, kDivergence, kLikeness, kMostBelieved));
    for (int person = 0; person < 300; ++person) {
      age_["p" + std::to_string(person)] = 20 + int(random.Below(60));
    }
    std::map<std::string, std::size_t> result;
    for (int release = 1; release <= 2; ++release) {
      std::string table = "id,age,weight,result\n";
      for (const auto& [id, age] : age_) {
        if (random.Below(10) == 0) continue;
        const Chances chances = result.contains(id) ? After(result[id]) : PriorOf(age);
        double at = random.Unit();
        std::size_t drawn = 0;
        while (drawn + 1 < kResults && (at -= chances[drawn]) > 0) ++drawn;
        result[id] = drawn;
        table += fmt::format("{},{},{},{}\n", id, age, 50 + age % 37, NameOf(drawn));
      }
      contract::PublishRequest request = Request(policy, Write("t.csv", table));
      request.out = Path(fmt::format("R{}.csv", release));
      request.holder_copy = Path(fmt::format("H{}.csv", release));
      const auto report = engine::Publish(request, context_);
      ASSERT_TRUE(report.has_value()) << report.error().ToString();
      See(release);
    }
  }

  // Values per group from the release; who is in which group she knows anyway.
  void See(int release) {
    std::map<std::string, Rows> rows;
    const auto published = Lines(Read(fmt::format("R{}.csv", release)));
    ASSERT_EQ(published[0], (std::vector<std::string>{"age", "weight", "result", "group"}));
    for (std::size_t i = 1; i < published.size(); ++i) {
      ++rows[published[i][3]][std::size_t(published[i][2][1] - '0')];
    }
    std::map<std::string, std::vector<std::string>> members;
    const auto copy = Lines(Read(fmt::format("H{}.csv", release)));
    ASSERT_EQ(copy[0][1], "group");
    for (std::size_t i = 1; i < copy.size(); ++i) {
      if (!copy[i][1].empty()) members[copy[i][1]].push_back(copy[i][0]);
    }
    std::vector<Believed>& all = believed_.emplace_back();
    for (const auto& [group, ids] : members) {
      std::vector<Chances> priors;
      for (const std::string& id : ids) {
        priors.push_back(revised_.contains(id) ? revised_[id] : PriorOf(age_[id]));
      }
      const std::vector<Chances> posteriors = Posteriors(priors, rows[group]);
      for (std::size_t v = 0; v < ids.size(); ++v) {
        all.push_back({ids[v], priors[v], posteriors[v], rows[group], int(ids.size())});
        Chances& revised = revised_[ids[v]];
        revised = {};
        for (std::size_t s = 0; s < kResults; ++s) {
          for (std::size_t t = 0; t < kResults; ++t) revised[t] += posteriors[v][s] * After(s)[t];
        }
      }
    }
  }

  std::map<std::string, int> age_;
  std::map<std::string, Chances> revised_;
  std::vector<std::vector<Believed>> believed_;  // per release
};

TEST_F(OutsiderTest, BelievesInNoValueMoreThanPromised) {
  PublishTwo();
  ASSERT_EQ(believed_.size(), 2U);
  int near = 0;
  for (const std::vector<Believed>& release : believed_) {
    EXPECT_GT(release.size(), 200U);
    for (const Believed& person : release) {
      for (std::size_t s = 0; s < kResults; ++s) {
        EXPECT_LE(person.after[s], std::max(kMostBelieved, person.before[s]) + 1e-9) << person.id;
        near += person.after[s] > kMostBelieved - 0.1;
      }
    }
  }
  EXPECT_GT(near, 5);  // else the promise did not matter
}

// A certificate is out with its release. Whatever is in it and is neither promised by the policy
// nor computed from the file, and is what she believes or gains of a few people, points at them.
TEST_F(OutsiderTest, FindsNobodyInTheNumbersOfTheCertificate) {
  PublishTwo();
  for (std::size_t release = 0; release < 2; ++release) {
    const std::string file = fmt::format("R{}.csv", release + 1);
    const std::vector<double> told = NumbersOf(
        nlohmann::json::parse(Read(file + ".certificate.json")), Explained(Lines(Read(file))));
    for (const double number : told) {
      std::vector<std::string> who;
      for (const Believed& person : believed_[release]) {
        for (std::size_t s = 0; s < kResults; ++s) {
          if (person.rows[s] == 0) continue;
          if (std::abs(person.after[s] - number) < 1e-9 ||
              std::abs(person.GainOf(s) - number) < 1e-9) {
            who.push_back(person.id + " has " + NameOf(s));
          }
        }
      }
      EXPECT_TRUE(who.empty()) << file << ": " << number << " is her belief, or gain, that "
                               << who[0] << " (" << who.size() << " such pairs)";
    }
  }
}

}  // namespace
}  // namespace reissue::outsider
