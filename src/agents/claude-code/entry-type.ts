import { type LineReader, matchesAt, stringEnd, valueEnd } from "../../ingest/transcript/lines.ts";

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

/** The most common types with their closing quotes, for recognition without decoding. */
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
  /** Start of the list of a user entry's blocks; null when it cannot be found without parsing. */
  blocksAt: number | null;
}

/**
 * Reads an entry's type from its line without parsing; null when uncertain. No object may start before the type, so that it is
 * the type of the entry, not of a nested message or block, or text in a prompt.
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
  for (const frequent of FREQUENT) if (matchesAt(bytes, at, frequent.bytes)) return frequent.type;
  const type = bytes.toString("latin1", at, Math.min(bytes.indexOf(QUOTE, at), at + MAX_TYPE_CHARS));
  return /^[\w-]+$/.test(type) ? type : null;
}

/** Returns the start of the blocks if they are the first object of the line. Null for a sidechain without an agent's id. */
function blockList({ bytes, start, end }: LineReader, at: number, brace: number): number | null {
  if (at < start || at + BLOCK_LIST.length > end || !matchesAt(bytes, at, BLOCK_LIST)) return null;
  const scalars = bytes.toString("latin1", start, brace);
  const isAnonymous = scalars.includes('"isSidechain":true') && !scalars.includes('"agentId":"');
  return isAnonymous ? null : at + LIST_CHARS;
}

/** Tells whether entries of a type are always skipped. */
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
  /** Ids of the answered tool calls. */
  toolUseIds: string[];
}

/**
 * Scans the content list that starts at `at`. Returns the ids of its tool results if it contains only successful ones. Null for
 * anything else or unclear content, which must be parsed.
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
    isResult ||= matchesAt(bytes, i, TYPE);
    if (matchesAt(bytes, i, TOOL_USE_ID)) toolUseIds.push(bytes.toString("latin1", value + 1, end - 1));
    if (bytes[end] === CLOSE_BRACE) return isResult ? end + 1 : -1;
    if (bytes[end] !== COMMA) return -1;
    i = end + 1;
  }
}

/** Returns the start of the value of the key at `at`; -1 when there is no key. */
function valueOfKey(bytes: Buffer, at: number, limit: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const keyEnd = stringEnd(bytes, at, limit);
  return keyEnd < 0 || bytes[keyEnd] !== COLON ? -1 : keyEnd + 1;
}

/** Tells whether a key and its value mean that the block is of another type, or an error. */
function isOfInterest(bytes: Buffer, key: number, value: number): boolean {
  if (matchesAt(bytes, key, TYPE)) return !matchesAt(bytes, value, TOOL_RESULT);
  return bytes[value] === LETTER_T && matchesAt(bytes, key, IS_ERROR);
}
