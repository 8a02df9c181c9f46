#include "reissue/lab/growing.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reissue/lab/clock.h"
#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/publish.h"

namespace reissue::lab {
namespace {

namespace bcf = models::bcf;
namespace k = models::k;

struct Published {
  Cells cells;
  double cost = 0;
  bool optimal = false;
};

class Bench {
 public:
  Bench(const Tables& tables, const GrowingOptions& options, binding::Context& context)
      : tables_(tables), options_(options), context_(context) {}

  // A release by itself. Nothing where not even the root keeps the promise.
  Result<std::optional<Published>> Alone(const k::LeafCells& table, std::uint64_t k_asked,
                                         k::Search search) const {
    auto outcome =
        k::Publish(table, Asking(k_asked), Options(search), context_.pool, context_.progress);
    return Taken(table, std::move(outcome));
  }

  // A release after earlier ones.
  Result<std::optional<Published>> Next(const k::LeafCells& table, const std::vector<Cells>& past,
                                        std::uint64_t k_asked, k::Search search,
                                        bcf::Adversary adversary = bcf::Adversary::kExact) const {
    const bcf::Series earlier = REISSUE_TRY(bcf::Series::Make(tables_.taxonomies(), past));
    bcf::PublishOptions options;
    options.search = Options(search);
    options.adversary = adversary;
    auto outcome =
        bcf::Publish(table, earlier, Asking(k_asked), options, context_.pool, context_.progress);
    return Taken(table, std::move(outcome));
  }

  Result<bcf::Series> SeriesOf(const std::vector<Cells>& releases) const {
    return bcf::Series::Make(tables_.taxonomies(), releases);
  }

 private:
  static k::Guarantee Asking(std::uint64_t k_asked) {
    k::Guarantee guarantee;
    guarantee.k = k_asked;
    return guarantee;
  }
  k::PublishOptions Options(k::Search search) const {
    k::PublishOptions options;
    options.score = k::Score::kDiscernibility;  // the paper's
    options.search = search;
    options.budget_seconds = options_.budget_seconds;
    options.seed = options_.seed;
    options.compare = false;
    return options;
  }
  static Result<std::optional<Published>> Taken(const k::LeafCells& table,
                                                Result<k::Outcome> outcome) {
    if (!outcome) {
      if (outcome.error().code == ErrorCode::kPromise) return std::optional<Published>();
      return outcome.error();
    }
    return std::optional(
        Published{k::Recoded(table, outcome->cuts), outcome->cost, outcome->optimal});
  }

  const Tables& tables_;
  const GrowingOptions& options_;
  binding::Context& context_;
};

std::optional<double> CostOf(const std::optional<Published>& published) {
  return published ? std::optional(published->cost) : std::nullopt;
}

struct Case {
  std::size_t added = 0;
  std::string name;
  k::LeafCells whole, newcomers;
};

// The settings of one choice of the sensitive attributes.
class Section6 {
 public:
  Section6(const Adult& adult, const Choice& choice, const GrowingOptions& options,
           binding::Context& context, GrowingReport& report)
      : tables_(adult, choice),
        options_(options),
        bench_(tables_, options, context),
        report_(report),
        first_(tables_.Make(true, 0)) {
    for (const std::size_t asked : options.added) {
      Case one;
      one.added = asked == 0 ? adult.added.size() : asked;
      one.name = asked == 0 ? "allD2" : fmt::format("{}D2", asked);
      one.whole = tables_.Make(true, one.added);
      one.newcomers = tables_.Make(false, one.added);
      cases_.push_back(std::move(one));
    }
  }

  Status Run() {
    for (const std::uint64_t k_asked : options_.k) {
      const Clock clock;
      const auto first = REISSUE_TRY(bench_.Alone(first_, k_asked, k::Search::kPaper));
      report_.paper_seconds += clock.Seconds();
      if (!first) continue;
      for (const Case& one : cases_) {
        GrowingSetting setting;
        setting.choice = tables_.choice().name;
        setting.added = one.added;
        setting.case_name = one.name;
        setting.k = k_asked;
        REISSUE_TRY(AsInThePaper(one, *first, setting));
        REISSUE_TRY(Improved(one, *first, setting));
        report_.settings.push_back(std::move(setting));
      }
    }
    return Ok();
  }

