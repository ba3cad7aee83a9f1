import { FORGET } from "../constants.ts";
import { MementorError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import type { SessionSummary } from "../store/browse.ts";
import type { ForgetSelection } from "../store/forget.ts";
import type { ReadStore, SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";

/** A session id prefix that is long enough to be unambiguous, because its turns may be removed. */
const MAY_BE_SESSION = new RegExp(`^[\\w-]{${FORGET.minSessionChars},}$`);
/** What could be the start of a session's id and is too short. */
const SHORT = new RegExp(`^[\\da-f]{1,${FORGET.minSessionChars - 1}}$`, "i");

/**
 * Finds what an argument names: a number is a turn; anything else is a session or a stored path. Rejects with `not_found`
 * and `otherwise`, a hint at what else can be done, when it names nothing.
 */
export async function namedTurns(
  { browse, search }: ReadStore,
  typed: string,
  { host }: Runtime,
  otherwise: string,
): Promise<ForgetSelection> {
  const turn = await findTurn(search, typed);
  if (turn) return { turnIds: [turn.turnId] };
  const { typedPath } = await import("../recall/file-history.ts");
  const named = typedPath(typed, host.cwd);
  const { exact, below } = named;
  const known = await browse.findPaths(named);
  const paths = known.some((path) => exact.includes(path)) ? exact : known;
  const session = MAY_BE_SESSION.test(typed) ? await browse.session(typed) : null;
  if (session && paths.length > 0)
    throw new MementorError("usage", `"${typed}" is a session and a file.`, {
      hint: `For the file, write "${paths === exact ? `./${typed}` : paths[0]}". For the session, write its whole id: ${session.sessionId}.`,
    });
  if (session) return { sessionId: session.sessionId };
  if (paths === exact) return { paths: exact };
  if (paths.length > 1)
    throw new MementorError("usage", `Several files end in "${typed}".`, {
      hint: ["Which one?", ...paths].join("\n  "),
    });
  if (paths.length === 1) return { paths };
  // The project's root is not a target: it would remove everything.
  const directories = below.filter((path) => path !== "");
  for (const directory of directories)
    if ((await browse.files({ limit: 1, below: directory })).length > 0) return { paths: directories };
  throw new MementorError("not_found", `The memory has no turn, session or file "${typed}".`, {
    hint: SHORT.test(typed)
      ? `Of a session's id give at least ${FORGET.minSessionChars} characters.`
      : otherwise,
  });
}

/** Sessions are shown by this many characters of their ids, which may all be digits. */
const SESSION_CHARS = 8;

/** Tells whether an argument has the form of a turn's number. */
export function isTurnNumber(typed: string): boolean {
  return /^\d{1,15}$/.test(typed);
}

/** Tells whether an argument can be nothing but a turn's number: it is too short for a session of digits alone. */
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
