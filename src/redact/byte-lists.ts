import { type Finder, firstGroup } from "./finder.ts";

/** A number of a byte, in decimal or hex, and a list of at least eight. */
const BYTE = "(?:0x[0-9a-fA-F]{1,2}|\\d{1,3})";
const BYTES = `(${BYTE}(?:\\s{0,8},\\s{0,12}${BYTE}){7,255})`;
/** The name of a secret before such a list, on its line, with a type and calls between. */
const NAMED =
  "(?<=(?:key|secret|solana|wallet|phantom|pass(?:word|phrase)?|pwd|seed|psk)\\w{0,8}[\"']?(?:\\[\\w{0,12}\\])?[\"']?\\s{0,4}(?::\\s?[\\w<>[\\]; ]{1,24})?\\s{0,4}(?:[:=]\\s{0,4}[^\\n=;]{0,40})?)";
/** Public keys and keys of maps have no secret. */
const HIDDEN = "(?<!(?:public|pub)_?key\\w{0,8}(?:\\[\\w{0,12}\\])?\\s{0,4}(?:[:=][^\\n]{0,60})?)";

/** Lists of few different numbers are tables or counters. */
const MIN_DIFFERENT = 6;

function bytes(words: readonly string[], pattern: RegExp): Finder {
  return {
    words,
    find: (text, at) => {
      const place = firstGroup(text, at, pattern);
      const numbers = place ? (text.slice(place.start, place.end).match(/\w+/g) ?? []) : [];
      const isKey = new Set(numbers).size >= MIN_DIFFERENT && numbers.every((number) => Number(number) < 256);
      return place && isKey && !isSorted(numbers) ? { ...place, kind: "private-key" } : null;
    },
  };
}

function isSorted(numbers: readonly string[]): boolean {
  return numbers.every((number, i) => i === 0 || Number(number) > Number(numbers[i - 1]));
}

/** Keys and passwords that are written as lists of numbers. */
export const BYTE_LIST_FINDERS: readonly Finder[] = [
  bytes(
    [
      "{ 0x",
      "{0x",
      "[0x",
      "[ 0x",
      "bytes([",
      "bytearray([",
      ".fromCharCode(",
      "Uint8Array([",
      "Array.from([",
      "Buffer.from([",
      "byte[]{",
      "byte[] {",
      "= [1",
      "= [2",
      "= [3",
      "= [4",
      "= [5",
      "= [6",
      "= [7",
      "= [8",
      "= [9",
      ...Array.from("123456789", (digit) => `: [${digit}`),
    ],
    new RegExp(`${NAMED}${HIDDEN}[^\\d\\n]{1,24}?${BYTES}`, "iy"),
  ),
  bytes(
    [".fromSecretKey(", ".fromSeed("],
    new RegExp(`\\.from(?:SecretKey|Seed)\\([^\\d\\n]{0,40}${BYTES}`, "y"),
  ),
  // The file of a key pair holds nothing but such a list.
  bytes(
    ["id.json", "keypair", "wallet"],
    /[^\n[]{0,80}(?:\r?\n|[:=\s])\s{0,8}\[\s{0,8}(\d{1,3}(?:\s{0,4},\s{0,4}\d{1,3}){31,63})\s{0,8}\]/y,
  ),
];
