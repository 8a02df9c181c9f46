#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/render/simulation.h"
#include "cli/sink.h"
#include "cli/verbs.h"
#include "reissue/binding/rows.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/simulate/bkseq.h"
#include "reissue/simulate/evolving.h"
#include "reissue/simulate/generator.h"
#include "reissue/simulate/updates.h"
#include "reissue/simulate/variations.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kRowsPerChunk = 8192;
constexpr std::uint64_t kMostRows = 1'000'000'000'000;

// As many as the papers on changing tables have.
constexpr std::uint64_t kCensusRows = 600'000;

struct SimulateOptions {
  std::string kind;
  std::uint64_t rows = 1000;
  bool ids = false;
  std::string out = "-";
  bool replace = false;
  // Of a given table.
  std::string table, policy, identifier;
  // Variations only.
  std::string columns;
  std::uint64_t scale = 2;
  std::uint64_t vary = 1;
};

struct UpdatesOptions {
  SimulateOptions common;  // table, policy, identifier, replace
  std::string sensitive, directory;
  simulate::UpdateOptions updates;
  double skew = -1;  // none
  std::uint64_t change = 0;
};

struct BkseqCommand {
  std::string directory;
  std::uint64_t rows = 4000, releases = 24;
  bool replace = false;
};

// Chunks are made by all threads and written in order.
Status WriteRows(const simulate::Generator& generator, std::uint64_t rows, Sink& sink,
                 Session& session) {
  binding::Context& context = session.context();
  context.progress.Begin("writing rows", rows);
  std::vector<std::string> chunks(context.pool.threads() * 4);
  std::string header;
  generator.AppendHeader(header);
  REISSUE_TRY(sink.Write(header));
  for (std::uint64_t begin = 0; begin < rows && !sink.reader_gone();) {
    const std::uint64_t end = std::min(rows, begin + chunks.size() * kRowsPerChunk);
    const std::uint64_t used = (end - begin + kRowsPerChunk - 1) / kRowsPerChunk;
    context.pool.Run(used, [&](std::size_t i) {
      const std::uint64_t first = begin + i * kRowsPerChunk;
      chunks[i].clear();
      generator.AppendRows(first, std::min(kRowsPerChunk, end - first), chunks[i]);
    });
    for (std::uint64_t i = 0; i < used; ++i) REISSUE_TRY(sink.Write(chunks[i]));
    context.progress.Advance(end - begin);
    begin = end;
  }
  return Ok();
}

Result<int> WriteTable(const simulate::Generator& generator, std::uint64_t rows,
                       const SimulateOptions& options, Session& session) {
  const bool to_output = options.out == "-";
  if (to_output && session.format == Format::kJson) {
    return UsageError("--format json goes with --out FILE: the table itself is CSV",
                      "Name a file with --out, or leave --format out.");
  }
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::Open(session, options.out, options.replace));
  REISSUE_TRY(WriteRows(generator, rows, *sink, session));
  REISSUE_TRY(sink->Finish());
  if (!to_output) {
    REISSUE_TRY(Print(session, SimulationReport{options.out, rows, generator.header(),
                                                session.seed.value_or(kDefaultSeed)}));
  }
  return kDone;
}

Result<int> RunKind(const SimulateOptions& options, Session& session) {
  const auto generator = REISSUE_TRY(simulate::MakeGenerator(
      options.kind, session.seed.value_or(kDefaultSeed), {.ids = options.ids}));
  return WriteTable(*generator, options.rows, options, session);
}

std::vector<std::string> SplitList(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The identifier: the one that is named, else the policy's; empty where there is none.
std::string IdentifierOf(const SimulateOptions& options, const io::Policy& policy) {
  const auto identifiers = policy.WithRole(io::Role::kIdentifier);
  if (!options.identifier.empty() || identifiers.empty()) return options.identifier;
  return identifiers.front()->name;
}

Result<int> RunVariations(const SimulateOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.table, options.policy}));
  if (options.policy.empty() == options.columns.empty()) {
    return UsageError("give either --policy or --columns",
                      "They say which columns vary: the quasi-identifiers of a policy, or a list.");
  }
  binding::Context& context = session.context();
  simulate::VariationOptions variation;
  variation.scale = options.scale;
  variation.changed = options.vary;
  variation.identifier = options.identifier;
  io::CsvOptions csv;
  if (!options.policy.empty()) {
    const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
    csv = policy.csv;
    for (const io::PolicyColumn* column : policy.WithRole(io::Role::kQuasi)) {
      variation.columns.push_back(column->name);
    }
    variation.identifier = IdentifierOf(options, policy);
  } else {
    variation.columns = SplitList(options.columns);
  }
  const io::CsvFile file = REISSUE_TRY(binding::ReadRows(options.table, csv, context));
  const auto generator = REISSUE_TRY(
      simulate::Variations::Make(file.table, session.seed.value_or(kDefaultSeed), variation));
  return WriteTable(*generator, generator->rows(), options, session);
}

