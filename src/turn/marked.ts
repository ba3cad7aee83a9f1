import { partText, type TextRange } from "./parts.ts";
import { findPasted } from "./pasted.ts";
import { isSaid, LABELS, PASTED_LABEL, type PartKind, type TurnText } from "./text.ts";

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

/** A run of a prompt: pasted, or the person's own words. */
interface Run {
  isPasted: boolean;
  text: string;
}

/** Returns a prompt for a reader, with labels before pasted text and before the user's own words after it. */
export function markedPrompt(prompt: string, label: string = LABELS.prompt): string {
  return markedRuns(runsOf(prompt, findPasted(prompt)), label);
}

/** Joins runs with a label at the start of each, on a line of its own. The first one's own words have no label. */
function markedRuns(runs: readonly Run[], label: string): string {
  let text = "";
  for (const { isPasted, text: run } of runs) {
    const [ending = ""] = isPasted ? [] : (ENDING.exec(run) ?? []);
    const words = run.slice(ending.length);
    const isLabelled = HAS_WORDS.test(words) && (isPasted || text !== "");
    text += ending;
    const shown = isPasted ? withoutLabels(words) : words;
    text += isLabelled ? labelled(shown, isPasted ? PASTED_LABEL : label, text) : shown;
  }
  return text;
}

/** A line of pasted text that begins as a label does, and would pass for one. */
const LIKE_LABEL =
  /^([^\S\n]{0,20})\[((?:User|Assistant|Subagent|Pasted|Note|Tools|Errors|A|An|Another|The)\b[^\]\n]{0,60})\]/gm;

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
/** What ends the sentence of a quotation behind it. */
const ENDING = /^[.,;:!?)\]]*/;

function runsOf(text: string, pasted: readonly TextRange[]): Run[] {
  const runs: Run[] = [];
  const add = (isPasted: boolean, start: number, end: number) =>
    end > start && runs.push({ isPasted, text: text.slice(start, end) });
  let at = 0;
  for (const { start, end } of pasted) {
    add(false, at, start);
    add(true, Math.max(at, start), end);
    at = Math.max(at, end);
  }
  add(false, at, text.length);
  return runs;
}

/** Returns a passage of a turn with a label before each run of pasted words in its prompts. */
export function markedPassage(passage: string, turn: TurnText): string {
  const prompts = (["prompt", "forward"] as const).flatMap((kind) => {
    const text = partText(turn, kind);
    const pasted = text === null ? [] : findPasted(text);
    return text === null || pasted.length === 0 ? [] : [{ text, pasted }];
  });
  if (prompts.length === 0) return passage;
  let isPasted = false;
  return passage
    .split("\n")
    .map((line) => {
      const words = line.replace(LABELS.prompt, "").trim();
      const prompt = words === "" ? undefined : prompts.find(({ text }) => text.includes(words));
      if (prompt === undefined) {
        isPasted = isPasted && words === "";
        return line;
      }
      const was = isPasted;
      const runs = runsIn(prompt, words);
      isPasted = runs.at(-1)?.isPasted ?? false;
      const [first] = runs;
      if (first?.isPasted === was && runs.length === 1) return line;
      const label = first?.isPasted ? "" : line.startsWith(LABELS.prompt) || was ? LABELS.prompt : "";
      return `${label}${markedRuns(runs, LABELS.prompt)}`;
    })
    .join("\n");
}

/** Returns the runs of a line of a prompt. */
function runsIn({ text, pasted }: { text: string; pasted: readonly TextRange[] }, line: string): Run[] {
  const at = text.indexOf(line);
  const within = pasted
    .map(({ start, end }) => ({ start: Math.max(0, start - at), end: Math.min(line.length, end - at) }))
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
