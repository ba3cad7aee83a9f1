import { nameBefore } from "./assignments.ts";
import { codeAt, isWordChar, UPPER, wordSort } from "./classes.ts";
import { generatedIn, type IsValue, isChosen, isGenerated } from "./generated.ts";
import { meaningOf, SECRET } from "./names.ts";
import { type Range, stripped } from "./pieces.ts";
import type { Secret } from "./spans.ts";
import { isStrong } from "./strong.ts";

/** How far from a word for a secret its value is looked for, on the same line, and how far below, alone on a line. */
const [BACK, AHEAD, BELOW] = [160, 240, 400];

/**
 * Adds values that nobody would write by hand and that stand near a word for a secret, whatever is between them: on its line, alone
 * on a line below, or in the list or block that it names. `words` are places behind such words, in order.
 */
export function addNearby(text: string, words: readonly number[], found: Secret[]): void {
  const done = { [GENERATED]: 0, [CHOSEN]: 0 };
  for (const at of words) {
    if (at <= done[CHOSEN] || goesOn(text, at)) continue;
    const kind = kindOf(text, at);
    if (kind === null) continue;
    const sort = kind === PASSWORD_KIND && isPassword(text, at) ? CHOSEN : GENERATED;
    if (at <= done[sort]) continue;
    const line = lineAround(text, at);
    addAround(text, at, line, { kind, isValue: sort === CHOSEN ? isChosen : isGenerated, found });
    if (kind !== LOGIN) done[sort] = line.end;
  }
}

/** The values that are looked for: those of a generator, and those that people make up, too. */
const [GENERATED, CHOSEN] = ["generated", "chosen"] as const;

function addAround(
  text: string,
  at: number,
  line: Range,
  { kind, isValue, found }: { kind: string; isValue: IsValue; found: Secret[] },
): void {
  const places = [
    ...generatedIn(text, line, isValue),
    ...hexBehind(text, at, line.end),
    ...generatedBelow(text, line.end, isValue),
    ...generatedInside(text, at, line, isValue),
  ];
  for (const place of places)
    if (kind !== LOGIN || isStrong(text.slice(place.start, place.end))) found.push({ ...place, kind });
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

/** A long number in hex at the end of a line; what makes it a hash, an id or an address of something. */
const HEX = /^[^\n]*?[\s"'`:=(](?:0x)?((?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{32,200})["'`)]?[.,;]?[ \t]*$/;
const HASH =
  /hash|digest|sha\d?|md5|commit|checksum|\bid\b|trace|revision|etag|fingerprint|public|address|contract|image|cache|version|request|\btx\b|block|index|object|tree|merge|head|token [a-z]/i;

function hexBehind(text: string, at: number, end: number): Range[] {
  const rest = text.slice(at, end);
  if (rest.length < 32 || isWordChar(codeAt(text, at))) return [];
  const value = HEX.exec(rest)?.[1];
  if (value === undefined || HASH.test(text.slice(Math.max(0, at - 60), at + rest.lastIndexOf(value))))
    return [];
  const start = at + rest.lastIndexOf(value);
  return [{ start, end: start + value.length }];
}

/** What may stand between a line and the value below it: blank lines, rules, and the start of a block of code. */
const GAP =
  /(?:[ \t]*\r?\n[ \t|]*(?:[-=+─]{1,120}|```\w{0,12})?[ \t|+-]*(?=\r?\n|$)){0,3}[ \t]*\r?\n[ \t>|*"'`-]*/y;
const LONE = /[!-~]{8,90}?(?=["'`,]{0,2}[ \t|]*(?:\r?\n|$))/y;

/** A value alone on a line below one that ends at a place. */
function generatedBelow(text: string, lineEnd: number, isValue: IsValue): Range[] {
  if (text[lineEnd] !== "\n") return [];
  GAP.lastIndex = lineEnd;
  if (!GAP.test(text) || GAP.lastIndex > lineEnd + BELOW) return [];
  LONE.lastIndex = GAP.lastIndex;
  if (!LONE.test(text)) return [];
  const word = { start: GAP.lastIndex, end: LONE.lastIndex };
  const piece = stripped(text, word);
  return isValue(text, piece) ? [piece] : [];
}

/** The end of a line that opens a list or a block. */
const OPENS = /^S?["'`\]]{0,2}\s{0,4}(?:[:=]|=>|:=)?\s{0,4}(?:[\w.]{1,20})?[[({]{0,2}[ \t]*$/;
const MAX_LINES = 12;

/** The values in the lines that are indented below the line of a name. */
function generatedInside(text: string, at: number, line: Range, isValue: IsValue): Range[] {
  const rest = text.slice(at, line.end);
  if (rest.length > 30 || rest.length === 0 || text[line.end] !== "\n" || !OPENS.test(rest)) return [];
  const found: Range[] = [];
  const indent = indentOf(text, text.lastIndexOf("\n", at - 1) + 1);
  let start = line.end + 1;
  for (let count = 0; count < MAX_LINES && start < text.length; count++) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const isItem = text[start + indent] === "-";
    if (end - start > AHEAD || (indentOf(text, start) <= indent && !isItem)) break;
    found.push(...generatedIn(text, { start, end }, isValue));
    start = end + 1;
  }
  return found;
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
