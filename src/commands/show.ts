import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { renderSessionHeading, sessionJson } from "../render/sessions.ts";
import { renderTurn, renderTurnText, turnJson } from "../render/turn.ts";
import type { SessionSummary } from "../store/browse/types.ts";
import type { Store } from "../store/store.ts";
import type { StoredTurn } from "../store/types.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions, wholeNumber } from "./options.ts";
import { requireSession, type View, ViewOptions, view } from "./shared/view.ts";
import { rawSession, rawTurn } from "./show/raw.ts";

const Options = v.object({
  ...ViewOptions.entries,
  context: v.optional(wholeNumber(0, 1_000), "0"),
  raw: Flag,
});

export const run: RunCommand = async ({ args, options: typed }, runtime) => {
  const options = parseOptions(Options, typed);
  const [wanted = ""] = args;
  return view(runtime, options, async (store) => {
    const turn = /^\d{1,15}$/.test(wanted) ? (await store.search.turns([Number(wanted)]))[0] : undefined;
    if (turn) return options.raw ? rawTurn(store.browse, turn) : showTurn(store, turn, options.context);
    return showSession(store, await sessionOrFail(store, wanted), options.raw);
  });
};

async function sessionOrFail({ browse }: Store, wanted: string): Promise<SessionSummary> {
  const session = await browse.session(wanted);
  if (session === null && /^\d{1,15}$/.test(wanted))
    throw new MementorError("not_found", `There is no turn ${wanted}.`, {
      hint: "It may have been forgotten.",
    });
  return session ?? requireSession(browse, wanted);
}

async function showTurn({ browse }: Store, turn: StoredTurn, context: number): Promise<View> {
  const { before, after } = await browse.neighbours(turn.turnId, context);
  return {
    json: () => ({ ...turnJson(turn), before: before.map(turnJson), after: after.map(turnJson) }),
    text: ({ style, now }) =>
      [...before, turn, ...after].map((one) => renderTurn(one, style, now)).join("\n"),
  };
}

async function showSession({ browse, search }: Store, session: SessionSummary, raw: boolean): Promise<View> {
  if (raw) return rawSession(session);
  const summaries = await browse.turnsOf(session.sessionId);
  const turns = await search.turns(summaries.map(({ turnId }) => turnId));
  return {
    json: () => ({ session: sessionJson(session), turns: turns.map(turnJson) }),
    text: (screen) =>
      renderSessionHeading(session, screen) + turns.map((turn) => renderTurnText(turn, screen)).join("\n"),
  };
}
