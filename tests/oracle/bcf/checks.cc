#include "checks.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace oracle::bcf {
namespace {

using Place = std::pair<std::size_t, Quasi>;  // release from 0, cell

std::vector<Place> PlacesOf(const Target& target) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < target.cells.size(); ++i) {
    places.emplace_back(target.birth - 1 + i, target.cells[i]);
  }
  return places;
}

// Whether every cell of a target has rows of the value.
bool CanHave(const Series& series, const Target& target, const std::string& value) {
  const auto places = PlacesOf(target);
  return std::all_of(places.begin(), places.end(), [&](const Place& place) {
    return GroupSize(series[place.first], place.second, value) > 0;
  });
}

Target ToOracle(const Question& question, const model::Series& series,
                const model::Target& target) {
  Target back = {target.birth + 1, {}};
  for (std::size_t i = 0; i < target.cells.size(); ++i) {
    back.cells.push_back(
        question.translator.LabelsOf(series.release(target.birth + i), target.cells[i]));
  }
  return back;
}

}  // namespace

std::vector<Target> KindsOf(const Series& series, const std::vector<Target>& targets,
                            const std::string& value) {
  std::vector<Target> kinds;
  for (const Target& target : targets) {
    if (CanHave(series, target, value)) kinds.push_back(target);
  }
  return kinds;
}

std::string ComplaintAboutWitness(const Question& question, const model::Series& series,
                                  const std::vector<Target>& kinds, const model::Target& asked,
                                  const std::string& value, long number,
                                  const model::World& world) {
  std::map<Place, long> people;
  long reached = 0;
  for (const model::Share& share : world) {
    const Target kind = ToOracle(question, series, share.target);
    if (share.people == 0) return "a witness with a share of nobody";
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
      return "a witness with a person that cannot be";
    }
    for (const Place& place : PlacesOf(kind)) people[place] += static_cast<long>(share.people);
    if (share.target == asked) reached += static_cast<long>(share.people);
  }
  if (reached != number) return "a witness that does not reach the number";
  for (const auto& [place, there] : people) {
    if (GroupSize(question.series[place.first], place.second, value) != there) {
      return "a witness that explains a group wrongly";
    }
  }
  for (const Place& place : PlacesOf(ToOracle(question, series, asked))) {
    if (!people.contains(place)) return "a witness without the groups of the target";
  }
  for (const Target& target : kinds) {
    const auto places = PlacesOf(target);
    const auto touched = std::count_if(places.begin(), places.end(),
                                       [&](const Place& place) { return people.contains(place); });
    if (touched != 0 && touched != static_cast<long>(places.size())) {
      return "a witness of a part of its component";
    }
  }
  return "";
}

std::string ComplaintAboutProof(const Question& question, const model::Series& series,
                                const std::vector<Target>& kinds,
                                const model::Impossible& impossible) {
  const std::string value = ValueOf(impossible.value);
  std::map<Place, long> times;
  long sum = 0;
  for (const model::Impossible::Term& term : impossible.terms) {
    const Place place = {term.release,
                         question.translator.LabelsOf(series.release(term.release), term.cell)};
    const long rows = GroupSize(question.series[term.release], place.second, value);
    if (rows != static_cast<long>(term.rows)) return "a proof that counts other rows";
    times[place] += term.times;
    sum += term.times * rows;
  }
  if (sum >= 0) return "a proof whose sum is not negative";
  for (const Target& target : kinds) {
    long counts = 0;
    for (const Place& place : PlacesOf(target)) {
      const auto found = times.find(place);
      if (found != times.end()) counts += found->second;
    }
    if (counts < 0) return "a proof in which a possible person counts less than 0";
  }
  return "";
}

std::string ComplaintAboutReport(const model::SeriesAttackReport& report) {
  if (report.undecided != 0 || report.verdict == model::Verdict::kUnknown) return "not decided";
  if ((report.verdict == model::Verdict::kBroken) != !report.broken.empty()) {
    return "a verdict that does not fit the broken promises";
  }
  if (report.worst.empty() != report.broken.empty()) return "findings do not fit the verdict";
  for (std::size_t i = 0; i < report.worst.size(); ++i) {
    if (report.worst[i].broken.empty()) return "a finding that breaks nothing";
    if (i > 0 && report.worst[i].left.upper < report.worst[i - 1].left.upper) {
      return "findings are not in order";
    }
  }
  return "";
}

}  // namespace oracle::bcf
