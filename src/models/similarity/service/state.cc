#include "reissue/models/similarity/service/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "reissue/binding/state_bytes.h"
#include "reissue/io/csv.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

constexpr std::uint32_t kEvolvingFormat = 1;

void WriteReal(double value, binding::StateWriter& out) {
  out.Number(std::bit_cast<std::uint64_t>(value));
}
double ReadReal(binding::StateReader& in) {
  return std::bit_cast<double>(in.Number<std::uint64_t>());
}

// Mostly zeros: most groups have few of the values.
void Write(const sim::Distribution& distribution, binding::StateWriter& out) {
  out.Small(static_cast<std::uint32_t>(distribution.size()));
  std::vector<sim::Value> there;
  for (sim::Value value = 0; value < distribution.size(); ++value) {
    if (distribution[value] != 0) there.push_back(value);
  }
  out.Each(there, [&](sim::Value value) {
    out.Small(value);
    WriteReal(distribution[value], out);
  });
}

// `most`: values there can be. A few bytes could say anything, and take all memory.
sim::Distribution ReadDistribution(binding::StateReader& in, std::size_t most) {
  const std::uint32_t size = in.Small();
  std::vector<std::pair<std::uint32_t, double>> there;
  in.Each(there, [&] {
    const std::uint32_t value = in.Small();
    return std::pair(value, ReadReal(in));
  });
  if (size > most) in.Refuse();
  sim::Distribution distribution(in.good() ? size : 0, 0);
  for (const auto& [value, p] : there) {
    if (value >= distribution.size()) {
      in.Refuse();
      return {};
    }
    distribution[value] = p;
  }
  return distribution;
}

void Write(const sim::Knowledge& knowledge, binding::StateWriter& out) {
  out.Small(knowledge.values);
  out.Each(knowledge.prior, [&](const sim::Distribution& prior) { Write(prior, out); });
  out.Small(knowledge.transition.steps);
  out.Each(knowledge.transition.after, [&](const auto& entry) {
    out.Each(entry.first, [&](sim::Value value) { out.Small(value); });
    Write(entry.second, out);
  });
}

sim::Knowledge ReadKnowledge(binding::StateReader& in, std::size_t most) {
  sim::Knowledge knowledge;
  knowledge.values = in.Small();
  if (knowledge.values > most) in.Refuse();
  in.Each(knowledge.prior, [&] { return ReadDistribution(in, knowledge.values); });
  knowledge.transition.steps = in.Small();
  std::vector<std::pair<std::vector<sim::Value>, sim::Distribution>> after;
  in.Each(after, [&] {
    std::vector<sim::Value> context;
    in.Each(context, [&] { return in.Small(); });
    return std::pair(std::move(context), ReadDistribution(in, knowledge.values));
  });
  for (auto& entry : after) knowledge.transition.after.insert(std::move(entry));
  return knowledge;
}

std::span<const sim::Distribution> SeenOf(const BeliefsByPerson& person_beliefs,
                                          sim::Person person) {
  const auto believed = person_beliefs.find(person);
  if (believed == person_beliefs.end()) return {};
  return believed->second.seen;
}

// Each distinct distribution once; per person the numbers of theirs, oldest first.
void Write(const BeliefsByPerson& person_beliefs, std::size_t people, binding::StateWriter& out) {
  const auto less = [](const sim::Distribution* a, const sim::Distribution* b) { return *a < *b; };
  std::map<const sim::Distribution*, std::uint32_t, decltype(less)> numbers(less);
  std::vector<const sim::Distribution*> distinct;
  std::vector<std::uint32_t> of_all;  // person by person
  for (sim::Person person = 0; person < people; ++person) {
    for (const sim::Distribution& seen : SeenOf(person_beliefs, person)) {
      const auto [at, added] = numbers.emplace(&seen, static_cast<std::uint32_t>(distinct.size()));
      if (added) distinct.push_back(&seen);
      of_all.push_back(at->second);
    }
  }
  numbers.clear();
  out.Each(distinct, [&](const sim::Distribution* distribution) { Write(*distribution, out); });
  out.Number(static_cast<std::uint64_t>(people));
  auto next = of_all.begin();
  for (sim::Person person = 0; person < people; ++person) {
    out.Each(SeenOf(person_beliefs, person), [&](const sim::Distribution&) { out.Small(*next++); });
  }
}

// A belief, up to rounding.
bool IsBelief(const sim::Distribution& belief) {
  constexpr double kBeliefRounding = 1e-3;
  const double sum = std::accumulate(belief.begin(), belief.end(), 0.0);
  return std::ranges::all_of(belief, [](double p) { return p >= 0; }) &&
         std::abs(sum - 1) <= kBeliefRounding;
}

// False where a number points nowhere, or what is believed is no distribution.
bool ReadBeliefs(binding::StateReader& in, std::size_t people, std::size_t most,
                 BeliefsByPerson& person_beliefs) {
  std::vector<sim::Distribution> distinct;
  in.Each(distinct, [&] { return ReadDistribution(in, most); });
  std::vector<std::vector<std::uint32_t>> of_person;
  in.Each(of_person, [&] {
    std::vector<std::uint32_t> seen;
    in.Each(seen, [&] { return in.Small(); });
    return seen;
  });
  if (of_person.size() != people || !std::ranges::all_of(distinct, IsBelief)) return false;
  for (std::size_t person = 0; person < of_person.size(); ++person) {
    if (of_person[person].empty()) continue;
    sim::PersonBeliefs& believed = person_beliefs[static_cast<sim::Person>(person)];
    for (const std::uint32_t number : of_person[person]) {
      if (number >= distinct.size()) return false;
      believed.seen.push_back(distinct[number]);
    }
  }
  return true;
}

}  // namespace

