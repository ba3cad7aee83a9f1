import { lazily } from "../lazily.ts";
import { UNSPACED } from "./scripts.ts";

/** Segments text that is not ASCII. Creating it takes longer than printing a list. */
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
  return room < 0 ? "" : `${leading(splitCharacters(text), room).join("")}${mark}`;
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

/** Truncates a text in the middle to `width` columns. This suits paths: the name at the end stays whole where there is room. */
export function cutMiddleToWidth(text: string, width: number, mark = "…"): string {
  if (widthOf(text) <= width) return text;
  const name = widthOf(/[\\/][^\\/]*[\\/]?$/.exec(text)?.[0] ?? "");
  return cutBetween(text, width, mark, name);
}

/** Truncates like `cutMiddleToWidth`, but keeps as much of the start as of the end. */
export function cutEvenlyToWidth(text: string, width: number, mark = "…"): string {
  return widthOf(text) <= width ? text : cutBetween(text, width, mark, 0);
}

/** Cuts out the middle of a text. Keeps half of the width at the end, or `atEnd` columns if that is more. */
function cutBetween(text: string, width: number, mark: string, atEnd: number): string {
  const room = width - mark.length;
  if (room < 0) return "";
  const end = Math.min(room, Math.max(atEnd, Math.ceil(room / 2)));
  const characters = splitCharacters(text);
  const tail = leading(characters.toReversed(), end).reverse().join("");
  return `${leading(characters, room - widthOf(tail)).join("")}${mark}${tail}`;
}

