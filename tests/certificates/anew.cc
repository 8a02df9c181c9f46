#include "anew.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "bcf/worlds.h"
#include "k/oracle.h"
#include "published.h"
#include "reissue/io/csv.h"
#include "xy/join.h"

namespace certificates {
namespace {

namespace growing = oracle::bcf;
namespace linked = oracle::xy;
namespace one = oracle::k;

constexpr double kSlack = 1e-9;

class Maker {
 public:
  Maker(const Case& about, const Out& out) : about_(about), release_(ReadCsv(out.release)) {
    for (const std::string& text : out.earlier) earlier_.push_back(ReadCsv(text));
    for (const auto& [suffix, text] : out.beside) beside_[suffix] = ReadCsv(text);
    for (const auto& [name, text] : about.priors) priors_.push_back(ReadCsv(text));
    guarantee_ = Json::parse(about.said);
  }

  Json Make(const Out& out, const std::string& program, const std::string& created) const {
    Json json;
    json["reissue_certificate"] = 3;
    json["program"] = program;
    json["series"] = {{"title", about_.Title()},
                      {"model", about_.model},
                      {"release", out.earlier.size() + 1},
                      {"created", created},
                      {"key", kSealed}};
    if (about_.model != "k" && about_.model != "xy") {
      json["series"]["previous"] =
          out.previous.empty() ? Json(nullptr) : Json(reissue::io::Digest(out.previous));
      json["series"]["earlier"] = Json::array();
      for (const std::string& text : out.earlier) {
        json["series"]["earlier"].push_back(reissue::io::Digest(text));
      }
      if (about_.since > 1) json["series"]["policy_since"] = about_.since;
    }
    json["release"] = {{"digest", reissue::io::Digest(out.release)},
                       {"rows", release_.rows.size()},
                       {"cells", CellSizes().size()},
                       {"smallest_cell", Smallest()}};
    json["columns"] = Columns();
    json["guarantee"] = guarantee_;
    json["measured"] = Measured();
    AddOwn(out, json);
    json["inputs"] = {{"policy_keyed_digest", kKeyed}, {"table_keyed_digest", kKeyed}};
    json["chance"] = {{"row_order", about_.seeded ? "from a seed: predictable, for tests only"
                                                  : "from the operating system"}};
    json["limits"] = "What this promise does not cover: docs/limits.md of reissue";
    json["signature"] = kSealed;
    return json;
  }

 private:
  bool Asks(const std::string& key) const { return guarantee_.contains(key); }
  bool Grouped() const { return about_.model == "m-invariance" || about_.model == "j-similarity"; }
  bool First() const { return earlier_.empty(); }

  // ---- rows and groups

  std::string ValueAt(const File& file, const std::vector<std::string>& row) const {
    std::string value;
    for (const std::string& name : about_.Named("sensitive")) {
      const std::string& part = row[file.At(name)];
      value += (value.empty() ? "" : " / ") + (about_.Find(name).numeric ? Canonical(part) : part);
    }
    return value;
  }
  std::vector<std::string> LabelsAt(const File& file, const std::vector<std::string>& row) const {
    std::vector<std::string> labels;
    for (const std::string& name : about_.Named("quasi")) labels.push_back(row[file.At(name)]);
    return labels;
  }
  std::vector<std::string> CellAt(const std::vector<std::string>& row) const {
    return Grouped() ? std::vector<std::string>{row[release_.At("group")]}
                     : LabelsAt(release_, row);
  }
  std::map<std::vector<std::string>, std::size_t> CellSizes() const {
    std::map<std::vector<std::string>, std::size_t> sizes;
    if (about_.model == "xy") return sizes;
    for (const auto& row : release_.rows) ++sizes[CellAt(row)];
    return sizes;
  }
  std::size_t Smallest() const {
    std::size_t least = about_.model == "xy" ? 0 : release_.rows.size();
    for (const auto& [cell, rows] : CellSizes()) least = std::min(least, rows);
    return least;
  }

  // ---- what the policy says

