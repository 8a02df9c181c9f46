#include "reissue/models/similarity/service/knowledge.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/state_bytes.h"
#include "reissue/models/similarity/service/lines.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using SourceKind = KnowledgeSource::Kind;

constexpr std::uint32_t kKnowledgeFormat = 1;
constexpr double kUnexpected = 1e-6;

// A distribution of a file over more values than it names; `chance`: of each of the others.
sim::Distribution Widened(const sim::Distribution& narrow, std::size_t values, double chance) {
  const double left = 1 - chance * static_cast<double>(values - narrow.size());
  sim::Distribution wide(values, chance);
  for (std::size_t v = 0; v < narrow.size(); ++v) wide[v] = narrow[v] * left;
  return wide;
}

// "1 kind", "2 kinds".
std::string HowMany(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

Error MissingInPrior(const binding::GroupedTable& table, std::uint32_t code,
                     const std::string& prior) {
  const auto& of_row = table.sensitive.of_row;
  const auto row =
      static_cast<std::size_t>(std::find(of_row.begin(), of_row.end(), code) - of_row.begin());
  Place place = table.holder.table.PlaceOf(RowId(row), table.holder.sensitive.columns[0]);
  return InputError(std::move(place), fmt::format("the prior {} does not name this value", prior),
                    "Add it to the prior (capitals count), or write normalise = true into "
                    "[knowledge]: then it is possible, but hardly expected.");
}

}  // namespace

Result<Background> Background::Read(const io::Policy& policy, const Promise& promise,
                                    binding::Context& context) {
  Background background;
  background.promise_ = promise;
  background.columns_ = policy.WithRole(io::Role::kQuasi).size();
  std::vector<binding::ValueTexts> values;
  if (promise.prior.kind == SourceKind::kFile) {
    background.prior_ =
        REISSUE_TRY(PriorBeliefs::Read(policy, promise.prior.file, promise.normalise, context));
    values = background.prior_->values();
  }
  background.transition_.steps = promise.steps;
  if (promise.transition.kind == SourceKind::kFile) {
    TransitionBeliefs beliefs = REISSUE_TRY(
        ReadTransition(policy, promise.transition.file, values, background.prior_.has_value(),
                       promise.steps, promise.normalise, context));
    values = std::move(beliefs.values);
    background.transition_ = std::move(beliefs.transition);
  }
  if (promise.prior.kind == SourceKind::kLearned ||
      promise.transition.kind == SourceKind::kLearned) {
    background.learner_.emplace(LearnOptions{.steps = promise.steps, .smoothing = 1});
  }
  if (!promise.compromised.empty()) {
    background.compromised_ = REISSUE_TRY(ReadCompromised(policy, promise.compromised, context));
  }
  background.from_files_ = values.size();
  background.Bring(std::move(values));
  return background;
}

// Makes everything speak of these values, which begin with those there were.
void Background::Bring(std::vector<binding::ValueTexts> values) {
  for (std::size_t v = values_.size(); v < values.size(); ++v) {
    value_of_.emplace(values[v], static_cast<sim::Value>(v));
  }
  values_ = std::move(values);
  knowledge_.values = static_cast<std::uint32_t>(values_.size());
  knowledge_.transition.steps = promise_.steps;
  if (values_.empty()) return;
  const double chance = promise_.normalise ? kUnexpected : 0;
  const bool learned = learner_ && !learner_->kinds().empty();
  knowledge_.prior.clear();
  if (prior_) {
    for (const sim::Distribution& kind : prior_->kinds()) {
      knowledge_.prior.push_back(Widened(kind, values_.size(), chance));
    }
  } else if (promise_.prior.kind == SourceKind::kLearned && learned) {
    knowledge_.prior = learner_->Priors(knowledge_.values);
  } else {
    knowledge_.prior.assign(
        1, sim::Distribution(values_.size(), 1 / static_cast<double>(values_.size())));
  }
  if (promise_.transition.kind == SourceKind::kFile) {
    knowledge_.transition.after.clear();
    for (const auto& [context, next] : transition_.after) {
      knowledge_.transition.after.emplace(context, Widened(next, values_.size(), chance));
    }
  } else if (promise_.transition.kind == SourceKind::kLearned && learned) {
    knowledge_.transition = learner_->Transitions(knowledge_.values);
  }
}

Result<Background::CodedRows> Background::Take(const binding::GroupedTable& table,
                                               std::span<const sim::Person> person) {
  CodedRows taken;
  std::vector<binding::ValueTexts> values = values_;
  std::vector<sim::Value> value_of_code;
  for (std::uint32_t code = 0; code < table.sensitive.values.size(); ++code) {
    const binding::ValueTexts& text = table.sensitive.values[code];
    const auto known = value_of_.find(text);
    value_of_code.push_back(known != value_of_.end() ? known->second
                                                     : static_cast<sim::Value>(values.size()));
    if (known != value_of_.end()) continue;
    if (prior_ && !promise_.normalise) return MissingInPrior(table, code, prior_->file());
    values.push_back(text);
  }
  taken.value.reserve(table.sensitive.of_row.size());
  for (const std::uint32_t code : table.sensitive.of_row) {
    taken.value.push_back(value_of_code[code]);
  }
  if (prior_) {
    taken.kind = REISSUE_TRY(prior_->KindsOf(table));
  } else {
    taken.kind.assign(taken.value.size(), 0);
  }
  if (learner_) {
    std::vector<std::uint32_t> kinds = learner_->Add(table, taken.value, person);
    if (promise_.prior.kind == SourceKind::kLearned) taken.kind = std::move(kinds);
  }
  if (learner_ || values.size() > values_.size()) Bring(std::move(values));
  return taken;
}

