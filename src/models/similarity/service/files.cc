#include "reissue/models/similarity/service/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "reissue/models/similarity/service/lines.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

// Reads transition lines, and puts them together by context.
class TransitionReader {
 public:
  TransitionReader(const io::Policy& policy, const std::vector<binding::ValueTexts>& known,
                   bool closed, std::uint32_t steps, bool normalise)
      : sensitive_(policy), closed_(closed), steps_(steps), normalise_(normalise) {
    beliefs_.values = known;
    for (std::size_t v = 0; v < known.size(); ++v) value_of_[known[v]] = static_cast<sim::Value>(v);
  }

  Result<TransitionBeliefs> Read(const std::string& path, binding::Context& context) {
    std::vector<std::string> known = {"from"};
    for (std::uint32_t s = kMostSteps; s > 0; --s) known.push_back(fmt::format("from{}", s));
    known.insert(known.end(), {"to", kProbabilityColumn});
    const BeliefLines file =
        REISSUE_TRY(BeliefLines::Read(path, known, {"to", kProbabilityColumn}, 1, context));
    REISSUE_TRY(FindContext(file));
    for (const io::Record& line : file.lines()) REISSUE_TRY(AddLine(file, line));
    beliefs_.transition.steps = steps_;
    for (auto& [history, entries] : entries_) {
      sim::Distribution next(beliefs_.values.size());
      for (const auto& [value, probability, line] : entries) next[value] = probability;
      const Place place{path, std::get<2>(entries.front()), std::nullopt, ""};
      REISSUE_TRY(MakeSumOne(next, normalise_, place, "what follows here"));
      beliefs_.transition.after.emplace(history, std::move(next));
    }
    return std::move(beliefs_);
  }

 private:
  // The columns of the context, the oldest first.
  Status FindContext(const BeliefLines& file) {
    const auto plain = file.Find("from");
    for (std::uint32_t s = kMostSteps; s > 0; --s) {
      const auto at = file.Find(fmt::format("from{}", s));
      const bool both = at && plain;
      if (both || (!at && !context_.empty())) {
        return InputError({file.file(), 1, std::nullopt, ""},
                          both ? fmt::format("both \"from\" and \"from{}\"", s)
                               : fmt::format("the column \"from{}\" is missing", s),
                          "One value before: from. Two: from2 (the older one) and from1; and so "
                          "on.");
      }
      if (at) context_.push_back(*at);
    }
    if (plain) context_.push_back(*plain);
    if (context_.empty()) {
      return InputError({file.file(), 1, std::nullopt, ""}, "the column \"from\" is missing",
                        "The columns are: from, to, probability.");
    }
    return Ok();
  }

  Status AddLine(const BeliefLines& file, const io::Record& line) {
    std::vector<sim::Value> history;
    for (const std::size_t field : context_) {
      if (line.fields[field].empty() && history.empty() && field != context_.back()) continue;
      history.push_back(REISSUE_TRY(ValueIn(file, line, field)));
    }
    if (history.size() > steps_) {
      return file.Wrong(line, std::nullopt,
                        fmt::format("what follows {} values, where [knowledge] has steps = {}",
                                    history.size(), steps_),
                        fmt::format("Write steps = {} into [knowledge].", history.size()));
    }
    const sim::Value to = REISSUE_TRY(ValueIn(file, line, *file.Find("to")));
    const double p = REISSUE_TRY(file.Probability(line, *file.Find(kProbabilityColumn)));
    auto& entries = entries_[history];
    for (const auto& [value, probability, earlier] : entries) {
      if (value != to) continue;
      return file.Wrong(line, std::nullopt,
                        fmt::format("the same values stand on line {} already", earlier),
                        "Keep one of the two lines.");
    }
    entries.emplace_back(to, p, line.line);
    return Ok();
  }

  Result<sim::Value> ValueIn(const BeliefLines& file, const io::Record& line, std::size_t field) {
    const std::string text = REISSUE_TRY(file.Text(line, field));
    const binding::ValueTexts value = sensitive_.Split(text);
    const auto at = value_of_.find(value);
    if (at != value_of_.end()) return at->second;
    if (closed_) {
      return file.Wrong(line, field, "the prior does not name this value",
                        "Correct it (capitals count), or add it to the prior, with probability 0 "
                        "where nobody begins with it.");
    }
    const auto number = static_cast<sim::Value>(beliefs_.values.size());
    beliefs_.values.push_back(value);
    value_of_.emplace(value, number);
    return number;
  }

  SensitiveColumns sensitive_;
  bool closed_;
  std::uint32_t steps_;
  bool normalise_;
  std::vector<std::size_t> context_;
  std::map<binding::ValueTexts, sim::Value> value_of_;
  std::map<std::vector<sim::Value>, std::vector<std::tuple<sim::Value, double, std::uint64_t>>>
      entries_;
  TransitionBeliefs beliefs_;
};

}  // namespace

Result<TransitionBeliefs> ReadTransition(const io::Policy& policy, const std::string& path,
                                         const std::vector<binding::ValueTexts>& known, bool closed,
                                         std::uint32_t steps, bool normalise,
                                         binding::Context& context) {
  return TransitionReader(policy, known, closed, steps, normalise).Read(path, context);
}

Result<std::vector<CompromisedRecord>> ReadCompromised(const io::Policy& policy,
                                                       const std::string& path,
                                                       binding::Context& context) {
  const SensitiveColumns sensitive(policy);
  const std::string identifier = policy.WithRole(io::Role::kIdentifier)[0]->name;
  std::vector<std::string> columns = {identifier};
  columns.insert(columns.end(), sensitive.names().begin(), sensitive.names().end());
  columns.insert(columns.end(), {kReleaseColumn, kConfidenceColumn});
  // A file that is to grow may be empty at first.
  const BeliefLines file = REISSUE_TRY(BeliefLines::Read(path, columns, columns, 0, context));
  std::vector<CompromisedRecord> records;
  std::map<std::tuple<std::string, std::uint32_t, binding::ValueTexts>, std::uint64_t> said;
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> certain;
  for (const io::Record& line : file.lines()) {
    CompromisedRecord record;
    record.line = line.line;
    record.identifier = REISSUE_TRY(file.Text(line, *file.Find(identifier)));
    record.value = REISSUE_TRY(sensitive.ValueOn(file, line));
    record.release = REISSUE_TRY(file.Count(line, *file.Find(kReleaseColumn)));
    record.confidence = REISSUE_TRY(file.Probability(line, *file.Find(kConfidenceColumn)));
    const auto [same, first] =
        said.emplace(std::tuple(record.identifier, record.release, record.value), line.line);
    if (!first) {
      return file.Wrong(
          line, std::nullopt,
          fmt::format("line {} speaks of the same person, release and value", same->second),
          "Keep one of the two lines.");
    }
    if (record.confidence == 1) {
      const auto [other, only] =
          certain.emplace(std::pair(record.identifier, record.release), line.line);
      if (!only) {
        return file.Wrong(line, std::nullopt,
                          fmt::format("line {} is certain of another value of the same person in "
                                      "the same release",
                                      other->second),
                          "A person has one value in a release: lower a confidence, or remove a "
                          "line.");
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace reissue::models::similarity::service
