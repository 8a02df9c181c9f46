// Promise: which model, how much is promised, and what that costs.
import { useEffect, useRef, useState } from "preact/hooks";
import { Frontier, pointWords } from "../charts/frontier";
import { guaranteeChange, valueText } from "../core/changes";
import { useJob } from "../core/jobs";
import { usePolicy, type PolicyEditor } from "../core/policy";
import { roomAddress } from "../core/route";
import { chosen, useStudio } from "../core/studio";
import type { Advice, Exploration, Point } from "../core/types";
import { count, measure, modelWords, percent, some } from "../core/words";
import { OrderedFiles, Select } from "../ui/files";
import { Command, Empty, Field, Grid, Note, Outcome, Section } from "../ui/parts";
import { PolicyChanges } from "../ui/policy";

export function PromiseRoom() {
  const studio = useStudio();
  const editor = usePolicy();
  const { table } = chosen(studio.route);
  return (
    <>
      <Which editor={editor} />
      {editor.name && editor.policy ? (
        <>
          <HowMuch editor={editor} />
          {table ? <WhatItCosts editor={editor} table={table} /> : <Empty>Choose a table in Table: what a promise costs is tried out on it.</Empty>}
        </>
      ) : (
        !editor.busy && (
          <Empty>
            What is promised stands in a policy. Choose one, or draft one, in <a href={roomAddress("table", studio.route.choices)}>Table</a>.
          </Empty>
        )
      )}
    </>
  );
}

function Which({ editor }: { editor: PolicyEditor }) {
  const studio = useStudio();
  const { table } = chosen(studio.route);
  const chosenTables = studio.route.choices.getAll("with");
  const files = chosenTables.length > 0 ? chosenTables : table ? [table] : [];
  const args = files.length > 0 ? ["advise", ...(editor.name ? ["--policy", editor.name] : []), ...files] : null;
  const control = useJob<Advice>((a) => a[0] === "advise", args);
  const model = editor.policy ? String(editor.policy.guarantee.model) : null;
  return (
    <Section title="Which model" name="which">
      <p>
        A model is a kind of reader to be safe from. Name the tables of several times, and their comparison says which it is.
        {model && ` The policy says ${model}: ${modelWords[model] ?? ""}.`}
      </p>
      <OrderedFiles label="Tables to compare, the oldest first" value={files} onChange={(names) => studio.choose({ with: names })} />
      <p class="buttons">
        <button type="button" class="main" disabled={!args || control.busy} onClick={() => args && void control.run(args)}>
          Say which model fits
        </button>
      </p>
      {args && !control.value && <Command args={args} />}
      <Outcome control={control} word="Comparing" wanted={args}>
        {(advice) => (
          <div data-part="advice">
            <p class="sentence">
              <strong>{advice.model}</strong>: {modelWords[advice.model] ?? advice.setting}.
            </p>
            <p>
              {advice.why} {advice.promise}
            </p>
            {advice.steps.length > 0 && (
              <Grid
                caption="From table to table"
                head={[
                  { text: "from" },
                  { text: "to" },
                  { text: "stayed", number: true },
                  { text: "came", number: true },
                  { text: "left", number: true },
                  { text: "changed", number: true },
                ]}
                rows={advice.steps.map((s) => [s.from, s.to, count(s.stayed), count(s.came), count(s.left), count(s.changed)])}
              />
            )}
            {advice.notes.map((note, i) => (
              <Note key={i}>{note}</Note>
            ))}
            {editor.policy && model !== advice.model && (
              <p class="buttons">
                <button
                  type="button"
                  disabled={editor.busy}
                  onClick={() => void editor.apply(guaranteeChange(editor.policy!, { model: advice.model }))}
                >
                  Take model {advice.model}
                </button>
              </p>
            )}
          </div>
        )}
      </Outcome>
    </Section>
  );
}

function Slider(props: {
  label: string;
  hint: string;
  value: number;
  min: number;
  max: number;
  step: number;
  show: (n: number) => string;
  disabled?: boolean;
  onCommit: (n: number) => void;
}) {
  const [drag, setDrag] = useState<number | null>(null);
  const value = drag ?? props.value;
  return (
    <Field label={props.label} hint={props.hint}>
      {(id, hint) => (
        <span class="slider">
          <input
            id={id}
            aria-describedby={hint}
            type="range"
            min={props.min}
            max={Math.max(props.max, props.value)}
            step={props.step}
            value={value}
            disabled={props.disabled}
            aria-valuetext={props.show(value)}
            onInput={(event) => setDrag(Number(event.currentTarget.value))}
            onChange={(event) => {
              const now = Number(event.currentTarget.value);
              setDrag(null);
              if (now !== props.value) props.onCommit(now);
            }}
          />
          <output for={id}>{props.show(value)}</output>
        </span>
      )}
    </Field>
  );
}

const numberOr = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);

