// Names and values that would like to be HTML are text.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dropFile, settled, withStudio } from "./harness.mjs";

const evil = "<img src=x onerror=document.title='taken'>";
const name = "<img src=x onerror=document.title='taken'>.csv";

function table() {
  const rows = [`id,${evil},job`];
  for (let i = 0; i < 60; i++) rows.push(`P${i},${i % 2 ? evil : "<b>bold</b>"},<script>document.title='taken'</script>`);
  return rows.join("\n") + "\n";
}

async function nothingTaken(page) {
  assert.doesNotMatch(await page.title(), /taken/);
  assert.equal(await page.locator("main img, main b, main script, footer img").count(), 0);
}

test("a hostile table is shown as text", async () => {
  await withStudio({ hospital: false, prepare: (folder) => writeFileSync(join(folder, name), table()) }, async ({ page, go }) => {
    await nothingTaken(page);
    await dropFile(page, "[data-drop]", name, table());
    await page.waitForTimeout(500);
    await nothingTaken(page);
    await dropFile(page, "[data-drop]", "plain.csv", table());
    await page.waitForSelector(".columns > li");
    await page.click(`li[data-column="${evil}"] summary`);
    const text = await page.innerText("[data-part=columns]");
    assert.ok(text.includes(evil), text);
    assert.ok(text.includes("<b>bold</b>"));
    await nothingTaken(page);
    await page.click("text=Draft a policy");
    await page.waitForFunction(() => location.hash.includes("policy="));
    await settled(page);
    await nothingTaken(page);
    for (const room of ["taxonomies", "promise", "publish"]) {
      await page.click(`nav >> text="${room.charAt(0).toUpperCase() + room.slice(1)}"`);
      await settled(page);
      await nothingTaken(page);
    }
    // In an address, and in the words of an error.
    await go(`table?table=${encodeURIComponent(evil)}`);
    await page.waitForSelector("[role=alert]");
    await nothingTaken(page);
  });
});
