// Publish: look at the next release, then make it.
import { useEffect } from "preact/hooks";
import { Share } from "../charts/bars";
import { fileAddress } from "../core/api";
import { useJob, useResult } from "../core/jobs";
import { freeName, inFolder } from "../core/names";
import { roomAddress } from "../core/route";
import { chosen, ofKind, useStudio } from "../core/studio";
import type { History, Published } from "../core/types";
import { count, percent, some } from "../core/words";
import { AuditView } from "../ui/audit";
import { OrderedFiles, Select, useTables } from "../ui/files";
import { Command, Empty, Field, Grid, Note, Outcome, Section, Warnings } from "../ui/parts";
import { useSecret } from "../ui/passphrase";

export function PublishRoom() {
  const studio = useStudio();
  const { table, policy, vault } = chosen(studio.route);
  const vaults = ofKind(studio.folder, "vault").map((f) => f.name);
  const begun = vault !== null && vaults.includes(vault);
  const name = vault ?? freeName("vault", studio.folder.files);
  const history = useResult<History>(begun ? ["history", "--vault", vault] : null, studio.revision);
  const secret = useSecret(!begun ? "new" : history.value?.unprotected ? "open" : "sealed");
  const next = (history.value?.releases.length ?? 0) + 1;
  const out = studio.route.choices.get("out") ?? freeName(`R${next}.csv`, studio.folder.files);
  const model = useResult<{ guarantee: { model?: string } }>(policy ? ["policy", "show", policy] : null, studio.revision).value?.guarantee.model;
  const holders = (history.value?.model ?? model) === "m-invariance" || (history.value?.model ?? model) === "j-similarity";

  const prior = studio.route.choices.getAll("prior").flatMap((file) => ["--prior", file]);

  const can = table !== null && (begun || policy !== null);
  const where = begun ? ["--vault", name] : ["--policy", policy ?? ""];
  const previewArgs = can ? ["publish", "--dry-run", ...where, ...(begun ? secret.option : []), table, ...prior] : null;
  const publishArgs = can
    ? [
        "publish",
        "--vault",
        name,
        ...(begun ? [] : ["--policy", policy ?? ""]),
        ...secret.option,
        table,
        "--out",
        out,
        ...prior,
        ...(holders ? ["--holder-copy", out.replace(/(\.csv)?$/, ".private.csv")] : []),
      ]
    : null;
  const preview = useJob<Published>((a) => a[0] === "publish" && a.includes("--dry-run"), previewArgs);
  const publish = useJob<Published>((a) => a[0] === "publish" && !a.includes("--dry-run"), null);

  async function run() {
    if (!publishArgs) return;
    const made = await publish.run(publishArgs, secret.take());
    if (made) studio.choose({ vault: name, out: null });
  }
  // Also of a command that was found again after a reload.
  useEffect(() => {
    if (publish.value) void studio.changed();
  }, [publish.value]);

  return (
    <>
      <Section title="What, and where to" name="publish-form">
        <div class="choices">
          <Select label="Table" none="none" value={table} options={useTables()} onChange={(value) => studio.choose({ table: value })} />
          <Select
            label="Vault"
            none="a new one"
            hint="The private memory of a series: it makes the next release safe beside this one."
            value={begun ? vault : null}
            options={vaults.map((v) => ({ value: v, text: v }))}
            onChange={(value) => studio.choose({ vault: value, out: null })}
          />
          {!begun && (
            <Field label="Name of the new vault">
              {(id) => <input id={id} type="text" value={name} onChange={(event) => studio.choose({ vault: event.currentTarget.value.trim() || null })} />}
            </Field>
          )}
          {!begun && (
            <Select
              label="Policy"
              none="none"
              value={policy}
              options={ofKind(studio.folder, "policy").map((f) => ({ value: f.name, text: f.name }))}
              onChange={(value) => studio.choose({ policy: value })}
            />
          )}
          <Field label="File of the release">
            {(id) => <input id={id} type="text" value={out} onChange={(event) => studio.choose({ out: event.currentTarget.value.trim() || null })} />}
          </Field>
          {(history.value?.model ?? model) === "xy" && (
            <OrderedFiles
              label="Earlier releases that readers have"
              value={studio.route.choices.getAll("prior")}
              onChange={(names) => studio.choose({ prior: names })}
            />
          )}
        </div>
        {begun && history.value && (
          <p class="quiet">
            {vault} has {some(history.value.releases.length, "release")} of model {history.value.model}; the policy is that of the series.
          </p>
        )}
        {!can && (
          <Empty>
            Choose a table, and a policy or the vault of a series that has begun. A preview makes and attacks the whole release and
            writes nothing.
          </Empty>
        )}
        {can && secret.field}
      </Section>
      {previewArgs && (
        <Section title="Preview" name="preview">
          <p class="buttons">
            <button
              type="button"
              class="main"
              disabled={preview.busy || (begun && !secret.ready)}
              onClick={() => void preview.run(previewArgs, begun ? secret.take() : undefined)}
            >
              Preview
            </button>
          </p>
          {!preview.value && <Command args={previewArgs} />}
          <Outcome control={preview} word="Making the release in memory" wanted={previewArgs}>
            {(made) => <Previewed made={made} />}
          </Outcome>
        </Section>
      )}
      {publishArgs && (
        <Section title="Publish" name="publish">
          <p>Whole or not at all: the release, a certificate beside it, and the record in the vault. It cannot be taken back.</p>
          <p class="buttons">
            <button type="button" class="main" disabled={publish.busy || !secret.ready || !out} onClick={() => void run()}>
              Publish {out}
            </button>
            {!secret.ready && <span class="quiet">The passphrase is missing above.</span>}
          </p>
          {!publish.value && <Command args={publishArgs} />}
          <Outcome control={publish} word="Publishing">
            {(made) => <Done made={made} />}
          </Outcome>
        </Section>
      )}
    </>
  );
}