function HowMuch({ editor }: { editor: PolicyEditor }) {
  const { guarantee } = editor.policy!;
  const model = String(guarantee.model);
  const boxes = model === "k" || model === "bcf";
  const set = (wanted: Record<string, unknown>) => void editor.apply(guaranteeChange(editor.policy!, wanted));
  const others = Object.entries(guarantee).filter(([key]) => !["model", "k", "distinct", "suppression", "recoding"].includes(key));
  return (
    <Section title="How much is promised" name="how-much">
      {!boxes && <Note>The settings of model {model} are changed in the policy itself; those below are for models k and bcf.</Note>}
      <div class="choices">
        <Slider
          label="k"
          hint="Everybody looks like so many, with themselves."
          value={numberOr(guarantee.k, 1)}
          min={1}
          max={50}
          step={1}
          show={String}
          disabled={editor.busy || (!boxes && model !== "j-similarity")}
          onCommit={(k) => set({ k })}
        />
        <Slider
          label="distinct"
          hint="So many different sensitive values among them. 1 promises nothing."
          value={numberOr(guarantee.distinct, 1)}
          min={1}
          max={12}
          step={1}
          show={String}
          disabled={editor.busy || !boxes}
          onCommit={(distinct) => set({ distinct: distinct === 1 && guarantee.distinct === undefined ? null : distinct })}
        />
        <Slider
          label="suppression"
          hint={model === "bcf" ? "So many rows may be starred; needs local recoding and an identifier." : "So many rows may be left out."}
          value={numberOr(guarantee.suppression, 0)}
          min={0}
          max={0.2}
          step={0.01}
          show={(n) => (n >= 1 ? some(n, "row") : percent(n))}
          disabled={editor.busy || !boxes}
          onCommit={(suppression) => set({ suppression })}
        />
        <Select
          label="recoding"
          hint="Local: each group as fine as its rows allow. Global: one cut per column, everywhere."
          value={valueText(guarantee.recoding) || "global"}
          options={[
            { value: "local", text: "local" },
            { value: "global", text: "global" },
          ]}
          onChange={(recoding) => set({ recoding })}
        />
      </div>
      {others.length > 0 && (
        <p class="quiet">The policy also says: {others.map(([key, value]) => `${key} = ${typeof value === "object" ? JSON.stringify(value) : String(value)}`).join(", ")}.</p>
      )}
      <PolicyChanges editor={editor} />
    </Section>
  );
}

function WhatItCosts({ editor, table }: { editor: PolicyEditor; table: string }) {
  const studio = useStudio();
  const grid = studio.route.choices;
  const args = ["explore", "--policy", editor.name!, table];
  for (const key of ["k", "distinct", "recoding", "suppression"]) {
    const list = grid.get(key)?.replace(/\s+/g, "");
    if (list) args.push("--" + key, list);
  }
  const control = useJob<Exploration>((a) => a[0] === "explore" && !a.includes("--forecast"), args);
  const take = (point: Point) => void editor.apply(guaranteeChange(editor.policy!, point.settings));
  const isCurrent = (point: Point) =>
    Object.entries(point.settings).every(([key, value]) => {
      const fallback: Record<string, unknown> = { recoding: "global", suppression: 0 };
      return valueText(editor.policy!.guarantee[key] ?? fallback[key]) === valueText(value);
    });
  // Live: a promise that is not in the picture is tried at once, unless it was just taken from it.
  const [live, setLive] = useState(true);
  const promised = JSON.stringify(editor.policy!.guarantee);
  const seen = useRef(promised);
  useEffect(() => {
    if (seen.current === promised) return;
    seen.current = promised;
    if (live && control.value && !control.value.points.some(isCurrent)) void control.run(args);
  }, [promised]);
  const text = (key: string, label: string, example: string) => (
    <Field label={label} hint={`for example ${example}`}>
      {(id, hint) => (
        <input
          id={id}
          aria-describedby={hint}
          type="text"
          value={grid.get(key) ?? ""}
          onChange={(event) => studio.choose({ [key]: event.currentTarget.value.trim() || null })}
        />
      )}
    </Field>
  );
  return (
    <Section title="What it costs" name="costs">
      <p>Releases of {table} are made for several promises, and nothing is written. A click on one takes its settings over.</p>
      <div class="choices">
        {text("k", "k to try", "2,5,10,20")}
        {text("distinct", "distinct to try", "2,3")}
        {text("recoding", "recoding to try", "local,global")}
        {text("suppression", "suppression to try", "0,0.02,0.05")}
      </div>
      <p class="buttons">
        <button type="button" class="main" disabled={control.busy} onClick={() => void control.run(args)}>
          Explore
        </button>
        <label>
          <input type="checkbox" checked={live} onChange={(event) => setLive(event.currentTarget.checked)} />
          Again when the promise changes
        </label>
      </p>
      {!control.value && <Command args={args} />}
      <Outcome control={control} word="Trying releases" wanted={args}>
        {(found) => <Explored found={found} isCurrent={isCurrent} take={take} busy={editor.busy} />}
      </Outcome>
    </Section>
  );
}

function Explored(props: { found: Exploration; isCurrent: (p: Point) => boolean; take: (p: Point) => void; busy: boolean }) {
  const { points } = props.found;
  const keys = Object.keys(points[0]?.settings ?? {});
  return (
    <div data-part="frontier">
      <Frontier points={points} current={props.isCurrent} onTake={props.take} />
      <Grid
        caption={`${some(points.length, "release")} tried`}
        head={[
          { text: "promise" },
          { text: "detail lost", number: true },
          { text: "rows hidden", number: true },
          { text: "smallest group", number: true },
          { text: "take" },
        ]}
        rows={points.map((p) => [
          <>
            {pointWords(p, keys)} {p.knee ? <span class="badge good">knee</span> : p.frontier && <span class="badge good">frontier</span>}
          </>,
          p.possible ? percent(p.loss) : "not possible",
          p.possible ? measure(p.rows_hidden) : "",
          p.possible ? measure(p.smallest_group) : "",
          props.isCurrent(p) ? (
            "in the policy"
          ) : (
            <button type="button" class="small" disabled={!p.possible || props.busy} onClick={() => props.take(p)} aria-label={`Take ${pointWords(p, keys)}`}>
              Take
            </button>
          ),
        ])}
      />
    </div>
  );
}
