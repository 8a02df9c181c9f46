#include "anew.h"

#include <algorithm>
#include <cmath>

#include "maker.h"
#include "reissue/io/csv.h"

namespace certificates {

Json Maker::Make(const Out& out, const std::string& program, const std::string& created) const {
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

std::string Maker::ValueAt(const File& file, const std::vector<std::string>& row) const {
  std::string value;
  for (const std::string& name : about_.Named("sensitive")) {
    const std::string& part = row[file.At(name)];
    value += (value.empty() ? "" : " / ") + (about_.Find(name).numeric ? Canonical(part) : part);
  }
  return value;
}

std::vector<std::string> Maker::LabelsAt(const File& file,
                                         const std::vector<std::string>& row) const {
  std::vector<std::string> labels;
  for (const std::string& name : about_.Named("quasi")) labels.push_back(row[file.At(name)]);
  return labels;
}

std::vector<std::string> Maker::CellAt(const std::vector<std::string>& row) const {
  return Grouped() ? std::vector<std::string>{row[release_.At("group")]} : LabelsAt(release_, row);
}

std::map<std::vector<std::string>, std::size_t> Maker::CellSizes() const {
  std::map<std::vector<std::string>, std::size_t> sizes;
  if (about_.model == "xy") return sizes;
  for (const auto& row : release_.rows) ++sizes[CellAt(row)];
  return sizes;
}

std::size_t Maker::Smallest() const {
  std::size_t least = about_.model == "xy" ? 0 : release_.rows.size();
  for (const auto& [cell, rows] : CellSizes()) least = std::min(least, rows);
  return least;
}

Json Maker::Columns() const {
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

std::vector<const File*> Maker::Series() const {
  std::vector<const File*> files;
  for (const File& file : earlier_) files.push_back(&file);
  files.push_back(&release_);
  return files;
}

Tree Maker::TreeOf(const std::string& column, const std::vector<const File*>& files) const {
  const std::string& taxonomy = about_.Find(column).taxonomy;
  if (!taxonomy.empty()) return ReadTaxonomy(about_.files.at(taxonomy));
  std::vector<std::string> labels;
  for (const File* file : files) {
    for (const std::string& label : file->Column(column)) labels.push_back(label);
  }
  return TreeOfRanges(labels);
}

void Maker::AddOwn(const Out& out, Json& json) const {
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

void Maker::Insert(const std::vector<std::string>& labels, std::set<std::string>& into) {
  into.insert(labels.begin(), labels.end());
}

Json Maker::LabelsOf(const std::string& name) const {
  std::set<std::string> occur;
  Insert(release_.Column(name), occur);
  Json labels = Json::array();
  for (const std::string& label : TreeOf(name, {&release_}).labels) {
    if (occur.contains(label)) labels.push_back(label);
  }
  return labels;
}

Json Maker::Recoding() const {
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

Json Maker::Hierarchy(const Tree& tree, std::set<std::string> occur) {
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

Json Maker::Changing(const Out& out) const {
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

Json Maker::Evolving() const {
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

namespace {

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
