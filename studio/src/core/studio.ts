// What all rooms share: the folder, the address, and whether files changed.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Choose, Route } from "./route";
import type { FileEntry, Folder, Kind } from "./types";

export interface Studio {
  folder: Folder;
  /** Counts changes of files: what was asked before one has to be asked again. */
  revision: number;
  /** Says that a file was written, and waits until the folder was looked at again. */
  changed(): Promise<void>;
  route: Route;
  choose: Choose;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  return useContext(StudioContext)!;
}

export function ofKind(folder: Folder, kind: Kind): FileEntry[] {
  return folder.files.filter((file) => file.kind === kind);
}

/** The table, policy and vault that are chosen. */
export function chosen(route: Route) {
  const get = (key: string) => route.choices.get(key) || null;
  return { table: get("table"), policy: get("policy"), vault: get("vault") };
}
