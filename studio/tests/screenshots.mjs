// Pictures of every room, in light and dark, wide and narrow; or those of the guide.
//   REISSUE_PROGRAM=… SCREENSHOTS=pictures node tests/screenshots.mjs [NAME…]
//   REISSUE_PROGRAM=… node tests/screenshots.mjs --guide      (docs/studio/*.webp)
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withStudio } from "./harness.mjs";
import { prepare, show, views } from "./rooms.mjs";

const guide = process.argv.includes("--guide");
const only = process.argv.slice(2).filter((word) => !word.startsWith("--"));

/** A part of a room, and what the guide calls its picture. */
const ofTheGuide = [
  { view: "table", part: "[data-part=columns]", name: "table" },
  { view: "taxonomies", part: "[data-part=tree]", name: "taxonomy" },
  { view: "promise", part: "[data-part=costs] figure", name: "frontier" },
  { view: "explain", part: "[data-part=picture]", name: "person" },
];

/** The browser knows how to write small pictures. */
async function asWebp(page, png) {
  const text = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    // At most 60 KB of picture.
    for (let quality = 0.8; ; quality -= 0.1) {
      const made = canvas.toDataURL("image/webp", quality);
      if (made.length < 80000 || quality < 0.3) return made;
    }
  }, png.toString("base64"));
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64");
}

async function everyRoom({ page }) {
  const out = process.env.SCREENSHOTS ?? "screenshots";
  mkdirSync(out, { recursive: true });
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
}

async function picturesOfTheGuide({ page }) {
  const out = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "docs", "studio");
  mkdirSync(out, { recursive: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1000, height: 900 });
  for (const { view, part, name } of ofTheGuide) {
    await show(page, views.find((one) => one.name === view));
    const picture = await asWebp(page, await page.locator(part).first().screenshot());
    writeFileSync(join(out, `${name}.webp`), picture);
    console.log(`${name}.webp: ${picture.length} bytes`);
  }
}

await withStudio({ prepare }, guide ? picturesOfTheGuide : everyRoom);
