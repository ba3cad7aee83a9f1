import type { Range } from "./parts.ts";
import {
  CHAT_LINES,
  COMMENT_LINE,
  FORWARDED_LINE,
  GREETING_LINE,
  HEADER_LINE,
  MARKED_NAME,
  NAMED_LINE,
  NO_NAME,
  OWN_AGAIN,
  PAGE_LINE,
  TICKET,
  WROTE_LINE,
} from "./paste-signs.ts";

/** A line of a prompt. */
export interface Line extends Range {
  text: string;
}

/**
 * Tells whether what somebody else wrote starts at a line, and goes on until a paragraph that speaks of it. A greeting starts a
 * letter where somebody signs below: who greets the agent asks it something.
 */
export function startsDocument(
  lines: readonly Line[],
  at: number,
  text: string,
  isSignedBelow: boolean,
): boolean {
  const next = lines[at + 1]?.text ?? "";
  if (HEADER_LINE.test(text))
    return HEADER_LINE.test(next) || /^(?:\**)(?:subject|betreff|objet|asunto)/i.test(text);
  if (/^commit [0-9a-f]{7,40}\b/.test(text)) return HEADER_LINE.test(next);
  if (
    isWrote(text) ||
    (isSignedBelow && GREETING_LINE.test(text.trim())) ||
    COMMENT_LINE.test(text) ||
    PAGE_LINE.test(text.trim())
  )
    return true;
  if (text === "---" && /^[\w-]+:\s/.test(next)) return true;
  return CHAT_LINES.some((sign) => sign.test(text)) || isDialogue(lines, at);
}

function isWrote(line: string): boolean {
  return FORWARDED_LINE.test(line) || (WROTE_LINE.test(line) && /[:：]$/.test(line.trimEnd()));
}

/** A name and a colon start several lines, and one of the names comes again. */
function isDialogue(lines: readonly Line[], at: number): boolean {
  const first = markedName(lines[at]?.text ?? "");
  if (first !== null)
    return lines.slice(at, at + 12).some(({ text }) => ![null, first].includes(markedName(text)));
  const name = nameIn(lines[at]?.text ?? "");
  if (name === null) return false;
  const names = lines.slice(at, at + 12).flatMap(({ text }) => nameIn(text) ?? []);
  return names.length >= 3 && new Set(names).size > 1 && new Set(names).size < names.length;
}

function markedName(line: string): string | null {
  const name = MARKED_NAME.exec(line)
    ?.slice(1)
    .find((each) => each !== undefined);
  return name === undefined || NO_NAME.test(name) ? null : name;
}

function nameIn(line: string): string | null {
  const name = NAMED_LINE.exec(line)?.[1];
  return name === undefined || NO_NAME.test(name) ? null : name;
}

/** Returns the line with which an issue or a ticket starts: the first line of the paragraph of its first sign. */
export function ticketIn(lines: readonly Line[]): number | null {
  const signs = lines.flatMap(({ text }, at) => {
    const isSure = [TICKET.sure, TICKET.minutes, TICKET.closes].some((sign) => sign.test(text));
    const kind = isSure ? 2 : TICKET.perhaps.test(text) || TICKET.key.test(text) ? 1 : 0;
    return kind === 0 ? [] : [{ at, kind }];
  });
  const [first] = signs;
  if (first === undefined || signs.reduce((sum, { kind }) => sum + kind, 0) < 2) return null;
  let start = first.at;
  const goesWith = TICKET.minutes.test(lines[start]?.text ?? "") ? isHeading : goesWithTicket;
  while (start > 0 && goesWith(lines[start - 1]?.text ?? "")) start--;
  return start;
}

function isHeading(line: string): boolean {
  return /^#{1,6} /.test(line);
}

function goesWithTicket(line: string): boolean {
  return line.trim() !== "" && !/[:：?]\s*$/.test(line) && !OWN_AGAIN.test(line);
}
