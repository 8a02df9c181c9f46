// Changes of a policy: each is a `policy set`, and knows what takes it back.
import { policyKey } from "./command";
import type { Policy, PolicyColumn, Role } from "./types";

export interface Change {
  words: string;
  settings: string[];
  undo: string[];
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** Keys of a column that only quasi-identifiers may have; taxonomies sensitive ones, too. */
const quasiOnly = ["breakpoints", "ranges"] as const;

function setting(column: PolicyColumn, key: keyof PolicyColumn, value: unknown): string {
  return `${policyKey("columns", column.name, key)}=${valueText(value)}`;
}

/** Another role. `taxonomy`: a file for a column that becomes quasi and needs one. */
export function roleChange(column: PolicyColumn, role: Role, more: Partial<PolicyColumn> = {}): Change {
  const settings = [setting(column, "role", role)];
  const undo = [setting(column, "role", column.role)];
  for (const key of [...quasiOnly, "taxonomy"] as const) {
    const had = column[key];
    const keeps = role === "quasi" || (key === "taxonomy" && role === "sensitive");
    if (had && !keeps) {
      settings.push(setting(column, key, ""));
      undo.push(setting(column, key, had));
    }
    if (more[key]) {
      settings.push(setting(column, key, more[key]));
      undo.push(setting(column, key, had ?? ""));
    }
  }
  return { words: `${column.name} is ${role}`, settings, undo };
}

export function columnChange(column: PolicyColumn, key: "breakpoints" | "taxonomy" | "ranges", value: unknown): Change {
  return {
    words: `${key} of ${column.name}`,
    settings: [setting(column, key, value)],
    undo: [setting(column, key, column[key] ?? "")],
  };
}

export function guaranteeChange(policy: Policy, wanted: Record<string, unknown>): Change {
  const settings: string[] = [];
  const undo: string[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    if (valueText(policy.guarantee[key]) === valueText(value)) continue;
    settings.push(`${policyKey("guarantee", key)}=${valueText(value)}`);
    undo.push(`${policyKey("guarantee", key)}=${valueText(policy.guarantee[key])}`);
  }
  return { words: settings.map((s) => s.replace("guarantee.", "")).join(", "), settings, undo };
}

/** Whether a column that becomes quasi needs a taxonomy first. */
export function needsTaxonomy(column: PolicyColumn, numeric: boolean): boolean {
  return !numeric && !column.taxonomy && !column.breakpoints && !column.ranges && column.type !== "numeric";
}
