#include "reissue/models/bcf/service/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "reissue/io/csv.h"
#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/formulas.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/adversary/worlds.h"
#include "reissue/models/bcf/release/overlap.h"
#include "reissue/models/bcf/service/series.h"
#include "reissue/models/bcf/service/words.h"
#include "reissue/models/k/service/promise.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::bcf::service {

namespace {

using taxonomy::Taxonomy;

constexpr std::size_t kTargetsShown = 20;
constexpr std::size_t kTargetsSeen = 100'000;
constexpr std::size_t kSharesShown = 50;

// What is known of the person in one column. A raw value is in cells at or above its node; a group
// also in those below. Where labels overlap, a raw value is an atom, and a group is in all that it
// meets.
struct Known {
  NodeId node;
  bool raw = true;
  std::optional<std::uint32_t> atom = std::nullopt;  // then the node means nothing
  std::string text = {};                             // how it is told; empty: as its node
};

struct Person {
  std::size_t birth = 0;
  std::vector<Known> columns;
};

std::optional<Known> FindAmongRegions(const taxonomy::Regions& regions, const std::string& text) {
  if (const auto number = taxonomy::ParseNumber(text); number && regions.numeric()) {
    return Known{taxonomy::Regions::root(), true, regions.AtomOf(*number),
                 taxonomy::FormatNumber(*number)};
  }
  const auto node = regions.Find(taxonomy::CanonicalLabel(text).value_or(text));
  if (!node) return std::nullopt;
  return Known{*node, false};
}

std::optional<Known> FindKnown(const BoundSeries& bound, std::size_t quasi,
                               const std::string& text) {
  if (const auto* regions = bound.series.regions(quasi)) return FindAmongRegions(*regions, text);
  const Taxonomy& tree = bound.series.tree(quasi);
  const auto node = binding::FindLabel(tree, text);
  if (!bound.from_labels[quasi] || !tree.numeric()) {
    if (!node) return std::nullopt;
    return Known{*node, tree.is_leaf(*node)};
  }
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status == std::errc() && end == text.data() + text.size()) {
    return Known{binding::Containing(tree, number), true};
  }
  if (!node) return std::nullopt;
  return Known{*node, false};
}

// What readers know of a column: the labels of its taxonomy, or those that are published.
std::vector<std::string> KnownLabels(const BoundSeries& bound, std::size_t quasi) {
  std::vector<std::string> labels;
  if (bound.series.regions(quasi) != nullptr) return labels;
  const Taxonomy& tree = bound.series.tree(quasi);
  for (std::size_t node = 0; node < tree.nodes(); ++node)
    labels.push_back(tree.label(NodeId(node)));
  return labels;
}

Result<Person> ReadPerson(const BoundSeries& bound, const std::string& text) {
  const std::string wanted = fmt::format(
      "Write the release of first appearance and then {}, separated by commas; quotes "
      "as in CSV.",
      binding::Listed(bound.columns.quasi));
  const auto records = REISSUE_TRY(io::ReadRecords(text, "--explain", ','));
  const std::size_t fields = bound.columns.quasi.size() + 1;
  if (records.size() != 1 || records[0].fields.size() != fields) {
    return UsageError(
        fmt::format("--explain needs {} fields, and {} {} given", fields,
                    records.empty() ? 0 : records[0].fields.size(),
                    !records.empty() && records[0].fields.size() == 1 ? "was" : "were"),
        wanted);
  }
  const std::vector<std::string>& given = records[0].fields;
  Person person;
  const auto [end, status] =
      std::from_chars(given[0].data(), given[0].data() + given[0].size(), person.birth);
  if (status != std::errc() || end != given[0].data() + given[0].size() || person.birth < 1 ||
      person.birth > bound.series.size()) {
    return UsageError(fmt::format("--explain: the first field must be a release from 1 to {}",
                                  bound.series.size()),
                      wanted);
  }
  --person.birth;
  for (std::size_t q = 0; q + 1 < fields; ++q) {
    const auto known = FindKnown(bound, q, given[q + 1]);
    if (!known) {
      return UsageError(fmt::format("--explain: field {} is not a value of the column \"{}\"",
                                    q + 2, bound.columns.quasi[q]),
                        io::DidYouMean(given[q + 1], KnownLabels(bound, q)) +
                            "Give a raw value or a label of its taxonomy; capitals count.");
    }
    person.columns.push_back(*known);
  }
  return person;
}

class Explainer {
 public:
  Explainer(const BoundSeries& bound, const models::k::Guarantee& guarantee,
            const bcf::Formulas& formulas)
      : bound_(bound),
        series_(bound.series),
        guarantee_(guarantee),
        formulas_(formulas),
        worlds_(series_, formulas),
        overlap_(series_) {}

