// Small pieces that every room uses.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { argumentsOf, commandText } from "../core/command";
import type { Control } from "../core/jobs";
import type { Problem } from "../core/types";
import type { Verdict as VerdictWords } from "../core/words";

export function Section(props: { title: string; children: ComponentChildren; name?: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-part={props.name}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** The command that a button runs, to copy. */
export function Command(props: { args: string[]; label?: string }) {
  const [said, setSaid] = useState("");
  const text = commandText(props.args);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Select the text to copy it");
    }
    setTimeout(() => setSaid(""), 2000);
  }
  return (
    <div class="command">
      <code tabIndex={0} role="group" aria-label={props.label ?? "Command"}>
        {text}
      </code>
      <button type="button" class="small quiet" onClick={copy} aria-label={`Copy the command ${text}`}>
        {said || "Copy"}
      </button>
      <span class="unseen" role="status">
        {said}
      </span>
    </div>
  );
}

/** What went wrong, in the words of the command line: message, place, remedy. */
export function ProblemBox(props: { problem: Problem | null; args?: string[] | null }) {
  const { problem } = props;
  if (!problem) return null;
  return (
    <div class="problem" role="alert">
      <p class="message">{problem.message}</p>
      <Place problem={problem} />
      {problem.remedy && <p class="remedy">{problem.remedy}</p>}
      {props.args && <Command args={props.args} label="The command that said so" />}
    </div>
  );
}

function Place({ problem }: { problem: Problem }) {
  const parts: string[] = [];
  if (problem.file) parts.push(problem.file);
  if (problem.line !== null && problem.line !== undefined) parts.push(`line ${problem.line}`);
  if (problem.column !== null && problem.column !== undefined) parts.push(`column ${problem.column}`);
  return parts.length ? <p class="place">{parts.join(", ")}</p> : null;
}

export function Verdict({ verdict }: { verdict: VerdictWords }) {
  return (
    <div class={`verdict ${verdict.tone}`} role="status">
      <p class="mark">{verdict.mark}</p>
      <p class="sentence">{verdict.sentence}</p>
    </div>
  );
}

export function Empty(props: { children: ComponentChildren }) {
  return <div class="empty">{props.children}</div>;
}

export function Note(props: { tone?: "good" | "warning" | "bad"; children: ComponentChildren }) {
  return <p class={`note ${props.tone ?? ""}`}>{props.children}</p>;
}

/** A command that runs: where it is, and a way to end it. */
export function Running({ control, word }: { control: Control<unknown>; word: string }) {
  const progress = control.job?.progress;
  const share = progress && progress.total ? Math.min(1, (progress.done ?? 0) / progress.total) : null;
  const stage = control.job?.waiting ? `${word}: waits until other commands are done` : progress?.stage ? `${word}: ${progress.stage}` : word;
  return (
    <div class="running">
      <p role="status">
        {stage}
        {progress?.total && progress.total < 10000 ? ` (${progress.done ?? 0} of ${progress.total})` : " …"}
      </p>
      {share === null ? <progress aria-label={stage} /> : <progress aria-label={stage} max={1} value={share} />}
      <button type="button" class="small" onClick={control.cancel} disabled={!control.job}>
        Cancel
      </button>
    </div>
  );
}

/** What became of a command: running, cancelled, refused, or done. */
export function Outcome<T>(props: {
  control: Control<T>;
  word: string;
  wanted?: string[] | null;
  children: (value: T) => ComponentChildren;
}) {
  const { control } = props;
  if (control.busy) return <Running control={control as Control<unknown>} word={props.word} />;
  if (control.cancelled) return <Note>Cancelled. Nothing was changed.</Note>;
  if (control.problem) return <ProblemBox problem={control.problem} args={control.args} />;
  if (!control.value) return null;
  const ran = control.job ? argumentsOf(control.job.command) : control.args;
  const stale = props.wanted && ran && JSON.stringify(props.wanted) !== JSON.stringify(ran);
  return (
    <div class="outcome">
      {stale && <Note tone="warning">The choices have changed since. This is what the command below said.</Note>}
      {props.children(control.value)}
      <Warnings words={control.job?.notes?.map((note) => note.replace(/^reissue: (warning: )?/, ""))} />
      {ran && <Command args={ran} label="The command that was run" />}
    </div>
  );
}

export function Warnings({ words }: { words: (string | Problem)[] | undefined }) {
  if (!words?.length) return null;
  return (
    <ul class="warnings">
      {words.map((word, i) => (
        <li key={i}>{typeof word === "string" ? word : word.message}</li>
      ))}
    </ul>
  );
}

/** A table that scrolls by itself where the window is narrow. */
export function Grid(props: {
  caption: string;
  head: { text: string; number?: boolean }[];
  rows: ComponentChildren[][];
  hideCaption?: boolean;
}) {
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={props.caption}>
      <table>
        <caption class={props.hideCaption ? "unseen" : ""}>{props.caption}</caption>
        <thead>
          <tr>
            {props.head.map((cell, i) => (
              <th key={i} scope="col" class={cell.number ? "number" : ""}>
                {cell.text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, r) => (
            <tr key={r}>
              {row.map((cell, i) =>
                i === 0 ? (
                  <th key={i} scope="row" class={props.head[i]?.number ? "number" : ""}>
                    {cell}
                  </th>
                ) : (
                  <td key={i} class={props.head[i]?.number ? "number" : ""}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Field(props: { label: string; hint?: string; children: (id: string, hint: string | undefined) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(id, props.hint ? id + "-hint" : undefined)}
      {props.hint && (
        <p class="hint" id={id + "-hint"}>
          {props.hint}
        </p>
      )}
    </div>
  );
}
