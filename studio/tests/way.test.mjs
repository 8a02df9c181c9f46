// The whole way: from a table that is dropped on the page to a second release whose certificate holds.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { execFileSync } from "node:child_process";
import { dropFile, hospital, program, settled, untilNovember, withStudio } from "./harness.mjs";

const passphrase = "four words nobody expects together";

async function publish(page, name) {
  await page.fill("[data-part=publish-form] input[type=password] >> nth=0", passphrase);
  const again = page.locator("[data-part=publish-form] input[type=password]");
  if ((await again.count()) > 1) await again.nth(1).fill(passphrase);
  await page.click(`[data-part=publish] button.main:enabled:has-text("${name}")`);
  await page.waitForSelector("[data-part=published], [data-part=publish] [role=alert]", { timeout: 90000 });
  assert.equal(await page.locator("[data-part=publish] [role=alert]").count(), 0, await page.innerText("[data-part=publish]"));
}

test("from a dropped table to a verified second release", async () => {
  await withStudio({ hospital: false }, async ({ page, folder, go }) => {
    // A table comes in, and a policy is drafted.
    await dropFile(page, "[data-drop]", "until-november.csv", untilNovember());
    await page.waitForSelector("[data-part=columns]");
    assert.match(await page.innerText("[data-part=columns]"), /1,641 rows, 8 columns/);
    await page.click("text=Draft a policy");
    await page.waitForSelector("[data-part=check] .good");
    assert.match(page.url(), /policy=until-november-policy/);

    // The column that is not sure comes first; roles are changed by a click, and taken back.
    assert.equal(await page.getAttribute(".columns > li >> nth=0", "data-column"), "days");
    const role = (column, name) => page.locator(`li[data-column=${column}] input[value=${name}]`);
    await role("admitted", "drop").check();
    await page.waitForSelector("text=admitted is drop");
    await settled(page);
    const policy = () => readFileSync(join(folder, "until-november-policy/policy.toml"), "utf8");
    assert.match(policy(), /admitted = \{ role = "drop" \}/);
    await page.click("text=Undo");
    await page.waitForFunction(() => document.querySelector("li[data-column=admitted] input[value=quasi]").checked);
    assert.match(policy(), /admitted = \{ role = "quasi", taxonomy = "admitted.csv" \}/);
    await settled(page);
    await role("admitted", "drop").check();
    await page.waitForFunction(() => document.querySelector("li[data-column=admitted] input[value=drop]").checked);
    await settled(page);

    // Two tables say that it grows.
    await page.click("nav >> text=Promise");
    await go(`promise?table=until-november.csv&policy=until-november-policy/policy.toml`);
    await page.waitForSelector("[data-part=how-much]");
    await page.click("nav >> text=Table");
    await dropFile(page, "[data-drop]", "discharges.csv", readFileSync(join(hospital, "discharges.csv"), "utf8"));
    await page.waitForFunction(() => location.hash.includes("discharges.csv"));
    await go("promise?table=until-november.csv&policy=until-november-policy/policy.toml&with=until-november.csv&with=discharges.csv");
    await page.click("text=Say which model fits");
    await page.waitForSelector("[data-part=advice]");
    assert.match(await page.innerText("[data-part=advice]"), /159 people came, nobody left/);
    await page.click("text=Take model bcf");
    await page.waitForFunction(() => document.body.innerText.includes("The policy says bcf"));

    // A preview writes nothing; the first release makes the vault.
    await page.click("nav >> text=Publish");
    await page.click("[data-part=preview] button.main:enabled");
    await page.waitForSelector("[data-part=previewed]", { timeout: 90000 });
    assert.match(await page.innerText("[data-part=previewed]"), /Nothing was written/);
    assert.equal(existsSync(join(folder, "R1.csv")), false);
    await publish(page, "R1.csv");
    assert.equal(existsSync(join(folder, "R1.csv")), true);
    assert.equal(await page.locator("input[type=password] >> nth=0").inputValue(), "");
    await settled(page);

    // The second one, with newcomers.
    await page.selectOption("[data-part=publish-form] select >> nth=0", "discharges.csv");
    await page.waitForSelector('[data-part=publish] button:has-text("R2.csv")');
    await publish(page, "R2.csv");
    assert.match(await page.innerText("[data-part=published]"), /Release 2 is published/);

    // Its certificate holds, by the key of the holder.
    await page.click("text=Look at the series");
    await page.waitForSelector("[data-part=verify]");
    const secret = join(folder, "..", "passphrase");
    writeFileSync(secret, passphrase + "\n", { mode: 0o600 });
    const env = { ...process.env, REISSUE_PASSPHRASE_FILE: secret };
    const key = execFileSync(program, ["key", "show", "vault"], { cwd: folder, env, encoding: "utf8" }).trim();
    await page.fill("[data-part=verify] input", key);
    await page.click("[data-part=verify] button.main:enabled");
    await page.waitForSelector("[data-part=verified]");
    assert.match(await page.innerText("[data-part=verified]"), /HOLDS/i);

    // The passphrase is nowhere.
    const everywhere = await page.evaluate(() => document.documentElement.outerHTML + location.href + JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.equal(everywhere.includes(passphrase), false);

    // A report of the series opens.
    await page.fill("[data-part=report] input[type=password]", passphrase);
    await page.click("[data-part=report] button.main:enabled");
    await page.waitForSelector("[data-part=reported] a");
    const [report] = await Promise.all([page.waitForEvent("popup"), page.click("[data-part=reported] a")]);
    await report.waitForSelector("h1");
    assert.match(await report.innerText("body"), /promise/);
  });
});
