#include "reissue/models/invariance/adversary/attack.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reissue/core/result.h"
#include "reissue/models/invariance/adversary/all_worlds.h"
#include "reissue/models/invariance/adversary/attack_part.h"
#include "reissue/models/invariance/adversary/equality.h"
#include "reissue/models/invariance/adversary/exposed.h"
#include "reissue/models/invariance/adversary/possible.h"
#include "reissue/models/invariance/adversary/series_index.h"

namespace reissue::models::invariance {
namespace {

// All groups of the series together are looked at exactly up to this.
constexpr std::size_t kJointGroups = 60;

bool IsReal(const Series& series, Person person) {
  return series.counterfeit.empty() || !series.counterfeit[person];
}

void Associate(const Series& series, const PossibleValues& possible, const AttackOptions& options,
               Findings& findings) {
  std::vector<std::pair<std::size_t, Person>> worst;
  bool anybody = false;
  std::size_t least = 0, proven = 0;
  findings.decided = possible.decided;
  for (Person p = 0; p < series.persons; ++p) {
    if (possible.at_most[p] == kNoSet || !IsReal(series, p)) continue;
    const std::size_t values = possible.sets[possible.at_most[p]].size();
    const std::size_t at_least = std::min<std::size_t>(values, possible.at_least[p]);
    least = anybody ? std::min(least, values) : values;
    proven = anybody ? std::min(proven, at_least) : at_least;
    anybody = true;
    findings.exposed_by_association += values < options.m;
    findings.certain += values == 1;
    findings.perhaps_certain += values > 1 && at_least <= 1;
    findings.decided.open += at_least < options.m && values >= options.m;
    worst.emplace_back(values, p);
  }
  findings.least_values = least;
  findings.proven_values = proven;
  const std::size_t named = std::min(options.worst, worst.size());
  std::ranges::partial_sort(worst, worst.begin() + static_cast<std::ptrdiff_t>(named));
  for (std::size_t i = 0; i < named; ++i) {
    const Person person = worst[i].second;
    findings.fewest.push_back({person, possible.sets[possible.at_most[person]]});
  }
}

std::vector<std::uint64_t> CountCounterfeits(const Series& series) {
  std::vector<std::uint64_t> counterfeits;
  for (const Snapshot& release : series.releases) {
    counterfeits.push_back(static_cast<std::uint64_t>(std::ranges::count_if(
        release.rows, [&](const Row& row) { return !IsReal(series, row.person); })));
  }
  return counterfeits;
}

// Who stands on which side, and what it takes to see it.
EqualityFound NamesOf(const Series& series, const Weights& weights) {
  EqualityFound found;
  found.size = weights.size;
  std::map<Person, std::int64_t> standing;
  std::set<Value> values;
  std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> by_release;
  for (const auto& [id, weight] : weights.groups) {
    if (weight != 0) by_release[id.release][id.group] = weight;
  }
  for (const auto& [release, groups] : by_release) {
    found.releases.push_back(release);
    for (const Row& row : series.releases[release].rows) {
      const auto at = groups.find(row.group);
      if (at == groups.end()) continue;
      standing[row.person] += at->second;
      values.insert(row.value);
    }
  }
  found.bucket.assign(values.begin(), values.end());
  for (const auto& [person, sum] : standing) {
    std::vector<Person>& side = sum > 0 ? found.left : found.right;
    const std::int64_t times = (sum > 0 ? sum : -sum) / weights.divisor;
    side.insert(side.end(), static_cast<std::size_t>(times), person);
  }
  REISSUE_CHECK(found.left.size() == found.size && found.right.size() == found.size);
  return found;
}

// Whether the sets of values are independent: then no weights of several of them cancel out.
bool Independent(const std::vector<const PartAnswer*>& parts, std::size_t values) {
  constexpr std::uint64_t kPrime = 2'147'483'647;
  if (parts.size() > values) return false;
  auto power = [](std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % kPrime) {
      if (exponent & 1) result = result * base % kPrime;
    }
    return result;
  };
  std::vector<std::vector<std::uint64_t>> rows;  // each with its first entry 1
  std::vector<std::size_t> pivots;
  for (const PartAnswer* part : parts) {
    std::vector<std::uint64_t> row(values, 0);
    for (const Value value : part->finding.values) row[value] = 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint64_t times = row[pivots[i]];
      for (std::size_t v = 0; times != 0 && v < values; ++v)
        row[v] = (row[v] + (kPrime - times) * rows[i][v]) % kPrime;
    }
    const auto first = std::ranges::find_if(row, [](std::uint64_t x) { return x != 0; });
    if (first == row.end()) return false;
    const std::uint64_t inverse = power(*first, kPrime - 2);
    pivots.push_back(static_cast<std::size_t>(first - row.begin()));
    for (std::uint64_t& x : row) x = x * inverse % kPrime;
    rows.push_back(std::move(row));
  }
  return true;
}

