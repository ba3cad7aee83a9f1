import { isAbsolute, relative, resolve, sep } from "node:path";
import { rootsOf } from "../git/project.ts";
import type { BrowseStore } from "../store/store.ts";

/** What a typed path may be called in the memory. */
export interface TypedPath {
  /** Relative to the project, as seen from the current directory; then as it was typed. */
  exact: string[];
  /** What stored paths are compared with at their ends. */
  suffix: string;
}

/** Reads a path that was typed relative to the current directory, absolute, or as the end of one. */
export function typedPath(typed: string, cwd: string): TypedPath {
  const plain = typed.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
  if (plain.includes("://")) return { exact: [typed, plain], suffix: plain };
  const absolute = resolve(cwd, plain);
  const inside = rootsOf(cwd)
    .map((root) => relative(root, absolute))
    .filter((path) => !path.startsWith(`..${sep}`) && path !== ".." && !isAbsolute(path))
    .map((path) => path.replaceAll(sep, "/"));
  const suffix = plain.replace(/^(?:\.{1,2}\/)+/, "").replace(/^\/+/, "");
  return { exact: [...new Set([...inside, absolute, plain])], suffix };
}

/** Returns the path as the memory has it, for filters, a directory with its `/`; what was typed when it is not known. */
export async function storedPath(browse: BrowseStore, typed: string, cwd: string): Promise<string> {
  const { exact, suffix } = typedPath(typed, cwd);
  const [found] = await browse.findPaths(exact, suffix);
  if (found !== undefined && exact.includes(found)) return found;
  for (const path of exact) {
    if (path !== "" && (await browse.files({ limit: 1, below: path })).length > 0) return `${path}/`;
  }
  return suffix;
}
