/** A field of a message of Protocol Buffers that has a length. */
interface Field {
  number: number;
  bytes: Uint8Array;
}

/** Bytes of the name of a blob: SHA-256. */
const ID_BYTES = 32;
/** The field of a root that names the messages, in order. */
const MESSAGES = 1;
/** Kinds of fields: a number, eight bytes, bytes with their length before them, four bytes. */
const [NUMBER, EIGHT, SIZED, FOUR] = [0, 1, 2, 5];

/** Reads the fields with a length of a message; those before the first byte that does not fit. */
export function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = varintAt(bytes, at);
    const kind = key === null ? -1 : key.value & 7;
    const body = key === null ? null : bodyAt(bytes, key.end, kind);
    if (key === null || body === null || body.end > bytes.length) break;
    if (kind === SIZED) fields.push({ number: key.value >>> 3, bytes: bytes.subarray(body.start, body.end) });
    at = body.end;
  }
  return fields;
}

function bodyAt(bytes: Uint8Array, at: number, kind: number): { start: number; end: number } | null {
  if (kind === EIGHT || kind === FOUR) return { start: at, end: at + (kind === EIGHT ? 8 : 4) };
  const number = varintAt(bytes, at);
  if (number === null) return null;
  if (kind === NUMBER) return { start: at, end: number.end };
  return kind === SIZED ? { start: number.end, end: number.end + number.value } : null;
}

/** Reads a number of variable length; null for one with more than 35 bits or without an end. */
function varintAt(bytes: Uint8Array, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) return null;
    value += (byte & 127) * 2 ** (7 * index);
    if (byte < 128) return { value, end: start + index + 1 };
  }
  return null;
}

/** Returns the names of the messages that a root names, in order, as hexadecimal digits. */
export function blobIds(root: Uint8Array): string[] {
  return fieldsOf(root)
    .filter(({ number, bytes }) => number === MESSAGES && bytes.length === ID_BYTES)
    .map(({ bytes }) => Buffer.from(bytes).toString("hex"));
}
