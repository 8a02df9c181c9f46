// Pictures of every room, in light and dark, wide and narrow. SCREENSHOTS names the folder.
//   REISSUE_PROGRAM=… SCREENSHOTS=pictures node tests/screenshots.mjs [NAME…]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withStudio } from "./harness.mjs";
import { prepare, show, views } from "./rooms.mjs";

const out = process.env.SCREENSHOTS ?? "screenshots";
const only = process.argv.slice(2);
mkdirSync(out, { recursive: true });

await withStudio({ prepare }, async ({ page }) => {
  for (const view of views.filter((one) => only.length === 0 || only.includes(one.name))) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await show(page, view);
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: join(out, `${view.name}-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
    console.log(view.name);
  }
});
