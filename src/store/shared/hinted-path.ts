import type { PathFilter } from "../../filter/path.ts";

/** A path that a prompt names: itself, the end of a longer one or, with a `/` in it, what lies below. */
export function hintedPath(hint: string): PathFilter {
  const path = hint
    .replaceAll("\\", "/")
    .replace(/^\.\//, "")
    .replace(/(?<!\/)\/+$/, "");
  return { exact: [hint, path], suffix: path, below: hint.includes("/") ? [`${path}/`] : [] };
}
