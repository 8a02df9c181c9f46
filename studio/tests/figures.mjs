// Sizes and times, as a table: the page, its first paint, a table of a million rows, the frontier of a census.
//   REISSUE_PROGRAM=… node tests/figures.mjs
import { cpSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { goTo, hospital, program, reissue, settled, withStudio } from "./harness.mjs";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const say = (what, figure) => console.log(`${what.padEnd(58)} ${figure}`);
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(2)} s`;

const packed = ["index.html", "app.js", "app.css"].map((name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length);
say("the page, gzipped", `${packed.reduce((a, b) => a + b)} bytes`);
say("the program", `${statSync(program).size} bytes`);

await withStudio({}, async ({ page, studio }) => {
  const paints = [];
  for (let i = 0; i < 5; ++i) {
    await page.goto(studio.base + `?${i}#table?table=discharges.csv&policy=series.toml`);
    await page.waitForSelector("main h2");
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  }
  say("first paint, the hospital of the examples, median of five", `${paints.sort((a, b) => a - b)[2].toFixed(0)} ms`);
});

function census(folder, rows) {
  cpSync(join(hospital, "..", "census"), folder, { recursive: true });
  reissue(folder, "simulate", "adult", "--rows", String(rows), "--seed", "1", "--out", "census.csv");
}

await withStudio({ hospital: false, prepare: (folder) => census(folder, 1_000_000) }, async ({ page }) => {
  const from = performance.now();
  await goTo(page, "table?table=census.csv&policy=policy.toml");
  await page.waitForSelector("[data-part=columns] li", { timeout: 120000 });
  say("a million rows: their columns", seconds(from));
});

await withStudio({ hospital: false, prepare: (folder) => census(folder, 30_162) }, async ({ page }) => {
  await goTo(page, "promise?table=census.csv&policy=policy.toml&k=2,5,10,20&recoding=local,global");
  await page.waitForSelector("[data-part=costs] button.main:enabled");
  await settled(page);
  const from = performance.now();
  await page.click("[data-part=costs] button.main:enabled");
  await page.waitForSelector("[data-part=frontier]", { timeout: 300000 });
  say("30,162 rows of a census: a frontier of eight releases", seconds(from));
});
