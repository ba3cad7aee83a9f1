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

/**
 * Breaks a text at spaces into lines of at most `width` columns. Keeps its line breaks. Breaks a word only if it is
 * longer than a line, as in languages without spaces, and then after a comma or slash in it. Keeps `maxLines` lines;
 * the last ends with `mark` if the text was longer.
 */
export function wrap(text: string, width: number, maxLines = Number.POSITIVE_INFINITY, mark = "…"): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    for (const line of wrapLine(paragraph.trimEnd(), Math.max(2, width))) {
      if (lines.length === maxLines) {
        lines.push(withMark(lines.pop() ?? "", width, mark));
        return lines;
      }
      lines.push(line);
    }
  }
  return lines;
}

/** Ends a line between words with the mark of a cut, unless it ends with one. */
function withMark(whole: string, width: number, mark: string): string {
  const line = whole.endsWith(mark) ? whole.slice(0, -mark.length).trimEnd() : whole;
  const marked = `${line} ${mark}`;
  return widthOf(marked) <= width ? marked : cutToWords(`${line} x`.padEnd(width + 1, "x"), width, mark);
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    if (line !== "" && widthOf((line + word).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
    while (widthOf(line.trimEnd()) > width) {
      const head = headOf(line, width);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line.trimEnd()];
}

/** The longest start of a word that fits, at least one character. */
function headOf(word: string, width: number): string {
  // Longer than what fits, so that the mark of a cut stands at its end.
  const head = cutToWidth(`${word}xx`, width + 1).slice(0, -1);
  const atMark = /^.*[,/|](?=[^,/|])/.exec(head)?.[0] ?? "";
  if (atMark.trim() !== "") return atMark;
  return head === "" ? String.fromCodePoint(word.codePointAt(0) ?? 0) : head;
}
