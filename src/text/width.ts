import { lazily } from "../lazily.ts";

/** For text that is not ASCII. Creating it takes longer than printing a list. */
const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** Returns how many terminal columns a text takes. Escapes take none, wide characters two. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/**
 * Truncates a text without escapes to `width` columns, with `mark` at the end if it was longer. Never splits a
 * character.
 */
export function cutToWidth(text: string, width: number, mark = "…"): string {
  if (widthOf(text) <= width) return text;
  const room = width - mark.length;
  return room < 0 ? "" : `${leading(charactersOf(text), room).join("")}${mark}`;
}

/** Truncates like `cutToWidth`, but between words where that keeps half of the width or more. */
export function cutToWords(text: string, width: number, mark = "…"): string {
  if (widthOf(text) <= width) return text;
  if (width < mark.length) return "";
  const cut = cutToWidth(text, width - mark.length, "");
  const isBetween = /^\s/.test(text.slice(cut.length));
  const words = isBetween ? cut : cut.replace(/(?<!\s)\s+\S*$/, "");
  const kept = widthOf(words) >= width / 2 ? words : cut;
  return `${kept.replace(/(?<![\s,;:…–—-]|\.{3})(?:[\s,;:…–—-]|\.{3})+$/, "")}${mark}`;
}

/** Truncates a text in its middle to `width` columns. Suits paths: the name at the end stays whole where it has room. */
export function cutMiddleToWidth(text: string, width: number, mark = "…"): string {
  if (widthOf(text) <= width) return text;
  const name = widthOf(/[\\/][^\\/]*[\\/]?$/.exec(text)?.[0] ?? "");
  return cutBetween(text, width, mark, name);
}

/** Truncates like `cutMiddleToWidth`, but keeps as much of the start as of the end. */
export function cutEvenlyToWidth(text: string, width: number, mark = "…"): string {
  return widthOf(text) <= width ? text : cutBetween(text, width, mark, 0);
}

/** Keeps half of the width at the end, or `atEnd` columns if that is more. */
function cutBetween(text: string, width: number, mark: string, atEnd: number): string {
  const room = width - mark.length;
  if (room < 0) return "";
  const end = Math.min(room, Math.max(atEnd, Math.ceil(room / 2)));
  const characters = charactersOf(text);
  const tail = leading(characters.toReversed(), end).reverse().join("");
  return `${leading(characters, room - widthOf(tail)).join("")}${mark}${tail}`;
}

/** Returns the characters that people see, grapheme clusters; in printable ASCII every unit is one. */
export function charactersOf(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

function leading(characters: readonly string[], width: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += widthOf(character);
    return used > width;
  });
  return characters.slice(0, end < 0 ? characters.length : end);
}
