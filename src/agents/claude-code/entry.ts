import type { RecordContext } from "../../ingest/transcript/events.ts";
import { type LineReader, standsAt, stringEnd, valueEnd } from "../../ingest/transcript/lines.ts";
import type { RecordShape } from "../../ingest/transcript/objects.ts";
import type { EntryText } from "../../ingest/transcript/transcript.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import { utc } from "../../text/when.ts";

/** One line of a transcript, as far as it can be relied on: every field that is missing or mistyped is null. */
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

/** Every version writes one of these keys first; all but titles name their session. */
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

/** Entry types with content to store. Every other type is skipped and counted under its name. */
const KEPT = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "summary",
  "custom-title",
  "ai-title",
  "pr-link",
]);

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACE = 123;
/** Matches a key. Its unescaped quotes cannot occur inside a JSON string. */
const TYPE_KEY = Buffer.from('"type":"');
/** The most common types, with their closing quotes. They are recognised without decoding. */
const FREQUENT = ["user", "progress", "file-history-snapshot", "queue-operation"].map((type) => ({
  type,
  bytes: Buffer.from(`${type}"`),
}));
const BLOCK_LIST = Buffer.from('"message":{"role":"user","content":[{');
const MESSAGE_CHARS = '"message":'.length;
const LIST_CHARS = '"message":{"role":"user","content":'.length;
const MAX_TYPE_CHARS = 40;

interface LineHead {
  type: string;
  /** Where the list of a user entry's blocks starts; null when it cannot be found without parsing. */
  blocksAt: number | null;
}

/**
 * Reads an entry's type from its line without parsing the line; null when the type is not certain. No object may start
 * before the type. So it is the type of the entry, not of a message or block in it, and not text in a prompt.
 */
export function lineHead(lines: LineReader): LineHead | null {
  const { bytes, start, end } = lines;
  if (bytes[start] !== OPEN_BRACE) return null;
  const key = bytes.indexOf(TYPE_KEY, start);
  if (key < 0 || key >= end) return null;
  const brace = bytes.indexOf(OPEN_BRACE, start + 1);
  if (brace >= 0 && brace < key) return null;
  const before = bytes[key - 1];
  if (before !== COMMA && before !== OPEN_BRACE) return null;
  const type = typeAt(bytes, key + TYPE_KEY.length);
  if (type !== "user") return type === null ? null : { type, blocksAt: null };
  return {
    type,
    blocksAt: brace < 0 || brace >= end ? null : blockList(lines, brace - MESSAGE_CHARS, brace),
  };
}

function typeAt(bytes: Buffer, at: number): string | null {
  for (const frequent of FREQUENT) if (standsAt(bytes, at, frequent.bytes)) return frequent.type;
  const type = bytes.toString("latin1", at, Math.min(bytes.indexOf(QUOTE, at), at + MAX_TYPE_CHARS));
  return /^[\w-]+$/.test(type) ? type : null;
}

/**
 * Returns where the blocks start, if they are the first object of the line. Null for a sidechain without an agent's
 * id.
 */
function blockList({ bytes, start, end }: LineReader, at: number, brace: number): number | null {
  if (at < start || at + BLOCK_LIST.length > end || !standsAt(bytes, at, BLOCK_LIST)) return null;
  const scalars = bytes.toString("latin1", start, brace);
  const isAnonymous = scalars.includes('"isSidechain":true') && !scalars.includes('"agentId":"');
  return isAnonymous ? null : at + LIST_CHARS;
}

/** Whether entries of a type are always skipped. */
export function isPassedOver(type: string): boolean {
  return !KEPT.has(type);
}

const COLON = 58;
const CLOSE_BRACE = 125;
const CLOSE_BRACKET = 93;
const LETTER_T = 116;
const TYPE = Buffer.from('"type":');
const TOOL_RESULT = Buffer.from('"tool_result"');
const IS_ERROR = Buffer.from('"is_error":');
const TOOL_USE_ID = Buffer.from('"tool_use_id":');

/** The result of scanning the blocks of a user entry. */
interface BlockScan {
  /** Ids of the tool calls that are answered. */
  toolUseIds: string[];
}

/**
 * Scans the content list that starts at `at`. Returns the ids of its tool results when it contains only successful
 * ones. Null when it contains anything else or is unclear: then the entry is parsed.
 */
export function scanToolResults(bytes: Buffer, at: number, limit: number): BlockScan | null {
  const toolUseIds: string[] = [];
  let i = at + 1;
  for (;;) {
    if (bytes[i] !== OPEN_BRACE) return null;
    i = scanBlock(bytes, i, limit, toolUseIds);
    if (i < 0) return null;
    if (bytes[i] === CLOSE_BRACKET) return { toolUseIds };
    if (bytes[i] !== COMMA) return null;
    i++;
  }
}

/** Skips one block and returns its end; -1 when it is not a successful tool result. */
function scanBlock(bytes: Buffer, at: number, limit: number, toolUseIds: string[]): number {
  let isResult = false;
  let i = at + 1;
  for (;;) {
    const value = valueOfKey(bytes, i, limit);
    const end = value < 0 ? -1 : valueEnd(bytes, value, limit);
    if (end < 0 || isOfInterest(bytes, i, value)) return -1;
    isResult ||= standsAt(bytes, i, TYPE);
    if (standsAt(bytes, i, TOOL_USE_ID)) toolUseIds.push(bytes.toString("latin1", value + 1, end - 1));
    if (bytes[end] === CLOSE_BRACE) return isResult ? end + 1 : -1;
    if (bytes[end] !== COMMA) return -1;
    i = end + 1;
  }
}

/** Returns where the value of the key at `at` starts; -1 when no key is there. */
function valueOfKey(bytes: Buffer, at: number, limit: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const keyEnd = stringEnd(bytes, at, limit);
  return keyEnd < 0 || bytes[keyEnd] !== COLON ? -1 : keyEnd + 1;
}

/** Whether a key and its value mean that the block is of another type, or an error. */
function isOfInterest(bytes: Buffer, key: number, value: number): boolean {
  if (standsAt(bytes, key, TYPE)) return !standsAt(bytes, value, TOOL_RESULT);
  return bytes[value] === LETTER_T && standsAt(bytes, key, IS_ERROR);
}
