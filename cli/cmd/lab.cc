#include "cli/render/lab.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/sink.h"
#include "cli/verbs.h"
#include "reissue/lab/belief.h"
#include "reissue/lab/equivalence.h"
#include "reissue/lab/growing.h"

namespace reissue::cli {
namespace {

struct LabOptions {
  lab::AdultFiles files;
  std::string out;
  double budget = 1;
  std::uint64_t chain = 6;
};

Status WriteFile(Session& session, const std::string& path, const std::string& text) {
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::Open(session, path, /*replace=*/true));
  REISSUE_TRY(sink->Write(text));
  return sink->Finish();
}

// Writes name → text, unless no directory was named.
Result<std::vector<std::string>> WriteAll(
    Session& session, const std::string& directory,
    const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<std::string> files;
  if (directory.empty()) return files;
  for (const auto& [name, text] : texts) {
    const std::string path = (std::filesystem::path(directory) / name).string();
    REISSUE_TRY(WriteFile(session, path, text));
    files.push_back(path);
  }
  return files;
}

Result<int> RunGrowing(const LabOptions& options, Session& session) {
  REISSUE_TRY(MakeDirectory("--out", options.out));
  lab::GrowingOptions growing;
  growing.budget_seconds = options.budget;
  growing.seed = session.seed.value_or(kDefaultSeed);
  growing.chain = options.chain;
  LabGrowingReport report;
  report.result = REISSUE_TRY(lab::RunGrowing(options.files, growing, session.context()));
  const std::string first = lab::Chart("What two k-anonymous releases leave (Adult)",
                                       lab::FigureViolations(report.result), 2);
  const std::string second =
      lab::Chart("What the second release costs (Adult)", lab::FigureCosts(report.result), 2);
  report.files = REISSUE_TRY(WriteAll(session, options.out,
                                      {{"bcf-figure-1.svg", first},
                                       {"bcf-figure-2.svg", second},
                                       {"bcf-settings.csv", lab::SettingsCsv(report.result)}}));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

Result<int> RunLinked(const LabOptions& options, Session& session) {
  REISSUE_TRY(MakeDirectory("--out", options.out));
  LabLinkedReport report;
  report.result = REISSUE_TRY(lab::RunLinked(options.files, {}, session.context()));
  const std::string anonymity = lab::Chart("(X,Y)-anonymity of linked releases (Adult)",
                                           lab::FigureLinkedAnonymity(report.result), 2);
  const std::string linkability = lab::Chart("(X,Y)-linkability of linked releases (Adult)",
                                             lab::FigureLinkedLinkability(report.result), 2);
  report.files = REISSUE_TRY(WriteAll(session, options.out,
                                      {{"xy-figure-1-to-4.svg", anonymity},
                                       {"xy-figure-6-and-7.svg", linkability},
                                       {"xy-settings.csv", lab::LinkedCsv(report.result)}}));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

struct LabEquivalenceOptions {
  lab::EquivalenceOptions lab;
  std::string out;
};

Result<int> RunEquivalence(const LabEquivalenceOptions& options, Session& session) {
  REISSUE_TRY(MakeDirectory("--out", options.out));
  lab::EquivalenceOptions equivalence = options.lab;
  equivalence.seed = session.seed.value_or(kDefaultSeed);
  LabEquivalenceReport report;
  report.result = REISSUE_TRY(lab::RunEquivalence(equivalence, session.context()));
  const lab::EquivalenceReport& result = report.result;
  report.files = REISSUE_TRY(
      WriteAll(session, options.out,
               {{"equivalence-figure-6.svg",
                 lab::Chart("People found out by equalities", lab::FigureExposed(result), 2)},
                {"equivalence-figure-7.svg",
                 lab::Chart("Counterfeits, random updates", lab::FigureCounterfeits(result), 2)},
                {"equivalence-figure-8.svg",
                 lab::Chart("Counterfeits, skewed updates", lab::FigureSkewed(result), 2)},
                {"equivalence-figure-9.svg",
                 lab::Chart("Error of COUNT queries", lab::FigureQueries(result), 2)},
                {"equivalence-figure-10.svg", lab::Chart("Time", lab::FigureTime(result), 2)},
                {"equivalence.csv", lab::EquivalenceCsv(result)}}));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

struct LabBeliefOptions {
  std::uint64_t rows = 4000, releases = 24;
  bool quick = false;
  std::string out;
};

Result<int> RunBelief(const LabBeliefOptions& options, Session& session) {
  REISSUE_TRY(MakeDirectory("--out", options.out));
  lab::BeliefOptions belief;
  belief.rows = options.rows;
  belief.releases = options.releases;
  if (options.quick) {
    belief.rows = std::min<std::uint64_t>(belief.rows, 600);
    belief.releases = std::min<std::uint64_t>(belief.releases, 6);
    belief.ks = {3, 8};
    belief.js = {0.4, 0.6};
    belief.betas = {5, 10};
    belief.sigmas = {0.01, 0.1};
    belief.confidences = {0.5, 0.9};
  }
  belief.seed = belief.limits.seed = session.seed.value_or(kDefaultSeed);
  LabBeliefReport report;
  report.result = REISSUE_TRY(lab::RunBeliefs(belief, session.context()));
  std::vector<std::pair<std::string, std::string>> texts;
  for (int figure = lab::kFirstBeliefFigure; figure <= lab::kLastBeliefFigure; ++figure) {
    texts.emplace_back("belief-figure-" + std::to_string(figure) + ".svg",
                       lab::Chart(lab::TitleOf(figure), lab::FigureOf(report.result, figure), 2));
  }
  texts.emplace_back("belief-parameters.svg",
                     lab::Chart("One parameter at a time", lab::FigureSweeps(report.result), 2));
  texts.emplace_back("belief.csv", lab::BeliefCsv(report.result));
  report.files = REISSUE_TRY(WriteAll(session, options.out, texts));
  REISSUE_TRY(Print(session, report));
  return kDone;
}

void AddFiles(CLI::App& verb, LabOptions& options) {
  AddText(verb, "--first", options.files.first, "FILE", "The UCI file adult.test.")->required();
  AddText(verb, "--added", options.files.added, "FILE",
          "The UCI file adult.data; may be compressed.")
      ->required();
  AddText(verb, "--taxonomies", options.files.taxonomies, "DIR",
          "Hierarchies of the eight attributes, in files ending in _ATTRIBUTE.csv.")
      ->required();
  AddText(verb, "--out", options.out, "DIR",
          "Write the figures (SVG) and the settings (CSV) there. Default: only print.");
}

void AddLabLinked(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "xy",
      "Linked releases on the Adult census: what the join costs.\n\n"
      "Section 6 of Wang and Fung (KDD 2006): the columns of one department are published after "
      "those of another, safe against their join, for several requirements; errors of a classifier "
      "and detail lost, beside what simpler ways cost.",
      "reissue lab xy --first adult.test --added adult.data --taxonomies trees --out figures");
  auto options = std::make_shared<LabOptions>();
  AddFiles(*verb, *options);
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunLinked(*options, session); };
  });
}

