import type { RecordContext } from "../../ingest/transcript/events.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { asList, asObject, asString, type JsonObject } from "../../io/json.ts";
import { toUtc } from "../../text/when.ts";

/** One line of a transcript. Every missing or mistyped field is null. */
export interface Entry extends RecordContext {
  type: string;
  uuid: string | null;
  parentUuid: string | null;
  sessionId: string | null;
  agentId: string | null;
  isSidechain: boolean;
  /** True right after the record of a compaction, where a summary comes that an older version did not mark. */
  isAfterCompaction: boolean;
  entrypoint: string | null;
  message: JsonObject | null;
  raw: JsonObject;
}

/** Every version writes one of these keys first; all except titles name their session. */
export const RECORD_SHAPE: RecordShape = {
  start: /\{\s*"(?:parentUuid|type|sessionId|uuid|timestamp)"\s*:/,
  isRecord: ({ sessionId, type }) => asString(sessionId) !== null && asString(type) !== null,
};

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Reads the fields that all entries share; null when the object has no type. */
export function parseEntry(raw: JsonObject): Entry | null {
  const type = asString(raw.type);
  if (type === null) return null;
  const timestamp = asString(raw.timestamp);
  const branch = asString(raw.gitBranch);
  const message = asObject(raw.message);
  return {
    type,
    uuid: asString(raw.uuid),
    parentUuid: asString(raw.parentUuid),
    sessionId: asString(raw.sessionId),
    agentId: asString(raw.agentId),
    isSidechain: raw.isSidechain === true,
    isAfterCompaction: false,
    timestamp: timestamp !== null && ISO_TIME.test(timestamp) ? toUtc(timestamp) : null,
    cwd: asString(raw.cwd),
    branch: branch === "HEAD" ? null : branch,
    version: asString(raw.version),
    model: asString(message?.model),
    entrypoint: asString(raw.entrypoint),
    message,
    raw,
  };
}

/** Returns the blocks of an entry's message. A string counts as one text block. */
export function messageBlocks({ message, raw }: Entry): readonly unknown[] {
  const body = message ? message.content : raw.message;
  return typeof body === "string" ? [body] : asList(body);
}

export function isToolUse({ type }: JsonObject): boolean {
  return type === "tool_use" || type === "server_tool_use";
}

/** Returns the spoken and thought texts of an entry, and the plans put to the user, in order. */
export function entryTexts(entry: Entry): EntryText[] {
  return messageBlocks(entry)
    .map(textIn)
    .filter(({ text }) => text.trim() !== "");
}

function textIn(block: unknown): EntryText {
  const fields = asObject(block);
  const isThinking = fields?.type === "thinking";
  const text = fields === null ? block : wordsIn(fields);
  return { text: typeof text === "string" ? text : "", isThinking };
}

function wordsIn(fields: JsonObject): unknown {
  if (fields.type === "text") return fields.text;
  if (fields.type === "thinking") return fields.thinking;
  return isToolUse(fields) && fields.name === "ExitPlanMode" ? asObject(fields.input)?.plan : null;
}