// No equality that takes several parts is smaller than this; nothing: there is none at all. What
// the weights of a part with one set of values leave is a multiple of all these values, so it has
// at least as many people on a side. The sets are different, so it takes three of them, or a mixed
// part that makes up for it.
std::optional<std::uint64_t> LeastAcross(const std::vector<PartAnswer>& answers,
                                         std::size_t values) {
  std::vector<const PartAnswer*> closed;
  std::vector<std::uint64_t> costs;
  std::optional<std::uint64_t> with_mixed;
  bool mixed = false;
  for (const PartAnswer& answer : answers) {
    if (answer.kind == Part::Kind::kMixed) {
      mixed = true;
      continue;
    }
    const std::uint64_t size = answer.finding.values.size();
    const std::uint64_t cut = answer.returns ? 0 : answer.finding.cut.value_or(0);
    closed.push_back(&answer);
    costs.push_back(std::max(size, cut));
    const std::uint64_t both = (costs.back() + size + 1) / 2;
    with_mixed = std::min(both, with_mixed.value_or(both));
  }
  std::optional<std::uint64_t> least = mixed ? with_mixed : std::nullopt;
  if (closed.size() < 3 || Independent(closed, values)) return least;
  std::ranges::partial_sort(costs, costs.begin() + 3);
  const std::uint64_t three = (costs[0] + costs[1] + costs[2] + 1) / 2;
  return std::min(three, least.value_or(three));
}

class WholeSeries {
 public:
  WholeSeries(const Series& series, const AttackOptions& options, ThreadPool& pool,
              Progress& progress)
      : series_(series), options_(options), pool_(pool), progress_(progress) {}

  Findings Run() {
    const SeriesIndex index = IndexOf(series_, pool_);
    findings_.counterfeits = CountCounterfeits(series_);
    const std::vector<Part> parts = PartsOf(series_, index);
    Associate(series_, PossibleFor(series_, index, parts, options_, pool_), options_, findings_);
    Look(parts);
    if (options_.e > 1) TryWorlds(parts);
    Combine(parts);
    if (options_.e > 1) TryAllTogether(parts);
    Count();
    Name();
    Judge();
    return std::move(findings_);
  }

 private:
  // Every part by itself: first only what concerns the promise, then what may be the least of all.
  void Look(const std::vector<Part>& parts) {
    answers_.resize(parts.size());
    PartAttack attack(series_, parts, options_, pool_);
    progress_.Begin("equalities", parts.size());
    pool_.Run(parts.size(), [&](std::size_t i) {
      answers_[i] = attack.Look(parts[i]);
      progress_.Advance(1);
    });
    const std::optional<std::uint64_t> upper = LeastUpper();
    if (!upper) return;
    pool_.Run(parts.size(), [&](std::size_t i) { attack.Refine(parts[i], *upper, answers_[i]); });
  }

