import { FORGET } from "../constants.ts";
import { MementorError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import type { ForgetSelection } from "../store/forget.ts";
import type { ReadStore } from "../store/store.ts";
import { findTurn } from "./turn.ts";

/** The start of a session's id, long enough to be no guess: its turns are about to be removed. */
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
  const { typedPath } = await import("../recall/typed-path.ts");
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
