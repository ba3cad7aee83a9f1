const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Returns the position after the string that starts at `at` (its opening quote); -1 when it has no end. */
export function stringEnd(bytes: Buffer, at: number, limit: number): number {
  let quote = bytes.indexOf(QUOTE, at + 1);
  while (quote >= 0 && quote < limit) {
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

/** Returns true when `piece` is at `at`. */
export function standsAt(bytes: Buffer, at: number, piece: Uint8Array): boolean {
  for (let i = 0; i < piece.length; i++) if (bytes[at + i] !== piece[i]) return false;
  return true;
}

/** Returns the end of the value that starts at `at`; -1 when it is cut off or not JSON. */
export function valueEnd(bytes: Buffer, at: number, limit: number): number {
  const first = bytes[at];
  if (first === QUOTE) return stringEnd(bytes, at, limit);
  return isOpening(first) ? nestedEnd(bytes, at, limit) : scalarEnd(bytes, at, limit);
}

/** Returns the position after the object or list that starts at `at`. */
function nestedEnd(bytes: Buffer, at: number, limit: number): number {
  let depth = 0;
  for (let i = at; i < limit; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = stringEnd(bytes, i, limit) - 1;
      if (i < 0) return -1;
    } else if (isOpening(byte)) depth++;
    else if (isClosing(byte) && --depth === 0) return i + 1;
  }
  return -1;
}

/** Returns the end of a number, `true`, `false` or `null`: the next comma or bracket. */
function scalarEnd(bytes: Buffer, at: number, limit: number): number {
  for (let i = at; i < limit; i++) {
    const byte = bytes[i];
    if (byte === COMMA || isClosing(byte)) return i;
    if (byte === QUOTE || isOpening(byte)) return -1;
  }
  return -1;
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function isClosing(byte: number | undefined): boolean {
  return byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}