Result<std::vector<sim::Statement>> Background::Statements(
    std::uint32_t release,
    const std::function<std::optional<sim::Person>(std::string_view)>& number_of) const {
  std::vector<sim::Statement> statements;
  for (const CompromisedRecord& record : compromised_) {
    if (record.release != release) continue;
    const auto person = number_of(record.identifier);
    if (!person) continue;
    const auto value = value_of_.find(record.value);
    if (value == value_of_.end()) {
      return InputError({promise_.compromised, record.line, std::nullopt, ""},
                        "neither the tables so far nor the files of knowledge have this value",
                        "Correct it (capitals count), or remove the line.");
    }
    statements.push_back({*person, value->second, release - 1, record.confidence});
  }
  return statements;
}

std::string Background::Save() const {
  binding::StateWriter out;
  out.Number(kKnowledgeFormat);
  out.Each(values_, [&](const binding::ValueTexts& value) {
    out.Each(value, [&](const std::string& text) { out.Text(text); });
  });
  out.Number(static_cast<std::uint8_t>(learner_.has_value()));
  if (learner_) learner_->Save(out);
  return out.Take();
}

Status Background::Restore(std::string_view bytes) {
  binding::StateReader in(bytes);
  const auto format = in.Number<std::uint32_t>();
  std::vector<binding::ValueTexts> values;
  in.Each(values, [&] {
    binding::ValueTexts value;
    in.Each(value, [&] { return in.Text(); });
    return value;
  });
  bool good = (in.Number<std::uint8_t>() != 0) == learner_.has_value();
  if (good && learner_) learner_->Restore(in);
  good = good && format == kKnowledgeFormat && in.done() && values.size() >= from_files_ &&
         std::equal(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(from_files_),
                    values.begin()) &&
         (!learner_ || learner_->Coherent(static_cast<std::uint32_t>(values.size()), columns_));
  if (good) Bring(std::move(values));
  // Counts of nothing are no frequencies.
  if (!good || (!values_.empty() && !sim::Validate(knowledge_))) {
    return binding::SenselessRecord("what readers know");
  }
  return Ok();
}

std::vector<std::string> Background::Describe() const {
  const auto source = [&](const char* what, const KnowledgeSource& from, std::string file) {
    if (from.kind == SourceKind::kFile) return file;
    return fmt::format("{} beliefs: {}", what,
                       from.kind == SourceKind::kLearned
                           ? "frequencies of the tables up to the release in question"
                           : "everything is equally likely");
  };
  std::vector<std::string> lines;
  lines.push_back(source("prior", promise_.prior,
                         prior_ ? fmt::format("{}: {} of people, {}", prior_->file(),
                                              HowMany(prior_->kinds().size(), "kind"),
                                              HowMany(prior_->values().size(), "value"))
                                : ""));
  lines.push_back(source("transition", promise_.transition,
                         fmt::format("{}: what follows {}, up to {} back", promise_.transition.file,
                                     HowMany(transition_.after.size(), "context"),
                                     HowMany(promise_.steps, "release"))));
  if (!promise_.compromised.empty()) {
    lines.push_back(fmt::format("{}: {}", promise_.compromised,
                                HowMany(compromised_.size(), "compromised record")));
  }
  return lines;
}

KnowledgeCheck CheckKnowledge(const io::Policy& policy, const Promise& promise,
                              std::span<const binding::GroupedTable* const> tables,
                              binding::Context& context) {
  KnowledgeCheck check;
  Result<Background> background = Background::Read(policy, promise, context);
  if (!background) {
    check.problems.push_back(std::move(background).error());
    return check;
  }
  check.notes = background->Describe();
  PersonNumbers people;
  std::uint32_t release = 0;
  for (const binding::GroupedTable* table : tables) {
    const std::vector<sim::Person> person = people.Of(*table);
    auto taken = background->Take(*table, person);
    if (!taken) check.problems.push_back(std::move(taken).error());
    const reissue::Column& identifier = table->holder.table[*table->holder.identifier];
    const auto statements =
        background->Statements(++release, [&](std::string_view id) -> std::optional<sim::Person> {
          const auto known = identifier.dictionary().Find(id);
          return known ? std::optional<sim::Person>(0) : std::nullopt;
        });
    if (!statements) check.problems.push_back(statements.error());
  }
  return check;
}

}  // namespace reissue::models::similarity::service
