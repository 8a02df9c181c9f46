#include "cli/options.h"

#include <charconv>
#include <cmath>

#include "cli/render/text.h"
#include "reissue/binding/words.h"
#include "reissue/engine/models.h"
#include "reissue/io/file_system.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kMostThreads = 1024;

std::uint64_t WholeNumber(const std::string& name, const std::string& text, std::uint64_t least,
                          std::uint64_t most) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end || number < least || number > most) {
    std::string expected = "expected a whole number";
    if (most != ~std::uint64_t{0}) {
      expected += " from " + Count(least) + " to " + Count(most);
    } else if (least > 0) {
      expected += " of at least " + Count(least);
    }
    throw CLI::ValidationError(name, expected + ", not \"" + text + "\"");
  }
  return number;
}

double RealNumber(const std::string& name, const std::string& text, double least, double most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end || !(number >= least && number <= most)) {
    const std::string bounds = std::isfinite(most) ? "from " + Number(least) + " to " + Number(most)
                                                   : "of at least " + Number(least);
    throw CLI::ValidationError(name, "expected a number " + bounds + ", not \"" + text + "\"");
  }
  return number;
}

// Bytes: a whole number, with K, M, G or T for 1024 and its powers.
std::uint64_t Size(const std::string& name, const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  const std::size_t unit = stop + 1 == end ? kUnits.find(*stop) : std::string_view::npos;
  const unsigned shift =
      unit == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  const bool ends = stop == end || unit != std::string_view::npos;
  if (problem != std::errc() || !ends || number == 0 || number > (kMost >> shift)) {
    throw CLI::ValidationError(name, "expected a size such as 500M or 16G, not \"" + text + "\"");
  }
  return number << shift;
}

std::string Join(const std::vector<std::string>& words, const std::string& between,
                 const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : between;
    text += words[i];
  }
  return text;
}

// For a verb that reads tables or releases.
void AllowUnpacking(CLI::App& verb, const std::string& what) {
  const bool table = what.starts_with("TABLE") || what.starts_with("RELEASE");
  if (!table || verb.get_option_no_throw("--max-unpacked") != nullptr) return;
  verb.add_option_function<std::string>(
          "--max-unpacked",
          [](const std::string& text) {
            io::SystemFiles().most_unpacked = Size("--max-unpacked", text);
          },
          "Refuse a compressed file (gzip, zstd) that unpacks to more bytes than that: 500M, 32G. "
          "Default: 16G.")
      ->type_name("SIZE");
}

}  // namespace