  // Equalities that only whole numbers prove, in parts that are small enough. Weights prove all
  // that there are in a bucket that nobody came back to.
  void TryWorlds(const std::vector<Part>& parts) {
    std::vector<std::size_t> few;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].values.size() == 1) {
        TakeTried(AllTheSame(parts[i]), parts[i], answers_[i]);
        continue;
      }
      if (parts[i].kind == Part::Kind::kBucket && !answers_[i].returns) continue;
      if (AllWorlds::Few(parts[i].people.size(), parts[i].groups.size())) {
        few.push_back(i);
      } else {
        findings_.decided.weighed += parts[i].people.size();
      }
    }
    if (few.empty()) return;
    const std::vector<std::vector<PublishedGroup>> groups = AllGroups();
    pool_.Run(few.size(), [&](std::size_t i) {
      std::vector<PublishedGroup> own;
      for (const GroupId& id : parts[few[i]].groups) own.push_back(groups[id.release][id.group]);
      const AllWorlds::Equalities found = AllWorlds(own, options_.effort).Below(options_.e);
      answers_[few[i]].settled = found.decided;
      TakeTried(found, parts[few[i]], answers_[few[i]]);
    });
    settled_ = std::ranges::all_of(answers_, &PartAnswer::settled);
  }

  // Everybody has the one value that there is.
  static AllWorlds::Equalities AllTheSame(const Part& part) {
    if (part.people.size() < 2) return {};
    return {true, 1, {part.people[0]}, {part.people[1]}, part.people};
  }

  // The same of a small series as a whole: equalities may take several parts.
  void TryAllTogether(const std::vector<Part>& parts) {
    std::size_t people = 0, groups = 0;
    for (const Part& part : parts) {
      people += part.people.size();
      groups += part.groups.size();
    }
    if (parts.size() < 2 || !AllWorlds::Few(people, groups)) return;
    const std::vector<PublishedGroup> all = AllInARow();
    const AllWorlds::Equalities found = AllWorlds(all, options_.effort).Below(options_.e);
    exposed_across_.insert(exposed_across_.end(), found.exposed.begin(), found.exposed.end());
    findings_.exposed_complete = found.decided;
    settled_ = found.decided;
    if (found.size == 0 || (findings_.upper && *findings_.upper <= found.size)) return;
    PartAnswer whole;
    Part all_parts;
    for (const Part& part : parts) {
      all_parts.groups.insert(all_parts.groups.end(), part.groups.begin(), part.groups.end());
      all_parts.values.insert(all_parts.values.end(), part.values.begin(), part.values.end());
    }
    std::ranges::sort(all_parts.values);
    all_parts.values.erase(std::ranges::unique(all_parts.values).begin(), all_parts.values.end());
    whole.finding.bucket = false;
    whole.finding.groups = static_cast<std::uint32_t>(groups);
    whole.finding.people = people;
    whole.finding.values = all_parts.values;
    TakeTried(found, all_parts, whole);
    findings_.upper = whole.finding.upper;
    findings_.lower = whole.finding.lower;
    answers_.push_back(std::move(whole));
  }

  static void TakeTried(const AllWorlds::Equalities& found, const Part& part, PartAnswer& answer) {
    answer.complete = found.decided;
    if (found.decided) answer.exposed.clear();
    answer.exposed.insert(answer.exposed.end(), found.exposed.begin(), found.exposed.end());
    HistoryFinding& finding = answer.finding;
    if (found.size == 0 || (finding.upper && *finding.upper <= found.size)) return;
    finding.upper = found.size;
    finding.lower = found.decided ? found.size : 1;
    answer.best = {};
    EqualityFound& equality = finding.found.emplace();
    equality.size = found.size;
    equality.left = found.left;
    equality.right = found.right;
    equality.bucket = part.values;
    std::set<std::uint32_t> releases;
    for (const GroupId& id : part.groups) releases.insert(id.release);
    equality.releases.assign(releases.begin(), releases.end());
  }

  std::optional<std::uint64_t> LeastUpper() const {
    std::optional<std::uint64_t> least;
    for (const PartAnswer& answer : answers_) {
      if (answer.finding.upper)
        least = std::min(*answer.finding.upper, least.value_or(*answer.finding.upper));
    }
    return least;
  }

  void Combine(const std::vector<Part>& parts) {
    std::optional<std::uint64_t> across = LeastAcross(answers_, series_.values);
    std::size_t groups = 0;
    for (const Part& part : parts) groups += part.groups.size();
    const std::optional<std::uint64_t> upper = LeastUpper();
    // Equalities below e that no part has by itself, or that were not all looked at.
    const bool open =
        (across && *across < options_.e) || !std::ranges::all_of(answers_, &PartAnswer::complete);
    const bool few = groups <= kJointGroups;
    if (few && parts.size() > 1 && across && (!upper || *across < *upper)) across = Jointly(upper);
    findings_.exposed_complete = settled_ && (!open || (few && ExposeJointly()));
    findings_.upper = LeastUpper();
    findings_.lower = across;
    for (const PartAnswer& answer : answers_) {
      if (answer.finding.lower)
        findings_.lower =
            std::min(*answer.finding.lower, findings_.lower.value_or(*answer.finding.lower));
    }
  }

  std::vector<std::vector<PublishedGroup>> AllGroups() const {
    std::vector<std::vector<PublishedGroup>> groups(series_.releases.size());
    pool_.Run(groups.size(),
              [&](std::size_t r) { groups[r] = GroupsOf(series_, static_cast<std::uint32_t>(r)); });
    return groups;
  }
  std::vector<PublishedGroup> AllInARow() const {
    std::vector<PublishedGroup> all;
    for (auto& release : AllGroups()) std::ranges::move(release, std::back_inserter(all));
    return all;
  }

  // Everybody who is in an equality of fewer than e, whatever it takes; returns whether that is
  // all.
  bool ExposeJointly() {
    const std::vector<PublishedGroup> groups = AllInARow();
    std::set<Person> everybody;
    for (const PublishedGroup& group : groups)
      everybody.insert(group.people.begin(), group.people.end());
    const std::vector<Person> people(everybody.begin(), everybody.end());
    const Exposed exposed = ExposedAmong(groups, people, options_.e, options_.effort);
    for (std::size_t i = 0; i < people.size(); ++i) {
      if (exposed.who[i]) exposed_across_.push_back(people[i]);
    }
    return exposed.complete;
  }

  // All groups together; returns what is then known from below.
  std::optional<std::uint64_t> Jointly(std::optional<std::uint64_t> upper) {
    const std::vector<PublishedGroup> groups = AllInARow();
    const LeastGroupEquality least =
        LeastAmong(groups, upper.value_or(0), {.nodes = options_.effort});
    if (least.witness && (!upper || least.witness->size < *upper)) {
      PartAnswer all;
      all.finding.bucket = false;
      all.finding.groups = static_cast<std::uint32_t>(groups.size());
      all.finding.lower = least.lower;
      all.finding.upper = least.upper;
      all.best = WeightsOf(groups, *least.witness);
      std::set<Value> values;
      for (const PartAnswer& answer : answers_) {
        all.finding.people += answer.finding.people;
        values.insert(answer.finding.values.begin(), answer.finding.values.end());
      }
      all.finding.values.assign(values.begin(), values.end());
      answers_.push_back(std::move(all));
    }
    return least.lower;
  }

  void Count() {
    std::vector<char> exposed(series_.persons, 0);
    for (const Person person : exposed_across_) exposed[person] = 1;
    for (const PartAnswer& answer : answers_) {
      for (const Person person : answer.exposed) exposed[person] = 1;
      if (answer.best.size == 0 || answer.best.size >= options_.e) continue;
      if (answer.complete && !answer.exposed.empty()) continue;
      const EqualityFound found = NamesOf(series_, answer.best);
      for (const Person person : found.left) exposed[person] = 1;
      for (const Person person : found.right) exposed[person] = 1;
    }
    for (Person p = 0; p < series_.persons; ++p)
      findings_.exposed_by_equivalence += exposed[p] && IsReal(series_, p);
  }

  void Name() {
    constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t kMostNamed = 10'000;  // nobody reads more, and they may be billions
    std::ranges::stable_sort(answers_, {}, [&](const PartAnswer& answer) {
      return std::tuple(answer.finding.upper.value_or(kNone), answer.finding.lower.value_or(kNone),
                        answer.finding.values);
    });
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const std::uint64_t size = answers_[i].best.size;
      if (i < options_.worst && size > 0 && size <= kMostNamed)
        answers_[i].finding.found = NamesOf(series_, answers_[i].best);
      findings_.histories.push_back(std::move(answers_[i].finding));
    }
  }

  void Judge() {
    const bool associated = findings_.exposed_by_association > 0;
    const bool equal = findings_.upper && *findings_.upper < options_.e;
    findings_.broken = associated || equal;
    findings_.kept = !associated && findings_.decided.open == 0 &&
                     (!findings_.lower || *findings_.lower >= options_.e) && settled_;
  }

  const Series& series_;
  const AttackOptions& options_;
  ThreadPool& pool_;
  Progress& progress_;
  std::vector<PartAnswer> answers_;
  std::vector<Person> exposed_across_;
  bool settled_ = true;  // wherever worlds were tried, that came to an end
  Findings findings_;
};

}  // namespace

Findings Attack(const Series& series, const AttackOptions& options, ThreadPool& pool,
                Progress& progress) {
  return WholeSeries(series, options, pool, progress).Run();
}

}  // namespace reissue::models::invariance