/** Returns the visible characters of a text, as grapheme clusters; in printable ASCII, every unit is one. */
export function splitCharacters(text: string): string[] {
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
 * Breaks a text at spaces into lines of at most `width` columns, and keeps its line breaks. Breaks a word only if it is longer
 * than a line, as in languages without spaces, preferably after a comma or slash. Keeps `maxLines` lines; the last ends with
 * `mark` if the text was longer.
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

/** Ends a cut line with `mark` between words, unless it already ends with one. */
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

/** Returns the longest start of a word that fits, at least one character. */
function headOf(word: string, width: number): string {
  // One column wider than the room, so that the cut adds its mark, which is then removed.
  const head = cutToWidth(`${word}xx`, width + 1).slice(0, -1);
  const atMark = /^.*[,/|](?=[^,/|])/.exec(head)?.[0] ?? "";
  if (atMark.trim() !== "") return atMark;
  return head === "" ? String.fromCodePoint(word.codePointAt(0) ?? 0) : head;
}

/** Words with the spaces before them. An escape belongs to the word that it touches. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const WORDS = /(?<! )( *)((?:\x1b\[[\d;]*m|[^ \x1b])+)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const COLOUR = /\x1b\[[\d;]*m/g;
/** Escapes that move the cursor. Their writer redraws the line and knows the width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const DRAWN = /\r|\x1b\[[\d;?]*[A-Za-ln-z]/;
/** A file path, also in quotes or before punctuation, but not a web address. */
const PATH = /^["'“(]*(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^:]*[.,:;)"'”]*$|^[\w.@-]+(?:\/[\w.@-]+)+[.,:;]?$/;
/** An absolute path, which people copy, so it is never cut. */
const ABSOLUTE = /^["'“(]*(?:~|[A-Za-z]:)?[\\/]/;
/** A path within a tool call or Markdown, such as `Read(src/a.ts)` or `**src/a.ts**:`, with the text around it. */
const CALLED_PATH =
  /^([*_`"'([]{0,9}(?:\w{1,200}(?:\(|=)["']?)?)([^\s"'()|,*`[\]:\\/]{0,400}[\\/][^\s"'()|,*`[\]:]*)([*_`"')\].,:;]{0,9})$/;
/**
 * A command to copy at the end of a line, alone or after a label. A line break would split it into several commands, or land in
 * its quotes.
 */
const COMMAND =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
  /(?<=^|:)( *)((?:\x1b\[[\d;]*m)*mementor (?:(?:-C|--db) .{1,400} )?(?:show|turns|told|resume|search) (?:\d+|<\w+>|'.*')(?:\x1b\[[\d;]*m)*)$/;
/** Places to break a word that is wider than a line, since it is a list. */
const LIST_MARK = /(?<=[,|;])(?=[^,|;])/;
/** Text without spaces between words, which may break anywhere. */
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");
/** A label and the space after it, such as `memory    `. Later lines are indented to its end. */
const LABEL = /^ *(?:\S+ ){0,5}\S+ {2,}(?=\S)|^ *(?:[-•*]|\d+[.)]) (?=\S)/;
/** Two labels, such as `ok       program      `. */
const TWO_LABELS = /^ *(?:\S+ ){0,5}\S+ {2,}(?:\S+ ){0,2}\S+ {2,}(?=\S)/;
const TAB = "    ";
/** Minimum room beside one or two labels; with less, lines are not indented. */
const MIN_BESIDE = 24;
const MIN_BESIDE_TWO = 36;

/**
 * Breaks the lines of a text to fit `width` columns. Breaks longer lines between words and indents their rest like the start of
 * the text, or to the end of a label. Cuts the middle of a relative path that has no room. Breaks other words wider than a line
 * after the list marks `,`, `|` and `;`, or leaves them whole on their own line, as absolute paths are, to be copied. Leaves a
 * command to copy whole; the terminal breaks it. Continues colours after a break. Leaves lines that fit unchanged.
 */
export function fitToWidth(text: string, width: number, mark = "…"): string {
  return text
    .replaceAll("\t", TAB)
    .split("\n")
    .map((line) =>
      widthOf(line) <= width || DRAWN.test(line) ? line : fitLine(line, width, mark) + spaceAfter(line),
    )
    .join("\n");
}

/** Returns the space between a question and its typed answer. */
function spaceAfter(line: string): string {
  return line.endsWith("] ") ? " " : "";
}

function fitLine(line: string, width: number, mark: string): string {
  const indent = indentOf(line, width);
  const lines: string[] = [];
  let current = "";
  let open = "";
  for (const [, space = "", word = ""] of wordsOf(line)) {
    const isStart = current.trim() === "" || current === open;
    // A path that is cut anyway stays beside its label.
    const isBeside = widthOf(current + space) <= indent && isCut(word) && widthOf(word) > width - indent;
    if (!isStart && !isBeside && widthOf(current + space + word) > width) {
      lines.push(open === "" ? current : `${current}\x1b[0m`);
      current = " ".repeat(startOf(word, indent, width)) + open;
      current += fitWord(word, width - widthOf(current), mark);
    } else {
      const before = isStart && lines.length > 0 ? current : current + space;
      current = before + fitWord(word, width - widthOf(before), mark);
    }
    open = openColours(open, word);
  }
  return [...lines, current].join("\n").replace(/(?<! ) +(?=\n)/g, "");
}

/** Returns the words of a line, each with the space before it. A command to copy is one word. */
function wordsOf(line: string): RegExpMatchArray[] {
  const command = COMMAND.exec(line);
  const before = command === null ? line : line.slice(0, command.index);
  return [...before.matchAll(WORDS), ...(command === null ? [] : [command])];
}

/** Returns the indent of the lines after the first. */
function indentOf(line: string, width: number): number {
  const plain = line.replace(COLOUR, "");
  const lead = /^ */.exec(plain)?.[0].length ?? 0;
  const both = widthOf(TWO_LABELS.exec(plain)?.[0] ?? "");
  if (both > 0 && width - both >= MIN_BESIDE_TWO) return both;
  const label = widthOf(LABEL.exec(plain)?.[0] ?? "");
  if (label > 0 && width - label >= MIN_BESIDE) return label;
  return Math.min(label > 0 ? lead + 2 : lead, Math.floor(width / 3));
}

/** Returns the column where a word starts. A word without enough room beside the indent moves left; a path is cut instead. */
function startOf(word: string, indent: number, width: number): number {
  return isCut(word.replace(COLOUR, "")) ? indent : Math.max(0, Math.min(indent, width - widthOf(word)));
}

/** Tells whether a word is cut when it has no room. */
function isCut(word: string): boolean {
  return PATH.test(word) && !ABSOLUTE.test(word);
}

function fitWord(word: string, room: number, mark: string): string {
  if (widthOf(word) <= room || COMMAND.test(word)) return word;
  if (UNSPACED_LETTER.test(word)) return brokenAnywhere(word, room);
  const plain = word.replace(COLOUR, "");
  if (plain.includes("://") || (PATH.test(plain) && ABSOLUTE.test(plain))) return word;
  const [, before = "", path = "", after = ""] = CALLED_PATH.exec(plain) ?? [
    "",
    "",
    PATH.test(plain) ? plain : "",
  ];
  if (path === "") return brokenAtMarks(word, room);
  const left = Math.max(room, MIN_BESIDE) - Math.min(MIN_BESIDE / 2, widthOf(before + after));
  return word.replace(path, () => cutMiddleToWidth(path, left, mark));
}

function brokenAtMarks(word: string, room: number): string {
  return word.split(LIST_MARK).reduce((broken, piece) => {
    const last = broken.slice(broken.lastIndexOf("\n") + 1);
    return broken + (broken !== "" && widthOf(last + piece) > room ? "\n" : "") + piece;
  }, "");
}

function brokenAnywhere(word: string, room: number): string {
  let used = 0;
  let result = "";
  for (const character of splitCharacters(word)) {
    used += widthOf(character);
    if (used > Math.max(2, room)) {
      result += "\n";
      used = widthOf(character);
    }
    result += character;
  }
  return result;
}

/** Returns the colours that are still on after a word. */
function openColours(before: string, word: string): string {
  return (word.match(COLOUR) ?? []).reduce(
    (open, code) => (/\[(?:0|22|39)m$/.test(code) ? "" : open + code),
    before,
  );
}
