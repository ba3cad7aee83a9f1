import { stripVTControlCharacters } from "node:util";
import { TOOL_LIMITS } from "../../constants.ts";

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action right now)/;
const SAID = /the user said:\s*/i;
const WRAPPER = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>|$)/;

/** How much of a result is looked at for its first lines, and of what is left for secrets. */
const HEAD_CHARS = 4_000;
const CLEAN_CHARS = 2_000;

/**
 * Returns the first lines of a failed tool's result, bounded, without escape codes; null when nothing is worth
 * keeping. A call that the user refused leaves what the user said about it.
 */
export function failureText(result: string, clean: (text: string) => string): string | null {
  const head = stripVTControlCharacters(result.slice(0, HEAD_CHARS)).trim();
  const text = (WRAPPER.exec(head)?.[1] ?? head).trim();
  if (text === "" || text.startsWith("[Request interrupted")) return null;
  if (!REJECTED.test(text)) return firstLines(text, clean);
  const said = SAID.exec(text);
  return said ? firstLines(`Refused: ${text.slice(said.index + said[0].length)}`, clean) : null;
}

function firstLines(text: string, clean: (text: string) => string): string | null {
  const lines = clean(text.slice(0, CLEAN_CHARS))
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .slice(0, TOOL_LIMITS.errorLines)
    .join("\n");
  if (lines.length <= TOOL_LIMITS.errorChars) return lines === "" ? null : lines;
  return `${lines
    .slice(0, TOOL_LIMITS.errorChars)
    .toWellFormed()
    .replace(/\uFFFD$/, "")}...`;
}
