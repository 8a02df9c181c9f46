// Files of anybody are audited; one person is explained as a picture.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dropFile, makeFolder, twoReleases, withStudio } from "./harness.mjs";

test("two files of somebody, dropped", async () => {
  const made = makeFolder();
  twoReleases(made.path);
  const [november, december] = ["november.csv", "december.csv"].map((name) => readFileSync(join(made.path, name), "utf8"));
  made.remove();
  await withStudio({ hospital: false }, async ({ page, go }) => {
    await go("audit");
    await dropFile(page, "[data-drop]", "november.csv", november);
    await page.waitForSelector(".ordered li");
    await dropFile(page, "[data-drop]", "december.csv", december);
    await page.waitForSelector(".ordered li >> nth=1");
    await page.click("[data-part=files] button.main");
    await page.waitForSelector("[data-part=audit-result]");
    const text = await page.innerText("[data-part=found]");
    assert.match(text, /EXPOSED/i);
    assert.match(text, /november\.csv and december\.csv/);
    assert.match(text, /reissue audit november\.csv december\.csv/);
    // A reload finds what was chosen, and what was found.
    await page.reload();
    await page.waitForSelector("[data-part=audit-result]");
    assert.equal(await page.locator(".ordered li").count(), 2);
  });
});

test("a person as a picture, step by step", async () => {
  await withStudio({ prepare: twoReleases }, async ({ page, go }) => {
    await go("audit?policy=series.toml&file=november.csv&file=december.csv");
    await page.click("[data-part=files] button.main:enabled");
    await page.waitForSelector("[data-part=audit-result]");
    assert.match(await page.innerText(".verdict"), /1 person is singled out.*break their promise together/s);
    await page.click('button:has-text("Show as a picture") >> nth=0');
    await page.waitForSelector("[data-part=picture]");
    const step = () => page.innerText("[data-part=picture] .sentence");
    assert.match(await step(), /1 row is left that can be this person's, where 5 were promised/);
    assert.equal(await page.locator(".picture > .wide .row").count(), 19);
    assert.equal(await page.locator(".picture > .wide .row.out").count(), 18);
    await page.click('.steps button >> nth=0');
    assert.match(await step(), /finds 19 rows of release 2/);
    assert.equal(await page.locator(".picture > .wide .row.out").count(), 0);
    await page.click('[data-part=picture] >> text="Next"');
    assert.match(await step(), /Release 1 shows that 18 rows of release 2, with 11 values, must be of somebody who was there before/);
  });
});
