#include "cli/page/style_sheet.h"

#include <sodium.h>

namespace reissue::cli::page {
namespace {

// Every colour has a contrast of at least 4.5 with the background that it stands on.
constexpr char kSheet[] = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f5f6f7; --rule: #d9dcdf; --axis: #6b7178;
  --text: #1d2024; --quiet: #565c63; --accent: #1f5f9e; --bar: #7ea6cc;
  --good: #17633a; --warning: #7a4d00; --bad: #a8201a;
  --good-panel: #eef7f1; --warning-panel: #fdf5e4; --bad-panel: #fdf0ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15171a; --panel: #1f2226; --rule: #383d43; --axis: #8b929a;
    --text: #e7e8ea; --quiet: #a8aeb6; --accent: #84b6ea; --bar: #4d79a6;
    --good: #7ecb9a; --warning: #e9bd66; --bad: #ff9c93;
    --good-panel: #17251c; --warning-panel: #2a2312; --bad-panel: #2d1a19;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word;
}
h1 { margin: 0 0 .25rem; font-size: 1.9rem; line-height: 1.2; font-weight: 650; }
h2 { margin: 0 0 .75rem; font-size: 1.3rem; line-height: 1.3; font-weight: 650; }
p, ul { margin: 0 0 .9rem; max-width: 46rem; }
ul { padding-left: 1.25rem; }
li { margin-bottom: .4rem; }
a { color: var(--accent); }
a:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.about { color: var(--quiet); }
.private {
  max-width: none; margin-bottom: 1.5rem; padding: .6rem .9rem;
  border: 2px solid var(--bad); border-radius: 4px; background: var(--bad-panel);
}
.private strong { color: var(--bad); }
.verdict {
  margin: 1.5rem 0 1.25rem; padding: 1rem 1.25rem 1.1rem;
  border-left: 6px solid var(--axis); border-radius: 4px; background: var(--panel);
}
.verdict.good { border-color: var(--good); background: var(--good-panel); }
.verdict.warning { border-color: var(--warning); background: var(--warning-panel); }
.verdict.bad { border-color: var(--bad); background: var(--bad-panel); }
.mark { margin: 0 0 .2rem; font-size: .85rem; font-weight: 700; letter-spacing: .04em; text-transform: uppercase; }
.good > .mark { color: var(--good); }
.warning > .mark { color: var(--warning); }
.bad > .mark { color: var(--bad); }
.sentence { margin: 0; font-size: 1.3rem; line-height: 1.4; }
p.good, td.good { color: var(--good); }
p.warning, td.warning { color: var(--warning); }
p.bad, td.bad { color: var(--bad); }
td.good, td.warning, td.bad { font-weight: 600; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; max-width: none; margin: 0; padding: 0; list-style: none; }
nav li { margin: 0; }
section { margin-top: 2.25rem; padding-top: 1.5rem; border-top: 1px solid var(--rule); }
.wide { overflow-x: auto; margin: 0 0 1.25rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: 0 0 .4rem; text-align: left; font-weight: 600; }
th, td { padding: .35rem 1.25rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); unicode-bidi: isolate; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--quiet); font-size: .875rem; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
td.barred { min-width: 13rem; white-space: nowrap; }
td.barred span { display: inline-block; min-width: 5.5rem; padding-right: .75rem; text-align: right; }
.bar { width: calc(100% - 6rem); min-width: 5rem; height: .7rem; vertical-align: baseline; }
.bar rect { fill: var(--bar); }
.beside { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1rem 2.5rem; align-items: start; }
.beside table { width: 100%; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.5rem), 1fr)); gap: 1.25rem; margin-bottom: 1.25rem; }
figure { margin: 0; padding: .75rem .75rem .5rem; border: 1px solid var(--rule); border-radius: 4px; }
figcaption { margin-bottom: .25rem; font-size: .95rem; font-weight: 600; }
.chart { display: block; width: 100%; height: auto; }
.chart text { fill: var(--quiet); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.chart .tick, .chart text.limit { text-anchor: end; }
.chart .word, .chart .value { text-anchor: middle; }
.chart .value { fill: var(--text); }
.chart .rule { stroke: var(--rule); }
.chart .axis { stroke: var(--axis); }
.chart .column { fill: var(--bar); }
.chart line.limit { stroke: var(--bad); stroke-dasharray: 5 3; }
.chart text.limit { fill: var(--bad); }
polyline { fill: none; stroke-width: 2; }
polyline.line0 { stroke: var(--accent); }
polyline.line1 { stroke: var(--warning); stroke-dasharray: 6 3; }
polyline.line2 { stroke: var(--good); stroke-dasharray: 2 3; }
polyline.line3 { stroke: var(--quiet); stroke-dasharray: 9 3 2 3; }
circle.line0 { fill: var(--accent); }
circle.line1 { fill: var(--warning); }
circle.line2 { fill: var(--good); }
circle.line3 { fill: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .25rem 0 0; padding: 0; list-style: none; font-size: .875rem; }
.legend li { margin: 0; }
.swatch { width: 28px; height: 10px; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--rule); color: var(--quiet); font-size: .875rem; }
@media (max-width: 36rem) {
  body { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.5rem; }
  .sentence { font-size: 1.15rem; }
  th, td { padding-right: .75rem; }
  td.barred { min-width: 9.5rem; }
  td.barred span { min-width: 3.75rem; }
  .bar { width: calc(100% - 4.5rem); min-width: 4rem; }
}
@media print {
  :root {
    --page: #ffffff; --panel: #ffffff; --rule: #c4c8cc; --axis: #555555;
    --text: #000000; --quiet: #444444; --accent: #1f5f9e; --bar: #7ea6cc;
    --good: #17633a; --warning: #7a4d00; --bad: #a8201a;
    --good-panel: #ffffff; --warning-panel: #ffffff; --bad-panel: #ffffff;
  }
  @page { margin: 18mm 16mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  h1 { font-size: 18pt; }
  h2 { font-size: 13pt; break-after: avoid; }
  .wide { overflow: visible; }
  tr, figure, .verdict, .private { break-inside: avoid; }
  thead { display: table-header-group; }
  .bar rect, .chart, .verdict { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace

Html StyleSheet() { return Literal(kSheet); }

std::string StyleDigest() {
  unsigned char digest[crypto_hash_sha256_BYTES];
  const std::string sheet = StyleSheet().text();
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(sheet.data()), sheet.size());
  char text[sodium_base64_ENCODED_LEN(sizeof(digest), sodium_base64_VARIANT_ORIGINAL)];
  sodium_bin2base64(text, sizeof(text), digest, sizeof(digest), sodium_base64_VARIANT_ORIGINAL);
  return text;
}

}  // namespace reissue::cli::page
