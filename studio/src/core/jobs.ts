// Commands that run: started by a click or by a room itself, followed, found again after a reload.
import { useEffect, useRef, useState } from "preact/hooks";
import { cancelJob, listJobs, Lost, onConnection, readJob, Refused, startJob } from "./api";
import { argumentsOf } from "./command";
import type { Job, Problem } from "./types";

const lostProblem: Problem = {
  code: "studio",
  message: "the program ended, or was ended, while this command ran",
  file: null,
  line: null,
  column: null,
  remedy: "A command that is ended publishes nothing or all of it. Start the studio again and look at the series.",
};

function killedProblem(exit: number | null): Problem {
  const by = exit !== null && exit > 128 ? ` (signal ${exit - 128})` : "";
  return {
    ...lostProblem,
    message: `the command was ended from outside before it was done${by}`,
    remedy: "Nothing was published, or all was: the series says which. Run it again.",
  };
}

export function problemFrom(error: unknown): Problem {
  if (error instanceof Refused) return error.problem;
  if (error instanceof Lost) return lostProblem;
  return { ...lostProblem, message: String(error), remedy: null };
}

/** What a job that is no longer running came to. */
export function outcomeOf(job: Job): { value: unknown; problem: Problem | null } {
  if (job.state === "cancelled") return { value: null, problem: null };
  const output = job.output as { error?: Problem } | null | undefined;
  if (output && typeof output === "object") {
    return output.error ? { value: null, problem: output.error } : { value: output, problem: null };
  }
  if (typeof output === "string" && output) {
    return { value: null, problem: { ...lostProblem, message: output, remedy: null } };
  }
  if (job.output_left_out) {
    const remedy = "Run the command in a terminal, with --format json for a program.";
    return { value: null, problem: { ...lostProblem, message: "what the command printed is too long for the page", remedy } };
  }
  return { value: null, problem: killedProblem(job.exit) };
}

const jobListeners = new Set<() => void>();

/** Tells when this page has started a command, or one of it has ended. */
export function onJobs(listener: () => void): () => void {
  jobListeners.add(listener);
  return () => jobListeners.delete(listener);
}

function tellJobs() {
  for (const listener of [...jobListeners]) listener();
}

const pause = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** Follows a job to its end. Short waits: the program has few ears. */
export async function follow(id: Job["id"], tell: (job: Job) => void, wanted: () => boolean): Promise<Job | null> {
  for (let wait = 1; wanted(); wait = 3) {
    const job = await readJob(id, wait);
    if (!wanted()) return null;
    if (job.state !== "running") {
      tellJobs();
      return job;
    }
    tell(job);
    await pause(120);
  }
  return null;
}

// Two at once, as many as the program runs; the others wait here and not in its queue.
let running = 0;
const waiting: (() => void)[] = [];
async function turn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= 2) await new Promise<void>((go) => waiting.push(go));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

export interface Result<T> {
  value: T | null;
  problem: Problem | null;
  busy: boolean;
}

const kept = new Map<string, Promise<{ value: unknown; problem: Problem | null }>>();

function remember(key: string, work: () => Promise<{ value: unknown; problem: Problem | null }>) {
  const known = kept.get(key);
  if (known) return known;
  const made = work();
  kept.set(key, made);
  if (kept.size > 60) kept.delete(kept.keys().next().value!);
  made.catch(() => kept.delete(key));
  return made;
}

/** Runs a command once and gives what it prints. For small things that change nothing. */
export async function ask(args: string[]): Promise<{ value: unknown; problem: Problem | null }> {
  return turn(async () => {
    const started = await startJob(args);
    const job = await follow(started.id, () => {}, () => true);
    return outcomeOf(job!);
  });
}

