#include "reissue/engine/explore.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/words.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/frontier.h"
#include "reissue/engine/models.h"
#include "reissue/engine/raw_tables.h"
#include "reissue/io/rehearsal.h"

namespace reissue::engine {
namespace {

using contract::Axis;
using contract::Choice;
using contract::ExploreReport;
using Point = ExploreReport::Point;

constexpr std::size_t kMostPoints = 1000;
// Seconds of searching a point, where nothing else is said.
constexpr double kBudget = 1;
constexpr char kNowhere[] = "(explore)";
// Of policies that say nothing.
constexpr double kPolicyBudget = 3;

// Settings that `publish` can be given for one release.
bool IsOption(const std::string& key) { return key == "score" || key == "search"; }

void Set(io::Policy& policy, const std::string& key, const io::Setting& setting) {
  for (auto& [name, value] : policy.guarantee) {
    if (name != key) continue;
    const std::uint64_t line = value.line;
    value = setting;
    value.line = line;
    return;
  }
  policy.guarantee.emplace_back(key, setting);
}

std::string Keys(const std::vector<Axis>& axes) {
  std::vector<std::string> keys;
  for (const Axis& axis : axes) keys.push_back("--" + axis.key);
  return binding::Listed(keys);
}

// A point that was asked for and makes no promise: the options are to be changed, not the policy.
Error NotPossible(const std::vector<Axis>& axes, const std::vector<io::Setting>& settings,
                  const Error& why) {
  std::string options;
  for (std::size_t x = 0; x < settings.size(); ++x) {
    options += fmt::format(
        " --{} {}", axes[x].key,
        settings[x].kind == io::Setting::Kind::kText ? settings[x].text : SettingText(settings[x]));
  }
  return UsageError(fmt::format("explore{}: {}", options, why.message),
                    "Give another value, or leave the option out.");
}

// The axes that vary, each with what is to be tried.
Result<std::vector<Axis>> Varied(const contract::Model& model, const io::Policy& policy,
                                 const std::vector<Choice>& choices, bool begun) {
  std::vector<Axis> axes = model.Axes(policy);
  for (const Choice& choice : choices) {
    if (std::ranges::find(axes, choice.key, &Axis::key) == axes.end()) {
      return UsageError(
          fmt::format("model \"{}\" has no `{}` to explore", model.traits().name, choice.key),
          fmt::format("Leave --{} out, or explore {}.", choice.key, Keys(axes)));
    }
  }
  std::vector<Axis> varied;
  for (Axis& axis : axes) {
    const auto choice = std::ranges::find(choices, axis.key, &Choice::key);
    if (choice != choices.end()) {
      if (begun && !axis.later) {
        return UsageError(
            fmt::format("`{}` cannot be chosen any more: the series has begun with its policy",
                        axis.key),
            "Leave --vault out to explore the first release of a new series, or explore --score "
            "and --search.");
      }
      axis.grid = choice->values;
    } else if (!choices.empty() || begun) {
      continue;
    }
    if (!axis.grid.empty()) varied.push_back(std::move(axis));
  }
  return varied;
}

// Every combination, the last axis first.
std::vector<std::vector<io::Setting>> Product(const std::vector<Axis>& axes) {
  std::vector<std::vector<io::Setting>> all = {{}};
  for (const Axis& axis : axes) {
    std::vector<std::vector<io::Setting>> longer;
    for (const auto& settings : all) {
      for (const io::Setting& setting : axis.grid) {
        longer.push_back(settings);
        longer.back().push_back(setting);
      }
      if (longer.size() > kMostPoints) break;
    }
    all = std::move(longer);
  }
  return all;
}

// How the release of a point is published.
void Describe(const ExploreReport& report, const io::Policy& policy,
              const contract::ExploreRequest& explored, bool says_budget, Point& point) {
  const contract::PublishRequest& request = explored.publish;
  std::string options;
  for (const std::string& server : explored.servers) options += " -d " + ShellWord(server);
  const Point& made = report.points[point.taken];
  for (std::size_t x = 0; x < report.axes.size(); ++x) {
    const std::string& key = report.axes[x].key;
    const std::string text = SettingText(made.settings[x]);
    if (IsOption(key)) {
      options += fmt::format(" --{} {}", key, made.settings[x].text);
      continue;
    }
    const io::Setting* own = policy.Get(key);
    const bool absent = own == nullptr && (text == "0" || text == "\"global\"");
    if (absent || (own != nullptr && SettingText(*own) == text)) continue;
    point.lines.push_back(fmt::format("{} = {}", key, text));
  }
  if (says_budget) options += fmt::format(" --budget {}", report.budget);
  if (request.seed) options += fmt::format(" --seed {}", *request.seed);
  point.command =
      fmt::format("reissue publish --vault {} --policy {}{} {} --out {}",
                  request.vault.empty() ? "VAULT" : ShellWord(request.vault),
                  ShellWord(report.policy), options, ShellWord(request.table), "RELEASE.csv");
}

}  // namespace

std::string SettingText(const io::Setting& setting) {
  if (setting.kind == io::Setting::Kind::kText) return fmt::format("\"{}\"", setting.text);
  return fmt::format("{}", setting.number);
}

Result<ExploreReport> Explore(const contract::ExploreRequest& request, binding::Context& context) {
  const contract::PublishRequest& publish = request.publish;
  ExploreReport report;
  report.policy =
      REISSUE_TRY(contract::PolicyPath(publish.policy, publish.vault, publish.passphrase, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, report.policy));
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  REISSUE_TRY(Takes(*bound.model, contract::Extra::kExplore, "a grid of `explore`",
                    "`publish --dry-run` tries one release of any model; `explore --forecast` "
                    "looks ahead for a series."));
  const bool begun = !publish.vault.empty() && ledger::Vault::Exists(context.files, publish.vault);
  report.axes = REISSUE_TRY(Varied(*bound.model, policy, request.choices, begun));
  const auto product = Product(report.axes);
  if (product.size() > kMostPoints) {
    return UsageError(fmt::format("the grid has more than {} points", kMostPoints),
                      "Choose fewer values.");
  }
  const io::Setting* own_budget = policy.Get("budget");
  const double promised = own_budget != nullptr ? own_budget->number : kPolicyBudget;
  report.budget = request.budget.value_or(std::min(promised, kBudget));
  std::vector<contract::PromisePtr> promises;
  for (const std::vector<io::Setting>& settings : product) {
    io::Policy changed = policy;
    for (std::size_t x = 0; x < settings.size(); ++x) Set(changed, report.axes[x].key, settings[x]);
    io::Setting budget;
    budget.number = report.budget;
    Set(changed, "budget", budget);
    const Result<Bound> point = Bind(changed);
    if (!point) {
      // Of a default grid some combinations make no sense.
      if (request.choices.empty()) continue;
      return NotPossible(report.axes, settings, point.error());
    }
    promises.push_back(point->promise);
    report.points.emplace_back().settings = settings;
  }
  io::RehearsalFiles files(context.files);
  Progress quiet;
  binding::Context stage{files, context.pool, quiet, context.catalog};
  stage.server = context.server;
  stage.duckdb = context.duckdb;
  contract::PublishRequest played = publish;
  played.out = kNowhere;
  contract::Rehearsal rehearsal;
  const contract::PublishTask task{played, policy, bound.promise, bound.model, &rehearsal};
  const contract::Explored explored =
      REISSUE_TRY(bound.model->Explore({task, promises, context.progress}, stage));
  report.model = bound.model->traits().name;
  report.table = publish.table;
  report.vault = begun ? publish.vault : "";
  report.rows = explored.rows;
  report.release = explored.release;
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    report.points[i].tried = explored.points[i];
  }
  for (Axis& axis : report.axes) axis.grid.clear();
  FindFrontier(report);
  for (Point& point : report.points) {
    Describe(report, policy, request, promised != report.budget, point);
  }
  return report;
}

}  // namespace reissue::engine
