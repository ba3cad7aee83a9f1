import * as v from "valibot";
import { openOrWithout } from "../../embed/optional.ts";
import { MementorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import type { AnswerMarkKind, TurnMarkKind } from "../../store/marks.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { compareTimes } from "../../text/when.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, oneOf, optional, viewOptions, wholeNumber } from "../command-line/option.ts";
import { printResult, viewLocal } from "../terminal/view.ts";
import { markJson, renderAnswerMarked, renderMarks, renderTurnMarked } from "./mark/text.ts";
import type { Answer } from "./told/text.ts";

const AnswerNumber = v.optional(wholeNumber(1));

export const command = defineCommand({
  name: "mark",
  help: { group: "Teach", position: 2 },
  summary: "Say what you think of answers and turns, or list what you said",
  arguments: {
    kind: optional("action", oneOf(["good", "bad", "mute", "pin"])),
    number: optional("number", v.string()),
    turn: optional("turn", wholeNumber(1)),
  },
  actions: [
    ["(nothing)", "List what is marked: good and bad answers, muted and pinned turns"],
    ["good [answer] [turn]", "An answer of the hooks was good; without a number, the newest"],
    ["bad [answer] [turn]", "An answer was bad: its turns are not told for prompts like it"],
    ["mute <turn>", "Keep a turn out of all hooks; search still finds it"],
    ["pin <turn>", "Keep a turn when older ones are removed by age or size"],
  ],
  options: { undo: flag("Take the mark back"), ...viewOptions },
  examples: [
    "mementor mark",
    "mementor mark good",
    "mementor mark bad 12 42",
    "mementor mark mute 42 --undo",
  ],
  async run({ args: { kind, number, turn }, options }, runtime) {
    if (kind === undefined) {
      if (options.undo) throw misused("Say which mark to take back.", "mementor mark mute 42 --undo");
      return listMarks(runtime, options);
    }
    if (kind === "good" || kind === "bad") {
      const answer = v.safeParse(AnswerNumber, number);
      if (!answer.success) throw misused(`<answer> ${answer.issues[0].message}.`, `mementor mark ${kind} 12`);
      return markAnswer(runtime, kind, { answer: answer.output, turn }, options);
    }
    if (number === undefined) throw misused("<turn> is missing.", `mementor mark ${kind} 42`);
    if (turn !== undefined)
      throw misused(`One turn at a time: not also ${turn}.`, `mementor mark ${kind} 42`);
    return markTurn(runtime, kind, number, options);
  },
});

function misused(message: string, example: string): MementorError {
  return new MementorError("usage", message, { hint: `For example: ${example}` });
}

/** Lists all marks, the latest first. */
async function listMarks(runtime: Runtime, options: { json: boolean; pager: boolean }): Promise<number> {
  return viewLocal(runtime, options, async ({ marks, search }) => {
    const found = [...(await marks.turnMarks()), ...(await marks.answerMarks())];
    found.sort((a, b) => compareTimes(b.time, a.time));
    const ids = [...new Set(found.map(({ turnId }) => turnId))];
    const turns = new Map((await search.turns(ids)).map((turn) => [turn.turnId, turn]));
    return {
      json: () => ({ marks: found.map((mark) => markJson(mark, turns)) }),
      text: (screen) => renderMarks(found, turns, screen),
    };
  });
}

/**
 * Mutes or pins a turn, or takes that back.
 *
 * @throws `not_found` for a turn that does not exist.
 */
async function markTurn(
  runtime: Runtime,
  kind: TurnMarkKind,
  typed: string,
  { undo, json }: { undo: boolean; json: boolean },
): Promise<number> {
  const { findTurn, isTurnNumber, unknownTurn } = await import("../named-turns.ts");
  await using store = await runtime.openStore("readwrite");
  const turn = await findTurn(store.search, typed);
  if (turn === null)
    throw isTurnNumber(typed)
      ? unknownTurn(typed)
      : new MementorError("not_found", `${JSON.stringify(typed)} is not the number of a turn.`, {
          hint: 'Run "mementor recent" or "mementor told" for a list of turns.',
        });
  const changed = await (undo ? store.marks.unmark(turn.turnId, kind) : store.marks.mark(turn.turnId, kind));
  const done = { kind, undo, changed };
  return printResult(
    runtime,
    { json },
    { turn_id: turn.turnId, mark: kind, marked: !undo, changed },
    (_, screen) => renderTurnMarked(turn, done, screen.program),
  );
}

interface MarkTarget {
  answer: number | undefined;
  turn: number | undefined;
}

