#include "reissue/models/invariance/adversary/attack.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reissue/core/result.h"
#include "reissue/models/invariance/adversary/attack_part.h"
#include "reissue/models/invariance/adversary/equality.h"
#include "reissue/models/invariance/adversary/exposed.h"
#include "reissue/models/invariance/adversary/series_index.h"

namespace reissue::models::invariance {
namespace {

// All groups of the series together are looked at exactly up to this.
constexpr std::size_t kJointGroups = 60;

bool IsReal(const Series& series, Person person) {
  return series.counterfeit.empty() || !series.counterfeit[person];
}

void Associate(const Series& series, const SeriesIndex& index, const AttackOptions& options,
               Findings& findings) {
  std::vector<std::pair<std::size_t, Person>> worst;
  bool anybody = false;
  std::size_t least = 0;
  for (Person p = 0; p < series.persons; ++p) {
    if (index.possible[p] == kNoSet || !IsReal(series, p)) continue;
    const std::size_t values = index.sets[index.possible[p]].size();
    least = anybody ? std::min(least, values) : values;
    anybody = true;
    findings.exposed_by_association += values < options.m;
    worst.emplace_back(values, p);
  }
  findings.least_values = least;
  const std::size_t named = std::min(options.worst, worst.size());
  std::ranges::partial_sort(worst, worst.begin() + static_cast<std::ptrdiff_t>(named));
  for (std::size_t i = 0; i < named; ++i)
    findings.fewest.push_back({worst[i].second, index.sets[index.possible[worst[i].second]]});
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
    Associate(series_, index, options_, findings_);
    findings_.counterfeits = CountCounterfeits(series_);
    const std::vector<Part> parts = PartsOf(series_, index);
    Look(parts);
    Combine(parts);
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
    findings_.exposed_complete = !open || (few && ExposeJointly());
    findings_.upper = LeastUpper();
    findings_.lower = across;
    for (const PartAnswer& answer : answers_) {
      if (answer.finding.lower)
        findings_.lower =
            std::min(*answer.finding.lower, findings_.lower.value_or(*answer.finding.lower));
    }
  }

  std::vector<PublishedGroup> AllGroups() const {
    std::vector<PublishedGroup> groups;
    for (std::uint32_t r = 0; r < series_.releases.size(); ++r) {
      for (PublishedGroup& group : GroupsOf(series_, r)) groups.push_back(std::move(group));
    }
    return groups;
  }

  // Everybody who is in an equality of fewer than e, whatever it takes; returns whether that is
  // all.
  bool ExposeJointly() {
    const std::vector<PublishedGroup> groups = AllGroups();
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
    const std::vector<PublishedGroup> groups = AllGroups();
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
    findings_.kept = !associated && (!findings_.lower || *findings_.lower >= options_.e);
  }

  const Series& series_;
  const AttackOptions& options_;
  ThreadPool& pool_;
  Progress& progress_;
  std::vector<PartAnswer> answers_;
  std::vector<Person> exposed_across_;
  Findings findings_;
};

}  // namespace

Findings Attack(const Series& series, const AttackOptions& options, ThreadPool& pool,
                Progress& progress) {
  return WholeSeries(series, options, pool, progress).Run();
}

}  // namespace reissue::models::invariance
