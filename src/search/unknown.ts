import { MementorError } from "../errors.ts";
import type { Filter, TypedFilter } from "../filter/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { nearest } from "../text/closest.ts";

/** How many names a message offers. */
const OFFERED = 3;
/** How many of the busiest files are compared with a path that is not known. */
const COMPARED_FILES = 5_000;

type Browse = Pick<BrowseStore, "branches" | "files" | "findPaths" | "session" | "sessions">;

/**
 * Rejects with `not_found` when a filter names a branch, a session or a file that the memory does not know: an empty list
 * would look like an answer. The message offers the nearest that exist.
 */
export async function requireKnown(
  { branch, session, file }: Filter,
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
export async function unknownSession(
  typed: string,
  browse: Pick<Browse, "sessions">,
): Promise<MementorError> {
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
