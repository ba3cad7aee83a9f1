import { partText } from "./parts.ts";
import { findPasted } from "./pasted.ts";
import { isQuoteSign } from "./quotations.ts";
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

/** Returns the label of a section for a reader. */
export function shownLabel(kind: PartKind): string {
  return MARKS[kind] ?? LABELS[kind];
}

/** Returns a prompt for a reader, with labels before pasted text and before the user's own words after it. */
export function markedPrompt(prompt: string, label: string = LABELS.prompt): string {
  let at = 0;
  let text = "";
  for (const { start, end } of findPasted(prompt)) {
    // A quotation within a line has its own quotation marks.
    if (isQuoteSign(prompt.charAt(start))) continue;
    const own =
      start === 0 || prompt[start - 1] === "\n" ? prompt.slice(at, start) : `${prompt.slice(at, start)}\n`;
    text += `${text === "" || own.trim() === "" ? own : own.replace(/^\n+/, (gap) => `${gap}${label}`)}${PASTED_LABEL}${prompt.slice(start, end)}`;
    at = end;
  }
  const rest = prompt.slice(at);
  return text === "" || rest.trim() === ""
    ? text + rest
    : text + rest.replace(/^\n+/, (gap) => `${gap}${label}`);
}

/** Returns a passage of a turn with a label before each run of pasted lines. */
export function markedPassage(passage: string, turn: TurnText): string {
  const prompt = partText(turn, "prompt");
  const ranges = prompt === null ? [] : findPasted(prompt);
  if (prompt === null || ranges.length === 0) return passage;
  const pasted = ranges.map(({ start, end }) => prompt.slice(start, end)).join("\n");
  let isPasted = false;
  return passage
    .split("\n")
    .map((line) => {
      const words = line.replace(LABELS.prompt, "").trim();
      if (words === "") return line;
      const was = isPasted;
      isPasted = pasted.includes(words);
      if (isPasted) return was ? line : `${PASTED_LABEL}${line.replace(LABELS.prompt, "")}`;
      return was && prompt.includes(words) ? `${LABELS.prompt}${line}` : line;
    })
    .join("\n");
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
