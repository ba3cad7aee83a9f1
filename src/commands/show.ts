import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { viewOptions } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { wholeNumber } from "../command/schema.ts";
import { requireSession } from "../search/require-session.ts";
import type { SessionSummary } from "../store/browse/types.ts";
import type { Store } from "../store/store.ts";
import type { StoredTurn } from "../store/types.ts";
import { findTurn, isTurnNumber, unknownTurn } from "./shared/turn.ts";
import { type View, view } from "./shared/view.ts";

export const command = defineCommand({
  name: "show",
  help: { group: "Ask", position: 6 },
  summary: "Print a whole turn or session",
  arguments: { wanted: required("turn|session", v.string()) },
  options: {
    context: {
      value: "n",
      description: "Also show this many turns before and after it",
      schema: v.optional(wholeNumber(0, 1_000), "0"),
    },
    raw: flag("Print the original lines, while the transcript still exists"),
    ...viewOptions,
  },
  examples: ["mementor show 42", "mementor show 42 --context 2", "mementor show 1b7c0a52 --no-pager"],
  printsData: ({ options }) => options.raw === true,
  async run({ args: { wanted }, options }, runtime) {
    return view(runtime, options, async (store) => {
      const { rawTurn } = await import("./show/raw.ts");
      const turn = await findTurn(store.search, wanted);
      if (turn) return options.raw ? rawTurn(store.browse, turn) : showTurn(store, turn, options.context);
      return showSession(store, await sessionOrFail(store, wanted), options.raw);
    });
  },
});

async function sessionOrFail({ browse }: Store, wanted: string): Promise<SessionSummary> {
  if (isTurnNumber(wanted) && (await browse.session(wanted)) === null) throw unknownTurn(wanted);
  return requireSession(browse, wanted);
}

async function showTurn(store: Store, turn: StoredTurn, context: number): Promise<View> {
  const { renderResumeHint, renderTurn, turnJson } = await import("../render/turn.ts");
  const { before, after } = await store.browse.neighbours(turn.turnId, context);
  const marks = await store.marks.marksOf(turn.turnId);
  return {
    json: () => ({ ...turnJson(turn), marks, before: before.map(turnJson), after: after.map(turnJson) }),
    text: (screen) =>
      [...before, turn, ...after]
        .map((each) => renderTurn(each, screen.style, screen.now, each === turn ? marks : []))
        .join("\n") + renderResumeHint(turn, screen),
  };
}

async function showSession(
  { browse, search, marks }: Store,
  session: SessionSummary,
  raw: boolean,
): Promise<View> {
  const { renderSessionHeading, sessionJson } = await import("../render/sessions.ts");
  const { renderTurnText, turnJson } = await import("../render/turn.ts");
  const { rawSession } = await import("./show/raw.ts");
  if (raw) return rawSession(session);
  const summaries = await browse.turnsOf(session.sessionId);
  const turns = await search.turns(summaries.map(({ turnId }) => turnId));
  const marked = await Promise.all(
    turns.map(async (turn) => ({ turn, marks: await marks.marksOf(turn.turnId) })),
  );
  return {
    json: () => ({
      session: sessionJson(session),
      turns: marked.map(({ turn, marks }) => ({ ...turnJson(turn), marks })),
    }),
    text: (screen) =>
      renderSessionHeading(session, screen) +
      marked.map(({ turn, marks }) => renderTurnText(turn, screen, marks)).join("\n"),
  };
}
