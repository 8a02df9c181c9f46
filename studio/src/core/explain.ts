// An explanation of one person, step by step: which rows match, what excludes them, what is left.
import type { ExplainedTarget } from "./types";
import { count, some } from "./words";

export interface PictureRow {
  value: string;
  /** For each release that shows the person: rows with this value, and how many of them are excluded so far. */
  shown: { release: number; rows: number; excluded: { attack: string; against: number; rows: number }[] }[];
  left: { lower: number; upper: number };
}

export interface PictureStep {
  title: string;
  words: string;
  rows: PictureRow[];
  /** Whether what is left is told already. */
  final: boolean;
}

const because: Record<string, string> = {
  F: "cannot be this person's: too few rows of a later release can be the same ones",
  C: "cannot be this person's: they must be newcomers' rows, as the earlier release has too few like them",
  B: "must be of somebody who was there before",
};

export function attackWords(attack: string): string {
  return because[attack] ?? "are excluded";
}

function rowsAfter(target: ExplainedTarget, applied: Set<string>): PictureRow[] {
  return target.values.map((value) => ({
    value: value.value,
    left: value.left,
    shown: target.cells.map((cell, i) => ({
      release: cell.release,
      rows: value.sizes[i] ?? 0,
      excluded: value.arguments
        .filter((a) => a.release === cell.release && applied.has(keyOf(a)))
        .map((a) => ({ attack: a.attack, against: a.against, rows: a.excluded })),
    })),
  }));
}

function keyOf(a: { attack: string; release: number; against: number }): string {
  return `${a.attack} ${a.release} ${a.against}`;
}

export function leftWords(left: { lower: number; upper: number }): string {
  if (left.lower === left.upper) return `${some(left.lower, "row is", "rows are")} left`;
  return `at least ${count(left.lower)} and at most ${some(left.upper, "row is", "rows are")} left`;
}

/** From "these rows match" over each exclusion to "so many are left". */
export function pictureSteps(target: ExplainedTarget, k: number | null): PictureStep[] {
  const applied = new Set<string>();
  const matching = target.cells.map((cell) => `${some(cell.size, "row")} of release ${cell.release}`).join(", ");
  const steps: PictureStep[] = [
    { title: "Rows that match", words: `A reader who looks for this person finds ${matching}.`, rows: rowsAfter(target, applied), final: false },
  ];
  const kinds = new Map<string, { attack: string; release: number; against: number; rows: number; values: number }>();
  for (const value of target.values) {
    for (const a of value.arguments) {
      const known = kinds.get(keyOf(a));
      if (known) {
        known.rows += a.excluded;
        known.values++;
      } else {
        kinds.set(keyOf(a), { ...a, rows: a.excluded, values: 1 });
      }
    }
  }
  for (const [key, kind] of kinds) {
    applied.add(key);
    steps.push({
      title: `${kind.attack}: release ${kind.against} excludes`,
      words: `Release ${kind.against} shows that ${some(kind.rows, "row")} of release ${kind.release}, with ${some(kind.values, "value")}, ${attackWords(kind.attack)}.`,
      rows: rowsAfter(target, applied),
      final: false,
    });
  }
  const promised = k === null ? "" : `, where ${count(k)} were promised`;
  const broken = target.broken.length ? ` That breaks the promise (${target.broken.join(", ")}).` : "";
  steps.push({
    title: "What is left",
    words: `${capital(leftWords(target.left))} that can be this person's${promised}.${broken}`,
    rows: rowsAfter(target, applied),
    final: true,
  });
  return steps;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
