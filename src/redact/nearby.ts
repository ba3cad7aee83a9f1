import { isCode } from "./code.ts";
import { firstGroup, type Secret } from "./finder.ts";
import {
  generatedIn,
  type IsValue,
  isChosen,
  isGenerated,
  isStrong,
  isTelling,
  type Range,
  stripped,
} from "./generated.ts";
import { isCamelPhrase, isCoupled, isMadeUp } from "./made-up.ts";
import { meaningOf, nameBefore, SECRET } from "./names.ts";
import { isCommit } from "./randomness.ts";
import { codeAt, isWordChar, UPPER, wordSort } from "./signs.ts";
import { isStandIn } from "./stand-ins.ts";

/** How far from a word for a secret its value is looked for, on the same line, and how far below, alone on a line. */
const [BACK, AHEAD, BELOW] = [120, 180, 400];

/**
 * Adds values that nobody would write by hand and that stand near a word for a secret, whatever is between them: on its line, alone
 * on a line below, or in the list or block that it names. `words` are places behind such words, in order.
 */
export function addNearby(text: string, words: readonly number[], found: Secret[]): void {
  const done: Done = [0, 0];
  for (const at of words) if (at > done[CHOSEN] && !goesOn(text, at)) addAt(text, at, done, found);
}

/** Where the last lines end that were looked at, by what was looked for. */
type Done = [generated: number, chosen: number];

function addAt(text: string, at: number, done: Done, found: Secret[]): void {
  const kind = kindOf(text, at);
  if (kind === null) return;
  const sort = kind === PASSWORD_KIND && isPassword(text, at) ? CHOSEN : GENERATED;
  if (at <= done[sort]) return;
  const line = lineAround(text, at);
  addAround(text, at, line, { kind, isValue: kind === LOGIN ? isStrongPiece : VALUES[sort], found });
  if (kind !== LOGIN) done[sort] = line.end;
}

/** The values that are looked for: those of a generator, and those that people make up, too. */
const GENERATED = 0;
const CHOSEN = 1;
const VALUES = [isGenerated, isChosen] as const;

/** What is looked for, and where to it is added. */
interface Search {
  kind: string;
  isValue: IsValue;
  found: Secret[];
}

function addAround(text: string, at: number, line: Range, search: Search): void {
  const { kind, isValue, found } = search;
  addGenerated(text, line, search);
  if (isValue !== isStrongPiece) {
    const hex = hexBehind(text, at, line.end);
    if (hex) found.push({ ...hex, kind });
  }
  if (text[line.end] !== "\n") return;
  const below =
    generatedBelow(text, line.end, isValue) ??
    hexBelow(text, line) ??
    (isValue === isStrongPiece ? null : printedBelow(text, line));
  if (below) found.push({ ...below, kind });
  else addInside(text, at, line, search);
}

function addGenerated(text: string, range: Range, { kind, isValue, found }: Search): void {
  for (const place of generatedIn(text, range, isValue)) found.push({ ...place, kind });
}

function isStrongPiece(text: string, { start, end }: Range): boolean {
  return isStrong(text.slice(start, end));
}

/** A word that is used for passwords alone: tests pass, too, and there is a working directory. */
const PASSWORD =
  /(?:pass(?:word|wd|wort|phrase|code|wrd)|kennwort|_pass|_pwd?|\bpw|mdp|clave|senha|contrase\S{1,2}a|wachtwoord|mot de passe|parola|has[lł]o|pass ?phrase)s?$/i;

function isPassword(text: string, at: number): boolean {
  return PASSWORD.test(text.slice(Math.max(0, at - 16), at));
}

/** True within a word of capitals: `PASS` in `PASSWORDS`. */
function goesOn(text: string, at: number): boolean {
  return wordSort(codeAt(text, at - 1)) === UPPER && wordSort(codeAt(text, at)) === UPPER;
}

