import { standsAt, stringEnd, valueEnd } from "../../transcript/json-scan.ts";

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
    if (bytes[i] !== QUOTE) return -1;
    const keyEnd = stringEnd(bytes, i, limit);
    if (keyEnd < 0 || bytes[keyEnd] !== COLON) return -1;
    const value = keyEnd + 1;
    const end = valueEnd(bytes, value, limit);
    if (end < 0 || isOfInterest(bytes, i, value)) return -1;
    if (standsAt(bytes, i, TYPE)) isResult = true;
    else if (standsAt(bytes, i, TOOL_USE_ID)) toolUseIds.push(bytes.toString("latin1", value + 1, end - 1));
    if (bytes[end] === CLOSE_BRACE) return isResult ? end + 1 : -1;
    if (bytes[end] !== COMMA) return -1;
    i = end + 1;
  }
}

/** Whether a key and its value mean that the block is of another type, or an error. */
function isOfInterest(bytes: Buffer, key: number, value: number): boolean {
  if (standsAt(bytes, key, TYPE)) return !standsAt(bytes, value, TOOL_RESULT);
  return bytes[value] === LETTER_T && standsAt(bytes, key, IS_ERROR);
}
