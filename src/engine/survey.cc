#include "reissue/engine/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "reissue/engine/assumptions.h"
#include "reissue/engine/survey_tables.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/survey/linked.h"
#include "reissue/survey/matching.h"
#include "reissue/survey/population.h"
#include "reissue/survey/together.h"

namespace reissue::engine {
namespace {

using survey::FromTo;
using survey::Published;
using Assumption = SurveyReport::Assumption;

class Surveyor {
 public:
  Surveyor(const SurveyRequest& request, SurveyTables tables, binding::Context& context)
      : request_(request), tables_(std::move(tables)), context_(context) {}

  Result<SurveyReport> Run() {
    report_.columns = tables_.columns;
    context_.progress.Begin("matching rows", 0);
    for (std::uint32_t f = 0; f < tables_.files.size(); ++f) One(f);
    context_.progress.Begin("comparing files", 0);
    REISSUE_TRY(Several());
    std::stable_sort(report_.assumptions.begin(), report_.assumptions.end(), Worse);
    for (const SurveyReport::File& file : report_.files) Raise(file.exposed);
    for (const Assumption& assumption : report_.assumptions) {
      for (const Assumption::Exposed& exposed : assumption.exposed) Raise(exposed.exposed);
    }
    return std::move(report_);
  }

 private:
  void Raise(const FromTo& exposed) {
    report_.exposed.lower = std::max(report_.exposed.lower, exposed.lower);
    report_.exposed.upper = std::max(report_.exposed.upper, exposed.upper);
  }

  static FromTo MostExposed(const Assumption& assumption) {
    FromTo most;
    for (const Assumption::Exposed& exposed : assumption.exposed) {
      most.lower = std::max(most.lower, exposed.exposed.lower);
      most.upper = std::max(most.upper, exposed.exposed.upper);
    }
    return most;
  }
  static bool Worse(const Assumption& a, const Assumption& b) {
    if (a.verdict != b.verdict) return a.verdict < b.verdict;
    const FromTo first = MostExposed(a), second = MostExposed(b);
    return std::pair(first.lower, first.upper) > std::pair(second.lower, second.upper);
  }

  // --- One file.

  void One(std::uint32_t f) {
    const SurveyTable& table = tables_.files[f];
    const survey::Columns columns = tables_.LabelsOf(table.quasi);
    const survey::OverlapTable overlaps(columns);
    const survey::Matching matching =
        survey::Match(columns, table.published, overlaps, context_.pool);
    SurveyReport::File file;
    file.file = table.name;
    file.rows = table.published.rows();
    file.groups = table.published.cells();
    file.singled_out = matching.singled_out;
    file.exposed = matching.exposed;
    file.fewest_matching = matching.least;
    file.fewest_overlapping = matching.fewest_overlapping;
    file.unfinished = matching.incomplete;
    file.identifiers = table.identifiers;
    if (!table.sensitive.empty()) file.value_certain = matching.value_certain;
    if (!file.identifiers.empty()) {  // everybody finds their row
      const FromTo all{file.rows, file.rows};
      file.singled_out = file.exposed = all;
      if (file.value_certain) file.value_certain = all;
    }
    survey::Sizes sizes;
    for (std::size_t cell = 0; cell < table.published.cells(); ++cell) {
      ++sizes[table.published.rows(cell)];
    }
    file.smallest = sizes.begin()->first;
    file.unique_rows = sizes.contains(1) ? sizes.at(1) : 0;
    Risks(table.published, matching, file);
    for (std::size_t s = 0; s < table.sensitive.size(); ++s) {
      file.measures.push_back(MeasuresOf(table, s));
      file.measures.back().certain = matching.certain[s];
    }
    Population(sizes, file);
    Worst(f, matching);
    report_.files.push_back(std::move(file));
  }

  static void Risks(const Published& published, const survey::Matching& matching,
                    SurveyReport::File& file) {
    double from = 0, to = 0;
    for (std::size_t cell = 0; cell < published.cells(); ++cell) {
      const survey::CellMatch& match = matching.cells[cell];
      const auto rows = static_cast<double>(published.rows(cell));
      from += rows / static_cast<double>(match.overlapping);
      to += rows / static_cast<double>(match.least.lower);
      file.highest_risk_from =
          std::max(file.highest_risk_from, 1 / static_cast<double>(match.overlapping));
    }
    file.highest_risk_to = 1 / static_cast<double>(matching.least.lower);
    file.average_risk_from = from / static_cast<double>(published.rows());
    file.average_risk_to = to / static_cast<double>(published.rows());
  }

