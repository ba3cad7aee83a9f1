import { partText } from "./parts.ts";
import { findOthers, type OtherWords } from "./pasted.ts";
import { isSaid, LABELS, LIKE_LABEL, OTHERS_LABELS, type PartKind, type TurnText } from "./text.ts";

/** A piece of a text for a reader. Its gap, label and text, joined over all pieces, are the whole text. */
export interface MarkedPiece {
  kind: PartKind | null;
  /** The blank lines before it. */
  gap: string;
  /** Label of its section, such as `[User] `; empty when the section continues. */
  label: string;
  text: string;
}

/** Labels for the assistant's thinking and its words between tool calls. */
const MARKS: Partial<Record<PartKind, string>> = {
  thinking: "[Assistant, thinking] ",
  narration: "[Assistant, while working] ",
};

/** Returns the label of a section for a reader; what an agent said is by the assistant, or by its subagent. */
export function shownLabel(kind: PartKind, by: "Assistant" | "Subagent" = "Assistant"): string {
  return (MARKS[kind] ?? LABELS[kind]).replace("Assistant", by);
}

/** A run of a prompt: the person's own words, or others. */
interface Run {
  by: OtherWords["by"] | "own";
  text: string;
}

/** Returns a prompt for a reader, with labels before words that may not be the user's, and before the user's own ones after them. */
export function markedPrompt(prompt: string, label: string = LABELS.prompt): string {
  return markedRuns(runsOf(prompt, othersUnder(label, findOthers(prompt))), label);
}

/** A label of the user. Prompts of other senders are not checked for pasted text. */
const OF_USER = /^\[(?:User|Next prompt)\b/;

function othersUnder(label: string, others: readonly OtherWords[]): readonly OtherWords[] {
  return OF_USER.test(label) ? others : others.filter(({ by }) => by === "pasted");
}

/** Joins runs with a label at the start of each, on a line of its own. The first one's own words have no label. */
function markedRuns(runs: readonly Run[], label: string): string {
  let text = "";
  for (const { by, text: run } of runs) {
    const [ending = ""] = by === "own" ? (ENDING.exec(run) ?? []) : [];
    const words = run.slice(ending.length);
    const isLabelled = HAS_WORDS.test(words) && (by !== "own" || text !== "");
    text += ending;
    const shown = withoutLabels(words);
    text += isLabelled ? labelled(shown, by === "own" ? label : OTHERS_LABELS[by], text) : shown;
  }
  return text;
}

function withoutLabels(words: string): string {
  return words.replace(LIKE_LABEL, "$1($2)");
}

/** Returns a run with a label that starts a line. */
function labelled(run: string, label: string, before: string): string {
  const words = run.replace(BLANK_LINES, "");
  const gap = run.slice(0, run.length - words.length);
  const isAtStart = gap !== "" || before === "" || before.endsWith("\n");
  return isAtStart ? `${gap}${label}${words}` : `\n${label}${words.trimStart()}`;
}

const HAS_WORDS = /[\p{L}\p{N}]/u;
const BLANK_LINES = /^(?:[^\S\n]*\n)+/;
/** Punctuation after a quotation that ends its sentence. */
const ENDING = /^[.,;:!?)\]]*/;

function runsOf(text: string, others: readonly OtherWords[]): Run[] {
  const runs: Run[] = [];
  const add = (by: Run["by"], start: number, end: number) =>
    end > start && runs.push({ by, text: text.slice(start, end) });
  let at = 0;
  for (const { by, start, end } of others) {
    add("own", at, start);
    add(by, Math.max(at, start), end);
    at = Math.max(at, end);
  }
  add("own", at, text.length);
  return runs;
}

/** Returns a passage of a turn with a label before each run of words in its prompts that may not be the user's. */
export function markedPassage(passage: string, turn: TurnText): string {
  const prompts = (["prompt", "forward"] as const).flatMap((kind) => {
    const text = partText(turn, kind);
    const others = text === null ? [] : findOthers(text);
    return text === null || others.length === 0 ? [] : [{ text, others }];
  });
  if (prompts.length === 0) return passage;
  let before: Run["by"] = "own";
  return passage
    .split("\n")
    .map((line) => {
      const words = line.replace(LABELS.prompt, "").trim();
      const prompt = words === "" ? undefined : prompts.find(({ text }) => text.includes(words));
      if (prompt === undefined) {
        before = words === "" ? before : "own";
        return line;
      }
      const was = before;
      const runs = runsIn(prompt, words);
      const [first] = runs;
      before = runs.at(-1)?.by ?? "own";
      if (first?.by === was && runs.length === 1) return line;
      const label =
        first?.by === "own" && (line.startsWith(LABELS.prompt) || was !== "own") ? LABELS.prompt : "";
      return `${label}${markedRuns(runs, LABELS.prompt)}`;
    })
    .join("\n");
}

/** Returns the runs of a line of a prompt. */
function runsIn({ text, others }: { text: string; others: readonly OtherWords[] }, line: string): Run[] {
  const at = text.indexOf(line);
  const within = others
    .map(({ by, start, end }) => ({
      by,
      start: Math.max(0, start - at),
      end: Math.min(line.length, end - at),
    }))
    .filter(({ start, end }) => end > start);
  return runsOf(line, within);
}

/** Returns the text of a turn with the labels that a reader sees, and its prompts with what was pasted into them. */
export function markedText(turn: TurnText, labelOf: (kind: PartKind) => string): string {
  return markedPieces(turn)
    .map(({ kind, gap, label, text }) => {
      const mark = label === "" || kind === null ? label : labelOf(kind);
      return `${gap}${mark}${isPrompt(kind) ? markedPrompt(text, mark) : text}`;
    })
    .join("");
}

/** Tells whether a part is a prompt: the turn's, or the one after it. */
export function isPrompt(kind: PartKind | null): boolean {
  return kind === "prompt" || kind === "forward";
}

/** Returns the label of the user's words after a turn. `turnId` is the turn that they start, if known. */
export function nextLabel(turnId: number | null): string {
  return turnId === null ? "[User, next] " : `[User, next, turn ${turnId}] `;
}

/**
 * Splits a turn's text into pieces that distinguish the assistant's thinking, its words between tool calls, and its answer. If a
 * turn lacks this distinction, the pieces are the stored parts.
 */
export function markedPieces({ text, parts }: TurnText): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let at = 0;
  let before: PartKind | null = null;
  for (const { kind, start, end } of parts) {
    const lead = text.slice(at, start);
    const label = LABELS[kind];
    const isLabelled = label !== "" && lead.endsWith(label);
    const isSwitch = isSaid(kind) && kind !== before && (before !== null || kind in MARKS);
    const isNew = isLabelled || isSwitch;
    const gap = isLabelled ? lead.slice(0, -label.length) : lead;
    pieces.push({ kind, gap, label: isNew ? (MARKS[kind] ?? label) : "", text: text.slice(start, end) });
    at = end;
    before = kind;
  }
  if (at < text.length) pieces.push({ kind: null, gap: "", label: "", text: text.slice(at) });
  return pieces;
}
