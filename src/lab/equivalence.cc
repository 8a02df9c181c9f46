#include "reissue/lab/equivalence.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "reissue/core/random.h"
#include "reissue/lab/census.h"
#include "reissue/lab/changing.h"
#include "reissue/models/invariance/adversary/attack.h"

namespace reissue::lab {
namespace {

namespace invariance = models::invariance;
using invariance::Rule;

constexpr double kPaperBatch = 20'000;  // rows for which the slopes are given
constexpr double kPaperValues = 50;

const char* RuleName(Rule rule) {
  switch (rule) {
    case Rule::kPlain:
      return "plain";
    case Rule::kPaper:
      return "paper";
    case Rule::kExact:
      return "exact";
  }
  return "";
}

// One table with everything that is measured on it.
class ChangingStudy {
 public:
  ChangingStudy(CensusTable table, const EquivalenceOptions& options, binding::Context& context,
                EquivalenceReport& report)
      : table_(std::move(table)), options_(options), context_(context), report_(report) {
    // As in the paper: a third is there at first, and all are used up in the end.
    updates_.first = table_.rows.values.size() / 3;
    updates_.replace = table_.rows.values.size() / 3 * 2 / std::max<std::uint64_t>(1, kSteps);
    updates_.releases = options.releases;
    updates_.seed = options.seed;
  }

  Status Run() {
    report_.tables.push_back(
        {table_.name, table_.rows.values.size(), updates_.first, updates_.replace});
    REISSUE_TRY(MakeStreams());
    PlanRuns();
    REISSUE_TRY(Publish());
    Attack();
    Ask();
    return Ok();
  }

 private:
  static constexpr std::uint64_t kSteps = 20;  // D - d = 20 · r, whatever the number of releases

  struct Task {
    std::size_t stream = 0;
    invariance::PublishOptions options;
    std::optional<double> skew;
    bool keep_rows = false;
    std::optional<ChangingRun> run;
    std::optional<Error> error;
  };

  // The random one, then one per slope.
  Status MakeStreams() {
    auto random =
        REISSUE_TRY(simulate::MakeUpdates(table_.rows.values, table_.value_count, updates_));
    streams_.push_back(std::move(random));
    for (const double skew : options_.skews) {
      simulate::UpdateOptions skewed = updates_;
      const double scale = static_cast<double>(updates_.replace) / kPaperBatch *
                           (kPaperValues / table_.value_count) *
                           (kPaperValues / table_.value_count);
      skewed.skew =
          std::min(skew * scale, simulate::LargestSkew(table_.value_count, updates_.replace));
      auto stream =
          REISSUE_TRY(simulate::MakeUpdates(table_.rows.values, table_.value_count, skewed));
      streams_.push_back(std::move(stream));
    }
    return Ok();
  }

  void Add(std::size_t stream, Rule rule, std::uint64_t e, std::optional<double> skew,
           bool keep_rows = false) {
    Task task;
    task.stream = stream;
    task.options.m = options_.m;
    task.options.e = e;
    task.options.rule = rule;
    task.options.seed = options_.seed;
    task.skew = skew;
    task.keep_rows = keep_rows;
    tasks_.push_back(std::move(task));
  }

  void PlanRuns() {
    Add(0, Rule::kPlain, 1, {}, /*keep_rows=*/true);
    for (const std::uint64_t e : options_.es) {
      Add(0, Rule::kExact, e, {}, /*keep_rows=*/e == options_.e);
      Add(0, Rule::kPaper, e, {});
    }
    for (std::size_t i = 0; i < options_.skews.size(); ++i) {
      Add(i + 1, Rule::kPlain, 1, options_.skews[i]);
      Add(i + 1, Rule::kExact, options_.e, options_.skews[i]);
      Add(i + 1, Rule::kPaper, options_.e, options_.skews[i]);
    }
  }

  // Each run has one thread to itself and is measured by the processor time of that.
  Status Publish() {
    context_.progress.Begin("publishing " + table_.name, tasks_.size());
    context_.pool.Run(tasks_.size(), [&](std::size_t i) {
      Task& task = tasks_[i];
      auto run = RunChanging(table_, streams_[task.stream], task.options, task.keep_rows);
      if (run) {
        task.run = std::move(run).value();
      } else {
        task.error = std::move(run).error();
      }
      context_.progress.Advance(1);
    });
    for (const Task& task : tasks_) {
      if (task.error) return *task.error;
      const ChangingRun& run = *task.run;
      EquivalenceRun entry;
      entry.table = table_.name;
      entry.rule = RuleName(task.options.rule);
      entry.e = task.options.e;
      entry.skew = task.skew;
      entry.counterfeits = run.counterfeits;
      entry.new_counterfeits = run.new_counterfeits;
      entry.buckets = run.buckets;
      entry.seconds = std::accumulate(run.seconds.begin(), run.seconds.end(), 0.0);
      entry.slowest = *std::max_element(run.seconds.begin(), run.seconds.end());
      report_.runs.push_back(std::move(entry));
    }
    return Ok();
  }

  const ChangingRun* Kept(Rule rule) const {
    for (const Task& task : tasks_) {
      if (task.keep_rows && task.options.rule == rule) return &*task.run;
    }
    return nullptr;
  }

