import { MementorError } from "../../errors.ts";

/** Bytes of a folder's key: AES-256. */
export const KEY_BYTES = 32;
/** The word before a code: it says what the words are, also to whoever has to take them out of a text. */
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

/** Names a project in the folder so that only who has the key knows which one it is: 16 hex digits. */
export function projectTag(key: Uint8Array, project: string): string {
  return hash(key, `project\n${project}`);
}

/** Returns a key as words to type: each stands for 16 bits, the last one is a checksum. */
export function codeOf(key: Uint8Array): string {
  const bytes = [...key, ...checksum(key)];
  const words = Array.from({ length: WORDS + 1 }, (_, i) =>
    wordOf(((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)),
  );
  return [SIGN, ...words].join(" ");
}

/** Reads what `codeOf` wrote, however it was typed. Throws `usage` for anything else. */
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

/** Whether what was typed is the start of a code, which goes on in the next line. */
export function isStartOfCode(typed: string): boolean {
  const words = wordsIn(typed);
  const isStart = words.length > 0 || typed.trim().toLowerCase() === SIGN;
  return isStart && words.length <= WORDS && words.every((word) => WORD.test(word));
}

/** Returns the code at the end of a text, also where it is broken into lines: what stands from its sign on, or the last line. */
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
  return new MementorError("usage", message, { hint: "See it on a device that syncs: mementor sync code" });
}

// A consonant stands for 4 bits, a vowel for 2: such a word is read aloud and typed more easily than digits.
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
