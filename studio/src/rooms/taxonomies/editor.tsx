// The editor of a taxonomy: moving, naming and grouping, every step undoable, saved as the same CSV.
import { useEffect, useRef, useState } from "preact/hooks";
import { putFile } from "../../core/api";
import { ask, problemFrom } from "../../core/jobs";
import * as tree from "../../core/tree";
import type { Problem, TaxonomyChecked, TaxonomyShown } from "../../core/types";
import { useSteps } from "../../core/undo";
import { listed, some } from "../../core/words";
import { Command, Note, ProblemBox } from "../../ui/parts";
import { TreeView } from "./view";

// What was edited and not saved, by file: whoever looks into another room finds it again.
const drafts = new Map<string, { saved: tree.Node; now: tree.Node }>();

export function TreeEditor(props: { shown: TaxonomyShown; file: string; onSaved: () => Promise<void> }) {
  const [left] = useState(() => {
    const draft = drafts.get(props.file);
    const same = draft && tree.toText(draft.saved) === tree.toText(tree.fromShown(props.shown.root));
    return same ? draft : null;
  });
  const [first] = useState(() => left?.saved ?? tree.fromShown(props.shown.root));
  const steps = useSteps(first, left?.now);
  const [saved, setSaved] = useState(first);
  const [picked, setPicked] = useState<number[]>([]);
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const root = steps.now;
  const faults = tree.faults(root);
  const serious = faults.filter((fault) => !tree.isEmptyGroup(fault));
  const dirty = root !== saved;
  const here = picked.filter((id) => tree.find(root, id));

  useEffect(() => {
    if (dirty) drafts.set(props.file, { saved, now: root });
    else drafts.delete(props.file);
    if (!dirty) return;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", stay);
    return () => removeEventListener("beforeunload", stay);
  }, [root, saved]);

  function change(now: tree.Node, words: string) {
    steps.set(now);
    setSaid(words);
  }

  function moveTo(ids: number[], into: number) {
    const now = tree.move(root, ids, into);
    if (now === root) return;
    const names = ids.map((id) => tree.find(root, id)!.label);
    change(now, `Moved ${listed(names.slice(0, 3))}${names.length > 3 ? " and more" : ""} to ${tree.find(root, into)!.label}.`);
    setPicked([]);
  }

  async function save() {
    setProblem(null);
    setSaid("Saving …");
    try {
      await putFile(props.file, tree.toText(root), true);
      setSaved(root);
      const told = await ask(["taxonomy", "check", props.file]);
      const checked = (told.value as TaxonomyChecked | null)?.taxonomies[0];
      setProblem(told.problem ?? checked?.problem ?? null);
      setSaid(checked?.ok ? `Saved ${props.file}. Nothing is wrong with it.` : "Saved, with a problem.");
      await props.onSaved();
    } catch (error) {
      setSaid("");
      setProblem(problemFrom(error));
    }
  }

  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
      if (!(event.ctrlKey || event.metaKey) || typing) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) steps.undo();
      else if (key === "y" || (key === "z" && event.shiftKey)) steps.redo();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [steps]);

  return (
    <div ref={box} class="editor">
      <p>
        {some(tree.leafCount(root), "value")} in {some(tree.groups(root).length, "group")}. Drag a value or a group onto another group; or
        tick some, and say where they go.
      </p>
      <Toolbar
        root={root}
        picked={here}
        onMove={(into) => moveTo(here, into)}
        onGroup={(label) => {
          change(tree.group(root, here, label), `Put ${some(here.length, "entry", "entries")} into ${label}.`);
          setPicked([]);
        }}
        onRename={(id, label) => change(tree.rename(root, id, label), `Renamed to ${label}.`)}
        onDissolve={(id) => {
          change(tree.dissolve(root, id), `Removed the group ${tree.find(root, id)!.label}; what was in it is in the group above.`);
          setPicked([]);
        }}
      />
      <p class="buttons">
        <button type="button" class="small" disabled={!steps.canUndo} onClick={steps.undo}>
          Undo
        </button>
        <button type="button" class="small" disabled={!steps.canRedo} onClick={steps.redo}>
          Redo
        </button>
        <button type="button" class="small main" disabled={!dirty || serious.length > 0} onClick={() => void save()}>
          Save
        </button>
        <button type="button" class="small quiet" disabled={!dirty} onClick={() => change(saved, "As it was saved last; Undo brings the changes back.")}>
          As it is in the file
        </button>
        <span role="status">{said || (dirty ? "Not saved yet." : "")}</span>
      </p>
      <ProblemBox problem={problem} />
      {faults.slice(0, 5).map((fault) => (
        <Note key={fault.id} tone={tree.isEmptyGroup(fault) ? "warning" : "bad"}>
          {fault.words}
        </Note>
      ))}
      <TreeView
        root={root}
        picked={here}
        faulty={new Set(faults.map((fault) => fault.id))}
        onPick={(id, on) => setPicked(on ? [...here, id] : here.filter((other) => other !== id))}
        onDrop={(id, into) => moveTo(here.includes(id) ? here : [id], into)}
      />
      <Command args={["taxonomy", "check", props.file]} label="The command that checks the taxonomy" />
    </div>
  );
}

function Toolbar(props: {
  root: tree.Node;
  picked: number[];
  onMove: (into: number) => void;
  onGroup: (label: string) => void;
  onRename: (id: number, label: string) => void;
  onDissolve: (id: number) => void;
}) {
  const [label, setLabel] = useState("");
  const single = props.picked.length === 1 ? tree.find(props.root, props.picked[0]!) : null;
  const places = tree.groups(props.root).filter((group) => props.picked.some((id) => tree.mayMove(props.root, id, group.id)));
  const none = props.picked.length === 0;
  const name = label.trim();
  return (
    <fieldset class="toolbar">
      <legend>{none ? "Nothing is ticked" : `Ticked: ${some(props.picked.length, "entry", "entries")}`}</legend>
      <label>
        Move to …{" "}
        <select
          value=""
          disabled={none}
          onChange={(event) => {
            const into = Number(event.currentTarget.value);
            event.currentTarget.value = "";
            if (into) props.onMove(into);
          }}
        >
          <option value="">choose a group</option>
          {places.map((group) => (
            <option key={group.id} value={String(group.id)}>
              {group.label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Name{" "}
        <input type="text" value={label} onInput={(event) => setLabel(event.currentTarget.value)} placeholder={single?.label ?? ""} />
      </label>
      <button
        type="button"
        class="small"
        disabled={none || !name || (single !== null && single === props.root)}
        onClick={() => {
          props.onGroup(name);
          setLabel("");
        }}
      >
        New group of them
      </button>
      <button
        type="button"
        class="small"
        disabled={!single?.children || !name}
        onClick={() => {
          props.onRename(single!.id, name);
          setLabel("");
        }}
      >
        Rename group
      </button>
      <button
        type="button"
        class="small"
        disabled={!single?.children || single === props.root}
        onClick={() => props.onDissolve(single!.id)}
      >
        Remove group
      </button>
    </fieldset>
  );
}
