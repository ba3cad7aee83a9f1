import { addressSecret, pairSecret } from "./addresses.ts";
import { assignedSecret, mayBeAssigned, namedSecret, type Rejected } from "./assignments.ts";
import { pgpassSecret } from "./commands.ts";
import { keyBeforeEnd } from "./private-keys.ts";
import { genericToken, shapedSecret } from "./shapes.ts";
import type { Secret } from "./spans.ts";
import { spokenSecret, startsSpoken } from "./spoken.ts";
import { classOf, LAST_CLASS, nextSlot, SLOTS, slotAt, Triggers } from "./triggers.ts";

/** Made when first needed: most processes redact nothing. */
let known: Known | undefined;

interface Known {
  triggers: Triggers;
  /** By slot: whether a trigger starts so, and whether the name of a secret ends so. */
  signs: Uint8Array;
  /** By slot: the classes of the characters that may stand behind such a start, a bit each. */
  behind: Int32Array;
  /** By slot: the classes of the characters that may stand before such an end, a bit each. */
  before: Int32Array;
}

const STARTS = 1;
const NAMES = 2;
const STARTS_WORD = 4;
const MARK = 8;
const SPOKEN = 16;

/** The last letters of the words that name a secret: a group of three, and what may stand before them. */
const NAME_ENDS: Readonly<Record<string, string>> = {
  ord: "w",
  swd: "s",
  pwd: "*",
  ort: "w",
  rds: "o",
  ass: "p",
  ase: "r",
  ode: "c",
  _pw: "*",
  ".pw": "*",
  '"pw': "*",
  " pw": "*",
  tpw: "o",
  rpw: "e",
  bpw: "d",
  ret: "c",
  ets: "e",
  ken: "o",
  key: "*",
  ial: "t",
  als: "i",
  eds: "r",
  red: "c",
  uth: "a",
  jwt: "*",
  pat: "_ ",
  nic: "o",
  sid: "_ ces",
  sig: "_ ?&",
  alt: "s",
  eed: "s",
  per: "p",
  kie: "o",
  ook: "h",
  dsn: "*",
  gin: "o",
  eam: "t",
  nha: "e",
  ola: "r",
  ena: "s",
  slo: "a",
  mdp: "*",
  sse: "a",
  ave: "l",
  fre: "i",
  otp: "*",
  pin: "_ ",
  ier: "f",
  nse: "e",
  nce: "n",
  psk: "*",
  tes: "c",
  slu: "a",
};

function makeKnown(): Known {
  const triggers = new Triggers();
  const known = {
    triggers,
    signs: new Uint8Array(SLOTS),
    behind: new Int32Array(SLOTS),
    before: new Int32Array(SLOTS),
  };
  for (let slot = 0; slot < SLOTS; slot++) {
    const group = triggers.groups[slot] ?? 0;
    if (group === 0) continue;
    known.signs[slot] = triggers.startsWords(group) ? STARTS_WORD : STARTS;
    known.behind[slot] = triggers.fourthClasses(group);
  }
  for (let slot = 0; slot < SLOTS; slot++)
    if (MARK_CLASSES.has(slot & LAST_CLASS)) known.signs[slot] = (known.signs[slot] ?? 0) | MARK;
  for (const [end, letters] of Object.entries(NAME_ENDS)) {
    const slot = slotAt(end, 0);
    known.signs[slot] = (known.signs[slot] ?? 0) | NAMES;
    for (const letter of letters)
      known.before[slot] =
        (known.before[slot] ?? 0) | (letter === "*" ? -1 : 1 << classOf(letter.charCodeAt(0)));
  }
  return known;
}

/** Characters that are looked at wherever they stand; others share their classes. */
const MARKS = "=:.@_-";
const MARK_CLASSES = new Set(Array.from(MARKS, (char) => classOf(char.charCodeAt(0))));

const [DASH, DOT, SLASH, COLON, EQUALS, AT] = [45, 46, 47, 58, 61, 64];
const DIGIT_1 = 49;
const [LETTER_A, LETTER_E, LOW_LINE, LETTER_P] = [65, 69, 95, 112];

/** How far a pass over a text has come: everything before `done` is found. */
interface Progress extends Rejected {
  done: number;
  known: Known;
}

/** Finds secrets in one pass over a text, at about the cost of reading it. */
export function scan(text: string): Secret[] {
  known ??= makeKnown();
  const found: Secret[] = [];
  const progress: Progress = { done: 0, until: 0, known };
  for (let at = nextSign(text, 0, known); at >= 0; at = nextSign(text, at + 1, known)) {
    const secret = secretAt(text, at, progress);
    if (!secret) continue;
    found.push(secret);
    progress.done = Math.max(progress.done, secret.end);
    at = Math.max(at, progress.done - 1);
  }
  return found;
}

/**
 * The next place worth a closer look, from `from` on; -1 when there is none. What a character costs is one look into two
 * tables: a branch at each word's start would cost more than the rest.
 */
function nextSign(text: string, from: number, known: Known): number {
  const { signs } = known;
  // No secret is so short that its sign stands in the last character.
  const end = text.length - 1;
  let slot = 0;
  for (let i = Math.max(0, from - 2); i < from; i++) slot = nextSlot(slot, text.charCodeAt(i));
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    slot = nextSlot(slot, code);
    const sign = code > 127 ? SPOKEN : (signs[slot] ?? 0);
    if (sign !== 0 && isPromising(text, i, sign, slot, known)) return i;
  }
  return -1;
}

