#include "series_answers.h"

#include <algorithm>
#include <sstream>

#include "checks.h"

namespace oracle::bcf {
namespace {

ByValue Histogram(const Release& release) {
  ByValue histogram;
  for (const Row& row : release) ++histogram[row.sensitive];
  return histogram;
}

// Where rows of the newest release may belong.
struct Room {
  long so = 0, otherwise = 0;
  void Add(bool is_so, long rows) { (is_so ? so : otherwise) += rows; }
  void Count(long rows, Range& range) const {
    range.least += std::max(0L, rows - otherwise);
    range.most += std::min(rows, so);
  }
};

SiegeAnswers ConcludeFor(const Question& question, const SeriesAnswers& answers,
                         const std::set<Target>* only) {
  const Series& series = question.series;
  SiegeAnswers found;
  found.of_birth.resize(series.size());
  std::vector<std::set<Quasi>> exposed(series.size());
  // Per release: per cell, and per cell and value.
  std::vector<std::map<std::pair<Quasi, std::string>, Room>> alone(series.size()),
      certain(series.size());
  for (const auto& [target, left] : answers.left) {
    if (Total(left) == 0 || (only != nullptr && !only->contains(target))) continue;
    ++found.targets;
    for (std::size_t i = 0; i < target.cells.size(); ++i) {
      const std::size_t release = target.birth - 1 + i;
      alone[release][{target.cells[i], ""}].Add(Total(left) == 1, Total(left));
      for (const auto& [value, rows] : left) {
        certain[release][{target.cells[i], value}].Add(left.size() == 1, rows);
      }
    }
    TakeLess(found.anonymity, Total(left));
    TakeLess(found.of_birth[target.birth - 1], Total(left));
    const std::set<std::string>& broken = answers.broken.at(target);
    found.broken.insert(broken.begin(), broken.end());
    if (broken.empty()) continue;
    for (std::size_t i = 0; i < target.cells.size(); ++i) {
      exposed[target.birth - 1 + i].insert(target.cells[i]);
    }
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    Range singled_out, value_certain;
    for (const auto& [place, room] : alone[i]) {
      room.Count(CellSize(series[i], place.first), singled_out);
    }
    for (const auto& [place, room] : certain[i]) {
      room.Count(GroupSize(series[i], place.first, place.second), value_certain);
    }
    // Everybody is in the last one.
    found.singled_out = {std::max(found.singled_out.least, singled_out.least), singled_out.most};
    found.value_certain = {std::max(found.value_certain.least, value_certain.least),
                           value_certain.most};
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    found.exposed.push_back(0);
    for (const Quasi& cell : exposed[i]) found.exposed.back() += CellSize(series[i], cell);
  }
  return found;
}

class ProductQuestion {
 public:
  explicit ProductQuestion(const Question& question)
      : question_(question),
        domain_(question.translator.domain()),
        series_(question.translator.ToProduct(question.series)),
        formulas_(series_),
        worlds_(series_, formulas_),
        guarantee_(ToGuarantee(question.promise)),
        targets_(AllTargets(domain_, question.series)) {
    for (const std::string& value : Values(question.series)) {
      kinds_[value] = KindsOf(question.series, targets_, value);
    }
  }

  ProductAnswers Run() {
    found_.answers.possible = worlds_.impossible().empty();
    AttackSeries();
    if (!found_.answers.possible) {
      for (const model::Impossible& impossible : worlds_.impossible()) {
        if (impossible.terms.empty()) {
          ++found_.unproven;
          continue;
        }
        ++found_.proofs;
        Complain(ComplaintAboutProof(question_, series_, kinds_.at(ValueOf(impossible.value)),
                                     impossible));
      }
      return found_;
    }
    for (const Target& target : targets_) Ask(target);
    found_.statistics = worlds_.statistics();
    return found_;
  }

 private:
  void Complain(const std::string& complaint) {
    if (found_.complaint.empty()) found_.complaint = complaint;
  }
  long Exact(const model::Interval& interval) {
    if (!interval.exact()) Complain("not exact");
    return static_cast<long>(interval.lower);
  }

