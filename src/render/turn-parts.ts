import type { StoredTurn } from "../store/contract/types/stored.ts";
import { cutToWords } from "../text/width.ts";
import { markedPieces } from "../turn/marked.ts";
import type { PartKind } from "../turn/text.ts";
import { plural } from "./plural.ts";
import { promptLabel } from "./speaker.ts";
import type { Style } from "./style.ts";
import { printableWords } from "./tags.ts";

/** How the parts of a turn are shown. */
export interface PartsShown {
  style: Style;
  /** Whether thinking is shown whole; else only its first line. */
  thinking: boolean;
}

/**
 * Renders a turn's text so that what was thought, said and done look different: labels are bold, thinking is dim and
 * folded, each call of a tool has its own line, and errors are red.
 */
export function renderParts(turn: StoredTurn, { style, thinking }: PartsShown): string {
  return markedPieces(turn)
    .map(({ kind, gap, label, text }) => {
      const name = style.bold(nameOf(label.trim(), kind, turn));
      const body = bodyOf(kind, printableWords(text), turn, { style, thinking });
      const space = label === "" || body.startsWith("\n") ? "" : " ";
      return `${printableWords(gap)}${name}${space}${painted(kind, body, style)}`;
    })
    .join("");
}

function nameOf(label: string, kind: PartKind | null, { role, origin }: StoredTurn): string {
  if (label === "") return label;
  if (kind === "forward") return "[Next prompt]";
  if (kind === "prompt" && role === "turn" && origin !== "agent") return promptLabel({ origin, role }).trim();
  return role === "compaction_summary" && kind === "prompt" ? "[Summary of what came before]" : label;
}

function bodyOf(
  kind: PartKind | null,
  text: string,
  turn: StoredTurn,
  { style, thinking }: PartsShown,
): string {
  if (kind === "tools") return calls(turn, text, style);
  if (kind === "forward" && text.endsWith(SHORTENED)) return cutShort(text, style);
  return kind === "thinking" && !thinking ? folded(text, style) : text;
}

/** Width of what is shown of a thought; a paragraph is one line. */
const THOUGHT_WIDTH = 160;

/** The first line, and that there is more. */
function folded(text: string, { ellipsis }: Style): string {
  const [first = "", ...more] = text.trimEnd().split("\n");
  const lines = more.filter((line) => line.trim() !== "").length;
  const start = cutToWords(first, THOUGHT_WIDTH, ellipsis);
  if (lines > 0) return `${start} (${plural(lines, "more line")}: --thinking)`;
  return start === first ? first : `${start} (the rest: --thinking)`;
}

/** The calls of tools, each on a line. */
function calls({ toolSummary }: StoredTurn, text: string, style: Style): string {
  const lines = toolSummary.map((call) => `\n  ${cutValues(printableWords(call), style)}`);
  return toolSummary.join(" | ").length === text.length ? lines.join("") : text;
}

/** How stored texts end that were cut, also inside a word; and the values of calls that are long enough to have been. */
const SHORTENED = "...";
const CUT_VALUE = /(?<=")(?:[^"\\]|\\.){80,2000}?\.\.\.(?=")/g;
/** A word of more characters is no word: it may be cut. */
const MAX_WORD = 30;

/** Ends the values of a call that were cut when they were stored as other cuts on a screen. */
function cutValues(call: string, style: Style): string {
  return call.replace(CUT_VALUE, (value) => cutShort(value, style));
}

/** A cut text, without the part of a word at its end. */
function cutShort(text: string, { ellipsis }: Style): string {
  const kept = text.slice(0, -SHORTENED.length);
  const last = /\s\S*$/.exec(kept);
  const isWord = last !== null && last[0].length <= MAX_WORD;
  return `${isWord ? kept.slice(0, last.index) : kept}${ellipsis}`;
}

function painted(kind: PartKind | null, text: string, style: Style): string {
  if (kind === "thinking") return eachLine(text, style.dim);
  if (kind === "tools") return eachLine(text, style.cyan);
  if (kind === "errors") return eachLine(text, style.red);
  return text;
}

/** A pager shows each line by itself, so each has its own colour. */
function eachLine(text: string, paint: (line: string) => string): string {
  return text.split("\n").map(paint).join("\n");
}
