import { folderName } from "../../../src/agents/claude-code/project-sessions.ts";
import type { Session } from "./history.ts";

const WORKTREE_INSIDE = /^(.+?)[\\/](?:\.claude[\\/]worktrees|\.worktrees|worktrees)[\\/].*$/;
const WORKTREE_BESIDE = /^(.+)-worktrees[\\/].*$/;
const WINDOWS = /^[A-Za-z]:[\\/]/;

/**
 * Finds the directories of the project that sessions worked in. For each folder of the client these are the one that
 * the folder is named after and the most common one, without a worktree's part. What lies in another is left out.
 */
export function rootsOfSessions(sessions: readonly Pick<Session, "folder" | "rows">[]): string[] {
  const roots = new Set<string>();
  for (const [folder, of] of Map.groupBy(sessions, ({ folder }) => folder)) {
    const counts = new Map<string, number>();
    for (const { cwd } of of.flatMap(({ rows }) => rows))
      if (cwd !== null) counts.set(cwd, (counts.get(cwd) ?? 0) + 1);
    const cwds = [...counts].sort((a, b) => b[1] - a[1]).map(([cwd]) => cwd);
    for (const cwd of [...cwds.slice(0, 1), ...cwds.filter((cwd) => folderName(cwd) === folder)])
      roots.add(withoutWorktree(cwd));
  }
  return [...roots].filter((root) => ![...roots].some((other) => isBelow(root, other))).sort();
}

/** Returns what puts a project's directory in the place of its former roots in JSON text. */
export function rewriterTo(project: string, roots: readonly string[]): (json: string) => string {
  const rewrites = [...roots]
    .sort((a, b) => b.length - a.length)
    .map((root) => (WINDOWS.test(root) ? windowsRewriter(root, project) : posixRewriter(root, project)));
  return (json) => rewrites.reduce((text, rewrite) => rewrite(text), json);
}

function withoutWorktree(cwd: string): string {
  return (WORKTREE_INSIDE.exec(cwd) ?? WORKTREE_BESIDE.exec(cwd))?.[1] ?? cwd;
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(`${root}/`) || path.startsWith(`${root}\\`);
}

/** A worktree beside the project stands for the project itself, one inside stays where it is. */
function posixRewriter(root: string, project: string): (json: string) => string {
  const pattern = new RegExp(`${RegExp.escape(root)}(?:-worktrees/[\\w.-]*\\w)?(?![\\w-])`, "g");
  return (json) => json.replace(pattern, () => project);
}

/** In JSON a separator is two backslashes, or a slash; the path behind the root gets slashes. */
function windowsRewriter(root: string, project: string): (json: string) => string {
  const separator = "(?:\\\\\\\\|/)";
  const names = root.split(/[\\/]/).map((name) => RegExp.escape(name));
  const pattern = new RegExp(`${names.join(separator)}(?![\\w-])((?:${separator}[\\w.@+-]+)*)`, "gi");
  return (json) => json.replace(pattern, (_, path: string) => project + path.replaceAll("\\\\", "/"));
}