/** What a command that changes nothing prints, kept until a file changes (`revision`). */
export function useResult<T>(args: string[] | null, revision: number): Result<T> {
  const key = args ? JSON.stringify([revision, args]) : "";
  const [result, setResult] = useState<Result<T> & { key: string }>({ key: "", value: null, problem: null, busy: false });
  const [again, setAgain] = useState(0);
  useEffect(() => onConnection((now) => now === "here" && setAgain((n) => n + 1)), []);
  useEffect(() => {
    if (!args) return;
    let here = true;
    remember(key, () => ask(args)).then(
      ({ value, problem }) => here && setResult({ key, value: value as T, problem, busy: false }),
      (error) => here && setResult({ key, value: null, problem: problemFrom(error), busy: false }),
    );
    return () => {
      here = false;
    };
  }, [key, again]);
  if (!args) return { value: null, problem: null, busy: false };
  // While something newer is fetched, what was there stays.
  if (result.key !== key) return { value: sameQuestion(result.key, key) ? result.value : null, problem: null, busy: true };
  return result;
}

function sameQuestion(a: string, b: string): boolean {
  return a.slice(a.indexOf(",")) === b.slice(b.indexOf(","));
}

export interface Control<T> extends Result<T> {
  job: Job | null;
  args: string[] | null;
  cancelled: boolean;
  run(args: string[], passphrase?: string): Promise<T | null>;
  cancel(): void;
  forget(): void;
}

/**
 * A command that a person starts. One of this kind that runs already, in this tab before a reload or
 * in another one, is taken up; so is one that is done if it is just what is wanted now.
 */
export function useJob<T>(kind: (args: string[]) => boolean, wanted: string[] | null): Control<T> {
  const [job, setJob] = useState<Job | null>(null);
  const [args, setArgs] = useState<string[] | null>(null);
  const [result, setResult] = useState<Result<T>>({ value: null, problem: null, busy: false });
  const turnOf = useRef(0);

  async function attend(id: Job["id"], mine: number): Promise<T | null> {
    const tell = (now: Job) => turnOf.current === mine && setJob(now);
    try {
      const done = await follow(id, tell, () => turnOf.current === mine);
      if (!done) return null;
      setJob(done);
      const { value, problem } = outcomeOf(done);
      setResult({ value: value as T, problem, busy: false });
      return value as T | null;
    } catch (error) {
      if (turnOf.current === mine) setResult({ value: null, problem: problemFrom(error), busy: false });
      return null;
    }
  }

  useEffect(() => {
    const mine = ++turnOf.current;
    const same = JSON.stringify(wanted);
    listJobs().then(
      (jobs) => {
        if (turnOf.current !== mine) return;
        const mineOnes = jobs.filter((one) => kind(argumentsOf(one.command)));
        const found =
          mineOnes.find((one) => one.state === "running") ??
          mineOnes.find((one) => one.state === "done" && JSON.stringify(argumentsOf(one.command)) === same);
        if (!found) return;
        setJob(found);
        setArgs(argumentsOf(found.command));
        setResult({ value: null, problem: null, busy: true });
        void attend(found.id, mine);
      },
      () => {},
    );
    return () => {
      turnOf.current++;
    };
  }, []);

  async function run(now: string[], passphrase?: string): Promise<T | null> {
    const mine = ++turnOf.current;
    setArgs(now);
    setJob(null);
    setResult({ value: null, problem: null, busy: true });
    try {
      const started = await startJob(now, passphrase);
      if (turnOf.current !== mine) return null;
      setJob({ ...started, state: "running", exit: null, progress: null });
      tellJobs();
      return await attend(started.id, mine);
    } catch (error) {
      if (turnOf.current === mine) setResult({ value: null, problem: problemFrom(error), busy: false });
      return null;
    }
  }

  return {
    ...result,
    job,
    args,
    cancelled: job?.state === "cancelled",
    run,
    cancel: () => {
      if (job && job.state === "running") cancelJob(job.id).catch(() => {});
    },
    forget: () => {
      turnOf.current++;
      setJob(null);
      setArgs(null);
      setResult({ value: null, problem: null, busy: false });
    },
  };
}
