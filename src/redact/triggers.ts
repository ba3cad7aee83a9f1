import { HOOK_TRIGGERS, hookSecret } from "./addresses.ts";
import { CALL_FINDERS } from "./calls.ts";
import { COMMAND_FINDERS, flagSecret, headerSecret, schemeSecret } from "./commands.ts";
import { PREFIXED } from "./prefixes.ts";
import {
  bareKey,
  DER_TRIGGERS,
  ENCODED_TRIGGER,
  encodedKey,
  keyFromBegin,
  puttyKey,
} from "./private-keys.ts";
import { looksRandom, wordShare } from "./randomness.ts";
import { jsonWebToken, SHAPE_TRIGGERS, shapedSecret } from "./shapes.ts";
import type { Secret } from "./spans.ts";
import { SPOKEN_FINDER } from "./spoken.ts";
import { isStandIn } from "./stand-ins.ts";

/** Finds the secret whose sign stands at a place, if there is one. */
type Find = (text: string, at: number) => Secret | null;

export interface Trigger {
  text: string;
  /** Its last character: most words that start alike differ there, and one character is soon compared. */
  last: number;
  /** It counts only where no letter or digit stands before it. */
  startsWord: boolean;
  find: Find;
}

/** A slot is the classes of three characters in a row, five bits each. */
export const SLOTS = 1 << 15;
/** The bits of a slot that are the class of its last character. */
export const LAST_CLASS = 31;

/** The class of a character: letters of both cases have one of their own, digits share one, marks have few. */
const CLASSES = new Uint8Array(128).fill(31);
for (let letter = 0; letter < 26; letter++) CLASSES[65 + letter] = CLASSES[97 + letter] = letter;
for (const char of "0123456789") CLASSES[char.charCodeAt(0)] = 26;
for (const char of " \t\n") CLASSES[char.charCodeAt(0)] = 27;
for (const char of "-_") CLASSES[char.charCodeAt(0)] = 28;
for (const char of ".:=") CLASSES[char.charCodeAt(0)] = 29;
for (const char of "/+~$@") CLASSES[char.charCodeAt(0)] = 30;

/** The class of a character; others than ASCII's have that of some character of it. */
export function classOf(code: number): number {
  return CLASSES[code & 127] ?? 31;
}

/** The slot of three characters in a row, from that of the three before the last. */
export function nextSlot(slot: number, code: number): number {
  return ((slot << 5) | classOf(code)) & (SLOTS - 1);
}

/** The slot of the three characters at a place. */
export function slotAt(text: string, at: number): number {
  const two = nextSlot(nextSlot(0, text.charCodeAt(at)), text.charCodeAt(at + 1));
  return nextSlot(two, text.charCodeAt(at + 2));
}

/** Where the word ends that a trigger starts, for finders that look behind it. */
function behind(word: string, find: Find): Find {
  return (text, at) => find(text, at + word.length);
}

const AUTHORIZATION = ["authorization", "Authorization", "AUTHORIZATION"];
const SCHEMES = ["bearer ", "Bearer ", "BEARER ", "Basic ", "basic ", "token ", "Token ", "SSWS ", "ApiKey "];
const FLAGS = " -";

