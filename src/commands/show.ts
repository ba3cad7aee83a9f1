import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { viewOptions } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { wholeNumber } from "../command/schema.ts";
import { requireSession } from "../search/require-session.ts";
import type { ReadStore } from "../store/contract/store.ts";
import type { SessionSummary } from "../store/contract/types/browse.ts";
import type { MarkKind } from "../store/contract/types/marks.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { isOnlyTurnNumber, isTurnNumber, unknownTurn } from "./shared/turn.ts";
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
    thinking: flag("Show all that the assistant thought, not only the first line of each thought"),
    ...viewOptions,
  },
  examples: ["mementor show 42", "mementor show 42 --context 2", "mementor show 1b7c0a52 --no-pager"],
  printsData: ({ options }) => options.raw === true,
  async run({ args: { wanted }, options }, runtime) {
    return view(runtime, options, async (store) => {
      const { rawSession, rawTurn } = await import("./show/raw.ts");
      const [turn] = isTurnNumber(wanted) ? await store.search.turns([Number(wanted)]) : [];
      if (turn) return options.raw ? rawTurn(store, turn) : showTurn(store, turn, options);
      const session = await sessionOrFail(store, wanted);
      return options.raw ? rawSession(store, session) : showSession(store, session, options.thinking);
    });
  },
});

async function sessionOrFail({ browse }: ReadStore, wanted: string): Promise<SessionSummary> {
  if (!isTurnNumber(wanted)) return requireSession(browse, wanted);
  const session = await browse.session(wanted);
  if (session === null || isOnlyTurnNumber(wanted)) throw unknownTurn(wanted, session);
  return session;
}

async function showTurn(
  store: ReadStore,
  turn: StoredTurn,
  { context, thinking }: { context: number; thinking: boolean },
): Promise<View> {
  const { renderNext, renderResumeHint, renderTurn, turnJson, withoutPromptOf } = await import(
    "../render/turn.ts"
  );
  const around = await store.browse.neighbours(turn.turnId, context + 1);
  const [before, after] = [
    around.before.slice(Math.max(0, around.before.length - context)),
    around.after.slice(0, context),
  ];
  const marks = await marksOf(store, turn);
  const shown = [...before, turn, ...after];
  const next = around.after[context];
  return {
    json: () => ({ ...turnJson(turn), marks, before: before.map(turnJson), after: after.map(turnJson) }),
    text: (screen) =>
      shown
        .map((each, at) =>
          renderTurn(withoutPromptOf(each, shown[at + 1] ?? next), screen, {
            thinking,
            marks: each === turn ? marks : [],
          }),
        )
        .join("\n") +
      renderNext(shown.at(-1) ?? turn, next, screen) +
      renderResumeHint(turn, screen),
  };
}

/** Marks are a person's own: a team's database has none. */
async function marksOf({ local }: ReadStore, { turnId }: StoredTurn): Promise<MarkKind[]> {
  return local === null ? [] : local.marks.marksOf(turnId);
}

async function showSession(store: ReadStore, session: SessionSummary, thinking: boolean): Promise<View> {
  const { sessionJson } = await import("../render/sessions.ts");
  const { turnJson } = await import("../render/turn.ts");
  const { renderSession } = await import("../render/session-text.ts");
  const summaries = await store.browse.turnsOf(session.sessionId);
  const turns = await store.search.turns(summaries.map(({ turnId }) => turnId));
  const marked = await Promise.all(turns.map(async (turn) => ({ turn, marks: await marksOf(store, turn) })));
  return {
    json: () => ({
      session: sessionJson(session),
      turns: marked.map(({ turn, marks }) => ({ ...turnJson(turn), marks })),
    }),
    text: (screen) => renderSession(session, { summaries, marked }, screen, thinking),
  };
}
