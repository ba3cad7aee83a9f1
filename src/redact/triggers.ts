import { CALL_FINDERS, headerSecret, schemeSecret } from "./calls.ts";
import { COOKIE_FINDERS, COOKIE_TABLES, PAGE_FINDERS } from "./cookies.ts";
import { ENCODED_FINDER, ENCODED_WORD_FINDERS, SPELLED_FINDERS } from "./encoded.ts";
import type { Secret } from "./finder.ts";
import { flagSecret, LOGIN_FLAG_FINDER } from "./flags.ts";
import { LOGIN_PAIR_FINDERS } from "./logins.ts";
import { PRINTED_FINDERS } from "./printed.ts";
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
import { INNER_RULES, WORD_RULES } from "./rules.ts";
import {
  CODE_FINDERS,
  FACTOR_FINDERS,
  RECOVERY_FINDERS,
  WALLET_TRIGGERS,
  walletKey,
} from "./second-factors.ts";
import { SENTENCE_FINDERS } from "./sentences.ts";
import { jsonWebToken, SHAPE_TRIGGERS, shapedSecret } from "./shapes.ts";
import { SPOKEN_FINDER } from "./spoken.ts";
import { PAIR_LISTS } from "./tables.ts";
import { isDistinct, TOKEN_FINDERS } from "./tokens.ts";

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
  ...[...WORD_RULES, ...SENTENCE_FINDERS, ...PRINTED_FINDERS, ...PAGE_FINDERS, ...FACTOR_FINDERS],
  ...[...RECOVERY_FINDERS, PAIR_LISTS],
];

const AUTHORIZATION = ["authorization", "Authorization", "AUTHORIZATION"];
const SCHEMES = ["bearer ", "Bearer ", "BEARER ", "Basic ", "basic ", "token ", "Token ", "SSWS ", "ApiKey "];

/** Secrets that their beginning identifies. */
export function* triggers(): Generator<Trigger> {
  for (const { words, find } of TOKEN_FINDERS)
    for (const text of words) yield { text, startsWord: !isDistinct(text), find };
  for (const [text, shape] of SHAPE_TRIGGERS)
    yield { text, startsWord: false, find: (source, at) => shapedSecret(source, at, shape) };
  yield* each(DER_TRIGGERS, true, () => bareKey);
  yield* each([STATIC_TRIGGER], false, () => staticKey);
  yield* each([ENCODED_TRIGGER], true, () => encodedKey);
  yield* each(["Private-Lines:"], false, () => puttyKey);
  yield* each(["-----BEGIN ", "---- BEGIN ", "---BEGIN "], false, () => keyFromBegin);
  yield* each(WALLET_TRIGGERS, false, () => (source, at) => walletKey(source, at + 1));
  yield* each(["eyJ"], true, () => jsonWebToken);
  for (const { words, find } of WORD_FINDERS) yield* each(words, true, () => find);
  for (const { words, find } of [
    ...INNER_RULES,
    ...CALL_FINDERS,
    ...CODE_FINDERS,
    LOGIN_FLAG_FINDER,
    ...BYTE_LIST_FINDERS,
    ...COOKIE_FINDERS,
    ...COOKIE_TABLES,
    ...SPELLED_FINDERS,
    ...LOGIN_PAIR_FINDERS,
    ...ENCODED_WORD_FINDERS,
    ENCODED_FINDER,
    SPOKEN_FINDER,
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