  const std::vector<bcf::Impossible>& impossible() const { return worlds_.impossible(); }

  void Run(const Person& person, PersonExplained& report) {
    person_ = &person;
    for (std::size_t i = person.birth; i < series_.size(); ++i) {
      cells_.push_back(Matching(i));
      for (const std::uint32_t cell : cells_.back()) report.matching.push_back(Cell(i, cell));
    }
    // Cells that match an atom have it in common.
    std::vector<std::uint32_t> known(series_.columns(), Taxonomy::root().raw());
    for (std::size_t q = 0; q < person.columns.size(); ++q) {
      known[q] = person.columns[q].node.raw();
    }
    overlap_.Start(known);
    tuple_.clear();
    Extend(report);
    std::stable_sort(report.targets.begin(), report.targets.end(),
                     [](const auto& a, const auto& b) { return a.left.upper < b.left.upper; });
    if (report.targets.size() > kTargetsShown) {
      report.more_targets = report.targets.size() - kTargetsShown;
      report.targets.resize(kTargetsShown);
    }
  }

 private:
  std::string Value(std::uint32_t code) const {
    return std::string((*bound_.values)[ValueId(code)]);
  }

  bool Matches(std::size_t column, NodeId node) const {
    const Known& known = person_->columns[column];
    if (const auto* regions = series_.regions(column)) {
      return known.atom ? regions->Has(node, *known.atom) : regions->Meet(node, known.node);
    }
    return known.raw ? series_.tree(column).IsAncestor(node, known.node)
                     : series_.tree(column).OnOnePath(node, known.node);
  }

  std::vector<std::uint32_t> Matching(std::size_t release) const {
    std::vector<std::uint32_t> cells;
    const bcf::Release& published = series_.release(release);
    for (std::uint32_t cell = 0; cell < published.cells(); ++cell) {
      bool matches = true;
      for (std::size_t q = 0; q < person_->columns.size() && matches; ++q) {
        matches = Matches(q, published.node(cell, q));
      }
      if (matches) cells.push_back(cell);
    }
    return cells;
  }

  MatchingCell Cell(std::size_t release, std::uint32_t cell) const {
    const bcf::Release& published = series_.release(release);
    MatchingCell shown{
        FromOne(release), CellOf(bound_, release, cell), published.rows_of_cell(cell), {}};
    for (std::size_t g = published.first_group(cell); g < published.last_group(cell); ++g) {
      shown.values.push_back({Value(published.value(g)), published.rows_of_group(g)});
    }
    return shown;
  }

  // All ways to choose a cell in each release that agree with each other and the person.
  void Extend(PersonExplained& report) {
    if (seen_ == kTargetsSeen) return;
    if (tuple_.size() == cells_.size()) {
      ++seen_;
      Look(report);
      return;
    }
    const std::size_t next = person_->birth + tuple_.size();
    for (const std::uint32_t cell : cells_[tuple_.size()]) {
      const auto key = series_.release(next).key(cell);
      if (!overlap_.Fits(key)) continue;
      overlap_.Push(key);
      tuple_.push_back(cell);
      Extend(report);
      tuple_.pop_back();
      overlap_.Pop();
    }
  }

  void Look(PersonExplained& report) {
    const bcf::TargetLeft found =
        bcf::LeftTo(series_, worlds_, guarantee_, {person_->birth, tuple_});
    if (found.left.upper == 0) return;
    ExplainedTarget target;
    target.left = {found.left.lower, found.left.upper};
    target.broken = found.broken;
    report.broken |= !found.broken.empty();
    for (std::size_t i = 0; i < tuple_.size(); ++i) {
      target.cells.push_back(Cell(person_->birth + i, tuple_[i]));
    }
    std::map<std::uint32_t, Bounds> left;
    for (const bcf::ValueLeft& value : found.values) {
      left[value.value] = {value.left.lower, value.left.upper};
    }
    for (const std::uint32_t value : ValuesOfTuple()) {
      target.values.push_back(Explain(value, left[value]));
      if (report.targets.size() < kTargetsShown) AddWitness(value, left[value], target);
    }
    report.targets.push_back(std::move(target));
  }

