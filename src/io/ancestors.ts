import { readFileSync } from "node:fs";

/** A running process. */
export interface Process {
  pid: number;
  /** Tells it from a later process with the same number; null where the system does not say. */
  started: string | null;
  /** Its short name; null where it is not known. */
  name: string | null;
}

/** More than any chain of shells and launchers has. */
const MAX_ANCESTORS = 24;

/**
 * Returns the processes above a process, the nearest first, as far as they can be seen: in a sandbox with processes of its
 * own, those outside cannot. Elsewhere than on Linux a program has to be asked, so `canAsk` is false where time is short:
 * then only the parent is known.
 */
export function ancestors(
  { pid, ppid }: { pid: number; ppid: number },
  platform: NodeJS.Platform,
  { canAsk }: { canAsk: boolean },
): Process[] {
  if (platform === "linux") return above(pid, statOf);
  const parents = canAsk && platform === "darwin" ? askedParents() : null;
  const only = [{ pid: ppid, started: null, name: null }];
  return parents === null ? only : above(pid, (each) => parents.get(each) ?? null);
}

/** Returns what tells a process from a later one with its number; null where the system does not say. */
export function startOf(pid: number, platform: NodeJS.Platform): string | null {
  return platform === "linux" ? (statOf(pid)?.started ?? null) : null;
}

type Above = Process & { parent: number };

function above(pid: number, look: (pid: number) => Above | null): Process[] {
  const found: Process[] = [];
  for (let next = look(pid)?.parent ?? 0; next > 0 && found.length < MAX_ANCESTORS; ) {
    const process = look(next);
    if (process === null) break;
    found.push({ pid: process.pid, started: process.started, name: process.name });
    next = process.parent;
  }
  return found;
}

/** Reads `/proc/<pid>/stat`; the name stands in parentheses and may hold any character. */
function statOf(pid: number): Above | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [open, close] = [stat.indexOf("("), stat.lastIndexOf(")")];
    const fields = stat.slice(close + 2).split(" ");
    const [parent, started] = [Number(fields[PARENT]), fields[STARTED] ?? null];
    return { pid, parent, started, name: stat.slice(open + 1, close) };
  } catch {
    return null;
  }
}

/** Places of the fields that stand after the name. */
const PARENT = 1;
const STARTED = 19;

/** Asks for all processes at once. Null where that fails. */
function askedParents(): Map<number, Above> | null {
  try {
    const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid=,comm="], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const rows = stdout.toString().matchAll(/^[ \t]*(\d+)[ \t]+(\d+)[ \t]+(.*)$/gm);
    return new Map(
      [...rows].map(([, pid, parent, command = ""]) => [
        Number(pid),
        { pid: Number(pid), parent: Number(parent), started: null, name: command.replace(/^.*\//, "") },
      ]),
    );
  } catch {
    return null;
  }
}
