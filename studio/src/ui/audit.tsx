// What an audit found: the verdict, the promises, who is exposed, the worst groups.
import { readAudit } from "../core/audit";
import type { Audit, FilesAudit, WorstGroup } from "../core/types";
import { assumptionWords, auditVerdict, certainWords, count, filesVerdict, measure, percent, promiseWords, some } from "../core/words";
import { Grid, Note, Verdict } from "./parts";

export function AuditView(props: { audit: unknown; onExplain?: (group: WorstGroup) => void; brief?: boolean }) {
  const audit = readAudit(props.audit);
  return (
    <div data-part="audit-result">
      <Verdict verdict={auditVerdict(audit)} />
      {audit.promises.length > 0 && (
        <Grid
          caption="What was promised"
          head={[{ text: "promise" }, { text: "means" }, { text: "asked", number: true }, { text: "measured", number: true }, { text: "kept" }]}
          rows={audit.promises.map((p) => [
            p.promise,
            promiseWords(p.promise),
            measure(p.asked),
            measure(p.measured),
            p.kept === undefined ? "" : p.kept ? <span class="good">yes</span> : <span class="bad">no</span>,
          ])}
        />
      )}
      {!props.brief && <Exposures audit={audit} />}
      {!props.brief && <Worst groups={audit.exposed?.worst ?? []} onExplain={props.onExplain} />}
    </div>
  );
}

function Exposures({ audit }: { audit: Audit }) {
  const pairs = audit.pairs ?? [];
  const counts = Object.entries(audit.exposed ?? {}).filter(([key, value]) => key !== "worst" && typeof value === "number") as [string, number][];
  return (
    <>
      {counts.length === 1 && counts[0]![1] > 0 && <p>{some(counts[0]![1], "person is", "people are")} exposed against the promise.</p>}
      {counts.length > 1 && (
        <Grid
          caption="Who is exposed against the promise"
          head={[{ text: "how" }, { text: "people", number: true }]}
          rows={counts.map(([key, n]) => [key === "persons" ? "in all" : key, count(n)])}
        />
      )}
      {pairs.length > 0 && (
        <>
          <Grid
            caption="Rows that are left, for each two releases"
            head={[
              { text: "releases" },
              { text: "F", number: true },
              { text: "C", number: true },
              { text: "B", number: true },
              { text: "exposed", number: true },
            ]}
            rows={pairs.map((pair) => [
              `${pair.earlier} and ${pair.later}`,
              measure(pair.F.anonymity),
              measure(pair.C.anonymity),
              measure(pair.B.anonymity),
              count(pair.F.exposed + pair.C.exposed + pair.B.exposed),
            ])}
          />
          <p class="quiet">
            F: rows of the earlier release, for somebody who is in both. C: rows of the later one, for the same. B: rows of the later one,
            for somebody who was added.
          </p>
        </>
      )}
    </>
  );
}

function Worst(props: { groups: (WorstGroup | string)[]; onExplain?: (group: WorstGroup) => void }) {
  if (props.groups.length === 0) return null;
  return (
    <>
      <h3>The worst groups</h3>
      <ul class="worst">
        {props.groups.map((group, i) => {
          const words = typeof group === "string" ? group : (group.words ?? describeGroup(group));
          const explain = typeof group !== "string" && group.cell && group.born !== undefined && props.onExplain;
          return (
            <li key={i}>
              {words}{" "}
              {explain && (
                <button type="button" class="small" onClick={() => explain(group as WorstGroup)} aria-label={`Show as a picture: group ${i + 1}`}>
                  Show as a picture
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function describeGroup(group: WorstGroup): string {
  const cell = Object.entries(group.cell ?? {}).map(([key, value]) => `${key} = ${value}`);
  const size = group.size === undefined ? "" : `${some(group.size, "row")}: `;
  return size + cell.join(", ");
}

const auditRoles = ["quasi", "sensitive", "identifier", "drop"];

export function FilesAuditView({ audit, onRoles }: { audit: FilesAudit; onRoles?: (roles: Record<string, string>) => void }) {
  const roles = Object.fromEntries(audit.columns.map((c) => [c.column, c.role]));
  return (
    <div data-part="audit-result">
      <Verdict verdict={filesVerdict(audit)} />
      <Grid
        caption="Each file alone"
        head={[
          { text: "file" },
          { text: "rows", number: true },
          { text: "smallest group", number: true },
          { text: "singled out", number: true },
          { text: "value certain", number: true },
          { text: "highest risk", number: true },
        ]}
        rows={audit.files.map((f) => [
          f.file,
          count(f.rows),
          measure(f.k),
          rangeText(f.singled_out),
          rangeText(f.value_certain),
          percent(f.risk?.prosecutor?.upper),
        ])}
      />
      {audit.assumptions.map((one, i) => (
        <div key={i}>
          <h3>{assumptionWords[one.assumption] ?? one.assumption}</h3>
          {one.verdict === "played" ? (
            <ul>
              {one.exposed.map((e) => (
                <li key={e.file}>
                  {e.file}: {certainWords(e)}.
                </li>
              ))}
            </ul>
          ) : (
            <Note>{one.why ?? "This cannot be."}</Note>
          )}
          <Worst groups={one.worst} />
        </div>
      ))}
      <Worst groups={audit.worst} />
      <details>
        <summary>What the columns were taken for, to correct</summary>
        <Grid
          caption="Columns"
          hideCaption
          head={[{ text: "column" }, { text: "role" }, { text: "why" }, { text: "labels", number: true }]}
          rows={audit.columns.map((c) => [
            c.column,
            onRoles ? (
              <select
                aria-label={`Role of ${c.column}`}
                value={c.role}
                onChange={(event) => onRoles({ ...roles, [c.column]: event.currentTarget.value })}
              >
                {[...new Set([c.role, ...auditRoles])].map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </select>
            ) : (
              c.role
            ),
            (c.guessed ? "guessed: " : "") + c.reason,
            count(c.labels),
          ])}
        />
      </details>
    </div>
  );
}

function rangeText(range: { lower: number; upper: number }): string {
  return range.lower === range.upper ? count(range.lower) : `${count(range.lower)} to ${count(range.upper)}`;
}
