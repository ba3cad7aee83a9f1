/** A field of a message: its number, and a number, a text, bytes or a message, one or several. */
export type Field = readonly [number: number, value: FieldValue | readonly FieldValue[]];
type FieldValue = number | string | Uint8Array | Message | Float;

/** A number that is written as a float32. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A message in the format of Protocol Buffers. */
export class Message {
  readonly fields: readonly Field[];

  constructor(fields: readonly Field[]) {
    this.fields = fields;
  }
}

const VARINT = 0;
const LENGTH = 2;
const FIXED = 5;

/** Writes a message. Equal messages give equal bytes. Plain numbers are whole and not negative. */
export function encode(message: Message): Uint8Array {
  return Buffer.concat(partsOf(message));
}

function partsOf({ fields }: Message): Uint8Array[] {
  return fields.flatMap(([number, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => fieldParts(number, each));
  });
}

function fieldParts(number: number, value: FieldValue): Uint8Array[] {
  const key = (type: number) => varint(number * 8 + type);
  if (typeof value === "number") return [key(VARINT), varint(value)];
  if (value instanceof Float) return [key(FIXED), new Uint8Array(Float32Array.of(value.value).buffer)];
  const parts = value instanceof Message ? partsOf(value) : [bytesOf(value)];
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return [key(LENGTH), varint(length), ...parts];
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
