// Names of files in the folder.
import type { FileEntry } from "./types";

export function directoryOf(name: string): string {
  const slash = name.lastIndexOf("/");
  return slash < 0 ? "" : name.slice(0, slash + 1);
}

export function baseOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

export function stemOf(name: string): string {
  return baseOf(name).replace(/(\.(csv|tsv|txt|parquet|toml|gz|zst))+$/i, "");
}

/** A path as the program told it, as a name in the folder; null where it lies elsewhere. */
export function inFolder(path: string, directory: string): string | null {
  if (!path.startsWith("/")) return path;
  const root = directory.endsWith("/") ? directory : directory + "/";
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/** A name that is not taken: "R.csv", "R-2.csv", … */
export function freeName(wanted: string, files: FileEntry[]): string {
  const taken = new Set(files.flatMap((f) => [f.name, f.name.split("/")[0]!]));
  if (!taken.has(wanted)) return wanted;
  const dot = wanted.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ""];
  for (let n = 2; ; n++) {
    const name = `${stem}-${n}${end}`;
    if (!taken.has(name)) return name;
  }
}

/** What a dropped file is called in the folder: no directories, nothing hidden. */
export function uploadName(name: string): string {
  const base = name.replace(/^.*[\/\\]/, "").replace(/^[.\-\s]+/, "").replace(/[\u0000-\u001f\u007f]/g, "");
  return base || "table.csv";
}
