// Small bars: how a column is distributed, how much of something there is.
import type { Distribution } from "../core/types";
import { count, percent } from "../core/words";

/** A column at a glance. The numbers stand in a list that can be opened. */
export function Spark({ distribution, rows, name }: { distribution: Distribution | null; rows: number; name: string }) {
  if (!distribution || distribution.bins.length === 0) return <p class="spark quiet">Every value is rare.</p>;
  const { bins, others } = distribution;
  const shown = others && others.rows > 0 ? [...bins, { label: `${count(others.values)} others`, rows: others.rows }] : bins;
  const most = Math.max(...shown.map((bin) => bin.rows), 1);
  const width = 160 / Math.max(shown.length, 4);
  return (
    <details class="spark">
      <summary aria-label={`How ${name} is distributed`}>
        <svg viewBox="0 0 160 36" aria-hidden="true" focusable="false">
          {shown.map((bin, i) => {
            const height = Math.max(1, (bin.rows / most) * 34);
            const last = others && others.rows > 0 && i === shown.length - 1;
            return (
              <rect
                key={i}
                class={last ? "others" : "column"}
                x={i * width + 0.5}
                y={35 - height}
                width={Math.max(0.5, width - 1)}
                height={height}
              />
            );
          })}
          <line class="axis" x1="0" x2="160" y1="35.5" y2="35.5" />
        </svg>
      </summary>
      <ul>
        {shown.map((bin, i) => (
          <li key={i}>
            <span>{bin.label}</span> <span class="number">{percent(bin.rows / rows)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A share as a bar, for tables; the number stands beside it. */
export function Share({ share }: { share: number }) {
  return (
    <span class="share">
      <span class="number">{percent(share)}</span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="back" width="100" height="10" />
        <rect class="column" width={Math.min(100, share * 100)} height="10" />
      </svg>
    </span>
  );
}