  Json Columns() const {
    const auto there = [&](const std::string& role) {
      Json names = Json::array();
      for (const std::string& name : about_.Named(role)) {
        if (about_.model != "xy" || release_.Has(name)) names.push_back(name);
      }
      return names;
    };
    const std::vector<std::string> sensitive = about_.Named("sensitive");
    Json numeric = Json::array(), order = Json::array();
    for (const std::string& name : sensitive) {
      if (about_.Find(name).numeric && release_.Has(name)) numeric.push_back(name);
      if (about_.Find(name).numeric && beside_.contains(".sensitive.csv")) numeric.push_back(name);
    }
    bool numeric_order = false;
    if (sensitive.size() == 1) {
      const Column& column = about_.Find(sensitive[0]);
      order = column.order;
      numeric_order = column.order.empty() && column.numeric;
    }
    return {{"quasi", there("quasi")}, {"sensitive", there("sensitive")},
            {"numeric", numeric},      {"publish", there("publish")},
            {"order", order},          {"numeric_order", numeric_order}};
  }

  // ---- what was measured

  static Json Number(const std::string& promise, double asked, double measured, bool kept) {
    return {{"promise", promise}, {"asked", asked}, {"measured", measured}, {"kept", kept}};
  }
  static Json Proof(const std::string& promise, double asked, const std::string& proof) {
    return {{"promise", promise},
            {"asked", asked},
            {"measured", nullptr},
            {"kept", true},
            {"proof", proof}};
  }
  static Json AtLeast(const std::string& promise, double asked, double measured) {
    return Number(promise, asked, measured, measured >= asked - kSlack);
  }
  static Json AtMost(const std::string& promise, double asked, double measured) {
    return Number(promise, asked, measured, measured <= asked + kSlack);
  }

  Json Measured() const {
    if (about_.model == "xy") return OfJoin();
    if (about_.model == "m-invariance") return OfValues();
    if (about_.model == "j-similarity") return OfGroups();
    if (about_.model == "k" || First()) return OfOneRelease();
    return OfSeries();
  }

  one::Rows RowsOf(const File& file) const {
    one::Rows rows;
    for (const auto& row : file.rows) rows.push_back({LabelsAt(file, row), ValueAt(file, row), ""});
    return rows;
  }

  // All values of the release in their order.
  std::vector<std::string> Order(const one::Rows& rows) const {
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

  // The worst of all classes.
  using Measure = std::function<double(const one::Rows&)>;
  static double Most(const std::vector<one::Rows>& classes, const Measure& measure) {
    double most = measure(classes[0]);
    for (const one::Rows& each : classes) most = std::max(most, measure(each));
    return most;
  }
  static double Least(const std::vector<one::Rows>& classes, const Measure& measure) {
    return -Most(classes, [&](const one::Rows& rows) { return -measure(rows); });
  }
  double Distance(const one::Rows& rows, const one::Rows& all) const {
    return guarantee_.value("distance", "equal") == "ordered"
               ? one::OrderedDistance(rows, all, Order(all))
               : one::EqualDistance(rows, all);
  }

  Json OfOneRelease() const {
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
      list.push_back(
          AtMost("beta", guarantee_.at("beta"),
                 Most(classes, [&](const one::Rows& rows) { return one::Gain(rows, all); })));
    }
    if (Asks("confidence")) AddConfidence(classes, list);
    return list;
  }

