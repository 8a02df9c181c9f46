#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <set>

#include "reissue/binding/rows.h"
#include "reissue/contract/table_release.h"
#include "reissue/core/random.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/explore.h"
#include "reissue/engine/models.h"
#include "reissue/engine/publish.h"
#include "reissue/io/csv.h"
#include "reissue/io/rehearsal.h"

namespace reissue::engine {
namespace {

using contract::ForecastReport;
using contract::ForecastRequest;
using Rests = ForecastReport::Rests;

// Newcomers per row, where nobody says anything else.
constexpr double kGuess = 0.1;
constexpr std::uint64_t kForecastSeed = 1;
constexpr std::uint64_t kMostRows = 100'000'000;

// The table with newcomers: rows that are drawn, each under a new identifier.
class Growing {
 public:
  static Result<Growing> Read(const io::Policy& policy, const std::string& path,
                              binding::Context& context) {
    io::CsvOptions options = policy.csv;
    options.skip_columns.clear();
    options.digest = false;
    io::CsvFile file = REISSUE_TRY(binding::ReadRows(path, options, context));
    return Growing(policy, std::move(file));
  }

  // As a file that reads like the one the rows came from.
  const std::string& text() const { return text_; }
  std::uint64_t rows() const { return rows_; }

  void Draw(std::uint64_t newcomers, Random& random) {
    for (std::uint64_t i = 0; i < newcomers; ++i) {
      Append(RowId(random.Below(file_.table.rows())), NewIdentifier());
    }
    rows_ += newcomers;
  }

 private:
  Growing(const io::Policy& policy, io::CsvFile file) : file_(std::move(file)) {
    for (const io::PolicyColumn* column : policy.WithRole(io::Role::kIdentifier)) {
      const auto id = file_.table.Find(column->name);
      if (!id) continue;
      identifiers_.insert(id->index());
      for (const std::string_view text : file_.table[*id].dictionary().strings()) {
        taken_.emplace(text);
      }
    }
    if (policy.csv.header) {
      for (std::size_t c = 0; c < file_.header.size(); ++c) {
        if (c > 0) text_ += file_.separator;
        io::AppendField(text_, file_.header[c], file_.separator);
      }
      text_ += '\n';
    }
    rows_ = file_.table.rows();
    for (std::uint64_t row = 0; row < rows_; ++row) Append(RowId(row), "");
  }

  std::string NewIdentifier() {
    std::string name;
    do {
      name = fmt::format("forecast-{}", ++drawn_);
    } while (taken_.contains(name));
    return name;
  }

  void Append(RowId row, const std::string& identifier) {
    for (std::size_t c = 0; c < file_.table.width(); ++c) {
      if (c > 0) text_ += file_.separator;
      const bool instead = !identifier.empty() && identifiers_.contains(c);
      io::AppendField(text_, instead ? identifier : file_.table[ColumnId(c)].text(row),
                      file_.separator);
    }
    text_ += '\n';
  }

  io::CsvFile file_;
  std::set<std::size_t> identifiers_;
  std::set<std::string, std::less<>> taken_;
  std::string text_;
  std::uint64_t rows_ = 0, drawn_ = 0;
};

// How many come each time, and who says so.
void SayGrowth(const ForecastRequest& request, const io::Policy& policy,
               const std::vector<ledger::ReleaseRecord>& history, ForecastReport& report) {
  const io::Setting* growth = policy.Get("growth");
  if (request.rows || request.share) {
    report.rests = Rests::kAsked;
    report.newcomers = request.rows.value_or(0);
    report.share = request.share.value_or(0);
  } else if (history.size() > 1 && history.back().rows > history.front().rows) {
    report.rests = Rests::kHistory;
    const auto grown = static_cast<double>(history.back().rows - history.front().rows);
    report.newcomers = static_cast<std::uint64_t>(
        std::max(1.0, std::round(grown / static_cast<double>(history.size() - 1))));
  } else if (growth != nullptr && growth->kind == io::Setting::Kind::kNumber) {
    report.rests = Rests::kPolicy;
    report.share = growth->number;
  } else {
    report.rests = Rests::kGuess;
    report.share = kGuess;
  }
}

std::uint64_t NewcomersOf(const ForecastReport& report, std::uint64_t rows) {
  if (report.newcomers > 0) return report.newcomers;
  return static_cast<std::uint64_t>(std::round(report.share * static_cast<double>(rows)));
}

class Drawing {
 public:
  Drawing(const ForecastRequest& request, const ForecastReport& report, binding::Context& context)
      : request_(request), report_(report), context_(context) {}

