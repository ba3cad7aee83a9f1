import { openOrWithout } from "../../../embed/optional.ts";
import { MementorError } from "../../../errors.ts";
import { oneLine, renderList } from "../../../render/list.ts";
import { MARK_WORDS } from "../../../render/mark-words.ts";
import { originJson, originMark } from "../../../render/origin.ts";
import type { Screen } from "../../../render/screen.ts";
import { renderWhen } from "../../../render/time.ts";
import type { Runtime } from "../../../runtime.ts";
import type { AnswerMark, AnswerMarkKind, TurnMark, TurnMarkKind } from "../../../store/marks.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { compareTimes } from "../../../text/when.ts";
import { cutToWords } from "../../../text/width.ts";
import { turnTitle } from "../../../turn/title.ts";
import { storeWaiting } from "../../memory.ts";
import { findTurn, isTurnNumber, unknownTurn } from "../../named-turns.ts";
import { printResult } from "../../terminal/ask.ts";
import { screenOf, viewLocal } from "../../terminal/view.ts";
import { answersOf, noAnswer } from "../told/answers.ts";
import type { Answer } from "../told/text.ts";

/** Lists all marks, the latest first. */
export async function listMarks(
  runtime: Runtime,
  options: { json: boolean; pager: boolean },
): Promise<number> {
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
export async function markTurn(
  runtime: Runtime,
  kind: TurnMarkKind,
  typed: string,
  { undo, json }: { undo: boolean; json: boolean },
): Promise<number> {
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
    runtime.host.stdout,
    json,
    { turn_id: turn.turnId, mark: kind, marked: !undo, changed },
    () => renderTurnMarked(turn, done, screenOf(runtime).program),
  );
}

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
  return printResult(
    runtime.host.stdout,
    json,
    {
      answer: answer.id,
      mark: kind,
      marked: !undo,
      turns: turnIds,
      changed: count,
      replaced,
    },
    () => renderAnswerMarked(answer, done, screenOf(runtime)),
  );
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
    throw new MementorError("usage", `${nothingToCompare(id, event)}.`, {
      hint: `To keep its turns out of all hooks, run: mementor mark mute ${turnIds[0]}`,
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

/** What a turn's mark means, and what it means to take it back. */
const TURN_MARKS: Readonly<Record<TurnMarkKind, { set: string; cleared: string }>> = {
  mute: {
    set: "is muted: no hook tells it. Search still finds it.",
    cleared: "is no longer muted: hooks may tell it.",
  },
  pin: { set: "is pinned: pruning keeps it.", cleared: "is no longer pinned: pruning may remove it." },
};

type Mark = TurnMark | AnswerMark;

/** A mark as `--json` gives it. */
export function markJson(mark: Mark, turns: ReadonlyMap<number, StoredTurn>) {
  const turn = turns.get(mark.turnId);
  const answer = "answerId" in mark ? mark : null;
  return {
    mark: mark.kind,
    turn_id: mark.turnId,
    title: turn === undefined ? null : titleOf(turn),
    ...(turn !== undefined && turn.foreign !== null && { foreign: turn.foreign }),
    ...(turn !== undefined && originJson(turn)),
    time: mark.time,
    answer: answer?.answerId ?? null,
    prompt: answer?.prompt ?? null,
    file: answer?.subject ?? null,
  };
}

/** Renders marks, the latest first. */
export function renderMarks(
  marks: readonly Mark[],
  turns: ReadonlyMap<number, StoredTurn>,
  screen: Screen,
): string {
  if (marks.length === 0)
    return 'Nothing is marked yet. To mark an answer, run "mementor mark good" or "mementor mark bad"; see "mementor told".\n';
  const columns = [
    { title: "MARK" },
    { title: "TURN", align: "right" as const, paint: screen.style.cyan },
    { title: "WHEN", mayGo: true as const },
    { title: "TITLE", cut: "end" as const, maxWidth: TITLE_WIDTH },
    { title: "ANSWER TO", cut: "end" as const, mayGo: true as const },
  ];
  const rows = marks.map((mark) => {
    const turn = turns.get(mark.turnId);
    return [
      MARK_WORDS[mark.kind],
      `${mark.turnId}`,
      renderWhen(mark.time, screen.now),
      turn === undefined ? "" : `${originMark(turn)}${titleOf(turn)}`,
      "answerId" in mark ? answerOf(mark) : "",
    ];
  });
  return renderList(columns, rows, screen);
}

/** Which answer was marked. One of another device has no number here. */
function answerOf(mark: AnswerMark): string {
  return mark.answerId === null ? aboutOf(mark) : `#${mark.answerId} ${aboutOf(mark)}`;
}

/** Says what became of a turn's mark. */
export function renderTurnMarked(
  turn: StoredTurn,
  { kind, undo, changed }: { kind: TurnMarkKind; undo: boolean; changed: boolean },
  program = "mementor",
): string {
  const subject = `Turn ${turn.turnId} (${cutToWords(`${originMark(turn)}${titleOf(turn)}`, TITLE_WIDTH)})`;
  if (!changed) return `${subject} ${undo ? "was not" : "is already"} ${MARK_WORDS[kind]}.\n`;
  const { set, cleared } = TURN_MARKS[kind];
  return undo
    ? `${subject} ${cleared}\n`
    : `${subject} ${set}\nTo undo: ${program} mark ${kind} ${turn.turnId} --undo\n`;
}

interface AnswerMarking {
  kind: AnswerMarkKind;
  undo: boolean;
  turnIds: readonly number[];
  count: number;
  /** Turns that had the other mark before. */
  replaced: readonly number[];
}

/** Says what became of an answer's marks, and which answer it was. */
export function renderAnswerMarked(
  answer: Answer,
  { kind, undo, turnIds, count, replaced }: AnswerMarking,
  { style, width, now, program = "mementor" }: Screen,
): string {
  const about = `answer ${answer.id} (${aboutOf(answer)}, ${renderWhen(answer.time, now)})`;
  if (count === 0) return `Nothing to undo: ${about} is not marked as ${kind}.\n`;
  const lines = turnIds.map((id) => {
    const turn = answer.titles.get(id);
    const line = `  ${id}  ${turn === undefined ? "" : `${originMark(turn)}${titleOf(turn)}`}`;
    return cutToWords(style.text(line), width ?? TITLE_WIDTH, style.ellipsis);
  });
  const head = undo ? `No longer marked as ${kind}: ${about}` : `Marked as ${kind}: ${about}`;
  const before = replacedLines(kind, replaced, turnIds);
  return [
    style.bold(head),
    ...lines,
    ...before,
    ...(undo ? [] : consequence(answer, kind, turnIds, program)),
    "",
  ].join("\n");
}

function replacedLines(
  kind: AnswerMarkKind,
  replaced: readonly number[],
  turnIds: readonly number[],
): string[] {
  if (replaced.length === 0) return [];
  const other = kind === "good" ? "bad" : "good";
  const of = replaced.length === turnIds.length ? "" : ` of turn ${replaced.join(", ")}`;
  return [`This replaces the mark "${other}"${of}.`];
}

function consequence(
  answer: Answer,
  kind: AnswerMarkKind,
  turnIds: readonly number[],
  program: string,
): string[] {
  const it = turnIds.length === 1 ? "It is" : "They are";
  const turn = turnIds.length === 1 && answer.turns.length > 1 ? ` ${turnIds[0]}` : "";
  const like = answer.prompt === null ? "for this file" : "for prompts like this one";
  return [
    ...(kind === "bad" ? [`${it} no longer told ${like}.`] : []),
    `To undo: ${program} mark ${kind} ${answer.id}${turn} --undo`,
  ];
}

function aboutOf({ prompt, subject }: Pick<AnswerMark, "prompt" | "subject">): string {
  if (prompt !== null) return `“${shortened(prompt)}”`;
  return subject === null ? "forgotten" : oneLine(subject);
}

/** Width of a title in a pipe and within a sentence: less than is stored of one, so that the cut is marked here. */
const TITLE_WIDTH = 100;

/** Width of a prompt within a sentence. */
const PROMPT_WIDTH = 60;

function shortened(text: string): string {
  return cutToWords(oneLine(text), PROMPT_WIDTH);
}

function titleOf(turn: StoredTurn): string {
  return oneLine(turn.sessionTitle ?? turnTitle(turn, null));
}
