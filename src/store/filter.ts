import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { ALL_AUTHORS, FIELDS, type Field, type FilterContext, type FilterName } from "./filter-fields.ts";

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
