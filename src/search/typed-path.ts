import { isAbsolute, relative, resolve, sep } from "node:path";
import { rootsOf } from "../git/project.ts";

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
