// What whoever has the files measures: of one release, of a series, of groups.

#include <algorithm>
#include <cmath>

#include "maker.h"

namespace certificates {

Json Maker::Number(const std::string& promise, double asked, double measured, bool kept) {
  return {{"promise", promise}, {"asked", asked}, {"measured", measured}, {"kept", kept}};
}

Json Maker::Proof(const std::string& promise, double asked, const std::string& proof) {
  return {{"promise", promise},
          {"asked", asked},
          {"measured", nullptr},
          {"kept", true},
          {"proof", proof}};
}

Json Maker::AtLeast(const std::string& promise, double asked, double measured) {
  return Number(promise, asked, measured, measured >= asked - kSlack);
}

Json Maker::AtMost(const std::string& promise, double asked, double measured) {
  return Number(promise, asked, measured, measured <= asked + kSlack);
}

Json Maker::Measured() const {
  if (about_.model == "xy") return OfJoin();
  if (about_.model == "m-invariance") return OfValues();
  if (about_.model == "j-similarity") return OfGroups();
  if (about_.model == "k" || First()) return OfOneRelease();
  return OfSeries();
}

one::Rows Maker::RowsOf(const File& file) const {
  one::Rows rows;
  for (const auto& row : file.rows) rows.push_back({LabelsAt(file, row), ValueAt(file, row), ""});
  return rows;
}

std::vector<std::string> Maker::Order(const one::Rows& rows) const {
  const Column& column = about_.Find(about_.Named("sensitive")[0]);
  std::set<std::string> occur;
  for (const one::Row& row : rows) occur.insert(row.sensitive);
  std::vector<std::string> order(occur.begin(), occur.end());
  std::sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    if (column.order.empty()) return std::stod(a) < std::stod(b);
    return std::ranges::find(column.order, a) < std::ranges::find(column.order, b);
  });
  return order;
}

double Maker::Most(const std::vector<one::Rows>& classes, const Measure& measure) {
  double most = measure(classes[0]);
  for (const one::Rows& each : classes) most = std::max(most, measure(each));
  return most;
}

double Maker::Least(const std::vector<one::Rows>& classes, const Measure& measure) {
  return -Most(classes, [&](const one::Rows& rows) { return -measure(rows); });
}

double Maker::Distance(const one::Rows& rows, const one::Rows& all) const {
  return guarantee_.value("distance", "equal") == "ordered"
             ? one::OrderedDistance(rows, all, Order(all))
             : one::EqualDistance(rows, all);
}

Json Maker::OfOneRelease() const {
  const one::Rows all = RowsOf(release_);
  const auto classes = one::EquivalenceClasses(all);
  Json list = {AtLeast("k", guarantee_.at("k"), static_cast<double>(Smallest()))};
  if (Asks("distinct")) {
    list.push_back(
        AtLeast("distinct", guarantee_.at("distinct"), Least(classes, [](const one::Rows& rows) {
                  return static_cast<double>(one::DistinctValues(rows));
                })));
  }
  if (Asks("entropy")) {
    list.push_back(
        AtLeast("entropy", guarantee_.at("entropy"), std::exp(Least(classes, one::Entropy))));
  }
  if (Asks("recursive")) {
    const double c = guarantee_.at("recursive").at("c");
    const double bound = Most(classes, [&](const one::Rows& rows) {
      return one::RecursiveBound(rows, guarantee_.at("recursive").at("l"));
    });
    list.push_back(Number("recursive", c, bound, bound < c));
  }
  if (Asks("alpha")) {
    list.push_back(AtMost("alpha", guarantee_.at("alpha"), Most(classes, one::LargestShare)));
  }
  if (Asks("t")) {
    list.push_back(AtMost("t", guarantee_.at("t"), Most(classes, [&](const one::Rows& rows) {
                            return Distance(rows, all);
                          })));
  }
  if (Asks("beta")) {
    list.push_back(AtMost("beta", guarantee_.at("beta"), Most(classes, [&](const one::Rows& rows) {
                            return one::Gain(rows, all);
                          })));
  }
  if (Asks("confidence")) AddConfidence(classes, list);
  return list;
}

void Maker::AddConfidence(const std::vector<one::Rows>& classes, Json& list) const {
  std::set<std::string> named;
  Json bounds = guarantee_.at("confidence");
  if (bounds.is_number()) bounds = {{"*", guarantee_.at("confidence")}};
  for (const auto& [value, bound] : bounds.items()) {
    if (value == "*") continue;
    named.insert(value);
    list.push_back(AtMost("confidence in " + value, bound, Most(classes, [&](const auto& rows) {
                            const auto shares = one::Shares(rows);
                            const auto at = shares.find(value);
                            return at == shares.end() ? 0 : at->second;
                          })));
  }
  if (!bounds.contains("*")) return;
  list.push_back(AtMost("confidence", bounds.at("*"), Most(classes, [&](const one::Rows& rows) {
                          double most = 0;
                          for (const auto& [value, share] : one::Shares(rows)) {
                            if (!named.contains(value)) most = std::max(most, share);
                          }
                          return most;
                        })));
}