function* triggers(): Generator<Omit<Trigger, "last">> {
  for (const { kind, prefixes, rest, common } of PREFIXED)
    for (const prefix of prefixes)
      yield { text: prefix, startsWord: !isDistinct(prefix), find: prefixFinder(kind, prefix, rest, common) };
  for (const [text, shape] of SHAPE_TRIGGERS)
    yield { text, startsWord: false, find: (source, at) => shapedSecret(source, at, shape) };
  for (const text of HOOK_TRIGGERS) yield { text, startsWord: false, find: hookSecret };
  for (const text of DER_TRIGGERS) yield { text, startsWord: true, find: bareKey };
  yield { text: ENCODED_TRIGGER, startsWord: true, find: encodedKey };
  yield { text: "Private-Lines:", startsWord: false, find: puttyKey };
  for (const text of ["-----BEGIN ", "---- BEGIN ", "---BEGIN "])
    yield { text, startsWord: false, find: keyFromBegin };
  yield { text: "eyJ", startsWord: true, find: jsonWebToken };
  for (const { words, find } of COMMAND_FINDERS)
    for (const text of words) yield { text, startsWord: true, find };
  for (const { words, find } of [...CALL_FINDERS, SPOKEN_FINDER])
    for (const text of words) yield { text, startsWord: false, find };
  for (const text of AUTHORIZATION) yield { text, startsWord: false, find: behind(text, headerSecret) };
  for (const text of SCHEMES) yield { text, startsWord: true, find: schemeSecret };
  for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    yield { text: FLAGS + letter, startsWord: false, find: (source, at) => flagSecret(source, at + 1) };
}

/** Long prefixes that end in a mark are sure signs wherever they stand. */
function isDistinct(prefix: string): boolean {
  return (
    prefix.length >= 4 &&
    /[^A-Za-z0-9]$/.test(prefix) &&
    !["key-", "sess-", "tfp_", "sdk-", "api-", "API-"].includes(prefix)
  );
}

function prefixFinder(kind: string, prefix: string, rest: RegExp, common: boolean): Find {
  return (text, at) => {
    rest.lastIndex = at + prefix.length;
    const token = rest.exec(text)?.[0];
    if (token === undefined || isStandIn(token) || isPhrase(token)) return null;
    if (common && !(looksRandom(token) && /\d/.test(token))) return null;
    return { start: at, end: wrappedEnd(text, at + prefix.length + token.length), kind };
  };
}

/** Words joined by marks, or words alone: `sk-ant-` may start the name of something. */
function isPhrase(token: string): boolean {
  return (/[-_]/.test(token) || /^[a-z]+$/.test(token)) && wordShare(token) > 0.75;
}

/** A token that a line's end cut in two goes on at the next line's start. */
const WRAP = /\\?\r?\n[ \t]{0,12}(?=[A-Za-z0-9_-]*\d)([A-Za-z0-9_-]{10,})(?=["'`]?\s*(?:$|\n|[,;)]))/y;

function wrappedEnd(text: string, end: number): number {
  if (text[end] !== "\n" && text[end] !== "\r" && text[end] !== "\\") return end;
  WRAP.lastIndex = end;
  const rest = WRAP.exec(text)?.[1];
  return rest !== undefined && looksRandom(rest) && !isStandIn(rest) ? WRAP.lastIndex : end;
}

/** Finds triggers by their first three characters. */
export class Triggers {
  /** By slot: which group of triggers starts with such characters; 0 for none, as nearly everywhere. */
  readonly groups = new Uint16Array(SLOTS);
  readonly #triggers: Trigger[][] = [[]];

  constructor() {
    for (const trigger of triggers()) {
      const slot = slotAt(trigger.text, 0);
      const group = this.groups[slot] || this.#triggers.length;
      this.groups[slot] = group;
      const others = this.#triggers[group] ?? [];
      this.#triggers[group] = others;
      others.push({ ...trigger, last: trigger.text.charCodeAt(trigger.text.length - 1) });
    }
    for (const group of this.#triggers) group.sort((a, b) => b.text.length - a.text.length);
  }

  /** True where every trigger of a group has to start a word. */
  startsWords(group: number): boolean {
    return (this.#triggers[group] ?? []).every(({ startsWord }) => startsWord);
  }

  /** The classes of the fourth characters of a group's triggers, a bit each. */
  fourthClasses(group: number): number {
    let classes = 0;
    for (const { text } of this.#triggers[group] ?? [])
      classes |= text.length === 3 ? -1 : 1 << classOf(text.charCodeAt(3));
    return classes;
  }

  group(group: number): readonly Trigger[] {
    return this.#triggers[group] ?? [];
  }
}
