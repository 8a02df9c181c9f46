#include "reissue/engine/explore.h"

#include <charconv>
#include <iterator>
#include <memory>

#include "cli/options.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/render/explore.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

constexpr std::uint64_t kMostReleases = 200;
constexpr std::uint64_t kMostDraws = 100;

// The settings that can be varied, each with its option.
struct Varied {
  const char* key;
  const char* value;
  const char* what;
  std::vector<std::string> words = {};  // none: numbers
};
const Varied kVaried[] = {
    {"k", "N,N", "Rows of a group, at least: several numbers."},
    {"distinct", "N,N", "Distinct sensitive values in a group, at least."},
    {"entropy", "X,X", "Entropy ℓ-diversity, at least."},
    {"alpha", "X,X", "Share of one sensitive value in a group, at most."},
    {"confidence", "X,X", "Bound for every sensitive value."},
    {"t", "X,X", "t-closeness, at most."},
    {"beta", "X,X", "β-likeness, at most."},
    {"recoding", "WORD,WORD", "global, local.", {"global", "local"}},
    {"suppression", "X,X", "Rows that may be left out or starred: shares or numbers."},
    {"score",
     "WORD,WORD",
     "What to lose little of: discernibility, distortion, loss, class.",
     {"discernibility", "distortion", "loss", "class"}},
    {"search",
     "WORD,WORD",
     "How to search: default, greedy, paper, optimal.",
     {"default", "greedy", "paper", "optimal"}},
};

struct ExploreOptions {
  contract::PublishRequest publish;
  std::vector<std::string> values = std::vector<std::string>(std::size(kVaried));
  std::optional<std::uint64_t> budget;
  std::uint64_t forecast = 0;  // 0: a grid
  std::string growth;
  std::uint64_t draws = 3;
  std::string out;
  bool no_passphrase = false;
};

// A number where it is one.
io::Setting SettingOf(const std::string& text) {
  io::Setting setting;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, setting.number);
  if (failed == std::errc() && stop == end) {
    setting.integer = text.find_first_not_of("0123456789") == std::string::npos;
    return setting;
  }
  setting.number = 0;
  setting.kind = io::Setting::Kind::kText;
  setting.text = text;
  return setting;
}

