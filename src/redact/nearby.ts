import { nameBefore } from "./assignments.ts";
import { BOTH_CASES, codeAt, DIGIT, isWordChar, wordSort } from "./classes.ts";
import { isAlgorithm } from "./made-up.ts";
import { meaningOf, SECRET } from "./names.ts";
import { isInWord, isLikely, MAX_WORD, piecesOf, type Range } from "./pieces.ts";
import { looksMixed } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";
import { isDisguised, isStrong } from "./strong.ts";

/** How far from a word for a secret its value is looked for, on the same line, and how far below, alone on a line. */
const [BACK, AHEAD, BELOW] = [160, 240, 400];

/**
 * Adds values that nobody would write by hand and that stand near a word for a secret, whatever is between them: on its line, or
 * alone on a line below. `words` are places behind such words, in order.
 */
export function addNearby(text: string, words: readonly number[], found: Secret[]): void {
  let done = 0;
  for (const at of words) {
    if (at <= done) continue;
    const kind = kindOf(text, at);
    if (kind === null) continue;
    const line = lineAround(text, at);
    for (const place of [...generatedIn(text, line), ...generatedBelow(text, line.end)])
      if (kind !== LOGIN || isStrong(text.slice(place.start, place.end))) found.push({ ...place, kind });
    done = line.end;
  }
}

/** The first such value on the line of a word that ends at a place. */
export function nearbySecret(text: string, at: number, kind: string): Secret | null {
  const [place] = generatedIn(text, lineAround(text, at));
  return place ? { ...place, kind } : null;
}

/** The line around a place, or as much of it as counts. */
function lineAround(text: string, at: number): Range {
  let start = at;
  while (start > 0 && at - start < BACK && text.charCodeAt(start - 1) !== 10) start--;
  let end = at;
  while (end < text.length && end - at < AHEAD && text.charCodeAt(end) !== 10) end++;
  return { start, end };
}

/** The words of a line that are such values. */
function generatedIn(text: string, { start, end }: Range): Range[] {
  const found: Range[] = [];
  let at = start;
  // The first word may have started before.
  if (isInWord(codeAt(text, at - 1))) while (at < end && isInWord(text.charCodeAt(at))) at++;
  for (; at < end; at++) {
    const word = wordAt(text, at);
    at = word.end;
    if (!word.isLikely) continue;
    for (const piece of piecesOf(text, word)) if (isGenerated(text, piece)) found.push(piece);
  }
  return found;
}

const MIN_GENERATED = 10;

/** The word that starts at a place, which is likely when it has letters of both cases and a digit. */
function wordAt(text: string, start: number): Range & { isLikely: boolean } {
  let end = start;
  let seen = 0;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (!isInWord(code)) break;
    seen |= wordSort(code);
  }
  const isLong = end - start >= MIN_GENERATED && end - start <= MAX_WORD;
  return { start, end, isLikely: isLong && seen === (BOTH_CASES | DIGIT) };
}

/** Marks of code and paths, ids of advisories and of agents, and keys that are public. */
const OTHER =
  /[()[\]{}\\"'`<>/|]|:.*:|:\/\/|^(?:GHSA|CVE|RFC)-|^(?:pk|pub|toolu|msg|req|call|chatcmpl|resp|run|thread|file|cus|sub|evt|price|prod|acct|pi|cs|in|usr|user|org|proj|sess|client|app|team|id|trace|span|job|build|dpl|css|nonce)[_-]|^(?:RFC|ISO)\d|@[\w-]+\.\w{2,}$/;
/** What lists and formulas have within them; one without a longer run of letters and digits is a formula. */
const LISTED = /[:,]|^(?!.*[A-Za-z\d]{3})|^\w{1,2}(?:[*^+=-]\w{1,2}){3}/;
/** Words before a value that say that it is none. */
const HARMLESS =
  /(?:(?:next|page|cursor|continuation|sync|device|push)[ _-]token|public|publishable|site[ _-]?key|fingerprint|thumbprint|digest|hash(?:es|ed)?|checksum|integrity|sha-?\d*|md5|etag|nonce|commit|revision|\bkid|\bjti|challenge|regex|pattern|alphabet|charset|characters|h1|\w{0,4}clid|utm_\w{1,12}|mint|contract)\b[^\n]{0,36}$|(?:\bids?|request|trace|version|build|cursor|page|name|prefix|address|addr|tx|block|image|video|url|link|path|file|branch|tag)\b["']?(?: \w{2,12})?\W{0,5}$/i;

function isGenerated(text: string, { start, end }: Range): boolean {
  const value = text.slice(start, end);
  if (value.length < MIN_GENERATED || OTHER.test(value)) return false;
  if (!isStrong(value) && (LISTED.test(value) || !looksMixed(value) || isStandIn(value))) return false;
  if (isDisguised(value) || isAlgorithm(value)) return false;
  return !HARMLESS.test(text.slice(Math.max(0, start - 64), start));
}

/** What may stand between a line and the value below it: blank lines, rules, and the start of a block of code. */
const GAP =
  /(?:[ \t]*\r?\n[ \t|]*(?:[-=+─]{1,120}|```\w{0,12})?[ \t|+-]*(?=\r?\n|$)){0,3}[ \t]*\r?\n[ \t>|*"'`-]*/y;
const LONE = /[!-~]{10,90}(?=[ \t|]*(?:\r?\n|$))/y;

/** A value alone on a line below one that ends at a place. */
function generatedBelow(text: string, lineEnd: number): Range[] {
  if (text[lineEnd] !== "\n") return [];
  GAP.lastIndex = lineEnd;
  if (!GAP.test(text) || GAP.lastIndex > lineEnd + BELOW) return [];
  LONE.lastIndex = GAP.lastIndex;
  if (!LONE.test(text)) return [];
  const word = { start: GAP.lastIndex, end: LONE.lastIndex };
  return isLikely(text, word) ? piecesOf(text, word).filter((piece) => isGenerated(text, piece)) : [];
}

const KEY_BEFORE =
  /(?:api|secret|access|private|deploy|auth|recovery|security|signing|encryption|licen[cs]e|master)[ _-]key$/i;
const LOGIN = "login";
/** Names that say nothing of a value behind them, but of one near them. */
const ALSO = /(?:^|_)(?:login|creds?|(?:api_?)?tokens)$/i;
const [LETTER_Y, LETTER_K] = [121, 107];

function isKeyOfService(text: string, at: number): boolean {
  return !isWordChar(codeAt(text, at - 4)) && KEY_BEFORE.test(text.slice(Math.max(0, at - 16), at));
}

/** What the name that ends at a place is a secret of; null when it says nothing. */
function kindOf(text: string, at: number): string | null {
  const last = codeAt(text, at - 1) | 32;
  if (last === LETTER_Y) return isKeyOfService(text, at) ? "api-key" : null;
  if (last === LETTER_K) return null;
  const name = nameBefore(text, at);
  if (name === null) return null;
  const { strength, kind } = meaningOf(name);
  if (strength >= SECRET) return name === "pwd" ? null : kind;
  if (/passwords$/i.test(name)) return "password";
  return ALSO.test(name) ? (/login$/i.test(name) ? LOGIN : "secret") : null;
}
