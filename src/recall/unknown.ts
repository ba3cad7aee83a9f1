import { NOTE } from "../constants.ts";
import { MementorError } from "../errors.ts";
import type { SessionSummary } from "../store/browse.ts";
import type { Filter, FilterName, TypedFilter } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { shortHash } from "../text/identifiers.ts";
import { onOneLine } from "../text/lines.ts";
import { similarNames } from "../text/mistakes.ts";

/** Maximum names in a message. */
const OFFERED = 3;
/** Number of most touched files to compare with an unknown path. */
const COMPARED_FILES = 5_000;

type Browse = Pick<
  BrowseStore,
  | "authors"
  | "branches"
  | "clients"
  | "commits"
  | "count"
  | "files"
  | "findPaths"
  | "prs"
  | "session"
  | "sessions"
>;

/**
 * Rejects with `not_found` when a filter names something unknown to the memory, such as a branch, a file or a member: an empty
 * list would look like an answer. The message suggests the most similar names. A supported agent is known, even if the memory has
 * no session of it.
 */
export async function requireKnown(
  filter: Filter,
  typed: Pick<TypedFilter, "file">,
  browse: Browse,
): Promise<void> {
  const { agent, session, file, from } = filter;
  if (session !== undefined && (await browse.session(session)) === null)
    throw await unknownSession(session, browse);
  if (file !== undefined && !(await isKnownPath(file, browse)))
    throw await unknownPath(typed.file ?? "", browse);
  if (agent !== undefined) await requireSubagent(agent, browse);
  if (from !== undefined) await requireAgent(from, browse);
  for (const name of NAMED_FILTERS) await requireNamed(name, filter[name], browse);
}

/** A known name with its description, which may be empty. */
export interface KnownName {
  word: string;
  description: string;
}

/** A filter whose names a memory can list. */
interface Named {
  /** Returns all known names, or the latest. */
  names: (browse: Browse) => Promise<KnownName[]>;
  /** Tells whether the memory knows a name; absent if `names` returns all. */
  has?: (value: string | number, browse: Browse) => Promise<boolean>;
  unknown: (value: string | number) => string;
  none: string;
}

const LATEST = { limit: 30 };

/** Filters whose names a memory can list: unknown names are rejected, and the command line completes known ones. */
const NAMED = {
  branch: {
    names: async (browse) => (await browse.branches()).map(alone),
    unknown: (name) => `The memory has no branch "${name}".`,
    none: "It has no branches.",
  },
  author: {
    names: async (browse) => (await browse.authors()).map(alone),
    unknown: (name) => `The memory has no turns of "${name}".`,
    none: "It has no team members.",
  },
  pr: {
    names: async (browse) =>
      (await browse.prs(LATEST)).map((pr) => ({ word: `${pr.prNumber}`, description: pr.prRepository })),
    has: async (pr, browse) => (await browse.prs({ limit: 1, prNumber: Number(pr) })).length > 0,
    unknown: (pr) => `The memory has no pull request ${pr}.`,
    none: "It has no pull requests yet.",
  },
  commit: {
    names: async (browse) =>
      (await browse.commits(LATEST)).map(({ hash, message }) => ({
        word: shortHash(hash),
        description: message ?? "",
      })),
    has: async (hash, browse) => (await browse.commits({ limit: 1, hash: String(hash) })).length > 0,
    unknown: (hash) => `The memory has no commit "${hash}".`,
    none: "It has no commits yet.",
  },
} satisfies { [Name in FilterName]?: Named };

/** A filter whose names a memory can list. */
export type NamedFilter = keyof typeof NAMED;

/** The names of all such filters. */
export const NAMED_FILTERS = Object.keys(NAMED).filter((name): name is NamedFilter => name in NAMED);

const alone = (word: string): KnownName => ({ word, description: "" });

/** Lists the names that a memory knows for a filter: all, or the latest. */
export function namesFor(filter: NamedFilter, browse: Browse): Promise<KnownName[]> {
  return NAMED[filter].names(browse);
}

