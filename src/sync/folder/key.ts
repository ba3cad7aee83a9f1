import { MementorError } from "../../errors.ts";

/** Bytes of a folder's key: AES-256. */
const KEY_BYTES = 32;
/** First word of a code. It identifies the following words as a key, also for finding them in a text. */
const SIGN = "memkey";
const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";
const WORD = new RegExp(`^(?:[${CONSONANTS}][${VOWELS}]){2}[${CONSONANTS}]$`);
/** Words of a key; one more is a checksum. */
const WORDS = KEY_BYTES / 2;

/** Makes a random key. */
export function newKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

/** Names a key without telling anything of it: 16 hex digits. */
export function keyId(key: Uint8Array): string {
  return hash(key, "key");
}

/** Returns a project's name in the folder, 16 hex digits that only holders of the key can relate to the project. */
export function projectTag(key: Uint8Array, project: string): string {
  return hash(key, `project\n${project}`);
}

/** Encodes a key as words to type, 16 bits each; the last one is a checksum. */
export function encodeKey(key: Uint8Array): string {
  const bytes = [...key, ...checksum(key)];
  const words = Array.from({ length: WORDS + 1 }, (_, i) =>
    wordOf(((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)),
  );
  return [SIGN, ...words].join(" ");
}

/** Decodes the words of `encodeKey`, with any spacing or case. Throws `usage` for anything else. */
export function keyOfCode(code: string): Uint8Array {
  const words = wordsIn(code);
  const wrong = words.findIndex((word) => !WORD.test(word));
  if (wrong >= 0) throw mistyped(`Word ${wrong + 1} of the code is none.`);
  if (words.length !== WORDS + 1)
    throw mistyped(`The code has ${WORDS + 1} words after "${SIGN}", not ${words.length}.`);
  const bytes = Uint8Array.from(
    words.flatMap((word) => {
      const value = bitsOf(word);
      return [value >> 8, value & 255];
    }),
  );
  const key = bytes.subarray(0, KEY_BYTES);
  if (Buffer.compare(bytes.subarray(KEY_BYTES), checksum(key)) !== 0)
    throw mistyped("A word of the code is mistyped.");
  return key;
}

/** Tells whether what was typed is the start of a code, which goes on in the next line. */
export function isStartOfCode(typed: string): boolean {
  const words = wordsIn(typed);
  const isStart = words.length > 0 || typed.trim().toLowerCase() === SIGN;
  return isStart && words.length <= WORDS && words.every((word) => WORD.test(word));
}

/** Returns the code at the end of a text, even if it spans lines: everything from its first word on, or else the last line. */
export function codeAtEnd(text: string): string {
  const at = text.toLowerCase().lastIndexOf(SIGN);
  return at >= 0 ? text.slice(at) : (text.trim().split("\n").at(-1) ?? "");
}

function wordsIn(code: string): string[] {
  return code
    .toLowerCase()
    .split(/[\s,.-]+/)
    .filter((word) => word !== "" && word !== SIGN);
}

function mistyped(message: string): MementorError {
  return new MementorError("usage", message, {
    hint: "To see the code, run this on a device that syncs: mementor sync code",
  });
}

// A consonant encodes 4 bits, a vowel 2. Such words are easier to read aloud and type than digits.
function wordOf(value: number): string {
  const at = (letters: string, shift: number, mask: number) => letters[(value >> shift) & mask] ?? "";
  return (
    at(CONSONANTS, 12, 15) +
    at(VOWELS, 10, 3) +
    at(CONSONANTS, 6, 15) +
    at(VOWELS, 4, 3) +
    at(CONSONANTS, 0, 15)
  );
}

function bitsOf(word: string): number {
  const [a = "", b = "", c = "", d = "", e = ""] = word;
  const c4 = (letter: string) => CONSONANTS.indexOf(letter);
  const v2 = (letter: string) => VOWELS.indexOf(letter);
  return (c4(a) << 12) | (v2(b) << 10) | (c4(c) << 6) | (v2(d) << 4) | c4(e);
}

function checksum(key: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha256").update("mementor code\n").update(key).digest().subarray(0, 2);
}

function hash(key: Uint8Array, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(`mementor folder\n${text}`).digest("hex").slice(0, 16);
}

/** First bytes of a sealed file. */
const MAGIC = Buffer.from("mementor\x01");
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const COUNTER_BYTES = 8;
const HEAD_BYTES = MAGIC.length + COUNTER_BYTES + NONCE_BYTES;

/** The place of a file. It is authenticated with the content, so that the file is invalid anywhere else. */
interface Place {
  /** The tag of the project. */
  project: string;
  /** The id of the writer, whose directory it is. */
  writer: string;
  /** The name of the file. */
  name: string;
}

/** Number of bytes that show whether a file may be sealed. */
export const MAGIC_BYTES: number = MAGIC.length;

/** True for what starts as a sealed file does. */
export function isSealed(bytes: Uint8Array): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** Returns the counter that an unopened file claims. Only decrypting proves it. */
export function readCounter(sealed: Uint8Array): number | null {
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
  const counter = readCounter(sealed);
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
