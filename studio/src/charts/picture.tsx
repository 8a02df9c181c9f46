// One person as a picture: a square for each row that matches, crossed out where it is excluded.
import type { PictureRow, PictureStep } from "../core/explain";
import { count } from "../core/words";

const side = 18;
const gap = 4;
const labelWidth = 150;
const lineHeight = 30;
/** More rows than that with one value are drawn as a bar. */
const manyRows = 16;

interface Part {
  state: "open" | "out" | "left";
  letter: string;
}

function parts(rows: number, excluded: { attack: string; rows: number }[], left: number | null): Part[] {
  const all: Part[] = [];
  const out = excluded.flatMap((e) => Array.from({ length: e.rows }, () => e.attack));
  for (let i = 0; i < rows; i++) {
    const fromEnd = rows - 1 - i;
    const letter = out[fromEnd];
    if (letter) all.push({ state: "out", letter });
    else all.push({ state: left !== null && i < left ? "left" : "open", letter: "" });
  }
  return all;
}

function Squares({ x, y, list }: { x: number; y: number; list: Part[] }) {
  return (
    <>
      {list.map((part, i) => {
        const at = x + i * (side + gap);
        return (
          <g key={i} class={`row ${part.state}`}>
            <rect x={at} y={y} width={side} height={side} rx="2" />
            {part.state === "out" && <path d={`M${at + 3} ${y + 3}l${side - 6} ${side - 6}m0 ${-(side - 6)}l${-(side - 6)} ${side - 6}`} />}
          </g>
        );
      })}
    </>
  );
}

function Bar({ x, y, width, rows, most, excluded }: { x: number; y: number; width: number; rows: number; most: number; excluded: number }) {
  const unit = (width - 40) / most;
  const open = Math.max(0, rows - excluded);
  return (
    <>
      {open > 0 && (
        <g class="row open">
          <rect x={x} y={y} width={Math.max(1, open * unit)} height={side} rx="2" />
        </g>
      )}
      {excluded > 0 && (
        <g class="row out">
          <rect x={x + open * unit} y={y} width={Math.max(1, excluded * unit)} height={side} rx="2" />
          <path d={`M${x + open * unit} ${y + side / 2}h${excluded * unit}`} />
        </g>
      )}
    </>
  );
}

const excludedOf = (shown: PictureRow["shown"][number]) => Math.min(shown.rows, shown.excluded.reduce((sum, e) => sum + e.rows, 0));

export function Picture({ step, releases, kept }: { step: PictureStep; releases: string[]; kept: boolean }) {
  const { rows } = step;
  const cells = rows[0]?.shown ?? [];
  const most = Math.max(1, ...rows.flatMap((row) => row.shown.map((s) => s.rows)));
  const squares = most <= manyRows;
  const column = squares ? Math.max(110, most * (side + gap) + 16) : 240;
  const width = labelWidth + cells.length * column + 110;
  const height = 44 + rows.length * lineHeight + 12;
  const nameOf = (release: number) => releases[release - 1] ?? "";
  return (
    <figure class={kept ? "picture kept" : "picture"}>
      <div class="wide" tabIndex={0} role="group" aria-label="The rows as squares">
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true" focusable="false">
          {cells.map((cell, i) => (
            <g key={cell.release}>
              <text class="head" x={labelWidth + i * column} y="16">
                Release {cell.release}
              </text>
              <text class="word" x={labelWidth + i * column} y="32">
                {nameOf(cell.release).slice(-26)}
              </text>
            </g>
          ))}
          {step.final && (
            <text class="head" x={labelWidth + cells.length * column} y="16">
              Left
            </text>
          )}
          {rows.map((row, r) => {
            const y = 44 + r * lineHeight;
            return (
              <g key={row.value}>
                <line class="rule" x1="0" x2={width} y1={y - 5} y2={y - 5} />
                <text class="label" x="0" y={y + 14}>
                  {row.value.length > 20 ? row.value.slice(0, 19) + "…" : row.value}
                </text>
                {row.shown.map((shown, i) => {
                  const x = labelWidth + i * column;
                  return squares ? (
                    <Squares key={i} x={x} y={y} list={parts(shown.rows, shown.excluded, step.final ? row.left.upper : null)} />
                  ) : (
                    <Bar key={i} x={x} y={y} width={column} rows={shown.rows} most={most} excluded={excludedOf(shown)} />
                  );
                })}
                {step.final && (
                  <text class={row.left.upper > 0 ? "label strong" : "word"} x={labelWidth + cells.length * column} y={y + 14}>
                    {row.left.lower === row.left.upper ? count(row.left.upper) : `${count(row.left.lower)} to ${count(row.left.upper)}`}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </div>
      <ul class="legend">
        <li>
          <Key state="open" /> matches
        </li>
        <li>
          <Key state="out" /> excluded
        </li>
        <li>
          <Key state="left" /> left
        </li>
      </ul>
    </figure>
  );
}

function Key({ state }: { state: Part["state"] }) {
  return (
    <svg class="key picture-key" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <Squares x={1} y={1} list={[{ state, letter: "" }]} />
    </svg>
  );
}
