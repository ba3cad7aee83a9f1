import { HOOK_TRIGGERS, hookSecret, PARAMETER_FINDER } from "./addresses.ts";
import { CALL_FINDERS, headerSecret, schemeSecret } from "./calls.ts";
import { COOKIE_FINDERS, COOKIE_LINE, COOKIE_TABLES, PAGE_FINDERS } from "./cookies.ts";
import { ENCODED_FINDER, ENCODED_WORD_FINDERS, SPELLED_FINDERS } from "./encoded.ts";
import type { Secret } from "./finder.ts";
import { LOGIN_PAIR_FINDERS, PHRASE_FINDERS } from "./logins.ts";
import { MIDDLE_FINDERS, PAIR_FINDERS } from "./pairs.ts";
import { PREFIXED } from "./prefixes.ts";
import { PRINTED_FINDERS, STORE_FINDERS } from "./printed.ts";
import {
  BYTE_LIST_FINDERS,
  bareKey,
  DER_TRIGGERS,
  ENCODED_TRIGGER,
  encodedKey,
  keyFromBegin,
  puttyKey,
  STATIC_TRIGGER,
  staticKey,
} from "./private-keys.ts";
import { flagSecret, PIPED_FINDERS, PROGRAM_FINDERS } from "./programs.ts";
import { looksRandom, wordShare } from "./randomness.ts";
import { FACTOR_FINDERS, RECOVERY_FINDERS, WALLET_TRIGGERS, walletKey } from "./second-factors.ts";
import { jsonWebToken, SHAPE_TRIGGERS, shapedSecret } from "./shapes.ts";
import { ANSWER_FINDERS, SPOKEN_FINDER } from "./spoken.ts";
import { isStandIn } from "./stand-ins.ts";
import { SQL_FINDERS } from "./tables.ts";

/** Finds the secret whose sign is at a position, if there is one. */
type Find = (text: string, at: number) => Secret | null;

export interface Trigger {
  text: string;
  /** It counts only where no letter or digit stands before it. */
  startsWord: boolean;
  find: Find;
}

/** Where the word ends that a trigger starts, for finders that look behind it. */
function behind(word: string, find: Find): Find {
  return (text, at) => find(text, at + word.length);
}

/** Finders whose words start where a word starts. */
const WORD_FINDERS = [
  ...[...PROGRAM_FINDERS, ...PIPED_FINDERS, ...STORE_FINDERS, ...SQL_FINDERS, ...PHRASE_FINDERS],
  ...[...ANSWER_FINDERS, ...PRINTED_FINDERS, ...PAIR_FINDERS, ...PAGE_FINDERS, ...FACTOR_FINDERS],
  ...RECOVERY_FINDERS,
];

const AUTHORIZATION = ["authorization", "Authorization", "AUTHORIZATION"];
const SCHEMES = ["bearer ", "Bearer ", "BEARER ", "Basic ", "basic ", "token ", "Token ", "SSWS ", "ApiKey "];

/** Secrets that their beginning identifies. */
export function* triggers(): Generator<Trigger> {
  for (const { kind, prefixes, rest, common } of PREFIXED)
    for (const prefix of prefixes)
      yield { text: prefix, startsWord: !isDistinct(prefix), find: prefixFinder(kind, prefix, rest, common) };
  for (const [text, shape] of SHAPE_TRIGGERS)
    yield { text, startsWord: false, find: (source, at) => shapedSecret(source, at, shape) };
  yield* each(HOOK_TRIGGERS, false, () => hookSecret);
  yield* each(DER_TRIGGERS, true, () => bareKey);
  yield* each([STATIC_TRIGGER], false, () => staticKey);
  yield* each([ENCODED_TRIGGER], true, () => encodedKey);
  yield* each(["Private-Lines:"], false, () => puttyKey);
  yield* each(["-----BEGIN ", "---- BEGIN ", "---BEGIN "], false, () => keyFromBegin);
  yield* each(WALLET_TRIGGERS, false, () => (source, at) => walletKey(source, at + 1));
  yield* each(["eyJ"], true, () => jsonWebToken);
  for (const { words, find } of WORD_FINDERS) yield* each(words, true, () => find);
  for (const { words, find } of [
    ...CALL_FINDERS,
    ...BYTE_LIST_FINDERS,
    ...COOKIE_FINDERS,
    ...COOKIE_TABLES,
    ...SPELLED_FINDERS,
    ...LOGIN_PAIR_FINDERS,
    ...ENCODED_WORD_FINDERS,
    PARAMETER_FINDER,
    ENCODED_FINDER,
    ...MIDDLE_FINDERS,
    SPOKEN_FINDER,
    COOKIE_LINE,
  ])
    yield* each(words, false, () => find);
  yield* each(AUTHORIZATION, false, (text) => behind(text, headerSecret));
  yield* each(SCHEMES, true, () => schemeSecret);
  for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    yield* each([` -${letter} `, ` -${letter}=`], false, () => (source, at) => flagSecret(source, at + 1));
}

