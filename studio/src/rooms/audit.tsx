// Audit: files of anybody are attacked as their readers could.
import { useState } from "preact/hooks";
import { useJob } from "../core/jobs";
import { usePolicy } from "../core/policy";
import { chosen, ofKind, useStudio } from "../core/studio";
import type { Audit, FilesAudit, WorstGroup } from "../core/types";
import { AuditView, FilesAuditView } from "../ui/audit";
import { Drop, OrderedFiles, Select } from "../ui/files";
import { Command, Empty, Outcome, Section } from "../ui/parts";
import { Explain } from "./audit/explain";

const isAudit = (args: string[]) => args[0] === "audit" && !args.includes("--explain");

export function AuditRoom() {
  const studio = useStudio();
  const { policy } = chosen(studio.route);
  const files = studio.route.choices.getAll("file");
  const told = ["quasi", "sensitive", "identifier", "drop"].flatMap((role) => {
    const names = studio.route.choices.getAll(role);
    return names.length > 0 && !policy ? ["--" + role, names.join(",")] : [];
  });
  const prior = studio.route.choices.getAll("prior").flatMap((name) => ["--prior", name]);
  const args = files.length > 0 ? ["audit", ...(policy ? ["--policy", policy] : told), ...files, ...prior] : null;
  const control = useJob<Audit | FilesAudit>(isAudit, args);
  const editor = usePolicy();
  const [request, setRequest] = useState(0);
  const canExplain = editor.policy?.guarantee.model === "bcf" && files.length > 0;

  function explain(group: WorstGroup) {
    const quasi = editor.policy?.columns.filter((c) => c.role === "quasi").map((c) => c.name) ?? [];
    studio.choose({ born: String(group.born), person: quasi.map((name) => group.cell?.[name] ?? "*") });
    setRequest((n) => n + 1);
    setTimeout(() => document.querySelector("[data-part=explain]")?.scrollIntoView({ block: "start" }), 50);
  }

  // Names with commas cannot be told to the command line; all others can.
  function tellRoles(roles: Record<string, string>) {
    const of = (role: string) => Object.keys(roles).filter((name) => roles[name] === role && !name.includes(","));
    studio.choose({ quasi: of("quasi"), sensitive: of("sensitive"), identifier: of("identifier"), drop: of("drop") });
  }

  return (
    <>
      <Section title="Published files" name="files">
        <Drop
          many
          words="Drop releases here, made by any tool, or choose files"
          onFiles={(names) => studio.choose({ file: [...files, ...names.filter((name) => !files.includes(name))] })}
        />
        <div class="choices">
          <OrderedFiles label="Releases, the oldest first" value={files} onChange={(names) => studio.choose({ file: names })} />
          <Select
            label="Policy"
            none="none: the files are all that is known"
            hint="A policy says what the columns are and what was promised."
            value={policy}
            options={ofKind(studio.folder, "policy").map((f) => ({ value: f.name, text: f.name }))}
            onChange={(value) => studio.choose({ policy: value })}
          />
          {editor.policy?.guarantee.model === "xy" && (
            <OrderedFiles
              label="Earlier releases that readers have"
              value={studio.route.choices.getAll("prior")}
              onChange={(names) => studio.choose({ prior: names })}
            />
          )}
        </div>
        {!args && <Empty>An audit says in one sentence who is exposed by what is published, and by which attack. It needs nothing but the files.</Empty>}
        {args && (
          <>
            <p class="buttons">
              <button type="button" class="main" disabled={control.busy} onClick={() => void control.run(args)}>
                Audit
              </button>
            </p>
            {!control.value && <Command args={args} />}
          </>
        )}
      </Section>
      {(control.value || control.busy || control.problem || control.cancelled) && (
        <Section title="What readers can find" name="found">
          <Outcome control={control} word="Attacking" wanted={args}>
            {(audit) =>
              "model" in audit ? <AuditView audit={audit} onExplain={canExplain ? explain : undefined} /> : <FilesAuditView audit={audit} onRoles={tellRoles} />
            }
          </Outcome>
        </Section>
      )}
      {canExplain && <Explain policyName={editor.name!} policy={editor.policy!} files={files} request={request} />}
    </>
  );
}