// ---- updates

// table-01.csv, table-02.csv, …
std::vector<std::string> TableNames(const std::string& directory, std::uint64_t tables) {
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(tables).size());
  std::vector<std::string> names;
  for (std::uint64_t i = 1; i <= tables; ++i) {
    const std::string number = std::to_string(i);
    const std::string name = "table-" + std::string(digits - number.size(), '0') + number + ".csv";
    names.push_back((std::filesystem::path(directory) / name).string());
  }
  return names;
}

Status NoneExists(const std::vector<std::string>& names, Session& session) {
  for (const std::string& name : names) {
    if (!session.context().files.Exists(name)) continue;
    return UsageError(name + " exists already",
                      "Choose another directory, or use --overwrite to replace its tables.");
  }
  return Ok();
}

// Which column is sensitive: only a stream that is skewed or changes values needs to know.
Result<std::optional<ColumnId>> SensitiveOf(const UpdatesOptions& options, const io::Policy& policy,
                                            const Table& table) {
  std::string name = options.sensitive;
  const auto sensitive = policy.WithRole(io::Role::kSensitive);
  if (name.empty() && sensitive.size() == 1) name = sensitive.front()->name;
  if (name.empty() && options.skew < 0 && options.change == 0) return std::optional<ColumnId>();
  if (name.empty()) {
    return UsageError((options.change > 0 ? "--change" : "--skew") +
                          std::string(" needs to know the sensitive column"),
                      "Name it with --sensitive, or give a policy that has one.");
  }
  const std::optional<ColumnId> column = table.Find(name);
  if (!column) {
    return UsageError("the table has no column \"" + name + "\"",
                      "Name the sensitive column as the header of the table does.");
  }
  return column;
}

Result<simulate::UpdateStream> StreamOf(const UpdatesOptions& options, const Table& table,
                                        const std::optional<ColumnId>& sensitive,
                                        Session& session) {
  simulate::UpdateOptions updates = options.updates;
  updates.seed = session.seed.value_or(kDefaultSeed);
  if (options.skew >= 0) updates.skew = options.skew;
  std::vector<std::uint32_t> values(table.rows(), 0);
  std::uint32_t count = 1;
  if (sensitive) {
    const Column& column = table[*sensitive];
    count = static_cast<std::uint32_t>(column.dictionary().size());
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = column[RowId(row)].raw();
  }
  return simulate::MakeUpdates(values, count, updates);
}

Result<std::vector<std::vector<simulate::ValueChange>>> ChangesOf(
    const UpdatesOptions& options, const Table& table, const std::optional<ColumnId>& sensitive,
    const simulate::UpdateStream& stream, Session& session) {
  const std::size_t values = sensitive ? table[*sensitive].dictionary().size() : 1;
  return simulate::MakeChanges(stream, static_cast<std::uint32_t>(values), options.change,
                               session.seed.value_or(kDefaultSeed));
}

Result<int> RunUpdates(const UpdatesOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.common.table, options.common.policy}));
  binding::Context& context = session.context();
  io::Policy policy;
  if (!options.common.policy.empty()) {
    policy = REISSUE_TRY(io::ReadPolicy(context.files, options.common.policy));
  }
  const auto names = TableNames(options.directory, options.updates.releases);
  if (!options.common.replace) REISSUE_TRY(NoneExists(names, session));
  const io::CsvFile file =
      REISSUE_TRY(binding::ReadRows(options.common.table, policy.csv, context));
  const std::optional<ColumnId> sensitive = REISSUE_TRY(SensitiveOf(options, policy, file.table));
  auto stream = REISSUE_TRY(StreamOf(options, file.table, sensitive, session));
  const auto changes = REISSUE_TRY(ChangesOf(options, file.table, sensitive, stream, session));
  REISSUE_TRY(MakeDirectory("--out-dir", options.directory));
  simulate::UpdatedTable::Columns columns{sensitive, IdentifierOf(options.common, policy)};
  if (file.table.Find(columns.identifier)) columns.identifier.clear();
  UpdatesReport report{names,
                       options.updates.first,
                       options.updates.replace,
                       options.change,
                       {},
                       session.seed.value_or(kDefaultSeed)};
  for (std::size_t i = 0; i < names.size(); ++i) {
    simulate::ApplyChanges(changes[i], stream);
    const simulate::UpdatedTable table(file.table, stream, i, columns);
    const auto sink = REISSUE_TRY(Sink::Open(session, names[i], options.common.replace));
    REISSUE_TRY(WriteRows(table, table.rows(), *sink, session));
    REISSUE_TRY(sink->Finish());
    report.columns = table.header();
  }
  REISSUE_TRY(Print(session, report));
  return kDone;
}