  // One future of the series, to its end or to where it is refused.
  Result<ForecastReport::Draw> Play(Growing table, Random random) {
    io::RehearsalFiles files(context_.files);
    Progress quiet;
    // Tables that grow are files, wherever their rows came from: no catalog.
    binding::Context stage{files, context_.pool, quiet};
    stage.server = context_.server;
    stage.duckdb = context_.duckdb;
    contract::Rehearsal rehearsal;
    ForecastReport::Draw draw;
    for (std::uint32_t i = 0; i < request_.releases; ++i) {
      const std::uint64_t before = table.rows();
      if (i > 0) table.Draw(NewcomersOf(report_, before), random);
      if (table.rows() > kMostRows) {
        return UsageError(fmt::format("the table would grow beyond {} rows", kMostRows),
                          "Forecast fewer releases, or less growth.");
      }
      contract::PublishRequest publish = request_.publish;
      publish.measure_all = false;
      publish.out = fmt::format("(forecast {})", i + 1);
      publish.table = publish.out + ".table";
      publish.seed = DeriveSeed(report_.seed, i);
      files.Put(publish.table, table.text());
      const auto begin = std::chrono::steady_clock::now();
      const auto made = Publish(publish, stage, &rehearsal);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      context_.progress.Advance(1);
      if (!made) {
        // What is wrong with the table itself, or with the call, is no forecast.
        if (i == 0 && made.error().code != ErrorCode::kPromise) return made.error();
        draw.refused = made.error();
        draw.refused->place.reset();
        break;
      }
      (void)files.Remove(publish.table);
      draw.releases.push_back({made->rows_in, made->newcomers.value_or(table.rows() - before),
                               made->loss, made->set_aside, seconds.count()});
    }
    return draw;
  }

 private:
  const ForecastRequest& request_;
  const ForecastReport& report_;
  binding::Context& context_;
};

}  // namespace

Result<ForecastReport> Forecast(const ForecastRequest& request, binding::Context& context) {
  const contract::PublishRequest& publish = request.publish;
  ForecastReport report;
  report.policy =
      REISSUE_TRY(contract::PolicyPath(publish.policy, publish.vault, publish.passphrase, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, report.policy));
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  report.model = bound.model->traits().name;
  if (!bound.model->traits().series) {
    return UsageError(
        fmt::format("model \"{}\" judges one release: there are no later ones to forecast",
                    report.model),
        fmt::format("A forecast is for tables that are published again and again: {}.",
                    SeriesModels()));
  }
  std::vector<ledger::ReleaseRecord> history;
  if (!publish.vault.empty() && ledger::Vault::Exists(context.files, publish.vault)) {
    io::RehearsalFiles files(context.files);
    ledger::Vault vault = REISSUE_TRY(ledger::Vault::Rehearse(
        files, publish.vault, publish.passphrase, contract::AskServer(context)));
    history = REISSUE_TRY(vault.History());
    report.vault = publish.vault;
  }
  report.table = publish.table;
  report.first = static_cast<std::uint32_t>(history.size()) + 1;
  report.draws = request.draws;
  report.seed = publish.seed.value_or(kForecastSeed);
  SayGrowth(request, policy, history, report);
  const Growing table = REISSUE_TRY(Growing::Read(policy, publish.table, context));
  context.progress.Begin("playing releases", std::uint64_t{request.releases} * request.draws);
  Drawing drawing(request, report, context);
  for (std::uint32_t i = 0; i < request.draws; ++i) {
    ForecastReport::Draw draw =
        REISSUE_TRY(drawing.Play(table, Random::Seeded(DeriveSeed(report.seed, 1000 + i))));
    report.results.push_back(std::move(draw));
  }
  return report;
}

}  // namespace reissue::engine
