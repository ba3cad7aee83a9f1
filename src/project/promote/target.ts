import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { realPathIfExists, statIfExists } from "../../io/read.ts";
import { UNTRUSTED } from "../../io/untrusted.ts";
import { openFence } from "../../text/fences.ts";

/** The files into which a statement is promoted. */
export const PROMOTE_TO = ["CLAUDE.md", "AGENTS.md"] as const;

export type PromoteTo = (typeof PROMOTE_TO)[number];

/** A file of instructions, behind all links. */
export interface Target {
  name: PromoteTo;
  /** Where it is written. */
  path: string;
  /** Null where there is no such file yet. */
  content: Uint8Array | null;
}

/**
 * Reads the file of instructions with this name below `root`. Throws `not_writable` for what is no text file, and for a link
 * that leads to nothing, out of the project or to what is no Markdown: a repository must not choose what is written.
 */
export function targetOf(root: string, name: PromoteTo): Target {
  const path = join(root, name);
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) return { name, path, content: null };
  const real = realPathIfExists(path);
  if (real === null) throw refused(name, "is a link to a file that does not exist");
  if (!isWithin(real, root)) throw refused(name, `is a link to ${real}, which is not in the project`);
  if (!/\.md$/i.test(real)) throw refused(name, `is a link to ${real}, which is no Markdown`);
  const stats = statIfExists(real);
  if (!stats?.isFile()) throw refused(name, "is no file");
  if (stats.size > UNTRUSTED.fileBytes) throw refused(name, "is too large");
  const content = bytesOf(real);
  // What stands in a code block is an example, and no instruction.
  if (openFence(content.toString("utf8")) !== null)
    throw refused(name, "ends in a code block that is not closed");
  if (content.includes(0)) throw refused(name, "is no text in UTF-8");
  return { name, path: real, content };
}

/** Whether a path behind all links is below `root`, which may be reached by a link. */
function isWithin(real: string, root: string): boolean {
  const way = relative(realPathIfExists(root) ?? root, real);
  return way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
}

function refused(name: string, why: string): MementorError {
  return new MementorError("not_writable", `${name} ${why}. Nothing was written.`, {
    hint: "mementor note <turn> --to CLAUDE.md --print prints the line, to be put where you want it.",
  });
}
