#include "product.h"

#include <algorithm>
#include <sstream>

namespace oracle::invariance {
namespace {

// Came and left per stay, in releases; left is the number of releases for who is still there.
std::vector<std::pair<std::size_t, std::size_t>> StaysOf(const Published& bucket, int person) {
  std::vector<std::pair<std::size_t, std::size_t>> stays;
  for (std::size_t r = 0; r < bucket.releases.size(); ++r) {
    const auto& rows = bucket.releases[r];
    const bool there = std::any_of(rows.begin(), rows.end(),
                                   [&](const Seen& seen) { return seen.person == person; });
    if (!there) continue;
    if (!stays.empty() && stays.back().second == r) {
      ++stays.back().second;
    } else {
      stays.emplace_back(r, r + 1);
    }
  }
  return stays;
}

// `decided`: nothing may be left open.
std::string WrongInAssociation(const Published& published,
                               const std::vector<std::set<int>>& possible, bool decided,
                               const model::AttackOptions& options,
                               const model::Findings& findings) {
  std::size_t least = 0, exposed = 0, certain = 0;
  bool any = false;
  for (std::size_t p = 0; p < possible.size(); ++p) {
    if (published.counterfeit[p]) continue;
    least = any ? std::min(least, possible[p].size()) : possible[p].size();
    any = true;
    exposed += possible[p].size() < options.m ? 1 : 0;
    certain += possible[p].size() == 1 ? 1 : 0;
  }
  if (findings.least_values < least || findings.exposed_by_association > exposed ||
      findings.certain > certain) {
    return "values are excluded that are possible";
  }
  if (findings.proven_values > least) return "values are said to be proven that are not possible";
  if (findings.exposed_by_association + findings.decided.open < exposed) {
    return "exposed people are neither counted nor open";
  }
  if (decided && findings.least_values != least) return "least number of values";
  if (decided && findings.exposed_by_association != exposed) return "exposed by association";
  if (decided && findings.certain != certain) return "values that are certain";
  if (decided && findings.decided.open != 0) return "people are left open";
  if (any && options.worst > 0 && findings.fewest.empty()) return "nobody is worst";
  if (findings.fewest.size() > options.worst) return "too many are worst";
  std::size_t last = findings.least_values;
  for (const model::Association& worst : findings.fewest) {
    if (published.counterfeit[worst.person]) return "a counterfeit is worst";
    const std::set<int>& values = possible[worst.person];
    const std::set<int> said(worst.values.begin(), worst.values.end());
    if (!std::includes(said.begin(), said.end(), values.begin(), values.end()) ||
        (decided && said != values)) {
      return "values of the worst";
    }
    if (said.size() < last) return "the worst are not first";
    last = said.size();
  }
  if (!findings.fewest.empty() && findings.fewest[0].values.size() != findings.least_values) {
    return "the worst is not named";
  }
  return "";
}

}  // namespace

model::Series ToSeries(const Published& published) {
  model::Series series;
  series.persons = std::uint32_t(published.people);
  series.values = std::uint32_t(published.values);
  series.counterfeit = published.counterfeit;
  for (const auto& release : published.releases) {
    model::Snapshot snapshot;
    std::map<int, std::uint32_t> number;
    for (const Seen& seen : release) {
      const auto group = number.emplace(seen.group, std::uint32_t(number.size())).first->second;
      snapshot.rows.push_back({std::uint32_t(seen.person), group, std::uint32_t(seen.value)});
    }
    snapshot.groups = std::uint32_t(number.size());
    series.releases.push_back(std::move(snapshot));
  }
  return series;
}

std::vector<model::PublishedGroup> ToGroups(const Published& published) {
  std::vector<model::PublishedGroup> groups;
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    std::map<int, std::size_t> number;
    std::map<std::size_t, std::map<model::Value, std::uint64_t>> values;
    const std::size_t before = groups.size();
    for (const Seen& seen : published.releases[r]) {
      const auto [at, fresh] = number.emplace(seen.group, groups.size());
      if (fresh) {
        groups.emplace_back();
        groups.back().release = std::uint32_t(r);
        groups.back().group = std::uint32_t(at->second - before);
      }
      groups[at->second].people.push_back(std::uint32_t(seen.person));
      ++values[at->second][std::uint32_t(seen.value)];
    }
    for (std::size_t g = before; g < groups.size(); ++g) {
      std::sort(groups[g].people.begin(), groups[g].people.end());
      groups[g].values.assign(values[g].begin(), values[g].end());
    }
  }
  return groups;
}

