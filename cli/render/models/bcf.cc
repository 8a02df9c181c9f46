#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "cli/render/models/bcf_explain.h"
#include "cli/render/models/bcf_json.h"
#include "cli/render/models/cells.h"
#include "cli/render/models/detail.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "reissue/models/bcf/service/report.h"

namespace reissue::cli {
namespace {

namespace bcf = models::bcf::service;
using bcf::SeriesFindings;
using bcf::SeriesVerdict;
using models::k::service::CellFindings;

std::string Text(const std::optional<std::uint64_t>& number) {
  return number ? Count(*number) : "none";
}

std::string Text(const std::optional<bcf::Bounds>& bounds) {
  if (!bounds) return "none";
  if (bounds->lower == bounds->upper) return Count(bounds->lower);
  return Count(bounds->lower) + " to " + Count(bounds->upper);
}

constexpr char kNotOneTable[] =
    "Either a file is missing or out of order, or people left or changed between the releases. "
    "Model bcf protects tables that only grow: nothing is promised here.";

std::string ConflictText(const SeriesFindings& series, const Style& style) {
  std::string text = "\n" + style.Heading("Why these are not releases of one growing table") + "\n";
  for (const bcf::SeriesConflict& conflict : series.conflicts) {
    text += "  - " + Fill(Printable(conflict.words), 4).substr(4);
  }
  return text + "\n" + Fill(kNotOneTable, 2);
}

constexpr std::size_t kPairsShown = 28;  // of eight releases

// All pairs, or where there are many those that leave least; in the order of the releases.
std::vector<bcf::PairAudit> LeastPairs(const SeriesFindings& series, bool all) {
  std::vector<bcf::PairAudit> pairs = series.pairs;
  if (all || pairs.size() <= kPairsShown) return pairs;
  const auto least = [](const bcf::PairAudit& pair) {
    std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    for (const auto& attack : {pair.forward, pair.cross, pair.backward}) {
      if (attack.anonymity) left = std::min<std::uint64_t>(left, *attack.anonymity);
    }
    return left;
  };
  std::ranges::stable_sort(pairs, {}, least);
  pairs.resize(kPairsShown);
  std::ranges::sort(pairs, {},
                    [](const bcf::PairAudit& pair) { return std::pair(pair.later, pair.earlier); });
  return pairs;
}

std::string PairTable(const SeriesFindings& series, const Style& style) {
  std::string text = "\n" + style.Heading("Two releases at a time: the least that is left") + "\n";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  table.Add({"releases", "F", "C", "B", "method"});
  std::string why;
  for (const bcf::PairAudit& pair : LeastPairs(series, style.whole())) {
    table.Add({Count(pair.earlier) + " and " + Count(pair.later), Text(pair.forward.anonymity),
               Text(pair.cross.anonymity), Text(pair.backward.anonymity), pair.method});
    if (!pair.why.empty()) {
      why += Fill(Count(pair.earlier) + " and " + Count(pair.later) +
                      " were compared group by group (flow): " + Printable(pair.why) + ".",
                  4);
    }
  }
  text += table.ToString();
  if (series.pairs.size() > kPairsShown && !style.whole()) {
    text += Fill(
        "The pairs that leave least, of " + Count(series.pairs.size()) + "; --labels lists all.",
        4);
  }
  text += why;
  return text + Fill(kAttackLetters, 4);
}

std::string BirthTable(const SeriesFindings& series, const Style& style) {
  std::string text = "\n" + style.Heading("All releases together") + "\n";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight}, 2);
  const bool formulas = series.pairs.size() > 1;
  if (formulas) {
    table.Add({"first seen in", "exact", "formula F", "formula C", "formula B"});
    for (const bcf::BirthAudit& birth : series.births) {
      table.Add({"release " + Count(birth.release), Text(birth.exact), Text(birth.forward),
                 Text(birth.cross), Text(birth.backward)});
    }
  } else {
    table.Add({"first seen in", "exact"});
    for (const bcf::BirthAudit& birth : series.births) {
      table.Add({"release " + Count(birth.release), Text(birth.exact)});
    }
  }
  text += table.ToString();
  if (formulas) {
    text += Fill(
        "Exact: the least that any reader of all releases has left. The formulas of Fung and "
        "others are upper bounds per person and cannot prove safety.",
        4);
  }
  if (!series.formulas_complete) {
    text += Fill("The formulas were stopped at their limit of work.", 4);
  }
  return text;
}

