/** Every kind of a part of a turn's text; see `PartKind`. */
export const PART_KINDS = [
  "prompt",
  "note",
  "thinking",
  "narration",
  "answer",
  "tools",
  "errors",
  "forward",
] as const;

/**
 * The kind of a part of a turn's text: the prompt, a note that an agent wrote, the assistant's thinking, its narration
 * between tool calls, its answer after the last of them, its tool calls, their errors, and the next prompt as forward
 * context. In turns that were read before narration was told apart, and in those of others, it is part of the answer.
 */
export type PartKind = (typeof PART_KINDS)[number];

/** A part of a text: the UTF-16 offsets of its content, without its label. */
export interface TurnPart {
  kind: PartKind;
  start: number;
  end: number;
}

/**
 * The text of a turn and its parts. The parts are in order and do not overlap. Between them are only labels such as
 * `[User] ` and blank lines.
 */
export interface TurnText {
  text: string;
  parts: readonly TurnPart[];
}

/** Input of `composeText`: the content of a part. */
export interface Piece {
  kind: PartKind;
  text: string;
}

/** The label before each kind of part, as readers see it. */
export const LABELS: Readonly<Record<PartKind, string>> = {
  prompt: "[User] ",
  note: "[Note by an agent] ",
  thinking: "[Assistant] ",
  narration: "[Assistant] ",
  answer: "[Assistant] ",
  tools: "[Tools] ",
  errors: "[Errors] ",
  forward: "[User] ",
};

/** What stands, for a reader, before a text that the user pasted. */
export const PASTED = "[Pasted] ";

/** The separator between parts. */
export const GAP = "\n\n";

/** Joins pieces into one text with a label before each section. Merges neighbours of one kind; skips empty pieces. */
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

/** True for parts under the same label: those of one kind, and all of the assistant's words. */
export function sameSection(a: PartKind, b: PartKind): boolean {
  return a === b || (isSaid(a) && isSaid(b));
}

/** True for the assistant's words: thinking, narration and answers. */
export function isSaid(kind: PartKind): boolean {
  return kind === "thinking" || kind === "narration" || kind === "answer";
}

const KINDS = Object.keys(LABELS) as PartKind[];

/**
 * Returns a piece of a turn's text for a person: without the labels of its sections, and without tools and errors where
 * anything else is in it. Sections of a piece are told by their labels, so text that quotes one is cut there too.
 */
export function readable(piece: string): string {
  const blocks = piece.split(/\n{2,}/).map(sectionOf);
  let kind: PartKind | null = null;
  const sections = blocks.map((block) => {
    kind = block.kind ?? kind;
    return { text: block.text, isWords: kind === null || kind === "prompt" || isSaid(kind) };
  });
  const words = sections.filter(({ isWords }) => isWords);
  return (words.length > 0 ? words : sections)
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n");
}

function sectionOf(block: string): { kind: PartKind | null; text: string } {
  const kind = KINDS.find((known) => LABELS[known] !== "" && block.startsWith(LABELS[known])) ?? null;
  return { kind, text: (kind === null ? block : block.slice(LABELS[kind].length)).trim() };
}
