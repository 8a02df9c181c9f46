#include "cli/render/taxonomy.h"

#include <algorithm>
#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/sink.h"
#include "cli/verbs.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/rows.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kAnyDepth = 1'000'000;

Result<taxonomy::Taxonomy> ReadTree(const std::string& path, Session& session) {
  const auto bytes = REISSUE_TRY(session.context().files.Read(path));
  const std::vector<io::Record> records = REISSUE_TRY(io::ReadRecords(bytes->view(), path));
  std::vector<taxonomy::HierarchyLine> lines;
  lines.reserve(records.size());
  for (const io::Record& record : records) lines.push_back({record.line, record.fields});
  return taxonomy::FromHierarchy(lines, path);
}

Result<int> RunShow(const std::string& path, std::uint64_t depth, Session& session) {
  const taxonomy::Taxonomy tree = REISSUE_TRY(ReadTree(path, session));
  REISSUE_TRY(Print(session, TreeReport{path, &tree, depth}));
  return kDone;
}

Result<int> RunTreeCheck(const std::vector<std::string>& paths, Session& session) {
  REISSUE_TRY(OneStandardInput(paths));
  TreesReport report;
  int status = kDone;
  for (const std::string& path : paths) {
    TreesReport::Entry entry{.file = path, .leaves = 0, .nodes = 0, .height = 0, .problem = {}};
    const auto tree = ReadTree(path, session);
    if (tree) {
      entry.leaves = tree->leaves();
      entry.nodes = tree->nodes();
      entry.height = tree->height();
    } else {
      entry.problem = tree.error();
      status = std::max(status, ExitStatus(tree.error().code));
      if (session.format == Format::kText) session.Report(tree.error());
    }
    report.files.push_back(std::move(entry));
  }
  REISSUE_TRY(Print(session, report));
  return status;
}

struct DraftOptions {
  std::string table, column, policy, out = "-", kind = "auto";
  bool replace = false;
};

taxonomy::DraftKind KindOf(const std::string& word) {
  if (word == "numeric") return taxonomy::DraftKind::kRanges;
  if (word == "prefix") return taxonomy::DraftKind::kPrefixes;
  if (word == "date") return taxonomy::DraftKind::kDates;
  if (word == "bands") return taxonomy::DraftKind::kBands;
  if (word == "icd") return taxonomy::DraftKind::kDiagnoses;
  return word == "flat" ? taxonomy::DraftKind::kFlat : taxonomy::DraftKind::kAuto;
}

// The distinct values of one column, in order of appearance.
Result<std::vector<std::string>> ReadValues(const DraftOptions& options, Session& session) {
  binding::Context& context = session.context();
  io::CsvOptions csv;
  if (!options.policy.empty()) {
    // Taxonomies that it names need not be there: this may be the one to draft.
    const io::Policy policy = REISSUE_TRY(io::ReadPolicyAlone(context.files, options.policy));
    csv = policy.csv;
    csv.expected_columns = {options.column};
    for (const io::PolicyColumn& column : policy.columns) {
      csv.expected_columns.push_back(column.name);
      if (column.name != options.column) csv.skip_columns.push_back(column.name);
    }
    csv.others = policy.drops_others ? io::OtherColumns::kSkipped : io::OtherColumns::kKept;
  }
  csv.digest = false;
  const io::CsvFile file = REISSUE_TRY(binding::ReadRows(options.table, csv, context));
  const std::optional<ColumnId> column = file.table.Find(options.column);
  if (!column) {
    const std::string nearest = io::Nearest(options.column, file.header);
    return InputError(Place{options.table, 1, std::nullopt, options.column},
                      "the table has no such column",
                      nearest.empty() ? std::string() : "Did you mean \"" + nearest + "\"?");
  }
  // Not those that only rows have which were left out.
  const Dictionary& dictionary = file.table[*column].dictionary();
  std::vector<bool> there(dictionary.size());
  for (const ValueId value : file.table[*column].values()) there[value.index()] = true;
  std::vector<std::string> values;
  for (std::size_t v = 0; v < there.size(); ++v) {
    if (there[v]) values.emplace_back(dictionary[ValueId(v)]);
  }
  return values;
}