Lived LivedIn(const Published& bucket, const std::vector<model::Moment>& moments, bool apart) {
  Lived lived;
  lived.moments = moments;
  const std::size_t end = bucket.releases.size();
  const auto moment = [&](std::size_t r) { return r == end ? model::kStillThere : moments[r]; };
  std::map<std::vector<std::pair<model::Moment, model::Moment>>, std::vector<std::vector<int>>> all;
  for (int person = 0; person < bucket.people; ++person) {
    std::vector<std::pair<model::Moment, model::Moment>> stays;
    for (const auto& [came, left] : StaysOf(bucket, person)) {
      stays.emplace_back(moment(came), moment(left));
    }
    if (stays.empty()) continue;
    auto& lots = all[stays];
    if (lots.empty() || apart) lots.emplace_back();
    lots.back().push_back(person);
  }
  for (const auto& [stays, lots] : all) {
    for (const auto& people : lots) {
      if (stays.size() == 1) {
        lived.history.stays.push_back({stays[0].first, stays[0].second, people.size()});
        lived.stays.push_back(people);
      } else {
        lived.history.returns.push_back({stays, people.size()});
        lived.returns.push_back(people);
      }
    }
  }
  return lived;
}

Matrices DeltaOf(const Published& bucket, const std::vector<std::size_t>& leader) {
  Matrices delta;
  delta.people = bucket.people;
  delta.values = 1;
  const std::size_t end = bucket.releases.size();
  delta.s.assign(end, Vector(std::size_t(bucket.people)));
  delta.u.assign(end, Vector(1));
  for (int person = 0; person < bucket.people; ++person) {
    for (const auto& [came, left] : StaysOf(bucket, person)) {
      ++delta.s[leader[came]][std::size_t(person)];
      ++delta.u[leader[came]][0];
      if (left == end) continue;
      --delta.s[leader[left]][std::size_t(person)];
      --delta.u[leader[left]][0];
    }
  }
  return delta;
}

std::optional<Vector> SidesBy(const Lived& lived, int people, const model::Equality& equality) {
  std::map<model::Moment, long> w(equality.potentials.begin(), equality.potentials.end());
  w[model::kStillThere] = 0;
  Vector x(static_cast<std::size_t>(people));
  for (std::size_t s = 0; s < lived.stays.size(); ++s) {
    const model::Stay& stay = lived.history.stays[s];
    for (const int person : lived.stays[s]) x[std::size_t(person)] = w[stay.came] - w[stay.left];
  }
  for (std::size_t s = 0; s < lived.returns.size(); ++s) {
    for (const auto& [came, left] : lived.history.returns[s].stays) {
      for (const int person : lived.returns[s]) x[std::size_t(person)] += w[came] - w[left];
    }
  }
  for (long& entry : x) {
    if (entry % equality.divisor != 0) return std::nullopt;
    entry /= equality.divisor;
  }
  return x;
}

Vector FromSides(const std::vector<model::Person>& left, const std::vector<model::Person>& right,
                 int people) {
  Vector x(static_cast<std::size_t>(people));
  for (const model::Person person : left) ++x[person];
  for (const model::Person person : right) --x[person];
  return x;
}

std::optional<long> LeastCutByTrying(const model::History& history) {
  std::map<model::Moment, std::size_t> number = {{model::kStillThere, 0}};
  for (const model::Stay& stay : history.stays) {
    number.emplace(stay.came, number.size());
    number.emplace(stay.left, number.size());
  }
  std::optional<long> least;
  for (std::size_t set = 0; set < std::size_t{1} << number.size(); ++set) {
    long cut = 0;
    for (const model::Stay& stay : history.stays) {
      const bool a = set >> number[stay.came] & 1;
      const bool b = set >> number[stay.left] & 1;
      cut += a != b ? long(stay.people) : 0;
    }
    if (cut > 0 && (!least || cut < *least)) least = cut;
  }
  return least;
}

