// The passphrase of a vault: typed, handed over once, and forgotten.
import { useId, useState } from "preact/hooks";

export interface Secret {
  /** Whether the command may be started. */
  ready: boolean;
  /** `--no-passphrase`, or nothing. */
  option: string[];
  /** Hands the passphrase over and clears the fields. */
  take(): string | undefined;
  field: preact.JSX.Element;
}

/** `vault`: not there yet, sealed, or without a passphrase. */
export function useSecret(vault: "new" | "sealed" | "open"): Secret {
  const [first, setFirst] = useState("");
  const [second, setSecond] = useState("");
  const [none, setNone] = useState(false);
  const id = useId();
  const open = vault === "open" || (vault === "new" && none);
  const differ = vault === "new" && second !== "" && first !== second;
  const ready = open || (first !== "" && (vault === "sealed" || first === second));
  const take = () => {
    const secret = open ? undefined : first;
    setFirst("");
    setSecond("");
    return secret;
  };
  const entry = (key: string, label: string, value: string, set: (text: string) => void) => (
    <div class="field">
      <label for={id + key}>{label}</label>
      <input
        id={id + key}
        type="password"
        autocomplete={vault === "new" ? "new-password" : "off"}
        spellcheck={false}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
        aria-describedby={differ ? id + "differ" : undefined}
      />
    </div>
  );
  const field =
    vault === "open" ? (
      <p class="hint">This vault has no passphrase: whoever can read its directory can read what it holds.</p>
    ) : (
      <fieldset class="secret">
        <legend>Passphrase of the vault</legend>
        {!open && entry("a", vault === "new" ? "Passphrase, at least four words that nobody expects" : "Passphrase", first, setFirst)}
        {!open && vault === "new" && entry("b", "The same again", second, setSecond)}
        {differ && (
          <p class="note bad" id={id + "differ"}>
            The two differ.
          </p>
        )}
        {vault === "new" && (
          <label class="check">
            <input
              type="checkbox"
              checked={none}
              onChange={(event) => {
                setNone(event.currentTarget.checked);
                setFirst("");
                setSecond("");
              }}
            />
            No passphrase: for tests, or where the disk is encrypted
          </label>
        )}
      </fieldset>
    );
  return { ready, option: open ? ["--no-passphrase"] : [], take, field };
}
