import type { Secret } from "./finder.ts";
import {
  hasWordOfCode,
  isAlgorithm,
  isChosenName,
  isCoupled,
  isJoinedPhrase,
  isMadeUp,
  isNumberedWord,
} from "./made-up.ts";
import { isScrambled, looksMixed, looksRandom } from "./randomness.ts";
import { BOTH_CASES, codeAt, DIGIT, isWordChar, LOWER, wordSort } from "./signs.ts";
import { isStandIn } from "./stand-ins.ts";

/** A range of a text, with `end` exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Maximum length of a word to examine. */
const MAX_WORD = 90;
const MIN_LIKELY = 8;

/** Tells whether a character is ASCII, but neither a blank nor a quote. */
function isInWord(code: number): boolean {
  return code > 32 && code < 127 && code !== 34 && code !== 39 && code !== 96;
}

/** Returns the end of the word at an offset. */
function wordEnd(text: string, at: number): number {
  let end = at;
  while (end - at < MAX_WORD && isInWord(codeAt(text, end))) end++;
  return end;
}

/** Tells quickly whether a range may be a secret: eight characters with letters of both cases and a digit. */
function isLikely(text: string, { start, end }: Range): boolean {
  if (end - start < MIN_LIKELY) return false;
  let seen = 0;
  for (let at = start; at < end; at++) seen |= wordSort(text.charCodeAt(at));
  return seen === (BOTH_CASES | DIGIT);
}

/** A user's or field's name before a value. */
const NAMED = /^[A-Za-z][\w.-]{0,30}(?::|=>?|->)(?=.{8})/;
const [LEAD, TAIL] = [/^(?:\$?[([{<|,;]|\*\*|__)+/, /(?:[)\]}>|,;.:]|\*\*|__)+$/];

/** Returns a word without a name before its value and without punctuation around it. */
export function stripped(text: string, { start, end }: Range): Range {
  const word = text.slice(start, end);
  const lead = isWordChar(codeAt(word, 0)) ? 0 : (LEAD.exec(word)?.[0].length ?? 0);
  const isPlain = isWordChar(codeAt(word, word.length - 1));
  const tail = isPlain ? 0 : (TAIL.exec(word.slice(lead))?.[0].length ?? 0);
  const named = NAMED.exec(word.slice(lead, word.length - tail))?.[0].length ?? 0;
  return { start: start + lead + named, end: end - tail };
}

/** Characters of generated passwords that hardly occur in names, URLs, versions and Base64. */
const STRONG_MARK = /[!#$%^&*?~]/g;
/** Characters that also occur in other words, inside a value. */
const WEAK_MARK = /[A-Za-z\d+-][=@][\w+-]/;
const [MIN_STRONG, MAX_STRONG] = [8, 64];
/** Minimum length of a value with one such character. */
const MIN_WITH_ONE_MARK = 10;

/** Code, URLs, query pairs, places in files, emphasis, time formats, and percent-encoding. */
const NO_PASSWORD =
  /[()[\]{}\\]|:\/\/|\d\.\d+\.\d|^[./~]|\w=[^=&]*&\w+=|\/\S*\.\w+#|%[0-9A-F]{2}.*%[0-9A-F]{2}|<\/|\$\{|&&|\|\||[=!]==?\w|\?\.|&(?:amp|lt|gt|quot);|@[\w-]+\.[a-z]{2,}$|^\*\*|\*\*$|%[A-Za-z].?%[A-Za-z]|^[\w.-]+\/[\w.-]+#\d+$|M-|\^@|\$[A-Z]{1,2}\$\d|!\$?[A-Z]{1,2}\$?\d+:|^\w{1,2}(?:[*^+=-]\w{1,2}){3}/;
/** Words that examples of strong passwords disguise with digits and symbols. */
const DISGUISED = /passw|secret|troub|letmein|welcome|qwert|changeme|example|admin|hunter|asdf/;

/** Tells whether only a password generator makes such a value: letters of both cases, digits and symbols, and no words. */
export function isStrong(value: string): boolean {
  return strengthOf(value) > 0;
}

/** Counts the symbols that indicate a password generator; 0.5 for a weak one, 0 for any other value. */
function strengthOf(value: string): number {
  if (value.length < MIN_STRONG || value.length > MAX_STRONG) return 0;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return 0;
  const marks = value.match(STRONG_MARK)?.length ?? 0;
  if (marks < 2 && value.length < MIN_WITH_ONE_MARK) return 0;
  if (marks === 0 && !(WEAK_MARK.test(value) && !value.includes(",") && looksMixed(value))) return 0;
  if (!/[A-Za-z\d]{3}/.test(value)) return 0;
  if (NO_PASSWORD.test(value) || isStandIn(value) || isDisguised(value) || !looksRandom(value)) return 0;
  return marks === 0 ? 0.5 : marks;
}

const DIGIT_LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Tells whether a value is an example word written with digits and symbols, such as `P@ssw0rd1!`. */
function isDisguised(value: string): boolean {
  return DISGUISED.test(value.toLowerCase().replace(/[013457@$!]/g, (char) => DIGIT_LETTERS[char] ?? char));
}

/**
 * Adds values that only a password generator makes; `marks` are the offsets of symbols between letters and digits. A value with
 * fewer than two such symbols counts only near a word for a secret.
 */
export function addStrong(text: string, marks: readonly number[], found: Secret[]): void {
  let done = -1;
  for (const at of marks) {
    if (at < done) continue;
    const word = wordAround(text, at);
    done = word.end;
    if (word.start === word.end || !isLikely(text, word)) continue;
    const piece = stripped(text, word);
    if (isAlone(text, piece)) found.push({ ...piece, kind: "password" });
  }
}

/** Tells whether a range is such a value without a name. */
function isAlone(text: string, { start, end }: Range): boolean {
  const strength = strengthOf(text.slice(start, end));
  return strength > 0 && !isPatch(text, start) && (strength >= 2 || isTold(text, start, end));
}

/** Returns the run of non-blank ASCII characters around an offset; empty if it is longer than `MAX_WORD`. */
function wordAround(text: string, at: number): Range {
  let start = at;
  while (at - start < MAX_WORD && isInWord(codeAt(text, start - 1))) start--;
  const end = at - start < MAX_WORD ? wordEnd(text, at) : at + MAX_WORD;
  return end - at < MAX_WORD ? { start, end } : { start: end, end };
}

/** Words for a secret in many languages. */
const TOLD =
  /pass|pwd|\bpw|secret|token|cred|log ?in|\blogg|sign ?in|passphrase|kennwort|zugang|anmeld|contrase|clave|senha|wachtwoord|has[łl]o|mdp|парол|ключ|логин|パスワード|ログイン|密码|密碼|口令|비밀번호|비번|암호|auth|\bkey\b|\bpsk\b|\bpin\b|account|user|root|admin|identif|şifre|lösenord|heslo|mật khẩu|vault/i;
/** Maximum distance of a value from a word for a secret. */
const [BACK, AHEAD] = [200, 120];

/** Tells whether a line belongs to a binary git patch, which is encoded in Base85. */
function isPatch(text: string, start: number): boolean {
  return /\n(?:literal|delta) \d+\r?\n(?:[^\s]{20,70}\r?\n){0,8}$/.test(
    text.slice(Math.max(0, start - 600), start),
  );
}

function isTold(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - BACK), start);
  const lines = before.split("\n").slice(-3).join("\n");
  const line = /^[^\n]{0,120}/.exec(text.slice(end, end + AHEAD))?.[0] ?? "";
  return TOLD.test(lines) || TOLD.test(line);
}

