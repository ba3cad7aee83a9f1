import { cutToWidth, cutToWords, widthOf } from "./width.ts";

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