async function requireNamed(
  filter: NamedFilter,
  value: string | number | undefined,
  browse: Browse,
): Promise<void> {
  if (value === undefined) return;
  const { has, names, unknown, none }: Named = NAMED[filter];
  if (await has?.(value, browse)) return;
  const known = (await names(browse)).map(({ word }) => word);
  if (has === undefined && known.includes(String(value))) return;
  const near = has === undefined ? similarNames(String(value), known) : [];
  throw new MementorError("not_found", unknown(value), {
    hint: known.length === 0 ? none : offer(near, known),
  });
}

/** Rejects an agent's name in place of a subagent's id, because people then mean `--from`. */
async function requireSubagent(id: string, browse: Browse): Promise<void> {
  const { AGENTS } = await import("../agents/list.ts");
  const typed = id.toLowerCase() === "claude" ? "claude-code" : id.toLowerCase();
  if ((await browse.count("turns", { filter: { agent: id } })) > 0) return;
  const isAgent = AGENTS.some((agent) => agent.id === typed);
  throw new MementorError("not_found", `There is no subagent "${id}".`, {
    hint: isAgent
      ? `For turns of sessions with that agent: --from ${typed}`
      : 'Name one by the id that "mementor show <session> --turns" shows.',
  });
}

async function requireAgent(id: string, browse: Browse): Promise<void> {
  const { AGENTS } = await import("../agents/list.ts");
  const readable: string[] = [...AGENTS.map((agent) => agent.id), NOTE.client];
  if (readable.includes(id)) return;
  const stored = (await browse.clients({})).map(({ client }) => client);
  if (stored.includes(id)) return;
  const known = [...new Set([...stored, ...readable])];
  throw new MementorError("not_found", `There is no agent "${id}".`, {
    hint: offer(similarNames(id, known), known),
  });
}

async function isKnownPath(file: NonNullable<Filter["file"]>, browse: Browse): Promise<boolean> {
  if ((await browse.findPaths(file)).length > 0) return true;
  for (const below of file.below) if ((await browse.files({ limit: 1, below })).length > 0) return true;
  return false;
}

/** Returns the error for an unknown session, with the most similar or the latest ids. */
async function unknownSession(typed: string, browse: Pick<Browse, "sessions">): Promise<MementorError> {
  const { sessions } = await browse.sessions({}, { limit: 1_000 });
  const ids = sessions.map(({ sessionId }) => sessionId);
  const near = ids.filter((id) => id.slice(0, 4) === typed.slice(0, 4));
  return new MementorError("not_found", `There is no session "${typed}".`, {
    hint: ids.length === 0 ? "It has no sessions yet." : `${offer(near, ids)} The start of an id is enough.`,
  });
}

/** Returns the error for an unknown path; `what` names the possible kinds. */
export async function unknownPath(
  typed: string,
  browse: Pick<Browse, "files">,
  what = "file or directory",
): Promise<MementorError> {
  const files = await browse.files({ limit: COMPARED_FILES });
  const paths = files.map(({ path }) => path);
  return new MementorError("not_found", `The memory has no ${what} "${typed}".`, {
    hint: paths.length === 0 ? "It has no files yet." : offer(similarNames(typed, paths), paths),
  });
}

/**
 * Suggests the most similar names, or the first of all if none is similar. Names come from others, too, so each stays on one
 * line.
 */
function offer(near: readonly string[], all: readonly string[]): string {
  const names = (near.length > 0 ? near : all).slice(0, OFFERED).map(onOneLine).join(", ");
  return near.length > 0 ? `Nearest: ${names}.` : `Known ones include: ${names}.`;
}

/** Returns the session with this id, or the only one whose id starts with it; throws `not_found` when there is none. */
export async function requireSession(
  browse: Pick<BrowseStore, "session" | "sessions">,
  idOrPrefix: string,
): Promise<SessionSummary> {
  const session = await browse.session(idOrPrefix);
  if (session) return session;
  throw await unknownSession(idOrPrefix, browse);
}