  std::vector<std::uint32_t> ValuesOfTuple() const {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < tuple_.size(); ++i) {
      const bcf::Release& release = series_.release(person_->birth + i);
      for (std::size_t g = release.first_group(tuple_[i]); g < release.last_group(tuple_[i]); ++g) {
        values.push_back(release.value(g));
      }
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  std::vector<std::optional<std::size_t>> GroupsOf(std::uint32_t value) const {
    std::vector<std::optional<std::size_t>> groups;
    for (std::size_t i = 0; i < tuple_.size(); ++i) {
      groups.push_back(series_.release(person_->birth + i).FindGroup(tuple_[i], value));
    }
    return groups;
  }

  ExplainedValue Explain(std::uint32_t value, const Bounds& left) const {
    const auto groups = GroupsOf(value);
    ExplainedValue explained;
    explained.value = Value(value);
    explained.left = left;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bcf::Release& release = series_.release(person_->birth + i);
      explained.sizes.push_back(groups[i] ? release.rows_of_group(*groups[i]) : 0);
    }
    explained.pairs = *std::min_element(explained.sizes.begin(), explained.sizes.end());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (!groups[i]) continue;
      Argument best;
      const auto offer = [&](const char* attack, std::size_t against, std::uint64_t possible) {
        explained.pairs = std::min(explained.pairs, possible);
        if (explained.sizes[i] - possible <= best.excluded) return;
        best = {attack, FromOne(person_->birth + i), FromOne(against),
                explained.sizes[i] - possible};
      };
      for (std::size_t j = 0; j < groups.size(); ++j) {
        if (j == i) continue;
        offer(j > i ? "F" : "C", person_->birth + j, Together(groups, i, j));
      }
      for (std::size_t j = 0; i == 0 && j < person_->birth; ++j) {
        offer("B", j, formulas_.pair(j, person_->birth).Newcomers(*groups[0]));
      }
      if (best.excluded > 0) explained.arguments.push_back(best);
    }
    return explained;
  }

  std::uint64_t Together(const std::vector<std::optional<std::size_t>>& groups, std::size_t a,
                         std::size_t b) const {
    if (!groups[a] || !groups[b]) return 0;
    const std::size_t first = std::min(a, b), second = std::max(a, b);
    return formulas_.pair(person_->birth + first, person_->birth + second)
        .Together(series_, *groups[first], *groups[second]);
  }

  void AddWitness(std::uint32_t value, const Bounds& left, ExplainedTarget& target) {
    if (left.lower == 0) return;
    std::vector<std::size_t> groups;
    for (const auto& group : GroupsOf(value)) groups.push_back(*group);
    for (const bcf::Share& share : worlds_.Witness(person_->birth, groups)) {
      if (target.witness.size() == kSharesShown) {
        ++target.more_witness;
        continue;
      }
      WitnessShare shown{Value(value), FromOne(share.target.birth), {}, share.people};
      for (std::size_t i = 0; i < share.target.cells.size(); ++i) {
        shown.cells.push_back(CellOf(bound_, share.target.birth + i, share.target.cells[i]));
      }
      target.witness.push_back(std::move(shown));
    }
  }

  const BoundSeries& bound_;
  const bcf::Series& series_;
  const models::k::Guarantee& guarantee_;
  const bcf::Formulas& formulas_;
  bcf::Worlds worlds_;
  const Person* person_ = nullptr;
  std::vector<std::vector<std::uint32_t>> cells_;  // that match, per release from the birth on
  std::vector<std::uint32_t> tuple_;
  bcf::Overlap overlap_;  // of the person and the cells of the tuple
  std::size_t seen_ = 0;
};

}  // namespace

Result<PersonExplained> ExplainPerson(const io::Policy& policy, const Promise& promise,
                                      const std::vector<std::string>& files,
                                      const std::string& text, binding::Context& context) {
  const BoundSeries bound = REISSUE_TRY(LoadSeries(policy, files, context, promise.stars()));
  const Person person = REISSUE_TRY(ReadPerson(bound, text));
  const models::k::Guarantee guarantee = REISSUE_TRY(k::service::Resolve(promise, *bound.values));
  PersonExplained report;
  report.files = files;
  report.born = FromOne(person.birth);
  report.k = guarantee.k;
  for (std::size_t q = 0; q < person.columns.size(); ++q) {
    const Known& known = person.columns[q];
    report.person.emplace_back(bound.columns.quasi[q],
                               known.text.empty() ? bound.series.label(q, known.node) : known.text);
  }
  const bcf::Formulas formulas(bound.series);
  for (std::size_t later = 1; later < bound.series.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      for (const auto& contradiction : formulas.pair(earlier, later).contradictions()) {
        report.conflicts.push_back(DescribeContradiction(bound, earlier, later, contradiction));
      }
    }
  }
  if (formulas.consistent()) {
    Explainer explainer(bound, guarantee, formulas);
    for (const bcf::Impossible& impossible : explainer.impossible()) {
      report.conflicts.push_back(DescribeImpossible(bound, impossible));
    }
    if (report.conflicts.empty()) explainer.Run(person, report);
  }
  report.broken |= !report.conflicts.empty();
  return report;
}

}  // namespace reissue::models::bcf::service
