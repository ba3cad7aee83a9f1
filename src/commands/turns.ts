import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { viewOptions } from "../command/common-options.ts";
import { MementorError } from "../errors.ts";
import type { ReadStore } from "../store/contract/store.ts";
import type { SessionSummary } from "../store/contract/types/browse.ts";
import { filterOf, filterOptions } from "./shared/filter.ts";
import { view } from "./shared/view.ts";

export const command = defineCommand({
  name: "turns",
  help: { group: "Ask", position: 5 },
  summary: "List the turns of a session; the start of its id is enough",
  arguments: { session: required("session", v.string()) },
  options: { ...filterOptions("session"), ...viewOptions },
  examples: ["mementor turns 1b7c0a52"],
  async run({ args, options }, runtime) {
    return view(runtime, options, async ({ browse, search }) => {
      const { sessionJson } = await import("../render/sessions.ts");
      const { renderTurns, turnSummaryJson } = await import("../render/turns.ts");
      const session = await sessionOrFail({ browse, search }, args.session);
      const turns = await browse.turnsOf(session.sessionId, await filterOf(options, runtime, browse));
      return {
        json: () => ({ session: sessionJson(session), turns: turns.map(turnSummaryJson) }),
        text: (screen) => renderTurns(session, turns, screen),
      };
    });
  },
});

/** A number is a turn's, not the start of an id; but a whole id may be a number. */
async function sessionOrFail(
  { browse, search }: Pick<ReadStore, "browse" | "search">,
  typed: string,
): Promise<SessionSummary> {
  const { isOnlyTurnNumber } = await import("./shared/turn.ts");
  const { requireSession } = await import("../search/require-session.ts");
  const isNumber = isOnlyTurnNumber(typed) && (await browse.session(typed))?.sessionId !== typed;
  const [turn] = isNumber ? await search.turns([Number(typed)]) : [];
  if (!isNumber) return requireSession(browse, typed);
  if (turn === undefined)
    throw new MementorError("not_found", `There is no session "${typed}", and no turn ${typed}.`, {
      hint: "Give 8 characters of the session's id.",
    });
  const { shortId } = await import("../render/screen.ts");
  throw new MementorError("not_found", `${typed} is the number of a turn, not the id of a session.`, {
    hint: `Its session: mementor turns ${shortId(turn.sessionId)}`,
  });
}
