import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, objectOf } from "../../io/json.ts";
import type { Entry } from "./entry.ts";

/** The blocks of an entry's message. One that is a string can only be spoken text. */
export function blocksOf({ message, raw }: Entry): readonly unknown[] {
  const body = message ? message.content : raw.message;
  return typeof body === "string" ? [body] : listOf(body);
}

export function isToolUse({ type }: JsonObject): boolean {
  return type === "tool_use" || type === "server_tool_use";
}

/** What was said and thought in an entry, and the plans that were put to the user, in order. */
export function textsOf(entry: Entry): EntryText[] {
  return blocksOf(entry)
    .map(textIn)
    .filter(({ text }) => text.trim() !== "");
}

function textIn(block: unknown): EntryText {
  const fields = objectOf(block);
  const isThinking = fields?.type === "thinking";
  const text = fields === null ? block : wordsIn(fields);
  return { text: typeof text === "string" ? text : "", isThinking };
}

function wordsIn(fields: JsonObject): unknown {
  if (fields.type === "text") return fields.text;
  if (fields.type === "thinking") return fields.thinking;
  return isToolUse(fields) && fields.name === "ExitPlanMode" ? objectOf(fields.input)?.plan : null;
}
