import { NOTE } from "../constants.ts";
import { MementorError } from "../errors.ts";
import type { SessionSummary } from "../store/browse.ts";
import type { Filter, TypedFilter } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { nearest } from "../text/closest.ts";
import { shortHash } from "../text/identifiers.ts";

/** How many names a message offers. */
const OFFERED = 3;
/** How many of the busiest files are compared with a path that is not known. */
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
 * Rejects with `not_found` when a filter names what the memory does not know, such as a branch, a file or a member: an
 * empty list would look like an answer. The message offers the nearest that exist. An agent that mementor reads is known,
 * even where the memory has no session of it.
 */
export async function requireKnown(
  { agent, branch, session, file, from, author, pr, commit }: Filter,
  typed: Pick<TypedFilter, "file">,
  browse: Browse,
): Promise<void> {
  if (branch !== undefined) {
    const known = await browse.branches();
    if (!known.includes(branch)) throw unknownBranch(branch, known);
  }
  if (session !== undefined && (await browse.session(session)) === null)
    throw await unknownSession(session, browse);
  if (file !== undefined && !(await isKnownPath(file, browse)))
    throw await unknownPath(typed.file ?? "", browse);
  if (agent !== undefined) await requireSubagent(agent, browse);
  if (from !== undefined) await requireAgent(from, browse);
  if (author !== undefined) await requireAuthor(author, browse);
  if (pr !== undefined) await requirePr(pr, browse);
  if (commit !== undefined) await requireCommit(commit, browse);
}

/** An agent's name is taken for a subagent's id where people mean `--from`. */
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
    hint: offer(nearest(id, known), known),
  });
}

async function requireAuthor(author: string, browse: Browse): Promise<void> {
  const known = await browse.authors();
  if (known.includes(author)) return;
  throw new MementorError("not_found", `The memory has no turns of "${author}".`, {
    hint: known.length === 0 ? "It knows no members of a team." : offer(nearest(author, known), known),
  });
}

async function requirePr(pr: number, browse: Browse): Promise<void> {
  if ((await browse.prs({ limit: 1, prNumber: pr })).length > 0) return;
  const known = (await browse.prs({ limit: OFFERED })).map(({ prNumber }) => `#${prNumber}`);
  throw new MementorError("not_found", `The memory has no pull request ${pr}.`, {
    hint: known.length === 0 ? "It knows no pull requests yet." : offer([], known),
  });
}

async function requireCommit(hash: string, browse: Browse): Promise<void> {
  if ((await browse.commits({ limit: 1, hash })).length > 0) return;
  const known = (await browse.commits({ limit: OFFERED })).map((commit) => shortHash(commit.hash));
  throw new MementorError("not_found", `The memory has no commit "${hash}".`, {
    hint: known.length === 0 ? "It knows no commits yet." : offer([], known),
  });
}

async function isKnownPath(file: NonNullable<Filter["file"]>, browse: Browse): Promise<boolean> {
  if ((await browse.findPaths(file)).length > 0) return true;
  for (const below of file.below) if ((await browse.files({ limit: 1, below })).length > 0) return true;
  return false;
}

function unknownBranch(branch: string, known: readonly string[]): MementorError {
  return new MementorError("not_found", `The memory has no branch "${branch}".`, {
    hint: known.length === 0 ? "It knows no branches at all." : offer(nearest(branch, known), known),
  });
}

/** The error for a session that the memory does not know, with the nearest or the latest ids. */
async function unknownSession(typed: string, browse: Pick<Browse, "sessions">): Promise<MementorError> {
  const { sessions } = await browse.sessions({}, { limit: 1_000 });
  const ids = sessions.map(({ sessionId }) => sessionId);
  const near = ids.filter((id) => id.slice(0, 4) === typed.slice(0, 4));
  return new MementorError("not_found", `There is no session "${typed}".`, {
    hint: ids.length === 0 ? "It has no sessions yet." : `${offer(near, ids)} The start of an id is enough.`,
  });
}

/** The error for a path that the memory does not know; `what` names all that it could have been. */
export async function unknownPath(
  typed: string,
  browse: Pick<Browse, "files">,
  what = "file or directory",
): Promise<MementorError> {
  const files = await browse.files({ limit: COMPARED_FILES });
  const paths = files.map(({ path }) => path);
  return new MementorError("not_found", `The memory has no ${what} "${typed}".`, {
    hint: paths.length === 0 ? "It knows no files yet." : offer(nearest(typed, paths), paths),
  });
}

/** Offers the nearest names, or the first of all where none is near. */
function offer(near: readonly string[], all: readonly string[]): string {
  return near.length > 0
    ? `Nearest: ${near.slice(0, OFFERED).join(", ")}.`
    : `There is, for example: ${all.slice(0, OFFERED).join(", ")}.`;
}

/** Returns the session with this id, or whose id alone starts with it; throws `not_found` when there is none. */
export async function requireSession(
  browse: Pick<BrowseStore, "session" | "sessions">,
  idOrPrefix: string,
): Promise<SessionSummary> {
  const session = await browse.session(idOrPrefix);
  if (session) return session;
  throw await unknownSession(idOrPrefix, browse);
}
