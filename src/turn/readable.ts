import { isSaid, LABELS, type PartKind } from "./text.ts";

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