function* each(
  texts: Iterable<string>,
  startsWord: boolean,
  finderOf: (text: string) => Find,
): Generator<Trigger> {
  for (const text of texts) yield { text, startsWord, find: finderOf(text) };
}

/** A long prefix that ends in a mark is a sure sign anywhere. */
function isDistinct(prefix: string): boolean {
  return (
    prefix.length >= 4 &&
    /[^A-Za-z0-9]$/.test(prefix) &&
    !["key-", "sess-", "tfp_", "sdk-", "api-", "API-"].includes(prefix)
  );
}

/** How many characters of a token are matched, and how many are judged. Limits keep a text of repeated prefixes cheap. */
const MATCHED = 400;
const JUDGED = 120;

function prefixFinder(kind: string, prefix: string, rest: RegExp, common: boolean): Find {
  return (text, at) => {
    const start = at + prefix.length;
    rest.lastIndex = 0;
    const token = rest.exec(text.slice(start, start + MATCHED))?.[0];
    if (isDistinct(prefix) && token === undefined) return joinedToken(text, at, prefix, kind, rest);
    const head = token?.slice(0, JUDGED);
    if (token === undefined || head === undefined || isStandIn(head) || isPhrase(head)) return null;
    if (common && (!looksRandom(head) || !/\d/.test(head) || isPublic(text, at))) return null;
    if (token.length < MATCHED) return { start: at, end: wrappedEnd(text, start + token.length), kind };
    rest.lastIndex = start;
    return { start: at, end: rest.test(text) ? rest.lastIndex : start + token.length, kind };
  };
}

/** String literals that code joins: the end of one, `+` or `.`, and the next one. */
const JOINED = /([\w-]{0,100})["'`]\s{0,4}(?:\+|\.\.?|&)\s{0,4}["'`]([\w.-]{1,200})/y;

/** A token whose pieces code joins, as in `"ghp_" + "…"`. */
function joinedToken(text: string, at: number, prefix: string, kind: string, rest: RegExp): Secret | null {
  JOINED.lastIndex = at + prefix.length;
  const [, first = "", second = ""] = JOINED.exec(text) ?? [];
  rest.lastIndex = 0;
  const whole = `${first}${second}`;
  if (second === "" || !rest.test(whole) || !looksRandom(whole) || isStandIn(whole)) return null;
  return { start: at, end: JOINED.lastIndex, kind };
}

/** Whether a prefix is the second part of the prefix of a public key. */
function isPublic(text: string, at: number): boolean {
  return /(?:pk|pub|publishable|public)[_-]$/.test(text.slice(Math.max(0, at - 12), at));
}

/** Words joined by marks, or words alone: `sk-ant-` may start the name of something. */
function isPhrase(token: string): boolean {
  return (/[-_]/.test(token) || /^(?:[a-z]+|[A-Z]{6,}\d{0,4})$/.test(token)) && wordShare(token) > 0.75;
}

/** A token that a line's end cut in two goes on at the next line's start. */
const WRAP = /\\?\r?\n[ \t]{0,12}(?=[A-Za-z0-9_-]*\d)([A-Za-z0-9_-]{10,})(?=["'`]?\s*(?:$|\n|[,;)]))/y;

function wrappedEnd(text: string, end: number): number {
  if (text[end] !== "\n" && text[end] !== "\r" && text[end] !== "\\") return end;
  WRAP.lastIndex = end;
  const rest = WRAP.exec(text)?.[1];
  return rest !== undefined && looksRandom(rest) && !isStandIn(rest) ? WRAP.lastIndex : end;
}
