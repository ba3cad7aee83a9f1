import { ALL_CLASSES, classOf, ESCAPE_CLASS, MARK_CLASSES, SLOTS, slotAt } from "./classes.ts";
import { type Trigger, triggers } from "./triggers.ts";

/** What four characters in a row may be a sign of, a bit each: of the start of a trigger, wherever it stands, ... */
export const STARTS = 1;
/** ... of one that has to start a word, ... */
export const STARTS_WORD = 2;
/** ... of the end of the name of a secret, ... */
export const NAMES = 4;
/** ... of a mark that may stand in or before a secret, ... */
export const MARK = 8;
/** ... and of an escape that may hide one. */
export const ESCAPE = 16;

/** Signs that one character is, by its class. */
const CLASS_SIGNS = new Uint8Array(ALL_CLASSES);
for (const mark of MARK_CLASSES) CLASS_SIGNS[mark] = MARK;
CLASS_SIGNS[ESCAPE_CLASS] = ESCAPE;
const MARK_BITS = CLASS_SIGNS.reduce((bits, sign, mark) => (sign === 0 ? bits : bits | (1 << mark)), 0);

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

/** Slots share a place in a table that is small enough for a processor's cache: it may promise more, never less. */
const PLACES = 1 << 15;

function placeOf(slot: number): number {
  return (slot ^ (slot >>> 7)) & (PLACES - 1);
}

/** The signs of secrets by slot. A slot knows no case, so that what a sign promises has to be looked at closely. */
export class Signs {
  /** By the classes of three characters: those that end a sign as a fourth, a bit each. */
  readonly ends = new Int32Array(SLOTS / ALL_CLASSES).fill(MARK_BITS);
  /** Of the last four characters that a pass has seen. */
  slot = 0;
  readonly #signs = new Uint8Array(PLACES);
  readonly #groups = new Map<number, Trigger[]>();

  constructor() {
    for (const trigger of triggers()) for (const slot of startSlots(trigger.text)) this.#add(slot, trigger);
    for (const group of this.#groups.values()) group.sort((a, b) => b.text.length - a.text.length);
    for (const [end, letters] of Object.entries(NAME_ENDS))
      for (const slot of endSlots(end, letters)) this.#mark(slot, NAMES);
  }

  /** What the four characters of a slot may be a sign of; zero where `ends` says that they are none. */
  of(slot: number): number {
    return (this.#signs[placeOf(slot)] ?? 0) | (CLASS_SIGNS[slot % ALL_CLASSES] ?? 0);
  }

  /** The triggers that may start with the characters of a slot, the longest first. */
  group(slot: number): readonly Trigger[] {
    return this.#groups.get(slot) ?? NO_TRIGGERS;
  }

  #add(slot: number, trigger: Trigger): void {
    const group = this.#groups.get(slot);
    if (group) group.push(trigger);
    else this.#groups.set(slot, [trigger]);
    this.#mark(slot, trigger.startsWord ? STARTS_WORD : STARTS);
  }

  #mark(slot: number, sign: number): void {
    this.#signs[placeOf(slot)] = (this.#signs[placeOf(slot)] ?? 0) | sign;
    const three = Math.floor(slot / ALL_CLASSES);
    this.ends[three] = (this.ends[three] ?? 0) | (1 << (slot % ALL_CLASSES));
  }
}

const NO_TRIGGERS: readonly Trigger[] = [];

/** The slots of a text's first four characters; the fourth may be any where the text has three. */
function startSlots(text: string): number[] {
  const slot = slotAt(`${text} `, 0);
  if (text.length > 3) return [slot];
  return Array.from({ length: ALL_CLASSES }, (_, last) => slot - (slot % ALL_CLASSES) + last);
}

function endSlots(end: string, letters: string): number[] {
  const all = Array.from({ length: ALL_CLASSES }, (_, i) => i);
  const before = letters === "*" ? all : Array.from(letters, (letter) => classOf(letter.charCodeAt(0)));
  const rest = slotAt(` ${end}`, 0) % (SLOTS / ALL_CLASSES);
  return before.map((first) => first * (SLOTS / ALL_CLASSES) + rest);
}
