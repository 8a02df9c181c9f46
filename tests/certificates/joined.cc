// Files that are joined on what they have in common (model xy).

#include <algorithm>

#include "maker.h"
#include "reissue/io/csv.h"

namespace certificates {

const File& Maker::TableAt(std::size_t table) const {
  return table == 0 ? release_ : priors_[table - 1];
}

std::string Maker::PriorName(std::size_t prior) const {
  if (!about_.priors[prior].first.empty()) return about_.priors[prior].first;
  return prior == 0 ? "prior" : "prior" + std::to_string(prior + 1);
}

linked::Place Maker::PlaceOf(const std::string& name) const {
  if (release_.Has(name)) return {0, release_.At(name)};
  const std::size_t dot = name.find('.');
  for (std::size_t p = 0; p < priors_.size(); ++p) {
    if (PriorName(p) == name.substr(0, dot)) return {p + 1, priors_[p].At(name.substr(dot + 1))};
  }
  throw std::logic_error("no column " + name);
}

const std::string& Maker::NameAt(const linked::Place& place) const {
  return TableAt(place.table).header[place.column];
}

Maker::Joined Maker::Join() const {
  Joined joined;
  std::map<std::string, std::size_t> trees;
  std::map<std::string, std::vector<linked::Place>> places;
  std::vector<std::string> names;
  for (std::size_t t = 0; t < Tables(); ++t) {
    for (std::size_t c = 0; c < TableAt(t).header.size(); ++c) {
      const std::string& name = TableAt(t).header[c];
      if (!places.contains(name)) names.push_back(name);
      places[name].push_back({t, c});
    }
  }
  for (const std::string& name : names) {
    const std::string& taxonomy = about_.Find(name).taxonomy;
    const Tree tree = taxonomy.empty() ? Tree() : ReadTaxonomy(about_.files.at(taxonomy));
    Numbers& numbers = joined.labels.emplace(name, Numbers(tree.labels)).first->second;
    if (places[name].size() > 1) joined.world.joins.push_back(places[name]);
    if (taxonomy.empty()) continue;
    trees[name] = joined.world.trees.size();
    linked::Tree& of = joined.world.trees.emplace_back();
    for (const std::string& label : tree.labels) {
      const std::string& above = tree.above.at(label);
      of.parents.push_back(above.empty() ? -1 : numbers.Of(above));
    }
  }
  for (std::size_t t = 0; t < Tables(); ++t) {
    linked::Table& table = joined.world.tables.emplace_back();
    for (const std::string& name : TableAt(t).header) {
      const auto tree = trees.find(name);
      table.trees.push_back(tree == trees.end() ? std::nullopt : std::optional(tree->second));
    }
    for (const auto& row : TableAt(t).rows) {
      linked::Labels& labels = table.rows.emplace_back();
      for (std::size_t c = 0; c < row.size(); ++c) {
        labels.push_back(joined.labels.at(TableAt(t).header[c]).Of(row[c]));
      }
    }
  }
  if (!Asks("inconsistent")) return joined;
  for (const Json& pair : guarantee_.at("inconsistent")) {
    const auto at = [&](std::size_t i) {
      const auto entry = std::next(pair.items().begin(), static_cast<std::ptrdiff_t>(i));
      const linked::Place place = PlaceOf(entry.key());
      return std::pair(place, joined.labels.at(NameAt(place)).Of(entry.value()));
    };
    const auto [a, a_label] = at(0);
    const auto [b, b_label] = at(1);
    joined.world.forbidden.push_back({a, a_label, b, b_label});
  }
  return joined;
}

std::vector<linked::Promise> Maker::Promises(Joined& joined) const {
  std::vector<linked::Promise> promises;
  for (const char* kind : {"anonymity", "linkability"}) {
    if (!Asks(kind)) continue;
    for (const Json& asked : guarantee_.at(kind)) {
      linked::Promise& promise = promises.emplace_back();
      promise.anonymity = kind == std::string("anonymity");
      promise.k = asked.value("k", 1);
      promise.confidence = asked.value("confidence", 1.0);
      for (const std::string name : asked.at("x")) promise.x.push_back(PlaceOf(name));
      if (asked.at("y").is_array()) {
        for (const std::string name : asked.at("y")) {
          if (name == "key") {
            promise.y_keys.push_back(0);
          } else {
            promise.y.push_back(PlaceOf(name));
          }
        }
        continue;
      }
      for (const auto& [column, values] : asked.at("y").items()) {
        const linked::Place place = PlaceOf(column);
        Numbers& numbers = joined.labels.at(NameAt(place));
        for (const auto& [key, value] : values.items()) {
          const bool plain = values.is_array();
          promise.named.push_back({place, numbers.Of(plain ? value.get<std::string>() : key),
                                   plain ? promise.confidence : value.get<double>()});
        }
      }
    }
  }
  return promises;
}

Json Maker::OfJoin() const {
  Joined joined = Join();
  const std::vector<linked::Promise> promises = Promises(joined);
  const linked::Answers answers = linked::AnswersOf(joined.world, promises);
  Json list = Json::array();
  for (std::size_t p = 0; p < promises.size(); ++p) {
    const linked::Answer& answer = answers.promises[p];
    const std::string number = " " + std::to_string(p + 1);
    if (promises[p].anonymity) {
      list.push_back(Number("anonymity" + number, static_cast<double>(promises[p].k),
                            static_cast<double>(answer.anonymity.value()), answer.satisfied));
    } else {
      list.push_back(Number("linkability" + number, promises[p].confidence,
                            answer.linkability.value_or(0), answer.satisfied));
    }
  }
  return list;
}

std::vector<linked::Place> Maker::Met() const {
  std::vector<linked::Place> met;
  Joined joined = Join();
  const auto meet = [&](const linked::Place& place) {
    if (std::ranges::find(met, place) == met.end()) met.push_back(place);
  };
  for (const auto& join : joined.world.joins) std::ranges::for_each(join, meet);
  for (const linked::Promise& promise : Promises(joined)) {
    std::ranges::for_each(promise.x, meet);
    std::ranges::for_each(promise.y, meet);
    for (const auto& named : promise.named) meet(named.place);
  }
  for (const auto& pair : joined.world.forbidden) {
    meet(pair.a);
    meet(pair.b);
  }
  return met;
}

Json Maker::HierarchyOfJoin() const {
  std::map<std::string, std::set<std::string>> occur;  // of columns with a taxonomy
  const auto see = [&](const std::string& column, const std::vector<std::string>& labels) {
    if (!about_.Find(column).taxonomy.empty()) Insert(labels, occur[column]);
  };
  for (const linked::Place& place : Met()) {
    see(NameAt(place), TableAt(place.table).Column(NameAt(place)));
  }
  if (Asks("inconsistent")) {
    for (const Json& pair : guarantee_.at("inconsistent")) {
      for (const auto& [column, label] : pair.items()) see(NameAt(PlaceOf(column)), {label});
    }
  }
  Json hierarchy = Json::object();
  for (auto& [column, labels] : occur) {
    hierarchy[column] = Hierarchy(TreeOf(column, {}), std::move(labels));
  }
  return hierarchy;
}

Json Maker::Linked() const {
  Joined joined = Join();
  const std::vector<long> dangling = linked::AnswersOf(joined.world, Promises(joined)).dangling;
  std::set<std::string> numeric;
  for (const Column& column : about_.columns) {
    if (column.numeric) numeric.insert(column.name);
  }
  Json priors = Json::array();
  for (std::size_t p = 0; p < priors_.size(); ++p) {
    priors.push_back({{"name", PriorName(p)},
                      {"digest", reissue::io::Digest(about_.priors[p].second)},
                      {"rows", priors_[p].rows.size()},
                      {"dangling", dangling[p + 1]},
                      {"columns", priors_[p].header}});
  }
  return {{"columns", release_.header},
          {"numeric", numeric},
          {"dangling", dangling[0]},
          {"priors", priors}};
}

}  // namespace certificates
