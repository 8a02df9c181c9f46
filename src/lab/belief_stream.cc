#include "reissue/lab/belief_stream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "reissue/core/random.h"
#include "reissue/lab/clock.h"
#include "reissue/simulate/adult.h"
#include "reissue/simulate/bkseq.h"
#include "reissue/simulate/evolving.h"
#include "reissue/simulate/updates.h"

namespace reissue::lab {
namespace {

namespace similarity = models::similarity;
using similarity::Distribution;

constexpr std::uint64_t kStatementsTask = 9;

// ---- tables

// Two values in no order, two numbers.
similarity::Points PlacesOf(const std::vector<std::array<double, 3>>& rows) {
  similarity::Points points;
  points.columns.push_back(similarity::Column::Tree({2}));
  for (const std::size_t column : {1, 2}) {
    double least = rows.empty() ? 0 : rows[0][column], largest = least;
    for (const auto& row : rows) {
      least = std::min(least, row[column]);
      largest = std::max(largest, row[column]);
    }
    points.columns.push_back(similarity::Column::Number(least, largest));
  }
  for (const auto& row : rows) points.place.insert(points.place.end(), row.begin(), row.end());
  similarity::Standardise(points);
  return points;
}

Distribution Probabilities(const std::vector<simulate::Weight>& millionths) {
  Distribution distribution;
  for (const simulate::Weight weight : millionths) {
    distribution.push_back(static_cast<double>(weight) / simulate::kBkseqWhole);
  }
  return distribution;
}

similarity::Knowledge BkseqKnowledge(std::uint32_t steps) {
  const simulate::BkseqModel& model = simulate::TrueBkseq();
  similarity::Knowledge knowledge;
  knowledge.values = static_cast<std::uint32_t>(model.values.size());
  for (const auto& prior : model.prior) knowledge.prior.push_back(Probabilities(prior));
  knowledge.transition.steps = steps;
  for (std::uint32_t last = 0; last < knowledge.values; ++last) {
    knowledge.transition.after[{last}] = Probabilities(model.once[last]);
  }
  for (std::uint32_t pair = 0; steps == 2 && pair < model.twice.size(); ++pair) {
    knowledge.transition.after[{pair / knowledge.values, pair % knowledge.values}] =
        Probabilities(model.twice[pair]);
  }
  return knowledge;
}

// ---- Adult

struct AdultRecord {
  std::uint32_t age = 0, sex = 0, education = 0, occupation = 0;
};

// Records of the simulated census; labels become numbers in the order of their domains.
struct AdultPool {
  std::vector<AdultRecord> records;
  std::uint32_t occupations = 0;
};

AdultPool SimulatedAdult(std::uint64_t rows, std::uint64_t seed) {
  const auto generator = simulate::MakeAdult(seed, {});
  std::map<std::string, std::size_t, std::less<>> column;
  std::vector<std::map<std::string, std::uint32_t, std::less<>>> number;
  for (std::size_t c = 0; c < generator->header().size(); ++c) {
    column[generator->header()[c]] = c;
    auto& numbers = number.emplace_back();
    for (const std::string& label : generator->Domain(c)) {
      numbers.emplace(label, static_cast<std::uint32_t>(numbers.size()));
    }
  }
  AdultPool pool;
  pool.occupations = static_cast<std::uint32_t>(number[column.at("occupation")].size());
  std::string line;
  for (std::uint64_t row = 0; row < rows; ++row) {
    line.clear();
    generator->Append(row, line);
    std::vector<std::string_view> fields;  // no label has a comma
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = line.find_first_of(",\n", begin);
      fields.emplace_back(line.data() + begin, end - begin);
      begin = end + 1;
    }
    const auto number_in = [&](const char* name) {
      const std::size_t c = column.at(name);
      return number[c].find(fields[c])->second;
    };
    AdultRecord record{0, number_in("sex"), number_in("education-num"), number_in("occupation")};
    const std::string_view age = fields[column.at("age")];
    std::from_chars(age.data(), age.data() + age.size(), record.age);
    pool.records.push_back(record);
  }
  return pool;
}

// Sex, four ages and four levels of education (to school, some college, a degree, beyond).
std::uint32_t AdultKind(const AdultRecord& record) {
  const std::uint32_t age = record.age < 30 ? 0 : record.age < 40 ? 1 : record.age < 55 ? 2 : 3;
  const std::uint32_t level = record.education < 9    ? 0
                              : record.education < 12 ? 1
                              : record.education < 13 ? 2
                                                      : 3;
  return (record.sex * 4 + age) * 4 + level;
}
constexpr std::size_t kAdultKinds = 32;

similarity::Knowledge AdultKnowledge(const AdultPool& pool) {
  similarity::Knowledge knowledge;
  knowledge.values = pool.occupations;
  // One more of each occupation than there are: nothing is impossible.
  knowledge.prior.assign(kAdultKinds, Distribution(pool.occupations, 1));
  for (const AdultRecord& record : pool.records) {
    ++knowledge.prior[AdultKind(record)][record.occupation];
  }
  for (Distribution& prior : knowledge.prior) {
    double sum = 0;
    for (const double count : prior) sum += count;
    for (double& share : prior) share /= sum;
  }
  return knowledge;
}

// ---- a run

// One series under way: the publisher's reader, and the exact one who looks on.
class BeliefSeries {
 public:
  BeliefSeries(const BeliefStream& stream, const BeliefSetup& setup, const BeliefLimits& limits)
      : stream_(stream),
        setup_(setup),
        pool_(1),
        limits_(limits),
        random_(Random::Seeded(DeriveSeed(limits.seed, kStatementsTask))),
        reader_(stream.Steps(setup.steps), Options(setup.reader)),
        exact_(stream.Steps(setup.steps), Options(inference::Estimator::kExact)) {
    publish_.guarantee = {setup.k, setup.j, setup.beta, setup.t, /*ordered=*/false};
    publish_.algorithm = setup.algorithm;
    publish_.seed = limits.seed;
  }

