// What is promised against what is lost: a point for each release that was tried.
import { useId } from "preact/hooks";
import type { Point } from "../core/types";
import { percent } from "../core/words";

const settingOrder = ["k", "distinct", "entropy", "alpha", "confidence", "t", "beta", "suppression", "recoding", "score", "search"];

/** The setting that varies and is named first becomes the axis; the others tell lines apart. */
export function axisOf(points: Point[]): { axis: string; rest: string[] } {
  const varies = (key: string) => new Set(points.map((p) => String(p.settings[key]))).size > 1;
  const keys = settingOrder.filter((key) => points.some((p) => key in p.settings));
  const numeric = keys.filter((key) => points.every((p) => typeof p.settings[key] === "number"));
  const axis = numeric.find(varies) ?? numeric[0] ?? keys[0] ?? "k";
  return { axis, rest: keys.filter((key) => key !== axis && varies(key)) };
}

export function pointWords(point: Point, keys: string[]): string {
  return keys.map((key) => settingWords(key, point.settings[key])).join(", ");
}

export function settingWords(key: string, value: unknown): string {
  if (key === "suppression") {
    return value === 0 ? "no suppression" : `suppression ${typeof value === "number" && value < 1 ? percent(value) : String(value)}`;
  }
  if (key === "recoding") return `${String(value)} recoding`;
  return `${key} ${String(value)}`;
}

const shapes = ["circle", "square", "diamond", "triangle"] as const;

function Mark({ shape, x, y, r }: { shape: (typeof shapes)[number]; x: number; y: number; r: number }) {
  switch (shape) {
    case "square":
      return <rect x={x - r} y={y - r} width={2 * r} height={2 * r} />;
    case "diamond":
      return <path d={`M${x} ${y - r * 1.3}L${x + r * 1.3} ${y}L${x} ${y + r * 1.3}L${x - r * 1.3} ${y}Z`} />;
    case "triangle":
      return <path d={`M${x} ${y - r * 1.2}L${x + r * 1.2} ${y + r}L${x - r * 1.2} ${y + r}Z`} />;
    default:
      return <circle cx={x} cy={y} r={r} />;
  }
}

export function Frontier(props: { points: Point[]; current: (point: Point) => boolean; onTake: (point: Point) => void }) {
  const id = useId();
  const points = props.points.filter((p) => p.possible && p.loss !== null);
  if (points.length === 0) return null;
  const { axis, rest } = axisOf(points);
  const lines = [...new Set(points.map((p) => pointWords(p, rest)))];
  const places = [...new Set(points.map((p) => Number(p.settings[axis])))].sort((a, b) => a - b);
  const [left, right, top, bottom] = [56, 616, 16, 280];
  const x = (p: Point) => {
    const i = places.indexOf(Number(p.settings[axis]));
    return places.length === 1 ? (left + right) / 2 : left + 24 + (i / (places.length - 1)) * (right - left - 48);
  };
  const most = Math.max(0.1, ...points.map((p) => p.loss!));
  const ceiling = Math.min(1, Math.ceil(most * 10) / 10);
  const y = (loss: number) => bottom - (loss / ceiling) * (bottom - top);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((t) => t * ceiling);
  return (
    <figure class="frontier">
      <figcaption id={id}>Detail that is lost, by {axis}. Filled: no other one promises as much and loses less.</figcaption>
      <div class="wide" tabIndex={0} role="group" aria-labelledby={id}>
      <svg class="chart" viewBox="0 0 640 330" role="group" aria-labelledby={id}>
        {ticks.map((t) => (
          <g key={t}>
            <line class="rule" x1={left} x2={right} y1={y(t)} y2={y(t)} />
            <text class="tick" x={left - 8} y={y(t) + 4}>
              {percent(t)}
            </text>
          </g>
        ))}
        {places.map((place, i) => (
          <text key={place} class="word" x={places.length === 1 ? (left + right) / 2 : left + 24 + (i / (places.length - 1)) * (right - left - 48)} y={bottom + 20}>
            {place}
          </text>
        ))}
        <text class="word" x={(left + right) / 2} y={bottom + 42}>
          {axis}
        </text>
        <line class="axis" x1={left} x2={right} y1={bottom} y2={bottom} />
        {lines.map((line, i) => (
          <polyline
            key={line}
            class={`line${i % 4}`}
            points={points
              .filter((p) => pointWords(p, rest) === line)
              .sort((a, b) => Number(a.settings[axis]) - Number(b.settings[axis]))
              .map((p) => `${x(p).toFixed(1)},${y(p.loss!).toFixed(1)}`)
              .join(" ")}
          />
        ))}
        {points.map((p, i) => {
          const line = lines.indexOf(pointWords(p, rest)) % 4;
          const words = `${pointWords(p, [axis, ...rest])}: ${percent(p.loss)} lost${p.frontier ? ", on the frontier" : ""}${p.knee ? ", its knee" : ""}`;
          return (
            <g
              key={i}
              class={`point line${line} ${p.frontier ? "best" : ""} ${props.current(p) ? "current" : ""}`}
              role="button"
              tabIndex={0}
              aria-label={`Take ${words}`}
              onClick={() => props.onTake(p)}
              onKeyDown={(event) => {
                if (event.key === "Enter" || event.key === " ") {
                  event.preventDefault();
                  props.onTake(p);
                }
              }}
            >
              <title>{words}</title>
              <circle class="reach" cx={x(p)} cy={y(p.loss!)} r="13" />
              <Mark shape={shapes[line]!} x={x(p)} y={y(p.loss!)} r={p.knee ? 7.5 : 5.5} />
            </g>
          );
        })}
      </svg>
      </div>
      {rest.length > 0 && (
        <ul class="legend">
          {lines.map((line, i) => (
            <li key={line}>
              <svg class="swatch" viewBox="0 0 28 12" aria-hidden="true" focusable="false">
                <line class={`line${i % 4}`} x1="0" x2="28" y1="6" y2="6" />
                <g class={`point best line${i % 4}`}>
                  <Mark shape={shapes[i % 4]!} x={14} y={6} r={4} />
                </g>
              </svg>
              {line}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
