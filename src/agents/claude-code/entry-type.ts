import { standsAt } from "../../ingest/transcript/json-scan.ts";
import type { LineReader } from "../../ingest/transcript/lines.ts";

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

export interface LineHead {
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