// Empty where everything was decided.
std::string UnknownWords(const SeriesFindings& series) {
  if (series.undecided == 0 && series.verdict != SeriesVerdict::kUnknown) return "";
  std::string words = "A limit of work was reached: for " +
                      Counted(series.undecided, "possible person", "possible people") + " of " +
                      Count(series.targets_seen) +
                      " it is neither proven that the promise is kept nor that it is broken.";
  if (series.exact) {
    words += " At least " + Count(series.exact->lower) + " and at most " +
             Count(series.exact->upper) + " are left to anybody.";
  }
  return words + " What is not proven does not count as kept.";
}

std::string UnknownText(const SeriesFindings& series, const Style& style) {
  const std::string words = UnknownWords(series);
  if (words.empty()) return "";
  return "\n" + style.Heading("What could not be decided") + "\n" + Fill(words, 2);
}

std::string ExposedRows(const contract::AuditReport& report) {
  return Counted(report.exposed, "row", "rows") +
         ", added up over the releases, in groups that leave too little to somebody.";
}

std::string ExposedTogether(const contract::AuditReport& report, const SeriesFindings& series,
                            const Style& style) {
  std::string text = "\n" + style.Heading("Who is exposed") + "\n";
  if (!report.published_identifiers.empty()) {
    std::string columns;
    for (const std::string& column : report.published_identifiers) {
      columns += (columns.empty() ? "" : ", ") + Printable(column);
    }
    text += Fill("Everybody: the files contain what identifies people (column " + columns +
                     "). Take it back.",
                 2);
  }
  if (!report.published_dropped.empty()) {
    std::string columns;
    for (const std::string& column : report.published_dropped) {
      columns += (columns.empty() ? "" : ", ") + Printable(column);
    }
    text += Fill("The files contain what the policy does not let out (column " + columns +
                     "). Whom that exposes is not known.",
                 2);
  }
  if (report.exposed == 0 && series.worst.empty()) {
    if (series.verdict == SeriesVerdict::kUnknown) return text + "  Nobody for certain.\n";
    if (!NobodyIsExposed(report)) return text + CertainAnyway(report);
    return text + "  Nobody, against a reader of all these releases.\n";
  }
  text += Fill(ExposedRows(report), 2);
  if (series.worst.empty()) return text;
  text += "\n" + style.Heading("The worst groups") + "\n";
  for (const bcf::SeriesExposure& exposure : series.worst) {
    text += "  - " + Fill(exposure.attack + ": " + Printable(exposure.words), 4).substr(4);
  }
  return text;
}

std::string StarredWords(const SeriesFindings::Starred& starred) {
  if (starred.rule_broken) {
    return "The policy says that whoever is starred stays so (suppression), and these releases "
           "contradict it: a starred row counts as one whose quasi-identifiers are hidden in this "
           "release, and readers know no more.";
  }
  return "Starred rows of the newest release: " + Count(starred.rows) +
         ". Readers know that whoever is starred has been so from their first release on, and "
         "stays "
         "so (suppression).";
}

constexpr char kRealTargets[] =
    "The policy protects the people of the table only (targets = \"real\"). The files do not tell "
    "who they are: everybody who could be there as far as readers can tell counts here, so the "
    "promise may be kept all the same.";

std::string SeriesText(const contract::AuditReport& report, const SeriesFindings& series,
                       const Style& style) {
  std::string text;
  if (series.verdict == SeriesVerdict::kNotOneSeries) {
    text += ConflictText(series, style);
    return text;
  }
  text += PairTable(series, style);
  text += BirthTable(series, style);
  text += UnknownText(series, style);
  if (series.promised != series.targets) {
    text += "\n" + Fill(kRealTargets);
  }
  if (series.starred) text += "\n" + Fill(StarredWords(*series.starred));
  return text + ExposedTogether(report, series, style);
}

