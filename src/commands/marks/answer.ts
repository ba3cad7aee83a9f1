import { openOrWithout } from "../../embed/optional.ts";
import { MementorError } from "../../errors.ts";
import type { Answer } from "../../render/answers.ts";
import { renderJson } from "../../render/json.ts";
import { renderAnswerMarked } from "../../render/marks.ts";
import type { Runtime } from "../../runtime.ts";
import type { AnswerMarkKind } from "../../store/contract/types/marks.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { answersOf, noAnswer } from "../shared/answers.ts";
import { screenOf } from "../shared/view.ts";
import { storeWaiting } from "../shared/waiting-calls.ts";

interface Wanted {
  answer: number | undefined;
  turn: number | undefined;
}

/**
 * Marks the turns of an answer, or takes that back. Without a number, the answer is the newest one to a prompt; to take
 * a mark back, the one that was marked last.
 *
 * @throws `not_found` when there is no such answer; `usage` for a turn that is not in it.
 */
export async function markAnswer(
  runtime: Runtime,
  kind: AnswerMarkKind,
  wanted: Wanted,
  { undo, json }: { undo: boolean; json: boolean },
): Promise<number> {
  await storeWaiting(runtime);
  await using store = await runtime.openStore("readwrite");
  const answer = await findAnswer(store, kind, wanted, undo);
  const turnIds = turnsOf(answer, wanted.turn);
  const replaced = undo ? [] : await mark(runtime, store, { answer, turnIds, kind });
  const count = undo ? await store.marks.unmarkAnswer(answer.id, turnIds, kind) : turnIds.length;
  const done = { kind, undo, turnIds, count, replaced };
  runtime.host.stdout.write(
    json
      ? renderJson({
          answer: answer.id,
          mark: kind,
          marked: !undo,
          turns: turnIds,
          changed: count,
          replaced,
        })
      : renderAnswerMarked(answer, done, screenOf(runtime)),
  );
  return 0;
}

async function findAnswer(
  store: SqliteStore,
  kind: AnswerMarkKind,
  { answer: id }: Wanted,
  undo: boolean,
): Promise<Answer> {
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
      hint: 'Run "mementor marks" for a list of all marks.',
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
    hint: `It told ${told.length === 1 ? "turn" : "turns"} ${told.join(", ")}. To keep a turn out of all hooks, run: mementor mute <turn>`,
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
    throw new MementorError("usage", `${nothingToCompare(id, event)}.`, {
      hint: `To keep its turns out of all hooks, run: mementor mute ${turnIds[0]}`,
    });
  const replaced = await store.marks.markAnswer(id, turnIds, kind);
  if (kind === "bad" && prompt !== null) await saveVector(runtime, store, { id, prompt });
  return replaced;
}

/** Why an answer cannot keep its turns from other ones like it. */
function nothingToCompare(id: number, event: string): string {
  return event === "session-start" || event === "subagent-start"
    ? `Answer ${id} was to no prompt, file or failure`
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
