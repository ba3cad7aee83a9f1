import { type JsonObject, listOf, objectOf, stringOf } from "../../transcript/json.ts";
import type { EntryText } from "../../transcript/transcript.ts";
import type { Entry } from "./entry.ts";

export interface ToolUse {
  id: string | null;
  name: string;
  /** Null when it is missing or not an object. */
  input: JsonObject | null;
}

export interface ToolResult {
  toolUseId: string | null;
  isError: boolean;
  text: string;
}

/** What an entry's message holds, block by block; unknown blocks are left out. */
export interface Content {
  texts: EntryText[];
  toolUses: ToolUse[];
  toolResults: ToolResult[];
}

/** Thinking, answers and tool calls of an assistant entry, or text and tool results of a user entry, in order. */
export function contentOf(entry: Entry): Content {
  const content: Content = { texts: [], toolUses: [], toolResults: [] };
  // A message that is a bare string was written by hand or by another tool; it can only be what was said.
  const body = entry.message ? entry.message.content : entry.raw.message;
  if (typeof body === "string") addText(content, body);
  for (const block of listOf(body)) addBlock(content, block);
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
      addToolUse(content, fields);
      break;
    case "tool_result":
      content.toolResults.push({
        toolUseId: stringOf(fields.tool_use_id),
        isError: fields.is_error === true,
        text: resultText(fields.content),
      });
  }
}

function addToolUse(content: Content, fields: JsonObject): void {
  const name = stringOf(fields.name);
  if (name === null) return;
  content.toolUses.push({ id: stringOf(fields.id), name, input: objectOf(fields.input) });
}

/** The text of a tool result: a string, or the text blocks of a list. */
export function resultText(body: unknown): string {
  if (typeof body === "string") return body;
  return listOf(body)
    .map((block) => (typeof block === "string" ? block : stringOf(objectOf(block)?.text)))
    .filter((text) => text !== null)
    .join("\n");
}
