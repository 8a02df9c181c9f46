// The program is killed in the middle: the page says so in words, and finds it again or not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, startStudio, withStudio } from "./harness.mjs";

const grid = "k=2,3,4,5,6,7,8,9,10,12,14,16,18,20,25,30&recoding=local,global&distinct=1,2,3";

test("killed in the middle of a command", async () => {
  await withStudio({}, async ({ page, studio, folder, go }) => {
    await go(`promise?table=discharges.csv&policy=policy.toml&${grid}`);
    await page.click("[data-part=costs] button.main:enabled");
    await page.waitForSelector("[data-part=costs] progress");
    studio.child.kill("SIGKILL");
    await page.waitForSelector("[data-part=gone]");
    const words = await page.innerText("[data-part=gone]");
    assert.match(words, /does not answer any more/);
    assert.match(words, /has published nothing or all of it/);
    assert.match(words, /reissue studio \S*hospital/);
    await page.waitForSelector("[data-part=costs] [role=alert]");
    // Another start on another port: its page works, the old one keeps its words.
    const next = await startStudio(folder);
    try {
      const other = await page.context().newPage();
      await other.goto(next.address);
      await other.waitForSelector("main h2");
      assert.equal(await other.locator("[data-part=gone]").count(), 0);
    } finally {
      await next.stop();
    }
  });
});

test("a command that is cancelled, and one that is found again after a reload", async () => {
  await withStudio({}, async ({ page, go }) => {
    await go(`promise?table=discharges.csv&policy=policy.toml&${grid}`);
    await page.click("[data-part=costs] button.main:enabled");
    await page.waitForSelector("[data-part=costs] progress");
    await page.reload();
    await page.waitForSelector("[data-part=costs] progress");
    await page.waitForSelector("[data-part=costs] .running button:enabled");
    await page.click("[data-part=costs] .running button");
    await page.waitForSelector("[data-part=costs] >> text=Cancelled");
  });
});

test("two tabs see the same", async () => {
  await withStudio({}, async ({ page, context, studio, go }) => {
    const second = await context.newPage();
    await second.goto(studio.base);
    await second.waitForSelector("main h2");
    const place = "promise?table=discharges.csv&policy=policy.toml";
    await go(`${place}&${grid}`);
    await page.click("[data-part=costs] button.main:enabled");
    await page.waitForSelector("[data-part=costs] progress");
    // The other tab takes up what runs, and both can change the policy.
    await goTo(second, `${place}&${grid}`);
    await second.waitForSelector("[data-part=costs] progress");
    await second.click("[data-part=costs] .running button:enabled");
    await page.waitForSelector("[data-part=costs] >> text=Cancelled");
    const k = second.locator("[data-part=how-much] input[type=range] >> nth=0");
    await k.focus();
    await k.press("ArrowRight");
    await second.waitForSelector("text=k=6");
    await goTo(page, "table?table=discharges.csv&policy=policy.toml");
    await goTo(page, place);
    await page.reload();
    await page.waitForSelector("[data-part=how-much]");
    assert.equal(await page.inputValue("[data-part=how-much] input[type=range] >> nth=0"), "6");
  });
});
