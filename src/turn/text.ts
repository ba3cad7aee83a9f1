/** All kinds of parts; see `PartKind`. */
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
 * The kind of a part of a turn's text: the prompt, an agent's note, the assistant's thinking, its narration between tool calls,
 * its answer after the last of them, its tool calls, their errors, and the next prompt as forward context. In turns read before
 * narration was a kind, and in other people's turns, narration is part of the answer.
 */
export type PartKind = (typeof PART_KINDS)[number];

/**
 * The kind of words in a turn: the kind of their part, or `unsure` for words of a prompt that its user may have typed or pasted.
 * `unsure` words never count as the user's ruling.
 */
export type WordsKind = PartKind | "unsure";

/** A part of a text: the UTF-16 offsets of its content, without its label. */
export interface TurnPart {
  kind: PartKind;
  start: number;
  end: number;
}

/**
 * The text of a turn with its parts, which are in order and do not overlap. Between them are only labels such as `[User] ` and
 * blank lines.
 */
export interface TurnText {
  text: string;
  parts: readonly TurnPart[];
}

/** The content of a part, for `composeText`. */
export interface PartContent {
  kind: PartKind;
  text: string;
}

/** The label before each kind of part. */
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

/** The labels before words of a prompt that are not surely its user's. */
export const OTHERS_LABELS = { pasted: "[Pasted] ", unsure: "[Typed or pasted] " } as const;

/** A line that begins as a label does, and would pass for one. A prompt of any author may have such lines. */
export const LIKE_LABEL =
  /^([^\S\n]{0,20})\[((?:User|Next prompt|Assistant|Subagent|Pasted(?! text #)|Typed|Note by|Tools|Errors|Summary of|An? \w|Another \w|The \w)[^\]\n]{0,60})\]/gm;

/** The separator between parts. */
export const GAP = "\n\n";

/** Joins pieces into one text with a label before each section. Merges neighbours of the same kind; skips empty pieces. */
export function composeText(pieces: readonly PartContent[]): TurnText {
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

/** Tells whether two kinds share a label: equal kinds, and all kinds of the assistant's words. */
export function sameSection(a: PartKind, b: PartKind): boolean {
  return a === b || (isSaid(a) && isSaid(b));
}

/** Tells whether a kind is the assistant's words: thinking, narration or answer. */
export function isSaid(kind: PartKind): boolean {
  return kind === "thinking" || kind === "narration" || kind === "answer";
}

/** Tells whether words are of a turn's prompt: the user's, or perhaps pasted. */
export function isAsked(kind: WordsKind): boolean {
  return kind === "prompt" || kind === "unsure";
}

const KINDS = Object.keys(LABELS) as PartKind[];

/**
 * Returns a piece of a turn's text for a person: without section labels, and without tools and errors if there is anything else.
 * Sections are recognised by their labels, so the text is also cut where it quotes one.
 */
export function cleanPiece(piece: string): string {
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