page::Grid::Cell AttackCell(const bcf::PairAudit::Attack& attack) {
  if (attack.exposed == 0) return {Text(attack.anonymity)};
  return {Text(attack.anonymity) + " (" + Counted(attack.exposed, "row", "rows") + " exposed)",
          {},
          page::Tone::kBad};
}

// Who is exposed when two releases are compared, and how.
void TellPairs(const SeriesFindings& series, Told& told) {
  page::Grid pairs{"Two releases at a time: the least that is left",
                   {{"releases"}, {"F", true}, {"C", true}, {"B", true}},
                   {}};
  for (const bcf::PairAudit& pair : LeastPairs(series, /*all=*/false)) {
    pairs.rows.push_back({{Count(pair.earlier) + " and " + Count(pair.later)},
                          AttackCell(pair.forward),
                          AttackCell(pair.cross),
                          AttackCell(pair.backward)});
  }
  told.exposed.push_back(std::move(pairs));
  if (series.pairs.size() > kPairsShown) {
    told.exposed.push_back(
        page::Paragraph{"The pairs that leave least, of " + Count(series.pairs.size()) + "."});
  }
  told.exposed.push_back(page::Paragraph{kAttackLetters});
}

// What is left to people by the release in which they are first seen.
void TellBirths(const contract::AuditReport& report, const SeriesFindings& series, Told& told) {
  page::Measure added{"rows added", {}, {}, {}, {}};
  page::Measure left{"left to whoever is first seen there, at least",
                     {},
                     {},
                     static_cast<double>(series.k),
                     "promised: " + Count(series.k)};
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const std::uint64_t before = i == 0 ? 0 : report.releases[i - 1].rows;
    const std::uint64_t rows = report.releases[i].rows;
    added.texts.push_back(rows >= before ? Count(rows - before) : "");
    added.numbers.push_back(rows >= before ? std::optional(static_cast<double>(rows - before))
                                           : std::nullopt);
    const auto birth = std::ranges::find(series.births, static_cast<std::uint32_t>(i + 1),
                                         &bcf::BirthAudit::release);
    const bool known = birth != series.births.end() && birth->exact;
    left.texts.push_back(known ? Text(birth->exact) : "none");
    left.numbers.push_back(known ? std::optional(static_cast<double>(birth->exact->lower))
                                 : std::nullopt);
  }
  told.series = {std::move(added), std::move(left)};
}

void TellSeries(const contract::AuditReport& report, const SeriesFindings& series, Told& told) {
  if (series.verdict == SeriesVerdict::kNotOneSeries) {
    page::Bullets conflicts;
    for (const bcf::SeriesConflict& conflict : series.conflicts) {
      conflicts.items.push_back(conflict.words);
    }
    told.more.push_back({"Why these are not releases of one growing table",
                         {std::move(conflicts), page::Paragraph{kNotOneTable}}});
    return;
  }
  if (report.exposed > 0) told.exposed.push_back(page::Paragraph{ExposedRows(report)});
  TellPairs(series, told);
  TellBirths(report, series, told);
  if (const std::string unknown = UnknownWords(series); !unknown.empty()) {
    told.exposed.push_back(page::Paragraph{unknown, page::Tone::kWarning});
  }
  if (series.promised != series.targets) told.exposed.push_back(page::Paragraph{kRealTargets});
  if (series.starred) told.exposed.push_back(page::Paragraph{StarredWords(*series.starred)});
  for (const bcf::SeriesExposure& exposure : series.worst) {
    told.worst.push_back(exposure.attack + ": " + exposure.words);
  }
}

class GrowingTableView final : public View {
 public:
  std::string model() const override { return "bcf"; }

