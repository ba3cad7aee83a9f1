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
interface FilterContext {
  now: Date;
  /** Where relative paths start. */
  cwd: string;
  /** The project's directories. Asked only when a path was typed. */
  roots: () => readonly string[];
  /** Whether they are arguments of a tool, not options: errors name them accordingly. */
  isTool?: boolean;
}

/** One way to narrow a list: an option of the command line, an argument of a tool, and a value of `Filter`. */
interface Field<Typed, Value> {
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

type TypedOf<Name extends FilterName> =
  (typeof FIELDS)[Name] extends Field<infer Typed, unknown> ? Typed : never;

/** What each filter holds, once read. */
export type FilterValues = {
  [Name in FilterName]: NonNullable<ReturnType<(typeof FIELDS)[Name]["read"]>>;
};

/**
 * Narrows what a list shows. A filter means the same in every list, on the command line and in tools.
 *
 * A turn fits when all given filters hold for it; a session, a commit, a file or a pull request when one of its turns fits.
 * The time of a turn is when it began. `since` and `until` are ISO 8601 and inclusive; a turn without a time fits neither.
 * `pr`, `human` and `automated` hold for all turns of a session. A branch, session or file that the memory does not know
 * fits no turn.
 */
export type Filter = Partial<FilterValues> & {
  /** Takes one's own turns and those of these members of the team; with an empty list, only one's own. */
  others?: readonly string[];
  /** Leaves out the turns of these members. */
  withoutAuthors?: readonly string[];
  /** Leaves out the notes that agents wrote. */
  withoutAgentNotes?: boolean;
  /** Leaves out the turns that whoever asks still sees. Only a memory's file knows them. */
  inContext?: Asker;
};

/** An agent that asks: what it was told and said itself is no news to it. */
export interface Asker {
  sessionId: string;
  /** A subagent, which sees nothing of its session but its own turns; the main conversation when absent. */
  agentId?: string;
  /** What its transcript has behind what the memory has read: ids of prompts, and what it was answered; absent where that is not known. */
  unread?: { prompts: readonly string[]; isCompacted: boolean; answers: readonly string[] };
}

/** What hooks may tell: whose turns, and whether notes of agents. */
export type MayTell = Pick<Filter, "others" | "withoutAuthors" | "withoutAgentNotes">;

/** Filters as they were typed, after validation. One that is absent, null or false does not narrow. */
export type TypedFilter = { [Name in FilterName]?: TypedOf<Name> | null | undefined };

/** Narrows to the turns of an author: to one's own when none is given, to nothing for `all`. */
export function authorOrOwn(author: string | null | undefined): Pick<Filter, "author" | "others"> {
  if (author === null || author === undefined) return { others: [] };
  return author === ALL_AUTHORS ? {} : { author };
}

/** Names of all filters but these, in the order of help. */
export function filtersBut<Left extends FilterName = never>(...left: readonly Left[]) {
  const isLeft = new Set<string>(left);
  return names.filter((name): name is Exclude<FilterName, Left> => !isLeft.has(name));
}

const names: readonly FilterName[] = Object.keys(FIELDS).filter((name): name is FilterName => name in FIELDS);

/** Schemas of these filters, with their descriptions, for the entries of an object schema. */
export function filterEntries<Name extends FilterName>(wanted: readonly Name[]) {
  return Object.fromEntries(wanted.map((name) => [name, described(name)])) as {
    [N in Name]: v.OptionalSchema<v.GenericSchema<unknown, TypedOf<N> | null | undefined>, undefined>;
  };
}

function described(name: FilterName): unknown {
  const { schema, description } = FIELDS[name];
  return v.pipe(schema as v.GenericSchema, v.description(description));
}

/** Makes a filter of typed values; throws `usage` for a time that cannot be read and for what excludes itself. */
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
      hint: "Leave one out; without them sessions of both kinds are shown.",
    });
  return filter;
}

function readField<Name extends FilterName>(name: Name, typed: TypedFilter, context: FilterContext): object {
  const field = FIELDS[name] as unknown as Field<TypedFilter[Name], unknown>;
  const given = typed[name];
  const value = given === undefined || given === null ? undefined : field.read(given, context);
  return value === undefined ? {} : { [name]: value };
}