  // Of groups of equal rows, as other tools count.
  SurveyReport::Measures MeasuresOf(const SurveyTable& table, std::size_t s) const {
    const Published& published = table.published;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    const std::size_t values = tables_.values[table.sensitive[s]]->size();
    std::vector<std::uint64_t> overall(values, 0);
    for (std::size_t cell = 0; cell < published.cells(); ++cell) {
      for (const survey::Value& value : published.values(cell, s)) {
        keys.push_back(static_cast<std::uint32_t>(cell));
        keys.push_back(value.code);
        counts.push_back(value.rows);
        overall[value.code] += value.rows;
      }
    }
    const models::k::PublishedCells cells{
        Cells(2, std::move(keys), std::move(counts)), 1,
        static_cast<std::uint32_t>(std::max<std::size_t>(values, 2))};
    const models::k::Report attacked = models::k::Attack(cells, models::k::Guarantee{}, 0);
    SurveyReport::Measures measures;
    measures.sensitive = tables_.sensitive[table.sensitive[s]];
    measures.distinct = attacked.distinct;
    measures.entropy = attacked.entropy_l;
    measures.recursive = attacked.recursive_c;
    measures.alpha = attacked.top_share;
    measures.t = attacked.distance;
    measures.beta = attacked.gain;
    for (std::size_t cell = 0; cell < published.cells(); ++cell) {
      const auto rows = static_cast<double>(published.rows(cell));
      if (published.values(cell, s).size() == 1) measures.one_value += published.rows(cell);
      for (const survey::Value& value : published.values(cell, s)) {
        const double here = static_cast<double>(value.rows) / rows;
        const double there =
            static_cast<double>(overall[value.code]) / static_cast<double>(published.rows());
        measures.delta = std::max(measures.delta, std::abs(std::log(here / there)));
      }
    }
    return measures;
  }

  void Population(const survey::Sizes& sizes, SurveyReport::File& file) const {
    if (!request_.population && !request_.fraction) return;
    const auto rows = static_cast<double>(file.rows);
    SurveyReport::Population population;
    population.size =
        request_.population ? static_cast<double>(*request_.population) : rows / *request_.fraction;
    population.size = std::max(population.size, rows);
    population.fraction = rows / population.size;
    const survey::PopulationEstimate estimate = survey::EstimatePopulation(sizes, population.size);
    population.estimator = estimate.estimator;
    population.uniques = estimate.uniques;
    population.sample_uniques = estimate.sample_uniques;
    population.journalist_highest = estimate.highest;
    population.journalist_average = estimate.average;
    file.population = population;
  }

  // Surely before possibly, few rows before many.
  void Worst(std::uint32_t f, const survey::Matching& matching) {
    const Published& published = tables_.files[f].published;
    const auto rank = [&](std::uint32_t cell) {
      const survey::CellMatch& match = matching.cells[cell];
      bool surely = match.singled_out.surely, possibly = match.singled_out.possibly;
      for (const survey::Whether& certain : match.certain) {
        surely = surely || certain.surely;
        possibly = possibly || certain.possibly;
      }
      return std::tuple(surely     ? 0
                        : possibly ? 1
                                   : 2,
                        match.singled_out.surely ? 0 : 1, match.least.lower, match.overlapping,
                        cell);
    };
    std::vector<std::uint32_t> order;
    for (std::uint32_t cell = 0; cell < published.cells(); ++cell) {
      if (std::get<0>(rank(cell)) < 2) order.push_back(cell);
    }
    const std::size_t shown = std::min(order.size(), request_.worst);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown),
                      order.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    order.resize(shown);
    for (const std::uint32_t cell : order) {
      const survey::CellMatch& match = matching.cells[cell];
      SurveyReport::Group group;
      group.file = f;
      group.cell = tables_.CellOf(f, cell);
      group.rows = published.rows(cell);
      group.matching = {match.least.lower, match.overlapping};
      group.words = GroupWords(f, cell, match, group.cell);
      report_.worst.push_back(std::move(group));
    }
  }