  void Ask(const Target& target) {
    const model::Target asked = {target.birth - 1,
                                 question_.translator.CellsOfTarget(series_, target)};
    ByValue& left = found_.answers.left[target];
    for (const std::string& value : Values(question_.series)) {
      const auto groups = GroupsOf(series_, asked, CodeOf(value));
      if (groups.empty()) continue;
      const auto telling = worlds_.history().Select<std::size_t>(asked.birth, groups);
      const model::Interval known = worlds_.Known(asked.birth, telling);
      const long number = Exact(worlds_.Left(asked.birth, telling));
      if (number > 0) left[value] = number;
      if (static_cast<long>(known.lower) > number || static_cast<long>(known.upper) < number) {
        Complain("what was known before is not so");
      }
      ++found_.witnesses;
      Complain(ComplaintAboutWitness(question_, series_, kinds_.at(value), asked, value, number,
                                     worlds_.Witness(asked.birth, groups)));
    }
    CompareWithLeftTo(target, asked, left);
  }

  void CompareWithLeftTo(const Target& target, const model::Target& asked, const ByValue& left) {
    const model::TargetLeft told = model::LeftTo(series_, worlds_, guarantee_, asked);
    ByValue by_value;
    for (const model::ValueLeft& one : told.values) {
      if (Exact(one.left) > 0) by_value[ValueOf(one.value)] = Exact(one.left);
      for (std::size_t i = 0; i < one.sizes.size(); ++i) {
        if (static_cast<long>(one.sizes[i]) != GroupSize(question_.series[target.birth - 1 + i],
                                                         target.cells[i], ValueOf(one.value))) {
          Complain("LeftTo has another group size");
        }
      }
    }
    if (!(told.target == asked) || by_value != left || Exact(told.left) != Total(left)) {
      Complain("LeftTo has another number than Left");
    }
    found_.answers.broken[target] = {told.broken.begin(), told.broken.end()};
  }

  void AttackSeries() {
    model::SeriesAttackOptions options;
    options.guarantee = guarantee_;
    options.limit = 1000;
    found_.answers.any = SeriesAttack(options);
    if (question_.people.empty()) return;
    std::vector<std::set<std::vector<std::uint32_t>>> people(series_.size());
    for (const Target& target : question_.people) {
      people[target.birth - 1].insert(question_.translator.CellsOfTarget(series_, target));
    }
    options.real.emplace();
    for (const auto& tuples : people) options.real->emplace_back(tuples.begin(), tuples.end());
    found_.answers.real = SeriesAttack(options);
  }

  SiegeAnswers SeriesAttack(model::SeriesAttackOptions& options) {
    const model::SeriesAttackReport report = model::AttackSeries(series_, formulas_, options);
    if (report.impossible.size() != worlds_.impossible().size()) {
      Complain("AttackSeries finds other impossible groups");
    }
    if (!report.impossible.empty()) return {};
    SiegeAnswers answers;
    if (report.anonymity) answers.anonymity = Exact(*report.anonymity);
    for (const auto& least : report.of_birth) {
      answers.of_birth.emplace_back();
      if (least) answers.of_birth.back() = Exact(*least);
    }
    answers.targets = report.targets;
    answers.broken = {report.broken.begin(), report.broken.end()};
    for (const std::uint64_t rows : report.exposed) {
      answers.exposed.push_back(static_cast<long>(rows));
    }
    const auto range = [](const model::Interval& interval) {
      return Range{static_cast<long>(interval.lower), static_cast<long>(interval.upper)};
    };
    answers.singled_out = range(report.singled_out);
    answers.value_certain = range(report.value_certain);
    Complain(ComplaintAboutReport(report));
    if (options.real) return answers;
    options.verdict_only = true;
    if (model::AttackSeries(series_, formulas_, options).verdict != report.verdict) {
      Complain("another verdict where only that is wanted");
    }
    options.verdict_only = false;
    return answers;
  }

  const Question& question_;
  const Domain& domain_;
  model::Series series_;
  model::Formulas formulas_;
  model::Worlds worlds_;
  reissue::models::k::Guarantee guarantee_;
  std::vector<Target> targets_;
  std::map<std::string, std::vector<Target>> kinds_;  // by value
  ProductAnswers found_;
};

void Describe(std::ostringstream& text, const SiegeAnswers& answers) {
  text << "least " << answers.anonymity.value_or(0) << " of " << answers.targets
       << " targets; by birth";
  for (const auto& least : answers.of_birth) text << ' ' << least.value_or(0);
  text << "; exposed";
  for (const long rows : answers.exposed) text << ' ' << rows;
  text << "; singled out " << answers.singled_out.least << " to " << answers.singled_out.most
       << ", certain " << answers.value_certain.least << " to " << answers.value_certain.most;
  text << "; broken";
  for (const std::string& name : answers.broken) text << ' ' << name;
  text << '\n';
}

}  // namespace

std::vector<std::size_t> GroupsOf(const model::Series& series, const model::Target& target,
                                  std::uint32_t value) {
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < target.cells.size(); ++i) {
    const auto group = series.release(target.birth + i).FindGroup(target.cells[i], value);
    if (!group) return {};
    groups.push_back(*group);
  }
  return groups;
}

