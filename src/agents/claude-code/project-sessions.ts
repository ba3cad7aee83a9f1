import { type Dirent, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { findProject, type Project } from "../../git/project.ts";
import { linkedWorktrees } from "../../git/worktrees.ts";
import type { Environment } from "../agent.ts";
import { claudeDirectory } from "./home.ts";

/** Claude Code truncates the names of its folders to this length. */
const MAX_FOLDER_NAME_CHARS = 200;
/** The first entries of a transcript, which contain its `cwd`, are within this many bytes. */
const HEAD_BYTES = 256 * 1024;

/**
 * Finds the transcripts of a project that Claude Code has on disk: those of its worktrees and of directories in them.
 * Names of Claude Code's folders are ambiguous, so a transcript counts when the `cwd` of its entries is in the project,
 * or when it has none and lies in the folder of one of the worktrees.
 */
export async function projectSessions(
  project: Project,
  environment: Environment,
  isWanted: (file: string) => boolean = () => true,
): Promise<string[]> {
  const names = worktreesOf(project).map(folderName);
  const belongs = membership(project);
  const projects = join(claudeDirectory(environment), "projects");
  const found: string[] = [];
  for (const folder of list(projects)) {
    if (!folder.isDirectory() || !names.some((name) => folder.name.startsWith(name))) continue;
    const directory = join(projects, folder.name);
    for (const entry of list(directory)) {
      if (!entry.isFile() || !entry.name.endsWith(".jsonl")) continue;
      const file = join(directory, entry.name);
      if (!isWanted(file)) continue;
      const cwd = await firstCwd(file);
      if (cwd === null ? names.includes(folder.name) : belongs(cwd)) found.push(file);
    }
  }
  return found;
}

/** How Claude Code names the folder of a directory; longer names are cut there, and a hash follows. */
export function folderName(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-").slice(0, MAX_FOLDER_NAME_CHARS);
}

function worktreesOf({ root, worktreeRoot, isGit }: Project): string[] {
  return [...new Set([root, worktreeRoot, ...(isGit ? linkedWorktrees(worktreeRoot) : [])])];
}

function membership(project: Project): (cwd: string) => boolean {
  const known = new Map<string, boolean>();
  const roots = worktreesOf(project);
  const isBelow = (cwd: string) => roots.some((root) => cwd === root || cwd.startsWith(`${root}/`));
  return (cwd) => {
    const found = findProject(cwd);
    const isOurs =
      known.get(cwd) ?? (found.root === project.root || (found.kind === "missing" && isBelow(cwd)));
    known.set(cwd, isOurs);
    return isOurs;
  };
}

/** The first `cwd` that an entry near the start of a transcript has; null when there is none or it cannot be read. */
async function firstCwd(file: string): Promise<string | null> {
  for (const line of (await head(file)).split("\n")) {
    const entry = parseLine(line);
    if (typeof entry === "object" && entry !== null && "cwd" in entry && typeof entry.cwd === "string")
      return entry.cwd;
  }
  return null;
}

async function head(file: string): Promise<string> {
  try {
    const handle = await open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function list(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