  void AddConfidence(const std::vector<one::Rows>& classes, Json& list) const {
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

  // ---- model bcf

  std::vector<const File*> Series() const {
    std::vector<const File*> files;
    for (const File& file : earlier_) files.push_back(&file);
    files.push_back(&release_);
    return files;
  }

  // The whole tree of a column: its taxonomy, or what lies in what among the labels of all files.
  Tree TreeOf(const std::string& column, const std::vector<const File*>& files) const {
    const std::string& taxonomy = about_.Find(column).taxonomy;
    if (!taxonomy.empty()) return ReadTaxonomy(about_.files.at(taxonomy));
    std::vector<std::string> labels;
    for (const File* file : files) {
      for (const std::string& label : file->Column(column)) labels.push_back(label);
    }
    return TreeOfRanges(labels);
  }

  // Whoever is starred, told as `*` throughout beside others who are not, stays so: a column more.
  static void AddStars(std::vector<growing::Taxonomy>& taxonomies, growing::Series& series) {
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

  Json OfSeries() const {
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

  // ---- model xy

  // Columns of a file that readers may have; the policy's identifiers are in none.
  const File& TableAt(std::size_t table) const {
    return table == 0 ? release_ : priors_[table - 1];
  }
  std::size_t Tables() const { return priors_.size() + 1; }
  std::string PriorName(std::size_t prior) const {
    if (!about_.priors[prior].first.empty()) return about_.priors[prior].first;
    return prior == 0 ? "prior" : "prior" + std::to_string(prior + 1);
  }
  linked::Place PlaceOf(const std::string& name) const {
    if (release_.Has(name)) return {0, release_.At(name)};
    const std::size_t dot = name.find('.');
    for (std::size_t p = 0; p < priors_.size(); ++p) {
      if (PriorName(p) == name.substr(0, dot)) return {p + 1, priors_[p].At(name.substr(dot + 1))};
    }
    throw std::logic_error("no column " + name);
  }
  const std::string& NameAt(const linked::Place& place) const {
    return TableAt(place.table).header[place.column];
  }

  // The join by rows, with the labels of a column as numbers.
  class Numbers {
   public:
    explicit Numbers(const std::vector<std::string>& known) {
      for (const std::string& label : known) (void)Of(label);
    }
    linked::Label Of(const std::string& label) {
      return numbers_.emplace(label, static_cast<linked::Label>(numbers_.size())).first->second;
    }

   private:
    std::map<std::string, linked::Label> numbers_;
  };

  struct Joined {
    linked::World world;
    std::map<std::string, Numbers> labels;  // by column
  };

  Joined Join() const {
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

  std::vector<linked::Promise> Promises(Joined& joined) const {
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

  Json OfJoin() const {
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

  // Columns of the release that are part of a join or of a promise, in the order in which they are
  // met.
  std::vector<linked::Place> Met() const {
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

  // ---- models in groups

  // How often each value is in each group.
  std::map<std::string, std::map<std::string, std::size_t>> Values() const {
    std::map<std::string, std::map<std::string, std::size_t>> values;
    const auto apart = beside_.find(".sensitive.csv");
    const File& file = apart == beside_.end() ? release_ : apart->second;
    for (const auto& row : file.rows) {
      values[row[file.At("group")]][ValueAt(file, row)] +=
          apart == beside_.end() ? 1 : std::stoul(row[file.At("count")]);
    }
    return values;
  }

  Json OfValues() const {
    std::size_t least = release_.rows.size();
    for (const auto& [group, values] : Values()) least = std::min(least, values.size());
    Json list = {AtLeast("m", guarantee_.at("m"), static_cast<double>(least))};
    if (E() > 1) list.push_back(Proof("e", E(), "by rule"));
    return list;
  }
  double E() const {
    const bool partitions = guarantee_.value("form", "anatomy") == "partitions";
    return guarantee_.value("e", partitions ? 1.0 : guarantee_.at("m").get<double>());
  }

  Json OfGroups() const {
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
      list.push_back(
          AtMost("beta", guarantee_.at("beta"),
                 Most(classes, [&](const one::Rows& rows) { return one::Gain(rows, all); })));
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

  // ---- members of single models

  void AddOwn(const Out& out, Json& json) const {
    if (about_.model == "m-invariance") json["changing"] = Changing(out);
    if (about_.model == "j-similarity") json["evolving"] = Evolving();
    json["recoding"] = Recoding();
    if (about_.model == "bcf") {
      Json& hierarchy = json["hierarchy"] = Json::object();
      for (const std::string& name : about_.Named("quasi")) {
        std::set<std::string> occur;
        for (const File* file : Series()) Insert(file->Column(name), occur);
        hierarchy[name] = Hierarchy(TreeOf(name, Series()), std::move(occur));
      }
    }
    if (about_.model == "xy") {
      json["hierarchy"] = HierarchyOfJoin();
      json["linked"] = Linked();
    }
  }

  static void Insert(const std::vector<std::string>& labels, std::set<std::string>& into) {
    into.insert(labels.begin(), labels.end());
  }

  // The labels of a column, each once, as they follow one another in its tree.
  Json LabelsOf(const std::string& name) const {
    std::set<std::string> occur;
    Insert(release_.Column(name), occur);
    Json labels = Json::array();
    for (const std::string& label : TreeOf(name, {&release_}).labels) {
      if (occur.contains(label)) labels.push_back(label);
    }
    return labels;
  }

  Json Recoding() const {
    Json recoding = Json::object();
    if (Grouped()) return recoding;
    if (about_.model != "xy") {
      for (const std::string& name : about_.Named("quasi")) recoding[name] = LabelsOf(name);
      return recoding;
    }
    Joined joined = Join();
    std::set<linked::Place> known;
    for (const linked::Promise& promise : Promises(joined)) {
      known.insert(promise.x.begin(), promise.x.end());
    }
    for (const linked::Place& place : Met()) {
      if (place.table == 0 && known.contains(place)) {
        recoding[NameAt(place)] = LabelsOf(NameAt(place));
      }
    }
    return recoding;
  }

  // The nearest label above each that occurs; the root always does.
  static Json Hierarchy(const Tree& tree, std::set<std::string> occur) {
    occur.insert(tree.labels.front());
    Json labels = Json::object();
    for (const std::string& label : tree.labels) {
      if (!occur.contains(label)) continue;
      std::string above = tree.above.at(label);
      while (!above.empty() && !occur.contains(above)) above = tree.above.at(above);
      labels[label] = above.empty() ? Json(nullptr) : Json(above);
    }
    return labels;
  }

  Json HierarchyOfJoin() const {
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

  Json Linked() const {
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

  Json Changing(const Out& out) const {
    Json changing = {{"m", guarantee_.at("m")}, {"e", static_cast<int>(E())}};
    changing["files"] = Json::array();
    for (const auto& [suffix, text] : out.beside) {
      changing["files"].push_back({{"suffix", suffix}, {"digest", reissue::io::Digest(text)}});
    }
    const auto counterfeits = beside_.find(".counterfeits.csv");
    if (counterfeits == beside_.end()) return changing;
    std::size_t count = 0;
    for (const std::string& each : counterfeits->second.Column("counterfeits")) {
      count += std::stoul(each);
    }
    changing["counterfeits"] = count;
    return changing;
  }

  Json Evolving() const {
    Json knowledge = Json::object();
    for (const std::string part : {"prior", "transition"}) {
      const std::string said = part + " = \"";
      const std::size_t at = about_.knowledge.find(said);
      std::string source = "uniform";
      if (at != std::string::npos) {
        const std::size_t begin = at + said.size();
        source = about_.knowledge.substr(begin, about_.knowledge.find('"', begin) - begin);
      }
      const bool file = source.ends_with(".csv");
      knowledge[part] = {{"source", file ? "file" : source}};
      if (file) knowledge[part]["keyed_digest"] = kKeyed;
    }
    knowledge["steps"] = 1;
    knowledge["compromised"] = about_.knowledge.find("compromised") != std::string::npos;
    return {{"against", guarantee_.value("against", "exact")}, {"knowledge", knowledge}};
  }

  const Case& about_;
  File release_;
  std::vector<File> earlier_, priors_;
  std::map<std::string, File> beside_;
  Json guarantee_;
};

// Replaces what only the vault can say.
void Mask(Json& json) {
  for (auto& [key, value] : json.items()) {
    if (value.is_structured()) {
      Mask(value);
    } else if (key.ends_with("keyed_digest")) {
      value = kKeyed;
    } else if (key == "key" || key == "signature") {
      value = kSealed;
    }
  }
}

// Takes over measured numbers that differ by rounding alone.
void TakeRounding(const Json& from, Json& to) {
  for (std::size_t i = 0; i < to.size() && i < from.size(); ++i) {
    if (!from[i].is_object() || !from[i].contains("measured")) continue;
    const Json& theirs = from[i].at("measured");
    Json& own = to[i].at("measured");
    if (!theirs.is_number() || !own.is_number()) continue;
    if (std::abs(theirs.get<double>() - own.get<double>()) < kSlack) own = theirs;
  }
}

}  // namespace

Json MakeAnew(const Case& about, const Out& out, const std::string& program,
              const std::string& created) {
  return Maker(about, out).Make(out, program, created);
}

std::string Difference(const std::string& certificate, const Json& anew) {
  Json theirs = Json::parse(certificate);
  Json own = anew;
  Mask(theirs);
  if (theirs.contains("measured")) TakeRounding(theirs.at("measured"), own.at("measured"));
  if (theirs.dump(2) == own.dump(2)) return "";
  return "certified:\n" + theirs.dump(2) + "\nmade anew:\n" + own.dump(2);
}

}  // namespace certificates
