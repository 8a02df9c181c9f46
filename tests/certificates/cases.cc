#include "cases.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace certificates {
namespace {

constexpr char kAges[] =
    "21;20s;young;*\n25;20s;young;*\n31;30s;young;*\n38;30s;young;*\n44;old;*\n59;old;*\n";
constexpr char kPlaces[] = "Aton;North;*\nBury;North;*\nCorm;South;*\nDale;South;*\n";
constexpr char kSexes[] = "f;*\nm;*\n";
constexpr char kJobs[] =
    "Lawyer;Professional;*\nEngineer;Professional;*\nDancer;Artist;*\nWriter;Artist;*\n";

// Row i has the entry i·step of every list, in turn: tables that are varied and always the same.
std::string Table(const std::string& header, std::size_t from, std::size_t rows,
                  const std::vector<std::vector<std::string>>& lists) {
  std::string text = header + "\n";
  for (std::size_t i = from; i < from + rows; ++i) {
    text += "p" + std::to_string(i);
    std::size_t step = 1;
    for (const std::vector<std::string>& list : lists) {
      text += "," + list[(i * step + i / list.size()) % list.size()];
      step += 2;
    }
    text += "\n";
  }
  return text;
}

// ---- one release

std::vector<Case> OneRelease() {
  const std::vector<std::string> ages = {"21", "25", "31", "38", "44", "59"};
  const std::vector<std::string> illnesses = {"flu", "\"gout, bad\"", "cold", "flu", "measles"};
  std::vector<Case> cases;
  cases.push_back(
      {.name = "EveryPromise",
       .model = "k",
       .columns = {{"id", "identifier"},
                   {"age", "quasi", "age.csv"},
                   {"zip", "quasi", "", true, {}, "breakpoints = [0, 25, 50, 75, 100]"},
                   {"illness", "sensitive"},
                   {"shoe", "publish"},
                   {"note", "drop"}},
       .guarantee = "k = 3\ndistinct = 2\nentropy = 1.2\nrecursive = { c = 4, l = 2 }\n"
                    "alpha = 0.9\nt = 0.7\nbeta = 3\nconfidence = { flu = 0.9, \"*\" = 0.95 }\n"
                    "suppression = 2\n",
       .said = R"({"model":"k","k":3,"distinct":2,"entropy":1.2,"recursive":{"c":4,"l":2},)"
               R"("alpha":0.9,"t":0.7,"beta":3,"confidence":{"flu":0.9,"*":0.95},)"
               R"("suppression":2})",
       .tables = {Table("id,age,zip,illness,shoe,note", 0, 40,
                        {ages, {"10", "30", "35"}, illnesses, {"40", "41"}, {"secret"}}) +
                  "last,59,99,rabies,39,secret\n"},
       .files = {{"age.csv", kAges}}});
  cases.push_back({.name = "Numbers",
                   .model = "k",
                   .columns = {{"id", "identifier"},
                               {"age", "quasi", "", true},
                               {"pay", "sensitive", "", true}},
                   .guarantee = "k = 2\nt = 0.5\ndistance = \"ordered\"\nsuppression = 0.1\n",
                   .said = R"({"model":"k","k":2,"t":0.5,"distance":"ordered","suppression":0.1})",
                   .tables = {Table("id,age,pay", 0, 24,
                                    {{"20", "22", "23.5", "31", "47"}, {"5", "5.0", "7", "9"}}) +
                              "last,97,1000\n"},
                   .seeded = false});
  cases.push_back(
      {.name = "SeveralSensitiveColumns",
       .model = "k",
       .columns = {{"id", "identifier"},
                   {"age", "quasi", "age.csv"},
                   {"illness", "sensitive"},
                   {"stage", "sensitive", "", true}},
       .guarantee = "k = 2\ndistinct = 2\n",
       .said = R"({"model":"k","k":2,"distinct":2})",
       .tables = {Table("id,age,illness,stage", 0, 30, {ages, illnesses, {"1", "1.0", "2"}})},
       .files = {{"age.csv", kAges}}});
  cases.push_back({.name = "NothingSensitive",
                   .model = "k",
                   .columns = {{"id", "identifier"}, {"age", "quasi", "age.csv"}},
                   .guarantee = "k = 4\n",
                   .said = R"({"model":"k","k":4})",
                   .tables = {Table("id,age", 0, 20, {ages})},
                   .files = {{"age.csv", kAges}}});
  return cases;
}

// ---- a table that grows

Case Growing(const std::string& name, const std::string& guarantee, const std::string& said,
             const std::vector<std::size_t>& rows) {
  Case growing = {.name = name,
                  .model = "bcf",
                  .columns = {{"id", "identifier"},
                              {"place", "quasi", "place.csv"},
                              {"sex", "quasi", "sex.csv"},
                              {"illness", "sensitive"}},
                  .guarantee = guarantee,
                  .said = said,
                  .tables = {},
                  .files = {{"place.csv", kPlaces}, {"sex.csv", kSexes}}};
  for (const std::size_t count : rows) {
    growing.tables.push_back(
        Table("id,place,sex,illness", 0, count,
              {{"Aton", "Bury", "Corm", "Dale"}, {"f", "m"}, {"flu", "cold", "flu"}}));
  }
  return growing;
}

std::vector<Case> GrowingTables() {
  std::vector<Case> cases;
  cases.push_back(Growing("ThreeReleases", "k = 2\n", R"({"model":"bcf","k":2})", {6, 8, 10}));
  cases.push_back(Growing("Diversity", "k = 2\ndistinct = 2\n",
                          R"({"model":"bcf","k":2,"distinct":2})", {8, 12}));
  cases.push_back(Growing("OnlyRealPeople", "k = 2\ndistinct = 2\ntargets = \"real\"\n",
                          R"({"model":"bcf","k":2,"distinct":2,"targets":"real"})", {8, 12}));
  // The two who come in release 2 are starred.
  cases.push_back(Growing("Starred", "k = 2\nrecoding = \"local\"\nsuppression = 2\n",
                          R"({"model":"bcf","k":2,"recoding":"local","suppression":2})",
                          {24, 26, 34}));
  // What some are left who could be there is more telling than what anybody is who is there.
  Case confidence =
      Growing("ConfidenceOfRealPeople", "k = 2\nconfidence = 0.6\ntargets = \"real\"\n",
              R"({"model":"bcf","k":2,"confidence":0.6,"targets":"real"})", {});
  const std::string people =
      "Bf1Cm3Dm3Cm2Df1Am1Df2Cm2Bf2Bm1Af3Af3Df3Dm1Cf2Bm2Df3Df2Am3Am3Df2Df3Dm1Dm1Am2Cm1";
  const std::map<char, std::string> words = {{'A', "Aton"}, {'B', "Bury"}, {'C', "Corm"},
                                             {'D', "Dale"}, {'1', "flu"},  {'2', "cold"},
                                             {'3', "gout"}};
  for (const std::size_t rows : {16u, 26u}) {
    std::string& table = confidence.tables.emplace_back("id,place,sex,illness\n");
    for (std::size_t i = 0; i < rows; ++i) {
      table += "p" + std::to_string(i) + "," + words.at(people[3 * i]) + "," + people[3 * i + 1] +
               "," + words.at(people[3 * i + 2]) + "\n";
    }
  }
  cases.push_back(std::move(confidence));
  Case numbers = {.name = "GrowingNumbers",
                  .model = "bcf",
                  .columns = {{"id", "identifier"},
                              {"age", "quasi", "", true},
                              {"height", "quasi", "", true, {}, "breakpoints = [100, 150, 200]"},
                              {"illness", "sensitive"}},
                  .guarantee = "k = 2\n",
                  .said = R"({"model":"bcf","k":2})",
                  .tables = {}};
  for (const std::size_t rows : {8u, 12u}) {
    numbers.tables.push_back(Table("id,age,height,illness", 0, rows,
                                   {{"20", "22", "31", "47"}, {"120", "170"}, {"flu"}}));
  }
  cases.push_back(std::move(numbers));
  // A new place and another title, then a stricter promise.
  Case living = Growing("PolicyThatLives", "k = 2\n", R"({"model":"bcf","k":2})", {8, 12, 16});
  for (std::size_t i = 1; i < 3; ++i) {
    for (const char* person : {"e1", "e2", "e3", "e4", "e5"}) {
      living.tables[i] += std::string(person) + ",Elms,f,flu\n";
    }
  }
  living.changes = {{.since = 2,
                     .title = "Places and others",
                     .files = {{"place.csv", std::string(kPlaces) + "Elms;East;*\n"}}},
                    {.since = 3,
                     .guarantee = "k = 2\ndistinct = 1\n",
                     .said = R"({"model":"bcf","k":2,"distinct":1})"}};
  cases.push_back(std::move(living));
  return cases;
}

// ---- other columns of the same people

std::vector<Case> LinkedTables() {
  const std::vector<std::string> jobs = {"Lawyer", "Engineer", "Dancer", "Writer"};
  const std::vector<Column> columns = {{"person", "identifier"},    {"job", "quasi", "job.csv"},
                                       {"sex", "quasi", "sex.csv"}, {"age", "quasi", "", true},
                                       {"income", "publish"},       {"ward", "publish"},
                                       {"gym", "publish"},          {"condition", "sensitive"}};
  const std::map<std::string, std::string> files = {{"job.csv", kJobs}, {"sex.csv", kSexes}};
  const std::string table = Table("person,job,sex,age,income", 0, 14,
                                  {jobs, {"f", "m"}, {"20", "31", "31", "47"}, {"yes", "no"}});
  const std::string clinic =
      "job,sex,ward,condition\nProfessional,f,East,Pregnant\nProfessional,f,East,Flu\n"
      "Professional,m,West,Flu\nArtist,f,East,Flu\nArtist,f,West,Pregnant\nArtist,m,West,Asthma\n"
      "Artist,m,East,Flu\n";
  std::vector<Case> cases;
  cases.push_back(
      {.name = "BesideAnEarlierRelease",
       .model = "xy",
       .columns = columns,
       .guarantee = "class = \"income\"\n[[guarantee.anonymity]]\n"
                    "x = [\"job\", \"age\", \"prior.job\"]\ny = [\"key\"]\nk = 2\n"
                    "[[guarantee.linkability]]\nx = [\"job\", \"sex\", \"prior.job\"]\n"
                    "y = { \"prior.condition\" = { Pregnant = 0.7 }, income = [\"yes\"] }\n"
                    "confidence = 0.9\n[[inconsistent]]\nsex = \"m\"\n"
                    "\"prior.condition\" = \"Pregnant\"\n",
       .said = R"({"model":"xy","class":"income","anonymity":[{"x":["job","age","prior.job"],)"
               R"("y":["key"],"k":2}],"linkability":[{"x":["job","sex","prior.job"],)"
               R"("y":{"prior.condition":{"Pregnant":0.7},"income":["yes"]},"confidence":0.9}],)"
               R"("inconsistent":[{"sex":"m","prior.condition":"Pregnant"}]})",
       .tables = {table},
       .files = files,
       .priors = {{"", clinic}}});
  cases.push_back(
      {.name = "BesideTwoAndRowsWithoutPartner",
       .model = "xy",
       .columns = columns,
       .guarantee = "score = \"distortion\"\n[[guarantee.anonymity]]\n"
                    "x = [\"job\", \"clinic.job\"]\ny = [\"clinic.condition\"]\nk = 2\n"
                    "[[guarantee.anonymity]]\nx = [\"age\"]\ny = [\"key\"]\nk = 2\n",
       .said = R"({"model":"xy","score":"distortion","anonymity":[{"x":["job","clinic.job"],)"
               R"("y":["clinic.condition"],"k":2},{"x":["age"],"y":["key"],"k":2}]})",
       .tables = {table},
       .files = files,
       .priors = {
           {"clinic", "job,ward,condition\nArtist,East,Flu\nArtist,East,Asthma\nArtist,West,Flu\n"},
           {"club", "sex,gym\nf,A\nf,B\nf,B\n"}}});
  return cases;
}

// ---- rows come and go

Case Changing(const std::string& name, const std::string& guarantee, const std::string& said) {
  const std::vector<std::vector<std::string>> lists = {
      {"20", "34", "51", "47", "28"}, {"Aton", "Bury", "Corm", "Dale"}, {"flu", "cold", "measles"}};
  return {.name = name,
          .model = "m-invariance",
          .columns = {{"id", "identifier"},
                      {"age", "quasi", "", true},
                      {"place", "quasi", "place.csv"},
                      {"illness", "sensitive"}},
          .guarantee = guarantee,
          .said = said,
          .tables = {Table("id,age,place,illness", 0, 12, lists),
                     Table("id,age,place,illness", 4, 12, lists),
                     Table("id,age,place,illness", 2, 9, lists)},
          .files = {{"place.csv", kPlaces}}};
}

std::vector<Case> ChangingTables() {
  std::vector<Case> cases;
  cases.push_back(Changing("Anatomy", "m = 2\ne = 2\n", R"({"model":"m-invariance","m":2,"e":2})"));
  cases.push_back(Changing(
      "PublishedCounterfeits", "m = 2\nform = \"generalized\"\ncounterfeits = \"published\"\n",
      R"({"model":"m-invariance","m":2,"form":"generalized","counterfeits":"published"})"));
  cases.push_back(Changing("Partitions", "m = 2\nform = \"partitions\"\n",
                           R"({"model":"m-invariance","m":2,"form":"partitions"})"));
  Case both = Changing("AnatomyOfSeveralColumns", "m = 2\ncounterfeits = \"published\"\n",
                       R"({"model":"m-invariance","m":2,"counterfeits":"published"})");
  both.columns.push_back({"stage", "sensitive", "", true});
  both.tables = {Table("id,age,place,illness,stage", 0, 14,
                       {{"20", "34"}, {"Aton", "Dale"}, {"flu", "cold"}, {"1", "2.0", "2"}})};
  cases.push_back(std::move(both));
  Case living = Changing("NewPlace", "m = 2\n", R"({"model":"m-invariance","m":2})");
  living.tables[1] += "e1,33,Elms,flu\ne2,34,Elms,cold\n";
  living.changes = {{.since = 2, .files = {{"place.csv", std::string(kPlaces) + "Elms;East;*\n"}}}};
  cases.push_back(std::move(living));
  return cases;
}

// ---- values change

Case Evolving(const std::string& name, const std::string& guarantee, const std::string& said,
              const std::string& knowledge) {
  const std::vector<std::string> places = {"Aton", "Bury", "Corm", "Dale"};
  return {.name = name,
          .model = "j-similarity",
          .columns = {{"id", "identifier"},
                      {"age", "quasi", "", true},
                      {"place", "quasi", "place.csv"},
                      {"result", "sensitive"}},
          .guarantee = guarantee,
          .said = said,
          .tables = {Table("id,age,place,result", 0, 14,
                           {{"20", "34", "51"}, places, {"well", "mild", "severe", "well"}}),
                     Table("id,age,place,result", 2, 14,
                           {{"20", "34", "51"}, places, {"mild", "well", "well", "severe"}})},
          .files = {{"place.csv", kPlaces}},
          .knowledge = knowledge};
}

Case Ordered(const std::string& name, const Column& column, const std::string& rare) {
  Case ordered = Evolving(
      name, "k = 2\nj = 0.1\nbeta = 9\nt = 0.9\ndistance = \"ordered\"\nalgorithm = \"bkaa\"\n",
      R"({"model":"j-similarity","k":2,"j":0.1,"beta":9,"t":0.9,"distance":"ordered","algorithm":"bkaa"})",
      "prior = \"learned\"\n");
  ordered.columns.back() = column;
  ordered.tables = {
      Table("id,age,place,result", 0, 15, {{"20", "34", "51"}, {"Aton", "Dale"}, {"1", "2", "3"}}) +
          "last,99,Dale," + rare + "\n",
      Table("id,age,place,result", 3, 12, {{"20", "34", "51"}, {"Aton", "Dale"}, {"1", "2"}})};
  return ordered;
}

std::vector<Case> EvolvingTables() {
  std::vector<Case> cases;
  cases.push_back(Evolving("LearnedKnowledge", "k = 2\nj = 0.6\nt = 0.5\nmax_belief = 0.95\n",
                           R"({"model":"j-similarity","k":2,"j":0.6,"t":0.5,"max_belief":0.95})",
                           "prior = \"learned\"\ntransition = \"learned\"\n"));
  cases.push_back(
      Evolving("RelaxedLeftovers", "k = 16\nj = 0.001\nbeta = 0.4\nt = 0.1\nleftover = \"relax\"\n",
               R"({"model":"j-similarity","k":16,"j":0.001,"beta":0.4,"t":0.1,"leftover":"relax"})",
               "prior = \"learned\"\ntransition = \"learned\"\n"));
  cases.push_back(
      Evolving("CounterfeitLeftovers", "k = 3\nj = 1\nt = 0.3\nleftover = \"counterfeit\"\n",
               R"({"model":"j-similarity","k":3,"j":1,"t":0.3,"leftover":"counterfeit"})", ""));
  Case files = Evolving(
      "KnowledgeFromFiles",
      "k = 2\nj = 0.9\nbeta = 5\nagainst = \"bayes\"\nties = \"shared\"\nmax_belief = 0.99\n"
      "max_gain = 0.99\n",
      R"({"model":"j-similarity","k":2,"j":0.9,"beta":5,"against":"bayes","ties":"shared",)"
      R"("max_belief":0.99,"max_gain":0.99})",
      "prior = \"prior.csv\"\ntransition = \"transition.csv\"\ncompromised = \"known.csv\"\n");
  files.files["prior.csv"] =
      "place,result,probability\nNorth,well,0.5\nNorth,mild,0.3\nNorth,severe,0.2\n"
      "South,well,0.4\nSouth,mild,0.3\nSouth,severe,0.3\n";
  files.files["transition.csv"] =
      "from,to,probability\nwell,well,0.6\nwell,mild,0.3\nwell,severe,0.1\nmild,well,0.3\n"
      "mild,mild,0.4\nmild,severe,0.3\nsevere,well,0.2\nsevere,mild,0.4\nsevere,severe,0.4\n";
  files.files["known.csv"] = "id,result,release,confidence\np3,severe,1,0.5\n";
  cases.push_back(std::move(files));
  Case living =
      Evolving("AnotherTitle", "k = 2\nj = 0.9\nt = 0.9\n",
               R"({"model":"j-similarity","k":2,"j":0.9,"t":0.9})", "prior = \"learned\"\n");
  living.changes = {{.since = 2, .title = "Results of all places"}};
  cases.push_back(std::move(living));
  cases.push_back(Ordered("OrderedNumbers", {"result", "sensitive", "", true}, "1000"));
  cases.push_back(Ordered("DeclaredOrder",
                          {"result",
                           "sensitive",
                           "",
                           false,
                           {"0", "1", "2", "3", "9"},
                           "order = [\"0\", \"1\", \"2\", \"3\", \"9\"]"},
                          "9"));
  return cases;
}

}  // namespace

