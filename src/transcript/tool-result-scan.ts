const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LETTER_T = 116;

/** Where the string that starts at `at` (its opening quote) ends, after the closing quote; -1 when it does not. */
function stringEnd(bytes: Buffer, at: number, limit: number): number {
  let quote = bytes.indexOf(QUOTE, at + 1);
  while (quote >= 0 && quote < limit) {
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

/** Where the value that starts at `at` ends; -1 when it is cut off. */
function valueEnd(bytes: Buffer, at: number, limit: number): number {
  if (bytes[at] === QUOTE) return stringEnd(bytes, at, limit);
  let depth = 0;
  let i = at;
  while (i < limit) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = stringEnd(bytes, i, limit);
      if (i < 0) return -1;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (byte === COMMA && depth === 0) return i;
    i++;
  }
  return -1;
}

/** What the blocks of a user entry are. */
export interface BlockScan {
  /** Ids of the tool calls that are answered. */
  toolUseIds: string[];
}

/**
 * Looks through the content list that starts at `at`, and returns the ids of its tool results when it holds nothing
 * but successful ones. Null when anything else is in it, or when that is not evident: the entry is parsed then.
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

/** Passes over one block; -1 when it is not a successful tool result. */
function scanBlock(bytes: Buffer, at: number, limit: number, toolUseIds: string[]): number {
  let isResult = false;
  let i = at + 1;
  for (;;) {
    if (bytes[i] !== QUOTE) return -1;
    const keyEnd = stringEnd(bytes, i, limit);
    if (keyEnd < 0 || bytes[keyEnd] !== COLON) return -1;
    const value = keyEnd + 1;
    const end = valueEnd(bytes, value, limit);
    if (end < 0) return -1;
    const key = bytes.toString("latin1", i + 1, keyEnd - 1);
    if (key === "type") {
      if (bytes.toString("latin1", value, end) !== '"tool_result"') return -1;
      isResult = true;
    } else if (key === "is_error" && bytes[value] === LETTER_T) return -1;
    else if (key === "tool_use_id") toolUseIds.push(bytes.toString("latin1", value + 1, end - 1));
    if (bytes[end] === CLOSE_BRACE) return isResult ? end + 1 : -1;
    if (bytes[end] !== COMMA) return -1;
    i = end + 1;
  }
}