// ---- bkseq

Status WriteText(Session& session, const std::string& path, const std::string& text, bool replace) {
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::Open(session, path, replace));
  REISSUE_TRY(sink->Write(text));
  return sink->Finish();
}

Result<int> RunBkseq(const BkseqCommand& options, Session& session) {
  const std::filesystem::path directory(options.directory);
  const std::vector<std::pair<std::string, std::string>> knowledge = {
      {(directory / "policy.toml").string(), simulate::BkseqPolicy()},
      {(directory / "prior.csv").string(), simulate::BkseqPrior()},
      {(directory / "transition.csv").string(), simulate::BkseqTransition(1)},
      {(directory / "transition2.csv").string(), simulate::BkseqTransition(2)}};
  EvolvingReport report;
  report.tables = TableNames(options.directory, options.releases);
  for (const auto& [name, text] : knowledge) report.others.push_back(name);
  report.seed = session.seed.value_or(kDefaultSeed);
  if (!options.replace) {
    REISSUE_TRY(NoneExists(report.tables, session));
    REISSUE_TRY(NoneExists(report.others, session));
  }
  REISSUE_TRY(MakeDirectory("--out", options.directory));
  for (const auto& [name, text] : knowledge) {
    REISSUE_TRY(WriteText(session, name, text, options.replace));
  }
  simulate::Bkseq bkseq({options.rows, report.seed});
  session.context().progress.Begin("writing tables", options.releases);
  for (const std::string& name : report.tables) {
    const std::vector<simulate::BkseqRow> rows = bkseq.Next();
    REISSUE_TRY(WriteText(session, name, simulate::BkseqTable(rows), options.replace));
    report.rows.push_back(rows.size());
    session.context().progress.Advance(1);
  }
  report.persons = bkseq.persons();
  REISSUE_TRY(Print(session, report));
  return kDone;
}

void AddBkseq(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "bkseq",
      "Monthly tables of patients whose results change, and what a reader may know of them.\n\n"
      "People come, go and return; results of their examinations follow one another by a Markov "
      "model of disease progression that remembers two steps. Beside the tables stand a policy "
      "(" +
          Of(contract::Extra::kKnowledge) +
          ") and the model's true priors and transitions of one and of two steps.",
      "reissue simulate bkseq --out bkseq");
  auto options = std::make_shared<BkseqCommand>();
  AddText(
      *verb, "--out", options->directory, "DIR",
      "Write table-01.csv, …, policy.toml, prior.csv, transition.csv and transition2.csv there.")
      ->required();
  AddNumber(*verb, "--rows", options->rows, "Rows of a table, about. Default: 4000.", 1,
            100'000'000);
  AddNumber(*verb, "--releases", options->releases, "How many tables. Default: 24.", 1, 100000);
  verb->add_flag("--overwrite", options->replace, "Replace files that exist.");
  AddSeed(*verb, session, "The same number makes the same tables. Default: 1.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunBkseq(*options, session); };
  });
}

void AddOutput(CLI::App& verb, SimulateOptions& options, Session& session) {
  AddText(verb, "--out", options.out, "FILE", "Write to this file. Default: stdout (-).");
  verb.add_flag("--replace", options.replace, "Overwrite FILE if it exists.");
  AddSeed(verb, session, "The same number makes the same table. Default: 1.");
}

void AddKind(CLI::App& family, Session& session, const std::string& kind,
             const std::string& description, std::uint64_t rows = SimulateOptions().rows) {
  CLI::App* verb =
      AddVerb(family, session, kind, description,
              "reissue simulate " + kind + " --rows 1000 --seed 1 --out " + kind + ".csv");
  auto options = std::make_shared<SimulateOptions>();
  options->kind = kind;
  options->rows = rows;
  AddNumber(*verb, "--rows", options->rows, "How many rows. Default: " + std::to_string(rows) + ".",
            1, kMostRows);
  if (kind != "hospital") {
    verb->add_flag("--ids", options->ids, "Add a first column with an identifier for every row.");
  }
  AddOutput(*verb, *options, session);
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunKind(*options, session); };
  });
}

