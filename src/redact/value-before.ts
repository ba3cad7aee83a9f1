/** Values before their names: in pairs, in sentences, and at the start of a line with a comment after it. */

import type { Secret } from "./finder.ts";
import { meaningOf, SECRET, withAdjective } from "./names.ts";
import { looksMixed } from "./randomness.ts";
import { codeAt } from "./signs.ts";
import { isSecretValue } from "./values.ts";

const [NEW_LINE, SPACE, OPEN, COLON, EQUALS] = [10, 32, 40, 58, 61];
const [DOUBLE_QUOTE, SINGLE_QUOTE] = [34, 39];

/** A pair with the value before its name: `value: x, name: NAME`, and `set value = 'x' where name = 'NAME`. */
const PAIR_BEFORE =
  /(?:(?:value|Value)["']?\s{0,4}[:=]\s{0,4}["']?([^\s"',{}]{5,300})["']?\s{0,4},?\s{0,40}["']?(?:name|key|Name|Key)["']?\s{0,4}[:=]\s{0,4}["']?|set\s+\w{1,20}\s{0,4}=\s{0,4}N?'([^'\n]{4,300})'\s+where\s+[\w."]{1,40}\s{0,4}=\s{0,4}["'])$/i;
/** Such a pair in a call: `set("…", forKey: "token")`, `Field(default="…", alias="password")`. */
const CALLED =
  /(?:\(|default\s?=)\s{0,4}["']([^"'\n]{5,300})["']\s{0,4},\s{0,4}(?:forKey|key|name|alias|account|service)\s?[:=]\s{0,4}["']$/;
const MAX_PAIR = 420;

function pairBefore(text: string, nameStart: number): { start: number; end: number } | null {
  if (!isAnnounced(text, nameStart)) return null;
  const from = Math.max(0, nameStart - MAX_PAIR);
  const before = text.slice(from, nameStart);
  const pair = PAIR_BEFORE.exec(before);
  const match = pair ?? CALLED.exec(before);
  const value = match?.[1] ?? match?.[2];
  if (match === null || value === undefined) return null;
  // The words before a value may be inside the match.
  const lead = pair === null ? 1 : match[1] === undefined ? 4 : 5;
  const start = from + match.index + match[0].indexOf(value, lead);
  return { start, end: start + value.length };
}

/** Tells quickly whether a quote, `:` or `=` precedes a name. */
function isAnnounced(text: string, nameStart: number): boolean {
  const last = codeAt(text, nameStart - 1);
  if (last === DOUBLE_QUOTE || last === SINGLE_QUOTE || last === COLON || last === EQUALS) return true;
  const before = last <= SPACE ? codeAt(text, nameStart - 2) : 0;
  return before === COLON || before === EQUALS;
}

/** Text from a value to its name in a sentence, as in `… is the password` or `use … as my token`. */
const LEADS =
  / (?:(?:(?:is|was|(?:should|must|will) be|for|ist|war|est|es|era|è|é) (?:the|my|our|your|its|a|das|mein|dein|unser|le|la|mon|el|mi|il|o|minha|meu|het|mijn|[\w-]{1,20}['’]s)|(?:is what (?:I|we) use )?(?:as|als|comme|como|come)(?: (?:the|my|our|your|its|a))?)|\((?:(?:that['’]s|this is|it['’]s) )?(?:the|my|our)) (?:[\w'’-]{1,20} ){0,2}$/;
/** A quick check for one of the words of `LEADS`. */
const LEAD_WORD = / (?:is|was|be|for|ist|war|est|es|era|è|é|as|als|comme|como|come|\()/;
/** A hash, a UUID or a slug, which a sentence may name as the place of a password. */
const LOOKED_AT = /^(?:[\da-f-]+|sha\d+-.*|[a-z]+(?:-[a-z\d]+)+)$/;
const IS_AS = /^ (?:as|als|comme|como|come) $/;
const VALUE_END = /(?:^|[\s"'`(])([^\s"'`(]{6,200})["'`]?$/;
/** A line that starts with a value and a mark before its description: `…  <- root password`, `… # deploy token`. */
const NOTED =
  /(?:^|\n)[ \t>*•-]{0,8}["'`]?([^\s"'`(){};,<>]{6,200})["'`]?[ \t]{1,8}(?:<-{1,3}|←|<=|[—–#]|\/\/|--|\()[ \t]?(?:[\w'’.-]{1,20} ){0,4}$/;
/** The description of an assignment in a comment after it: `p = "…"; // db password`. */
const COMMENTED =
  /[=:(,\s]\s{0,4}["'`]([^"'`\n]{6,200})["'`][;,)}\]]{0,4}[ \t]{1,8}(?:\/\/|#|--|\/\*)[ \t]?(?:[\w'’.-]{1,20} ){0,4}$/;
const MAX_NOTED = 290;

/** Returns the value before its name, in a pair or a sentence. */
export function valueBefore(text: string, name: string, nameStart: number): Secret | null {
  const full = withAdjective(name, text, nameStart);
  const { strength, kind } = meaningOf(full);
  if (strength < SECRET) return null;
  const pair = pairBefore(text, nameStart);
  if (pair && isSecretValue(text.slice(pair.start, pair.end), strength, "quoted")) return { ...pair, kind };
  const from = nameStart - (full.length - name.length);
  if (codeAt(text, from - 1) !== SPACE && codeAt(text, from - 1) !== OPEN) return null;
  const value = leadingValue(text, name, from) ?? notedValue(text, from);
  if (value === null || !isSecretValue(text.slice(value.start, value.end), strength, "statement"))
    return null;
  return { ...value, kind };
}

function leadingValue(text: string, name: string, nameStart: number): { start: number; end: number } | null {
  const words = text.slice(Math.max(0, nameStart - 64), nameStart);
  const leads = LEAD_WORD.test(words) ? LEADS.exec(words)?.[0] : undefined;
  // Code contains `X as YPassword`.
  if (leads === undefined || (IS_AS.test(leads) && !/^[A-Za-z][a-z]+$/.test(name))) return null;
  const value = valueUpTo(text, nameStart - leads.length);
  const isPlace =
    value !== null && leads.startsWith(" for ") && LOOKED_AT.test(text.slice(value.start, value.end));
  return isPlace ? null : value;
}

function valueUpTo(text: string, from: number): { start: number; end: number } | null {
  const value = VALUE_END.exec(text.slice(Math.max(0, from - 206), from))?.[1];
  if (value === undefined) return null;
  const start = text.lastIndexOf(value, from);
  const named = VARIABLE.exec(value)?.[0].length ?? 0;
  return { start: start + named, end: start + value.length };
}

/** The variable that gets the value, as in `NPM_TOKEN=… for the repo secrets`; not part of the value. */
const VARIABLE = /^[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,30}=(?=[^=])/;

/** Text between a value and a word of another language: `… это пароль`, `…がパスワードです`. */
const SPOKEN_LEADS =
  /(?: (?:es|est|è|é|is|to|это|[—–-] это|[—–-]) (?:(?:la|el|mi|o|a|moje|мой|mot de) )?| (?:como|jako|как|als|comme) | ?(?:が|は|是|가|이) ?)$/u;

/** Returns the value before a word for a password that starts at an offset. */
export function spokenBefore(text: string, wordStart: number): { start: number; end: number } | null {
  const leads = SPOKEN_LEADS.exec(text.slice(Math.max(0, wordStart - 16), wordStart))?.[0];
  return leads === undefined ? null : valueUpTo(text, wordStart - leads.length);
}

/** Returns a value at the start of its line, but not the hash of a commit. */
function notedValue(text: string, nameStart: number): { start: number; end: number } | null {
  if (!mayBeNoted(text, nameStart)) return null;
  const before = text.slice(Math.max(0, nameStart - MAX_NOTED), nameStart);
  const match = NOTED.exec(before) ?? COMMENTED.exec(before);
  const value = match?.[1];
  if (match === null || value === undefined || !(looksMixed(value) || isPunctuated(value))) return null;
  const start = nameStart - before.length + match.index + match[0].indexOf(value);
  return { start, end: start + value.length };
}

/** Separators between a value and its description. */
const NOTE_MARKS = new Set(Array.from("<←—–#/-(*", (mark) => mark.charCodeAt(0)));
/** Maximum words and characters between such a separator and the name. */
const [MAX_WORDS, MAX_CHARS] = [5, 90];

/** Tells quickly whether such a separator precedes a name on its line. */
function mayBeNoted(text: string, nameStart: number): boolean {
  let blanks = 0;
  for (let at = nameStart - 1; at > nameStart - MAX_CHARS && blanks <= MAX_WORDS; at--) {
    const code = codeAt(text, at);
    if (code === 0 || code === NEW_LINE) return false;
    if (code === SPACE) blanks++;
    else if (NOTE_MARKS.has(code)) return true;
  }
  return false;
}

function isPunctuated(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /[^\w./:-]/.test(value);
}
