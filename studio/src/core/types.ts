// What the program prints with --format json, as far as the page reads it.

export interface Problem {
  code: string;
  message: string;
  file: string | null;
  line: number | null;
  column: string | number | null;
  remedy: string | null;
}

export type Kind = "table" | "policy" | "certificate" | "report" | "vault" | "figure" | "other";

export interface FileEntry {
  name: string;
  kind: Kind;
  bytes: number;
  modified: string;
}

export interface Folder {
  directory: string;
  version: string;
  files: FileEntry[];
}

export interface Progress {
  stage: string;
  done: number | null;
  total: number | null;
  seconds: number | null;
}

export interface Job {
  id: string | number;
  command: string | string[];
  state: "running" | "done" | "cancelled";
  exit: number | null;
  progress: Progress | null;
  /** Waits for its turn. */
  waiting?: boolean;
  /** What the command said beside its output. */
  notes?: string[];
  output?: unknown;
  /** It was too long to be kept. */
  output_left_out?: boolean;
}

export type Role = "identifier" | "quasi" | "sensitive" | "publish" | "drop";

export interface Bin {
  label: string;
  rows: number;
}

export interface Distribution {
  kind: "numbers" | "values";
  bins: Bin[];
  others: { values: number; rows: number } | null;
}

export interface DescribedColumn {
  name: string;
  type: string;
  distinct: number;
  missing: number;
  role: Role;
  sure: boolean;
  reason: string;
  distribution: Distribution | null;
}

export interface Description {
  table: string;
  rows: number;
  columns: DescribedColumn[];
}

export interface PolicyColumn {
  name: string;
  role: Role;
  type?: string | null;
  taxonomy?: string | null;
  breakpoints?: number[] | number[][] | null;
  ranges?: string | null;
}

export interface Policy {
  title: string | null;
  columns: PolicyColumn[];
  guarantee: Record<string, unknown>;
}

export interface Range {
  lower: number;
  upper: number;
}

export interface Check {
  ok: boolean;
  problems: Problem[];
  notes: string[];
  warnings: (string | Problem)[];
}

export interface Step {
  from: string;
  to: string;
  stayed: number;
  came: number;
  left: number;
  changed: number;
  changed_sensitive: number;
}

export interface Advice {
  setting: string;
  model: string;
  why: string;
  promise: string;
  order: string;
  steps: Step[];
  tables: { file: string; rows: number; columns: number }[];
  notes: string[];
}

export interface Promise_ {
  promise: string;
  asked?: number | null;
  measured: number | null;
  kept?: boolean;
}

export interface WorstGroup {
  attack?: string;
  promise?: string;
  born?: number;
  release?: number;
  cell?: Record<string, string>;
  size?: number;
  left?: number;
  words?: string;
}

/** An audit against a policy; models differ in what they have beyond this. */
export interface Audit {
  model: string;
  satisfied: boolean;
  verdict?: string;
  releases: { file: string; rows: number; cells?: number; smallest?: number }[];
  promises: Promise_[];
  also_measured: Promise_[];
  exposed: { persons: number; worst: WorstGroup[] } & Record<string, unknown>;
  certain?: { singled_out: Range | null; value_certain: Range | null; counted: string };
  pairs?: { earlier: number; later: number; F: Attack; C: Attack; B: Attack }[];
  births?: { release: number; exact: Range }[];
  published_identifiers?: string[];
  published_dropped?: string[];
  not_one_series?: unknown[];
}

export interface Attack {
  anonymity: number | null;
  exposed: number;
}

/** An audit of files alone. */
export interface FilesAudit {
  exposed: Range;
  files: {
    file: string;
    rows: number;
    groups: number;
    k: number;
    unique_rows: number;
    singled_out: Range;
    value_certain: Range;
    exposed: Range;
    published_identifiers: string[];
    measures: { sensitive: string; distinct: number; t: number }[];
    risk: { prosecutor: Range; marketer: Range };
  }[];
  assumptions: {
    assumption: string;
    verdict: string;
    why: string | null;
    sensitive: string | null;
    exposed: { file: string; singled_out: Range; value_certain: Range; exposed: Range }[];
    worst: (string | WorstGroup)[];
  }[];
  columns: { column: string; role: string; guessed: boolean; reason: string; labels: number }[];
  worst: (string | WorstGroup)[];
}

export interface Explanation {
  model: string;
  k: number;
  releases: string[];
  born: number;
  person: Record<string, string>;
  possible: boolean;
  broken: boolean;
  targets: ExplainedTarget[];
  more_targets: number;
}

export interface ExplainedCell {
  release: number;
  cell: Record<string, string>;
  size: number;
  values: Record<string, number>;
}

export interface ExplainedTarget {
  cells: ExplainedCell[];
  left: Range;
  broken: string[];
  values: {
    value: string;
    sizes: number[];
    arguments: { attack: string; release: number; against: number; excluded: number }[];
    left: Range;
  }[];
}

export interface Point {
  settings: Record<string, number | string>;
  possible: boolean;
  why?: string | null;
  loss: number | null;
  rows_hidden: number | null;
  smallest_group: number | null;
  frontier: boolean;
  knee: boolean;
  guarantee: string[];
}

export interface Exploration {
  model: string;
  table: string;
  release: number;
  rows: number;
  points: Point[];
}

export interface Forecast {
  rests_on: string;
  newcomers: number;
  draws: {
    releases: {
      release: number;
      rows: number;
      newcomers: number;
      loss: number | null;
      refused?: string | null;
    }[];
    refused?: unknown;
  }[];
}

export interface Recoding {
  column: string;
  values: number;
  labels: string[];
}

export interface Published {
  model: string;
  dry_run?: boolean;
  release: number;
  file?: string;
  certificate?: string;
  rows_in: number;
  rows_out: number;
  suppressed: number;
  dropped?: number;
  earlier_releases?: number;
  newcomers?: number;
  recoding?: Recoding[];
  search?: { score: string; cost: number } & Record<string, unknown>;
  audit: unknown;
  /** Models count differently; what each column loses is told by those that recode. */
  cost?: {
    gcp?: number;
    columns?: { column: string; values: number; labels: number; texts: string[]; ncp: number }[];
  };
  warnings?: string[];
}

export interface History {
  vault: string;
  title: string | null;
  model: string;
  unprotected: boolean;
  releases: {
    release: number;
    published: string;
    rows: number;
    suppressed: number;
    file: string | null;
    present: boolean;
    digest: string;
  }[];
}

export interface Verification {
  certificate: string;
  verdict: string;
  failures: string[];
  rests_on: string[];
  notes: string[];
  key: string;
  release: number;
}

export interface TaxonomyNode {
  label: string;
  values: number;
  children?: TaxonomyNode[];
}

export interface TaxonomyShown {
  file: string;
  values: number;
  nodes: number;
  levels: number;
  root: TaxonomyNode;
}

export interface TaxonomyChecked {
  taxonomies: { file: string; ok: boolean; values?: number; levels?: number; problem?: Problem }[];
}

export interface Reported {
  file: string;
  for: string;
  satisfied: boolean;
  mark: string;
  verdict: string;
}