/** Whether the sign that ends at a place may be more than a part of a word, or punctuation. */
function isPromising(
  text: string,
  at: number,
  sign: number,
  slot: number,
  { behind, before }: Known,
): boolean {
  if (sign & (STARTS | STARTS_WORD) && ((behind[slot] ?? 0) >>> classOf(text.charCodeAt(at + 1))) & 1) {
    if (sign & STARTS || at < 3 || !isWordChar(text.charCodeAt(at - 3))) return true;
  }
  if (sign & NAMES && !isLower(text.charCodeAt(at + 1)) && isNameEnd(text, at, before[slot] ?? 0))
    return true;
  if (sign & SPOKEN) return startsSpoken(text.charCodeAt(at));
  return (sign & MARK) !== 0 && isPromisingMark(text, at);
}

function isNameEnd(text: string, at: number, classes: number): boolean {
  return at < 3 ? classes !== 0 : ((classes >>> classOf(text.charCodeAt(at - 3))) & 1) === 1;
}

/** An Airtable token is `pat`, fourteen characters, and a point; a Zoho token starts with `1000.`. */
function isDottedToken(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 17) === LETTER_P ||
    (text.charCodeAt(at - 4) === DIGIT_1 && text.startsWith("000", at - 3))
  );
}

function isPromisingMark(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case DOT:
      return text.charCodeAt(at + 7) === DOT || (at >= 4 && isDottedToken(text, at));
    case LOW_LINE:
      return isLongWord(text, at);
    case DASH:
      return next === DASH ? text.charCodeAt(at + 5) === LETTER_E : isLongWord(text, at);
    case COLON:
      return next === SLASH || next === LETTER_A || isPort(text, at + 1) || mayBeAssigned(text, at);
    case EQUALS:
      return mayBeAssigned(text, at);
    default:
      return text.charCodeAt(at) === AT;
  }
}

function secretAt(text: string, at: number, progress: Progress): Secret | null {
  const { done, known } = progress;
  const { triggers, signs } = known;
  if (at > 1 && at - 2 >= done) {
    const slot = slotAt(text, at - 2);
    const sign = signs[slot] ?? 0;
    if (sign & (STARTS | STARTS_WORD)) {
      const secret = triggered(text, at - 2, triggers, triggers.groups[slot] ?? 0);
      if (secret) return secret;
    }
    if (sign & NAMES && !isLower(text.charCodeAt(at + 1))) {
      const secret = namedSecret(text, at + 1, progress);
      if (secret) return secret;
    }
  }
  return at < text.length - 4 ? markedSecret(text, at, done) : null;
}

function triggered(text: string, at: number, triggers: Triggers, group: number): Secret | null {
  for (const trigger of triggers.group(group)) {
    const { text: word, last } = trigger;
    if (text.charCodeAt(at + word.length - 1) !== last || !text.startsWith(word, at)) continue;
    if (trigger.startsWord && at > 0 && isWordChar(text.charCodeAt(at - 1))) continue;
    const secret = trigger.find(text, at);
    if (secret) return secret;
  }
  return null;
}

function markedSecret(text: string, at: number, done: number): Secret | null {
  switch (text.charCodeAt(at)) {
    case EQUALS:
      return assignedSecret(text, at);
    case COLON:
      return colonSecret(text, at);
    case DOT:
      return dotSecret(text, at);
    case AT:
      return pairSecret(text, at);
    case DASH:
      if (text.charCodeAt(at + 1) === DASH && text.startsWith("---END ", at + 2))
        return keyBeforeEnd(text, at, done);
      return isLongWord(text, at) ? genericToken(text, at) : null;
    case LOW_LINE:
      return isLongWord(text, at) ? genericToken(text, at) : null;
    default:
      return text.charCodeAt(at) > 127 ? spokenSecret(text, at) : null;
  }
}

function colonSecret(text: string, at: number): Secret | null {
  if (text.startsWith("//", at + 1)) return addressSecret(text, at);
  if (text.startsWith("AA", at + 1)) return shapedSecret(text, at, "telegram");
  if (isPort(text, at + 1)) {
    const secret = pgpassSecret(text, at);
    if (secret) return secret;
  }
  return assignedSecret(text, at);
}

/** Whether a port, or `*` for any, and a colon follow. */
function isPort(text: string, at: number): boolean {
  if (text.charCodeAt(at) === 42) return text.charCodeAt(at + 1) === COLON;
  let end = at;
  while (end - at < 6 && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  return end - at >= 2 && text.charCodeAt(end) === COLON;
}

function dotSecret(text: string, at: number): Secret | null {
  // The second part of a Discord token has six characters.
  if (text.charCodeAt(at + 7) === DOT) {
    const secret = shapedSecret(text, at, "discord");
    if (secret) return secret;
  }
  if (text.startsWith("pat", at - 17)) return shapedSecret(text, at, "airtable");
  return text.startsWith("1000", at - 4) ? shapedSecret(text, at, "zoho") : null;
}

/** A quick look: the word goes on for thirty characters behind a mark, and has letters of both cases. */
function isLongWord(text: string, at: number): boolean {
  let lower = 0;
  let upper = 0;
  for (let i = at + 1; i <= at + 30; i++) {
    const code = text.charCodeAt(i);
    if (isLower(code)) lower++;
    else if (isLower(code | 32)) upper++;
    else if (code < 48 || code > 57) return false;
  }
  return lower > 0 && upper > 0;
}

function isWordChar(code: number): boolean {
  return (code >= 48 && code <= 57) || isLower(code | 32);
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}
