import { charactersOf, cutMiddleToWidth, widthOf } from "./width.ts";

/** Words and the spaces before them; an escape belongs to the word that it touches. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const WORDS = /(?<! )( *)((?:\x1b\[[\d;]*m|[^ \x1b])+)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const COLOUR = /\x1b\[[\d;]*m/g;
/** What moves the cursor: such a line is drawn over, and its writer knows the width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const DRAWN = /\r|\x1b\[[\d;?]*[A-Za-ln-z]/;
/** A path of files, also in quotes or before a mark, but no web address. */
const PATH = /^["'“(]*(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^:]*[.,:;)"'”]*$|^[\w.@-]+(?:\/[\w.@-]+)+[.,:;]?$/;
/** A path that says where it starts, which people copy: it is never cut. */
const ABSOLUTE = /^["'“(]*(?:~|[A-Za-z]:)?[\\/]/;
/** A path in a call of a tool or in Markdown, such as `Read(src/a.ts)` or `**src/a.ts**:`, with what stands around it. */
const CALLED_PATH =
  /^([*_`"'([]{0,9}(?:\w{1,200}(?:\(|=)["']?)?)([^\s"'()|,*`[\]:\\/]{0,400}[\\/][^\s"'()|,*`[\]:]*)([*_`"')\].,:;]{0,9})$/;
/**
 * A command to copy at the end of a line, alone or after a label. Broken it would be several commands, or have a line break in
 * its quotes.
 */
const COMMAND =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
  /(?<=^|:)( *)((?:\x1b\[[\d;]*m)*mementor (?:(?:-C|--db) .{1,400} )?(?:show|turns|told|resume|search) (?:\d+|<\w+>|'.*')(?:\x1b\[[\d;]*m)*)$/;
/** Where a word that is wider than a line may be broken: it is a list there. */
const LIST_MARK = /(?<=[,|;])(?=[^,|;])/;
/** Text without spaces between words may be broken anywhere. */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;
/** A label and the space below which what follows it goes on, such as `memory    `. */
const LABEL = /^ *(?:\S+ ){0,5}\S+ {2,}(?=\S)|^ *(?:[-•*]|\d+[.)]) (?=\S)/;
/** Two labels, such as `ok       program      `. */
const TWO_LABELS = /^ *(?:\S+ ){0,5}\S+ {2,}(?:\S+ ){0,2}\S+ {2,}(?=\S)/;
const TAB = "    ";
/** Less room than this beside a label, or beside two, is not used. */
const MIN_BESIDE = 24;
const MIN_BESIDE_TWO = 36;

/**
 * Returns a text whose lines fit `width` columns: breaks longer lines between words, and goes on below the start of the
 * text, or of what follows a label. A relative path that has no room there is cut in its middle with `mark`. Another word that
 * is wider than a line is broken after the marks of a list, `,`, `|` and `;`, or left whole, on a line of its own: an absolute
 * path is there to be copied. A command to copy is left whole, too: the terminal breaks it.
 * Colours go on after a break. Lines that fit are unchanged.
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

/** The space between a question and what is typed as its answer. */
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
    // A path that is to be cut anyway stands beside its label.
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

/** The words of a line, each after the space before it. A command to copy is one word. */
function wordsOf(line: string): RegExpMatchArray[] {
  const command = COMMAND.exec(line);
  const before = command === null ? line : line.slice(0, command.index);
  return [...before.matchAll(WORDS), ...(command === null ? [] : [command])];
}

/** Where the lines after the first start. */
function indentOf(line: string, width: number): number {
  const plain = line.replace(COLOUR, "");
  const lead = /^ */.exec(plain)?.[0].length ?? 0;
  const both = widthOf(TWO_LABELS.exec(plain)?.[0] ?? "");
  if (both > 0 && width - both >= MIN_BESIDE_TWO) return both;
  const label = widthOf(LABEL.exec(plain)?.[0] ?? "");
  if (label > 0 && width - label >= MIN_BESIDE) return label;
  return Math.min(label > 0 ? lead + 2 : lead, Math.floor(width / 3));
}

/** A word that needs more room than is left beside the indent moves to the left; a path is cut. */
function startOf(word: string, indent: number, width: number): number {
  return isCut(word.replace(COLOUR, "")) ? indent : Math.max(0, Math.min(indent, width - widthOf(word)));
}

/** Whether a word is cut where it has no room. */
function isCut(word: string): boolean {
  return PATH.test(word) && !ABSOLUTE.test(word);
}

function fitWord(word: string, room: number, mark: string): string {
  if (widthOf(word) <= room || COMMAND.test(word)) return word;
  if (UNSPACED.test(word)) return brokenAnywhere(word, room);
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
  for (const character of charactersOf(word)) {
    used += widthOf(character);
    if (used > Math.max(2, room)) {
      result += "\n";
      used = widthOf(character);
    }
    result += character;
  }
  return result;
}

/** The colours that are open after a word. */
function openColours(before: string, word: string): string {
  return (word.match(COLOUR) ?? []).reduce(
    (open, code) => (/\[(?:0|22|39)m$/.test(code) ? "" : open + code),
    before,
  );
}
