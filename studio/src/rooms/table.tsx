// Table: a file comes in, and every column gets its role.
import { useEffect, useRef, useState } from "preact/hooks";
import { Spark } from "../charts/bars";
import { needsTaxonomy, roleChange } from "../core/changes";
import { ask, problemFrom, useJob, useResult } from "../core/jobs";
import { directoryOf, freeName, stemOf } from "../core/names";
import { usePolicy, type PolicyEditor } from "../core/policy";
import { chosen, ofKind, useStudio } from "../core/studio";
import type { DescribedColumn, Description, PolicyColumn, Problem, Role } from "../core/types";
import { count, roleWords, some } from "../core/words";
import { Drop, Select, useTables } from "../ui/files";
import { Command, Empty, Note, Outcome, ProblemBox, Section } from "../ui/parts";
import { CheckBox, PolicyChanges } from "../ui/policy";

const typeWords: Record<string, string> = { whole: "whole numbers", number: "numbers", numeric: "numbers", date: "dates" };

const roles: Role[] = ["quasi", "sensitive", "identifier", "publish", "drop"];

export function TableRoom() {
  const studio = useStudio();
  const { table, policy } = chosen(studio.route);
  const tables = useTables();
  const describeArgs = table ? ["describe", table, ...(policy ? ["--policy", policy] : [])] : null;
  const described = useResult<Description>(describeArgs, studio.revision);
  // With a policy its roles are told; what was guessed, and why, is known without it.
  const guessed = useResult<Description>(table && policy ? ["describe", table] : null, studio.revision);
  return (
    <>
      <Section title="A table of people" name="choose">
        <Drop words="Drop a table here, or choose a file (CSV, TSV or Parquet)" onFiles={([name]) => studio.choose({ table: name!, policy: null })} />
        <div class="choices">
          <Select
            label="Table in the folder"
            none="none"
            value={table}
            options={tables}
            onChange={(value) => studio.choose({ table: value })}
          />
          <Select
            label="Policy"
            none="none yet"
            value={policy}
            options={ofKind(studio.folder, "policy").map((f) => ({ value: f.name, text: f.name }))}
            onChange={(value) => studio.choose({ policy: value })}
          />
        </div>
        {!table && (
          <Empty>
            A table has a row for each person. The file is copied into the folder of this studio and stays on this machine; the page
            sees counts, never rows.
          </Empty>
        )}
      </Section>
      {table && <ProblemBox problem={described.problem} args={describeArgs} />}
      {table && described.busy && !described.value && <p role="status">Looking at {table} …</p>}
      {table && !policy && described.value && <DraftPolicy table={table} />}
      {table && described.value && <Columns description={withGuesses(described.value, guessed.value)} args={describeArgs!} />}
    </>
  );
}

function withGuesses(description: Description, guessed: Description | null): Description {
  const guesses = new Map(guessed?.columns.map((column) => [column.name, column]));
  const columns = description.columns.map((column) => {
    const guess = guesses.get(column.name);
    return guess ? { ...column, role: guess.role, sure: guess.sure, reason: guess.reason } : column;
  });
  return { ...description, columns };
}

interface Drafted {
  policy: string;
  notes: string[];
}

function DraftPolicy({ table }: { table: string }) {
  const studio = useStudio();
  const [into] = useState(() => freeName(stemOf(table) + "-policy", studio.folder.files));
  const args = ["init", table, "--out", into];
  const control = useJob<Drafted>((a) => a[0] === "init" && a[1] === table, null);
  async function draft() {
    const made = await control.run(args);
    if (!made) return;
    await studio.changed();
    studio.choose({ policy: made.policy });
  }
  return (
    <Section title="No policy yet" name="draft">
      <p>A policy says what each column is and what is promised. A first one can be drafted from the table, to be corrected here.</p>
      <p class="buttons">
        <button type="button" class="main" disabled={control.busy} onClick={() => void draft()}>
          Draft a policy
        </button>
      </p>
      <Command args={args} />
      <Outcome control={control} word="Drafting">
        {(made) => (
          <Note tone="good">
            Wrote {made.policy}. <a href={`#table?table=${encodeURIComponent(table)}&policy=${encodeURIComponent(made.policy)}`}>Take it</a>
          </Note>
        )}
      </Outcome>
    </Section>
  );
}