std::string NotAmong(const std::string& word, const std::vector<std::string>& choices) {
  for (const std::string& choice : choices) {
    if (choice == word) return "";
  }
  const std::string nearest = io::Nearest(word, choices);
  return "expected " + Join(choices, ", ", " or ") + ", not \"" + word + "\"" +
         (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

CLI::App* AddPlainVerb(CLI::App& parent, const std::string& name, const std::string& description,
                       const std::string& example) {
  CLI::App* verb = parent.add_subcommand(name, description);
  verb->footer(example);
  verb->set_help_flag("--help,-h", "Print this help and stop.");
  return verb;
}

CLI::App* AddFamily(CLI::App& parent, const std::string& name, const std::string& description,
                    const std::string& example) {
  CLI::App* verb = AddPlainVerb(parent, name, description, example);
  verb->require_subcommand(1);
  return verb;
}

CLI::App* AddVerb(CLI::App& parent, Session& session, const std::string& name,
                  const std::string& description, const std::string& example) {
  CLI::App* verb = AddPlainVerb(parent, name, description, example);
  verb->add_option_function<std::string>(
          "--format",
          [&session](const std::string& word) {
            session.format = word == "json" ? Format::kJson : Format::kText;
          },
          "Write for people (text, the default) or for programs (json).")
      ->type_name("text|json")
      ->check([](const std::string& word) {
        return NotAmong(word, {"text", "json"});
      })
      ->trigger_on_parse();
  verb->add_option_function<std::string>(
          "--threads",
          [&session](const std::string& text) {
            session.threads = WholeNumber("--threads", text, 0, kMostThreads);
          },
          "Use N threads. The result does not depend on it. Default: all processors.")
      ->type_name("N");
  return verb;
}

void AddLabels(CLI::App& verb, Session& session, const std::string& what) {
  verb.add_flag_callback(
      "--labels,-v", [&session] { session.ListAll(); },
      what + " By default the text is short; JSON has all of it anyway.");
}

void AddServers(CLI::App& verb, Session& session, const std::string& what) {
  verb.add_option(
          "--dbname,-d", session.servers,
          what +
              " is a table of this PostgreSQL server: a connection string, a URI or the "
              "name of a database, as for psql; PG* variables, ~/.pgpass and service "
              "files count. Several times: the shards of the table. Names with a / or "
              "that end in .csv, .tsv, .txt (.gz, .zst) or .parquet are files all the same. "
              "Default: [source] of the policy, else files.")
      ->type_name("CONNINFO")
      ->allow_extra_args(false);
  AddDuckDb(verb, session);
}

void AddDuckDb(CLI::App& verb, Session& session) {
  verb.add_option("--duckdb", session.duckdb,
                  "The DuckDB library, libduckdb.so, which reads files that end in .parquet. "
                  "Default: REISSUE_DUCKDB, else where the system has it.")
      ->type_name("FILE");
}

void AddSeed(CLI::App& verb, Session& session, const std::string& description) {
  AddNumber(verb, "--seed", session.seed, description);
}

CLI::Option* AddNumber(CLI::App& verb, const std::string& name, std::uint64_t& target,
                       const std::string& description, std::uint64_t least, std::uint64_t most) {
  return verb
      .add_option_function<std::string>(
          name,
          [&target, name, least, most](const std::string& text) {
            target = WholeNumber(name, text, least, most);
          },
          description)
      ->type_name("N");
}

CLI::Option* AddNumber(CLI::App& verb, const std::string& name,
                       std::optional<std::uint64_t>& target, const std::string& description) {
  return verb
      .add_option_function<std::string>(
          name,
          [&target, name](const std::string& text) {
            target = WholeNumber(name, text, 0, ~std::uint64_t{0});
          },
          description)
      ->type_name("N");
}

CLI::Option* AddReal(CLI::App& verb, const std::string& name, double& target,
                     const std::string& description, double least, double most) {
  return verb
      .add_option_function<std::string>(
          name,
          [&target, name, least, most](const std::string& text) {
            target = RealNumber(name, text, least, most);
          },
          description)
      ->type_name("X");
}

CLI::Option* AddSize(CLI::App& verb, const std::string& name, std::uint64_t& target,
                     const std::string& description) {
  return verb
      .add_option_function<std::string>(
          name, [&target, name](const std::string& text) { target = Size(name, text); },
          description)
      ->type_name("SIZE");
}

CLI::Option* AddChoice(CLI::App& verb, const std::string& name, std::string& target,
                       const std::vector<std::string>& choices, const std::string& description) {
  return verb.add_option(name, target, description)
      ->type_name(Join(choices, "|", "|"))
      ->check([choices](const std::string& word) { return NotAmong(word, choices); });
}

CLI::Option* AddText(CLI::App& verb, const std::string& name, std::string& target,
                     const std::string& value, const std::string& description) {
  return verb.add_option(name, target, description)->type_name(value);
}

void AddPart(CLI::App& verb, contract::AskedPart& part) {
  AddText(verb, "--part", part.part, "I/N",
          "Only these people of the table: part I of N, by a keyed hash of the identifier (" +
              Of(contract::Extra::kParts) +
              "). The rows of the others are passed over. Each part has a vault of its own, which "
              "knows it from the first release on.");
  AddText(verb, "--part-key", part.key, "FILE",
          "The key that divides people, the same for all parts; `reissue key part` makes it. "
          "Needed for the first release.");
}

std::string Of(contract::Extra extra) {
  std::vector<std::string> names;
  for (const contract::Model* model : engine::Models()) {
    if (model->traits().Takes(extra)) names.push_back(model->traits().name);
  }
  return (names.size() == 1 ? "model " : "models ") + binding::Listed(names);
}

CLI::Option* AddPriors(CLI::App& verb, std::vector<std::string>& target) {
  return verb
      .add_option("--prior", target,
                  "An earlier release that readers have (" + Of(contract::Extra::kPriors) +
                      "); once for each. Policies call "
                      "them prior, prior2, … in this order, or by their names with NAME=FILE.")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

std::vector<binding::PriorFile> Priors(const std::vector<std::string>& texts) {
  std::vector<binding::PriorFile> priors;
  for (const std::string& text : texts) priors.push_back(binding::ParsePrior(text));
  return priors;
}

CLI::Option* AddInput(CLI::App& verb, const std::string& name, std::string& target,
                      const std::string& description) {
  AllowUnpacking(verb, name);
  return verb.add_option(name, target, description)->required();
}

CLI::Option* AddInputs(CLI::App& verb, const std::string& name, std::vector<std::string>& target,
                       const std::string& description) {
  AllowUnpacking(verb, name);
  return verb.add_option(name, target, description);
}

}  // namespace reissue::cli