SeriesAnswers Conclude(const Question& question, const std::map<Target, ByValue>& left) {
  SeriesAnswers answers;
  answers.possible = true;
  const ByValue overall = Histogram(question.series.back());
  for (const auto& [target, by_value] : left) {
    ByValue& own = answers.left[target];
    for (const auto& [value, number] : by_value) {
      if (number > 0) own[value] = number;
    }
    answers.broken[target] =
        own.empty() ? std::set<std::string>{} : Broken(question.promise, own, overall);
  }
  answers.any = ConcludeFor(question, answers, nullptr);
  if (question.people.empty()) return answers;
  const std::set<Target> people(question.people.begin(), question.people.end());
  answers.real = ConcludeFor(question, answers, &people);
  return answers;
}

SeriesAnswers AnswersByWorlds(const Question& question) {
  const Worlds worlds = EnumerateWorlds(question.translator.domain(), question.series);
  if (!worlds.exist) return {};
  return Conclude(question, worlds.left);
}

ProductAnswers AnswersOfProduct(const Question& question) {
  return ProductQuestion(question).Run();
}

std::map<Target, ByValue> FormulasByWorlds(const Domain& domain, const Series& series) {
  std::map<std::pair<std::size_t, std::size_t>, Worlds> pairs;
  for (std::size_t later = 0; later < series.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      pairs[{earlier, later}] = EnumerateWorlds(domain, {series[earlier], series[later]});
    }
  }
  std::map<Target, ByValue> formulas;
  for (const Target& target : AllTargets(domain, series)) {
    const std::size_t birth = target.birth - 1;
    for (const std::string& value : Values(series)) {
      long left = GroupSize(series[birth], target.cells[0], value);
      for (std::size_t earlier = 0; earlier < birth && left > 0; ++earlier) {
        const Target newcomer = {2, {target.cells[0]}};
        left = std::min(left, pairs.at({earlier, birth}).left.at(newcomer).at(value));
      }
      for (std::size_t i = 1; i < target.cells.size() && left > 0; ++i) {
        const Target both = {1, {target.cells[0], target.cells[i]}};
        const ByValue& together = pairs.at({birth, birth + i}).left.at(both);
        left = std::min(left, together.contains(value) ? together.at(value) : 0);
      }
      if (left > 0) formulas[target][value] = left;
    }
  }
  return formulas;
}

std::map<Target, ByValue> FormulasOfProduct(const Translator& translator, const Series& series) {
  const model::Series published = translator.ToProduct(series);
  const model::Formulas formulas(published);
  std::map<Target, ByValue> found;
  for (const Target& target : AllTargets(translator.domain(), series)) {
    const model::Target asked = {target.birth - 1, translator.CellsOfTarget(published, target)};
    long sum = 0;
    for (const std::string& value : Values(series)) {
      const auto groups = GroupsOf(published, asked, CodeOf(value));
      if (groups.empty()) continue;
      std::uint64_t left = formulas.AfterBackward(asked.birth, groups[0]);
      for (std::size_t i = 1; i < groups.size(); ++i) {
        left = std::min(
            left,
            formulas.pair(asked.birth, asked.birth + i).Together(published, groups[0], groups[i]));
      }
      if (left > 0) found[target][value] = static_cast<long>(left);
      sum += static_cast<long>(left);
    }
    // Its own sum must be the same.
    if (static_cast<long>(formulas.Left(asked.birth, asked.cells)) != sum) found[target]["?"] = -1;
  }
  return found;
}

std::string Describe(const SeriesAnswers& answers) {
  if (!answers.possible) return "no series\n";
  std::ostringstream text;
  for (const auto& [target, left] : answers.left) {
    text << "born " << target.birth;
    for (const Quasi& cell : target.cells) {
      text << " (";
      for (const std::string& label : cell) text << label << ' ';
      text << ')';
    }
    for (const auto& [value, number] : left) text << ' ' << value << ':' << number;
    for (const std::string& name : answers.broken.at(target)) text << " breaks " << name;
    text << '\n';
  }
  Describe(text, answers.any);
  Describe(text, answers.real);
  return text.str();
}

}  // namespace oracle::bcf
