import { isAbsolute, relative, resolve, sep } from "node:path";
import * as v from "valibot";
import type { TurnRole } from "../domain.ts";
import { readTime } from "../text/when.ts";

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

/** What typed values are read against. */
export interface FilterContext {
  now: Date;
  /** Where relative paths start. */
  cwd: string;
  /** The project's directories. Asked only when a path was typed. */
  roots: () => readonly string[];
  /** Whether they are arguments of a tool, not options: errors name them accordingly. */
  isTool?: boolean;
}

/** One way to narrow a list: an option of the command line, an argument of a tool, and a value of `Filter`. */
export interface Field<Typed, Value> {
  /** What help calls the value; null for a flag, which takes none. */
  value: string | null;
  description: string;
  /** Checks what was typed. Clients of tools send null for what is not given, and numbers as numbers. */
  schema: v.GenericSchema<unknown, Typed | null | undefined>;
  /** Turns what was typed into the filter's value; throws `usage`. */
  read: (typed: Typed, context: FilterContext) => Value;
}

/** Names no member: takes what everybody made. */
export const ALL_AUTHORS = "all";

const MAX_CHARS = 20_000;
const ROLES = ["turn", "compaction_summary", "away_summary"] as const satisfies readonly TurnRole[];

const text = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.nonEmpty("must not be empty"),
  v.maxLength(MAX_CHARS, `must have at most ${MAX_CHARS} characters`),
);
const NUMBER = "must be a whole number from 1 on";
const number = v.pipe(
  v.union(
    [
      v.number(),
      v.pipe(
        v.string(),
        v.regex(/^#?\d{1,15}$/, NUMBER),
        v.transform((digits) => Number(digits.replace("#", ""))),
      ),
    ],
    NUMBER,
  ),
  v.integer(NUMBER),
  v.minValue(1, NUMBER),
);

/** A commit's hash as it may be typed: abbreviated to four digits or more. */
export const CommitHash = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^[0-9a-f]{4,64}$/, "must be a commit's hash: 4 to 64 hexadecimal digits"),
);

function textField<Value>(
  value: string,
  description: string,
  read: (typed: string, context: FilterContext) => Value,
): Field<string, Value> {
  return { value, description, schema: v.nullish(text), read };
}

function flag(description: string): Field<boolean, true | undefined> {
  const schema = v.nullish(v.boolean("must be true or false"));
  return { value: null, description, schema, read: (typed) => typed || undefined };
}

/**
 * Every filter, in the order that help shows. To add a filter, add it here and its clause to
 * `store/filter-sql.ts`.
 */
export const FIELDS = {
  file: textField(
    "path",
    "Turns that touched this file, or a file below this directory",
    (path, { cwd, roots }): PathFilter => readPath(path, cwd, roots()),
  ),
  session: textField("id", "Turns of this session; the start of its id is enough", (id) => id),
  branch: textField("name", "Turns on this branch", (name) => name),
  since: textField(
    "when",
    'From then on: 2026-03-04, "2026-03-04 10:22", 3d, yesterday, "last week"',
    (when, { now }) => readTime(when, now).from.toISOString(),
  ),
  until: textField("when", "Up to then; a day or week is included", (when, { now }) =>
    readTime(when, now).to.toISOString(),
  ),
  role: {
    value: "role",
    description: "turn, compaction_summary or away_summary",
    schema: v.nullish(v.picklist(ROLES, "must be turn, compaction_summary or away_summary")),
    read: (role) => role,
  } as Field<TurnRole, TurnRole>,
  from: textField(
    "agent",
    "Turns of sessions with this coding agent, such as claude or codex; note: your notes",
    (id) => (id.toLowerCase() === "claude" ? "claude-code" : id.toLowerCase()),
  ),
  agent: textField("id", "Turns of this subagent", (id) => id),
  pr: {
    value: "number",
    description: "Turns of sessions linked to this pull request",
    schema: v.nullish(number),
    read: (pr) => pr,
  } as Field<number, number>,
  commit: {
    value: "hash",
    description: "Turns that made this commit; the first four digits or more",
    schema: v.nullish(CommitHash),
    read: (hash) => hash,
  } as Field<string, string>,
  author: {
    value: "name",
    description: "Turns of this member of the team; all for everybody's",
    schema: v.nullish(text),
    read: (name) => (name === ALL_AUTHORS ? undefined : name),
  } as Field<string, string | undefined>,
  human: flag("Turns of sessions that a human drove"),
  automated: flag("Turns of sessions that no human drove"),
};

export type FilterName = keyof typeof FIELDS;
