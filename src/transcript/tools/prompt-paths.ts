import { posix } from "node:path";
import { TOOL_LIMITS } from "../../constants.ts";
import { looksLikeFileName } from "../../text/file-name.ts";

/**
 * `@path`, `@"path with spaces"`, `@path\ with\ spaces`. Not inside a word, so that an email address is not a
 * mention.
 */
const MENTION = /(?<![\p{L}\p{N}_@./\\-])@(?:"([^"\n]{1,400})"|((?:\\ |[^\s"'`<>()[\]{},;|*?!]){1,4000}))/gu;

/**
 * Returns the paths that a person mentioned with `@`, as written. Leaves out packages (`@scope/name`) and decorators.
 */
export function mentionedPaths(prompt: string): string[] {
  if (!prompt.includes("@")) return [];
  const paths = new Set<string>();
  for (const [, quoted, plain] of prompt.matchAll(MENTION)) {
    const path = withoutLines((quoted ?? plain ?? "").replaceAll("\\ ", " ").replace(/(?<![.:])[.:]+$/, ""));
    if (isPath(path)) paths.add(path);
    if (paths.size === TOOL_LIMITS.mentionsPerPrompt) break;
  }
  return [...paths];
}

/** Removes line numbers after a path: `#L10-20`, `:10`, `:10-20`. */
function withoutLines(path: string): string {
  return path.replace(/(?:#L?\d+(?:-L?\d+)?|:\d+(?:[-:]\d+)?)$/, "");
}

function isPath(path: string): boolean {
  if (/^(?:\.{1,2}\/|~\/|\/|[A-Za-z]:[\\/])\S/.test(path)) return true;
  if (path.includes("@") || path.includes("://")) return false;
  return path.endsWith("/")
    ? /^[\w.-]+\//.test(path)
    : looksLikeFileName(posix.basename(path.replaceAll("\\", "/")));
}
