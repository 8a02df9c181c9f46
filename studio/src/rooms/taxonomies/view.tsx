// A taxonomy as nested lists that can be opened, ticked and dragged.
import { useState } from "preact/hooks";
import * as tree from "../../core/tree";
import { count } from "../../core/words";
import { Field } from "../../ui/parts";

interface ViewProps {
  root: tree.Node;
  picked: number[];
  faulty: Set<number>;
  onPick: (id: number, on: boolean) => void;
  onDrop: (id: number, into: number) => void;
}

/** So many children are drawn at first; the others on request. */
const manyChildren = 100;

export function TreeView(props: ViewProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  // Large trees begin with their upper groups.
  const [closed, setClosed] = useState<Set<number>>(() => {
    const all = tree.groups(props.root);
    if (tree.leafCount(props.root) <= 60) return new Set();
    const lowest = all.filter((group) => group !== props.root && group.children!.every((child) => !child.children));
    return new Set(lowest.map((group) => group.id));
  });
  const toggle = (id: number) =>
    setClosed((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const [wanted, setWanted] = useState("");
  const large = tree.leafCount(props.root) > 60;
  return (
    <>
      {large && (
        <Field label="Find a value or a group">
          {(id) => <input id={id} type="text" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />}
        </Field>
      )}
      {large && wanted.trim() !== "" && <Found {...props} wanted={wanted.trim()} />}
      <ul class="tree" aria-label="Taxonomy">
        <Branch
          {...props}
          node={props.root}
          closed={closed}
          toggle={toggle}
          dragged={dragged}
          over={over}
          setDragged={setDragged}
          setOver={setOver}
        />
      </ul>
    </>
  );
}

/** So many of what is looked for are listed. */
const manyFound = 50;

function Found(props: ViewProps & { wanted: string }) {
  const found = tree.search(props.root, props.wanted, manyFound);
  return (
    <ul class="found" aria-label="Found">
      {found.map(({ node, above }) => (
        <li key={node.id}>
          <label>
            <input
              type="checkbox"
              checked={props.picked.includes(node.id)}
              onChange={(event) => props.onPick(node.id, event.currentTarget.checked)}
            />
            {node.label}
          </label>{" "}
          <span class="quiet">in {above.join(", in ")}</span>
        </li>
      ))}
      {found.length === 0 && <li>Nothing is called so.</li>}
      {found.length === manyFound && <li class="quiet">and perhaps more</li>}
    </ul>
  );
}

interface BranchProps extends ViewProps {
  node: tree.Node;
  closed: Set<number>;
  toggle: (id: number) => void;
  dragged: number | null;
  over: number | null;
  setDragged: (id: number | null) => void;
  setOver: (id: number | null) => void;
}

function Branch(props: BranchProps) {
  const { node, root } = props;
  const [all, setAll] = useState(false);
  const isRoot = node === root;
  const group = node.children;
  const open = group !== null && !props.closed.has(node.id);
  const droppable = group !== null && props.dragged !== null && tree.mayMove(root, props.dragged, node.id);
  const shown = group ? (all ? group : group.slice(0, manyChildren)) : [];
  const classes = ["entry", group ? "group" : "leaf"];
  if (droppable && props.over === node.id) classes.push("over");
  if (props.faulty.has(node.id)) classes.push("faulty");
  if (props.dragged === node.id) classes.push("dragged");
  return (
    <li>
      <div
        class={classes.join(" ")}
        data-label={node.label}
        draggable={!isRoot}
        onDragStart={(event) => {
          event.stopPropagation();
          event.dataTransfer?.setData("text/plain", node.label);
          props.setDragged(node.id);
        }}
        onDragEnd={() => {
          props.setDragged(null);
          props.setOver(null);
        }}
        onDragOver={(event) => {
          if (!droppable) return;
          event.preventDefault();
          props.setOver(node.id);
        }}
        onDragLeave={() => props.over === node.id && props.setOver(null)}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (droppable && props.dragged !== null) props.onDrop(props.dragged, node.id);
          props.setDragged(null);
          props.setOver(null);
        }}
      >
        {group ? (
          <button
            type="button"
            class="fold"
            aria-expanded={open}
            aria-label={`${node.label}: ${open ? "close" : "open"}`}
            onClick={() => props.toggle(node.id)}
          >
            {open ? "▾" : "▸"}
          </button>
        ) : (
          <span class="fold" aria-hidden="true" />
        )}
        <label>
          <input
            type="checkbox"
            checked={props.picked.includes(node.id)}
            onChange={(event) => props.onPick(node.id, event.currentTarget.checked)}
          />
          {node.label}
        </label>
        {group && <span class="quiet">{count(tree.leafCount(node))}</span>}
      </div>
      {open && group.length > 0 && (
        <ul>
          {shown.map((child) => (
            <Branch key={child.id} {...props} node={child} />
          ))}
          {shown.length < group.length && (
            <li>
              <button type="button" class="small quiet" onClick={() => setAll(true)}>
                Show {count(group.length - shown.length)} more
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
