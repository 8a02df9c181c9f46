// Taxonomies are edited with the pointer and with keys, taken back, and saved as the same CSV.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { settled, withStudio } from "./harness.mjs";

const place = "taxonomies?table=discharges.csv&policy=series.toml";

test("a taxonomy is edited and saved", async () => {
  // Tall enough for the whole tree: nothing may scroll while something is dragged.
  await withStudio({ options: { viewport: { width: 1280, height: 1600 } } }, async ({ page, folder, go }) => {
    await go(`${place}&column=job`);
    const entry = (label) => page.locator(`.entry[data-label="${label}"]`);
    const tick = (label) => entry(label).locator("input").check();
    await entry("Nurse").waitFor();

    // By pointer: a value onto another group; and back.
    await entry("Nurse").dragTo(entry("Service"));
    await page.waitForSelector("text=Moved Nurse to Service");
    await page.click('[data-part=tree] button:text-is("Undo")');
    await page.click('[data-part=tree] button:text-is("Redo")');

    // What is not saved is there again after a look into another room.
    await page.click("nav >> text=Audit");
    await page.click("nav >> text=Taxonomies");
    await page.click("nav >> text=job");
    await page.waitForSelector("text=Not saved yet.");

    // By keys: tick, choose, name.
    await tick("Driver");
    await page.locator(".toolbar select").selectOption({ label: "Profession" });
    await page.waitForSelector("text=Moved Driver to Profession");
    await tick("Lawyer");
    await tick("Engineer");
    await page.fill(".toolbar input", "Academic");
    await page.click("text=New group of them");
    await entry("Academic").waitFor();
    await tick("At home");
    await page.fill(".toolbar input", "Home; or \"retired\"");
    await page.click("text=Rename group");

    // A label that is there twice is not saved.
    await entry('Home; or \\"retired\\"').waitFor();
    await page.fill(".toolbar input", "Service");
    await page.click("text=Rename group");
    await page.waitForSelector("text=is there twice");
    assert.equal(await page.locator('button:text-is("Save")').isDisabled(), true);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => !document.body.innerText.includes("is there twice"));

    await page.click('button:text-is("Save")');
    await page.waitForSelector("text=Nothing is wrong with it.");
    const lines = readFileSync(join(folder, "job.csv"), "utf8").trimEnd().split("\n");
    assert.equal(lines.length, 15);
    assert.ok(lines.includes("Nurse;Service;Employed;*"), lines.join("\n"));
    assert.ok(lines.includes("Driver;Profession;Employed;*"));
    assert.ok(lines.includes("Lawyer;Academic;Profession;Employed;*"));
    assert.ok(lines.includes('Retired;"Home; or ""retired""";Not employed;*'), lines.join("\n"));
    await settled(page);
    assert.match(await page.innerText("[data-part=check]"), /Nothing is wrong/);
    // What is in the file comes back as it was saved.
    await page.reload();
    await entry("Academic").waitFor();
  });
});

test("ranges are moved and saved", async () => {
  await withStudio({}, async ({ page, folder, go }) => {
    await go(`${place}&column=days`);
    const handle = page.locator(".handle >> nth=1");
    await handle.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.innerText("[data-part=ranges] .command"), /\[1,6,8,15,29,57\]/);
    await page.locator(".handle >> nth=2").focus();
    await page.keyboard.press("Delete");
    await page.click('[data-part=ranges] button:text-is("Save")');
    await page.waitForSelector("text=breakpoints of days");
    await settled(page);
    const policy = () => readFileSync(join(folder, "series.toml"), "utf8").replace(/\s+/g, "");
    assert.match(policy(), /breakpoints=\[1,6,15,29,57\]/);
    await page.click('.changes button:text-is("Undo")');
    await page.waitForSelector("text=taken back");
    assert.match(policy(), /breakpoints=\[1,4,8,15,29,57\]/);
  });
});