  Result<BeliefRelease> Next(const BeliefTable& table, std::uint32_t number, double& seconds) {
    MakeStatements(table, number);
    const Clock clock;
    const similarity::Table input = Input(table);
    const std::vector<std::uint32_t> group = REISSUE_TRY(Groups(input));
    seconds += clock.Seconds();
    BeliefRelease release;
    release.rows = group.size();
    release.penalty = similarity::CertaintyPenalty(table.points, group);
    release.linkage = similarity::RecordLinkage(table.points, group, pool_);
    similarity::Snapshot snapshot;
    std::vector<std::uint64_t> sizes;
    for (std::size_t row = 0; row < group.size(); ++row) {
      snapshot.rows.push_back({table.person[row], group[row], table.value[row], table.kind[row]});
      if (group[row] == similarity::kSuppressed) {
        ++release.suppressed;
        continue;
      }
      sizes.resize(std::max<std::size_t>(sizes.size(), group[row] + std::size_t{1}));
      release.largest = std::max(release.largest, ++sizes[group[row]]);
    }
    release.groups = snapshot.groups = static_cast<std::uint32_t>(sizes.size());
    release.reader = Attack(reader_, snapshot);
    release.exact = Attack(exact_, snapshot);
    return release;
  }

 private:
  similarity::ReaderOptions Options(inference::Estimator estimator) const {
    similarity::ReaderOptions options;
    options.estimator = estimator;
    options.cascade = setup_.cascade;
    options.estimate.seed = limits_.seed;
    options.estimate.exact_states = limits_.exact_states;
    return options;
  }

  void MakeStatements(const BeliefTable& table, std::uint32_t number) {
    statements_.clear();
    about_.assign(table.person.size(), {});
    if (setup_.sigma == 0) return;
    for (std::size_t row = 0; row < table.person.size(); ++row) {
      if (random_.Unit() >= setup_.sigma) continue;
      about_[row] = statements_.size();
      statements_.push_back({table.person[row], table.value[row], number, setup_.confidence});
    }
  }

  // What she believes before; distinct beliefs once.
  similarity::Table Input(const BeliefTable& table) const {
    similarity::Table input;
    input.points = table.points;
    input.value = table.value;
    input.values = stream_.once.values;
    std::map<Distribution, std::uint32_t> number;
    for (std::size_t row = 0; row < table.person.size(); ++row) {
      std::span<const similarity::Statement> statements;
      if (about_[row]) statements = {&statements_[*about_[row]], 1};
      Distribution belief = reader_.Before(table.person[row], table.kind[row], statements);
      const auto [at, fresh] =
          number.emplace(std::move(belief), static_cast<std::uint32_t>(input.beliefs.size()));
      if (fresh) input.beliefs.push_back(at->first);
      input.belief.push_back(at->second);
    }
    return input;
  }

  Result<std::vector<std::uint32_t>> Groups(const similarity::Table& input) {
    auto outcome = similarity::Publish(input, publish_, pool_);
    if (outcome) return std::move(outcome->group);
    if (outcome.error().code != ErrorCode::kPromise) return outcome.error();
    return std::vector<std::uint32_t>(input.value.size(), similarity::kSuppressed);
  }

