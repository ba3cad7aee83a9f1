import { isAbsolute, relative, resolve, sep } from "node:path";
import * as v from "valibot";
import type { TurnRole } from "../domain.ts";
import { MementorError } from "../errors.ts";
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
  const inside = roots.flatMap((root) => relativePath(root, absolute));
  const isAnchored = /^(?:\.{1,2}(?:\/|$)|\/|[A-Za-z]:\/)/.test(path);
  const isDirectory = plain !== path;
  const exact = [...new Set([...inside, absolute.replaceAll(sep, "/"), ...(isAnchored ? [] : [plain])])];
  return {
    exact: isDirectory ? [] : exact.filter((name) => name !== ""),
    // The project's root contains every relative path.
    below: exact.map((name) => (name === "" ? "" : `${name.replace(/\/$/, "")}/`)),
    suffix: isAnchored || isDirectory ? null : plain,
  };
}

/** Returns the path relative to a root, "" for the root itself; no path when it is outside the root. */
function relativePath(root: string, absolute: string): string[] {
  const path = relative(root, absolute);
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? [] : [path.replaceAll(sep, "/")];
}

/** The surroundings that give typed values their meaning. */
interface FilterContext {
  now: Date;
  /** Directory where relative paths start. */
  cwd: string;
  /** Returns the project's directories. Called only when a path was typed. */
  roots: () => readonly string[];
  /** True for arguments of a tool instead of options. Errors name them accordingly. */
  isTool?: boolean;
}

/** A filter field: an option of the command line, an argument of a tool, and a value of `Filter`. */
interface Field<Typed, Value> {
  /** Placeholder of the value in help; null for a flag. */
  value: string | null;
  description: string;
  /** Checks the typed value. Clients of tools send null for a missing value, and numbers as numbers. */
  schema: v.GenericSchema<unknown, Typed | null | undefined>;
  /** Converts the typed value to the filter's value. Throws `usage`. */
  read: (typed: Typed, context: FilterContext) => Value;
}

/** Author value that includes everyone. */
export const ALL_AUTHORS = "all";

const MAX_CHARS = 20_000;
const ROLES = ["turn", "compaction_summary", "away_summary"] as const satisfies readonly TurnRole[];

const text = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.nonEmpty("must not be empty"),
  v.maxLength(MAX_CHARS, `must have at most ${MAX_CHARS} characters`),
);
const NUMBER = "must be a whole number, at least 1";
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

/** A commit's hash, abbreviated to four digits or more. */
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

/** All filters in the order of help. A new filter needs an entry here and a clause in `store/filter-sql.ts`. */
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
  until: textField("when", "Until then, including the named day or week", (when, { now }) =>
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
    description: "Turns that made this commit; at least its first four digits",
    schema: v.nullish(CommitHash),
    read: (hash) => hash,
  } as Field<string, string>,
  author: {
    value: "name",
    description: "Turns of this team member; all: everybody's",
    schema: v.nullish(text),
    read: (name) => (name === ALL_AUTHORS ? undefined : name),
  } as Field<string, string | undefined>,
  human: flag("Turns of sessions with a human"),
  automated: flag("Turns of sessions without a human"),
};

export type FilterName = keyof typeof FIELDS;

type TypedOf<Name extends FilterName> =
  (typeof FIELDS)[Name] extends Field<infer Typed, unknown> ? Typed : never;

/** The values of all filters after parsing. */
export type FilterValues = {
  [Name in FilterName]: NonNullable<ReturnType<(typeof FIELDS)[Name]["read"]>>;
};

/**
 * Narrows a list. A filter has the same meaning in every list, on the command line and in tools.
 *
 * A turn matches when all given filters hold for it; a session, commit, file or pull request matches when one of its turns does.
 * The time of a turn is its start. `since` and `until` are ISO 8601 and inclusive; a turn without a time matches neither. `pr`,
 * `human` and `automated` hold for all turns of a session. An unknown branch, session or file matches no turn.
 */
export type Filter = Partial<FilterValues> & {
  /** Includes only the user's turns and those of these team members; with an empty list, only the user's. */
  others?: readonly string[];
  /** Excludes the turns of these members. */
  withoutAuthors?: readonly string[];
  /** Excludes the notes that agents wrote. */
  withoutAgentNotes?: boolean;
  /** Excludes the turns in this agent's context. Only in a memory's file. */
  inContext?: Asker;
};

/** An agent that asks, whose context already contains its own turns. */
export interface Asker {
  sessionId: string;
  /** Id of a subagent, whose context holds only its own turns of the session; absent for the main conversation. */
  agentId?: string;
  /** The part of its transcript that the memory has not read: ids of prompts, and answers it got; absent when unknown. */
  unread?: { prompts: readonly string[]; isCompacted: boolean; answers: readonly string[] };
}

/** The turns that hooks may show, by author and kind. */
export type TellFilter = Pick<Filter, "others" | "withoutAuthors" | "withoutAgentNotes">;

/** Typed filters after validation. An absent, null or false value does not narrow. */
export type TypedFilter = { [Name in FilterName]?: TypedOf<Name> | null | undefined };

/** Narrows to the turns of an author; to the user's own by default, and not at all for `all`. */
export function authorOrOwn(author: string | null | undefined): Pick<Filter, "author" | "others"> {
  if (author === null || author === undefined) return { others: [] };
  return author === ALL_AUTHORS ? {} : { author };
}

/** Returns the names of all filters except these, in the order of help. */
export function filtersBut<Left extends FilterName = never>(...left: readonly Left[]) {
  const isLeft = new Set<string>(left);
  return names.filter((name): name is Exclude<FilterName, Left> => !isLeft.has(name));
}

const names: readonly FilterName[] = Object.keys(FIELDS).filter((name): name is FilterName => name in FIELDS);

/** Returns the schemas of these filters with descriptions, as entries of an object schema. */
export function filterEntries<Name extends FilterName>(wanted: readonly Name[]) {
  return Object.fromEntries(wanted.map((name) => [name, described(name)])) as {
    [N in Name]: v.OptionalSchema<v.GenericSchema<unknown, TypedOf<N> | null | undefined>, undefined>;
  };
}

function described(name: FilterName): unknown {
  const { schema, description } = FIELDS[name];
  return v.pipe(schema as v.GenericSchema, v.description(description));
}

/** Builds a filter from typed values. Throws `usage` for an invalid time and for filters that exclude each other. */
export function readFilter(typed: TypedFilter, context: FilterContext): Filter {
  const filter = Object.assign({}, ...names.map((name) => readField(name, typed, context))) as Filter;
  const { since, until, human, automated } = filter;
  const shown = (name: FilterName) => (context.isTool ? `"${name}"` : `--${name}`);
  if (since !== undefined && until !== undefined && since > until)
    throw new MementorError(
      "usage",
      `${shown("since")} ${typed.since} is later than ${shown("until")} ${typed.until}.`,
      {
        hint: "Swap them, or leave one out.",
      },
    );
  if (human && automated)
    throw new MementorError("usage", `${shown("human")} and ${shown("automated")} exclude each other.`, {
      hint: "Leave one out; without either, sessions of both kinds are shown.",
    });
  return filter;
}

function readField<Name extends FilterName>(name: Name, typed: TypedFilter, context: FilterContext): object {
  const field = FIELDS[name] as unknown as Field<TypedFilter[Name], unknown>;
  const given = typed[name];
  const value = given === undefined || given === null ? undefined : field.read(given, context);
  return value === undefined ? {} : { [name]: value };
}
