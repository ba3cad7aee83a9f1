import type { ToolCall, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../transcript/json.ts";
import { outputHead } from "../../transcript/tools/result.ts";
import type { EntryText } from "../../transcript/transcript.ts";
import { toolCall } from "../tool-table.ts";
import type { Entry } from "./entry.ts";
import { NOTHING_RETURNED, returnedBy } from "./returned.ts";
import { TOOLS } from "./tools.ts";

/** The content of an entry's message, in order. Unknown blocks are left out. */
export interface Content {
  texts: EntryText[];
  calls: ToolCall[];
  results: ToolResult[];
}

/** Thinking, answers and tool calls of an assistant entry, or text and tool results of a user entry, in order. */
export function contentOf(entry: Entry): Content {
  const content: Content = { texts: [], calls: [], results: [] };
  // A message that is a string can only be spoken text.
  const body = entry.message ? entry.message.content : entry.raw.message;
  if (typeof body === "string") addText(content, body);
  for (const block of listOf(body)) addBlock(content, block);
  const [only, ...others] = content.results;
  // What the client stores next to the message belongs to its only result.
  if (only && others.length === 0) Object.assign(only, returnedBy(entry.raw.toolUseResult));
  return content;
}

function addText(content: Content, text: unknown, isThinking = false): void {
  if (typeof text === "string" && text.trim() !== "") content.texts.push({ text, isThinking });
}

function addBlock(content: Content, block: unknown): void {
  const fields = objectOf(block);
  switch (fields?.type) {
    case undefined:
      addText(content, block);
      break;
    case "text":
      addText(content, fields.text);
      break;
    case "thinking":
      addText(content, fields.thinking, true);
      break;
    case "tool_use":
    case "server_tool_use":
      addToolCall(content, fields);
      break;
    case "tool_result":
      content.results.push(resultOf(fields));
  }
}

function addToolCall(content: Content, fields: JsonObject): void {
  const name = stringOf(fields.name);
  if (name === null) return;
  const input = objectOf(fields.input);
  content.calls.push(toolCall(TOOLS, stringOf(fields.id), name, input));
  if (name === "ExitPlanMode") addText(content, input?.plan);
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