  std::string GroupWords(std::uint32_t f, std::uint32_t cell, const survey::CellMatch& match,
                         const binding::LabelledCell& labels) const {
    const SurveyTable& table = tables_.files[f];
    const std::uint64_t rows = table.published.rows(cell);
    std::string words = fmt::format("{} with {}: ", binding::Rows(rows), binding::Where(labels));
    if (match.overlapping == rows) {
      words += "no other row overlaps. ";
    } else if (match.least.exact()) {
      words += fmt::format("{} overlap; the fewest that match somebody are {}. ",
                           binding::Rows(match.overlapping), match.least.upper);
    } else {
      words += fmt::format("{} overlap; the fewest that match somebody are at least {}. ",
                           binding::Rows(match.overlapping), match.least.lower);
    }
    if (match.singled_out.possibly) {
      words += match.singled_out.surely ? "They are singled out."
               : match.complete         ? "With some values they are singled out."
                                        : "They may be singled out; the work was too much to tell.";
    }
    for (std::size_t s = 0; s < match.certain.size(); ++s) {
      if (!match.certain[s].possibly) continue;
      const auto value =
          (*tables_.values[table.sensitive[s]])[ValueId(table.published.values(cell, s)[0].code)];
      if (words.back() == '.') words += ' ';
      words += fmt::format(
          "{} {} = {}.",
          match.certain[s].surely ? "All that match have" : "With some values, all that match have",
          tables_.sensitive[table.sensitive[s]], value);
    }
    return words;
  }

  // --- Several files.

  Status Several() {
    // Files with the same columns.
    std::map<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>,
             std::vector<std::uint32_t>>
        alike;
    for (std::uint32_t f = 0; f < tables_.files.size(); ++f) {
      alike[{tables_.files[f].quasi, tables_.files[f].sensitive}].push_back(f);
    }
    for (const auto& [columns, files] : alike) {
      if (files.size() < 2) continue;
      PlayChanged(files);
      Assumption grew = REISSUE_TRY(PlayGrowing(tables_, files, context_, request_.worst));
      report_.assumptions.push_back(std::move(grew));
    }
    for (std::uint32_t a = 0; a < tables_.files.size(); ++a) {
      for (std::uint32_t b = 0; b < tables_.files.size(); ++b) {
        const SurveyTable &from = tables_.files[a], &to = tables_.files[b];
        if (a == b || (from.quasi == to.quasi && from.sensitive == to.sensitive)) continue;
        PlayJoined(a, b);
      }
    }
    return Ok();
  }