function Previewed({ made }: { made: Published }) {
  const columns = made.cost?.columns ?? [];
  return (
    <div data-part="previewed">
      <p>
        Release {made.release}: {some(made.rows_out, "row")}
        {made.suppressed > 0 && `, ${some(made.suppressed, "row")} hidden`}
        {made.newcomers !== undefined && (made.earlier_releases ?? 0) > 0 && `, ${some(made.newcomers, "newcomer")}`}
        {typeof made.cost?.gcp === "number" && made.cost.gcp <= 1 && `; ${percent(made.cost.gcp)} of the detail is lost`}. Nothing was written.
      </p>
      <AuditView audit={made.audit} brief />
      {columns.length > 0 && (
        <Grid
          caption="What each column loses"
          head={[{ text: "column" }, { text: "lost" }, { text: "values", number: true }, { text: "labels", number: true }, { text: "as" }]}
          rows={columns.map((c) => [c.column, <Share share={c.ncp} />, count(c.values), count(c.labels), labelsText(c.texts)])}
        />
      )}
      <Warnings words={made.warnings} />
    </div>
  );
}

function labelsText(texts: string[] | undefined): string {
  const list = texts ?? [];
  return list.slice(0, 4).join(", ") + (list.length > 4 ? ", …" : "");
}

function Done({ made }: { made: Published }) {
  const studio = useStudio();
  const certificate = made.certificate ? inFolder(made.certificate, studio.folder.directory) : null;
  return (
    <div data-part="published">
      <Note tone="good">
        Release {made.release} is published: {some(made.rows_out, "row")}.
      </Note>
      <dl class="paths">
        <div>
          <dt>Release</dt>
          <dd>{made.file}</dd>
        </div>
        {made.certificate && (
          <div>
            <dt>Certificate</dt>
            <dd>{certificate ? <a href={fileAddress(certificate)} target="_blank" rel="noreferrer">{made.certificate}</a> : made.certificate}</dd>
          </div>
        )}
      </dl>
      <AuditView audit={made.audit} brief />
      <Warnings words={made.warnings} />
      <p>
        <a href={roomAddress("series", studio.route.choices)}>Look at the series, and verify the certificate</a>
      </p>
    </div>
  );
}
