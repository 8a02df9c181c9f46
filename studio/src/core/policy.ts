// The policy that is chosen: what it says, and changes to it, each of which can be taken back.
import { useState } from "preact/hooks";
import { ask, problemFrom, useResult } from "./jobs";
import { chosen, useStudio } from "./studio";
import type { Change } from "./changes";
import type { Check, Policy, Problem } from "./types";

export interface PolicyEditor {
  name: string | null;
  policy: Policy | null;
  problem: Problem | null;
  busy: boolean;
  /** The last thing that was done, for people and for the terminal. */
  last: { words: string; args: string[] } | null;
  apply(change: Change): Promise<boolean>;
  undo: (() => Promise<boolean>) | null;
}

// Changes of this page, newest last; rooms come and go, these stay.
const done = new Map<string, Change[]>();

export function usePolicy(): PolicyEditor {
  const studio = useStudio();
  const { policy: name } = chosen(studio.route);
  const shown = useResult<Policy>(name ? ["policy", "show", name] : null, studio.revision);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState<PolicyEditor["last"]>(null);

  async function set(words: string, settings: string[]): Promise<boolean> {
    if (!name || settings.length === 0) return false;
    const args = ["policy", "set", name, ...settings];
    setBusy(true);
    setProblem(null);
    try {
      const told = await ask(args);
      setProblem(told.problem);
      if (told.problem) return false;
      setLast({ words, args });
      await studio.changed();
      return true;
    } catch (error) {
      setProblem(problemFrom(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  const changes = (name && done.get(name)) || [];
  return {
    name,
    policy: shown.value,
    problem: problem ?? shown.problem,
    busy: busy || shown.busy,
    last,
    apply: async (change) => {
      const fine = await set(change.words, change.settings);
      if (fine && name) done.set(name, [...(done.get(name) ?? []), change]);
      return fine;
    },
    undo:
      changes.length === 0
        ? null
        : async () => {
            const change = changes[changes.length - 1]!;
            const fine = await set(`taken back: ${change.words}`, change.undo);
            if (fine && name) done.set(name, changes.slice(0, -1));
            return fine;
          },
  };
}

/** What `check` says of the policy and the table, anew after every change. */
export function useCheck() {
  const studio = useStudio();
  const { policy, table } = chosen(studio.route);
  const args = policy ? ["check", policy, ...(table ? [table] : [])] : null;
  return { args, ...useResult<Check>(args, studio.revision) };
}