  // With a sensitive column of one value where there is none.
  static Published WithValue(const Published& published) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t cell = 0; cell < published.cells(); ++cell) {
      const auto key = published.key(cell);
      keys.insert(keys.end(), key.begin(), key.end());
      keys.push_back(0);
      counts.push_back(published.rows(cell));
    }
    return Published(published.columns(), 1, CollectCells(published.columns() + 1, keys, counts));
  }

  void PlayChanged(const std::vector<std::uint32_t>& files) {
    const SurveyTable& first = tables_.files[files[0]];
    const survey::Columns columns = tables_.LabelsOf(first.quasi);
    const survey::OverlapTable overlaps(columns);
    const bool sensitive = !first.sensitive.empty();
    std::vector<Published> published;
    for (const std::uint32_t f : files) {
      const Published& file = tables_.files[f].published;
      published.push_back(sensitive ? file : WithValue(file));
    }
    for (std::size_t s = 0; s < std::max<std::size_t>(first.sensitive.size(), 1); ++s) {
      const survey::Together together =
          survey::Intersect(columns, published, overlaps, s, context_.pool);
      Assumption played;
      played.kind = Assumption::Kind::kChanged;
      played.files = files;
      if (sensitive) played.sensitive = tables_.sensitive[first.sensitive[s]];
      for (std::size_t i = 0; i < files.size(); ++i) {
        const survey::FileTogether& file = together.files[i];
        Assumption::Exposed exposed;
        exposed.file = files[i];
        exposed.singled_out = file.singled_out;
        exposed.exposed = sensitive ? file.exposed : file.singled_out;
        if (sensitive) exposed.value_certain = file.certain;
        exposed.alone = file.alone;
        played.exposed.push_back(exposed);
        played.unfinished += file.incomplete;
        WorstTogether(files[i], file, sensitive, played);
      }
      report_.assumptions.push_back(std::move(played));
    }
  }

  void WorstTogether(std::uint32_t f, const survey::FileTogether& file, bool sensitive,
                     Assumption& played) const {
    for (const bool surely : {true, false}) {
      for (std::size_t cell = 0; cell < file.cells.size(); ++cell) {
        for (const survey::GroupLeft& group : file.cells[cell]) {
          const bool single = surely ? group.singled_out.surely
                                     : group.singled_out.possibly && !group.singled_out.surely;
          const bool certain =
              sensitive &&
              (surely ? group.certain.surely : group.certain.possibly && !group.certain.surely);
          if (!single && !certain) continue;
          if (played.worst.size() >= request_.worst) return;
          const SurveyTable& table = tables_.files[f];
          std::string words = fmt::format("{} of {} with {}", binding::Rows(group.rows), table.name,
                                          binding::Where(tables_.CellOf(f, cell)));
          if (sensitive) {
            const std::size_t column = Find(played.sensitive);
            words += fmt::format(" and {} = {}", played.sensitive,
                                 (*tables_.values[column])[ValueId(group.value)]);
          }
          words += surely ? ": whoever it is, " : ": with some values, ";
          words += single ? "one row is left" : "one value is left";
          played.worst.push_back(words + ".");
        }
      }
    }
  }

  std::size_t Find(const std::string& sensitive) const {
    return static_cast<std::size_t>(
        std::find(tables_.sensitive.begin(), tables_.sensitive.end(), sensitive) -
        tables_.sensitive.begin());
  }

  void PlayJoined(std::uint32_t a, std::uint32_t b) {
    const SurveyTable &from = tables_.files[a], &to = tables_.files[b];
    Assumption played;
    played.kind = Assumption::Kind::kJoined;
    played.files = {a, b};
    std::vector<std::size_t> common, in_from, in_to;
    for (std::size_t i = 0; i < from.quasi.size(); ++i) {
      const auto at = std::find(to.quasi.begin(), to.quasi.end(), from.quasi[i]);
      if (at == to.quasi.end()) continue;
      common.push_back(from.quasi[i]);
      in_from.push_back(i);
      in_to.push_back(static_cast<std::size_t>(at - to.quasi.begin()));
      played.common.push_back(tables_.quasi[from.quasi[i]]);
    }
    if (common.empty()) {
      if (a > b) return;
      played.verdict = Assumption::Verdict::kLeftOut;
      played.why = "no column that readers may know is in both";
      report_.assumptions.push_back(std::move(played));
      return;
    }
    const survey::Columns columns = tables_.LabelsOf(common);
    const survey::OverlapTable overlaps(columns);
    const Published left = from.published.Project(in_from), right = to.published.Project(in_to);
    const survey::Linked linked = survey::Link(columns, left, right, overlaps, context_.pool);
    if (linked.matched == 0) {
      played.verdict = Assumption::Verdict::kContradicted;
      played.why = fmt::format("no row of {} matches any of {}", from.name, to.name);
    } else {
      Assumption::Exposed exposed;
      exposed.file = a;
      exposed.singled_out = linked.one_row;
      exposed.exposed = linked.one_row;
      // Columns that the first file does not tell itself.
      for (std::size_t s = 0; s < to.sensitive.size(); ++s) {
        if (std::find(from.sensitive.begin(), from.sensitive.end(), to.sensitive[s]) !=
            from.sensitive.end())
          continue;
        const FromTo& certain = linked.certain[s];
        if (!exposed.value_certain || certain.lower > exposed.value_certain->lower ||
            certain.upper > exposed.value_certain->upper) {
          exposed.value_certain = certain;
          played.sensitive = tables_.sensitive[to.sensitive[s]];
        }
      }
      if (exposed.value_certain) {
        exposed.exposed.lower = std::max(exposed.exposed.lower, exposed.value_certain->lower);
        exposed.exposed.upper =
            std::min(from.published.rows(), exposed.exposed.upper + exposed.value_certain->upper);
      }
      exposed.alone = from.published.rows() - linked.matched;
      played.exposed.push_back(exposed);
      played.unfinished = linked.incomplete;
    }
    report_.assumptions.push_back(std::move(played));
  }

  const SurveyRequest& request_;
  SurveyTables tables_;
  binding::Context& context_;
  SurveyReport report_;
};

}  // namespace

Result<SurveyReport> Survey(const SurveyRequest& request, binding::Context& context) {
  SurveyTables tables = REISSUE_TRY(LoadSurvey(request, context));
  return Surveyor(request, std::move(tables), context).Run();
}

}  // namespace reissue::engine