Result<std::vector<contract::Choice>> ChoicesOf(const ExploreOptions& options) {
  std::vector<contract::Choice> choices;
  for (std::size_t i = 0; i < std::size(kVaried); ++i) {
    std::string_view rest = options.values[i];
    if (rest.empty()) continue;
    contract::Choice choice{kVaried[i].key, {}};
    while (true) {
      const std::size_t comma = rest.find(',');
      const std::string item(rest.substr(0, comma));
      if (item.empty()) {
        return UsageError(std::string("--") + choice.key + " has nothing between two commas",
                          "Give values with a comma between them, for example 2,5,10.");
      }
      choice.values.push_back(SettingOf(item));
      const bool number = choice.values.back().kind == io::Setting::Kind::kNumber;
      if (kVaried[i].words.empty() && !number) {
        return UsageError(
            std::string("--") + choice.key + ": expected numbers, not \"" + item + "\"",
            "Give numbers with a comma between them, for example 2,5,10.");
      }
      const std::string wrong = kVaried[i].words.empty() ? "" : NotAmong(item, kVaried[i].words);
      if (!wrong.empty()) {
        return UsageError(std::string("--") + choice.key + ": " + wrong,
                          "Give such words, with a comma between them.");
      }
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

// "500" or "5%".
Status ReadGrowth(const std::string& text, contract::ForecastRequest& request) {
  if (text.empty()) return Ok();
  const bool percent = text.ends_with('%');
  const io::Setting number = SettingOf(percent ? text.substr(0, text.size() - 1) : text);
  const bool sound = number.kind == io::Setting::Kind::kNumber && number.number > 0 &&
                     (percent ? number.number <= 1000 : number.integer && number.number <= 1e9);
  if (!sound) {
    return UsageError("--growth must be a number of rows or a share: \"" + text + "\" is neither",
                      "For example 500, or 5%.");
  }
  if (percent) {
    request.share = number.number / 100;
  } else {
    request.rows = static_cast<std::uint64_t>(number.number);
  }
  return Ok();
}

Status CheckOut(const ExploreOptions& options) {
  const std::string& out = options.out;
  if (out.empty() || out.ends_with(".svg") || out.ends_with(".csv") || out.ends_with(".json")) {
    return Ok();
  }
  return UsageError("\"" + out + "\" says not what to write",
                    "Give --out a name that ends in .svg, .csv or .json.");
}

template <typename Report>
Result<int> Show(const Report& report, const ExploreOptions& options, Session& session) {
  if (!options.out.empty()) {
    REISSUE_TRY(io::WriteAtomically(session.context().files, options.out,
                                    FileOf(report, options.out), /*owner_only=*/true,
                                    /*replace=*/true));
  }
  REISSUE_TRY(Print(session, report));
  return kDone;
}

Result<int> RunExplore(ExploreOptions& options, Session& session) {
  contract::PublishRequest& publish = options.publish;
  REISSUE_TRY(CheckOut(options));
  REISSUE_TRY(OneStandardInput({publish.policy, publish.table}));
  binding::Context& context = session.context();
  const bool begun = !publish.vault.empty();
  if (begun) {
    REISSUE_TRY(ledger::Vault::PolicyOf(context.files, publish.vault));  // or there is none
  } else if (publish.policy.empty()) {
    return UsageError("explore: --policy is required",
                      "Only the vault of a series knows its policy.");
  }
  const std::vector<contract::Choice> choices = REISSUE_TRY(ChoicesOf(options));
  if (options.forecast > 0 && !choices.empty()) {
    return UsageError(
        "a forecast is about the policy as it is: --" + choices[0].key + " belongs to a grid",
        "Explore the grid without --forecast.");
  }
  publish.seed = session.seed;
  publish.created = "1970-01-01T00:00:00Z";  // of nothing that is kept
  if (begun) {
    publish.passphrase = REISSUE_TRY(AskPassphrase(session, publish.vault, options.no_passphrase));
  }
  if (options.forecast > 0) {
    contract::ForecastRequest request;
    request.publish = publish;
    request.releases = static_cast<std::uint32_t>(options.forecast);
    request.draws = static_cast<std::uint32_t>(options.draws);
    REISSUE_TRY(ReadGrowth(options.growth, request));
    const contract::ForecastReport report = REISSUE_TRY(engine::Forecast(request, context));
    return Show(report, options, session);
  }
  contract::ExploreRequest request;
  request.publish = publish;
  request.servers = REISSUE_TRY(session.ServersToShow());
  request.choices = choices;
  if (options.budget) request.budget = static_cast<double>(*options.budget);
  const contract::ExploreReport report = REISSUE_TRY(engine::Explore(request, context));
  return Show(report, options, session);
}

}  // namespace

void AddExplore(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "explore",
      "Say what is lost against what is promised, before anything is published.\n\n"
      "Releases of one table are planned over a grid of settings. Each is told with what it "
      "promises, the detail that it loses, the rows that it hides, its smallest group, and how it "
      "is published. Those on the frontier are marked: no other one promises at least as much in "
      "everything and loses less; and so is the frontier's knee. Without options the grid is a "
      "small one around the policy. With the vault of a series that has begun, the next release "
      "is explored, of which only --score and --search can be chosen (" +
          Of(contract::Extra::kExplore) +
          ").\n\n--forecast says instead what the next releases of a series will cost, and when "
          "one will be refused: an estimate, from newcomers who are drawn from the table's own "
          "rows.\n\nNothing is recorded, and nothing is written but what --out names. What is "
          "told is for you alone: it tells of groups that a release would hide.",
      "reissue explore --policy hospital.toml patients.csv --out frontier.svg\n"
      "reissue explore --policy hospital.toml patients.csv --k 3,5,10 --suppression 0,0.02,0.05\n"
      "reissue explore --vault vault with-newcomers.csv --forecast 12 --growth 5%");
  auto options = std::make_shared<ExploreOptions>();
  contract::PublishRequest& publish = options->publish;
  AddText(*verb, "--policy", publish.policy, "POLICY",
          "The policy (TOML). Default: that of the vault.");
  AddText(*verb, "--vault", publish.vault, "DIR",
          "The vault of a series that has begun: the next release is explored.");
  AddServers(*verb, session);
  for (std::size_t i = 0; i < std::size(kVaried); ++i) {
    AddText(*verb, std::string("--") + kVaried[i].key, options->values[i], kVaried[i].value,
            kVaried[i].what);
  }
  AddNumber(*verb, "--budget", options->budget,
            "Seconds of searching for each point. Default: what the policy says, 1 at most.");
  AddNumber(*verb, "--forecast", options->forecast,
            "Instead of a grid: the next N releases of a series, for example 12.", 1,
            kMostReleases);
  AddText(*verb, "--growth", options->growth, "ROWS|PERCENT%",
          "Newcomers of each release, for --forecast. Default: as the series has grown, else what "
          "the policy's `growth` says, else 10%.");
  AddNumber(*verb, "--draws", options->draws,
            "How often newcomers are drawn, for --forecast. Default: 3.", 1, kMostDraws);
  AddText(*verb, "--out", options->out, "FILE",
          "Also write a figure (.svg) or all numbers (.csv, .json), readable by its owner alone.");
  verb->add_flag("--no-passphrase", options->no_passphrase, "The vault has no passphrase.");
  AddSeed(*verb, session, "Search, and draw newcomers, by this number. Default: 1.");
  AddInput(*verb, "TABLE", publish.table, "The table (CSV, or with -d of a server); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunExplore(*options, session); };
  });
}

}  // namespace reissue::cli
