// Taxonomies: what values of a column are called when they must be called less precisely.
import { useState } from "preact/hooks";
import { columnChange } from "../core/changes";
import { useJob, useResult } from "../core/jobs";
import { directoryOf, freeName } from "../core/names";
import { usePolicy, type PolicyEditor } from "../core/policy";
import { roomAddress } from "../core/route";
import { chosen, useStudio } from "../core/studio";
import type { PolicyColumn, TaxonomyShown } from "../core/types";
import { RangeEditor } from "./taxonomies/ranges";
import { TreeEditor } from "./taxonomies/editor";
import { Command, Empty, Outcome, ProblemBox, Section } from "../ui/parts";
import { CheckBox, PolicyChanges } from "../ui/policy";

export function TaxonomiesRoom() {
  const studio = useStudio();
  const editor = usePolicy();
  if (!editor.name) {
    return (
      <Section title="Taxonomies">
        <Empty>
          A taxonomy says what a value is called less precisely: Nurse, Profession, Employed. Choose a policy, or draft one, in{" "}
          <a href={roomAddress("table", studio.route.choices)}>Table</a>; its quasi-identifiers are here then.
        </Empty>
      </Section>
    );
  }
  const quasi = editor.policy?.columns.filter((column) => column.role === "quasi") ?? [];
  const column = quasi.find((one) => one.name === studio.route.choices.get("column")) ?? quasi[0];
  return (
    <>
      <Section title="Columns that are generalised" name="columns-nav">
        <nav aria-label="Columns">
          <ul class="pills">
            {quasi.map((one) => (
              <li key={one.name}>
                <a
                  href={roomAddress("taxonomies", studio.route.choices, { column: one.name })}
                  aria-current={one === column ? "true" : undefined}
                >
                  {one.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {editor.policy && quasi.length === 0 && <Empty>No column of this policy is quasi: nothing is generalised.</Empty>}
        <PolicyChanges editor={editor} />
      </Section>
      {column && <ColumnEditor key={editor.name + " " + column.name} column={column} editor={editor} />}
      <Section title="Check" name="check-room">
        <CheckBox />
      </Section>
    </>
  );
}

function ColumnEditor({ column, editor }: { column: PolicyColumn; editor: PolicyEditor }) {
  if (column.taxonomy) return <TaxonomyFile column={column} file={directoryOf(editor.name!) + column.taxonomy} />;
  if (column.breakpoints) {
    return (
      <Section title={`Ranges of ${column.name}`} name="ranges">
        <RangeEditor key={JSON.stringify(column.breakpoints)} column={column} editor={editor} />
      </Section>
    );
  }
  return <NoTaxonomy column={column} editor={editor} />;
}

function TaxonomyFile({ column, file }: { column: PolicyColumn; file: string }) {
  const studio = useStudio();
  // Not asked again when other files change: what is edited must not be pulled away.
  const [revision] = useState(studio.revision);
  const args = ["taxonomy", "show", file];
  const shown = useResult<TaxonomyShown>(args, revision);
  return (
    <Section title={`Taxonomy of ${column.name}`} name="tree">
      <ProblemBox problem={shown.problem} args={args} />
      {shown.busy && !shown.value && <p role="status">Reading {file} …</p>}
      {shown.value && (
        <TreeEditor
          shown={shown.value}
          file={file}
          onSaved={studio.changed}
        />
      )}
      <Command args={args} label="The command that shows the taxonomy" />
    </Section>
  );
}

function NoTaxonomy({ column, editor }: { column: PolicyColumn; editor: PolicyEditor }) {
  const studio = useStudio();
  const { table } = chosen(studio.route);
  const folder = directoryOf(editor.name!);
  const [file] = useState(() => freeName(folder + column.name.replace(/[^\p{L}\p{N}_-]+/gu, "-") + ".csv", studio.folder.files));
  const args = table ? ["taxonomy", "draft", "--table", table, "--column", column.name, "--policy", editor.name!, "--out", file] : null;
  const control = useJob<{ kind: string }>((a) => a[0] === "taxonomy" && a[1] === "draft", null);
  async function draft() {
    if (!args || !(await control.run(args))) return;
    await studio.changed();
    await editor.apply(columnChange(column, "taxonomy", file.slice(folder.length)));
  }
  return (
    <Section title={`${column.name} has no taxonomy`} name="no-taxonomy">
      <p>
        {column.ranges === "round"
          ? "Its ranges lie between round numbers and are found from the table."
          : "Its ranges are found from the table."}{" "}
        A taxonomy of its own says how values belong together.
      </p>
      {args ? (
        <>
          <p class="buttons">
            <button type="button" class="main" disabled={control.busy || !!column.ranges} onClick={() => void draft()}>
              Draft a taxonomy
            </button>
          </p>
          <Command args={args} />
        </>
      ) : (
        <Empty>Choose a table in Table: a taxonomy is drafted from the values of its column.</Empty>
      )}
      <Outcome control={control} word="Drafting">
        {() => null}
      </Outcome>
    </Section>
  );
}