  BeliefAttack Attack(similarity::Reader& reader, const similarity::Snapshot& snapshot) {
    const similarity::Beliefs beliefs = reader.See(snapshot, statements_, pool_);
    BeliefAttack attack;
    attack.approximated = beliefs.approximated;
    std::size_t shown = 0, others = 0;
    for (std::size_t row = 0; row < snapshot.rows.size(); ++row) {
      if (snapshot.rows[row].group == similarity::kSuppressed) continue;
      ++shown;
      attack.gain += beliefs.gain[row];
      if (about_[row]) continue;
      ++others;
      attack.gain_others += beliefs.gain[row];
      const double belief = beliefs.posterior[row][snapshot.rows[row].value];
      attack.strongest = std::max(attack.strongest, belief);
      attack.sure += belief > 0.9 ? 1 : 0;
    }
    attack.gain /= static_cast<double>(std::max<std::size_t>(1, shown));
    attack.gain_others /= static_cast<double>(std::max<std::size_t>(1, others));
    attack.sure /= static_cast<double>(std::max<std::size_t>(1, others));
    return attack;
  }

  const BeliefStream& stream_;
  const BeliefSetup& setup_;
  ThreadPool pool_;
  BeliefLimits limits_;
  Random random_;
  similarity::PublishOptions publish_;
  similarity::Reader reader_, exact_;
  std::vector<similarity::Statement> statements_;
  std::vector<std::optional<std::size_t>> about_;  // per row, into statements_
};

}  // namespace

BeliefStream BkseqStream(std::uint64_t rows, std::uint64_t releases, std::uint64_t seed) {
  BeliefStream stream;
  stream.name = "Bkseq";
  stream.once = BkseqKnowledge(1);
  stream.twice = BkseqKnowledge(2);
  simulate::Bkseq bkseq({rows, seed});
  for (std::uint64_t i = 0; i < releases; ++i) {
    BeliefTable table;
    std::vector<std::array<double, 3>> places;
    for (const simulate::BkseqRow& row : bkseq.Next()) {
      places.push_back({static_cast<double>(row.sex), static_cast<double>(row.age),
                        static_cast<double>(row.weight)});
      table.person.push_back(row.person);
      table.value.push_back(row.exam);
      table.kind.push_back(simulate::BkseqKindOf(row));
    }
    table.points = PlacesOf(places);
    stream.tables.push_back(std::move(table));
  }
  return stream;
}

BeliefStream AdultStream(std::uint64_t rows, std::uint64_t releases, std::uint64_t seed) {
  const std::uint64_t tenth = rows / 10;
  const AdultPool pool = SimulatedAdult(rows + tenth * (releases - 1), seed);
  std::vector<std::uint32_t> values;
  for (const AdultRecord& record : pool.records) values.push_back(record.occupation);
  simulate::UpdateOptions options;
  options.first = rows;
  options.replace = tenth;
  options.releases = releases;
  options.seed = seed;
  auto updates = simulate::MakeUpdates(values, pool.occupations, options).value();
  const auto changes = simulate::MakeChanges(updates, pool.occupations, tenth, seed).value();
  BeliefStream stream;
  stream.name = "Adult";
  stream.once = AdultKnowledge(pool);
  stream.twice = stream.once;
  stream.twice.transition.steps = 2;
  for (std::size_t i = 0; i < updates.tables.size(); ++i) {
    simulate::ApplyChanges(changes[i], updates);
    BeliefTable table;
    std::vector<std::array<double, 3>> places;
    for (const std::uint32_t row : updates.tables[i]) {
      const AdultRecord& record = pool.records[row];
      places.push_back({static_cast<double>(record.sex), static_cast<double>(record.age),
                        static_cast<double>(record.education)});
      table.person.push_back(row);
      table.value.push_back(updates.values[row]);
      table.kind.push_back(AdultKind(record));
    }
    table.points = PlacesOf(places);
    stream.tables.push_back(std::move(table));
  }
  return stream;
}

Result<BeliefRun> RunBelief(const BeliefStream& stream, const BeliefSetup& setup,
                            const BeliefLimits& limits) {
  BeliefRun run;
  run.setup = setup;
  BeliefSeries series(stream, run.setup, limits);
  for (std::uint32_t i = 0; i < stream.tables.size(); ++i) {
    BeliefRelease release = REISSUE_TRY(series.Next(stream.tables[i], i, run.seconds));
    run.releases.push_back(release);
  }
  return run;
}

}  // namespace reissue::lab
