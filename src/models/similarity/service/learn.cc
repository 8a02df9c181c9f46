#include "reissue/models/similarity/service/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "reissue/io/csv.h"
#include "reissue/models/similarity/service/learner.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

// A column of row numbers, for a table whose rows are known to be different people and no more.
reissue::Table WithRowNumbers(const reissue::Table& table, const std::string& name) {
  DictionaryBuilder numbers;
  std::vector<ValueId> values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    values.push_back(numbers.Intern(fmt::format("{}", row + 1)));
  }
  std::vector<reissue::Column> columns = table.columns();
  columns.emplace_back(name, std::move(numbers).Build(), std::move(values));
  return reissue::Table(std::move(columns), table.rows(), table.origin());
}

Result<binding::GroupedTable> LoadToLearn(const io::Policy& policy, const std::string& path,
                                          bool only, binding::Context& context) {
  binding::HolderTable holder =
      REISSUE_TRY(binding::LoadWithoutRanges(policy, path, context, /*all=*/false));
  for (const io::PolicyColumn& column : policy.columns) {
    const bool identifier = column.role == io::Role::kIdentifier;
    const bool needed =
        identifier || column.role == io::Role::kQuasi || column.role == io::Role::kSensitive;
    if (!needed || holder.table.Find(column.name)) continue;
    if (!identifier || !only) {
      return InputError(
          {path, 1, std::nullopt, column.name},
          fmt::format("the table lacks this column, which {}:{} names", policy.file, column.line),
          identifier ? "Without it nobody can be followed from table to table: learn from a single "
                       "table, or add the column."
                     : "Add it to the table.");
    }
    holder.identifier = ColumnId(holder.table.width());
    holder.table = WithRowNumbers(holder.table, column.name);
  }
  return binding::BindGrouped(std::move(holder), policy);
}

// What was learned, in the order of the alphabet: the order of rows is not to matter.
class BeliefWriter {
 public:
  BeliefWriter(const io::Policy& policy, const std::vector<binding::ValueTexts>& values)
      : policy_(policy), values_(values), order_(values.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(),
              [&](sim::Value a, sim::Value b) { return values[a] < values[b]; });
  }

  std::string Prior(const Learner& learner) const {
    const auto values = static_cast<std::uint32_t>(values_.size());
    const auto quasi = policy_.WithRole(io::Role::kQuasi);
    std::vector<std::string> header;
    for (const io::PolicyColumn* column : quasi) header.push_back(column->name);
    for (const auto* column : policy_.WithRole(io::Role::kSensitive)) {
      header.push_back(column->name);
    }
    header.push_back(kProbabilityColumn);
    std::string text;
    AppendLine(header, text);
    const std::vector<std::string> everybody(quasi.size(), "*");
    AppendKind(everybody, learner.Shares(values), text);
    const std::vector<sim::Distribution> priors = learner.Priors(values);
    std::map<std::vector<std::string>, std::size_t> kinds;
    for (std::size_t k = 0; k < priors.size(); ++k) kinds.emplace(learner.kinds()[k], k);
    for (const auto& [cells, k] : kinds) {
      if (cells != everybody) AppendKind(cells, priors[k], text);
    }
    return text;
  }

  std::string Transitions(const sim::Transition& transition) const {
    std::vector<std::string> header;
    for (std::uint32_t step = transition.steps; step > 0; --step) {
      header.push_back(transition.steps == 1 ? "from" : fmt::format("from{}", step));
    }
    header.insert(header.end(), {"to", kProbabilityColumn});
    std::string text;
    AppendLine(header, text);
    std::map<std::vector<std::string>, const sim::Distribution*> contexts;
    for (const auto& [context, next] : transition.after) {
      std::vector<std::string> cells(transition.steps - context.size());
      for (const sim::Value value : context) cells.push_back(binding::Joined(values_[value]));
      contexts.emplace(std::move(cells), &next);
    }
    for (const auto& [cells, next] : contexts) {
      const std::vector<std::string> decimals = DecimalsOf(*next);
      for (const sim::Value to : order_) {
        if (decimals[to] == "0") continue;
        std::vector<std::string> fields = cells;
        fields.insert(fields.end(), {binding::Joined(values_[to]), decimals[to]});
        AppendLine(fields, text);
      }
    }
    return text;
  }

 private:
  static void AppendLine(const std::vector<std::string>& fields, std::string& text) {
    for (std::size_t f = 0; f < fields.size(); ++f) {
      if (f > 0) text += ',';
      io::AppendField(text, fields[f]);
    }
    text += '\n';
  }
  void AppendKind(const std::vector<std::string>& cells, const sim::Distribution& kind,
                  std::string& text) const {
    const std::vector<std::string> decimals = DecimalsOf(kind);
    for (const sim::Value value : order_) {
      if (decimals[value] == "0") continue;
      std::vector<std::string> fields = cells;
      fields.insert(fields.end(), values_[value].begin(), values_[value].end());
      fields.push_back(decimals[value]);
      AppendLine(fields, text);
    }
  }

  const io::Policy& policy_;
  const std::vector<binding::ValueTexts>& values_;
  std::vector<sim::Value> order_;
};

