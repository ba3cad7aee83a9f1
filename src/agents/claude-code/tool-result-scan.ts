import { standsAt, stringEnd, valueEnd } from "../../ingest/transcript/json-scan.ts";

const QUOTE = 34;
const COLON = 58;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const CLOSE_BRACKET = 93;
const LETTER_T = 116;
const TYPE = Buffer.from('"type":');
const TOOL_RESULT = Buffer.from('"tool_result"');
const IS_ERROR = Buffer.from('"is_error":');
const TOOL_USE_ID = Buffer.from('"tool_use_id":');

/** The result of scanning the blocks of a user entry. */
export interface BlockScan {
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