 private:
  Status AsInThePaper(const Case& one, const Published& first, GrowingSetting& setting) {
    const Clock clock;
    const auto plain = REISSUE_TRY(bench_.Alone(one.whole, setting.k, k::Search::kPaper));
    if (plain) {
      const std::vector<Cells> both = {first.cells, plain->cells};
      const bcf::Series series = REISSUE_TRY(bench_.SeriesOf(both));
      const bcf::PairReport attack =
          bcf::AttackPair(series, bcf::Pair::Solve(series, 0, 1), setting.k);
      setting.forward = attack.forward.anonymity;
      setting.cross = attack.cross.anonymity;
      setting.backward = attack.backward.anonymity;
      setting.violated = !attack.satisfied;
      setting.plain_cost = plain->cost;
    }
    const auto alone = REISSUE_TRY(bench_.Alone(one.newcomers, setting.k, k::Search::kPaper));
    setting.alone_cost = CostOf(alone);
    const std::vector<Cells> past = {first.cells};
    const auto safe = REISSUE_TRY(bench_.Next(one.whole, past, setting.k, k::Search::kPaper));
    setting.safe_cost = CostOf(safe);
    report_.paper_seconds += clock.Seconds();
    return Ok();
  }

  Status Improved(const Case& one, const Published& first, GrowingSetting& setting) {
    const Clock clock;
    const std::vector<Cells> past = {first.cells};
    const auto greedy = REISSUE_TRY(bench_.Next(one.whole, past, setting.k, k::Search::kGreedy));
    setting.greedy_cost = CostOf(greedy);
    const auto best = REISSUE_TRY(bench_.Next(one.whole, past, setting.k, k::Search::kDefault));
    setting.improved_cost = CostOf(best);
    setting.proven = best && best->optimal;
    report_.improved_seconds += clock.Seconds();
    return Ok();
  }

