// Rules for the sources themselves.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = process.cwd();

function all(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? all(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

test("strangers' words become text nodes only", () => {
  const ways = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function/;
  for (const name of all("src")) assert.doesNotMatch(readFileSync(join(root, name), "utf8"), ways, name);
});

test("the page loads nothing from elsewhere", () => {
  for (const name of [...all("src"), ...all("style"), "index.html"]) {
    assert.doesNotMatch(readFileSync(join(root, name), "utf8"), /https?:\/\/|@import url|localStorage|sessionStorage/, name);
  }
  assert.doesNotMatch(readFileSync(join(root, "index.html"), "utf8"), /<script(?! defer src="\/app\.js")|<style| style=| on[a-z]+=/);
});

test("the lock file names no address, and versions are exact", () => {
  assert.doesNotMatch(readFileSync(join(root, "package-lock.json"), "utf8"), /https?:/);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const version of Object.values({ ...dependencies, ...devDependencies })) assert.match(String(version), /^\d+\.\d+\.\d+$/);
});

test("files stay short", () => {
  for (const name of [...all("src"), ...all("style"), ...all("tests")]) {
    const lines = readFileSync(join(root, name), "utf8").split("\n").length;
    assert.ok(lines <= 500, `${name} has ${lines} lines`);
  }
});