/**
 * Marks the turns of an answer, or removes the mark. Without a number, marks the newest answer to a prompt, and unmarks the one
 * that was marked last.
 *
 * @throws `not_found` when there is no such answer; `usage` for a turn that is not in it.
 */
async function markAnswer(
  runtime: Runtime,
  kind: AnswerMarkKind,
  wanted: MarkTarget,
  { undo, json }: { undo: boolean; json: boolean },
): Promise<number> {
  const { storeWaiting } = await import("../memory.ts");
  await storeWaiting(runtime);
  await using store = await runtime.openStore("readwrite");
  const answer = await findAnswer(store, kind, wanted, undo);
  const turnIds = turnsOf(answer, wanted.turn);
  const replaced = undo ? [] : await mark(runtime, store, { answer, turnIds, kind });
  const count = undo ? await store.marks.unmarkAnswer(answer.id, turnIds, kind) : turnIds.length;
  const done = { kind, undo, turnIds, count, replaced };
  return printResult(
    runtime,
    { json },
    {
      answer: answer.id,
      mark: kind,
      marked: !undo,
      turns: turnIds,
      changed: count,
      replaced,
    },
    (_, screen) => renderAnswerMarked(answer, done, screen),
  );
}

async function findAnswer(
  store: SqliteStore,
  kind: AnswerMarkKind,
  { answer: id }: MarkTarget,
  undo: boolean,
): Promise<Answer> {
  const { answersOf, noAnswer } = await import("./told/answers.ts");
  if (id !== undefined) {
    const [answer] = await answersOf(store, { limit: 1, id });
    if (answer === undefined) throw noAnswer(id);
    return answer;
  }
  if (undo) {
    const marked = (await store.marks.answerMarks()).filter((mark) => mark.kind === kind);
    const last = marked.map(({ answerId }) => answerId).find((answerId) => answerId !== null);
    const [answer] = last === undefined ? [] : await answersOf(store, { limit: 1, id: last });
    if (answer !== undefined) return answer;
    throw new MementorError("not_found", `No answer is marked as ${kind}.`, {
      hint: 'Run "mementor mark" for a list of all marks.',
    });
  }
  const [newest] = await answersOf(store, { limit: 1, toldBy: "user-prompt-submit" });
  if (newest !== undefined) return newest;
  throw new MementorError("not_found", "No prompt was answered yet.", {
    hint: 'Run "mementor told" for a list of answers.',
  });
}

/** Returns the turns to mark: those of the answer, or one of them. */
function turnsOf({ id, decision, turns }: Answer, wanted: number | undefined): number[] {
  const told = decision === "told" ? turns.map(({ turnId }) => turnId) : [];
  if (told.length === 0)
    throw new MementorError("usage", `Answer ${id} told no turn, so there is nothing to mark.`, {
      hint: 'Run "mementor told" for a list of answers.',
    });
  if (wanted === undefined) return told;
  if (told.includes(wanted)) return [wanted];
  throw new MementorError("usage", `Turn ${wanted} is not in answer ${id}.`, {
    hint: `It told ${told.length === 1 ? "turn" : "turns"} ${told.join(", ")}. To keep a turn out of all hooks, run: mementor mark mute <turn>`,
  });
}

/** Marks turns. Returns those that had the other mark. */
async function mark(
  runtime: Runtime,
  store: SqliteStore,
  { answer, turnIds, kind }: { answer: Answer; turnIds: readonly number[]; kind: AnswerMarkKind },
): Promise<number[]> {
  const { id, event, prompt, subject } = answer;
  if (kind === "bad" && prompt === null && subject === null)
    throw new MementorError("usage", `${noComparison(id, event)}.`, {
      hint: `To keep its turns out of all hooks, run: mementor mark mute ${turnIds[0]}`,
    });
  const replaced = await store.marks.markAnswer(id, turnIds, kind);
  if (kind === "bad" && prompt !== null) await saveVector(runtime, store, { id, prompt });
  return replaced;
}

/** Returns the reason why a mark on an answer cannot apply to similar prompts or files. */
function noComparison(id: number, event: string): string {
  return event === "session-start" || event === "subagent-start"
    ? `Answer ${id} was to no prompt or file`
    : `What answer ${id} was about is no longer known`;
}

/** Stores the prompt's vector. Without a model, prompts are compared by their words. */
async function saveVector(
  runtime: Runtime,
  { models, marks }: SqliteStore,
  { id, prompt }: { id: number; prompt: string },
): Promise<void> {
  const model = (await models.active())?.id;
  await using embedder = await openOrWithout(
    () => runtime.openEmbedder("query", model),
    async (error) => (await runtime.log()).warn("embedder", { error }),
  );
  if (embedder === null) return;
  await marks.savePromptVector(id, await embedder.embed(prompt));
}