void Maker::AddStars(std::vector<growing::Taxonomy>& taxonomies, growing::Series& series) {
  taxonomies.push_back({{"told", "*"}, {"starred", "*"}});
  const auto starred = [](const growing::Row& row) {
    return std::ranges::all_of(row.quasi, [](const std::string& label) { return label == "*"; });
  };
  for (growing::Release& release : series) {
    const bool all = std::ranges::all_of(release, starred);
    for (growing::Row& row : release) {
      row.quasi.push_back(all ? "*" : starred(row) ? "starred" : "told");
    }
  }
}

Json Maker::OfSeries() const {
  if (guarantee_.value("targets", "any") == "real") {
    Json list = {Proof("k", guarantee_.at("k"), "audited")};
    for (const char* name : {"distinct", "confidence"}) {
      if (Asks(name)) list.push_back(Proof(name, guarantee_.at(name), "audited"));
    }
    return list;
  }
  std::vector<growing::Taxonomy> taxonomies;
  for (const std::string& name : about_.Named("quasi")) {
    growing::Taxonomy taxonomy = TreeOf(name, Series()).above;
    std::erase_if(taxonomy, [](const auto& node) { return node.second.empty(); });
    taxonomies.push_back(std::move(taxonomy));
  }
  growing::Series series;
  std::size_t distinct = release_.rows.size();
  for (const File* file : Series()) {
    growing::Release& rows = series.emplace_back();
    for (const one::Row& row : RowsOf(*file)) rows.push_back({row.quasi, row.sensitive});
    for (const one::Rows& cell : one::EquivalenceClasses(RowsOf(*file))) {
      distinct = std::min(distinct, one::DistinctValues(cell));
    }
  }
  if (Asks("suppression")) AddStars(taxonomies, series);
  const growing::Domain domain(taxonomies);
  const growing::Worlds worlds = growing::EnumerateWorlds(domain, series);
  for (const auto& [target, left] : worlds.left) {
    const auto values = std::ranges::count_if(left, [](const auto& of) { return of.second > 0; });
    if (values > 0) distinct = std::min(distinct, static_cast<std::size_t>(values));
  }
  Json list = {AtLeast("k", guarantee_.at("k"),
                       static_cast<double>(growing::ExactAnonymity(worlds).value()))};
  if (Asks("distinct")) {
    list.push_back(AtLeast("distinct", guarantee_.at("distinct"), static_cast<double>(distinct)));
  }
  return list;
}

std::map<std::string, std::map<std::string, std::size_t>> Maker::Values() const {
  std::map<std::string, std::map<std::string, std::size_t>> values;
  const auto apart = beside_.find(".sensitive.csv");
  const File& file = apart == beside_.end() ? release_ : apart->second;
  for (const auto& row : file.rows) {
    values[row[file.At("group")]][ValueAt(file, row)] +=
        apart == beside_.end() ? 1 : std::stoul(row[file.At("count")]);
  }
  return values;
}

Json Maker::OfValues() const {
  std::size_t least = release_.rows.size();
  for (const auto& [group, values] : Values()) least = std::min(least, values.size());
  Json list = {AtLeast("m", guarantee_.at("m"), static_cast<double>(least))};
  if (E() > 1) list.push_back(Proof("e", E(), "by rule"));
  return list;
}

double Maker::E() const {
  const bool partitions = guarantee_.value("form", "anatomy") == "partitions";
  return guarantee_.value("e", partitions ? 1.0 : guarantee_.at("m").get<double>());
}

Json Maker::OfGroups() const {
  one::Rows all;
  for (const auto& row : release_.rows) all.push_back({CellAt(row), ValueAt(release_, row), ""});
  const auto classes = one::EquivalenceClasses(all);
  Json list = {AtLeast("k", guarantee_.at("k"), static_cast<double>(Smallest()))};
  if (guarantee_.value("leftover", "suppress") == "relax") {
    list.push_back({{"promise", "j"},
                    {"asked", guarantee_.at("j").get<double>()},
                    {"measured", nullptr},
                    {"kept", nullptr}});
  } else {
    list.push_back(Proof("j", guarantee_.at("j"), "audited"));
  }
  if (Asks("beta")) {
    list.push_back(AtMost("beta", guarantee_.at("beta"), Most(classes, [&](const one::Rows& rows) {
                            return one::Gain(rows, all);
                          })));
  }
  if (Asks("t")) {
    list.push_back(AtMost("t", guarantee_.at("t"), Most(classes, [&](const one::Rows& rows) {
                            return Distance(rows, all);
                          })));
  }
  for (const char* name : {"max_belief", "max_gain"}) {
    if (Asks(name)) list.push_back(Proof(name, guarantee_.at(name), "audited"));
  }
  return list;
}

}  // namespace certificates
