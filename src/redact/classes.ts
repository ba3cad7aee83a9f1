/**
 * The class of each ASCII character, in five bits: a letter has one of its own for both cases, but for `j`, `q` and `z`, which are
 * rare and share one; all digits share one, and marks share a few. A character outside of ASCII gets the class of the ASCII character
 * with the same low seven bits.
 */
const CLASSES = new Uint8Array(128).fill(31);
for (let letter = 0; letter < 26; letter++) CLASSES[65 + letter] = CLASSES[97 + letter] = letter;
for (const char of "jJqQzZ") CLASSES[char.charCodeAt(0)] = 16;
for (const char of "!#$*?^~") CLASSES[char.charCodeAt(0)] = 9;
CLASSES[47] = 25; // A slash has one of its own, since the signs of addresses and paths contain it.
for (const char of "0123456789") CLASSES[char.charCodeAt(0)] = 26;
for (const char of " \t\n") CLASSES[char.charCodeAt(0)] = 27;
for (const char of "-_") CLASSES[char.charCodeAt(0)] = 28;
for (const char of ".:=@") CLASSES[char.charCodeAt(0)] = 29;
for (const char of "\\%&[\u001b") CLASSES[char.charCodeAt(0)] = 30;

export const ALL_CLASSES = 32;
/** The classes of the marks that a scan always stops at: `-_` and `.:=@`. */
export const MARK_CLASSES: readonly number[] = [28, 29];
/** The class of marks that passwords have within them. */
export const STRONG_CLASS = 9;
/** The classes of letters and digits. */
export const WORD_CLASSES: readonly number[] = Array.from({ length: 27 }, (_, i) => i).filter(
  (i) => i !== STRONG_CLASS && i !== 25,
);
/** The class of characters that start an escape sequence. */
export const ESCAPE_CLASS = 30;

export function classOf(code: number): number {
  return CLASSES[code & 127] ?? 31;
}

/** A slot holds the classes of four consecutive characters. */
export const SLOTS = 1 << 20;
/** The slot of four blanks. Every text is scanned as if it followed four blanks. */
export const BLANK_SLOT = 0b11011_11011_11011_11011;

/** Moves a slot by one character: drops its first class and adds the class of the next character. */
export function nextSlot(slot: number, code: number): number {
  return ((slot << 5) | (CLASSES[code & 127] ?? 31)) & (SLOTS - 1);
}

/** The slot of the four characters at a place. */
export function slotAt(text: string, at: number): number {
  let slot = 0;
  for (let i = at; i < at + 4; i++) slot = nextSlot(slot, text.charCodeAt(i));
  return slot;
}

export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
const SORTS = new Uint8Array(128);
SORTS.fill(LOWER, 97, 123).fill(UPPER, 65, 91).fill(DIGIT, 48, 58);
export const BOTH_CASES = LOWER | UPPER;

/** Returns one bit for a lower-case letter, an upper-case letter or a digit; 0 for other characters. */
export function wordSort(code: number): number {
  return code < 128 ? (SORTS[code] ?? 0) : 0;
}

export function isWordChar(code: number): boolean {
  return wordSort(code) !== 0;
}

export function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns the character code at a position; 0 outside of the text. */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}
