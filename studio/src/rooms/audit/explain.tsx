// One person, step by step: what readers of all releases can exclude, and what is left.
import { useEffect, useId, useState } from "preact/hooks";
import { Picture } from "../../charts/picture";
import { csvRecord } from "../../core/command";
import { pictureSteps } from "../../core/explain";
import { useJob } from "../../core/jobs";
import { useStudio } from "../../core/studio";
import type { Explanation, Policy } from "../../core/types";
import { some } from "../../core/words";
import { Select } from "../../ui/files";
import { Command, Empty, Field, Grid, Note, Outcome, Section } from "../../ui/parts";

/** `request` counts up when a group of the audit asks to be shown. */
export function Explain(props: { policyName: string; policy: Policy; files: string[]; request: number }) {
  const studio = useStudio();
  const quasi = props.policy.columns.filter((column) => column.role === "quasi").map((column) => column.name);
  const { choices } = studio.route;
  const born = choices.get("born") ?? "1";
  const person = choices.getAll("person");
  const fields = quasi.map((_, i) => person[i] || "*");
  const args = ["audit", "--policy", props.policyName, "--explain", csvRecord([born, ...fields]), ...props.files];
  const control = useJob<Explanation>((a) => a[0] === "audit" && a.includes("--explain"), args);
  useEffect(() => {
    if (props.request > 0) void control.run(args);
  }, [props.request]);
  return (
    <Section title="One person, as a picture" name="explain">
      <p>
        Whoever knows a person knows some of these values, and since when the person is there. A label of the taxonomy or * stands for
        what is not known.
      </p>
      <form
        class="choices"
        onSubmit={(event) => {
          event.preventDefault();
          void control.run(args);
        }}
      >
        <Select
          label="First appears in"
          value={born}
          options={props.files.map((file, i) => ({ value: String(i + 1), text: `release ${i + 1}: ${file}` }))}
          onChange={(value) => studio.choose({ born: value })}
        />
        {quasi.map((name, i) => (
          <Field key={name} label={name}>
            {(id) => (
              <input
                id={id}
                type="text"
                autocomplete="off"
                value={fields[i]}
                onChange={(event) => {
                  const now = [...fields];
                  now[i] = event.currentTarget.value.trim() || "*";
                  studio.choose({ person: now });
                }}
              />
            )}
          </Field>
        ))}
        <p class="buttons">
          <button type="submit" class="main" disabled={control.busy || props.files.length === 0}>
            Explain this person
          </button>
        </p>
      </form>
      {!control.value && <Command args={args} />}
      <Outcome control={control} word="Asking the releases" wanted={args}>
        {(explanation) => <Explained explanation={explanation} key={JSON.stringify(explanation.person) + explanation.born} />}
      </Outcome>
    </Section>
  );
}

function Explained({ explanation }: { explanation: Explanation }) {
  const [which, setWhich] = useState(0);
  const target = explanation.targets[which];
  const [at, setAt] = useState<number | null>(null);
  const heading = useId();
  if (!explanation.possible || !target) {
    return <Empty>Nobody like this can be in these releases: no row matches, or the releases contradict it.</Empty>;
  }
  const steps = pictureSteps(target, typeof explanation.k === "number" ? explanation.k : null);
  const index = at ?? steps.length - 1;
  const step = steps[index]!;
  const known = Object.entries(explanation.person).map(([key, value]) => `${key} = ${value}`);
  return (
    <div data-part="picture" aria-labelledby={heading} role="group">
      <h3 id={heading}>
        Somebody who first appears in release {explanation.born}: {explanation.broken ? "the promise is broken" : "the promise is kept"}
      </h3>
      <p class="quiet">{known.join(", ")}</p>
      {explanation.targets.length > 1 && (
        <Select
          label="Several groups can be this person's"
          value={String(which)}
          options={explanation.targets.map((one, i) => ({ value: String(i), text: `${i + 1}: ${one.cells.map((c) => some(c.size, "row")).join(", ")}` }))}
          onChange={(value) => {
            setWhich(Number(value ?? 0));
            setAt(null);
          }}
        />
      )}
      <ol class="steps">
        {steps.map((one, i) => (
          <li key={i}>
            <button type="button" class="small" aria-pressed={i === index} onClick={() => setAt(i)}>
              {i + 1}. {one.title}
            </button>
          </li>
        ))}
      </ol>
      <p class="buttons">
        <button type="button" class="small" disabled={index === 0} onClick={() => setAt(index - 1)}>
          Back
        </button>
        <button type="button" class="small" disabled={index === steps.length - 1} onClick={() => setAt(index + 1)}>
          Next
        </button>
      </p>
      <p class="sentence" role="status">
        {step.words}
      </p>
      <Picture step={step} releases={explanation.releases} kept={!explanation.broken} />
      <details>
        <summary>The same in numbers</summary>
        <Grid
          caption="Rows by value"
          hideCaption
          head={[
            { text: "value" },
            ...target.cells.map((cell) => ({ text: `release ${cell.release}`, number: true })),
            { text: "excluded by" },
            { text: "left", number: true },
          ]}
          rows={target.values.map((value) => [
            value.value,
            ...value.sizes.map(String),
            value.arguments.map((a) => `${a.attack}: release ${a.against} excludes ${a.excluded} of release ${a.release}`).join("; "),
            value.left.lower === value.left.upper ? String(value.left.upper) : `${value.left.lower} to ${value.left.upper}`,
          ])}
        />
      </details>
      {explanation.more_targets > 0 && <Note>{some(explanation.more_targets, "further group is", "further groups are")} not shown.</Note>}
    </div>
  );
}
