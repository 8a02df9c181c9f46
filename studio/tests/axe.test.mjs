// Every room, light and dark: no fault that axe knows of. SCREENSHOTS: also pictures, into that folder.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder, reissue, startBrowser, withStudio } from "./harness.mjs";
import { prepare, show, views } from "./rooms.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

/** Wide and narrow, light and dark. */
async function look(page, name) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const told = found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" | ")}`);
      assert.deepEqual(told, [], `${name}, ${width}, ${colorScheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name} is ${wide} px too wide at ${width}`);
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
}

test("axe finds nothing in any room", async (t) => {
  // The content policy of the page would not let the script of axe in.
  await withStudio({ prepare, options: { bypassCSP: true } }, async ({ page }) => {
    for (const view of views) {
      await t.test(view.name, async () => {
        await page.setViewportSize({ width: 1280, height: 900 });
        await show(page, view);
        if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ content: axe });
        await look(page, view.name);
      });
    }
  });
});

/** For the holder, for the public, and of files of which nothing else is known. */
const reports = {
  "report-holder": ["--vault", "vault", "--no-passphrase", "--table", "discharges.csv"],
  "report-public": ["--policy", "series.toml", "--for", "public", "R1.csv", "R2.csv"],
  "report-files": ["R1.csv", "R2.csv"],
};

test("axe finds nothing in a report", async (t) => {
  const folder = makeFolder();
  const browser = await startBrowser();
  try {
    prepare(folder.path);
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    for (const [name, words] of Object.entries(reports)) {
      await t.test(name, async () => {
        reissue(folder.path, "report", ...words, "--out", `${name}.html`);
        await page.goto(`file://${join(folder.path, name)}.html`);
        await page.addScriptTag({ content: axe });
        await look(page, name);
      });
    }
  } finally {
    await browser.close();
    folder.remove();
  }
});
