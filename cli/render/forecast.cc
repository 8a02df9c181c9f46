#include <algorithm>
#include <cstdio>
#include <functional>

#include "cli/render/explore.h"
#include "cli/render/figure.h"
#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/views.h"

namespace reissue::cli {
namespace {

using contract::ForecastReport;
using Future = ForecastReport::Draw;
using Foreseen = ForecastReport::Release;
using Rests = ForecastReport::Rests;

std::size_t LongestDraw(const ForecastReport& report) {
  std::size_t most = 0;
  for (const Future& draw : report.results) most = std::max(most, draw.releases.size());
  return most;
}

// Of the draws that came so far.
struct Span {
  double least = 0, most = 0, mean = 0;
  std::size_t draws = 0;
};
Span SpanOf(const ForecastReport& report, std::size_t release,
            const std::function<double(const Foreseen&)>& of) {
  Span span;
  for (const Future& draw : report.results) {
    if (draw.releases.size() <= release) continue;
    const double value = of(draw.releases[release]);
    span.least = span.draws == 0 ? value : std::min(span.least, value);
    span.most = span.draws == 0 ? value : std::max(span.most, value);
    span.mean += value;
    ++span.draws;
  }
  if (span.draws > 0) span.mean /= static_cast<double>(span.draws);
  return span;
}

double LossOf(const Foreseen& release) { return release.loss.value_or(0); }
double AsideOf(const Foreseen& release) { return static_cast<double>(release.aside); }
double SecondsOf(const Foreseen& release) { return release.seconds; }

bool KnowsLoss(const ForecastReport& report) {
  return std::ranges::any_of(report.results, [](const Future& draw) {
    return !draw.releases.empty() && draw.releases[0].loss.has_value();
  });
}

std::string FromTo(const Span& span, const std::function<std::string(double)>& words) {
  const std::string least = words(span.least), most = words(span.most);
  return least == most ? least : least + " to " + most;
}

std::string SecondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), seconds < 10 ? "%.2f s" : "%.0f s", seconds);
  return text;
}

std::string GrowthWords(const ForecastReport& report) {
  const std::string size =
      report.newcomers > 0
          ? Counted(report.newcomers, "newcomer", "newcomers") + " for each release"
          : "newcomers of " + Percent(report.share) + " of the rows for each release";
  switch (report.rests) {
    case Rests::kAsked:
      return size + ", as you say";
    case Rests::kHistory:
      return size + ", as the series has grown on average";
    case Rests::kPolicy:
      return size + ", as `growth` of the policy expects";
    case Rests::kGuess:
      break;
  }
  return size + ", a guess: say --growth";
}

std::string RestsText(const ForecastReport& report) {
  return "An estimate. Release " + Count(report.first) +
         " is the table itself. Those after it have " + GrowthWords(report) +
         ", drawn from the table's own rows, each with a new identifier (" +
         Counted(report.draws, "draw", "draws") + ", seed " + std::to_string(report.seed) +
         "): nobody leaves, nobody changes, and no value is new. Each was published on a copy of "
         "the series in memory and attacked as always.";
}

std::string RefusedText(const ForecastReport& report, const Style& style) {
  std::size_t refused = 0, soonest = 0, latest = 0;
  const Error* first = nullptr;
  for (const Future& draw : report.results) {
    if (!draw.refused) continue;
    const std::size_t at = draw.releases.size() + report.first;
    soonest = refused == 0 ? at : std::min(soonest, at);
    latest = std::max(latest, at);
    if (first == nullptr) first = &*draw.refused;
    ++refused;
  }
  if (refused == 0) {
    return Fill("No release is refused in any of " +
                Counted(report.results.size(), "draw", "draws") + ".");
  }
  const std::string when = soonest == latest ? "release " + Count(soonest)
                                             : "release " + Count(soonest) + " to " + Count(latest);
  return style.Warning(Fill("Refused in " + Count(refused) + " of " +
                            Counted(report.results.size(), "draw", "draws") + ", at " + when +
                            ": " + Printable(first->message) + "."));
}

std::string ForecastFigure(const ForecastReport& report) {
  const auto panel = [&](const std::string& label, bool percent, const auto& of) {
    FigurePanel drawn;
    drawn.x_label = "release";
    drawn.y_label = label;
    drawn.percent = percent;
    drawn.lines.push_back({label, {}});
    for (std::size_t i = 0; i < LongestDraw(report); ++i) {
      const Span span = SpanOf(report, i, of);
      FigurePoint point;
      point.x = static_cast<double>(report.first + i);
      point.y = span.mean;
      point.filled = true;
      if (report.results.size() > 1) {
        point.low = span.least;
        point.high = span.most;
      }
      drawn.lines[0].points.push_back(point);
    }
    return drawn;
  };
  std::vector<FigurePanel> panels;
  if (KnowsLoss(report)) panels.push_back(panel("loss of detail", true, LossOf));
  const Tally tally = ViewOf(report.model).tally();
  if (!KnowsLoss(report)) panels.push_back(panel("rows " + tally.words, false, AsideOf));
  panels.push_back(panel("seconds to publish", false, SecondsOf));
  return cli::Draw(
      "What the next releases will cost: an estimate", panels,
      {"Mean of " + Counted(report.results.size(), "draw", "draws") +
           ", with the least and the most: " + GrowthWords(report) + ".",
       "Newcomers are drawn from the table's own rows; nobody leaves, nobody changes."});
}