void AddLabEquivalence(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "equivalence",
      "Changing tables of census records: equalities that readers can prove.\n\n"
      "Section VII of He, Barman and Naughton (ICDE 2011): a table is published 20 times while its "
      "rows come and go; people found out, counterfeits, errors of queries and time, of plain "
      "m-invariance, the paper's rule and ours. On simulated records, and on real ones where a "
      "file is named.",
      "reissue lab equivalence --census acs2018_occ_sal_shaped.csv --out figures");
  auto options = std::make_shared<LabEquivalenceOptions>();
  AddText(*verb, "--census", options->lab.census, "FILE",
          "Also use these records: CSV of whole numbers, columns Age, Gender, Education, "
          "Birthplace, Occupation, Salary.");
  AddNumber(*verb, "--simulated", options->lab.simulated,
            "Rows of each simulated table. Default: 600000; 0: none.", 0, 100'000'000);
  AddNumber(*verb, "--releases", options->lab.releases, "How often each is published. Default: 20.",
            1, 20);
  AddText(*verb, "--out", options->out, "DIR",
          "Write the figures (SVG) and the numbers (CSV) there. Default: only print.");
  AddSeed(*verb, session, "Of tables, updates and queries. Default: 1.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunEquivalence(*options, session); };
  });
}

void AddLabBelief(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "belief",
      "Evolving tables and background knowledge: what readers gain.\n\n"
      "Section 6 of Amiri, Yazdani, Shakery and Ho (Transactions on Data Privacy 12, 2019), "
      "Figures 3 to 11: 24 tables of patients and of census records, published by JS-reduce, BKAA "
      "and ours; what their readers gain, and what the exact adversary gains from the same groups. "
      "Says which of the paper's statements are so here. All tables are simulated.",
      "reissue lab belief --quick --out figures");
  auto options = std::make_shared<LabBeliefOptions>();
  AddNumber(*verb, "--rows", options->rows, "Rows of a table, about. Default: 4000.", 200,
            1'000'000);
  AddNumber(*verb, "--releases", options->releases, "How many tables. Default: 24.", 3, 1000);
  verb->add_flag("--quick", options->quick,
                 "Six tables of 600 rows and fewer parameters: seconds instead of minutes.");
  AddText(*verb, "--out", options->out, "DIR",
          "Write the figures (SVG) and the numbers (CSV) there. Default: only print.");
  AddSeed(*verb, session, "Of tables, statements and ties. Default: 1.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunBelief(*options, session); };
  });
}

}  // namespace

void AddLab(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(
      root, "lab",
      "The experiments of the papers, beside ours.\n\n"
      "Most need the data that the papers used; nothing of it comes with reissue.",
      "reissue lab bcf --first adult.test --added adult.data --taxonomies trees --out figures");
  CLI::App* verb = AddVerb(
      *family, session, "bcf",
      "Growing tables on the Adult census: attacks, safe releases, a chain of them.\n\n"
      "Section 6 of Fung, Wang, Fu and Pei (EDBT 2008): the test set is published, then again with "
      "200, 2,000 or all training rows added, for k = 40 to 200 and two choices of the sensitive "
      "attributes. Then a chain of releases that grow by a tenth each.",
      "reissue lab bcf --first adult.test --added adult.data --taxonomies trees --out figures");
  auto options = std::make_shared<LabOptions>();
  AddFiles(*verb, *options);
  AddReal(*verb, "--budget", options->budget, "Seconds per release for our search. Default: 1.", 0,
          3600);
  AddNumber(*verb, "--chain", options->chain, "Releases of the chain. Default: 6; 0: none.", 0, 20);
  AddSeed(*verb, session, "Of the search. Default: 1.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunGrowing(*options, session); };
  });
  AddLabLinked(*family, session);
  AddLabEquivalence(*family, session);
  AddLabBelief(*family, session);
}

}  // namespace reissue::cli
