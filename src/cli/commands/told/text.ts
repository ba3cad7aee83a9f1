import { oneLine } from "../../../agents/notices.ts";
import { countRelatedTurns } from "../../../recall/telling/agent-text.ts";
import type { HookAnswerRow } from "../../../store/journal.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { plural } from "../../../text/numbers.ts";
import { cutToWords, wrap } from "../../../text/width.ts";
import { turnTitle } from "../../../turn/title.ts";
import { renderMarkWords, renderWhen, type Screen } from "../../terminal/screen.ts";

/** An answer of a hook, with the turns that it names. */
export interface Answer extends HookAnswerRow {
  titles: ReadonlyMap<number, StoredTurn>;
  /** Its project, in a list over several. */
  project?: string;
}

const EVENTS: Readonly<Record<string, string>> = {
  "user-prompt-submit": "prompt",
  "pre-tool-use": "file",
  "session-start": "session start",
  "subagent-start": "subagent",
  // Recorded by older versions.
  "post-tool-use-failure": "failure",
};

/** What a hook was called for, in a word. */
export function eventWord(event: string): string {
  return EVENTS[event] ?? oneLine(event);
}

/** Words for each decision of a hook that stayed silent. */
const SILENCE: Readonly<Record<string, string>> = {
  gate: "nothing worth telling",
  far: "nothing near",
  muted: "what it would tell is muted",
  promoted: "what it would tell was promoted: it is in the agent's instructions",
  "taken back": "what it would tell was taken back in the agent",
  bad: "what it would tell was marked as bad for such a prompt",
  // Recorded by older versions.
  marked: "what it would tell is muted, promoted or marked as bad",
  known: "all of it is in the conversation already",
  instructed: "all of it is already in the agent's instructions or its own memory",
  nothing: "nothing to tell",
  empty: "the memory is empty",
  late: "it ran out of time before it had looked everywhere; a busy machine, or a large memory",
  automatic: "the prompt was not a person's",
  off: "switched off",
};

/** Returns an answer for `--json`. */
export function answerJson(answer: Answer) {
  return {
    id: answer.id,
    time: answer.time,
    session_id: answer.sessionId,
    event: answer.event,
    prompt: answer.prompt,
    file: answer.subject,
    decision: answer.decision,
    reason: answer.decision === "told" ? null : renderReason(answer),
    turns: answer.turns.map(({ turnId, passage, marks }) => ({
      turn_id: turnId,
      title: titleOf(answer, turnId),
      passage,
      marks,
    })),
    characters: answer.answer?.length ?? 0,
    duration_ms: answer.durationMs,
    probability: answer.gate?.probability ?? null,
    threshold: answer.gate?.threshold ?? null,
    text: answer.answer,
  };
}

/** Renders answers, each with the prompt and the turns in it. */
export function renderAnswers(answers: readonly Answer[], screen: Screen): string {
  if (answers.length === 0) return "No hook has answered yet.\n";
  return answers.map((answer) => renderBlock(answer, screen)).join("");
}

/** Renders a hint on how to mark the newest answer of a list that told turns; empty outside a terminal. */
export function renderMarkHint(
  answers: readonly Answer[],
  { style, width, program = "mementor" }: Screen,
): string {
  const newest = answers.find(
    ({ decision, turns, prompt, subject }) =>
      decision === "told" && turns.length > 0 && (prompt !== null || subject !== null),
  );
  if (newest === undefined || width === null) return "";
  const hint = `Was it to the point? ${program} mark good ${newest.id}, or ${program} mark bad ${newest.id}`;
  return style.dim(`\n${wrap(hint, width).join("\n")}\n`);
}

/** Renders an answer without a text: the reason, and what it was about. */
export function renderAnswer(answer: Answer, screen: Screen): string {
  if (answer.decision === "told")
    return "The text is gone: it quoted turns that were removed since, or is too old.\n";
  return `The agent was told nothing.\n${renderBlock(answer, screen)}`;
}

function renderBlock(answer: Answer, screen: Screen): string {
  const { style, width, now } = screen;
  const facts = [
    ...(answer.project === undefined ? [] : [oneLine(answer.project)]),
    `#${answer.id}`,
    renderWhen(answer.time, now),
    eventWord(answer.event),
    outcome(answer),
    hookTime(answer.durationMs),
  ].join("  ");
  const head = facts.replace(`#${answer.id}`, (number) => style.cyan(number));
  const lines = [
    ...(answer.prompt === null ? [] : [`“${oneLine(answer.prompt)}”`]),
    ...(answer.subject === null ? [] : [oneLine(answer.subject)]),
    ...answer.turns.map(({ turnId, passage, marks }) =>
      [
        `${turnId}${renderMarkWords(marks, style)}`,
        oneLine(titleOf(answer, turnId) ?? ""),
        passage === null ? "" : oneLine(passage),
      ]
        .filter(Boolean)
        .join("  "),
    ),
  ];
  const room = width === null ? null : Math.max(1, width - 4);
  const shown = lines.map((line) => style.text(line));
  const cut = shown.map((line) => (room === null ? line : cutToWords(line, room, style.ellipsis)));
  return `${head}\n${cut.map((line) => `    ${line}\n`).join("")}`;
}

/** Returns the number of turns that an answer told, including those of related projects. */
export function toldTurns({ turns, answer }: Pick<HookAnswerRow, "turns" | "answer">): number {
  return turns.length + countRelatedTurns(answer ?? "");
}

/** Returns a hook's decision in words, the same in every output. */
export function decisionWord(decision: string): string {
  return decision === "told" ? "told" : `silent: ${SILENCE[decision] ?? oneLine(decision)}`;
}

/** Renders the duration of a hook, the same in every output. */
export function hookTime(ms: number): string {
  return `${Math.round(ms)} ms`;
}

function outcome(answer: Answer): string {
  if (answer.decision !== "told") return `silent: ${renderReason(answer)}`;
  const count = toldTurns(answer);
  const turns = count === 0 ? "" : ` ${plural(count, "turn")}`;
  if (answer.answer !== null) return `told${turns}, ${plural(answer.answer.length, "character")}`;
  // Removing a turn also removes the text, and drops the turn from the list.
  return turns === ""
    ? "told turns that are gone by now"
    : `told${turns}; its text is gone, and so may be other turns`;
}

function renderReason({ decision, gate }: Answer): string {
  const words = SILENCE[decision] ?? oneLine(decision);
  if (decision !== "gate" || gate === null) return words;
  // Rounds down, so that a probability just below the threshold does not seem to reach it.
  const probability = Math.floor(gate.probability * 100) / 100;
  return `${words} (${probability.toFixed(2)} of ${gate.threshold.toFixed(2)})`;
}

function titleOf({ titles }: Answer, turnId: number): string | null {
  const turn = titles.get(turnId);
  if (turn === undefined) return null;
  return turn.sessionTitle ?? turnTitle(turn, null);
}