/** The first such value on the line of a word that ends at a place. */
export function nearbySecret(text: string, at: number, kind: string): Secret | null {
  const place = generatedIn(text, lineAround(text, at))[0];
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

/** What a number in hex is, other than a secret. */
const HASH =
  /hash|digest|sha\d?|md5|commit|checksum|(?:\b|_)id\b|trace|revision|etag|fingerprint|public|address|contract|image|cache|version|request|\btx\b|block|index|object|tree|merge|head|token [a-z]/i;
const MIN_HEX = 32;

/** A long number in hex at the end of a line; what makes it a hash, an id or an address of something stands before it. */
function hexBehind(text: string, at: number, lineEnd: number): Range | null {
  if (lineEnd - at < MIN_HEX || isWordChar(codeAt(text, at))) return null;
  let end = lineEnd;
  while (end > at && lineEnd - end < 4 && !isWordChar(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > at && isHex(text.charCodeAt(start - 1))) start--;
  if (end - start < MIN_HEX || !/[a-f]/.test(text.slice(start, end))) return null;
  const before = text.slice(Math.max(0, at - 60), start);
  return /[\s"'`:=(](?:0x)?$/.test(before) &&
    !HASH.test(before) &&
    !isCommit(text, start, text.slice(start, end))
    ? { start, end }
    : null;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102);
}

/** What may stand between a line and the value below it: blank lines, rules, and the start of a block of code. */
const GAP =
  /(?:[ \t]{0,80}\r?\n[\w.-]{1,20}: (?:\S{1,7}|[^\n]{0,30} [^\n]{0,30})(?=\r?\n[\w.-]{1,20}: )){0,2}(?:[ \t]{0,80}\r?\n[ \t|]{0,40}(?:[-=+─]{1,120}|```\w{0,12})?[ \t|+-]{0,120}(?=\r?\n|$)){0,3}[ \t]{0,80}\r?\n[ \t>|*"'`-]{0,120}(?:\[?\d\d:\d\d\]? )?(?:[\w.-]{1,20}: )?/y;
const LONE = /[!-~]{8,90}?(?=["'`,]{0,2}[ \t|]*(?:\r?\n|$))/y;

/** A value alone on a line below one that ends at a place. */
function generatedBelow(text: string, lineEnd: number, isValue: IsValue): Range | null {
  GAP.lastIndex = lineEnd;
  if (!GAP.test(text) || GAP.lastIndex > lineEnd + BELOW) return null;
  LONE.lastIndex = GAP.lastIndex;
  if (!LONE.test(text)) return null;
  const piece = stripped(text, { start: GAP.lastIndex, end: LONE.lastIndex });
  return isValue(text, piece) ? piece : null;
}

const HEX_BELOW = /\r?\n[ \t>`]{0,8}([\da-f]{32,128})[ \t`]{0,4}(?=\r?\n|$)/y;

/** A long number in hex alone on a line below one that announces it. */
function hexBelow(text: string, line: Range): Range | null {
  const before = text.slice(line.start, line.end);
  return /[:：][ \t]*$/.test(before) && !HASH.test(before) ? firstGroup(text, line.end, HEX_BELOW) : null;
}

/** A command behind the sign of a shell that shows something. */
const SHOWS =
  /^\s{0,8}(?:[$#%>❯]|PS[^>\n]{0,60}>|[\w.@-]{1,60}[:~][^\s$#]{0,60}[$#]) (?!(?:git|grep|rg|ls|find|npm)\b)[^\n]*\b(?:get|show|read|view|reveal|print\w*|output|lookup|access|decrypt|fields?|plain|export|cat|echo)\b/i;
/** All that a command printed: a value, or a user before it. */
const PRINTED = /\r?\n["']?(?:[\w.@-]{1,60},)?([^\s"',]{8,300})["']?[ \t]*(?=\r?\n|$)/y;

/** What a command printed that names a secret and shows it. */
function printedBelow(text: string, line: Range): Range | null {
  const place = SHOWS.test(text.slice(line.start, line.end)) ? firstGroup(text, line.end, PRINTED) : null;
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  const isLikely = isTelling(value) || isMadeUp(value) || isCoupled(value) || isCamelPhrase(value);
  return isLikely && !isStandIn(value) && !isCode(value) ? place : null;
}

/** The end of a line that opens a list or a block. */
const OPENS = /^S?["'`\]]{0,2}\s{0,4}(?:[:=]|=>|:=)?\s{0,4}(?:[\w.]{1,20})?[[({]{0,2}[ \t]*$/;
const MAX_LINES = 12;

/** Adds the values in the lines that are indented below the line of a name. */
function addInside(text: string, at: number, line: Range, search: Search): void {
  if (line.end - at > 30 || line.end === at || !OPENS.test(text.slice(at, line.end))) return;
  const indent = indentOf(text, text.lastIndexOf("\n", at - 1) + 1);
  let start = line.end + 1;
  for (let count = 0; count < MAX_LINES && start < text.length; count++) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const isItem = text[start + indent] === "-";
    if (end - start > AHEAD || (indentOf(text, start) <= indent && !isItem)) return;
    addGenerated(text, { start, end }, search);
    start = end + 1;
  }
}

function indentOf(text: string, lineStart: number): number {
  let at = lineStart;
  while (codeAt(text, at) === 32 || codeAt(text, at) === 9) at++;
  return at - lineStart;
}

const KEY_BEFORE =
  /(?:api|secret|access|private|deploy|auth|recovery|security|signing|encryption|licen[cs]e|master|shared)[ _-]key$/i;
const [LOGIN, PASSWORD_KIND] = ["login", "password"];
/** Names that say nothing of a value behind them, but of one near them. */
const ALSO = /(?:^|_)(?:login|creds?)$|^(?:(?:api|access|auth|bot)_?)?tokens$/i;
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
