// Requests to the program that serves this page, and what became of it if it does not answer.
import type { Folder, Job, Problem } from "./types";

/** The program said no, in its own words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

/** Nobody answered. */
export class Lost extends Error {}

export type Connection = "here" | "lost" | "stranger";

let connection: Connection = "here";
const listeners = new Set<(now: Connection) => void>();

export function onConnection(listener: (now: Connection) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function connectionIs(now: Connection) {
  if (now === connection) return;
  connection = now;
  for (const listener of [...listeners]) listener(now);
}

function plainProblem(message: string, remedy: string | null): Problem {
  return { code: "studio", message, file: null, line: null, column: null, remedy };
}

function problemOf(status: number, body: unknown): Problem {
  const error = (body as { error?: Partial<Problem> } | null)?.error;
  if (error && typeof error.message === "string") {
    const blank: Problem = plainProblem(error.message, null);
    return { ...blank, ...error, message: error.message };
  }
  switch (status) {
    case 404:
      return plainProblem("the program knows no such thing any more", "Load the page again.");
    case 409:
      return plainProblem("a file with this name is there already", "Choose another name, or replace it.");
    case 413:
      return plainProblem("the file is larger than the studio takes", "Start it with a larger --max-upload, or copy the file into the folder.");
    case 429:
    case 503:
      return plainProblem("too many commands are waiting", "Wait until one is done, or cancel one.");
    default:
      return plainProblem(`the program answered with status ${status}`, null);
  }
}

async function request(method: string, path: string, body?: BodyInit, type?: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      body,
      headers: type ? { "Content-Type": type } : undefined,
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    connectionIs("lost");
    throw new Lost("the program does not answer");
  }
  if (answer.status === 403) {
    connectionIs("stranger");
    throw new Lost("the program does not know this page");
  }
  connectionIs("here");
  if (answer.ok) return answer;
  let told: unknown = null;
  try {
    told = await answer.json();
  } catch {
    // An answer without words: the status has to do.
  }
  throw new Refused(answer.status, problemOf(answer.status, told));
}

async function json<T>(method: string, path: string, body?: BodyInit, type?: string): Promise<T> {
  const answer = await request(method, path, body, type);
  try {
    return (await answer.json()) as T;
  } catch {
    connectionIs("lost");
    throw new Lost("the answer broke off");
  }
}

/** The address of a file of the folder; slashes stay, all else is escaped. */
export function fileAddress(name: string): string {
  return "/api/files/" + name.split("/").map(encodeURIComponent).join("/");
}

export const folder = () => json<Folder>("GET", "/api/folder");

export async function putFile(name: string, body: Blob | string, replace: boolean): Promise<void> {
  await request("PUT", fileAddress(name) + (replace ? "?replace=1" : ""), body, "application/octet-stream");
}

export async function readText(name: string): Promise<string> {
  return (await request("GET", fileAddress(name))).text();
}

export async function startJob(args: string[], passphrase?: string): Promise<Pick<Job, "id" | "command">> {
  const body = passphrase === undefined ? { arguments: args } : { arguments: args, passphrase };
  return json("POST", "/api/jobs", JSON.stringify(body), "application/json");
}

export async function listJobs(): Promise<Job[]> {
  const told = await json<Job[] | { jobs: Job[] }>("GET", "/api/jobs");
  return Array.isArray(told) ? told : told.jobs;
}

export async function readJob(id: Job["id"], wait: number): Promise<Job> {
  const job = await json<Job>("GET", `/api/jobs/${encodeURIComponent(String(id))}?wait=${wait}`);
  if (typeof job.output === "string") {
    try {
      job.output = JSON.parse(job.output);
    } catch {
      // Words of a command that knows no JSON stay words.
    }
  }
  return job;
}

export async function cancelJob(id: Job["id"]): Promise<void> {
  await request("DELETE", `/api/jobs/${encodeURIComponent(String(id))}`);
}