void AddVariations(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "variations",
      "Enlarge a table by variations of its rows.\n\n"
      "Every row comes with A - 1 variations of itself; each has Q columns set to random values "
      "that occur in the table, and a fresh identifier.",
      "reissue simulate variations --table adult.csv --columns age,race --scale 3 --vary 1 --out "
      "large.csv");
  auto options = std::make_shared<SimulateOptions>();
  AddText(*verb, "--table", options->table, "TABLE", "The table to enlarge (CSV); - is stdin.")
      ->required();
  AddText(*verb, "--policy", options->policy, "POLICY",
          "Vary the quasi-identifiers of this policy; read the table as it says.");
  AddText(*verb, "--columns", options->columns, "NAME,...", "Vary these columns.");
  AddText(*verb, "--identifier", options->identifier, "COLUMN",
          "The column of identifiers; added in front if the table lacks it.");
  AddNumber(*verb, "--scale", options->scale, "How many times as many rows (A). Default: 2.", 1,
            1000000);
  AddNumber(*verb, "--vary", options->vary,
            "How many columns change in a variation (Q). Default: 1.");
  AddOutput(*verb, *options, session);
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunVariations(*options, session); };
  });
}

void AddUpdates(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "updates",
      "Make a series of tables whose rows come and go, out of a larger one.\n\n"
      "The first table is a random part of the larger one. Between two tables some rows, drawn at "
      "random, leave for good, and as many come that were never there. Tables are raw: they are "
      "what a holder has, not what is published.",
      "reissue simulate updates --table people.csv --first 200000 --replace 20000 --releases 20 "
      "--out-dir tables");
  auto options = std::make_shared<UpdatesOptions>();
  AddText(*verb, "--table", options->common.table, "TABLE", "The larger table (CSV); - is stdin.")
      ->required();
  AddText(*verb, "--out-dir", options->directory, "DIR",
          "Write table-01.csv, table-02.csv, … there.")
      ->required();
  AddNumber(*verb, "--first", options->updates.first, "Rows of every table. Default: 200000.", 1,
            kMostRows);
  AddNumber(*verb, "--replace", options->updates.replace,
            "Rows that leave, and that come, between two tables. Default: 20000.", 0, kMostRows);
  AddNumber(*verb, "--releases", options->updates.releases, "How many tables. Default: 20.", 1,
            100000);
  AddReal(*verb, "--skew", options->skew,
          "Values of those who come are skewed: in random order, fresh each time, each is had by "
          "this many rows more than the one before. 0: all equally often. Default: values as they "
          "are.",
          0, 1e9);
  AddNumber(*verb, "--change", options->change,
            "Of those who stay, so many get another value each time: any of the column, or the one "
            "they had. Default: 0.");
  AddText(*verb, "--sensitive", options->sensitive, "COLUMN",
          "The column that --skew and --change are about.");
  AddText(*verb, "--policy", options->common.policy, "POLICY",
          "Read the table as this policy says; it also tells identifier and sensitive column.");
  AddText(*verb, "--identifier", options->common.identifier, "COLUMN",
          "The column of identifiers; added in front if the table lacks it.");
  verb->add_flag("--overwrite", options->common.replace, "Replace tables that exist.");
  AddSeed(*verb, session, "The same number makes the same tables. Default: 1.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunUpdates(*options, session); };
  });
}

}  // namespace

void AddSimulate(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(root, "simulate",
                               "Make tables of imaginary people, for tests and demonstrations.\n\n"
                               "No row is about anybody. Tables are written as CSV.",
                               "reissue simulate hospital --rows 500 --out patients.csv");
  AddKind(*family, session, "adult", "People like those of the census extract Adult.");
  AddKind(*family, session, "occ", "Integer-coded census records with an occupation (OCC).",
          kCensusRows);
  AddKind(*family, session, "sal", "Integer-coded census records with a salary (SAL).",
          kCensusRows);
  AddKind(*family, session, "hospital", "Discharges of an imaginary hospital.");
  AddVariations(*family, session);
  AddUpdates(*family, session);
  AddBkseq(*family, session);
}

}  // namespace reissue::cli
