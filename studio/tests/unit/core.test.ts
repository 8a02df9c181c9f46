import assert from "node:assert/strict";
import { test } from "node:test";
import { readAudit } from "../../src/core/audit";
import { evenly, levels, moved, parsePoints, stepOf } from "../../src/core/breakpoints";
import { guaranteeChange, needsTaxonomy, roleChange } from "../../src/core/changes";
import { argumentsOf, commandText, csvRecord, policyKey, shellWords } from "../../src/core/command";
import { pictureSteps } from "../../src/core/explain";
import { freeName, inFolder, stemOf, uploadName } from "../../src/core/names";
import { formatRoute, parseRoute, roomAddress } from "../../src/core/route";
import type { Audit, FilesAudit } from "../../src/core/types";
import { auditVerdict, filesVerdict, percent } from "../../src/core/words";

test("a command is quoted as a shell reads it, and read back", () => {
  const args = ["audit", "--explain", '2,"[60,100)",a b', "it's.csv", "", "$(rm)", "a\nb"];
  assert.deepEqual(argumentsOf(commandText(args)), args);
  assert.equal(commandText(["check", "a b.toml"]), "reissue check 'a b.toml'");
  assert.deepEqual(shellWords(`a "b \\" c" d\\ e`), ["a", 'b " c', "d e"]);
  assert.deepEqual(argumentsOf("/usr/bin/reissue check --format json p.toml"), ["check", "p.toml"]);
});

test("people and keys are quoted", () => {
  assert.equal(csvRecord(["2", "[60,100)", 'a "b"', "*"]), '2,"[60,100)","a ""b""",*');
  assert.equal(policyKey("columns", "zip code", "role"), 'columns."zip code".role');
  assert.equal(policyKey("columns", 'a"b', "role"), 'columns."a\\"b".role');
});

test("names stay in the folder", () => {
  assert.equal(inFolder("/data/x/R1.csv", "/data/x"), "R1.csv");
  assert.equal(inFolder("/data/xy/R1.csv", "/data/x"), null);
  assert.equal(inFolder("a/R1.csv", "/data/x"), "a/R1.csv");
  assert.equal(uploadName("C:\\x\\..\\t.csv"), "t.csv");
  assert.equal(uploadName("../../.hidden.csv"), "hidden.csv");
  assert.equal(uploadName("--out.csv"), "out.csv");
  assert.equal(stemOf("a/b.csv.gz"), "b");
  const file = (name: string) => ({ name, kind: "table" as const, bytes: 1, modified: "" });
  assert.equal(freeName("R1.csv", [file("R1.csv"), file("R1-2.csv")]), "R1-3.csv");
  assert.equal(freeName("draft", [file("draft/policy.toml")]), "draft-2");
});

test("addresses keep choices", () => {
  const route = parseRoute("#audit?file=a%26b.csv&file=c.csv&policy=p.toml");
  assert.equal(route.room, "audit");
  assert.deepEqual(route.choices.getAll("file"), ["a&b.csv", "c.csv"]);
  assert.deepEqual(parseRoute(formatRoute(route.room, route.choices)), route);
  assert.equal(roomAddress("series", route.choices), "#series?policy=p.toml");
  assert.equal(parseRoute("#nowhere").room, "table");
});

test("levels are merged pairwise, as the program does", () => {
  assert.deepEqual(levels([1, 4, 8, 15, 29, 57]), [[1, 4, 8, 15, 29, 57], [1, 8, 29, 57], [1, 29, 57], [1, 57]]);
  assert.deepEqual(parsePoints("10, 0 5;5"), [0, 5, 10]);
  assert.equal(parsePoints("1, x"), null);
  assert.deepEqual(evenly([1, 57], 20), [0, 20, 40, 60]);
  assert.deepEqual(moved([0, 5, 10], 1, 10), [0, 5, 10]);
  assert.deepEqual(moved([0, 5, 10], 2, 12), [0, 5, 12]);
  assert.equal(stepOf([0, 100]), 1);
});

test("a change of the policy knows what takes it back", () => {
  const job = { name: "job", role: "quasi" as const, taxonomy: "job.csv" };
  const change = roleChange(job, "drop");
  assert.deepEqual(change.settings, ["columns.job.role=drop", "columns.job.taxonomy="]);
  assert.deepEqual(change.undo, ["columns.job.role=quasi", "columns.job.taxonomy=job.csv"]);
  assert.deepEqual(roleChange(job, "sensitive").settings, ["columns.job.role=sensitive"]);
  const policy = { title: null, columns: [], guarantee: { model: "k", k: 5 } };
  const more = guaranteeChange(policy, { k: 5, recoding: "local" });
  assert.deepEqual(more.settings, ["guarantee.recoding=local"]);
  assert.deepEqual(more.undo, ["guarantee.recoding="]);
  assert.equal(needsTaxonomy({ name: "x", role: "drop" }, false), true);
  assert.equal(needsTaxonomy({ name: "x", role: "drop" }, true), false);
});