  // After which releases the attacker is looked at.
  std::vector<std::size_t> Moments(std::size_t last) const {
    std::vector<std::size_t> moments;
    for (const std::size_t at : {1, 2, 3, 4, 5, 10, 15}) {
      if (at < last) moments.push_back(at);
    }
    moments.push_back(last);
    return moments;
  }

  void Attack() {
    const std::size_t all = streams_[0].tables.size();
    struct Seen {
      Rule rule;
      Form form;
      const char* name;
      std::size_t last;
    };
    for (const Seen& seen : {Seen{Rule::kPlain, Form::kPartitions, "partitions",
                                  std::min(all, options_.fine_releases)},
                             Seen{Rule::kPlain, Form::kBuckets, "buckets", all},
                             Seen{Rule::kExact, Form::kBuckets, "exact", all}}) {
      const ChangingRun* run = Kept(seen.rule);
      if (run == nullptr) continue;
      invariance::Series series = SeriesOf(table_, *run, seen.form, seen.last);
      std::vector<std::size_t> moments = Moments(seen.last);
      // From the last one backwards, so that the series need not be copied.
      std::vector<EquivalenceAttack> found;
      for (auto at = moments.rbegin(); at != moments.rend(); ++at) {
        series.releases.resize(*at);
        found.push_back(AttackOn(series, seen.name));
      }
      report_.attacks.insert(report_.attacks.end(), found.rbegin(), found.rend());
    }
  }

  EquivalenceAttack AttackOn(const invariance::Series& series, const char* form) {
    invariance::AttackOptions asked;
    asked.m = options_.m;
    asked.e = options_.e;
    asked.worst = 0;  // they are counted, not named
    const invariance::Findings findings =
        invariance::Attack(series, asked, context_.pool, context_.progress);
    EquivalenceAttack attack;
    attack.table = table_.name;
    attack.form = form;
    attack.releases = static_cast<std::uint32_t>(series.releases.size());
    attack.exposed = findings.exposed_by_equivalence;
    attack.complete = findings.exposed_complete;
    attack.lower = findings.lower;
    attack.upper = findings.upper;
    attack.least_values = findings.least_values;
    return attack;
  }

  void Ask() {
    const std::size_t last = streams_[0].tables.size() - 1;
    const metrics::CodedTable raw = TableOf(table_, streams_[0], last);
    std::vector<std::vector<metrics::CountQuery>> queries;
    for (const double selectivity : options_.selectivities) {
      queries.push_back(metrics::RandomQueries(raw, table_.domain, selectivity, options_.queries,
                                               DeriveSeed(options_.seed, queries.size())));
    }
    struct Shown {
      Rule rule;
      Form form;
      bool exact;
      const char *name, *shown;
    };
    for (const Shown& shown :
         {Shown{Rule::kPlain, Form::kPartitions, true, "partitions", "anatomy"},
          Shown{Rule::kExact, Form::kBuckets, true, "buckets", "anatomy"},
          Shown{Rule::kPlain, Form::kPartitions, false, "partitions", "ranges"},
          Shown{Rule::kExact, Form::kBuckets, false, "buckets", "ranges"}}) {
      const ChangingRun* run = Kept(shown.rule);
      if (run == nullptr) continue;
      const metrics::CodedRelease release = LatestRelease(table_, *run, shown.form, shown.exact);
      std::vector<metrics::QueryError> errors(queries.size());
      context_.pool.Run(queries.size(), [&](std::size_t i) {
        errors[i] = metrics::RelativeError(raw, release, queries[i], options_.selectivities[i]);
      });
      for (const metrics::QueryError& error : errors) {
        report_.queries.push_back(
            {table_.name, shown.name, shown.shown, error.selectivity, error.mean, error.median});
      }
    }
  }

  CensusTable table_;
  const EquivalenceOptions& options_;
  binding::Context& context_;
  EquivalenceReport& report_;
  simulate::UpdateOptions updates_;
  std::vector<simulate::UpdateStream> streams_;
  std::vector<Task> tasks_;
};

}  // namespace

Result<EquivalenceReport> RunEquivalence(const EquivalenceOptions& options,
                                         binding::Context& context) {
  EquivalenceReport report;
  report.options = options;
  if (options.census.empty()) {
    report.left_out.push_back("Real census records: no file was named (--census).");
  } else {
    const std::vector<CensusTable> tables =
        REISSUE_TRY(LoadCensus(options.census, "Census", context));
    for (const CensusTable& table : tables) {
      ChangingStudy study(table, options, context, report);
      REISSUE_TRY(study.Run());
    }
  }
  if (options.simulated == 0) return report;
  for (const char* kind : {"occ", "sal"}) {
    ChangingStudy study(SimulatedCensus(kind, options.simulated, options.seed), options, context,
                        report);
    REISSUE_TRY(study.Run());
  }
  return report;
}

const EquivalenceRun* FindRun(const EquivalenceReport& report, const std::string& table,
                              const std::string& rule, std::uint64_t e,
                              std::optional<double> skew) {
  for (const EquivalenceRun& run : report.runs) {
    if (run.table == table && run.rule == rule && run.e == e && run.skew == skew) return &run;
  }
  return nullptr;
}

std::uint64_t Total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::uint64_t Most(const std::vector<std::uint64_t>& counts) {
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

}  // namespace reissue::lab
