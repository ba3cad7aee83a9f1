import { namedSecret, type Rejected } from "./assignments.ts";
import { COMMAND_FINDERS } from "./commands.ts";
import { COOKIE_FINDERS } from "./cookies.ts";
import { ACCENTS, ENCODED_FINDERS, INVISIBLE, startsEscape } from "./encoded.ts";
import type { Finder, Secret } from "./finder.ts";
import { addStrong } from "./generated.ts";
import { HEADER_FINDERS } from "./headers.ts";
import { isPromisingMark, markedSecret } from "./marks.ts";
import { NAME_WORDS } from "./names.ts";
import { addNearby } from "./nearby.ts";
import { KEY_FINDERS } from "./private-keys.ts";
import { RULES } from "./rules.ts";
import { FACTOR_FINDERS } from "./second-factors.ts";
import { SENTENCE_FINDERS } from "./sentences.ts";
import {
  BLANK_SLOT,
  codeAt,
  ESCAPE,
  isLower,
  isStrongSlot,
  isWordChar,
  MARK,
  NAMES,
  nextSlot,
  Signs,
  STARTS,
  STARTS_WORD,
  type Trigger,
} from "./signs.ts";
import { SPOKEN_FINDER, SPOKEN_LETTERS, spokenSecret } from "./spoken.ts";
import { QUERIES } from "./statements.ts";
import { columnSecrets, mayEndCell, PAIR_LISTS } from "./tables.ts";
import { TOKEN_FINDERS } from "./tokens.ts";

/** Flag of a non-ASCII letter. */
const SPOKEN = 32;
/** Flag of a combining accent. */
const ACCENT = 64;
/** Flags of non-ASCII characters. */
const WIDE_SIGNS = new Uint8Array(65_536);
for (const letter of SPOKEN_LETTERS) WIDE_SIGNS[letter] = SPOKEN;
for (const code of INVISIBLE) WIDE_SIGNS[code] = ESCAPE;
for (const code of ACCENTS) WIDE_SIGNS[code] = ACCENT;

/** Created on first use, because most processes redact nothing. */
let known: Signs | undefined;

/** The results of one pass over a text. */
export interface Scanned {
  secrets: Secret[];
  /** True after an escape sequence, which may hide a secret. */
  isEscaped: boolean;
  /** True after a combining accent. */
  isAccented: boolean;
}

/** The progress of a pass. The text before `done` is complete. */
interface Progress extends Rejected {
  done: number;
  known: Signs;
}

/** Finds secrets in one pass over a text, at about the cost of reading it. */
export function scan(text: string): Scanned {
  known ??= new Signs(triggers(), NAME_WORDS);
  const places: Places = { names: [], marks: [] };
  const scanned = pass(text, known, places);
  // Runs outside the pass, so that its loop stays small.
  if (places.marks.length > 0) addStrong(text, places.marks, scanned.secrets);
  if (places.names.length > 0) addNamed(text, places.names, scanned.secrets);
  return scanned;
}

function pass(text: string, known: Signs, places: Places): Scanned {
  const secrets: Secret[] = [];
  let isEscaped = false;
  let signs = 0;
  const first = nextSign(text, 0, known);
  if (first === text.length) return { secrets, isEscaped, isAccented: false };
  const progress: Progress = { done: 0, until: 0, known };
  for (let at = first; at < text.length; at = nextSign(text, at + 1, known)) {
    const { slot } = known;
    const sign = signAt(text, at, known);
    isEscaped ||= (sign & ESCAPE) !== 0 && startsEscape(text, at);
    signs |= sign;
    const isName = (sign & NAMES) !== 0 && endsName(text, at, known);
    if (isName || isStrongSlot(slot)) addPlace(places, at, isName);
    const secret = isName || isPromising(text, at, sign) ? secretAt(text, at, slot, isName, progress) : null;
    if (!secret) continue;
    add(secrets, secret);
    progress.done = Math.max(progress.done, secret.end);
    if (progress.done <= at + 1) continue;
    at = progress.done - 1;
    known.slot = slotBefore(text, at + 1);
  }
  return { secrets, isEscaped, isAccented: (signs & ACCENT) !== 0 };
}

