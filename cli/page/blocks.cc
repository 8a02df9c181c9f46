#include "cli/page/blocks.h"

#include "cli/page/chart.h"
#include "cli/page/style_sheet.h"

namespace reissue::cli::page {
namespace {

std::string ClassOf(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "good";
    case Tone::kWarning:
      return "warning";
    case Tone::kBad:
      return "bad";
    case Tone::kPlain:
      break;
  }
  return "plain";
}

Attributes WithTone(Tone tone) {
  if (tone == Tone::kPlain) return {};
  return {{"class", ClassOf(tone)}};
}

Html Made(const Paragraph& paragraph) {
  return Element("p", WithTone(paragraph.tone), Text(paragraph.text));
}

Html Made(const Bullets& bullets) {
  Html items;
  for (const std::string& item : bullets.items) items += Element("li", Text(item));
  return Element("ul", items);
}

Html CellOf(const Grid::Cell& cell, const Grid::Column& column, bool first) {
  std::string kind = column.number ? "number" : "";
  if (cell.bar) kind += kind.empty() ? "barred" : " barred";
  if (cell.tone != Tone::kPlain) kind += (kind.empty() ? "" : " ") + ClassOf(cell.tone);
  Attributes attributes;
  if (!kind.empty()) attributes.push_back({"class", kind});
  Html inside = Text(cell.text);
  if (cell.bar) inside = Element("span", inside) + BarOf(*cell.bar);
  if (!first) return Element("td", attributes, inside);
  attributes.push_back({"scope", "row"});
  return Element("th", attributes, inside);
}

Html Made(const Grid& grid) {
  Html head, body;
  for (const Grid::Column& column : grid.columns) {
    Attributes attributes = {{"scope", "col"}};
    if (column.number) attributes.push_back({"class", "number"});
    head += Element("th", attributes, Text(column.heading));
  }
  for (const auto& row : grid.rows) {
    Html cells;
    for (std::size_t c = 0; c < row.size(); ++c) cells += CellOf(row[c], grid.columns[c], c == 0);
    body += Element("tr", cells) + Literal("\n");
  }
  const Html caption = grid.caption.empty() ? Html() : Element("caption", Text(grid.caption));
  const Html table = Element("table", caption + Element("thead", Element("tr", head)) +
                                          Literal("\n") + Element("tbody", body));
  // Wide ones are moved sideways, also with keys.
  return Element("div",
                 {{"class", "wide"},
                  {"role", "region"},
                  {"tabindex", "0"},
                  {"aria-label", grid.caption.empty() ? "Table" : grid.caption}},
                 table);
}

Html Made(const Charts& charts) {
  Html figures;
  for (const Chart& chart : charts.charts) figures += Drawn(chart) + Literal("\n");
  return Element("div", {{"class", "charts"}}, figures);
}

Html Made(const Beside& beside) {
  Html tables;
  for (const Grid& grid : beside.grids) tables += Made(grid) + Literal("\n");
  return Element("div", {{"class", "beside"}}, tables);
}

Html SectionOf(const Section& section, std::size_t number) {
  const std::string id = "part-" + std::to_string(number);
  Html inside = Element("h2", {{"id", id}}, Text(section.title)) + Literal("\n");
  for (const Block& block : section.blocks) {
    inside += std::visit([](const auto& made) { return Made(made); }, block) + Literal("\n");
  }
  return Element("section", {{"aria-labelledby", id}}, inside) + Literal("\n");
}

Html ContentsOf(const Page& page) {
  Html items;
  for (std::size_t i = 0; i < page.sections.size(); ++i) {
    items += Element("li", Element("a", {{"href", "#part-" + std::to_string(i + 1)}},
                                   Text(page.sections[i].title)));
  }
  return Element("nav", {{"aria-label", "Contents"}}, Element("ul", items)) + Literal("\n");
}

Html HeadOf(const Page& page) {
  const std::string policy = "default-src 'none'; style-src 'sha256-" + StyleDigest() +
                             "'; base-uri 'none'; form-action 'none'";
  return Element(
      "head",
      Literal("\n") + Void("meta", {{"charset", "utf-8"}}) + Literal("\n") +
          Void("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", policy}}) +
          Literal("\n") +
          Void("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
          Literal("\n") + Void("meta", {{"name", "referrer"}, {"content", "no-referrer"}}) +
          Literal("\n") + Void("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) +
          Literal("\n") +
          Element("title", Text((page.privacy.empty() ? "" : "Private: ") + page.title)) +
          Literal("\n") + Element("style", StyleSheet()) + Literal("\n"));
}

Html TopOf(const Page& page) {
  Html top;
  if (!page.privacy.empty()) {
    top += Element("p", {{"class", "private"}},
                   Element("strong", Text("Private.")) + Text(" " + page.privacy)) +
           Literal("\n");
  }
  top += Element("h1", Text(page.title)) + Literal("\n") +
         Element("p", {{"class", "about"}}, Text(page.about)) + Literal("\n") +
         Element("div", {{"class", "verdict " + ClassOf(page.tone)}},
                 Element("p", {{"class", "mark"}}, Text(page.mark)) +
                     Element("p", {{"class", "sentence"}}, Text(page.verdict))) +
         Literal("\n");
  for (const std::string& notice : page.notices) {
    top += Element("p", {{"class", "warning"}}, Text(notice)) + Literal("\n");
  }
  return Element("header", top) + Literal("\n");
}

}  // namespace

std::string FileOf(const Page& page) {
  Html main;
  for (std::size_t i = 0; i < page.sections.size(); ++i) {
    main += SectionOf(page.sections[i], i + 1);
  }
  const Html body = Literal("\n") + TopOf(page) + ContentsOf(page) +
                    Element("main", Literal("\n") + main) + Literal("\n") +
                    Element("footer", Element("p", Text(page.foot))) + Literal("\n");
  const Html file =
      Element("html", {{"lang", page.language}},
              Literal("\n") + HeadOf(page) + Literal("\n") + Element("body", body) + Literal("\n"));
  return "<!DOCTYPE html>\n" + file.text() + "\n";
}

}  // namespace reissue::cli::page
