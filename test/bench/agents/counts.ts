import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** What a home directory of an agent holds, over all its sessions. */
export interface Counts {
  /** Prompts that a person typed, in the main conversations. */
  prompts: number;
  /** Messages in a prompt's place that nobody typed: of teammates, other sessions, channels, timers and servers. */
  sent: number;
  /** Texts that the model answered with, thinking left out; subagents count too. */
  answers: number;
  /** Calls of tools, those left out that only keep the agent's books or hand in its words. */
  toolCalls: number;
  /** Calls that failed, those left out that a person refused without a word. */
  failures: number;
  /** Different files of the project that tools for files were given, by session. */
  mentions: number;
  subagents: number;
}

/** The counts of an empty home directory. */
export function nothing(): Counts {
  return { prompts: 0, sent: 0, answers: 0, toolCalls: 0, failures: 0, mentions: 0, subagents: 0 };
}

export type Json = Record<string, unknown>;

/** Counts without the readers: from the bytes as the format is described, in as few words as possible. */
export type Count = (home: string, project: string) => Counts;

/** All files below a folder whose path matches, those of linked folders too; none where there is no such folder. */
export function filesIn(folder: string, matches: RegExp): string[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder).map((name) => join(folder, name));
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path, matches) : path))
    .filter((path) => matches.test(path))
    .sort();
}

/** The objects of a file of JSON lines. */
export function linesOf(path: string): Json[] {
  return readFileSync(path, "utf8").split("\n").flatMap(objectsIn);
}

/** The objects of a line, which may hold two; a line that was cut while it was written says nothing. */
function objectsIn(line: string): Json[] {
  const whole = objectIn(line);
  const both = whole === null ? line.split(/(?<=\})(?=\{")/).map(objectIn) : [whole];
  return both.some((each) => each === null) ? [] : (both as Json[]);
}

function objectIn(text: string): Json | null {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? (value as Json) : null;
  } catch {
    return null;
  }
}

export function listAt(value: unknown, key: string): Json[] {
  const list = (value as Json | undefined)?.[key];
  return Array.isArray(list) ? list : [];
}

/** Adds a file of the project to those of a session. */
export function mention(into: Set<string>, session: string, project: string, path: unknown): void {
  if (typeof path !== "string" || path === "") return;
  const name = relative(project, resolve(project, path));
  if (name !== "" && !name.startsWith("..")) into.add(`${session} ${name}`);
}
