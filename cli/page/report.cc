#include "cli/page/report.h"

#include <algorithm>

#include "cli/page/columns.h"
#include "cli/page/frontier.h"
#include "cli/render/promises.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "cli/version.h"

namespace reissue::cli::page {
namespace {

using contract::AuditReport;
using Failure = AuditReport::Failure;

std::string Judged(const AuditReport& audit) {
  const std::size_t number = audit.judged();
  return number > 1 ? "the " + Count(number) + " releases" : "the release";
}

// "the 2 releases keep their promise together".
std::string PromiseWords(const AuditReport& audit) {
  const bool many = audit.judged() > 1;
  if (audit.satisfied) {
    return Judged(audit) + (many ? " keep their promise together" : " keeps its promise");
  }
  if (audit.failure == Failure::kNotOneSeries) return Judged(audit) + " are not of one series";
  if (audit.failure == Failure::kNotProven) {
    return Judged(audit) +
           (many ? " are not proven to keep their promise" : " is not proven to keep its promise");
  }
  return Judged(audit) + (many ? " break their promise together" : " breaks its promise");
}

std::string Capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

std::string ListOf(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What must not be in the files, and is.
std::vector<std::string> Mistakes(const AuditReport& audit) {
  std::vector<std::string> words;
  if (!audit.published_identifiers.empty()) {
    words.push_back("Everybody is exposed: the files contain what identifies people (column " +
                    ListOf(audit.published_identifiers) + "). Take them back.");
  }
  if (!audit.published_dropped.empty()) {
    words.push_back("The files contain what the policy does not let out (column " +
                    ListOf(audit.published_dropped) + "). Whom that exposes is not known.");
  }
  return words;
}

void AddVerdict(const Dossier& dossier, Page& page) {
  const AuditReport& audit = dossier.audit;
  if (dossier.verified) {
    page.tone = Tone::kPlain;
    page.mark = "Not refuted";
    page.verdict =
        "Nothing in the published files contradicts the certificate; that nobody is exposed more "
        "than promised rests on the holder's word.";
    return;
  }
  std::string words = AbsoluteWords(audit.exposure);
  words = words.empty() ? PromiseWords(audit) : words + "; " + PromiseWords(audit);
  if (!audit.published_identifiers.empty()) {
    words = "everybody is exposed, because the files contain what identifies people; " +
            PromiseWords(audit);
  }
  page.verdict = Capital(words) + ".";
  if (audit.satisfied) {
    const bool nobody = NobodyIsExposed(audit);
    page.tone = nobody ? Tone::kGood : Tone::kWarning;
    page.mark = nobody ? "Kept" : "Kept, and people are exposed";
    return;
  }
  page.tone = audit.failure == Failure::kNotProven ? Tone::kWarning : Tone::kBad;
  page.mark = audit.failure == Failure::kNotProven      ? "Not proven"
              : audit.failure == Failure::kNotOneSeries ? "Not one series"
                                                        : "Broken";
}

Section WhoIsExposed(const Dossier& dossier, const Told& told) {
  const AuditReport& audit = dossier.audit;
  Section section{"Who is exposed", {}};
  for (const std::string& mistake : Mistakes(audit)) {
    section.blocks.push_back(Paragraph{mistake, Tone::kBad});
  }
  if (dossier.verified) {
    section.blocks.push_back(
        Paragraph{"The published files do not tell who is in which group, so readers, and this "
                  "page, cannot tell who is exposed. The holder can: `reissue audit` of the "
                  "holder's copies."});
    return section;
  }
  const std::string certain = ExposureWords(audit.exposure);
  if (!certain.empty()) {
    section.blocks.push_back(Paragraph{certain, audit.exposure.any() ? Tone::kBad : Tone::kPlain});
  }
  if (audit.satisfied && NobodyIsExposed(audit)) {
    section.blocks.push_back(Paragraph{audit.judged() > 1
                                           ? "Nobody, against a reader of all these releases."
                                           : "Nobody, against a reader of this release.",
                                       Tone::kGood});
  } else if (audit.satisfied && audit.exposure.any()) {
    section.blocks.push_back(
        Paragraph{"No promise is broken, and people are exposed all the same: what was promised "
                  "does not rule it out."});
  }
  section.blocks.insert(section.blocks.end(), told.exposed.begin(), told.exposed.end());
  for (const std::string& tie : audit.ties) {
    section.blocks.push_back(Paragraph{"Warning: " + tie + ".", Tone::kWarning});
  }
  return section;
}

Section Promises(const Dossier& dossier, const Told& told) {
  Section section{"Promises", {}};
  if (!dossier.audit.promises.empty()) {
    section.blocks.push_back(PromiseGrid(dossier.audit.promises, told.meanings));
  }
  if (!dossier.audit.also_measured.empty()) {
    section.blocks.push_back(MeasureGrid(dossier.audit.also_measured));
  }
  if (dossier.verified && !dossier.verified->rests.empty()) {
    section.blocks.push_back(Paragraph{"What rests on the holder's word:"});
    section.blocks.push_back(Bullets{dossier.verified->rests});
  }
  return section;
}

// Further measures of the series: what the vault set aside, and what was lost.
std::vector<Measure> Measures(const Dossier& dossier, const Told& told) {
  std::vector<Measure> measures;
  for (const Measure& measure : told.series) {
    if (measure.texts.size() == dossier.releases.size()) measures.push_back(measure);
  }
  Measure aside{ViewOf(dossier.audit.model).tally().words, {}, {}, {}, {}};
  Measure lost{"detail lost", {}, {}, {}, {}};
  lost.percent = true;
  bool some_lost = false, some_aside = false;
  for (const Dossier::Release& release : dossier.releases) {
    const std::optional<double> share = release.portrait.lost();
    some_lost = some_lost || share;
    lost.texts.push_back(share ? Percent(*share) : "");
    lost.numbers.push_back(share);
    some_aside = some_aside || release.set_aside;
    aside.texts.push_back(release.set_aside ? Count(*release.set_aside) : "");
  }
  const bool told_aside = std::ranges::any_of(
      measures, [&](const Measure& measure) { return measure.heading == aside.heading; });
  if (some_aside && !told_aside) measures.push_back(std::move(aside));
  if (some_lost) measures.push_back(std::move(lost));
  return measures;
}

std::string AboutOf(const Chart& chart) {
  std::string words;
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    const std::optional<double> y = chart.lines[0].y[i];
    words += (i == 0 ? "" : ", ") + ("release " + chart.x[i] + " ") +
             (!y              ? "none"
              : chart.percent ? Percent(*y)
                              : Number(*y));
  }
  return words;
}

Section Series(const Dossier& dossier, const Told& told) {
  Section section{"The series", {}};
  if (dossier.releases.size() < 2) return section;
  const std::vector<Measure> measures = Measures(dossier, told);
  Grid grid{"Release by release", {{"release"}, {"published", true}, {"rows", true}}, {}};
  for (const Measure& measure : measures) grid.columns.push_back({measure.heading, true});
  Charts charts;
  Chart rows{.title = "Rows", .columns = true, .lines = {{}}};
  for (std::size_t i = 0; i < dossier.releases.size(); ++i) {
    const Dossier::Release& release = dossier.releases[i];
    std::vector<Grid::Cell> row = {{Count(i + 1) + ": " + release.portrait.file},
                                   {release.published.substr(0, 10)},
                                   {Count(release.portrait.rows)}};
    for (const Measure& measure : measures) row.push_back({measure.texts[i]});
    grid.rows.push_back(std::move(row));
    rows.x.push_back(Count(i + 1));
    rows.lines[0].y.push_back(static_cast<double>(release.portrait.rows));
  }
  const std::vector<std::string> words = rows.x;
  charts.charts.push_back(std::move(rows));
  for (const Measure& measure : measures) {
    if (measure.numbers.empty()) continue;
    Chart chart{.title = Capital(measure.heading),
                .percent = measure.percent,
                .columns = !measure.percent && !measure.limit,
                .x = words,
                .lines = {{{}, measure.numbers}},
                .limit = measure.limit,
                .limit_words = measure.limit_words};
    charts.charts.push_back(std::move(chart));
  }
  for (Chart& chart : charts.charts) {
    chart.about = AboutOf(chart);
    chart.x_title = "release";
  }
  section.blocks.push_back(std::move(charts));
  section.blocks.push_back(std::move(grid));
  return section;
}

Section Certificates(const Dossier& dossier) {
  Section section{dossier.releases.size() > 1 ? "Certificates" : "Certificate", {}};
  Grid grid{"What was certified",
            {{"release"}, {"certificate"}, {"made"}, {"signed by the key"}, {"digest of the file"}},
            {}};
  bool any = false;
  for (std::size_t i = 0; i < dossier.releases.size(); ++i) {
    const Dossier::Release& release = dossier.releases[i];
    any = any || release.certificate;
    const bool sound = release.problem.empty();
    const bool there = sound && release.certificate;
    grid.rows.push_back({{release.portrait.file},
                         {sound ? "fits the file" : release.problem,
                          {},
                          there                 ? Tone::kGood
                          : release.certificate ? Tone::kBad
                                                : Tone::kPlain},
                         {there ? release.certificate->created : ""},
                         {there ? release.certificate->key.substr(0, 16) : ""},
                         {there ? release.certificate->digest.substr(0, 16) : ""}});
  }
  section.blocks.push_back(std::move(grid));
  section.blocks.push_back(Paragraph{
      any ? "Digests and keys by their first 16 digits. Whoever has the files and the holder's "
            "public key can check a certificate with `reissue verify`."
          : "Releases that `reissue publish` makes have a certificate beside them, which others "
            "can check without the holder."});
  return section;
}

std::string AboutOf(const Dossier& dossier) {
  std::string files;
  for (const Dossier::Release& release : dossier.releases) {
    files += (files.empty() ? "" : ", ") + release.portrait.file;
  }
  return files + " · model " + dossier.audit.model + " · " +
         (dossier.for_holder ? "for the holder" : "made from published files alone") + ", " +
         dossier.created.substr(0, 10);
}

void AddSection(Section section, Page& page) {
  if (!section.blocks.empty()) page.sections.push_back(std::move(section));
}

}  // namespace

Page PageOf(const Dossier& dossier) {
  Page page;
  page.title = dossier.title.empty() ? "Report on releases" : dossier.title;
  page.about = AboutOf(dossier);
  if (dossier.for_holder) {
    page.privacy =
        "For the holder alone: this page tells more than the published files do. Do not pass it "
        "on; `reissue report --for public` makes a page that may be.";
  }
  AddVerdict(dossier, page);
  const Told told = dossier.verified ? Told{} : ViewOf(dossier.audit.model).Tell(dossier.audit);
  AddSection(WhoIsExposed(dossier, told), page);
  if (!told.worst.empty()) AddSection({"The worst groups, in words", {Bullets{told.worst}}}, page);
  AddSection(Promises(dossier, told), page);
  for (const Section& section : told.more) AddSection(section, page);
  AddSection(Series(dossier, told), page);
  AddSection(SizesOfGroups(dossier), page);
  AddSection(WhatColumnsLost(dossier), page);
  AddSection(Distributions(dossier), page);
  if (dossier.frontier) AddSection(Frontier(*dossier.frontier), page);
  AddSection(Certificates(dossier), page);
  page.foot = "Made by reissue " + std::string(kVersion) + " on " + dossier.created +
              ". A promise holds against the reader it names: one who knows more than that, or "
              "has releases of other holders, may learn more.";
  return page;
}

}  // namespace reissue::cli::page