/** Ids, file names, and calls. */
const CALLED = /[()[\]{}\\]|:\/\/|^(?:CVE|CWE|GHSA|RFC|ISO)-|\.[a-z]{2,5}$|^\//;

/** Tells whether a value cannot pass for a word: a generated one, or made-up password words. */
export function isTelling(value: string): boolean {
  if (isStandIn(value) || CALLED.test(value)) return false;
  return (
    isStrong(value) ||
    looksMixed(value) ||
    isScrambled(value) ||
    (/[&+@#!^~]/.test(value) && isCoupled(value)) ||
    (isMadeUp(value) &&
      /[a-z]{3}/.test(value) &&
      (/[A-Z]|[!#@*+~&]|\d\d$|[a-z]{3}\d[a-z]{3}/.test(value) || isJoinedPhrase(value.replace(/-\d$/, ""))) &&
      !hasWordOfCode(value))
  );
}

const [MIN_GENERATED, MIN_CHOSEN] = [10, 8];

/** Tells whether a range of a text is such a value. */
export type IsValue = (text: string, piece: Range) => boolean;

/** Returns the words between two offsets that nobody would write by hand; with `isChosen`, also made-up passwords. */
export function generatedIn(
  text: string,
  { start, end }: Range,
  isValue: IsValue = isGenerated,
): readonly Range[] {
  let found = NONE;
  let at = start;
  // The first word may have started earlier.
  if (isInWord(codeAt(text, at - 1))) while (at < end && isInWord(text.charCodeAt(at))) at++;
  for (; at < end; at++) {
    const first = at;
    at = likelyEnd(text, first, isValue === isChosen ? LOWER : DIGIT | BOTH_CASES);
    if (at < 0) {
      at = -at;
      continue;
    }
    const piece = stripped(text, { start: first, end: at });
    if (isValue(text, piece)) found = [...found, piece];
  }
  return found;
}

const NONE: readonly Range[] = [];

/** Returns the end of the word at an offset; negative for one that lacks a required class of characters, or is too long. */
function likelyEnd(text: string, start: number, needed: number): number {
  let end = start;
  let seen = 0;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (!isInWord(code)) break;
    seen |= wordSort(code);
  }
  const isLong = end - start >= MIN_CHOSEN && end - start <= MAX_WORD;
  return isLong && (seen & needed) === needed ? end : -end;
}

/** Characteristics of code, paths, versions, ids of advisories and agents, and public keys. */
const OTHER =
  /[()[\]{}\\<>|]|:.*:|:\/\/|\d\.\d+\.\d|^(?:GHSA|CVE|RFC)-|^(?:pk|pub|toolu|msg|req|call|chatcmpl|resp|run|thread|file|cus|sub|evt|price|prod|acct|pi|cs|in|usr|user|org|proj|sess|client|app|team|id|trace|span|job|build|dpl|css|nonce)[_-]|^(?:RFC|ISO)\d|@[\w-]+\.\w{2,}$/;
/** A path, which has a slash; but a long Base64 key may have one, too. */
const PATH = /^(?![A-Za-z\d+][A-Za-z\d+/]{39,}={0,2}$).*\//;
/** Characters inside lists and formulas. Without a longer alphanumeric run, a value is a formula or a name. */
const LISTED =
  /[:,]|^(?!.*(?:\d[A-Za-z\d]*[A-Za-z]|[A-Za-z][A-Za-z\d]*\d)[A-Za-z\d]*)|^(?!.*[A-Za-z\d]{4})|^\w{1,2}(?:[*^+=-]\w{1,2}){3}|^(?:[A-Z][A-Za-z]*[-_])+[A-Z][a-z]*\d{0,3}$/;
/** Words before a value that mark it as harmless. */
const HARMLESS =
  /(?:(?:next|page|cursor|continuation|sync|device|push)[ _-]token|public|publishable|site[ _-]?key|fingerprint|thumbprint|digest|hash(?:es|ed)?|checksum|integrity|sha-?\d*|md5|etag|nonce|commit|revision|version|build|release|snapshot|image|chunk|\bkid|\bjti|challenge|regex|pattern|alphabet|charset|characters|h1|\w{0,4}clid|utm_\w{1,12}|mint|contract)\b[^\n]{0,36}$|(?:\bids?|request|trace|cursor|page|name|prefix|address|addr|tx|block|video|url|link|path|file|branch|tag|header)\b["']?(?: \w{2,12})?\W{0,5}$/i;
/** The name of a header or a field before its value. */
const HEADER = /(?:header|_name|_url|_id)["']?\s?[:=]\s?["']?$/i;

/** Tells whether a range is a value that nobody would write by hand, without a word before it that explains it. */
export function isGenerated(text: string, { start, end }: Range): boolean {
  const value = text.slice(start, end);
  if (value.length < MIN_GENERATED || OTHER.test(value) || PATH.test(value)) return false;
  if (
    !isStrong(value) &&
    (LISTED.test(value) || !(looksMixed(value) || isScrambled(value)) || isStandIn(value))
  )
    return false;
  if (isDisguised(value) || isAlgorithm(value)) return false;
  return isUnnamed(text, start);
}

/** Tells whether no word before a value explains it. */
export function isUnnamed(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 64), start);
  return !HARMLESS.test(before) && !HEADER.test(before);
}

/** Names from code: `bcryptV1`. */
const IDENTIFIER = /^[a-z]+[A-Z]|[.:/]|^[A-Z\d_-]+$/;

/** Words joined by a symbol that is rare in names, and capitalised words before a number. */
const JOINED =
  /^\p{L}+[&+#!^~*$]\p{L}+$|^\p{L}\p{Ll}+_\p{Lu}\p{Ll}+$|^(?:\p{Lu}\p{Ll}+){2,3}!$|^\p{Lu}\p{Ll}+\.\p{Lu}\p{Ll}+\d+$/u;

function isNoWord(value: string): boolean {
  return isCoupled(value) || isChosenName(value);
}

/** Tells the same for a made-up value of words and a number: `Walnut-Ferry-19`. */
export function isChosen(text: string, piece: Range): boolean {
  if (isGenerated(text, piece)) return true;
  const value = text.slice(piece.start, piece.end).replace(/[?.!]+$/, "");
  if (JOINED.test(value) && isNoWord(value)) return isUnnamed(text, piece.start);
  if (isNumberedWord(value) && !isStandIn(value)) return isUnnamed(text, piece.start);
  if (isLowerCase(value)) return isUnnamed(text, piece.start);
  if (!/[a-z]{3}/.test(value) || !/[A-Z]|[!#@*+~&]/.test(value)) return false;
  if (
    OTHER.test(value) ||
    isDisguised(value) ||
    (IDENTIFIER.test(value) && !(/^[a-z]{3,}[A-Z].*\d/.test(value) && isChosenName(value))) ||
    hasWordOfCode(value) ||
    !isMadeUp(value) ||
    isStandIn(value)
  )
    return false;
  return isUnnamed(text, piece.start);
}

/** Tells whether a value alternates between small letters and digits, but is not a hex hash. */
export function isLowerCase(value: string): boolean {
  if (!/^[a-z\d]{10,40}$/.test(value) || /^[\da-f]+$/.test(value) || isStandIn(value)) return false;
  return looksRandom(value) && (value.match(/\d[a-z]|[a-z]\d/g)?.length ?? 0) >= 3;
}
