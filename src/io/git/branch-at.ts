import { join } from "node:path";
import { UNTRUSTED } from "../untrusted.ts";
import { readQuietly } from "./gitdir.ts";
import { currentBranch, findProject } from "./project.ts";

/** When HEAD went from one branch to another. */
interface Move {
  seconds: number;
  from: string;
  to: string;
}

const MOVE = /^\S+ \S+ .*? (\d+) [+-]\d{4}\tcheckout: moving from (\S+) to (\S+)$/;
const FIRST = /^\S+ \S+ .*? (\d+) [+-]\d{4}\t/;
/** HEAD at a commit, which is no branch. */
const DETACHED = /^[\da-f]{7,40}$/;

/**
 * Returns a function that says which branch was checked out in a directory at a time (ISO 8601), by git's log of HEAD, for
 * agents that do not note it. Null for a time before that log, outside git, in an unknown directory, and with a detached HEAD.
 */
export function branchAt(cwd: string | null): (time: string | null) => string | null {
  const project = cwd === null ? null : findProject(cwd);
  const log =
    project?.gitDir == null ? null : readQuietly(join(project.gitDir, "logs", "HEAD"), UNTRUSTED.fileBytes);
  if (project === null || log === null) return () => null;
  const lines = log.split("\n");
  const moves = lines.flatMap((line) => moveOf(line) ?? []);
  const since = Number(FIRST.exec(lines[0] ?? "")?.[1] ?? Number.POSITIVE_INFINITY);
  return (time) => {
    const seconds = time === null ? Number.NaN : Date.parse(time) / 1000;
    if (!(seconds >= since)) return null;
    const last = moves.findLast((move) => move.seconds <= seconds);
    const name = last?.to ?? moves[0]?.from ?? currentBranch(project);
    return name === null || DETACHED.test(name) ? null : name;
  };
}

function moveOf(line: string): Move | null {
  const [, seconds, from, to] = MOVE.exec(line) ?? [];
  return from === undefined || to === undefined ? null : { seconds: Number(seconds), from, to };
}
