#include "pair_answers.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

#include "reissue/models/bcf/adversary/attack.h"

namespace oracle::bcf {
namespace {

ByValue SizesOf(const Release& release, const Quasi& cell) {
  ByValue sizes;
  for (const Row& row : release) {
    if (row.quasi == cell) ++sizes[row.sensitive];
  }
  return sizes;
}

// Of the values that the cell has; the others lose nothing.
ByValue OfItsValues(const Release& release, const Quasi& cell, const ByValue& cracks) {
  ByValue own;
  for (const auto& [value, size] : SizesOf(release, cell)) own[value] = cracks.at(value);
  return own;
}

// Rows of the cells for which some target has something left, but fewer than k.
struct Losses {
  std::optional<long> anonymity;
  std::set<Quasi> exposed;
  void Add(const Release& release, const Quasi& cell, const ByValue& cracks, long k) {
    const long left = CellSize(release, cell) - Total(cracks);
    if (left == 0) return;
    TakeLess(anonymity, left);
    if (left < k) exposed.insert(cell);
  }
  long Rows(const Release& release) const {
    long rows = 0;
    for (const Quasi& cell : exposed) rows += CellSize(release, cell);
    return rows;
  }
};

ByValue CracksOf(const model::Finding& finding) {
  ByValue cracks;
  for (const model::GroupCrack& group : finding.groups) {
    cracks[ValueOf(group.value)] = static_cast<long>(group.excluded);
  }
  return cracks;
}

std::optional<long> Number(const std::optional<std::uint64_t>& number) {
  if (!number) return std::nullopt;
  return static_cast<long>(*number);
}

// A contradiction must be one by its own numbers.
class ContradictionCheck {
 public:
  ContradictionCheck(const Translator& translator, const model::Series& series, const Release& r1,
                     const Release& r2)
      : translator_(translator), series_(series), r1_(r1), r2_(r2) {}

  std::string Complaint(const model::Contradiction& found) const {
    const std::string value = ValueOf(found.value);
    const auto earlier = Labels(0, found.earlier_cells);
    const auto later = Labels(1, found.later_cells);
    for (const Row& row : r2_) {
      if (row.sensitive != value || later.contains(row.quasi)) continue;
      for (const Quasi& cell : earlier) {
        if (translator_.domain().Comparable(cell, row.quasi)) return "a comparable cell is missing";
      }
    }
    if (Rows(r1_, earlier, value) != static_cast<long>(found.earlier_rows) ||
        Rows(r2_, later, value) != static_cast<long>(found.later_rows)) {
      return "a contradiction counts other rows than its cells have";
    }
    return found.earlier_rows > found.later_rows ? "" : "a contradiction that is none";
  }

 private:
  std::set<Quasi> Labels(std::size_t release, const std::vector<std::uint32_t>& cells) const {
    std::set<Quasi> labels;
    for (const std::uint32_t cell : cells) {
      labels.insert(translator_.LabelsOf(series_.release(release), cell));
    }
    return labels;
  }
  static long Rows(const Release& release, const std::set<Quasi>& cells, const std::string& value) {
    long rows = 0;
    for (const Quasi& cell : cells) rows += GroupSize(release, cell, value);
    return rows;
  }