std::string Save(const EvolvingState& state) {
  binding::StateWriter out;
  out.Number(kEvolvingFormat);
  out.Small(state.releases);
  out.Each(state.keys, [&](const ledger::PersonKey& key) { out.Raw(key); });
  Write(state.person_beliefs, state.keys.size(), out);
  out.Each(state.stated, [&](const std::string& digest) { out.Text(digest); });
  out.Text(state.knowledge);
  out.Text(state.background);
  return out.Take();
}

Result<EvolvingState> ParseEvolvingState(std::string_view bytes) {
  binding::StateReader in(bytes);
  EvolvingState state;
  const auto format = in.Number<std::uint32_t>();
  state.releases = in.Small();
  in.Each(state.keys, [&] { return in.Key(); });
  // The background has several bytes for each value there is.
  const bool coherent = ReadBeliefs(in, state.keys.size(), bytes.size(), state.person_beliefs);
  in.Each(state.stated, [&] { return in.Text(); });
  state.knowledge = in.Text();
  state.background = in.Text();
  if (format != kEvolvingFormat || !in.done() || !coherent ||
      state.stated.size() != state.releases) {
    return binding::SenselessRecord("what readers believe");
  }
  return state;
}

Result<EvolvingState> LoadEvolvingState(ledger::Vault& vault) {
  const std::optional<std::string> bytes = REISSUE_TRY(vault.Unseal(EvolvingState::kSecret));
  if (!bytes) return EvolvingState{};
  return ParseEvolvingState(*bytes);
}

std::string Save(const EvolvingRelease& release) {
  binding::StateWriter out;
  out.Number(kEvolvingFormat);
  out.Small(release.snapshot.groups);
  out.Each(release.snapshot.rows, [&](const sim::Row& row) {
    out.Small(row.person);
    out.Small(row.group == sim::kSuppressed ? 0 : row.group + 1);
    out.Small(row.value);
    out.Small(row.kind);
  });
  out.Each(release.truth, [&](sim::Value value) { out.Small(value); });
  out.Number(release.suppressed);
  WriteReal(release.penalty, out);
  WriteReal(release.linkage, out);
  out.Small(release.knowledge.has_value());
  if (release.knowledge) Write(*release.knowledge, out);
  return out.Take();
}

Result<EvolvingRelease> ParseEvolvingRelease(std::string_view bytes, std::size_t values) {
  binding::StateReader in(bytes);
  EvolvingRelease release;
  const auto format = in.Number<std::uint32_t>();
  release.snapshot.groups = in.Small();
  in.Each(release.snapshot.rows, [&] {
    sim::Row row;
    row.person = in.Small();
    const std::uint32_t group = in.Small();
    row.group = group == 0 ? sim::kSuppressed : group - 1;
    row.value = in.Small();
    row.kind = in.Small();
    return row;
  });
  in.Each(release.truth, [&] { return in.Small(); });
  release.suppressed = in.Number<std::uint64_t>();
  release.penalty = ReadReal(in);
  release.linkage = ReadReal(in);
  if (in.Small() != 0) release.knowledge = ReadKnowledge(in, values);
  const std::size_t rows = release.snapshot.rows.size();
  const bool truth = release.truth.empty() || release.truth.size() == rows;
  if (format != kEvolvingFormat || !in.done() || !truth || release.snapshot.groups > rows)
    return binding::SenselessRecord("what readers believe");
  if (release.knowledge && !sim::Validate(*release.knowledge))
    return binding::SenselessRecord("what readers believe");
  return release;
}

std::string ReleaseSecret(std::uint32_t release) {
  return fmt::format("{}/{}", EvolvingState::kSecret, release);
}

Result<EvolvingRelease> LoadEvolvingRelease(ledger::Vault& vault, std::uint32_t release,
                                            std::size_t values) {
  const std::optional<std::string> bytes = REISSUE_TRY(vault.Unseal(ReleaseSecret(release)));
  if (!bytes) return binding::SenselessRecord("what readers believe");
  return ParseEvolvingRelease(*bytes, values);
}

std::string DigestOf(std::span<const sim::Statement> statements) {
  if (statements.empty()) return {};
  std::vector<std::string> each;
  for (const sim::Statement& statement : statements) {
    binding::StateWriter out;
    out.Small(statement.person);
    out.Small(statement.value);
    WriteReal(statement.confidence, out);
    each.push_back(out.Take());
  }
  std::sort(each.begin(), each.end());
  binding::StateWriter all;
  all.Each(each, [&](const std::string& one) { all.Text(one); });
  return io::Digest(all.Take());
}

std::string DigestOf(const sim::Knowledge& knowledge) {
  binding::StateWriter out;
  Write(knowledge, out);
  return io::Digest(out.Take());
}

}  // namespace reissue::models::similarity::service