Result<int> RunDraft(const DraftOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.table, options.policy}));
  const std::vector<std::string> values = REISSUE_TRY(ReadValues(options, session));
  auto drafted = taxonomy::DraftHierarchy(values, KindOf(options.kind), options.column);
  if (!drafted) {
    Error error = drafted.error();
    if (error.place && error.place->file.empty()) error.place->file = options.table;
    return error;
  }
  const taxonomy::Draft draft = *std::move(drafted);
  const DraftReport report{options.column, options.out, &draft};
  if (options.out == "-" && session.format == Format::kJson) {
    REISSUE_TRY(Print(session, report));
    return kDone;
  }
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::Open(session, options.out, options.replace));
  session.progress().Clear();
  REISSUE_TRY(sink->Write(binding::HierarchyText(draft.lines)));
  REISSUE_TRY(sink->Finish());
  if (options.out == "-") {
    session.Warn(kDraftTells);
  } else {
    REISSUE_TRY(Print(session, report));
  }
  return kDone;
}

void AddDraft(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "draft",
      "Draft a taxonomy from the values of a column.\n\n"
      "A first version to improve by hand: you know which values belong together. Ranges of "
      "numbers end in round numbers, but the draft lists every value of the column, the least and "
      "the greatest among them: keep it as private as the table, and look over what a release may "
      "show of it. With --format json the lines are told as lists of labels; what --out writes is "
      "a taxonomy always.",
      "reissue taxonomy draft --table patients.csv --column age --as numeric --out age.csv");
  auto options = std::make_shared<DraftOptions>();
  AddText(*verb, "--table", options->table, "TABLE", "The table (CSV); - is stdin.")->required();
  AddText(*verb, "--column", options->column, "COLUMN", "The column.")->required();
  AddChoice(
      *verb, "--as", options->kind, {"auto", "numeric", "prefix", "date", "bands", "icd", "flat"},
      "Round ranges of numbers (numeric), codes that lose their last characters (prefix), days, "
      "months and years (date), ranges whose neighbours are merged (bands), diagnoses with their "
      "categories and chapters (icd: ICD-9 or ICD-10), all values directly below * (flat), or "
      "whatever fits the values (auto, the default).");
  AddText(*verb, "--policy", options->policy, "POLICY",
          "Read the table as this policy says (separator, header, missing values). Taxonomies that "
          "it names need not exist yet.");
  AddText(*verb, "--out", options->out, "FILE", "Write to this file. Default: stdout (-).");
  verb->add_flag("--replace", options->replace, "Overwrite FILE if it exists.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunDraft(*options, session); };
  });
}

void AddShow(CLI::App& family, Session& session) {
  struct Options {
    std::string file;
    std::uint64_t depth = kAnyDepth;
  };
  CLI::App* verb = AddVerb(family, session, "show", "Print a taxonomy as a tree.",
                           "reissue taxonomy show job.csv --depth 2");
  auto options = std::make_shared<Options>();
  AddNumber(*verb, "--depth", options->depth, "Go down at most N levels. Default: all.", 0,
            kAnyDepth);
  AddInput(*verb, "TAXONOMY", options->file, "The taxonomy (CSV); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] {
      return RunShow(options->file, options->depth, session);
    };
  });
}

void AddTreeCheck(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(family, session, "check", "Say what is wrong with taxonomies.",
                           "reissue taxonomy check age.csv job.csv");
  auto files = std::make_shared<std::vector<std::string>>();
  AddInputs(*verb, "TAXONOMY", *files, "The taxonomies (CSV); - is stdin.")->required();
  verb->callback([files, &session] {
    session.action = [files, &session] { return RunTreeCheck(*files, session); };
  });
}

}  // namespace

void AddTaxonomy(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(
      root, "taxonomy",
      "Look at, check and draft taxonomies (hierarchies of values).\n\n"
      "A taxonomy is a CSV file with one line per value: the value, then ever wider groups, for "
      "example 23;[20,30);[0,50);*.",
      "reissue taxonomy show job.csv");
  AddShow(*family, session);
  AddTreeCheck(*family, session);
  AddDraft(*family, session);
}

}  // namespace reissue::cli