  Tables tables_;
  const GrowingOptions& options_;
  Bench bench_;
  GrowingReport& report_;
  k::LeafCells first_;
  std::vector<Case> cases_;
};

// ---- the chain

enum class ChainKind { kPlain, kFormulas, kExact };

Result<Chain> RunChain(const Adult& adult, const Choice& choice, ChainKind kind,
                       const GrowingOptions& options, binding::Context& context) {
  const Tables tables(adult, choice);
  const Bench bench(tables, options, context);
  // The paper's formulas go with its search: its way to publish, nothing of ours.
  const k::Search search = kind == ChainKind::kExact ? k::Search::kDefault : k::Search::kPaper;
  Chain chain;
  std::vector<Cells> releases;
  double size = static_cast<double>(adult.first.size());
  for (std::size_t i = 0; i < options.chain; ++i) {
    const std::size_t people = static_cast<std::size_t>(size);
    const k::LeafCells table = tables.Make(true, people - adult.first.size());
    size *= 1 + options.chain_growth;
    ChainLink link;
    link.rows = table.cells.rows();
    const Clock clock;
    std::optional<Published> published;
    if (releases.empty() || kind == ChainKind::kPlain) {
      published = REISSUE_TRY(bench.Alone(table, options.chain_k, search));
    } else {
      const auto adversary =
          kind == ChainKind::kFormulas ? bcf::Adversary::kFormulas : bcf::Adversary::kExact;
      published = REISSUE_TRY(bench.Next(table, releases, options.chain_k, search, adversary));
    }
    link.seconds = clock.Seconds();
    link.cost = CostOf(published);
    if (!published) {
      chain.links.push_back(link);
      break;
    }
    releases.push_back(std::move(published->cells));
    const bcf::Series series = REISSUE_TRY(bench.SeriesOf(releases));
    const bcf::Formulas formulas(series);
    bcf::SeriesAttackOptions attack;
    attack.guarantee.k = options.chain_k;
    const bcf::SeriesAttackReport found = bcf::AttackSeries(series, formulas, attack);
    link.exact = found.anonymity;
    link.exposed = found.exposed.empty() ? 0 : found.exposed.back();
    chain.links.push_back(link);
  }
  return chain;
}

Status RunChains(const Adult& adult, const GrowingOptions& options, binding::Context& context,
                 GrowingReport& report) {
  if (options.chain == 0) return Ok();
  report.chain_k = options.chain_k;
  struct Kind {
    ChainKind kind;
    const char *name, *words;
  };
  for (const Choice& choice : PaperChoices()) {
    for (const Kind& kind :
         {Kind{ChainKind::kPlain, "plain", "each release by itself, the paper's search"},
          Kind{ChainKind::kFormulas, "formulas", "the paper's formulas for n releases, its search"},
          Kind{ChainKind::kExact, "exact", "the exact adversary, the default search"}}) {
      Chain chain = REISSUE_TRY(RunChain(adult, choice, kind.kind, options, context));
      chain.name = choice.name + " " + kind.name;
      chain.words = kind.words;
      report.chains.push_back(std::move(chain));
    }
  }
  return Ok();
}

void Compare(GrowingReport& report) {
  double sum = 0, least = std::numeric_limits<double>::infinity();
  std::size_t count = 0;
  for (const GrowingSetting& setting : report.settings) {
    if (!setting.safe_cost || !setting.improved_cost) continue;
    const double gain = *setting.safe_cost / *setting.improved_cost;
    sum += gain;
    least = std::min(least, gain);
    ++count;
  }
  if (count == 0) return;
  report.mean_gain = sum / static_cast<double>(count);
  report.least_gain = least;
}

// The settings of one choice and case, by k.
template <typename Pick>
Line LineOf(const GrowingReport& report, const std::string& choice, const std::string& case_name,
            const std::string& name, Pick&& pick) {
  Line line;
  line.name = name;
  for (const GrowingSetting& setting : report.settings) {
    if (setting.choice != choice || setting.case_name != case_name) continue;
    const std::optional<double> y = pick(setting);
    if (y) line.points.emplace_back(static_cast<double>(setting.k), *y);
  }
  return line;
}

std::vector<std::string> Distinct(const GrowingReport& report,
                                  std::string GrowingSetting::*member) {
  std::vector<std::string> names;
  for (const GrowingSetting& setting : report.settings) {
    if (std::find(names.begin(), names.end(), setting.*member) == names.end()) {
      names.push_back(setting.*member);
    }
  }
  return names;
}

std::optional<double> AsNumber(const std::optional<std::uint64_t>& number) {
  if (!number) return std::nullopt;
  return static_cast<double>(*number);
}

}  // namespace

Result<GrowingReport> RunGrowing(const AdultFiles& files, const GrowingOptions& options,
                                 binding::Context& context) {
  GrowingReport report;
  const Clock loading;
  const Adult adult = REISSUE_TRY(LoadAdult(files, context));
  report.load_seconds = loading.Seconds();
  for (const Choice& choice : PaperChoices()) {
    Section6 section(adult, choice, options, context, report);
    REISSUE_TRY(section.Run());
  }
  Compare(report);
  REISSUE_TRY(RunChains(adult, options, context, report));
  return report;
}

std::vector<Panel> FigureViolations(const GrowingReport& report) {
  std::vector<Panel> panels;
  const auto choices = Distinct(report, &GrowingSetting::choice);
  const auto cases = Distinct(report, &GrowingSetting::case_name);
  for (const bool backward : {false, true}) {
    for (const std::string& choice : choices) {
      Panel panel;
      panel.title = fmt::format("{}-anonymity, {}", backward ? "B" : "F", choice);
      panel.x_label = "k of each release by itself";
      panel.y_label = "rows left";
      for (const std::string& name : cases) {
        panel.lines.push_back(
            LineOf(report, choice, name, name, [&](const GrowingSetting& setting) {
              return AsNumber(backward ? setting.backward : setting.forward);
            }));
      }
      Line bound = LineOf(report, choice, cases[0], "promised", [](const GrowingSetting& setting) {
        return std::optional(static_cast<double>(setting.k));
      });
      bound.dashed = true;
      panel.lines.push_back(std::move(bound));
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

std::vector<Panel> FigureCosts(const GrowingReport& report) {
  std::vector<Panel> panels;
  for (const std::string& name : Distinct(report, &GrowingSetting::case_name)) {
    for (const std::string& choice : Distinct(report, &GrowingSetting::choice)) {
      Panel panel;
      panel.title = fmt::format("{}, {}", choice, name);
      panel.x_label = "k";
      panel.y_label = "discernibility";
      const auto add = [&](const char* line, auto&& pick) {
        panel.lines.push_back(LineOf(report, choice, name, line, pick));
      };
      add("safe R2, the paper's search", [](const GrowingSetting& s) { return s.safe_cost; });
      add("k-anonymous R2, unsafe",
          [](const GrowingSetting& s) { return std::optional(s.plain_cost); });
      add("k-anonymous D2 alone", [](const GrowingSetting& s) { return s.alone_cost; });
      add("safe R2, reissue", [](const GrowingSetting& s) { return s.improved_cost; });
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

std::string SettingsCsv(const GrowingReport& report) {
  std::string csv =
      "choice,case,added,k,F,C,B,violated,plain_cost,alone_cost,safe_paper_cost,safe_greedy_cost,"
      "safe_reissue_cost,proven_optimal\n";
  const auto text = [](const auto& number) {
    return number ? fmt::format("{}", *number) : std::string();
  };
  for (const GrowingSetting& s : report.settings) {
    csv +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", s.choice, s.case_name, s.added,
                    s.k, text(s.forward), text(s.cross), text(s.backward),
                    s.violated ? "yes" : "no", s.plain_cost, text(s.alone_cost), text(s.safe_cost),
                    text(s.greedy_cost), text(s.improved_cost), s.proven ? "yes" : "no");
  }
  return csv;
}

}  // namespace reissue::lab
