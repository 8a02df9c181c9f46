// What the browser tests share: a folder, a studio that serves it, a browser that looks at it.
//
//   REISSUE_PROGRAM  the program; it is started as `REISSUE_PROGRAM studio DIR --no-browser --port 0`
//   CHROMIUM         the browser, default /usr/bin/chromium
//   REISSUE_SOURCE   the project, where these tests were copied elsewhere
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const program = process.env.REISSUE_PROGRAM;
if (!program) throw new Error("REISSUE_PROGRAM says which program is tested");
const here = dirname(fileURLToPath(import.meta.url));
const source = process.env.REISSUE_SOURCE ?? join(here, "..", "..");  // of the project
export const hospital = join(source, "examples", "hospital");

export const rooms = ["table", "taxonomies", "promise", "audit", "publish", "series"];

/** A folder of its own, with the hospital of the examples in it if wanted. */
export function makeFolder(withHospital = true) {
  const folder = mkdtempSync(join(tmpdir(), "studio-"));
  const served = join(folder, "hospital");
  if (withHospital) cpSync(hospital, served, { recursive: true });
  else mkdirSync(served);
  return { path: served, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function reissue(folder, ...args) {
  return execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** The table of the example without the newcomers of December. */
export function untilNovember() {
  const [head, ...rows] = readFileSync(join(hospital, "discharges.csv"), "utf8").trimEnd().split("\n");
  return [head, ...rows.filter((row) => row.split(",")[5] < "2025-12")].join("\n") + "\n";
}

/** Two releases that each keep their promise and break it together, beside the hospital. */
export function twoReleases(folder) {
  writeFileSync(join(folder, "until-november.csv"), untilNovember());
  reissue(folder, "publish", "--vault", "alone-1", "--no-passphrase", "--policy", "policy.toml", "until-november.csv", "--out", "november.csv");
  reissue(folder, "publish", "--vault", "alone-2", "--no-passphrase", "--policy", "policy.toml", "discharges.csv", "--out", "december.csv");
}

/** A series of two releases in `vault`. */
export function series(folder) {
  writeFileSync(join(folder, "until-november.csv"), untilNovember());
  reissue(folder, "publish", "--vault", "vault", "--no-passphrase", "--policy", "series.toml", "until-november.csv", "--out", "R1.csv");
  reissue(folder, "publish", "--vault", "vault", "--no-passphrase", "discharges.csv", "--out", "R2.csv");
}

export async function startStudio(folder) {
  const child = spawn(program, ["studio", folder, "--no-browser", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (more) => {
      text += more;
      const match = text.match(/http:\/\/127\.0\.0\.1:\d+\/open\?token=\S+/);
      if (match) found(match[0]);
    });
    child.on("exit", (code) => failed(new Error(`the studio ended with ${code}: ${text}`)));
  });
  return {
    address,
    child,
    base: new URL(address).origin + "/",
    stop: () =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode) return done();
        child.once("exit", done);
        child.kill("SIGTERM");
        setTimeout(() => child.kill("SIGKILL"), 3000).unref();
      }),
  };
}

const launchArguments = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: launchArguments });
}

/** Everything a page complains about: errors, refused by the content policy, dialogs. */
export function listen(page) {
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error}`));
  page.on("console", (message) => {
    const text = message.text();
    // A job that is not there, a lost program: requests that fail are told to people by the page.
    if (message.type() === "error" && !/Failed to load resource/.test(text)) complaints.push(text);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return complaints;
}

/**
 * Runs `work` with a folder, a studio and a page that has opened it, and cleans up. No test may leave
 * a complaint of the page behind.
 */
export async function withStudio({ prepare = () => {}, hospital: with_ = true, options = {} }, work) {
  const folder = makeFolder(with_);
  let studio, browser;
  try {
    prepare(folder.path);
    studio = await startStudio(folder.path);
    browser = await startBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(30000);
    const page = await context.newPage();
    const complaints = listen(page);
    await page.goto(studio.address);
    await page.waitForSelector("main h2");
    await work({ page, context, studio, folder: folder.path, go: (hash) => goTo(page, hash) });
    assert.deepEqual(complaints, []);
  } finally {
    await browser?.close();
    await studio?.stop();
    folder.remove();
  }
}

export async function goTo(page, hash) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForSelector("main h2");
}

/** Drops a file as a pointer would. */
export async function dropFile(page, selector, name, text) {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: "text/csv" }));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent(selector, "dragover", { dataTransfer: data });
  await page.dispatchEvent(selector, "drop", { dataTransfer: data });
}

/** Waits until nothing is being worked on. */
export async function settled(page) {
  await page.waitForFunction(
    () => !document.querySelector("progress") && !/(Looking|Checking|Working|Reading|Copying) .*…/.test(document.body.innerText),
  );
}
