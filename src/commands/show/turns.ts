import { MementorError } from "../../errors.ts";
import type { TypedFilter } from "../../filter/filter.ts";
import { shortId } from "../../render/screen.ts";
import { sessionJson } from "../../render/sessions.ts";
import { renderTurns, turnSummaryJson } from "../../render/turns.ts";
import type { Runtime } from "../../runtime.ts";
import { requireSession } from "../../search/require-session.ts";
import type { SessionSummary } from "../../store/browse.ts";
import type { ReadStore } from "../../store/store.ts";
import { filterOf } from "../shared/filter.ts";
import { isOnlyTurnNumber } from "../shared/turn.ts";
import type { View } from "../shared/view.ts";

/** Lists the turns of a session that fit. */
export async function showTurns(
  { browse, search }: ReadStore,
  typed: string,
  options: TypedFilter,
  runtime: Runtime,
): Promise<View> {
  const session = await sessionOrFail({ browse, search }, typed);
  const turns = await browse.turnsOf(session.sessionId, await filterOf(options, runtime, browse));
  return {
    json: () => ({ session: sessionJson(session), turns: turns.map(turnSummaryJson) }),
    text: (screen) => renderTurns(session, turns, screen),
  };
}

/** A number is a turn's, not the start of an id; but a whole id may be a number. */
async function sessionOrFail(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  typed: string,
): Promise<SessionSummary> {
  const isNumber = isOnlyTurnNumber(typed) && (await browse.session(typed))?.sessionId !== typed;
  const [turn] = isNumber ? await search.turns([Number(typed)]) : [];
  if (!isNumber) return requireSession(browse, typed);
  if (turn === undefined)
    throw new MementorError("not_found", `There is no session "${typed}", and no turn ${typed}.`, {
      hint: "Give 8 characters of the session's id.",
    });
  throw new MementorError("not_found", `${typed} is the number of a turn, not the id of a session.`, {
    hint: `Its session: mementor show ${shortId(turn.sessionId)} --turns`,
  });
}