// Every value may follow every value.
sim::Transition Uniform(std::uint32_t steps, std::uint32_t values) {
  sim::Transition transition;
  transition.steps = steps;
  for (sim::Value value = 0; value < values; ++value) {
    transition.after[{value}] = sim::Distribution(values, 1 / static_cast<double>(values));
  }
  return transition;
}

Status IsFree(const std::string& path, binding::Context& context) {
  if (!context.files.Exists(path)) return Ok();
  return UsageError(fmt::format("{} exists already", path),
                    "Name another directory with --out, or remove the file: a series that was "
                    "published with it needs it as it is.");
}

}  // namespace

std::vector<std::string> DecimalsOf(const std::vector<double>& distribution) {
  constexpr double kUnits = 1e12;
  std::vector<std::uint64_t> units;
  std::vector<std::pair<double, std::size_t>> rest;  // what rounding down takes away
  for (std::size_t i = 0; i < distribution.size(); ++i) {
    const double scaled = distribution[i] * kUnits;
    units.push_back(static_cast<std::uint64_t>(scaled));
    rest.emplace_back(-(scaled - std::floor(scaled)), i);
  }
  const auto missing =
      static_cast<std::int64_t>(kUnits) -
      static_cast<std::int64_t>(std::accumulate(units.begin(), units.end(), std::uint64_t{0}));
  std::sort(rest.begin(), rest.end());
  // Rounding of doubles may even make it one too many: then the largest gives way.
  if (missing < 0)
    *std::max_element(units.begin(), units.end()) -= static_cast<std::uint64_t>(-missing);
  for (std::int64_t i = 0; i < missing; ++i) {
    ++units[rest[static_cast<std::size_t>(i) % rest.size()].second];
  }
  std::vector<std::string> texts;
  for (const std::uint64_t unit : units) {
    const auto whole = static_cast<std::uint64_t>(kUnits);
    std::string text = fmt::format("{}.{:012}", unit / whole, unit % whole);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    texts.push_back(std::move(text));
  }
  return texts;
}

Result<contract::LearnReport> LearnBeliefs(const contract::LearnRequest& request,
                                           const io::Policy& policy, const Promise& promise,
                                           binding::Context& context) {
  contract::LearnReport report;
  const std::string slash = request.out.ends_with('/') ? "" : "/";
  report.prior = request.out + slash + "prior.csv";
  report.transition = request.out + slash + "transition.csv";
  REISSUE_TRY(IsFree(report.prior, context));
  REISSUE_TRY(IsFree(report.transition, context));
  report.steps = request.steps.value_or(promise.steps);
  report.smoothing = request.smoothing;
  report.tables = request.tables.size();

  Learner learner({report.steps, request.smoothing});
  PersonNumbers people;
  std::vector<binding::ValueTexts> values;
  std::map<binding::ValueTexts, sim::Value> value_of;
  for (const std::string& path : request.tables) {
    const binding::GroupedTable table =
        REISSUE_TRY(LoadToLearn(policy, path, request.tables.size() == 1, context));
    std::vector<sim::Value> value_of_code;
    for (const binding::ValueTexts& text : table.sensitive.values) {
      const auto [at, added] = value_of.emplace(text, static_cast<sim::Value>(values.size()));
      if (added) values.push_back(text);
      value_of_code.push_back(at->second);
    }
    std::vector<sim::Value> value;
    for (const std::uint32_t code : table.sensitive.of_row) value.push_back(value_of_code[code]);
    learner.Add(table, value, people.Of(table));
    report.rows += value.size();
  }
  report.people = people.people();
  report.kinds = learner.kinds().size();
  report.values = values.size();
  report.sequences = learner.sequences();

  const auto count = static_cast<std::uint32_t>(values.size());
  const sim::Transition transition =
      report.sequences > 0 ? learner.Transitions(count) : Uniform(report.steps, count);
  report.contexts = transition.after.size();
  const BeliefWriter writer(policy, values);
  if (!context.files.Exists(request.out)) {
    REISSUE_TRY(context.files.CreateDirectory(request.out, /*owner_only=*/true));
  }
  REISSUE_TRY(io::WriteAtomically(context.files, report.prior, writer.Prior(learner),
                                  /*owner_only=*/true, /*replace=*/false));
  const Status written =
      io::WriteAtomically(context.files, report.transition, writer.Transitions(transition),
                          /*owner_only=*/true, /*replace=*/false);
  if (written) return report;
  REISSUE_TRY(context.files.Remove(report.prior));  // both or none
  return written.error();
}

}  // namespace reissue::models::similarity::service
