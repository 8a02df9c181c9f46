// Makes dist/index.html, dist/app.js and dist/app.css; with --tests the unit tests instead.
import { build } from "esbuild";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const common = {
  bundle: true,
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  target: "es2020",
};

if (process.argv.includes("--tests")) {
  const unit = join(here, "tests", "unit");
  const names = (await readdir(unit)).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: names.map((name) => join(unit, name)),
    outdir: join(here, "dist-tests"),
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    target: "node18",
  });
} else {
  const out = join(here, "dist");
  await mkdir(out, { recursive: true });
  await build({
    ...common,
    entryPoints: { app: join(here, "src", "main.tsx") },
    outdir: out,
    format: "iife",
    minify: true,
    legalComments: "none",
    // The licence of what is bundled stays with it.
    banner: { js: "/* reissue studio, Apache-2.0. Contains Preact, MIT, (c) Jason Miller. */" },
  });
  await build({
    ...common,
    entryPoints: { app: join(here, "style", "app.css") },
    outdir: out,
    minify: true,
  });
  await copyFile(join(here, "index.html"), join(out, "index.html"));
}
