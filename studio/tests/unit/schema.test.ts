// What the page takes for granted about the program's JSON is written down: every key of its types is one of
// docs/formats/json.md. That the program prints these and no others is the program's own test.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = process.cwd();
const source = process.env.REISSUE_SOURCE ?? join(root, "..");

/** Of the server and not of a verb: docs/design/0015. */
const ofTheServer = /^export interface (Folder|FileEntry|Job)\b/;

function keysOfTypes(): { type: string; key: string }[] {
  const found: { type: string; key: string }[] = [];
  const blocks = readFileSync(join(root, "src/core/types.ts"), "utf8").split(/^(?=export )/m);
  for (const block of blocks) {
    const type = block.match(/^export interface (\w+)/)?.[1];
    if (!type || ofTheServer.test(block)) continue;
    for (const match of block.matchAll(/(?:^|[{;])\s*(\w+)\??:/gm)) found.push({ type, key: match[1] });
  }
  return found;
}

test("every key that the page reads is written down", () => {
  const written = new Set<string>();
  for (const match of readFileSync(join(source, "docs/formats/json.md"), "utf8").matchAll(/^\| \(?`([^`]+)`/gm)) {
    for (const part of match[1].split(/[.[\]]+/)) written.add(part);
  }
  const keys = keysOfTypes();
  assert.ok(keys.length > 100, `only ${keys.length} keys were found in the types`);
  const missing = keys.filter(({ key }) => !written.has(key)).map(({ type, key }) => `${type}.${key}`);
  assert.deepEqual(missing, []);
});
