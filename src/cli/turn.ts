import { MementorError } from "../errors.ts";
import type { SessionSummary } from "../store/browse.ts";
import type { SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";

/** Sessions are shown by this many characters of their ids, which may all be digits. */
const SESSION_CHARS = 8;

/** Whether an argument has the form of a turn's number. */
export function isTurnNumber(typed: string): boolean {
  return /^\d{1,15}$/.test(typed);
}

/** Whether an argument can be nothing but a turn's number: it is too short for a session of digits alone. */
export function isOnlyTurnNumber(typed: string): boolean {
  return isTurnNumber(typed) && typed.length < SESSION_CHARS;
}

/**
 * Returns the turn with this number. Null when the argument may name a session or a path instead. Rejects with
 * `not_found` when it can only be a number and no turn has it.
 */
export async function findTurn(
  search: Pick<SearchStore, "turns">,
  typed: string,
): Promise<StoredTurn | null> {
  const [turn] = isTurnNumber(typed) ? await search.turns([Number(typed)]) : [];
  if (turn) return turn;
  if (isOnlyTurnNumber(typed)) throw unknownTurn(typed);
  return null;
}

/** The error for a number that no turn has; `session` is the one whose id begins with it. */
export function unknownTurn(
  typed: string,
  session: Pick<SessionSummary, "sessionId"> | null = null,
): MementorError {
  const message = `There is no turn ${typed}.`;
  if (typed !== "0" && session !== null)
    return new MementorError("not_found", message, {
      hint: `A session's id begins with it: mementor show ${session.sessionId.slice(0, SESSION_CHARS)}`,
    });
  if (Number(typed) === 0)
    return new MementorError("not_found", message, { hint: "Turns are numbered from 1 on." });
  return new MementorError("not_found", message, {
    hint: 'It may have been forgotten. Run "mementor recent" or "mementor told" for a list of turns.',
  });
}
