// Ranges of a numeric column: breakpoints on a track, each to be dragged or moved by keys.
import { useRef, useState } from "preact/hooks";
import { evenly, finest, hasLevels, levels, moved, parsePoints, rangeLabel, stepOf } from "../../core/breakpoints";
import { columnChange } from "../../core/changes";
import type { PolicyEditor } from "../../core/policy";
import type { PolicyColumn } from "../../core/types";
import { useSteps } from "../../core/undo";
import { some } from "../../core/words";
import { Command, Field, Note } from "../../ui/parts";

export function RangeEditor({ column, editor }: { column: PolicyColumn; editor: PolicyEditor }) {
  const first = finest(column.breakpoints!);
  const steps = useSteps(first);
  const [text, setText] = useState<string | null>(null);
  const points = steps.now;
  const dirty = JSON.stringify(points) !== JSON.stringify(first);
  const change = columnChange(column, "breakpoints", points);
  const typed = text === null ? points : parsePoints(text);
  const widths = [1, 2, 5, 10, 20, 25, 50, 100].filter((w) => {
    const n = evenly(points, w).length;
    return n >= 3 && n <= 60;
  });
  return (
    <div class="ranges">
      {hasLevels(column.breakpoints!) && (
        <Note tone="warning">This policy says the levels itself, in several lists. Saving from here leaves them to pairwise merging.</Note>
      )}
      <p>{some(points.length - 1, "range")}. Move an end by dragging it, or by the arrow keys; neighbours are merged pairwise above.</p>
      <Track points={points} onChange={steps.set} name={column.name} />
      <Levels points={points} />
      <div class="choices">
        <Field label="Breakpoints" hint="The last number is greater than every value.">
          {(id, hint) => (
            <input
              id={id}
              aria-describedby={hint}
              type="text"
              value={text ?? points.join(", ")}
              onInput={(event) => setText(event.currentTarget.value)}
              onBlur={() => {
                if (typed) steps.set(typed);
                setText(null);
              }}
              onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
            />
          )}
        </Field>
        <div class="field">
          <span class="label">Evenly, of width</span>
          <p class="buttons">
            {widths.map((w) => (
              <button key={w} type="button" class="small" onClick={() => steps.set(evenly(points, w))}>
                {w}
              </button>
            ))}
          </p>
        </div>
      </div>
      {!typed && <Note tone="bad">Breakpoints are at least two numbers.</Note>}
      <p class="buttons">
        <button type="button" class="small" disabled={!steps.canUndo} onClick={steps.undo}>
          Undo
        </button>
        <button type="button" class="small" disabled={!steps.canRedo} onClick={steps.redo}>
          Redo
        </button>
        <button type="button" class="small main" disabled={!dirty || editor.busy} onClick={() => void editor.apply(change)}>
          Save
        </button>
      </p>
      <Command args={["policy", "set", editor.name!, ...change.settings]} />
    </div>
  );
}

/** Room beside the ends, so that they can be moved outward; levels are drawn with the same. */
const margin = 0.04;

function Track(props: { points: number[]; onChange: (points: number[]) => void; name: string }) {
  const track = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<number[] | null>(null);
  const points = drag ?? props.points;
  const step = stepOf(props.points);
  // The track stays as wide as it was while an end is dragged.
  const [from, to] = [props.points[0]!, props.points[props.points.length - 1]!];
  const room = (to - from) * margin;
  const share = (p: number) => (p - from + room) / (to - from + 2 * room);

  function at(clientX: number): number {
    const box = track.current!.getBoundingClientRect();
    const value = from - room + ((clientX - box.left) / box.width) * (to - from + 2 * room);
    return Number((Math.round(value / step) * step).toPrecision(12));
  }

  return (
    <div class="track" ref={track}>
      <div class="bar" />
      {points.map((p, i) => (
        <button
          key={i}
          type="button"
          class="handle"
          role="slider"
          aria-label={`${props.name}: end ${i + 1} of ${points.length}`}
          aria-valuenow={p}
          aria-valuemin={i === 0 ? p - 1000 * step : points[i - 1]}
          aria-valuemax={i === points.length - 1 ? p + 1000 * step : points[i + 1]}
          title={String(p)}
          style={{ left: `${share(p) * 100}%` }}
          onKeyDown={(event) => {
            const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
            if (by) {
              event.preventDefault();
              props.onChange(moved(points, i, Number((p + by * step).toPrecision(12))));
            } else if ((event.key === "Delete" || event.key === "Backspace") && i > 0 && i < points.length - 1) {
              event.preventDefault();
              props.onChange(points.filter((_, j) => j !== i));
            }
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag(props.points);
          }}
          onPointerMove={(event) => drag && setDrag(moved(drag, i, at(event.clientX)))}
          onPointerUp={() => {
            if (drag) props.onChange(drag);
            setDrag(null);
          }}
        />
      ))}
    </div>
  );
}

function Levels({ points }: { points: number[] }) {
  const all = levels(points);
  const [from, to] = [points[0]!, points[points.length - 1]!];
  return (
    <ol class="levels" aria-label="Levels, the finest first">
      {all.map((level, i) => (
        <li key={i}>
          <svg viewBox="0 0 600 22" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            {level.slice(1).map((end, j) => {
              const scale = 600 / ((to - from) * (1 + 2 * margin));
              const x = (level[j]! - from + (to - from) * margin) * scale;
              const width = (end - level[j]!) * scale;
              return <rect key={j} class={j % 2 ? "odd" : "even"} x={x} y="1" width={Math.max(0, width - 1)} height="20" />;
            })}
          </svg>
          <span class="quiet">
            {level.length <= 6
              ? level.slice(1).map((end, j) => rangeLabel(level[j]!, end)).join(" ")
              : `${rangeLabel(level[0]!, level[1]!)} … ${rangeLabel(level[level.length - 2]!, level[level.length - 1]!)}, ${level.length - 1} ranges`}
          </span>
        </li>
      ))}
    </ol>
  );
}
