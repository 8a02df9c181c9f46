// Series: what was published so far, whether its certificates hold, and what comes next.
import { useState } from "preact/hooks";
import { ForecastChart, Timeline } from "../charts/timeline";
import { fileAddress } from "../core/api";
import { useJob, useResult } from "../core/jobs";
import { freeName, inFolder } from "../core/names";
import { roomAddress } from "../core/route";
import { chosen, ofKind, useStudio } from "../core/studio";
import type { Forecast, History, Problem, Reported, Verification } from "../core/types";
import { count, percent, some, when } from "../core/words";
import { Select, useTables } from "../ui/files";
import { Command, Empty, Field, Grid, Note, Outcome, ProblemBox, Section, Verdict } from "../ui/parts";
import { useSecret, type Secret } from "../ui/passphrase";

export function SeriesRoom() {
  const studio = useStudio();
  const { vault } = chosen(studio.route);
  const vaults = ofKind(studio.folder, "vault").map((f) => f.name);
  const args = vault ? ["history", "--vault", vault] : null;
  const history = useResult<History>(args, studio.revision);
  const secret = useSecret(history.value?.unprotected === false ? "sealed" : "open");
  return (
    <>
      <Section title="The series" name="series">
        <div class="choices">
          <Select
            label="Vault"
            none="none"
            value={vault}
            options={vaults.map((v) => ({ value: v, text: v }))}
            onChange={(value) => studio.choose({ vault: value })}
          />
        </div>
        {!vault && (
          <Empty>
            A vault remembers what was published, so that the next release is safe beside it.{" "}
            {vaults.length === 0 ? (
              <>
                The first <a href={roomAddress("publish", studio.route.choices)}>Publish</a> makes one.
              </>
            ) : (
              "Choose one of this folder."
            )}
          </Empty>
        )}
        <ProblemBox problem={history.problem} args={args} />
        {history.value && <Releases history={history.value} />}
        {args && <Command args={args} />}
      </Section>
      {history.value && history.value.releases.length > 0 && (
        <>
          <Verify history={history.value} />
          <Forecasts vault={vault!} secret={secret} />
          <Report vault={vault!} secret={secret} />
        </>
      )}
    </>
  );
}

function Releases({ history }: { history: History }) {
  const studio = useStudio();
  const place = (file: string | null) => (file ? inFolder(file, studio.folder.directory) : null);
  return (
    <>
      <p>
        {history.title ?? history.vault}: {some(history.releases.length, "release")} of model {history.model}.
      </p>
      <Timeline history={history} />
      <Grid
        caption="Releases"
        head={[
          { text: "release", number: true },
          { text: "published" },
          { text: "rows", number: true },
          { text: "added", number: true },
          { text: "hidden", number: true },
          { text: "file" },
          { text: "certificate" },
        ]}
        rows={history.releases.map((r, i) => {
          const file = place(r.file);
          const certificate = file ? file + ".certificate.json" : null;
          const there = certificate && studio.folder.files.some((f) => f.name === certificate);
          return [
            String(r.release),
            when(r.published),
            count(r.rows),
            i === 0 ? "" : count(r.rows - history.releases[i - 1]!.rows),
            count(r.suppressed),
            (file ?? r.file ?? "") + (r.present ? "" : " (not there)"),
            there ? (
              <a href={fileAddress(certificate)} target="_blank" rel="noreferrer">
                certificate of release {r.release}
              </a>
            ) : (
              "not in the folder"
            ),
          ];
        })}
      />
    </>
  );
}

function Verify({ history }: { history: History }) {
  const studio = useStudio();
  const last = history.releases[history.releases.length - 1]!;
  const [which, setWhich] = useState(last.release);
  const [key, setKey] = useState("");
  const names = history.releases.map((r) => (r.file ? inFolder(r.file, studio.folder.directory) : null));
  const index = Math.max(0, history.releases.findIndex((r) => r.release === which));
  const needed = history.model === "bcf" ? names.slice(0, index + 1) : [names[index]!];
  const own = names[index];
  const args =
    own && needed.every((n) => n !== null)
      ? ["verify", ...(key.trim() ? ["--key", key.trim()] : []), own + ".certificate.json", ...(needed as string[])]
      : null;
  const control = useJob<Verification>((a) => a[0] === "verify", args);
  const words: Record<string, { tone: "good" | "warning" | "bad"; mark: string; sentence: string }> = {
    holds: { tone: "good", mark: "Holds", sentence: "Everything was computed anew from the files, and the key that was given has signed it." },
    "not refuted": { tone: "warning", mark: "Not refuted", sentence: "Nothing contradicts the certificate; what rests on somebody's word is below." },
    broken: { tone: "bad", mark: "Broken", sentence: "The certificate does not fit these files." },
  };
  return (
    <Section title="Verify a certificate" name="verify">
      <p>
        Anybody who has the releases can do this. With the public key of the holder nothing rests on the certificate's own word: print it
        with the command below, and hand it out by another way than the releases.
      </p>
      <Command args={["key", "show", history.vault]} label="The command that prints the public key" />
      <div class="choices">
        <Select
          label="Release"
          value={String(which)}
          options={history.releases.map((r) => ({ value: String(r.release), text: `release ${r.release}` }))}
          onChange={(value) => setWhich(Number(value))}
        />
        <Field label="Public key, or its file" hint="May be left empty.">
          {(id, hint) => (
            <input id={id} aria-describedby={hint} type="text" autocomplete="off" spellcheck={false} value={key} onInput={(event) => setKey(event.currentTarget.value)} />
          )}
        </Field>
      </div>
      {args ? (
        <>
          <p class="buttons">
            <button type="button" class="main" disabled={control.busy} onClick={() => void control.run(args)}>
              Verify
            </button>
          </p>
          {!control.value && <Command args={args} />}
        </>
      ) : (
        <Note tone="warning">Some releases of this series are not in the folder.</Note>
      )}
      <Outcome control={control} word="Verifying" wanted={args}>
        {(told) => (
          <div data-part="verified">
            <Verdict verdict={words[told.verdict] ?? { tone: "warning", mark: told.verdict, sentence: "" }} />
            {[...told.failures, ...told.rests_on, ...told.notes].map((line, i) => (
              <p key={i}>{line}</p>
            ))}
          </div>
        )}
      </Outcome>
    </Section>
  );
}

