// Lists of the worst, and explanations.

#include <algorithm>
#include <cmath>
#include <set>

#include "product.h"

namespace oracle::xy {
namespace {

constexpr double kNear = 1e-12;

double Badness(const Promise& promise, const Worst& worst) {
  if (promise.anonymity) return -static_cast<double>(worst.distinct);
  return worst.share - worst.threshold;
}

// One entry of a list against what the oracle knows of its x.
std::string WrongEntry(const World& world, const Translator& translator, const Promise& promise,
                       const Facts& facts, const model::Finding& found) {
  if (static_cast<long>(found.records) != facts.records) return "a(x)";
  if (promise.anonymity) {
    return found.distinct == facts.with_y.size() ? "" : "distinct y";
  }
  Labels y;
  if (promise.named.empty()) {
    if (found.y.size() != promise.y.size()) return "width of y";
    y = translator.ToLabels(world, promise.y, found.y);
  } else {
    if (!found.value || *found.value >= promise.named.size()) return "named value";
    const Promise::Named& named = promise.named[*found.value];
    if (found.y.size() != 1 || translator.LabelOf(world, named.place, found.y[0]) != named.label) {
      return "code of the named value";
    }
    if (found.threshold != named.threshold) return "threshold";
    y = {static_cast<Label>(*found.value)};
  }
  if (promise.named.empty() && found.threshold != promise.confidence) return "threshold";
  const auto with_y = facts.with_y.find(y);
  if (with_y == facts.with_y.end()) return "a y that does not occur";
  if (static_cast<long>(found.records_with_y) != with_y->second) return "a(x, y)";
  const double share = static_cast<double>(with_y->second) / static_cast<double>(facts.records);
  return std::abs(found.share - share) < kNear ? "" : "share";
}

std::string WrongList(const World& world, const Translator& translator, const Promise& promise,
                      const std::map<Labels, Facts>& groups, const Answer& expected,
                      const model::RequirementReport& report, std::size_t limit) {
  struct Ranked {
    double badness;
    std::vector<std::uint32_t> x;
  };
  std::vector<Ranked> ranked;
  for (const Worst& worst : expected.worst) {
    ranked.push_back({Badness(promise, worst), translator.ToCodes(world, promise.x, worst.x)});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.badness != b.badness ? a.badness > b.badness : a.x < b.x;
  });
  const std::size_t all = std::min(limit, ranked.size());
  if (report.worst.size() != all) {
    return "length " + std::to_string(report.worst.size()) + " of the list, not " +
           std::to_string(all);
  }
  std::set<std::vector<std::uint32_t>> seen;
  for (std::size_t i = 0; i < report.worst.size(); ++i) {
    const model::Finding& found = report.worst[i];
    const std::string where = " in entry " + std::to_string(i);
    if (found.x.size() != promise.x.size()) return "width of x" + where;
    if (!seen.insert(found.x).second) return "an x again" + where;
    const auto group = groups.find(translator.ToLabels(world, promise.x, found.x));
    if (group == groups.end()) return "an x that does not occur" + where;
    const std::string wrong = WrongEntry(world, translator, promise, group->second, found);
    if (!wrong.empty()) return wrong + where;
    const double badness =
        promise.anonymity ? -static_cast<double>(found.distinct) : found.share - found.threshold;
    if (std::abs(badness - ranked[i].badness) > kNear) return "rank" + where;
    // Equal numbers may come out a rounding apart, and then in another order.
    const bool tied_by_rounding =
        (i > 0 && std::abs(ranked[i - 1].badness - badness) < kNear &&
         ranked[i - 1].badness != ranked[i].badness) ||
        (i + 1 < ranked.size() && std::abs(ranked[i + 1].badness - badness) < kNear &&
         ranked[i + 1].badness != ranked[i].badness);
    if (found.x != ranked[i].x && !tied_by_rounding) return "order of equals" + where;
  }
  return "";
}

// The listed matches, against the rows of the tables.
std::string WrongMatches(const World& world, const Translator& translator, const Promise& promise,
                         const Labels& x, const model::Explanation& found) {
  if (found.columns.size() != world.tables.size()) return "number of tables";
  model::Wide before = 0;
  std::set<std::vector<std::vector<std::uint32_t>>> seen;
  for (std::size_t m = 0; m < found.matches.size(); ++m) {
    const auto& match = found.matches[m];
    if (m > 0 && match.records > before) return "order of matches";
    before = match.records;
    if (!seen.insert(match.partitions).second) return "a match again";
    if (match.partitions.size() != world.tables.size()) return "partitions of a match";
    model::Wide product = 1;
    for (std::size_t i = 0; i < world.tables.size(); ++i) {
      std::vector<Place> places;
      for (const std::size_t column : found.columns[i]) places.push_back({i, column});
      const Labels labels = translator.ToLabels(world, places, match.partitions[i]);
      std::uint64_t rows = 0;
      for (const Labels& row : world.tables[i].rows) {
        bool same = true;
        for (std::size_t c = 0; c < places.size(); ++c) {
          same = same && row[places[c].column] == labels[c];
        }
        rows += same ? 1 : 0;
      }
      if (rows != match.rows.at(i)) return "rows of a partition";
      product *= rows;
      for (std::size_t c = 0; c < promise.x.size(); ++c) {
        const auto at = std::find(places.begin(), places.end(), promise.x[c]);
        if (promise.x[c].table != i) continue;
        if (at == places.end()) return "a column of X that is missing";
        if (labels[static_cast<std::size_t>(at - places.begin())] != x[c]) return "x of a match";
      }
    }
    if (product != match.records) return "records of a match";
  }
  return "";
}

// All named values are listed, also those that do not occur with x.
std::string WrongNamed(const World& world, const Translator& translator, const Promise& promise,
                       const Facts& facts, const model::Explanation& found) {
  std::vector<std::pair<long, std::uint32_t>> expected, listed;
  for (const auto& [y, records] : facts.with_y) {
    const Promise::Named& named = promise.named[static_cast<std::size_t>(y[0])];
    expected.emplace_back(records, translator.CodeOf(world, named.place, named.label));
  }
  for (const auto& value : found.values) {
    if (value.codes.size() != 1) return "width of a named value";
    listed.emplace_back(static_cast<long>(value.records), value.codes[0]);
  }
  std::sort(expected.begin(), expected.end());
  std::sort(listed.begin(), listed.end());
  return listed == expected ? "" : "named values";
}

std::string WrongValues(const World& world, const Translator& translator, const Promise& promise,
                        const Facts& facts, const model::Explanation& found, std::size_t limit) {
  if (!promise.y_keys.empty()) return "";  // rows have no codes to compare
  if (!promise.named.empty()) {
    if (limit < promise.named.size()) return "";
    return WrongNamed(world, translator, promise, facts, found);
  }
  if (found.values.size() != std::min(limit, facts.with_y.size())) return "number of values";
  std::set<Labels> seen;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const auto& value = found.values[i];
    if (i > 0 && value.records > found.values[i - 1].records) return "order of values";
    const Labels y = translator.ToLabels(world, promise.y, value.codes);
    const auto at = facts.with_y.find(y);
    if (at == facts.with_y.end() || !seen.insert(y).second) return "a value";
    if (static_cast<long>(value.records) != at->second) return "records of a value";
    const double share = static_cast<double>(at->second) / static_cast<double>(facts.records);
    if (std::abs(value.share - share) > kNear) return "share of a value";
  }
  std::vector<long> records;
  for (const auto& [y, number] : facts.with_y) records.push_back(number);
  std::sort(records.rbegin(), records.rend());
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    if (static_cast<long>(found.values[i].records) != records[i]) return "most frequent values";
  }
  return "";
}

}  // namespace