std::string WrongInFindings(const Published& published, const Truth& truth, bool decided,
                            const model::AttackOptions& options, const model::Findings& findings) {
  const std::string wrong =
      WrongInAssociation(published, truth.possible, decided, options, findings);
  if (!wrong.empty()) return wrong;
  const std::optional<long> weighed = truth.by_weights.Least();
  const bool below = truth.in_all_worlds.AnyUpTo(long(options.e) - 1);
  if (findings.upper && !truth.in_all_worlds.AnyUpTo(long(*findings.upper))) {
    return "upper bound too low";
  }
  if (findings.lower && weighed && long(*findings.lower) > *weighed) return "lower bound too high";
  if (weighed && !findings.lower && !findings.upper) return "an equality is not seen at all";
  for (const model::HistoryFinding& history : findings.histories) {
    if (!history.found) continue;
    if (history.upper != history.found->size) return "what was found is not the upper bound";
    const Vector x = FromSides(history.found->left, history.found->right, published.people);
    if (SizeOf(x) != long(history.found->size) || !truth.in_all_worlds.Has(x)) {
      return "what was found does not hold in all worlds";
    }
    Published shown = published;
    for (std::size_t r = 0; r < shown.releases.size(); ++r) {
      if (!std::count(history.found->releases.begin(), history.found->releases.end(), r)) {
        shown.releases[r].clear();
      }
    }
    if (truth.by_weights.Has(x) && !Equalities(MatricesOf(shown), true).Has(x)) {
      return "releases that do not show it";
    }
  }
  std::size_t exposed = 0;
  for (const int person : truth.in_all_worlds.PeopleUpTo(long(options.e) - 1)) {
    exposed += published.counterfeit[std::size_t(person)] ? 0 : 1;
  }
  if (findings.exposed_by_equivalence > exposed) return "too many exposed by equivalence";
  if (findings.exposed_complete && findings.exposed_by_equivalence != exposed) {
    return "too few exposed by equivalence";
  }
  if (findings.counterfeits.size() != published.releases.size()) return "counterfeits per release";
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    const auto& rows = published.releases[r];
    const auto count = std::count_if(rows.begin(), rows.end(), [&](const Seen& seen) {
      return published.counterfeit[std::size_t(seen.person)];
    });
    if (findings.counterfeits[r] != std::uint64_t(count)) return "counterfeits of a release";
  }
  bool all_have_m = true;
  for (std::size_t p = 0; p < truth.possible.size(); ++p) {
    all_have_m &= published.counterfeit[p] || truth.possible[p].size() >= options.m;
  }
  const bool kept = all_have_m && !below;
  if (findings.kept && !kept) return "said to be kept, and is not";
  if (findings.broken && kept) return "said to be broken, and is not";
  if (decided && findings.kept == findings.broken) return "neither kept nor broken";
  return "";
}

std::optional<Truth> TruthOf(const Published& published, std::size_t limit) {
  const Worlds worlds = WorldsOf(published, {}, limit);
  if (!worlds.complete) return std::nullopt;
  return Truth{PossibleIn(published.people, worlds.worlds), Equalities(MatricesOf(published), true),
               Equalities(published.people,
                          TrueEqualities(published.people, published.values, worlds.worlds))};
}

std::string Describe(const model::History& history) {
  std::ostringstream text;
  for (const model::Stay& stay : history.stays) {
    text << ' ' << stay.people << "x(" << stay.came << ',' << stay.left << ')';
  }
  for (const model::Return& back : history.returns) {
    text << ' ' << back.people << 'x';
    for (const auto& [came, left] : back.stays) text << '(' << came << ',' << left << ')';
  }
  return text.str();
}

std::string Describe(const std::optional<std::uint64_t>& number) {
  return number ? std::to_string(*number) : "none";
}

}  // namespace oracle::invariance