function add(secrets: Secret[], secret: Secret): void {
  secrets.push(secret);
  if (secret.others !== undefined) secrets.push(...secret.others);
}

/** Offsets after names, and of symbols between letters and digits. */
interface Places {
  names: number[];
  marks: number[];
}

function addPlace({ names, marks }: Places, at: number, isName: boolean): void {
  if (isName) names.push(at + 1);
  else marks.push(at - 2);
}

/** Adds secrets that are farther from their names. */
function addNamed(text: string, names: readonly number[], secrets: Secret[]): void {
  const headers: number[] = [];
  for (const at of names) if (mayEndCell(text, at)) headers.push(at);
  if (headers.length > 0) secrets.push(...columnSecrets(text, headers));
  addNearby(text, names, secrets);
}

function signAt(text: string, at: number, known: Signs): number {
  const code = text.charCodeAt(at);
  return code > 127 ? (WIDE_SIGNS[code] ?? 0) : known.of(known.slot);
}

function endsName(text: string, at: number, known: Signs): boolean {
  return !isLower(codeAt(text, at + 1)) && known.endsName(text, at, known.slot);
}

/**
 * Returns the next offset at which a sign ends; the text's length when there is none. Calls no functions: each character costs
 * one lookup in two tables, and a call would cost more.
 */
function nextSign(text: string, from: number, known: Signs): number {
  const { ends } = known;
  const { length } = text;
  let slot = from === 0 ? BLANK_SLOT : known.slot;
  let i = from;
  for (; i < length; i++) {
    const code = text.charCodeAt(i);
    slot = nextSlot(slot, code);
    const found = code > 127 ? WIDE_SIGNS[code] : ((ends[slot >>> 5] ?? 0) >>> slot) & 1;
    if (found !== 0) break;
  }
  known.slot = slot;
  return i;
}

/** Tells whether the sign that ends at an offset may be more than part of a word or punctuation. */
function isPromising(text: string, at: number, sign: number): boolean {
  if (sign & STARTS) return true;
  if (sign & STARTS_WORD && !isWordChar(codeAt(text, at - 4))) return true;
  if (sign & MARK) return isPromisingMark(text, at);
  return (sign & SPOKEN) !== 0;
}

function secretAt(
  text: string,
  at: number,
  slot: number,
  isName: boolean,
  progress: Progress,
): Secret | null {
  if (text.charCodeAt(at) > 127) return spokenSecret(text, at);
  // A trigger takes precedence over a name's end or a mark, even if it starts one character later.
  const secret =
    triggered(text, at - 3, slot, progress) ??
    triggered(text, at - 2, nextSlot(slot, codeAt(text, at + 1)), progress);
  if (secret) return secret;
  if (isName && Math.max(0, at - 2) >= progress.done) {
    const named = namedSecret(text, at + 1, progress);
    if (named) return named;
  }
  return at < text.length - 4 ? markedSecret(text, at, progress.done) : null;
}

/** Returns the secret of a trigger, given the offset of four of its characters. */
function triggered(text: string, at: number, slot: number, { done, known }: Progress): Secret | null {
  return known.of(slot) & (STARTS | STARTS_WORD) ? known.triggered(text, at, slot, done) : null;
}

/** Returns the slot of the four characters before an offset. Blanks precede a text. */
function slotBefore(text: string, at: number): number {
  let slot = BLANK_SLOT;
  for (let i = Math.max(0, at - 4); i < at; i++) slot = nextSlot(slot, text.charCodeAt(i));
  return slot;
}

const FINDERS: readonly Finder[] = [
  ...[...RULES, ...TOKEN_FINDERS, ...KEY_FINDERS, ...SENTENCE_FINDERS, ...COMMAND_FINDERS, ...COOKIE_FINDERS],
  ...[...FACTOR_FINDERS, PAIR_LISTS, QUERIES, ...HEADER_FINDERS, ...ENCODED_FINDERS, SPOKEN_FINDER],
];

/** Returns the triggers of secrets that their beginning identifies. */
export function triggers(): Trigger[] {
  return FINDERS.flatMap(({ words, startsWord = false, find }) =>
    words.map((text) => ({ text, startsWord, find })),
  );
}
