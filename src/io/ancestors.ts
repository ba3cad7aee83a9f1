import { readFileSync } from "node:fs";

/** A running process. */
export interface Process {
  pid: number;
  /** Distinguishes the process from a later one with the same id; null if unknown. */
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

/** Returns a mark that distinguishes a process from a later one with the same id; null if unknown. */
export function processStart(pid: number, platform: NodeJS.Platform): string | null {
  return platform === "linux" ? (statOf(pid)?.started ?? null) : null;
}

/**
 * Tells whether a person's shell started a process: it has a terminal, and the process or one of its ancestors leads the
 * terminal's session. Null if unknown.
 */
export function isAtTerminal(pid: number, platform: NodeJS.Platform): boolean | null {
  const found = platform === "linux" ? statOf(pid) : null;
  if (found === null) return null;
  const leads = (each: { pid: number }) => each.pid === found.session;
  return found.terminal !== 0 && (leads(found) || above(pid, statOf).some(leads));
}

/** Processes that adopt orphans, and so did not start their children. */
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

/** Tells whether a process of this name may be another one's parent only by adoption, because the original parent has ended. */
export function isAdopter(name: string | null): boolean {
  return ADOPTS.has(name ?? "");
}

/**
 * Tells whether `other` cannot have started this process: the process descends from one that is older than `other`, belongs to
 * another user (such as `sshd` or `login`) or is outside the container; or all its ancestors are in other systemd units. There is
 * a unit for each login and each desktop program, and a child stays in its parent's unit even when it is detached. Null if
 * unknown.
 */
export function isStartedIndependently(
  pid: number,
  other: Pick<Process, "pid" | "started">,
  platform: NodeJS.Platform,
  look: (pid: number) => ProcessFacts | null = relativeOf,
): boolean | null {
  const self = platform === "linux" ? look(pid) : null;
  if (self === null || other.started === null) return null;
  const unit = look(other.pid)?.unit ?? null;
  const isBeyond = ({ started, user }: ProcessFacts) =>
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

/** A process as `isStartedIndependently` sees it. */
export type ProcessFacts = Above & {
  user: number;
  /** Path of its systemd unit; null without one. */
  unit: string | null;
};

/** Returns null also for a process that ends during the call. */
function relativeOf(pid: number): ProcessFacts | null {
  const found = statOf(pid);
  const user = found === null ? null : userOf(pid);
  return found === null || user === null ? null : { ...found, user, unit: unitOf(pid) };
}

/** Units that logins, desktops, terminals and multiplexers make. */
const PERSONS_UNIT =
  /\/(?:session-\w+\.scope|app-[^/]+\.(?:scope|service)|dbus-[^/]+\.service|gnome-terminal-server\.service|(?:(?:vte|ptyxis|tmux)-spawn|kitty)-[^/]+\.scope)$/;

/**
 * Tells whether a unit is outside another one and is of a kind that a person's programs make. False for any other name, because
 * an agent may have made that unit. An agent may also choose a name of these kinds; see the limits in SECURITY.md.
 */
function isOtherUnit(unit: string | null, other: string | null): boolean {
  if (unit === null || other === null || !PERSONS_UNIT.test(unit)) return false;
  return unit !== other && !unit.startsWith(`${other}/`);
}

/** Returns the path of a process's systemd unit: a login's, such as `session-2.scope`, or a program's. */
function unitOf(pid: number): string | null {
  try {
    const groups = readFileSync(`/proc/${pid}/cgroup`, "latin1");
    const [, path] = /^(?:0:|\d+:name=systemd):(\/.*\.(?:scope|service))(?:\/|$)/m.exec(groups) ?? [];
    return path ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns the real user id of a process. The owner of its directory in `/proc` is no evidence, because any program can make it
 * root.
 */
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
