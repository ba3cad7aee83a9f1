import { posix } from "node:path";
import { TOOL_LIMITS } from "../../constants.ts";

const DRIVE = /^[A-Za-z]:[\\/]/;
/** A path that `normalize` would change. */
const UNTIDY = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;
const UNC = /^\\\\[^\\]/;
const HOME_OF = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)(?=\/|$)/;

/** Directories of worktrees inside a project, as Claude Code and people place them. */
const WORKTREE = /^(?:\.claude\/worktrees|\.worktrees)\/[^/]+(?:\/|$)/;
/** A pattern of Go packages, or of files. */
const PATTERN = /(?:^|\/)\.\.\.(?:\/|$)|\*/;

/** Tells whether a path is in Windows notation: with a drive or a share, or with backslashes only. */
function isWindows(path: string): boolean {
  return DRIVE.test(path) || UNC.test(path) || (path.includes("\\") && !path.includes("/"));
}

function withSlashes(path: string): string {
  return path.includes("\\") && isWindows(path) ? path.replaceAll("\\", "/") : path;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** Lower-cases the drive letter, which differs between tools. */
function comparable(path: string): string {
  return /^[A-Za-z]:/.test(path) ? path.toLowerCase() : path;
}

function expandHome(path: string, cwd: string | null): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  const home = cwd === null ? undefined : HOME_OF.exec(cwd)?.[0];
  return home === undefined ? path : home + path.slice(1);
}

/**
 * Converts a tool's path to its stored form: relative to the first of `roots` (longest first) that contains it, else absolute,
 * always with `/`. A file in a worktree inside the project gets its path within that worktree. Null when the path is empty, a
 * root itself, or not a path, such as a pattern.
 */
export function storedPath(given: string, cwd: string | null, roots: readonly string[]): string | null {
  if (given.length > TOOL_LIMITS.pathChars || given.includes("\0") || given.includes("\n")) return null;
  const path = tidyPath(given, cwd === null ? null : withSlashes(cwd));
  if (path === null || PATTERN.test(path)) return null;
  for (const root of roots) {
    const prefix = withSlashes(root.endsWith("/") ? root.replace(/(?<!\/)\/+$/, "") : root);
    if (comparable(path) === comparable(prefix)) return null;
    if (comparable(path).startsWith(`${comparable(prefix)}/`))
      return path.slice(prefix.length + 1).replace(WORKTREE, "") || null;
  }
  return path === "." || path === "/" ? null : path;
}

/** Returns a path with `/`, joined to `base` if it is relative, without `.` and `..`; null when there is none. */
function tidyPath(given: string, base: string | null): string | null {
  let path = expandHome(withSlashes(given.trim().replace(/^file:\/\//, "")), base);
  if (path === "" || path === "~") return null;
  if (!isAbsolute(path) && !path.startsWith("~/") && base !== null) path = `${base}/${path}`;
  if (UNTIDY.test(path)) path = posix.normalize(path);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
