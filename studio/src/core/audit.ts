// Audits of all models in one form: what a model does not say is empty, not missing.
import type { Audit, Promise_, Range, WorstGroup } from "./types";

type Raw = Record<string, unknown>;

const isObject = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value);
const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

function range(value: unknown): Range | null {
  if (!isObject(value)) return null;
  const lower = number(value.lower);
  return lower === null ? null : { lower, upper: number(value.upper) ?? lower };
}

/** Promises as they stand; those of models that tell them elsewhere are put together. */
function promisesOf(raw: Raw): Promise_[] {
  if (Array.isArray(raw.promises)) return raw.promises as Promise_[];
  const made: Promise_[] = [];
  const association = isObject(raw.association) ? number(raw.association.least) : null;
  if (number(raw.m) !== null && association !== null) {
    made.push({ promise: "m", asked: number(raw.m), measured: association, kept: association >= number(raw.m)! });
  }
  const equivalence = isObject(raw.equivalence) ? range(raw.equivalence.least) : null;
  if (number(raw.e) !== null && equivalence) {
    made.push({ promise: "e", asked: number(raw.e), measured: equivalence.lower, kept: equivalence.lower >= number(raw.e)! });
  }
  for (const one of list<Raw>(raw.requirements)) {
    made.push({
      promise: String(one.kind),
      asked: number(one.k) ?? number(one.confidence),
      measured: number(one.value),
      kept: one.satisfied === true,
    });
  }
  return made;
}

function worstOf(raw: Raw): WorstGroup[] {
  if (isObject(raw.exposed) && Array.isArray(raw.exposed.worst)) return raw.exposed.worst as WorstGroup[];
  return list<Raw>(raw.requirements)
    .filter((one) => one.satisfied === false)
    .flatMap((one) => list<WorstGroup>(one.worst))
    .filter((group) => typeof group.words === "string");
}

export function readAudit(value: unknown): Audit {
  const raw = isObject(value) ? value : {};
  const certain = isObject(raw.certain) ? raw.certain : null;
  const exposed = isObject(raw.exposed) ? raw.exposed : {};
  return {
    model: String(raw.model ?? ""),
    satisfied: raw.satisfied === true,
    verdict: typeof raw.verdict === "string" ? raw.verdict : undefined,
    releases: list(raw.releases),
    promises: promisesOf(raw),
    also_measured: list(raw.also_measured),
    exposed: {
      ...exposed,
      persons: number(exposed.persons) ?? number(raw.exposed_persons) ?? 0,
      worst: worstOf(raw),
    },
    certain: certain
      ? {
          singled_out: range(certain.singled_out),
          value_certain: range(certain.value_certain),
          counted: typeof certain.counted === "string" ? certain.counted : "people",
        }
      : undefined,
    pairs: list(raw.pairs),
    births: list(raw.births),
    published_identifiers: list(raw.published_identifiers),
    published_dropped: list(raw.published_dropped),
    not_one_series: list(raw.not_one_series),
  };
}
