/**
 * Frequent followers of each letter in English words and code. They cover about nine of ten letter pairs in words, but fewer than
 * four of ten random pairs.
 */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: "bcdfgiklmnprstuvwy",
  b: "aeijlorsuy",
  c: "acehiklorstuy",
  d: "adegilmorsuvy",
  e: "abcdefgilmnopqrstvwxy",
  f: "aefilortuy",
  g: "aeghilnorsuy",
  h: "aeiorty",
  i: "abcdefgklmnopqrstvz",
  j: "aeosu",
  k: "aeginosy",
  l: "abdefiklmoptuvy",
  m: "abeimopsuy",
  n: "acdefgikmnopstuvy",
  o: "abcdfgiklmnopqrstuvwx",
  p: "aehiloprstuwy",
  q: "lu",
  r: "abcdegiklmnoprstuvwy",
  s: "acehiklmnopqstuwy",
  t: "aceghilmorstuwxy",
  u: "abcdegilmnprstx",
  v: "aeio",
  w: "aehinors",
  x: "aceipt",
  y: "cemnopst",
  z: "aeioz",
};

const COMMON = new Uint8Array(26 * 26);
for (const [first, followers] of Object.entries(FOLLOWERS))
  for (const second of followers) COMMON[pairIndex(first.charCodeAt(0), second.charCodeAt(0))] = 1;

function pairIndex(first: number, second: number): number {
  return (first - 97) * 26 + (second - 97);
}

/** Word parts of identifiers: `getUser`, `HTTPServer` and `v2` have two each. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\d+/g;
const WORD_SHARE = 0.72;
/** Minimum letters of a word; shorter pieces prove nothing. */
const WORD_LETTERS = 3;

/** Splits a value into runs of letters, cut at capitals, and runs of digits. */
export function piecesOf(value: string): string[] {
  return value.match(PIECE) ?? [];
}

/** Tells whether letters could be a word: most pairs of them are common in words. */
function isWordLike(piece: string): boolean {
  if (piece.length < WORD_LETTERS || !/^[A-Za-z]/.test(piece)) return false;
  const letters = piece.toLowerCase();
  if (letters.length >= 5 && !/[aeiouy]/.test(letters) && letters !== "https") return false;
  let common = 0;
  for (let i = 1; i < letters.length; i++)
    common += COMMON[pairIndex(letters.charCodeAt(i - 1), letters.charCodeAt(i))] ?? 0;
  return common / (letters.length - 1) >= WORD_SHARE;
}

/** Returns the share of a value's letters and digits in words, or in numbers of up to four digits between them. */
export function wordShare(value: string): number {
  let all = 0;
  let inWords = 0;
  for (const piece of piecesOf(value)) {
    all += piece.length;
    if (isWordLike(piece)) inWords += piece.length;
  }
  return all === 0 ? 0 : inWords / all;
}

const MIN_RANDOM = 8;

/**
 * Tells whether nobody would write a value by hand: its letters make no words, or alternate with digits. Values of fewer than
 * eight characters never count.
 */
export function looksRandom(value: string): boolean {
  if (value.length < MIN_RANDOM || isRegular(value)) return false;
  const letters = value.replace(/[^A-Za-z]/g, "");
  const digits = value.replace(/\D/g, "");
  if (letters.length === 0) return false;
  if (value.length >= 20 && turns(value) * 5 >= value.length) return true;
  const share = wordShare(value);
  if (digits.length === 0) return letters.length >= 12 && share < 0.4;
  const isMixed = /[a-z]/.test(letters) && /[A-Z]/.test(letters);
  return share < (value.length < 16 ? 0.34 : 0.5) + (isMixed ? 0.12 : 0);
}

/** Counts the changes between letters and digits in a value. */
function turns(value: string): number {
  return value.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
}

/** Tells whether a random-looking value has letters of both cases and digits: a key or token rather than a hex hash. */
export function looksMixed(value: string): boolean {
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  return isMixed && looksRandom(value) && wordShare(value) < 0.58;
}

/** Tells whether a value's letters of both cases and digits mostly alternate: `uCdNfproi1I5`. */
export function isScrambled(value: string): boolean {
  if (!/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z\d]{10,40}$/.test(value) || isRegular(value)) return false;
  const pieces = piecesOf(value);
  return pieces.length > 4 && pieces.filter(({ length }) => length < 3).length * 2 > pieces.length;
}

/** Counts the different characters of a text, up to five. */
function distinct(plain: string): number {
  let count = 0;
  for (let i = 0; i < plain.length && count < 5; i++) if (plain.indexOf(plain[i] ?? "") === i) count++;
  return count;
}

/** Tells whether a value repeats itself or counts: `xxxx`, `0000`, `abcabc`, `123456789`, `abcdef`. */
export function isRegular(value: string): boolean {
  const plain = value.replace(/[^A-Za-z0-9*]/g, "").toLowerCase();
  if (plain.length < 4) return false;
  if (distinct(plain) <= Math.min(3, Math.ceil(plain.length / 6))) return true;
  let steps = 0;
  for (let i = 1; i < plain.length; i++) {
    const step = plain.charCodeAt(i) - plain.charCodeAt(i - 1);
    if (step === 1 || step === -1 || step === 0 || (plain[i - 1] === "9" && plain[i] === "0")) steps += 1;
  }
  if (steps / (plain.length - 1) > 0.75) return true;
  for (let period = 1; period <= 3 && period * 2 <= plain.length; period++) {
    if (plain.slice(period) === plain.slice(0, -period)) return true;
  }
  return false;
}

/** Words of a sentence about a commit, and words right before one. */
const OF_COMMITS =
  /commit|bisect|blob|\btree\b|revert|cherry|merge|rebase|branch|landed|came|introduc|regress|\bfirst\b|broke|\bfix/i;
const AT_COMMIT = /\b(?:fix|fixed|fixes|see|in|at|by|on|since|until|before|after|pick|with|as|show) ["'`]?$/i;

/** Words that mark a hex number as a hash: `sha256 of the password file`. */
const HASH_OF = /\b(?:sha-?\d{0,3}(?:sum)?|md5(?:sum)?|hash|digest|checksum|fingerprint) (?:of|for) /i;

/** Tells whether a word is the hash of a commit, i.e. a hex number of that length after words about commits, or another hash. */
export function isCommit(text: string, start: number, word: string): boolean {
  if (!/^[\da-f]{7,64}$/.test(word)) return false;
  const before = /[^\n]*$/.exec(text.slice(Math.max(0, start - 100), start))?.[0] ?? "";
  return (word.length === 40 && OF_COMMITS.test(before)) || AT_COMMIT.test(before) || HASH_OF.test(before);
}
