// What was changed in the policy, and what `check` says of it.
import type { PolicyEditor } from "../core/policy";
import { useCheck } from "../core/policy";
import { some } from "../core/words";
import { Command, Note, ProblemBox, Warnings } from "./parts";

export function PolicyChanges({ editor }: { editor: PolicyEditor }) {
  if (!editor.problem && !editor.undo && !editor.last) return null;
  return (
    <div class="changes">
      <ProblemBox problem={editor.problem} />
      <p class="buttons">
        <button type="button" class="small" disabled={!editor.undo || editor.busy} onClick={() => void editor.undo?.()}>
          Undo
        </button>
        <span role="status">{editor.busy ? "Working …" : (editor.last?.words ?? "")}</span>
      </p>
      {editor.last && <Command args={editor.last.args} label="The command that changed the policy" />}
    </div>
  );
}

export function CheckBox() {
  const check = useCheck();
  if (!check.args) return null;
  return (
    <div class="checked" data-part="check">
      {check.busy && !check.value ? (
        <p role="status">Checking …</p>
      ) : check.problem ? (
        <ProblemBox problem={check.problem} />
      ) : check.value?.ok ? (
        <Note tone="good">Nothing is wrong with the policy and the table.</Note>
      ) : (
        check.value && (
          <>
            <Note tone="bad">{some(check.value.problems.length, "thing is", "things are")} wrong:</Note>
            {check.value.problems.map((problem, i) => (
              <ProblemBox key={i} problem={problem} />
            ))}
          </>
        )
      )}
      {check.value && <Warnings words={check.value.warnings} />}
      <Command args={check.args} label="The command that checks" />
    </div>
  );
}
