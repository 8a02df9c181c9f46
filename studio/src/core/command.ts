// Commands as people type them: quoted for a shell, and read back from one.

const plain = /^[A-Za-z0-9_.,:=@%+\/-]+$/;

export function shellQuote(word: string): string {
  return plain.test(word) ? word : "'" + word.replace(/'/g, `'\\''`) + "'";
}

export function commandText(args: string[]): string {
  return ["reissue", ...args].map(shellQuote).join(" ");
}

/** The words of a command that a shell would see. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let open = false;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quote === "'") {
      if (c === "'") quote = "";
      else word += c;
    } else if (quote === '"') {
      if (c === '"') quote = "";
      else if (c === "\\" && i + 1 < text.length) word += text[++i];
      else word += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      open = true;
    } else if (c === "\\" && i + 1 < text.length) {
      word += text[++i];
      open = true;
    } else if (/\s/.test(c)) {
      if (open || word) words.push(word);
      word = "";
      open = false;
    } else {
      word += c;
    }
  }
  if (open || word) words.push(word);
  return words;
}

/** The arguments of a job, without the program's name. */
export function argumentsOf(command: string | string[]): string[] {
  const words = typeof command === "string" ? shellWords(command) : command;
  const rest = /(^|\/)reissue$/.test(words[0] ?? "") ? words.slice(1) : words;
  const format = rest.indexOf("--format");
  return format < 0 ? rest : [...rest.slice(0, format), ...rest.slice(format + 2)];
}

/** A record of a CSV file with commas, as `--explain` takes a person. */
export function csvRecord(fields: string[]): string {
  return fields.map((f) => (/[",\r\n]|^\s|\s$/.test(f) ? '"' + f.replace(/"/g, '""') + '"' : f)).join(",");
}

/** A key of a policy: bare where TOML allows it, else in quotes. */
export function policyKey(...parts: string[]): string {
  return parts
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : '"' + part.replace(/[\\"]/g, "\\$&") + '"'))
    .join(".");
}
