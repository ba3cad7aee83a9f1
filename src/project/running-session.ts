import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../host.ts";
import { ancestors, isAdopter, type Process, processStart } from "../io/ancestors.ts";
import { asString, parseObject } from "../io/json.ts";
import { readUntrusted } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";

/** A session that an agent runs at this moment. */
export interface RunningSession {
  /** Id of the agent. */
  client: string;
  sessionId: string;
  /** Its transcript; null if unknown. */
  transcript: string | null;
}

/** Returns the directory of notes about running sessions, one file per agent process, within a memory's directory. */
function sessionNotesDirectory(directory: string): string {
  return join(directory, "running");
}

/** Notes which session an agent's process runs now: after `/clear` or `/resume` it is another one. Never throws. */
export function noteRunningSession(
  directory: string,
  session: RunningSession,
  { pid, started }: Pick<Process, "pid" | "started">,
): void {
  const [folder, text] = [sessionNotesDirectory(directory), JSON.stringify({ ...session, started })];
  const file = join(folder, `${pid}.json`);
  try {
    const known = readUntrusted(file);
    if (known === text) return;
    if (known === null) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeEnded(folder);
    }
    writeAtomic(file, text, { mode: 0o600, replace: true, sync: false });
  } catch {
    // A hook must not fail because its session is not noted.
  }
}

/** Returns the session that a hook noted for the nearest of these processes; null if there is no note. */
export function findRunningSession(directory: string, processes: readonly Process[]): RunningSession | null {
  for (const { pid, started } of processes) {
    const note = parseObject(readUntrusted(join(sessionNotesDirectory(directory), `${pid}.json`)) ?? "");
    const [client, sessionId] = [asString(note?.client), asString(note?.sessionId)];
    // The process id may have been reused.
    if (client === null || sessionId === null || (note?.started ?? null) !== started) continue;
    return { client, sessionId, transcript: asString(note?.transcript) };
  }
  return null;
}

/** Returns the processes of agents that a hook noted and that still run. */
export function runningAgents(
  directory: string,
  platform: NodeJS.Platform,
): Pick<Process, "pid" | "started">[] {
  return namesIn(sessionNotesDirectory(directory)).flatMap((name) => {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    const note = parseObject(readUntrusted(join(sessionNotesDirectory(directory), name)) ?? "");
    const started = processStart(pid, platform);
    return pid > 0 && note && !hasEnded(pid) && (note.started ?? null) === started ? { pid, started } : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes the notes of processes that have ended. */
function removeEnded(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    if (pid > 0 && hasEnded(pid)) rmSync(join(folder, name), { force: true });
  }
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Programs between an agent and the hooks that it starts. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  "sh bash dash zsh fish ksh ash busybox env timeout nice setsid sudo cmd.exe powershell.exe pwsh pwsh.exe".split(
    " ",
  ),
);

/**
 * Returns the agent's process above a hook: the one that Claude Code names, else the nearest ancestor that is not a launcher;
 * null if unknown, e.g. if the agent has ended.
 */
export function findAgentProcess(
  client: string,
  { env, platform }: Pick<Host, "env" | "platform">,
  above: () => readonly Process[] = () => ancestors(process, platform, { canAsk: false }),
): Pick<Process, "pid" | "started"> | null {
  const named = client === "claude-code" ? Number(env.CLAUDE_PID) : 0;
  if (named > 0) return { pid: named, started: processStart(named, platform) };
  const nearest = above().find(({ name }) => name === null || !LAUNCHERS.has(name));
  return nearest === undefined || isAdopter(nearest.name) ? null : nearest;
}
