import assert from "node:assert/strict";
import { test } from "node:test";
import * as tree from "../../src/core/tree";
import { back, begin, forth, step } from "../../src/core/undo";

const jobs = () =>
  tree.fromShown({
    label: "*",
    values: 4,
    children: [
      { label: "Profession", values: 2, children: [{ label: "Nurse", values: 1 }, { label: "Lawyer", values: 1 }] },
      { label: "Service", values: 2, children: [{ label: "Cook", values: 1 }, { label: "Clerk; senior", values: 1 }] },
    ],
  });

const id = (root: tree.Node, label: string): number => {
  const all: tree.Node[] = [];
  const walk = (node: tree.Node) => {
    all.push(node);
    node.children?.forEach(walk);
  };
  walk(root);
  return all.find((node) => node.label === label)!.id;
};

test("lines have every value with its groups up to the root", () => {
  assert.equal(tree.toText(jobs()), 'Nurse;Profession;*\nLawyer;Profession;*\nCook;Service;*\n"Clerk; senior";Service;*\n');
});

test("a value is moved, and nothing else", () => {
  const root = jobs();
  const moved = tree.move(root, [id(root, "Nurse")], id(root, "Service"));
  assert.deepEqual(tree.lines(moved).map((line) => line.join("/")), ["Lawyer/Profession/*", "Cook/Service/*", "Clerk; senior/Service/*", "Nurse/Service/*"]);
  assert.equal(tree.leafCount(moved), 4);
  assert.equal(tree.leafCount(root), 4);
});

test("a group cannot be moved into itself, nor the root anywhere", () => {
  const root = jobs();
  const profession = id(root, "Profession");
  assert.equal(tree.mayMove(root, profession, profession), false);
  assert.equal(tree.mayMove(root, root.id, profession), false);
  assert.equal(tree.mayMove(root, id(root, "Nurse"), profession), false);
  assert.equal(tree.mayMove(root, profession, id(root, "Service")), true);
  assert.equal(tree.mayMove(root, id(root, "Nurse"), id(root, "Lawyer")), false);
});

test("a new group takes its members from wherever they are", () => {
  const root = jobs();
  const now = tree.group(root, [id(root, "Nurse"), id(root, "Cook")], "Shift");
  assert.deepEqual(tree.lines(now).map((line) => line.join("/")), ["Nurse/Shift/Profession/*", "Cook/Shift/Profession/*", "Lawyer/Profession/*", "Clerk; senior/Service/*"]);
});

test("a group and what is in it, both ticked, count once", () => {
  const root = jobs();
  const now = tree.group(root, [id(root, "Nurse"), id(root, "Profession")], "All");
  assert.deepEqual(tree.lines(now)[0], ["Nurse", "Profession", "All", "*"]);
  assert.equal(tree.leafCount(now), 4);
});

test("a group that is removed leaves its members above", () => {
  const root = jobs();
  const now = tree.dissolve(root, id(root, "Profession"));
  assert.deepEqual(tree.lines(now)[0], ["Nurse", "*"]);
  assert.equal(tree.dissolve(root, root.id), root);
});

test("what is looked for is found with its place", () => {
  const root = jobs();
  assert.deepEqual(tree.search(root, "c", 9).map(({ node, above }) => `${node.label} in ${above.join("/")}`), [
    "Service in *",
    "Cook in Service/*",
    "Clerk; senior in Service/*",
  ]);
  assert.equal(tree.search(root, "e", 2).length, 2);
});

test("faults: labels that are there twice, empty labels, empty groups", () => {
  const root = jobs();
  assert.deepEqual(tree.faults(root), []);
  assert.match(tree.faults(tree.rename(root, id(root, "Service"), "Nurse"))[0]!.words, /there twice/);
  assert.match(tree.faults(tree.rename(root, id(root, "Service"), ""))[0]!.words, /empty/);
  const hollow = tree.addGroup(root, root.id, "Nobody");
  assert.equal(tree.isEmptyGroup(tree.faults(hollow)[0]!), true);
  assert.equal(tree.toText(hollow), tree.toText(root));
});

test("steps go back and forth, and a new one forgets what was taken back", () => {
  let steps = step(step(begin(1), 2), 3);
  steps = back(back(steps));
  assert.equal(steps.now, 1);
  assert.equal(back(steps).now, 1);
  steps = forth(steps);
  assert.equal(steps.now, 2);
  steps = step(steps, 9);
  assert.deepEqual(forth(steps), steps);
  assert.equal(back(steps).now, 2);
});