  const Translator& translator_;
  const model::Series& series_;
  const Release &r1_, &r2_;
};

std::string ComplainAboutFindings(const model::PairReport& report, long k) {
  const auto order = [](const model::Finding& finding) {
    return std::tie(finding.left, finding.kind, finding.cell);
  };
  for (std::size_t i = 0; i < report.worst.size(); ++i) {
    const model::Finding& finding = report.worst[i];
    if (finding.left == 0 || finding.left >= static_cast<std::uint64_t>(k)) {
      return "a finding that is none";
    }
    if (finding.excluded + finding.left != finding.size) return "a finding that does not add up";
    if (i > 0 && order(finding) <= order(report.worst[i - 1])) return "findings are not in order";
  }
  if (report.satisfied != report.worst.empty()) return "findings do not fit the verdict";
  return "";
}

std::string Describe(const ByValue& sizes) {
  std::string text;
  for (const auto& [value, size] : sizes) text += " " + value + ":" + std::to_string(size);
  return text;
}

std::string Describe(const Quasi& cell) {
  std::string text = "(";
  for (const std::string& label : cell) text += (text.size() > 1 ? "," : "") + label;
  return text + ")";
}

std::string Describe(const std::optional<long>& number) {
  return number ? std::to_string(*number) : "none";
}

}  // namespace

void Summarise(const Release& r1, const Release& r2, long k, PairAnswers& answers) {
  Losses forward, cross, backward;
  for (const auto& [cells, cracks] : answers.forward) forward.Add(r1, cells.first, cracks, k);
  for (const auto& [cells, cracks] : answers.cross) cross.Add(r2, cells.second, cracks, k);
  for (const auto& [cell, cracks] : answers.backward) backward.Add(r2, cell, cracks, k);
  answers.anonymity = {forward.anonymity, cross.anonymity, backward.anonymity};
  answers.exposed = {forward.Rows(r1), cross.Rows(r2), backward.Rows(r2)};
  answers.satisfied = forward.exposed.empty() && cross.exposed.empty() && backward.exposed.empty();
}

PairAnswers AnswersByGenerators(const Domain& domain, const Release& r1, const Release& r2,
                                long k) {
  const Cracks cracks = CrackSizes(domain, r1, r2);
  PairAnswers answers;
  answers.possible = cracks.possible;
  if (!answers.possible) return answers;
  // All persons of a pair of cells are the same target.
  for (const auto& [target, sizes] : cracks.forward) {
    answers.forward[{target.first, target.second}] = OfItsValues(r1, target.first, sizes);
  }
  for (const auto& [target, sizes] : cracks.cross) {
    answers.cross[{target.first, target.second}] = OfItsValues(r2, target.second, sizes);
  }
  for (const auto& [target, sizes] : cracks.backward) {
    answers.backward[target.second] = OfItsValues(r2, target.second, sizes);
  }
  Summarise(r1, r2, k, answers);
  return answers;
}

PairAnswers AnswersByWorlds(const Domain& domain, const Release& r1, const Release& r2, long k) {
  const Worlds worlds = EnumerateWorlds(domain, {r1, r2});
  PairAnswers answers;
  answers.possible = worlds.exist;
  for (const auto& [target, left] : worlds.left) {
    const Quasi& last = target.cells.back();
    ByValue& later =
        target.birth == 2 ? answers.backward[last] : answers.cross[{target.cells[0], last}];
    for (const auto& [value, size] : SizesOf(r2, last)) later[value] = size - left.at(value);
    if (target.birth == 2) continue;
    ByValue& earlier = answers.forward[{target.cells[0], last}];
    for (const auto& [value, size] : SizesOf(r1, target.cells[0])) {
      earlier[value] = size - left.at(value);
    }
  }
  if (answers.possible) Summarise(r1, r2, k, answers);
  return answers;
}

PairAnswers AnswersOfProduct(const Translator& translator, const model::Series& series,
                             const Release& r1, const Release& r2, long k, bool flow_even_if_global,
                             std::string& complaint) {
  const model::Pair pair = model::Pair::Solve(series, 0, 1, flow_even_if_global);
  const model::PairReport report =
      model::AttackPair(series, pair, static_cast<std::uint64_t>(k), 1000);
  const bool global = series.recoding(0).global() && series.recoding(1).global();
  const bool flow = pair.method() == model::Method::kFlow;
  if (flow ? global && !flow_even_if_global : flow_even_if_global) {
    complaint = "not the method that was asked for";
  }
  PairAnswers answers;
  answers.possible = report.contradictions.empty();
  if (!answers.possible) {
    const ContradictionCheck check(translator, series, r1, r2);
    for (const auto& found : report.contradictions) {
      if (complaint.empty()) complaint = check.Complaint(found);
    }
    return answers;
  }
  if (complaint.empty()) complaint = ComplainAboutFindings(report, k);
  using model::AttackKind;
  for (std::uint32_t cell = 0; cell < series.release(0).cells(); ++cell) {
    const Quasi first = translator.LabelsOf(series.release(0), cell);
    for (const std::uint32_t other : pair.ComparableCells(cell)) {
      const Quasi second = translator.LabelsOf(series.release(1), other);
      answers.forward[{first, second}] =
          CracksOf(model::Explain(series, pair, AttackKind::kForward, cell, other));
      answers.cross[{first, second}] =
          CracksOf(model::Explain(series, pair, AttackKind::kCross, other, cell));
    }
  }
  for (std::uint32_t cell = 0; cell < series.release(1).cells(); ++cell) {
    answers.backward[translator.LabelsOf(series.release(1), cell)] =
        CracksOf(model::Explain(series, pair, AttackKind::kBackward, cell));
  }
  answers.anonymity = {Number(report.forward.anonymity), Number(report.cross.anonymity),
                       Number(report.backward.anonymity)};
  answers.exposed = {static_cast<long>(report.forward.exposed),
                     static_cast<long>(report.cross.exposed),
                     static_cast<long>(report.backward.exposed)};
  answers.satisfied = report.satisfied;
  return answers;
}

std::string Describe(const Series& series) {
  std::string text;
  for (const Release& release : series) {
    text += "release:";
    for (const Row& row : release) text += " " + Describe(row.quasi) + row.sensitive;
    text += "\n";
  }
  return text;
}

std::string Describe(const PairAnswers& answers) {
  if (!answers.possible) return "no series\n";
  std::ostringstream text;
  text << "F " << Describe(answers.anonymity.forward) << " C " << Describe(answers.anonymity.cross)
       << " B " << Describe(answers.anonymity.backward) << " exposed " << answers.exposed[0] << " "
       << answers.exposed[1] << " " << answers.exposed[2] << "\n";
  for (const auto& [cells, cracks] : answers.forward) {
    text << "F " << Describe(cells.first) << Describe(cells.second) << Describe(cracks) << "\n";
  }
  for (const auto& [cells, cracks] : answers.cross) {
    text << "C " << Describe(cells.first) << Describe(cells.second) << Describe(cracks) << "\n";
  }
  for (const auto& [cell, cracks] : answers.backward) {
    text << "B " << Describe(cell) << Describe(cracks) << "\n";
  }
  return text.str();
}

}  // namespace oracle::bcf
