import { oneLine } from "../../../agents/notices.ts";
import { MARK_WORDS, originJson, originMark } from "../../../recall/telling/origin.ts";
import type { AnswerMark, AnswerMarkKind, TurnMark, TurnMarkKind } from "../../../store/marks.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { cutToWords } from "../../../text/width.ts";
import { turnTitle } from "../../../turn/title.ts";
import { renderList } from "../../terminal/list.ts";
import { renderWhen, type Screen } from "../../terminal/screen.ts";
import type { Answer } from "../told/text.ts";

/** The effects of setting and of clearing each mark of a turn. */
const TURN_MARKS: Readonly<Record<TurnMarkKind, { set: string; cleared: string }>> = {
  mute: {
    set: "is muted: no hook tells it. Search still finds it.",
    cleared: "is no longer muted: hooks may tell it.",
  },
  pin: { set: "is pinned: pruning keeps it.", cleared: "is no longer pinned: pruning may remove it." },
};

type Mark = TurnMark | AnswerMark;

/** Returns a mark for `--json`. */
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

/** Returns the number and subject of a marked answer. An answer of another device has no number here. */
function answerOf(mark: AnswerMark): string {
  return mark.answerId === null ? aboutOf(mark) : `#${mark.answerId} ${aboutOf(mark)}`;
}

/** Renders the result of marking a turn. */
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

/** Renders the result of marking an answer. */
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

/** Width of a title in a pipe and within a sentence: shorter than a stored title, so that a truncated one gets an ellipsis. */
const TITLE_WIDTH = 100;

/** Width of a prompt within a sentence. */
const PROMPT_WIDTH = 60;

function shortened(text: string): string {
  return cutToWords(oneLine(text), PROMPT_WIDTH);
}

function titleOf(turn: StoredTurn): string {
  return oneLine(turn.sessionTitle ?? turnTitle(turn, null));
}
