import { outputHead } from "../../transcript/tools/failure.ts";

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action right now)/;
const SAID = /the user said:\s*/i;
const WRAPPER = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>|$)/;

/**
 * Returns why a tool failed, without Claude Code's wrapping. For a refused call, returns what the user said; empty if
 * the user said nothing.
 */
export function failureReason(output: string): string {
  const head = outputHead(output);
  const text = (WRAPPER.exec(head)?.[1] ?? head).trim();
  if (text.startsWith("[Request interrupted")) return "";
  if (!REJECTED.test(text)) return text;
  const said = SAID.exec(text);
  return said ? `Refused: ${text.slice(said.index + said[0].length)}` : "";
}
