// Numbers and verdicts in words.
import type { Audit, FilesAudit, Range } from "./types";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (n: number): string => whole.format(n);

export function measure(n: number | null | undefined): string {
  if (n === null || n === undefined) return "–";
  return Number.isInteger(n) ? whole.format(n) : fine.format(n);
}

export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return "–";
  const p = share * 100;
  return (p > 0 && p < 1 ? "< 1" : p > 99 && p < 100 ? "> 99" : String(Math.round(p))) + " %";
}

export function some(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1e6) return `${Math.round(n / 1000)} KB`;
  return `${(n / 1e6).toFixed(1)} MB`;
}

export function listed(words: string[]): string {
  if (words.length < 2) return words.join("");
  return words.slice(0, -1).join(", ") + " and " + words[words.length - 1];
}

const isNone = (range: Range | null | undefined) => !range || range.upper === 0;

export function between(range: Range, one: string, many: string): string {
  if (range.lower === range.upper) return `${count(range.lower)} ${range.lower === 1 ? one : many}`;
  if (range.lower === 0) return `up to ${count(range.upper)} ${many}`;
  return `${count(range.lower)} to ${count(range.upper)} ${many}`;
}

function isOrAre(range: Range): string {
  return range.upper === 1 ? "is" : "are";
}

export type Tone = "good" | "warning" | "bad";

export interface Verdict {
  tone: Tone;
  mark: string;
  sentence: string;
}

/** Who is exposed whatever was promised; of models that do not know who is singled out, only values. */
export function certainWords(certain: { singled_out: Range | null; value_certain: Range | null; counted?: string }): string {
  const { singled_out: out, value_certain: value } = certain;
  const [one, many] = certain.counted === "combinations" ? ["combination", "combinations"] : ["person", "people"];
  const parts: string[] = [];
  if (out) parts.push(isNone(out) ? "nobody is singled out" : `${between(out, one, many)} ${isOrAre(out)} singled out`);
  if (value) parts.push(isNone(value) ? "nobody's value is certain" : `the value of ${between(value, `${one} is`, `${many} is`)} certain`);
  const words = parts.join(", and ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One sentence for an audit against a policy. */
export function auditVerdict(audit: Audit): Verdict {
  const verdict = plainVerdict(audit);
  return { ...verdict, sentence: verdict.sentence.charAt(0).toUpperCase() + verdict.sentence.slice(1) };
}

function plainVerdict(audit: Audit): Verdict {
  const several = audit.releases.length > 1;
  const it = several ? `the ${audit.releases.length} releases` : "the release";
  const together = several ? " together" : "";
  const exposed = !isNone(audit.certain?.singled_out) || !isNone(audit.certain?.value_certain);
  const certain = audit.certain ? certainWords(audit.certain) : null;
  const lead = certain ? certain + "; " : "";
  const found = [...(audit.published_identifiers ?? []), ...(audit.published_dropped ?? [])];
  if (found.length > 0) {
    return {
      tone: "bad",
      mark: "Exposed",
      sentence: `${lead}${it} ${several ? "show" : "shows"} ${listed(found)}, which must not be published.`,
    };
  }
  if ((audit.not_one_series ?? []).length > 0 || audit.verdict === "not one series") {
    return { tone: "warning", mark: "Not one series", sentence: "No table that only grows has these releases: they contradict one another." };
  }
  if (audit.satisfied) {
    return {
      tone: exposed ? "warning" : "good",
      mark: "Kept",
      sentence: `${lead}${it} ${several ? "keep their" : "keeps its"} promise${together}.`,
    };
  }
  if (audit.verdict && audit.verdict !== "broken") {
    return { tone: "warning", mark: "Not proven", sentence: `${lead}that ${it} keep${several ? "" : "s"} the promise is not proven.` };
  }
  return {
    tone: "bad",
    mark: "Broken",
    sentence: `${lead}${it} ${several ? "break their" : "breaks its"} promise${together}.`,
  };
}

/** One sentence for an audit of files alone. */
export function filesVerdict(audit: FilesAudit): Verdict {
  const files = audit.files.map((f) => f.file);
  const named = listed(files.length > 3 ? [...files.slice(0, 2), `${files.length - 2} more`] : files);
  if (isNone(audit.exposed)) {
    return { tone: "good", mark: "Nobody is exposed", sentence: `Nobody is singled out by ${named}, and nobody's value is certain.` };
  }
  const sure = audit.exposed.lower > 0;
  const who = between(audit.exposed, "person", "people");
  const subject = who.charAt(0).toUpperCase() + who.slice(1);
  return {
    tone: sure ? "bad" : "warning",
    mark: sure ? "Exposed" : "Perhaps exposed",
    sentence: `${subject} ${sure ? isOrAre(audit.exposed) : "may be"} exposed by ${named}.`,
  };
}

export const assumptionWords: Record<string, string> = {
  grew: "If the table only grew",
  "came-and-went": "If people came and went",
  joined: "If they are other columns of the same people",
};

export const roleWords: Record<string, string> = {
  identifier: "tells people apart; never published",
  quasi: "readers may know it of a person; published in general terms",
  sensitive: "must not be learned about a person; published as it is",
  publish: "published as it is; nobody can find a person by it",
  drop: "not needed; left out",
};

export const modelWords: Record<string, string> = {
  k: "one release",
  bcf: "a table that only grows, published again and again",
  xy: "other columns of people about whom something is out",
  "m-invariance": "a table whose rows come and go",
  "j-similarity": "a table whose values change, before readers with beliefs",
};

export function promiseWords(name: string): string {
  const words: Record<string, string> = {
    k: "rows that may be a person's, at least",
    distinct: "different sensitive values, at least",
    entropy: "entropy of the sensitive values, at least",
    alpha: "share of one sensitive value, at most",
    confidence: "confidence in one value, at most",
    t: "distance from the whole release, at most",
    beta: "gain over the whole release, at most",
    m: "values possible for everybody, at least",
    e: "people on a side that is shown to be equal, at least",
    anonymity: "different y for each x of the join, at least",
    linkability: "share of one y among an x of the join, at most",
    j: "what readers believe of a group differs by at most",
  };
  return words[name] ?? "";
}

export function when(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
