// A taxonomy that is being edited: groups and values as an immutable tree, every change a new one.
import type { TaxonomyNode } from "./types";

export interface Node {
  readonly id: number;
  readonly label: string;
  /** null: a value of the column; else a group. */
  readonly children: readonly Node[] | null;
}

let lastId = 0;

export function fromShown(shown: TaxonomyNode): Node {
  const children = shown.children?.length ? shown.children.map(fromShown) : null;
  return { id: ++lastId, label: shown.label, children };
}

export function newGroup(label: string, children: readonly Node[]): Node {
  return { id: ++lastId, label, children };
}

export function find(root: Node, id: number): Node | null {
  if (root.id === id) return root;
  for (const child of root.children ?? []) {
    const found = find(child, id);
    if (found) return found;
  }
  return null;
}

export function parentOf(root: Node, id: number): Node | null {
  for (const child of root.children ?? []) {
    if (child.id === id) return root;
    const found = parentOf(child, id);
    if (found) return found;
  }
  return null;
}

export function contains(node: Node, id: number): boolean {
  return find(node, id) !== null;
}

export function leafCount(node: Node): number {
  if (!node.children) return 1;
  return node.children.reduce((sum, child) => sum + leafCount(child), 0);
}

export function groups(root: Node): Node[] {
  if (!root.children) return [];
  return [root, ...root.children.flatMap(groups)];
}

/** Nodes whose labels contain a text, with the groups above them, the nearest first. */
export function search(root: Node, text: string, most: number): { node: Node; above: string[] }[] {
  const found: { node: Node; above: string[] }[] = [];
  const wanted = text.toLowerCase();
  const walk = (node: Node, above: string[]) => {
    if (found.length >= most) return;
    if (node !== root && node.label.toLowerCase().includes(wanted)) found.push({ node, above });
    for (const child of node.children ?? []) walk(child, [node.label, ...above]);
  };
  walk(root, []);
  return found;
}

/** Replaces one node by what `change` makes of it; null removes it. */
function changed(node: Node, id: number, change: (node: Node) => Node | null): Node | null {
  if (node.id === id) return change(node);
  if (!node.children) return node;
  let same = true;
  const children: Node[] = [];
  for (const child of node.children) {
    const now = changed(child, id, change);
    if (now !== child) same = false;
    if (now) children.push(now);
  }
  return same ? node : { ...node, children };
}

export function rename(root: Node, id: number, label: string): Node {
  return changed(root, id, (node) => ({ ...node, label }))!;
}

/** Whether a node may be moved into a group: not into itself, nor where it is already. */
export function mayMove(root: Node, id: number, into: number): boolean {
  const node = find(root, id);
  const group = find(root, into);
  if (!node || !group?.children || node === root) return false;
  return !contains(node, into) && !group.children.some((child) => child.id === id);
}

export function move(root: Node, ids: number[], into: number): Node {
  let now = root;
  for (const id of ids) {
    if (!mayMove(now, id, into)) continue;
    const node = find(now, id)!;
    now = changed(now, id, () => null)!;
    now = changed(now, into, (group) => ({ ...group, children: [...group.children!, node] }))!;
  }
  return now;
}

/** Puts nodes into a new group, where the first of them is. */
export function group(root: Node, ids: number[], label: string): Node {
  const outer = ids.filter((id) => !ids.some((other) => other !== id && contains(find(root, other)!, id)));
  const first = outer[0];
  if (first === undefined) return root;
  const parent = parentOf(root, first);
  if (!parent) return root;
  const members = outer.map((id) => find(root, id)!);
  const place = parent.children!.findIndex((child) => child.id === first);
  const made = newGroup(label, members);
  let now = changed(root, parent.id, (node) => ({
    ...node,
    children: [...node.children!.slice(0, place), made, ...node.children!.slice(place)],
  }))!;
  for (const id of outer) now = removeBelow(now, id, made.id);
  return now;
}

/** Removes a node everywhere but in the group `except`. */
function removeBelow(node: Node, id: number, except: number): Node {
  if (!node.children || node.id === except) return node;
  const children = node.children.filter((child) => child.id !== id).map((child) => removeBelow(child, id, except));
  return { ...node, children };
}

export function addGroup(root: Node, into: number, label: string): Node {
  return changed(root, into, (node) => ({ ...node, children: [...(node.children ?? []), newGroup(label, [])] }))!;
}

/** Takes a group away; what was in it goes to the group above. */
export function dissolve(root: Node, id: number): Node {
  const parent = parentOf(root, id);
  const node = find(root, id);
  if (!parent || !node?.children) return root;
  return changed(root, parent.id, (above) => ({
    ...above,
    children: above.children!.flatMap((child) => (child.id === id ? node.children! : [child])),
  }))!;
}

export interface Fault {
  id: number;
  words: string;
}

/** What is wrong with it, by the rules of the format. */
export function faults(root: Node): Fault[] {
  const found: Fault[] = [];
  const seen = new Map<string, Node>();
  const walk = (node: Node, above: Node | null) => {
    const label = node.label;
    if (label === "") found.push({ id: node.id, words: "A label is empty." });
    else if (/[\r\n]/.test(label)) found.push({ id: node.id, words: `“${label}” has a line break.` });
    const other = seen.get(label);
    // A single value may be called as the only group above it: it is one node in the file.
    if (other && !(above === other && other.children?.length === 1)) {
      found.push({ id: node.id, words: `“${label}” is there twice: a label has one place.` });
    } else {
      seen.set(label, node);
    }
    if (node.children && node.children.length === 0) {
      found.push({ id: node.id, words: `The group “${label}” is empty: it will not be in the file.` });
    }
    for (const child of node.children ?? []) walk(child, node);
  };
  walk(root, null);
  return found;
}

export const isEmptyGroup = (fault: Fault) => fault.words.includes("is empty: it will");

/** One line per value: the value, its groups, the root. */
export function lines(root: Node): string[][] {
  const all: string[][] = [];
  const walk = (node: Node, above: string[]) => {
    if (!node.children) all.push([node.label, ...above]);
    else for (const child of node.children) walk(child, [node.label, ...above]);
  };
  walk(root, []);
  return all;
}

export function toText(root: Node): string {
  const field = (text: string) => (/[;"\r\n]|^\s|\s$/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
  return lines(root)
    .map((line) => line.map(field).join(";") + "\n")
    .join("");
}
