import type { Secret } from "./finder.ts";

/**
 * The class of each ASCII character in five bits. Each letter has its own for both cases, except the rare `j`, `q` and `z`, which
 * share one; all digits share one, and symbols share a few. A non-ASCII character gets the class of the ASCII character with the
 * same low seven bits.
 */
const CLASSES = new Uint8Array(128).fill(31);
for (let letter = 0; letter < 26; letter++) CLASSES[65 + letter] = CLASSES[97 + letter] = letter;
for (const char of "jJqQzZ") CLASSES[char.charCodeAt(0)] = 16;
for (const char of "!#$*?^~") CLASSES[char.charCodeAt(0)] = 9;
CLASSES[47] = 25; // A slash has its own class, because signs of URLs and paths contain it.
for (const char of "0123456789") CLASSES[char.charCodeAt(0)] = 26;
for (const char of " \t\n") CLASSES[char.charCodeAt(0)] = 27;
for (const char of "-_") CLASSES[char.charCodeAt(0)] = 28;
for (const char of ".:=@") CLASSES[char.charCodeAt(0)] = 29;
for (const char of "\\%&[\u001b") CLASSES[char.charCodeAt(0)] = 30;

const ALL_CLASSES = 32;
/** Classes of the characters at which a scan always stops: `-_` and `.:=@`. */
const MARK_CLASSES: readonly number[] = [28, 29];
/** Class of the symbols inside passwords. */
const STRONG_CLASS = 9;
/** The classes of letters and digits. */
const WORD_CLASSES: readonly number[] = Array.from({ length: 27 }, (_, i) => i).filter(
  (i) => i !== STRONG_CLASS && i !== 25,
);
/** Class of the characters that start an escape sequence. */
const ESCAPE_CLASS = 30;

function classOf(code: number): number {
  return CLASSES[code & 127] ?? 31;
}

/** Number of slots. A slot consists of the classes of four consecutive characters. */
const SLOTS = 1 << 20;
/** Slot of four blanks. Every text is scanned as if four blanks preceded it. */
export const BLANK_SLOT = 0b11011_11011_11011_11011;

/** Advances a slot by one character: drops its first class and appends the class of the next character. */
export function nextSlot(slot: number, code: number): number {
  return ((slot << 5) | (CLASSES[code & 127] ?? 31)) & (SLOTS - 1);
}