  std::string Help(std::string_view verb) const override {
    if (verb == "audit") {
      return "Model bcf looks at all releases of a table that only grows, oldest first: what "
             "readers of all of them can exclude about somebody whose first release they know. "
             "With --explain it shows that for one person.";
    }
    if (verb == "audit --explain") {
      return "What the series tells about one person: the release of first appearance, then a "
             "value "
             "or label per quasi-identifier in the order of the policy, as a CSV record (model "
             "bcf).";
    }
    if (verb == "publish") {
      return "With the model bcf the table grows, or is published again for other readers: give "
             "the table with everybody so far, and the release is made so that all releases of the "
             "vault together keep the promise.";
    }
    return verb == "verify" ? "A certificate of a series (model bcf) needs all releases up to its "
                              "own, oldest first."
                            : "";
  }

  std::string AuditText(const contract::AuditReport& report, const Style& style) const override {
    const auto& series = report.findings.As<SeriesFindings>();
    std::string text = ReleaseLines(report, !series.alone);
    if (series.verdict == SeriesVerdict::kNotOneSeries) {
      return text + SeriesText(report, series, style);
    }
    text += MeasuresText(report, style, Words(!series.alone));
    return text + (series.alone ? ExposedText(report, *series.alone, style)
                                : SeriesText(report, series, style));
  }

  Told Tell(const contract::AuditReport& report) const override {
    const auto& series = report.findings.As<SeriesFindings>();
    if (series.alone) return TellCells(report, *series.alone);
    Told told;
    TellSeries(report, series, told);
    told.meanings = Words(true);
    return told;
  }

  Json AuditObject(const contract::AuditReport& report) const override {
    // A certificate of one release is checked as by model k.
    if (const auto* cells = report.findings.If<CellFindings>()) {
      return PlainAuditObject(report, *cells);
    }
    const auto& series = report.findings.As<SeriesFindings>();
    Json json;
    json["model"] = report.model;
    json["k"] = series.k;
    json["satisfied"] = report.satisfied;
    json["releases"] = ReleasesJson(report);
    json["anonymity"] = AnonymityJson(series);
    if (!series.alone) {
      json["exposed"] = {{"persons", report.exposed}, {"worst", SeriesWorstJson(series)}};
    }
    json["promises"] = PromisesJson(report.promises);
    json["also_measured"] = AlsoMeasuredJson(report);
    if (series.alone) json["exposed"] = ExposedJson(report, *series.alone);
    AddSeriesMembers(series, json);
    json["published_identifiers"] = report.published_identifiers;
    json["published_dropped"] = report.published_dropped;
    return json;
  }

  std::string PublishText(const contract::PublishReport& report,
                          const Style& style) const override {
    const std::string starred =
        report.suppressed > 0 ? "of them starred: every quasi-identifier hidden, for ever" : "";
    return RecodedText(report, starred, style) +
           PromisesAndCostText(report, style, Words(report.earlier_releases > 0));
  }
  void AddPublishMembers(const contract::PublishReport& report, Json& json) const override {
    AddRecodedMembers(report, json);
  }
  Tally tally() const override { return {"starred", "suppressed"}; }

  std::string VerifyText(const VerificationReport& report, const Style& style) const override {
    return "\n" + style.Heading("Promises, measured anew from the file") + "\n" +
           PromiseTable(report.result.audit.promises, style, Words(report.releases.size() > 1));
  }

  std::string MetricsText(const contract::MetricsReport& report,
                          const Style& style) const override {
    return DetailText(report.findings.As<binding::Detail>(), style);
  }
  Json MetricsObject(const contract::MetricsReport& report) const override {
    return DetailObject(report.findings.As<binding::Detail>());
  }

  std::string ExplainText(const contract::ExplainReport& report,
                          const Style& style) const override {
    return PersonText(report.findings.As<bcf::PersonExplained>(), style);
  }
  Json ExplainObject(const contract::ExplainReport& report) const override {
    return PersonObject(report.findings.As<bcf::PersonExplained>());
  }

 private:
  // Of several releases k is about what all of them leave.
  static std::vector<Meaning> Words(bool several) {
    if (!several) return {};
    return {{"k", "rows that readers of all releases cannot exclude", "at least"}};
  }
};

}  // namespace

const View& BcfView() {
  static const GrowingTableView view;
  return view;
}

}  // namespace reissue::cli
