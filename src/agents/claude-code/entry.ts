import type { RecordContext } from "../../ingest/transcript/events.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import { utc } from "../../text/when.ts";

/** One line of a transcript. Every missing or mistyped field is null. */
export interface Entry extends RecordContext {
  type: string;
  uuid: string | null;
  parentUuid: string | null;
  sessionId: string | null;
  agentId: string | null;
  isSidechain: boolean;
  entrypoint: string | null;
  message: JsonObject | null;
  raw: JsonObject;
}

/** Every version writes one of these keys first; all except titles name their session. */
export const RECORD_SHAPE: RecordShape = {
  start: /\{\s*"(?:parentUuid|type|sessionId|uuid|timestamp)"\s*:/,
  isRecord: ({ sessionId, type }) => stringOf(sessionId) !== null && stringOf(type) !== null,
};

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Reads the fields that all entries share; null when the object has no type. */
export function entryOf(raw: JsonObject): Entry | null {
  const type = stringOf(raw.type);
  if (type === null) return null;
  const timestamp = stringOf(raw.timestamp);
  const branch = stringOf(raw.gitBranch);
  const message = objectOf(raw.message);
  return {
    type,
    uuid: stringOf(raw.uuid),
    parentUuid: stringOf(raw.parentUuid),
    sessionId: stringOf(raw.sessionId),
    agentId: stringOf(raw.agentId),
    isSidechain: raw.isSidechain === true,
    timestamp: timestamp !== null && ISO_TIME.test(timestamp) ? utc(timestamp) : null,
    cwd: stringOf(raw.cwd),
    branch: branch === "HEAD" ? null : branch,
    version: stringOf(raw.version),
    model: stringOf(message?.model),
    entrypoint: stringOf(raw.entrypoint),
    message,
    raw,
  };
}

/** Returns the blocks of an entry's message. A string counts as one text block. */
export function blocksOf({ message, raw }: Entry): readonly unknown[] {
  const body = message ? message.content : raw.message;
  return typeof body === "string" ? [body] : listOf(body);
}

export function isToolUse({ type }: JsonObject): boolean {
  return type === "tool_use" || type === "server_tool_use";
}

/** Returns the spoken and thought texts of an entry, and the plans put to the user, in order. */
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
