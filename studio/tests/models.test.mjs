// Models other than k and bcf: previews, releases and audits are shown in the same rooms.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hospital, settled, withStudio } from "./harness.mjs";

const columns = (folder, from, to, picked) => {
  const rows = readFileSync(join(folder, from), "utf8").trimEnd().split("\n");
  writeFileSync(join(folder, to), rows.map((row) => picked.map((i) => row.split(",")[i]).join(",")).join("\n") + "\n");
};

test("a table whose rows come and go", async () => {
  await withStudio({}, async ({ page, go }) => {
    await go("publish?table=discharges.csv&policy=changing.toml");
    await page.click("[data-part=preview] button.main:enabled");
    await page.waitForSelector("[data-part=previewed]", { timeout: 90000 });
    assert.match(await page.innerText("[data-part=previewed]"), /Nobody's value is certain; the release keeps its promise/);
    await page.click("[data-part=publish-form] input[type=checkbox]");
    await page.click("[data-part=publish] button.main:enabled");
    await page.waitForSelector("[data-part=published]", { timeout: 90000 });
    assert.match(await page.innerText("[data-part=published]"), /Release 1 is published/);
    await settled(page);
    await go("audit?policy=changing.toml&file=R1.private.csv");
    await page.click("[data-part=files] button.main:enabled");
    await page.waitForSelector("[data-part=audit-result]");
    assert.match(await page.innerText("[data-part=audit-result]"), /keeps its promise/);
  });
});

test("other columns of the same people", async () => {
  const prepare = (folder) => {
    cpSync(join(hospital, "..", "linked", "policy.toml"), join(folder, "linked.toml"));
    columns(folder, "discharges.csv", "diseases.csv", [1, 2, 6]);
    columns(folder, "discharges.csv", "stays.csv", [1, 2, 3, 4, 7]);
  };
  await withStudio({ prepare }, async ({ page, go }) => {
    await go("audit?policy=linked.toml&file=stays.csv&prior=diseases.csv");
    await page.click("[data-part=files] button.main:enabled");
    await page.waitForSelector("[data-part=audit-result]", { timeout: 90000 });
    const text = await page.innerText("[data-part=found]");
    assert.match(text, /combinations are singled out/);
    assert.match(text, /records of the join match/);
    assert.match(text, /--prior diseases\.csv/);
  });
});

test("what the columns of somebody's file are can be corrected", async () => {
  await withStudio({ prepare: (folder) => columns(folder, "discharges.csv", "raw.csv", [1, 2, 4, 6]) }, async ({ page, go }) => {
    await go("audit?file=raw.csv");
    await page.click("[data-part=files] button.main:enabled");
    await page.waitForSelector("[data-part=audit-result]");
    await page.click("text=What the columns were taken for");
    await page.selectOption('select[aria-label="Role of job"]', "drop");
    await page.waitForSelector("text=The choices have changed since");
    await page.click("[data-part=files] button.main:enabled");
    await page.waitForFunction(() => /--drop job/.test(document.querySelector("[data-part=found]").innerText) && !document.querySelector("progress"));
  });
});