function Forecasts({ vault, secret }: { vault: string; secret: Secret }) {
  const studio = useStudio();
  const { table } = chosen(studio.route);
  const [releases, setReleases] = useState("6");
  const [growth, setGrowth] = useState("");
  const args = table
    ? ["explore", "--vault", vault, ...secret.option, table, "--forecast", releases, ...(growth.trim() ? ["--growth", growth.trim()] : [])]
    : null;
  const control = useJob<Forecast>((a) => a[0] === "explore" && a.includes("--forecast"), args);
  return (
    <Section title="What the next releases will cost" name="forecast">
      <p>An estimate: newcomers are drawn from the table's own rows, and nothing is written.</p>
      <div class="choices">
        <Select label="Table, with everybody so far" none="none" value={table} options={useTables()} onChange={(value) => studio.choose({ table: value })} />
        <Field label="Releases to come">
          {(id) => <input id={id} type="number" min="1" max="60" value={releases} onInput={(event) => setReleases(event.currentTarget.value || "1")} />}
        </Field>
        <Field label="Newcomers of each" hint="rows or percent; empty: as the series has grown">
          {(id, hint) => <input id={id} aria-describedby={hint} type="text" value={growth} onInput={(event) => setGrowth(event.currentTarget.value)} />}
        </Field>
      </div>
      {secret.field}
      {args && (
        <>
          <p class="buttons">
            <button type="button" class="main" disabled={control.busy || !secret.ready} onClick={() => void control.run(args, secret.take())}>
              Forecast
            </button>
          </p>
          {!control.value && <Command args={args} />}
        </>
      )}
      <Outcome control={control} word="Drawing newcomers" wanted={args}>
        {(told) => <Forecasted told={told} />}
      </Outcome>
    </Section>
  );
}

function Forecasted({ told }: { told: Forecast }) {
  const longest = told.draws.reduce((best, draw) => (draw.releases.length > best.length ? draw.releases : best), told.draws[0]?.releases ?? []);
  const refused = told.draws.filter((draw) => draw.refused);
  return (
    <div data-part="forecasted">
      <ForecastChart forecast={told} />
      <Grid
        caption="Detail lost, draw by draw"
        head={[{ text: "release", number: true }, { text: "rows", number: true }, ...told.draws.map((_, i) => ({ text: `draw ${i + 1}`, number: true }))]}
        rows={longest.map((r, i) => [String(r.release), count(r.rows), ...told.draws.map((draw) => percent(draw.releases[i]?.loss))])}
      />
      {refused.length > 0 ? (
        <ProblemBox problem={refused[0]!.refused as Problem} />
      ) : (
        <Note tone="good">No release is refused in any of {told.draws.length} draws.</Note>
      )}
      <p class="quiet">{told.rests_on}</p>
    </div>
  );
}

function Report({ vault, secret }: { vault: string; secret: Secret }) {
  const studio = useStudio();
  const { table } = chosen(studio.route);
  const [withTable, setWithTable] = useState(true);
  const out = freeName("report.html", studio.folder.files);
  const args = ["report", "--vault", vault, ...secret.option, ...(withTable && table ? ["--table", table] : []), "--out", out];
  const control = useJob<Reported>((a) => a[0] === "report", null);
  return (
    <Section title="A report" name="report">
      <p>One HTML file of the whole series, for the holder alone, to keep or to print.</p>
      {table && (
        <label class="check">
          <input type="checkbox" checked={withTable} onChange={(event) => setWithTable(event.currentTarget.checked)} />
          Show the columns of {table} before and after
        </label>
      )}
      {secret.field}
      <p class="buttons">
        <button
          type="button"
          class="main"
          disabled={control.busy || !secret.ready}
          onClick={() => void control.run(args, secret.take()).then(() => studio.changed())}
        >
          Make a report
        </button>
      </p>
      {!control.value && <Command args={args} />}
      <Outcome control={control} word="Writing">
        {(made) => (
          <div data-part="reported">
            <p>{made.verdict}</p>
            <p>
              <a href={fileAddress(inFolder(made.file, studio.folder.directory) ?? made.file)} target="_blank" rel="noreferrer">
                Open {made.file}
              </a>
            </p>
          </div>
        )}
      </Outcome>
    </Section>
  );
}