Json ForeseenObject(const ForecastReport& report, const Foreseen& release, std::size_t i) {
  Json json;
  json["release"] = report.first + i;
  json["rows"] = release.rows;
  json["newcomers"] = release.newcomers;
  if (release.loss) json["loss"] = *release.loss;
  json[ViewOf(report.model).tally().key] = release.aside;
  json["seconds"] = release.seconds;
  return json;
}

std::string ForecastCsv(const ForecastReport& report) {
  std::string text =
      "draw,release,rows,newcomers,loss," + ViewOf(report.model).tally().key + ",seconds\n";
  for (std::size_t d = 0; d < report.results.size(); ++d) {
    const Future& draw = report.results[d];
    for (std::size_t i = 0; i < draw.releases.size(); ++i) {
      const Foreseen& release = draw.releases[i];
      text += std::to_string(d + 1) + "," + std::to_string(report.first + i) + "," +
              std::to_string(release.rows) + "," + std::to_string(release.newcomers) + "," +
              (release.loss ? Json(*release.loss).dump() : "") + "," +
              std::to_string(release.aside) + "," + Json(release.seconds).dump() + "\n";
    }
  }
  return text;
}

}  // namespace

std::string ToText(const ForecastReport& report, const Style& style) {
  std::string text = style.Heading("Forecast for " + Printable(report.table)) + "\n" +
                     Fill(RestsText(report), 2) + "\n";
  const bool loss = KnowsLoss(report);
  std::vector<Align> columns(3, Align::kRight);
  std::vector<std::string> head = {"release", "rows", "newcomers"};
  if (loss) {
    columns.push_back(Align::kRight);
    head.push_back("loss of detail");
  }
  columns.insert(columns.end(), {Align::kRight, Align::kLeft});
  head.insert(head.end(), {"rows " + ViewOf(report.model).tally().words, "time"});
  TextTable table(columns);
  table.Add(head);
  const auto count = [](double number) { return Count(static_cast<std::uint64_t>(number)); };
  for (std::size_t i = 0; i < LongestDraw(report); ++i) {
    const Span rows =
        SpanOf(report, i, [](const Foreseen& each) { return static_cast<double>(each.rows); });
    const Span newcomers =
        SpanOf(report, i, [](const Foreseen& each) { return static_cast<double>(each.newcomers); });
    std::vector<std::string> row = {Count(report.first + i), FromTo(rows, count),
                                    FromTo(newcomers, count)};
    if (loss) row.push_back(FromTo(SpanOf(report, i, LossOf), Percent));
    row.push_back(FromTo(SpanOf(report, i, AsideOf), count));
    row.push_back(FromTo(SpanOf(report, i, SecondsOf), SecondsText));
    table.Add(row);
  }
  text += table.ToString() + "\n" + RefusedText(report, style);
  return text + "\n" + Fill("This is for you alone: it tells what the table has.");
}

std::string ToJson(const ForecastReport& report) {
  Json json;
  json["model"] = report.model;
  json["policy"] = report.policy;
  json["table"] = report.table;
  if (!report.vault.empty()) json["vault"] = report.vault;
  json["estimate"] = true;
  json["rests_on"] = RestsText(report);
  json["seed"] = report.seed;
  if (report.newcomers > 0) {
    json["newcomers"] = report.newcomers;
  } else {
    json["growth"] = report.share;
  }
  json["draws"] = Json::array();
  for (const Future& draw : report.results) {
    Json object;
    object["releases"] = Json::array();
    for (std::size_t i = 0; i < draw.releases.size(); ++i) {
      object["releases"].push_back(ForeseenObject(report, draw.releases[i], i));
    }
    if (draw.refused) object["refused"] = JsonError(*draw.refused);
    json["draws"].push_back(std::move(object));
  }
  return JsonText(json);
}

std::string FileOf(const ForecastReport& report, const std::string& path) {
  if (path.ends_with(".svg")) return ForecastFigure(report);
  return path.ends_with(".csv") ? ForecastCsv(report) : ToJson(report);
}

}  // namespace reissue::cli
