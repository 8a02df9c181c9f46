// Every room, light and dark: no fault that axe knows of. SCREENSHOTS: also pictures, into that folder.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { withStudio } from "./harness.mjs";
import { prepare, show, views } from "./rooms.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

test("axe finds nothing in any room", async (t) => {
  // The content policy of the page would not let the script of axe in.
  await withStudio({ prepare, options: { bypassCSP: true } }, async ({ page }) => {
    for (const view of views) {
      await t.test(view.name, async () => {
        await page.setViewportSize({ width: 1280, height: 900 });
        await show(page, view);
        if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ content: axe });
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme });
            const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
            const told = found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" | ")}`);
            assert.deepEqual(told, [], `${view.name}, ${width}, ${colorScheme}`);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.ok(wide <= 0, `${view.name} is ${wide} px too wide at ${width}`);
            if (pictures) await page.screenshot({ path: join(pictures, `${view.name}-${width}-${colorScheme}.png`), fullPage: true });
          }
        }
      });
    }
  });
});
