/** What a sealed file starts with. */
const MAGIC = Buffer.from("mementor\x01");
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const COUNTER_BYTES = 8;
const HEAD_BYTES = MAGIC.length + COUNTER_BYTES + NONCE_BYTES;

/** Where a file stands: what is authenticated with its content, so that it is worth nothing anywhere else. */
export interface Place {
  /** The tag of the project. */
  project: string;
  /** The id of the writer, whose directory it is. */
  writer: string;
  /** The name of the file. */
  name: string;
}

/** How much of a file says whether it may be sealed. */
export const MAGIC_BYTES: number = MAGIC.length;

/** True for what starts as a sealed file does. */
export function isSealed(bytes: Uint8Array): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** What a file says of itself before it is opened. Only opening it proves it. */
export function counterOf(sealed: Uint8Array): number | null {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || !isSealed(sealed)) return null;
  const counter = new DataView(sealed.buffer, sealed.byteOffset + MAGIC.length).getBigUint64(0);
  return counter > Number.MAX_SAFE_INTEGER ? null : Number(counter);
}

/** Encrypts and authenticates a file with AES-256-GCM: its content, its place and its writer's counter. */
export async function seal(
  key: Uint8Array,
  place: Place,
  counter: number,
  plain: Uint8Array,
): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const additionalData = authenticated(place, counter);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce, additionalData },
    await imported(key),
    new Uint8Array(plain),
  );
  const count = Buffer.alloc(COUNTER_BYTES);
  count.writeBigUInt64BE(BigInt(counter));
  return Buffer.concat([MAGIC, count, nonce, new Uint8Array(sealed)]);
}

/** Opens a file; null when it was not sealed with this key, at this place, with the counter that it names. */
export async function unseal(key: Uint8Array, place: Place, sealed: Uint8Array): Promise<Uint8Array | null> {
  const counter = counterOf(sealed);
  if (counter === null) return null;
  try {
    const plain = await crypto.subtle.decrypt(
      {
        name: "AES-GCM",
        iv: sealed.slice(MAGIC.length + COUNTER_BYTES, HEAD_BYTES),
        additionalData: authenticated(place, counter),
      },
      await imported(key),
      sealed.slice(HEAD_BYTES),
    );
    return new Uint8Array(plain);
  } catch {
    return null;
  }
}

function authenticated({ project, writer, name }: Place, counter: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(["mementor folder", 1, project, writer, name, counter]));
}

function imported(key: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new Uint8Array(key), "AES-GCM", false, ["encrypt", "decrypt"]);
}
