import { isAbsolute, relative, resolve, sep } from "node:path";

/** The stored paths that a typed path matches. Stored paths are relative to the project and separated by `/`. */
export interface PathFilter {
  /** Whole paths: relative to the project as seen from the current directory, absolute, and as typed. */
  exact: readonly string[];
  /** Directories, each with a trailing `/`. Every path below them matches. */
  below: readonly string[];
  /** Matches the last whole segments of a path; null when the path says where it starts (`./x`, `../x`, `/x`, `x/`). */
  suffix: string | null;
}

/**
 * Reads a path as people type it: `src/store.ts` and `store.ts` are also the end of a longer path, `src/` is a
 * directory, `/home/me/app/src` is absolute, and `./x` is relative to `cwd`. `roots` are the project's directories.
 */
export function readPath(typed: string, cwd: string, roots: readonly string[]): PathFilter {
  const path = typed.replaceAll("\\", "/");
  const plain = path.replace(/(?<=^\/|[^/])\/+$/, "");
  if (plain.includes("://")) return { exact: [...new Set([typed, plain])], below: [], suffix: null };
  const absolute = resolve(cwd, plain);
  const inside = roots.flatMap((root) => insideOf(root, absolute));
  const isAnchored = /^(?:\.{1,2}(?:\/|$)|\/|[A-Za-z]:\/)/.test(path);
  const isDirectory = plain !== path;
  const exact = [...new Set([...inside, absolute.replaceAll(sep, "/"), ...(isAnchored ? [] : [plain])])];
  return {
    exact: isDirectory ? [] : exact.filter((name) => name !== ""),
    // The project's root holds every relative path.
    below: exact.map((name) => (name === "" ? "" : `${name.replace(/\/$/, "")}/`)),
    suffix: isAnchored || isDirectory ? null : plain,
  };
}

/** The path relative to a root, "" for the root itself; empty when the path is outside the root. */
function insideOf(root: string, absolute: string): string[] {
  const path = relative(root, absolute);
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? [] : [path.replaceAll(sep, "/")];
}