std::string WrongInWorst(const World& world, const Translator& translator,
                         const std::vector<Promise>& promises, const Answers& expected,
                         const model::Report& report, std::size_t limit) {
  const std::vector<Tuple> join = Join(world);
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const std::string wrong =
        WrongList(world, translator, promises[i], GroupByX(world, join, promises[i]),
                  expected.promises[i], report.requirements[i], limit);
    if (!wrong.empty()) return wrong + " of promise " + std::to_string(i);
  }
  return "";
}

std::string WrongInExplanation(const World& world, const Translator& translator,
                               const std::vector<Tuple>& join, const Promise& promise,
                               const Labels& x, std::size_t limit) {
  const model::Explanation found =
      model::Explain(translator.ToLinked(world), translator.ToRequirement(world, promise),
                     translator.ToCodes(world, promise.x, x), limit);
  const std::map<Labels, Facts> groups = GroupByX(world, join, promise);
  const auto group = groups.find(x);
  const Facts facts = group == groups.end() ? Facts() : group->second;
  if (static_cast<long>(found.records) != facts.records) return "a(x)";
  if (promise.anonymity && found.distinct != facts.with_y.size()) return "distinct y";
  if (found.matches.size() > limit) return "number of matches";
  if (found.more > 0 && found.matches.size() < limit) return "matches left out";
  model::Wide sum = 0;
  for (const auto& match : found.matches) sum += match.records;
  if (found.more == 0 ? sum != found.records : sum >= found.records) return "sum of matches";
  if (facts.records == 0) return found.matches.empty() ? "" : "a match where there is none";
  const std::string wrong = WrongMatches(world, translator, promise, x, found);
  if (!wrong.empty()) return wrong;
  return WrongValues(world, translator, promise, facts, found, limit);
}

}  // namespace oracle::xy
