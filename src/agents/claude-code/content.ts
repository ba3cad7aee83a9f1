import type { ToolCall, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../../transcript/json.ts";
import { outputHead } from "../../transcript/tools/result.ts";
import type { EntryText } from "../../transcript/transcript.ts";
import { toolCall } from "../tool-table.ts";
import type { Entry } from "./entry.ts";
import { NOTHING_RETURNED, returnedBy } from "./returned.ts";
import { blocksOf, isToolUse, textsOf } from "./texts.ts";
import { TOOLS } from "./tools.ts";

/** The content of an entry's message, in order. Unknown blocks are left out. */
export interface Content {
  texts: EntryText[];
  calls: ToolCall[];
  results: ToolResult[];
}

/** Thinking, answers and tool calls of an assistant entry, or text and tool results of a user entry, in order. */
export function contentOf(entry: Entry): Content {
  const blocks = objectsOf(blocksOf(entry));
  const results = blocks.filter(({ type }) => type === "tool_result").map(resultOf);
  const [only, ...others] = results;
  // What the client stores next to the message belongs to its only result.
  if (only && others.length === 0) Object.assign(only, returnedBy(entry.raw.toolUseResult));
  return { texts: textsOf(entry), calls: blocks.filter(isToolUse).flatMap(callOf), results };
}

function callOf({ id, name, input }: JsonObject): ToolCall[] {
  const called = stringOf(name);
  return called === null ? [] : [toolCall(TOOLS, stringOf(id), called, objectOf(input))];
}

function resultOf(fields: JsonObject): ToolResult {
  const isError = fields.is_error === true;
  const text = resultText(fields.content);
  return {
    callId: stringOf(fields.tool_use_id),
    isError,
    text: isError ? failureReason(text) : text,
    ...NOTHING_RETURNED,
  };
}

/** The text of a tool result: a string, or the text blocks of a list. */
function resultText(body: unknown): string {
  if (typeof body === "string") return body;
  return listOf(body)
    .map((block) => (typeof block === "string" ? block : stringOf(objectOf(block)?.text)))
    .filter((text) => text !== null)
    .join("\n");
}

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