const range = (lower: number, upper = lower) => ({ lower, upper });
const audit = (satisfied: boolean, out: number, value: number, more: Partial<Audit> = {}): Audit => ({
  model: "bcf",
  satisfied,
  verdict: satisfied ? "kept" : "broken",
  releases: [{ file: "a", rows: 1 }, { file: "b", rows: 1 }],
  promises: [],
  also_measured: [],
  exposed: { persons: 0, worst: [] },
  certain: { singled_out: range(out), value_certain: range(value), counted: "people" },
  ...more,
});

test("verdicts are one sentence", () => {
  assert.deepEqual(auditVerdict(audit(true, 0, 0)), {
    tone: "good",
    mark: "Kept",
    sentence: "Nobody is singled out, and nobody's value is certain; the 2 releases keep their promise together.",
  });
  assert.equal(auditVerdict(audit(false, 1, 2)).sentence, "1 person is singled out, and the value of 2 people is certain; the 2 releases break their promise together.");
  assert.equal(auditVerdict(audit(false, 0, 0, { verdict: "unknown" })).tone, "warning");
  assert.equal(auditVerdict(audit(true, 1, 0)).tone, "warning");
  assert.match(auditVerdict(audit(true, 0, 0, { published_identifiers: ["name"] })).sentence, /show name, which must not be published/);
  const files = { exposed: range(0), files: [{ file: "a.csv" }] } as unknown as FilesAudit;
  assert.equal(filesVerdict(files).tone, "good");
  assert.equal(filesVerdict({ ...files, exposed: range(0, 3) }).sentence, "Up to 3 people may be exposed by a.csv.");
  assert.equal(percent(0.004), "< 1 %");
});

test("a person is told step by step", () => {
  const steps = pictureSteps(
    {
      cells: [{ release: 2, cell: {}, size: 5, values: {} }],
      left: range(1),
      broken: ["k"],
      values: [
        { value: "Flu", sizes: [3], arguments: [{ attack: "B", release: 2, against: 1, excluded: 2 }], left: range(1) },
        { value: "HIV", sizes: [2], arguments: [{ attack: "B", release: 2, against: 1, excluded: 2 }], left: range(0) },
      ],
    },
    5,
  );
  assert.deepEqual(steps.map((s) => s.title), ["Rows that match", "B: release 1 excludes", "What is left"]);
  assert.match(steps[1]!.words, /4 rows of release 2, with 2 values, must be of somebody who was there before/);
  assert.match(steps[2]!.words, /^1 row is left that can be this person's, where 5 were promised. That breaks the promise \(k\)\.$/);
  assert.equal(steps[0]!.rows[0]!.shown[0]!.excluded.length, 0);
});

test("audits of all models are read alike", () => {
  const invariant = readAudit({
    model: "m-invariance", m: 3, e: 3, satisfied: true,
    association: { least: 3, worst: [] }, equivalence: { least: { lower: 3, upper: null } },
    exposed: { association: 0, equivalence: 0 }, releases: [{ file: "a", rows: 1 }],
    certain: { singled_out: null, value_certain: range(0), counted: "people" },
  });
  assert.deepEqual(invariant.promises.map((p) => [p.promise, p.kept]), [["m", true], ["e", true]]);
  assert.equal(auditVerdict(invariant).sentence, "Nobody's value is certain; the release keeps its promise.");
  const linked = readAudit({
    model: "xy", satisfied: false, releases: [{ file: "a" }, { file: "b" }],
    requirements: [{ kind: "anonymity", k: 5, value: 1, satisfied: false, worst: [{ words: "3 records" }] }],
    certain: { singled_out: range(1573), value_certain: range(0), counted: "combinations" },
  });
  assert.deepEqual(linked.promises, [{ promise: "anonymity", asked: 5, measured: 1, kept: false }]);
  assert.equal(linked.exposed.worst[0]!.words, "3 records");
  assert.match(auditVerdict(linked).sentence, /^1,573 combinations are singled out, and nobody's value is certain; /);
  const similar = readAudit({ model: "j-similarity", satisfied: true, promises: [], exposed: [], exposed_persons: 2, certain: null, releases: [{ rows: 1 }] });
  assert.equal(similar.exposed.persons, 2);
  assert.equal(auditVerdict(similar).sentence, "The release keeps its promise.");
  assert.equal(readAudit(null).satisfied, false);
});
