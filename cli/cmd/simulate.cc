#include <algorithm>
#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/render/simulation.h"
#include "cli/sink.h"
#include "cli/verbs.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/simulate/generator.h"
#include "reissue/simulate/variations.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kRowsPerChunk = 8192;
constexpr std::uint64_t kMostRows = 1'000'000'000'000;

struct SimulateOptions {
  std::string kind;
  std::uint64_t rows = 1000;
  bool ids = false;
  std::string out = "-";
  bool replace = false;
  // Variations only.
  std::string table, policy, columns, identifier;
  std::uint64_t scale = 2;
  std::uint64_t vary = 1;
};

// Chunks are made by all threads and written in order.
Status WriteRows(const simulate::Generator& generator, std::uint64_t rows, Sink& sink,
                 Session& session) {
  engine::Context& context = session.context();
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

Result<int> RunVariations(const SimulateOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.table, options.policy}));
  if (options.policy.empty() == options.columns.empty()) {
    return UsageError("give either --policy or --columns",
                      "They say which columns vary: the quasi-identifiers of a policy, or a list.");
  }
  engine::Context& context = session.context();
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
    const auto identifiers = policy.WithRole(io::Role::kIdentifier);
    if (variation.identifier.empty() && !identifiers.empty()) {
      variation.identifier = identifiers.front()->name;
    }
  } else {
    variation.columns = SplitList(options.columns);
  }
  const io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, options.table, csv, context.pool, context.progress));
  const auto generator = REISSUE_TRY(
      simulate::Variations::Make(file.table, session.seed.value_or(kDefaultSeed), variation));
  return WriteTable(*generator, generator->rows(), options, session);
}

void AddOutput(CLI::App& verb, SimulateOptions& options, Session& session) {
  AddText(verb, "--out", options.out, "FILE", "Write to this file. Default: stdout (-).");
  verb.add_flag("--replace", options.replace, "Overwrite FILE if it exists.");
  AddSeed(verb, session, "The same number makes the same table. Default: 1.");
}

void AddKind(CLI::App& family, Session& session, const std::string& kind,
             const std::string& description) {
  CLI::App* verb =
      AddVerb(family, session, kind, description,
              "reissue simulate " + kind + " --rows 1000 --seed 1 --out " + kind + ".csv");
  auto options = std::make_shared<SimulateOptions>();
  options->kind = kind;
  AddNumber(*verb, "--rows", options->rows, "How many rows. Default: 1000.", 1, kMostRows);
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

}  // namespace

void AddSimulate(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(root, "simulate",
                               "Make tables of imaginary people, for tests and demonstrations.\n\n"
                               "No row is about anybody. Tables are written as CSV.",
                               "reissue simulate hospital --rows 500 --out patients.csv");
  AddKind(*family, session, "adult", "People like those of the census extract Adult.");
  AddKind(*family, session, "occ", "Integer-coded census records with an occupation (OCC).");
  AddKind(*family, session, "sal", "Integer-coded census records with a salary (SAL).");
  AddKind(*family, session, "hospital", "Discharges of an imaginary hospital.");
  AddVariations(*family, session);
}

}  // namespace reissue::cli