/** Returns the slot of the four characters at an offset. */
function slotAt(text: string, at: number): number {
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

/** Returns the character code at an offset; 0 outside the text. */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

/** Finds the secret whose sign is at an offset; null without one. */
export type Find = (text: string, at: number) => Secret | null;

export interface Trigger {
  text: string;
  /** True for a trigger that counts only without a letter or digit before it. */
  startsWord: boolean;
  find: Find;
}

/** Bit for four characters that may start a trigger anywhere in a word. The bits below are combined with it. */
export const STARTS = 1;
/** Bit for the start of a trigger that counts only at the start of a word. */
export const STARTS_WORD = 2;
/** Bit for the end of a name such as `password`. */
export const NAMES = 4;
/** Bit for a mark such as `-` or `:`, which secrets contain or follow. */
export const MARK = 8;
/** Bit for the start of an escape sequence, after which a secret may hide. */
export const ESCAPE = 16;

/** Bits of single characters by class. */
const CLASS_SIGNS = new Uint8Array(ALL_CLASSES);
for (const mark of MARK_CLASSES) CLASS_SIGNS[mark] = MARK;
CLASS_SIGNS[ESCAPE_CLASS] = ESCAPE;
const MARK_BITS = CLASS_SIGNS.reduce((bits, sign, mark) => (sign === 0 ? bits : bits | (1 << mark)), 0);

/**
 * Size of a table that fits a processor's cache. Several slots share a position, so it may report too many signs, but never too
 * few.
 */
const PLACES = 1 << 16;

function placeOf(slot: number): number {
  return (slot ^ (slot >>> 7)) & (PLACES - 1);
}

/** A trigger with the offset of the four characters by which it is found. */
interface Sign {
  trigger: Trigger;
  offset: number;
}

/** The signs of all slots that share a position. */
interface Group {
  kinds: number;
  signs: Sign[];
  names: string[];
}

/**
 * The signs of secrets by slot. A slot ignores case, so a promising sign needs a close check. The data for its first step is in
 * small tables, because fetching objects from memory would take too long.
 */
export class Signs {
  /** For the classes of three characters: a bit for each fourth class that ends a sign. */
  readonly ends = new Int32Array(SLOTS / ALL_CLASSES).fill(MARK_BITS);
  /** Such bits without those of marks. */
  readonly #known = new Int32Array(SLOTS / ALL_CLASSES);
  /** Slot of the last four characters of the pass. */
  slot = 0;
  /** Group number by position, 0 for none. */
  readonly #groups = new Uint16Array(PLACES);
  /** For each group, its kinds of signs, and the starts of its lists of signs and names, which end at the next start. */
  readonly #kinds: Uint8Array;
  readonly #firstSigns: Uint16Array;
  readonly #firstNames: Uint16Array;
  readonly #signs: Sign[];
  /** For each sign, the last character of its trigger, and its distance from the start of the four characters. */
  readonly #lasts: Uint16Array;
  readonly #reaches: Uint8Array;
  readonly #names: string[];
  /** For each name, the class of the character before its last four; `ANY` for a shorter name. */
  readonly #befores: Uint8Array;

  /** Builds the tables from triggers and from words that end a name. */
  constructor(triggers: Iterable<Trigger>, names: readonly string[]) {
    const groups = this.#collect([...triggers], names);
    const words = WORD_CLASSES.reduce((bits, letter) => bits | (1 << letter), 0);
    for (const first of WORD_CLASSES)
      for (const third of WORD_CLASSES) {
        const three = (first << 10) | (STRONG_CLASS << 5) | third;
        this.ends[three] = (this.ends[three] ?? 0) | words;
      }
    this.#kinds = Uint8Array.from(groups, ({ kinds }) => kinds);
    this.#firstSigns = startsOf(groups.map(({ signs }) => signs.length));
    this.#firstNames = startsOf(groups.map(({ names }) => names.length));
    this.#signs = groups.flatMap(({ signs }) =>
      signs.toSorted((a, b) => b.trigger.text.length - a.trigger.text.length),
    );
    this.#lasts = Uint16Array.from(this.#signs, ({ trigger }) =>
      trigger.text.charCodeAt(trigger.text.length - 1),
    );
    this.#reaches = Uint8Array.from(this.#signs, ({ trigger, offset }) => trigger.text.length - 1 - offset);
    this.#names = groups.flatMap(({ names }) => names);
    this.#befores = Uint8Array.from(this.#names, (name) =>
      name.length > 4 ? classOf(name.charCodeAt(name.length - 5)) : ANY,
    );
  }

  /** Returns the possible signs of the four characters in a slot; zero if `ends` excludes it. */
  of(slot: number): number {
    const mark = CLASS_SIGNS[slot & (ALL_CLASSES - 1)] ?? 0;
    if (mark !== 0 && (((this.#known[slot >>> 5] ?? 0) >>> slot) & 1) === 0) return mark;
    return mark | (this.#kinds[this.#groups[placeOf(slot)] ?? 0] ?? 0);
  }

  /**
   * Returns the secret of a trigger whose four characters, with this slot, are at an offset. Tries the longest trigger first. The
   * secret starts at or after `done`.
   */
  triggered(text: string, at: number, slot: number, done: number): Secret | null {
    const group = this.#groups[placeOf(slot)] ?? 0;
    const end = this.#firstSigns[group + 1] ?? 0;
    for (let i = this.#firstSigns[group] ?? 0; i < end; i++) {
      if (codeAt(text, at + (this.#reaches[i] ?? 0)) !== this.#lasts[i]) continue;
      const sign = this.#signs[i];
      const start = at - (sign?.offset ?? 0);
      if (!sign || start < done || !stands(sign.trigger, text, start)) continue;
      const secret = sign.trigger.find(text, start);
      if (secret) return secret;
    }
    return null;
  }

  /** Tells whether a word for a secret ends at an offset with this slot. */
  endsName(text: string, at: number, slot: number): boolean {
    const group = this.#groups[placeOf(slot)] ?? 0;
    const before = classOf(at < 4 ? BLANK : text.charCodeAt(at - 4));
    const end = this.#firstNames[group + 1] ?? 0;
    for (let i = this.#firstNames[group] ?? 0; i < end; i++) {
      const needed = this.#befores[i];
      if ((needed === before || needed === ANY) && endsWith(text, at, this.#names[i] ?? "")) return true;
    }
    return false;
  }

  /** Returns all groups by number; the first has the number 0. */
  #collect(all: readonly Trigger[], words: readonly string[]): Group[] {
    const groups: Group[] = [{ kinds: 0, signs: [], names: [] }];
    const texts = new Set(all.map(({ text }) => text));
    for (const trigger of all) {
      const offset = windowOf(trigger.text, texts);
      const kind = trigger.startsWord && offset === 0 ? STARTS_WORD : STARTS;
      for (const slot of slotsFrom(trigger.text.slice(offset)))
        this.#group(slot, kind, groups).signs.push({ trigger, offset });
    }
    for (const word of words)
      for (const slot of slotsUpTo(word)) this.#group(slot, NAMES, groups).names.push(word);
    return groups;
  }

  /** Returns the group of a slot, and marks it with a kind of sign. */
  #group(slot: number, kind: number, groups: Group[]): Group {
    const place = placeOf(slot);
    const three = Math.floor(slot / ALL_CLASSES);
    this.#known[three] = (this.#known[three] ?? 0) | (1 << (slot % ALL_CLASSES));
    this.ends[three] = (this.#known[three] ?? 0) | MARK_BITS;
    const known = this.#groups[place];
    const group = (known ? groups[known] : undefined) ?? { kinds: 0, signs: [], names: [] };
    if (!known) this.#groups[place] = groups.push(group) - 1;
    group.kinds |= kind;
    return group;
  }
}

/** Placeholder for any class. */
const ANY = 255;

/** Tells whether a slot has a symbol between letters and digits, as in passwords. */
export function isStrongSlot(slot: number): boolean {
  return ((slot >>> 10) & (ALL_CLASSES - 1)) === STRONG_CLASS;
}

/** Returns the starts of consecutive lists of these lengths, and the end of the last one. */
function startsOf(lengths: readonly number[]): Uint16Array {
  let end = 0;
  return Uint16Array.from([0, ...lengths.map((length) => (end += length))]);
}

/** Tells whether a trigger's text is at an offset. */
function stands({ text: word, startsWord }: Trigger, text: string, at: number): boolean {
  return text.startsWith(word, at) && !(startsWord && isWordChar(codeAt(text, at - 1)));
}

/** Letters and a blank, rarest first. Symbols in triggers are rarer still. */
const BY_FREQUENCY = "zqjxkvbwygufmphldcrnisoat e";
/** Rank of digits, which share a class and so are more common than any letter. */
const DIGIT_RANK = 32;
/** Rank of a non-ASCII letter, at which a pass searches for other signs. */
const NEVER = 1_000;
/** Parts of words that are more common in texts about code than their letters suggest. */
const COMMON_PARTS = new Set(
  "user,code,comp,work,read,link,fied,ally,oken,hang,agen,ing_,ing.,ate_,outp,utpu,func,form,base,crea,prov,ent.,ode ,ode(,ult(,clie,prin,ring"
    .split(",")
    .map((part) => slotAt(part, 0)),
);

/**
 * Returns the start of a trigger's four rarest characters, so that a pass seldom stops for other words. They end with its first
 * mark or blank, because an earlier check would find no other sign. Triggers that start alike share the position, so that the
 * longest is tried first.
 */
function windowOf(text: string, all: ReadonlySet<string>): number {
  let head = text;
  for (let length = 3; length < text.length; length++) {
    if (!all.has(text.slice(0, length))) continue;
    head = text.slice(0, length);
    break;
  }
  // A line of only dashes is common.
  const first = /^-{3,}/.exec(head)?.[0].length ?? 0;
  const mark = head.slice(first).search(/[^A-Za-z0-9\u0080-\uffff]/);
  const last = Math.min(mark < 0 ? head.length - 1 : first + mark, MAX_WINDOW_END) - 3;
  let best = first;
  for (let offset = first + 1; offset <= last; offset++)
    if (frequency(head.slice(offset, offset + 4)) < frequency(head.slice(best, best + 4))) best = offset;
  return best;
}

const MAX_WINDOW_END = 9;

/** Estimates the frequency of four characters by the sum of their ranks. */
function frequency(chars: string): number {
  const ranks = Array.from(chars.toLowerCase(), (char) =>
    char > "~" ? NEVER : /\d/.test(char) ? DIGIT_RANK : BY_FREQUENCY.indexOf(char),
  );
  const sum = ranks.reduce((a, b) => a + b);
  return COMMON_PARTS.has(slotAt(`${chars} `, 0)) ? sum * 2 : sum;
}

/** Returns the slots of a text's first four characters; with three characters, for any fourth. */
function slotsFrom(text: string): number[] {
  const slot = slotAt(`${text} `, 0);
  if (text.length > 3) return [slot];
  return Array.from({ length: ALL_CLASSES }, (_, last) => slot - (slot % ALL_CLASSES) + last);
}

/** Returns the slots of a text's last four characters; with three characters, for any first. */
function slotsUpTo(text: string): number[] {
  if (text.length > 3) return [slotAt(text, text.length - 4)];
  const rest = slotAt(` ${text}`, 0) % (SLOTS / ALL_CLASSES);
  return Array.from({ length: ALL_CLASSES }, (_, first) => first * (SLOTS / ALL_CLASSES) + rest);
}

/** Code of the blanks before a text. */
const BLANK = 32;

/** Tells whether a word of small letters and marks ends at an offset, ignoring case; `-` also matches `_`. */
function endsWith(text: string, at: number, word: string): boolean {
  for (let i = word.length - 1, from = at; i >= 0; i--, from--)
    if (classOf(from < 0 ? BLANK : text.charCodeAt(from)) !== classOf(word.charCodeAt(i))) return false;
  return true;
}
