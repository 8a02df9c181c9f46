// A series along a line: how many rows each release has, and how many of them are new.
import { useId } from "preact/hooks";
import type { Forecast, History } from "../core/types";
import { count, percent, some, when } from "../core/words";

export function Timeline({ history }: { history: History }) {
  const id = useId();
  const { releases } = history;
  if (releases.length === 0) return null;
  const most = Math.max(...releases.map((r) => r.rows), 1);
  const step = Math.max(64, Math.min(150, 600 / releases.length));
  const width = Math.max(640, releases.length * step + 40);
  return (
    <figure>
      <figcaption id={id}>Rows of each release; the stronger part was added.</figcaption>
      <div class="wide" tabIndex={0} role="group" aria-labelledby={id}>
        <svg class="chart timeline" viewBox={`0 0 ${width} 200`} width={width} aria-hidden="true" focusable="false">
          <line class="axis" x1="10" x2={width - 10} y1="140" y2="140" />
          {releases.map((release, i) => {
            const x = 20 + step * (i + 0.5);
            const height = (release.rows / most) * 100;
            const before = i === 0 ? 0 : releases[i - 1]!.rows;
            const added = Math.max(0, ((release.rows - before) / most) * 100);
            return (
              <g key={release.release}>
                <rect class="column" x={x - 16} y={140 - height} width="32" height={height} />
                {i > 0 && <rect class="added" x={x - 16} y={140 - height} width="32" height={added} />}
                <text class="value" x={x} y={132 - height}>
                  {count(release.rows)}
                </text>
                <circle class="line0" cx={x} cy="140" r="5" />
                <text class="value" x={x} y="162">
                  Release {release.release}
                </text>
                <text class="word" x={x} y="180">
                  {when(release.published).split(",")[0]}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </figure>
  );
}

/** Loss of releases to come; a line for each draw of newcomers. */
export function ForecastChart({ forecast }: { forecast: Forecast }) {
  const id = useId();
  const all = forecast.draws.flatMap((draw) => draw.releases);
  const numbers = [...new Set(all.map((r) => r.release))].sort((a, b) => a - b);
  if (numbers.length === 0) return null;
  const [left, right, top, bottom] = [56, 616, 16, 200];
  const x = (n: number) => (numbers.length === 1 ? (left + right) / 2 : left + 20 + (numbers.indexOf(n) / (numbers.length - 1)) * (right - left - 40));
  const y = (loss: number) => bottom - loss * (bottom - top);
  return (
    <figure>
      <figcaption id={id}>
        Detail that the next releases lose, with {some(forecast.newcomers, "newcomer")} each. An estimate.
      </figcaption>
      <div class="wide" tabIndex={0} role="group" aria-labelledby={id}>
      <svg class="chart" viewBox="0 0 640 250" role="img" aria-labelledby={id}>
        {[0, 0.25, 0.5, 0.75, 1].map((t) => (
          <g key={t}>
            <line class="rule" x1={left} x2={right} y1={y(t)} y2={y(t)} />
            <text class="tick" x={left - 8} y={y(t) + 4}>
              {percent(t)}
            </text>
          </g>
        ))}
        {numbers.map((n) => (
          <text key={n} class="word" x={x(n)} y={bottom + 20}>
            {n}
          </text>
        ))}
        <text class="word" x={(left + right) / 2} y={bottom + 40}>
          release
        </text>
        {forecast.draws.map((draw, i) => (
          <g key={i}>
            <polyline
              class={`line${i % 4}`}
              points={draw.releases
                .filter((r) => r.loss !== null)
                .map((r) => `${x(r.release).toFixed(1)},${y(r.loss!).toFixed(1)}`)
                .join(" ")}
            />
            {draw.releases.map((r) => r.loss !== null && <circle key={r.release} class={`line${i % 4}`} cx={x(r.release)} cy={y(r.loss!)} r="4" />)}
          </g>
        ))}
      </svg>
      </div>
    </figure>
  );
}
