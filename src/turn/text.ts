/**
 * What a part of a turn's text is: what was asked, what the assistant thought and answered, which tools it called, what
 * failed, and the prompt that follows the turn.
 */
export type PartKind = "prompt" | "thinking" | "answer" | "tools" | "errors" | "forward";

/** A part of a text: UTF-16 offsets of its content, without its label. */
export interface TurnPart {
  kind: PartKind;
  start: number;
  end: number;
}

/**
 * The text of a turn and its parts. The parts are in order and do not overlap; between them stand only labels such as
 * `[User] ` and blank lines.
 */
export interface TurnText {
  text: string;
  parts: readonly TurnPart[];
}

/** What is to become a part of a text. */
export interface Piece {
  kind: PartKind;
  text: string;
}

/** Stands before what follows in the text, and is shown to readers. */
export const LABELS: Readonly<Record<PartKind, string>> = {
  prompt: "[User] ",
  thinking: "[Assistant] ",
  answer: "[Assistant] ",
  tools: "[Tools] ",
  errors: "[Errors] ",
  forward: "[User] ",
};

/** Stands between parts. */
export const GAP = "\n\n";

/** Writes pieces as one text, a label before each section; neighbours of one kind become one part, empty pieces none. */
export function composeText(pieces: readonly Piece[]): TurnText {
  let text = "";
  const parts: TurnPart[] = [];
  for (const { kind, text: content } of pieces) {
    if (content === "") continue;
    const last = parts.at(-1);
    text += `${last ? GAP : ""}${last && sameSection(last.kind, kind) ? "" : LABELS[kind]}${content}`;
    if (last?.kind === kind) last.end = text.length;
    else parts.push({ kind, start: text.length - content.length, end: text.length });
  }
  return { text, parts };
}

/** True for parts that stand under one label: thinking and answers. */
export function sameSection(a: PartKind, b: PartKind): boolean {
  return a === b || (isSaid(a) && isSaid(b));
}

/** True for what the assistant said, aloud or to itself. */
export function isSaid(kind: PartKind): boolean {
  return kind === "thinking" || kind === "answer";
}
