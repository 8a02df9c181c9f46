// Files of the folder: to drop, to choose.
import { useId, useRef, useState } from "preact/hooks";
import { putFile, Refused } from "../core/api";
import { problemFrom } from "../core/jobs";
import { uploadName } from "../core/names";
import { useStudio } from "../core/studio";
import type { Problem } from "../core/types";
import { bytes } from "../core/words";
import { ProblemBox } from "./parts";

/** A place to drop files on, with a button that does the same. */
export function Drop(props: { words: string; onFiles: (names: string[]) => void; many?: boolean }) {
  const studio = useStudio();
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [taken, setTaken] = useState<File[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  async function take(files: File[], replace: boolean) {
    setProblem(null);
    setTaken([]);
    const done: string[] = [];
    const there: File[] = [];
    for (const file of props.many ? files : files.slice(0, 1)) {
      const name = uploadName(file.name);
      setBusy(`Copying ${name} (${bytes(file.size)}) into the folder …`);
      try {
        await putFile(name, file, replace);
        done.push(name);
      } catch (error) {
        if (error instanceof Refused && error.status === 409) there.push(file);
        else setProblem(problemFrom(error));
      }
    }
    setBusy("");
    setTaken(there);
    if (done.length) {
      await studio.changed();
      props.onFiles(done);
    }
  }

  const names = taken.map((file) => uploadName(file.name));
  return (
    <div>
      <div
        class={over ? "drop over" : "drop"}
        data-drop
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const files = [...(event.dataTransfer?.files ?? [])];
          if (files.length) void take(files, false);
        }}
      >
        <label for={id}>{props.words}</label>
        <input
          id={id}
          ref={input}
          type="file"
          multiple={props.many}
          onChange={() => {
            const files = [...(input.current?.files ?? [])];
            if (files.length) void take(files, false);
            input.current!.value = "";
          }}
        />
      </div>
      {busy && <p role="status">{busy}</p>}
      {names.length > 0 && (
        <div class="problem" role="alert">
          <p class="message">{names.join(", ")}: there is a file of this name in the folder already.</p>
          <p class="buttons">
            <button
              type="button"
              onClick={() => {
                setTaken([]);
                props.onFiles(names);
              }}
            >
              Use the one that is there
            </button>
            <button type="button" onClick={() => void take(taken, true)}>
              Replace it
            </button>
          </p>
        </div>
      )}
      <ProblemBox problem={problem} />
    </div>
  );
}

export function Select(props: {
  label: string;
  value: string | null;
  options: { value: string; text: string }[];
  none?: string;
  onChange: (value: string | null) => void;
  hint?: string;
}) {
  const id = useId();
  const known = !props.value || props.options.some((option) => option.value === props.value);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.value ?? ""}
        onChange={(event) => props.onChange(event.currentTarget.value || null)}
        aria-describedby={props.hint ? id + "-hint" : undefined}
      >
        {props.none !== undefined && <option value="">{props.none}</option>}
        {!known && <option value={props.value!}>{props.value} (not in the folder)</option>}
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {props.hint && (
        <p class="hint" id={id + "-hint"}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

/** Tables in the folder that are no taxonomies of a policy, as far as names tell. */
export function useTables(): { value: string; text: string }[] {
  const { folder } = useStudio();
  return folder.files.filter((f) => f.kind === "table").map((f) => ({ value: f.name, text: `${f.name} (${bytes(f.bytes)})` }));
}

/** Several files in an order: each can be taken in, left out and moved. */
export function OrderedFiles(props: { label: string; value: string[]; onChange: (names: string[]) => void }) {
  const tables = useTables();
  const id = useId();
  const rest = tables.filter((table) => !props.value.includes(table.value));
  const moved = (from: number, to: number) => {
    const now = [...props.value];
    now.splice(to, 0, ...now.splice(from, 1));
    props.onChange(now);
  };
  return (
    <fieldset class="ordered">
      <legend>{props.label}</legend>
      {props.value.length > 0 && (
        <ol>
          {props.value.map((name, i) => (
            <li key={name}>
              <span class="name">{name}</span>
              <button type="button" class="small quiet" disabled={i === 0} onClick={() => moved(i, i - 1)} aria-label={`${name}: earlier`}>
                ↑
              </button>
              <button
                type="button"
                class="small quiet"
                disabled={i === props.value.length - 1}
                onClick={() => moved(i, i + 1)}
                aria-label={`${name}: later`}
              >
                ↓
              </button>
              <button
                type="button"
                class="small quiet"
                onClick={() => props.onChange(props.value.filter((other) => other !== name))}
                aria-label={`${name}: leave out`}
              >
                ✕
              </button>
            </li>
          ))}
        </ol>
      )}
      <label for={id} class="unseen">
        Add a file of the folder
      </label>
      <select
        id={id}
        value=""
        onChange={(event) => {
          const name = event.currentTarget.value;
          event.currentTarget.value = "";
          if (name) props.onChange([...props.value, name]);
        }}
      >
        <option value="">Add a file of the folder …</option>
        {rest.map((table) => (
          <option key={table.value} value={table.value}>
            {table.text}
          </option>
        ))}
      </select>
    </fieldset>
  );
}
