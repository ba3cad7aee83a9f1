import { readFileSync } from "node:fs";

/** A running process. */
export interface Process {
  pid: number;
  /** Distinguishes the process from a later one with the same number; null when the system does not tell. */
  started: string | null;
  /** Short name of the process; null when unknown. */
  name: string | null;
}

/** Maximum length of the chain. Real chains of shells and launchers are shorter. */
const MAX_ANCESTORS = 24;

/**
 * Returns the visible ancestors of a process, the nearest first. A sandbox with its own processes hides those outside. Except on
 * Linux, this runs another program, so `canAsk` is false when time is short: then only the parent is known.
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

/** Returns a mark that distinguishes a process from a later one with its number; null when the system does not tell. */
export function processStart(pid: number, platform: NodeJS.Platform): string | null {
  return platform === "linux" ? (statOf(pid)?.started ?? null) : null;
}

/**
 * Tells whether a person's shell started a process: whether it has a terminal, whose session is led by the process itself or by one
 * of its ancestors. Null where the system does not tell.
 */
export function isAtTerminal(pid: number, platform: NodeJS.Platform): boolean | null {
  const found = platform === "linux" ? statOf(pid) : null;
  if (found === null) return null;
  const leads = (each: { pid: number }) => each.pid === found.session;
  return found.terminal !== 0 && (leads(found) || above(pid, statOf).some(leads));
}

/** What adopts processes whose parent has ended, so that it started none of those below it. */
const ADOPTS = new Set([
  "systemd",
  "init",
  "tini",
  "dumb-init",
  "docker-init",
  "catatonit",
  "s6-svscan",
  "runsvdir",
]);

/** Tells whether a process of this name is above others only because their parent has ended. */
export function isAdopter(name: string | null): boolean {
  return ADOPTS.has(name ?? "");
}

/**
 * Tells whether another process could not have started this one: it descends from an older process, from one of another user such
 * as that of `sshd` or `login`, or from one outside of the container; or all of its ancestors are in other units of systemd, which
 * has one for each login and for each program of a desktop. What a process starts stays in its unit, also when it is cut off. Null
 * where the system does not tell.
 */
export function isStartedElsewhere(
  pid: number,
  other: Pick<Process, "pid" | "started">,
  platform: NodeJS.Platform,
  look: (pid: number) => Relative | null = relativeOf,
): boolean | null {
  const self = platform === "linux" ? look(pid) : null;
  if (self === null || other.started === null) return null;
  const unit = look(other.pid)?.unit ?? null;
  const isBeyond = ({ started, user }: Relative) =>
    Number(started) < Number(other.started) || user !== self.user;
  let isApart = isOtherUnit(self.unit, unit);
  for (let [next, left] = [look(self.parent), MAX_ANCESTORS]; next !== null && left > 0; left--) {
    if (next.pid === 1) return isApart;
    if (next.parent === 0) return true;
    const isAbove = !isAdopter(next.name);
    if (isAbove && isBeyond(next)) return true;
    isApart &&= !isAbove || isOtherUnit(next.unit, unit);
    next = look(next.parent);
  }
  return false;
}

/** A process as `isStartedElsewhere` sees it. */
export type Relative = Above & {
  user: number;
  /** The path of its unit of systemd; null where there is none. */
  unit: string | null;
};

/** Null also for a process that ends meanwhile. */
function relativeOf(pid: number): Relative | null {
  const found = statOf(pid);
  const user = found === null ? null : userOf(pid);
  return found === null || user === null ? null : { ...found, user, unit: unitOf(pid) };
}

/** Tells whether a unit is not within another one. One that `systemd-run` made may be anybody's. */
function isOtherUnit(unit: string | null, other: string | null): boolean {
  if (unit === null || other === null || /\/run-[^/]*$/.test(unit)) return false;
  return unit !== other && !unit.startsWith(`${other}/`);
}

/** Returns the path of a process's unit of systemd: a login's `session-2.scope`, or that of a program. */
function unitOf(pid: number): string | null {
  try {
    const groups = readFileSync(`/proc/${pid}/cgroup`, "latin1");
    const [, path] = /^(?:0:|\d+:name=systemd):(\/.*\.(?:scope|service))(?:\/|$)/m.exec(groups) ?? [];
    return path ?? null;
  } catch {
    return null;
  }
}

/** The user who started a process, or to whom it was given: any program can make its directory in `/proc` look like root's. */
function userOf(pid: number): number | null {
  try {
    const [, user] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return user === undefined ? null : Number(user);
  } catch {
    return null;
  }
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

/** Reads `/proc/<pid>/stat`. The name is in parentheses and may contain any character. */
function statOf(pid: number): (Above & { session: number; terminal: number }) | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [open, close] = [stat.indexOf("("), stat.lastIndexOf(")")];
    const fields = stat.slice(close + 2).split(" ");
    const [parent, started] = [Number(fields[PARENT]), fields[STARTED] ?? null];
    const [session, terminal] = [Number(fields[SESSION]), Number(fields[TERMINAL])];
    return { pid, parent, started, name: stat.slice(open + 1, close), session, terminal };
  } catch {
    return null;
  }
}

/** Indexes of the fields after the name. */
const PARENT = 1;
const SESSION = 3;
const TERMINAL = 4;
const STARTED = 19;

/** Lists all processes with one call of a program; null on failure. */
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