const Column& Case::Find(const std::string& column) const {
  for (const Column& each : columns) {
    if (each.name == column) return each;
  }
  throw std::logic_error("no column " + column);
}

std::vector<std::string> Case::Named(const std::string& role) const {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (column.role == role) names.push_back(column.name);
  }
  return names;
}

std::string Case::Policy() const {
  std::string text = "title = \"" + Title() + "\"\n[columns]\n";
  for (const Column& column : columns) {
    text += column.name + " = { role = \"" + column.role + "\"";
    if (!column.taxonomy.empty()) text += ", taxonomy = \"" + column.taxonomy + "\"";
    if (column.numeric) text += ", type = \"numeric\"";
    if (!column.more.empty()) text += ", " + column.more;
    text += " }\n";
  }
  // Tables of [guarantee] come after its other keys, [[inconsistent]] at the very end.
  text += "[guarantee]\nmodel = \"" + model + "\"\n" + guarantee;
  if (!knowledge.empty()) text += "[knowledge]\n" + knowledge;
  return text;
}

Case Case::At(std::size_t release) const {
  Case then = *this;
  then.changes.clear();
  for (const Change& change : changes) {
    if (change.since > release) break;
    then.since = change.since;
    if (!change.title.empty()) then.title = change.title;
    if (!change.guarantee.empty()) then.guarantee = change.guarantee;
    if (!change.said.empty()) then.said = change.said;
    for (const auto& [file, text] : change.files) then.files[file] = text;
  }
  return then;
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    for (auto make : {OneRelease, GrowingTables, LinkedTables, ChangingTables, EvolvingTables}) {
      std::vector<Case> some = make();
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
  }();
  return cases;
}

}  // namespace certificates
