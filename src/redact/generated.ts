import { BOTH_CASES, codeAt, DIGIT, LOWER, wordSort } from "./classes.ts";
import { isAlgorithm, isMadeUp } from "./made-up.ts";
import { isInWord, MAX_WORD, type Range, stripped } from "./pieces.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";
import { isDisguised, isStrong } from "./strong.ts";

const [MIN_GENERATED, MIN_CHOSEN] = [10, 8];

/** Whether a piece of a text is such a value. */
export type IsValue = (text: string, piece: Range) => boolean;

/** The words between two places that nobody would write by hand; with `isChosen`, those that people make up, too. */
export function generatedIn(
  text: string,
  { start, end }: Range,
  isValue: IsValue = isGenerated,
): readonly Range[] {
  let found = NONE;
  let at = start;
  // The first word may have started before.
  if (isInWord(codeAt(text, at - 1))) while (at < end && isInWord(text.charCodeAt(at))) at++;
  for (; at < end; at++) {
    const first = at;
    at = likelyEnd(text, first, isValue === isChosen ? DIGIT | LOWER : DIGIT | BOTH_CASES);
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

/** Where the word ends that starts at a place; less than 0 for one that lacks a needed kind of characters, or is too long. */
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

/** Marks of code and paths, versions, ids of advisories and of agents, and keys that are public. */
const OTHER =
  /[()[\]{}\\<>|]|:.*:|:\/\/|\d\.\d+\.\d|^(?:GHSA|CVE|RFC)-|^(?:pk|pub|toolu|msg|req|call|chatcmpl|resp|run|thread|file|cus|sub|evt|price|prod|acct|pi|cs|in|usr|user|org|proj|sess|client|app|team|id|trace|span|job|build|dpl|css|nonce)[_-]|^(?:RFC|ISO)\d|@[\w-]+\.\w{2,}$/;
/** A path has a slash; so does a long key in Base64. */
const PATH = /^(?![A-Za-z\d+][A-Za-z\d+/]{39,}={0,2}$).*\//;
/** What lists and formulas have within them; one without a longer run of letters and digits is a formula or a name. */
const LISTED =
  /[:,]|^(?!.*(?:\d[A-Za-z\d]*[A-Za-z]|[A-Za-z][A-Za-z\d]*\d)[A-Za-z\d]*)|^(?!.*[A-Za-z\d]{4})|^\w{1,2}(?:[*^+=-]\w{1,2}){3}|^(?:[A-Z][A-Za-z]*[-_])+[A-Z][a-z]*\d{0,3}$/;
/** Words before a value that say that it is none. */
const HARMLESS =
  /(?:(?:next|page|cursor|continuation|sync|device|push)[ _-]token|public|publishable|site[ _-]?key|fingerprint|thumbprint|digest|hash(?:es|ed)?|checksum|integrity|sha-?\d*|md5|etag|nonce|commit|revision|version|build|release|snapshot|image|chunk|\bkid|\bjti|challenge|regex|pattern|alphabet|charset|characters|h1|\w{0,4}clid|utm_\w{1,12}|mint|contract)\b[^\n]{0,36}$|(?:\bids?|request|trace|cursor|page|name|prefix|address|addr|tx|block|video|url|link|path|file|branch|tag|header)\b["']?(?: \w{2,12})?\W{0,5}$/i;
/** A name of a header or a field before its value. */
const HEADER = /(?:header|_name|_url|_id)["']?\s?[:=]\s?["']?$/i;

/** Whether a piece of a text is a value that nobody would write by hand, and no word before it says what else it is. */
export function isGenerated(text: string, { start, end }: Range): boolean {
  const value = text.slice(start, end);
  if (value.length < MIN_GENERATED || OTHER.test(value) || PATH.test(value)) return false;
  if (!isStrong(value) && (LISTED.test(value) || !looksMixed(value) || isStandIn(value))) return false;
  if (isDisguised(value) || isAlgorithm(value)) return false;
  return isUnnamed(text, start);
}

/** Whether no word before a value says what else it is. */
function isUnnamed(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 64), start);
  return !HARMLESS.test(before) && !HEADER.test(before);
}

/** Names of code: `bcryptV1`, and words of programs with a number. */
const IDENTIFIER = /^[a-z]+[A-Z]|[.:/]|^[A-Z\d_-]+$/;
const TECHNICAL =
  /pass|pwd|secret|token|test|user|login|auth|field|form|page|spec|policy|bcrypt|argon|crypt|hash|hmac|chrome|firefox|iphone|android|windows|version|phase|issue|step|part|draft|build|port|beta|alpha|input|button|model|claude|gpt|opus/i;

/** The same for a value that people make up of words and a number: `Walnut-Ferry-19`. */
export function isChosen(text: string, piece: Range): boolean {
  if (isGenerated(text, piece)) return true;
  const value = text.slice(piece.start, piece.end).replace(/[?.!]+$/, "");
  if (isLowerCase(value)) return isUnnamed(text, piece.start);
  if (!/[a-z]{3}/.test(value) || !/[A-Z]|[!#@*+~&]/.test(value)) return false;
  if (
    OTHER.test(value) ||
    isDisguised(value) ||
    IDENTIFIER.test(value) ||
    TECHNICAL.test(value) ||
    !isMadeUp(value) ||
    isStandIn(value)
  )
    return false;
  return isUnnamed(text, piece.start);
}

/** Small letters and digits in turn; a number in hex is a hash. */
function isLowerCase(value: string): boolean {
  if (!/^[a-z\d]{10,40}$/.test(value) || /^[\da-f]+$/.test(value) || isStandIn(value)) return false;
  return looksRandom(value) && (value.match(/\d[a-z]|[a-z]\d/g)?.length ?? 0) >= 3;
}