function Columns({ description, args }: { description: Description; args: string[] }) {
  const editor = usePolicy();
  const [drafting, setDrafting] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  // What was clicked stands at once; commands follow one another.
  const [clicked, setClicked] = useState<Record<string, Role>>({});
  const queue = useRef(Promise.resolve());
  const studio = useStudio();
  const byName = new Map(editor.policy?.columns.map((column) => [column.name, column]));
  const ordered = [...description.columns.filter((c) => !c.sure), ...description.columns.filter((c) => c.sure)];
  const unsure = description.columns.filter((c) => !c.sure).length;

  const unclick = (which: (name: string) => boolean) =>
    setClicked((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !which(name))));
  useEffect(() => unclick((name) => byName.get(name)?.role === clicked[name]), [editor.policy]);

  async function setRole(column: DescribedColumn, now: PolicyColumn, role: Role): Promise<boolean> {
    setProblem(null);
    if (role !== "quasi" || !editor.name) return editor.apply(roleChange(now, role));
    // Codes are numbers to look at; they are generalised by their beginnings, not by ranges.
    const numeric = /num|whole/.test(column.type) && !/zip|post|plz|code/i.test(column.name);
    if (numeric && !now.breakpoints && !now.taxonomy && !now.ranges) {
      return editor.apply(roleChange(now, role, { ranges: "round" }));
    }
    if (!needsTaxonomy(now, numeric)) return editor.apply(roleChange(now, role));
    // A quasi-identifier is generalised along a taxonomy, so one is drafted first.
    const folder = directoryOf(editor.name);
    const file = freeName(folder + column.name.replace(/[^\p{L}\p{N}_-]+/gu, "-") + ".csv", studio.folder.files);
    setDrafting(column.name);
    try {
      const told = await ask(["taxonomy", "draft", "--table", description.table, "--column", column.name, "--policy", editor.name, "--out", file]);
      setProblem(told.problem);
      return !told.problem && (await editor.apply(roleChange(now, role, { taxonomy: file.slice(folder.length) })));
    } catch (error) {
      setProblem(problemFrom(error));
      return false;
    } finally {
      setDrafting("");
    }
  }

  return (
    <Section title="Columns" name="columns">
      <p>
        {description.table}: {some(description.rows, "row")}, {some(description.columns.length, "column")}.
        {unsure > 0 && ` Of ${some(unsure, "column")} the role is not sure: ${unsure === 1 ? "it comes" : "they come"} first.`}
      </p>
      <dl class="roles">
        {roles.map((role) => (
          <div key={role}>
            <dt>{role}</dt>
            <dd>{roleWords[role]}</dd>
          </div>
        ))}
      </dl>
      {editor.name && <PolicyChanges editor={editor} />}
      <ProblemBox problem={problem} />
      <ul class="columns">
        {ordered.map((column) => (
          <ColumnCard
            key={column.name}
            column={column}
            rows={description.rows}
            now={byName.get(column.name) ?? null}
            editor={editor}
            drafting={drafting === column.name}
            clicked={clicked[column.name] ?? null}
            onRole={(now, role) => {
              setClicked((all) => ({ ...all, [column.name]: role }));
              queue.current = queue.current.then(() => setRole(column, now, role)).then((fine) => {
                if (!fine) unclick((name) => name === column.name);
              });
            }}
          />
        ))}
      </ul>
      <Command args={args} label="The command that looked at the table" />
      {editor.name && <CheckBox />}
    </Section>
  );
}

function ColumnCard(props: {
  column: DescribedColumn;
  rows: number;
  now: PolicyColumn | null;
  editor: PolicyEditor;
  drafting: boolean;
  clicked: Role | null;
  onRole: (now: PolicyColumn, role: Role) => void;
}) {
  const { column, now } = props;
  const role = props.clicked ?? now?.role ?? (props.editor.name ? null : column.role);
  return (
    <li class={column.sure ? "" : "unsure"} data-column={column.name}>
      <div class="what">
        <h3>
          {column.name} {!column.sure && <span class="badge">not sure</span>}
        </h3>
        <p class="quiet">
          {typeWords[column.type] ?? column.type}, {some(column.distinct, "value")}
          {column.missing > 0 && `, ${count(column.missing)} missing`}
        </p>
      </div>
      <Spark distribution={column.distribution} rows={props.rows} name={column.name} />
      <div class="role">
        <fieldset disabled={!now}>
          <legend class="unseen">Role of {column.name}</legend>
          {roles.map((one) => (
            <label key={one} class={role === one ? "chosen" : ""} title={roleWords[one]}>
              <input
                type="radio"
                name={"role of " + column.name}
                value={one}
                checked={role === one}
                onChange={() => now && one !== role && props.onRole(now, one)}
              />
              {one}
            </label>
          ))}
        </fieldset>
        <p class="quiet">
          {props.drafting ? "Drafting a taxonomy …" : `Guessed ${column.role}: ${column.reason}`}
          {props.editor.name && props.editor.policy && !now && " The policy does not name this column."}
        </p>
      </div>
    </li>
  );
}
