import { isCode } from "./code.ts";
import { firstGroup, found, type Secret } from "./finder.ts";
import {
  generatedIn,
  type IsValue,
  isChosen,
  isGenerated,
  isLowerCase,
  isStrong,
  isTelling,
  isUnnamed,
  type Range,
  stripped,
} from "./generated.ts";
import {
  hasWordOfCode,
  isAlgorithm,
  isCamelPhrase,
  isCoupled,
  isLooseLine,
  isMadeUp,
  isMessage,
} from "./made-up.ts";
import { meaningOf, nameBefore, SECRET } from "./names.ts";
import { isCommit } from "./randomness.ts";
import { codeAt, isWordChar, UPPER, wordSort } from "./signs.ts";
import { isStandIn } from "./stand-ins.ts";

/** Maximum distance of a value from a word for a secret on the same line, and below it alone on a line. */
const [BACK, AHEAD, BELOW] = [120, 180, 400];

/**
 * Adds values that nobody would write by hand near a word for a secret, whatever is between them: on its line, alone on a line
 * below, or in the list or block that it introduces. `words` are the sorted offsets after such words.
 */
export function addNearby(text: string, words: readonly number[], found: Secret[]): void {
  const done: Done = [0, 0, 0];
  for (const at of words)
    if (at > Math.min(done[CHOSEN], done[PLACED]) && !goesOn(text, at)) addAt(text, at, done, found);
}

/** Ends of the last examined lines, by kind of search. */
type Done = [generated: number, chosen: number, placed: number];

function addAt(text: string, at: number, done: Done, found: Secret[]): void {
  if (at > done[PLACED]) {
    const line = lineAround(text, at);
    done[PLACED] = line.end;
    if (/[A-Za-z][^\s\w]?\d/.test(text.slice(line.start, line.end)))
      addGenerated(text, line, { kind: "secret", isValue: isPlaced, found });
  }
  const kind = kindOf(text, at);
  if (kind === null) return;
  const phrase = kind === PASSWORD_KIND && endsPhrase(text, at) ? phraseBehind(text, at) : null;
  const answer = kind === PASSWORD_KIND ? answerTo(text, at) : null;
  for (const secret of [phrase, answer]) if (secret) found.push(secret);
  const sort = kind === PASSWORD_KIND && isPassword(text, at) ? CHOSEN : GENERATED;
  if (at <= done[sort]) return;
  const line = lineAround(text, at);
  addAround(text, at, line, { kind, isValue: kind === LOGIN ? isStrongPiece : VALUES[sort], found });
  if (kind !== LOGIN) done[sort] = line.end;
}

/** Kinds of values to search for: generated ones, and also made-up ones. */
const GENERATED = 0;
const CHOSEN = 1;
const PLACED = 2;
const VALUES = [isGenerated, isChosen] as const;

/** The first word of an answer to a question, behind who gave it and when. */
const ANSWER =
  /[^\n?]{0,90}\?[ \t]*\r?\n(?:[ \t>*-]*(?:[^\n:]{0,24}(?::\d\d){0,2}[^\n:]{0,24}:)? ?)(?![^\n]*\?)["'`«„“]?(?:(?:it['’]?s|try|use|det är|es|c['’]est) )?([^\s"'`»”“]{6,60}?)(?=[.,;!"'`»”]{0,2}(?:\s|$))/y;

/** Returns the answer to a question for a secret whose name ends at an offset. */
export function answerTo(text: string, at: number): Secret | null {
  return found(text, at, ANSWER, PASSWORD_KIND, (value) => isTelling(value) || isCoupled(value));
}

/** Text from the name of a passphrase to its words, which quotes or the end of a sentence close. */
const PHRASE =
  /(?:[^\n.,;="«„“”]{0,70}?(?:[:=→]|->|\?\s{1,3}\n?[^\n:]{0,30}(?::\d\d)?[^\n:]{0,30}:|(?<=fras(?:en|e)?|mondat|фраза)|\s(?:is|to|type|enter|ist|lautet|auf|est|es|è|é|a|à|en|in|na|op|als|su|para|är|er|[-—–])(?=\s)))\s{0,3}(?:["«„“]{1,2}\s?([^"»”“\n]{8,100}?)\s?["»”“]|(?<=[:=→>]\s{0,3}|\b(?:type|enter)\s{1,3}|[A-Z_]{4} is\s{1,3})(\p{Ll}{1,14}(?: \p{L}{1,14}){2,11}?)(?= ?[,;]| ?[.!]?\s*(?:\n|$)| and (?:hit|press|then)))/uy;
const SAYS_PHRASE =
  /(?:phrase|frase|fras|frasen|senha|_password|_passphrase|wachtzin|jelmondat|фраз[аыу])(?!\p{L})/iu;

/** A quick check: the name that ends at a place may be that of a passphrase. */
function endsPhrase(text: string, at: number): boolean {
  return /(?:phrase|frase|senha|_password)$/i.test(text.slice(Math.max(0, at - 10), at));
}

/** Returns the words of a passphrase after its announcement. */
export function phraseBehind(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, PHRASE);
  if (place === null || !SAYS_PHRASE.test(text.slice(Math.max(0, at - 20), place.start))) return null;
  const words = text.slice(place.start, place.end).split(/\s+/);
  const isSaid = (word: string) => /^\p{L}{1,14}$/u.test(word) && (word.length < 3 || !isMessage(word));
  return words.length > 2 && words.every(isSaid) ? { ...place, kind: PASSWORD_KIND } : null;
}

/** Possible text before a value: its name, a link, a user with a mark, a flag, or the start of a quotation. */
const SLOT =
  /(?:\b(?:is|are|was|be|with|using|use|type|try|enter|now|still|to|mit|ist|lautet|avec|est|con|es|è|é|com|met|jest|sha\d*|md5|aes|(?:login|user) [\w.@+-]{2,40}|\w*(?:keys?|secret|token|login|auth|pass\w*|pwd?|pin))|[\w.]{2,40} ?\/|^[\w.@+-]{2,40}:|[:=→>|│]|\s--?[\w-]{1,20}) {0,3}["'`«„“([]{0,2}$|["'`«„“]$/i;
/** Names from code, of algorithms and of constants, and calls. */
const NO_VALUE =
  /^[a-z]+[A-Z]|[.:/(=<>]|^[a-z\d]+_|^[A-Z\d_-]+$|^(?:[HREP]S|RC|AES)\d|^(?:0x|css-|[a-z]{2}-[A-Z]{2}-)|^[A-Z]\d\w?-|\+[a-z]{3}|%[\dA-F]{2}|[\da-f]{32}/;

/** Tells whether a range is where a value belongs, and does not look like a word. */
function isPlaced(text: string, piece: Range): boolean {
  const value = text.slice(piece.start, piece.end);
  if (!/[A-Z]/.test(value) || !/\d/.test(value)) return false;
  if (NO_VALUE.test(value) || hasWordOfCode(value) || isAlgorithm(value) || !isTelling(value)) return false;
  const line = text.slice(Math.max(0, piece.start - 60), piece.start);
  const before = line.slice(line.lastIndexOf("\n") + 1);
  return SLOT.test(before) && (/(?:sha\d*|md5) $/i.test(before) || isUnnamed(text, piece.start));
}

/** The target of a search, and the list of its results. */
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
  else if (isValue === isChosen)
    addGenerated(text, lineAround(text, line.end + 1), { ...search, isValue: isPlaced });
  if (!below) addInside(text, at, line, search);
}

function addGenerated(text: string, range: Range, { kind, isValue, found }: Search): void {
  for (const place of generatedIn(text, range, isValue)) found.push({ ...place, kind });
}

function isStrongPiece(text: string, { start, end }: Range): boolean {
  return isStrong(text.slice(start, end));
}

/** A word used only for passwords, unlike passing tests and a working directory. */
const PASSWORD =
  /(?:pass(?:word|wd|wort|phrase|code|wrd)|kennwort|_pass|_pwd?|\bpw|mdp|clave|senha|contrase\S{1,2}a|wachtwoord|mot de passe|parola|has[lł]o|pass ?phrase)s?$/i;

function isPassword(text: string, at: number): boolean {
  return PASSWORD.test(text.slice(Math.max(0, at - 16), at));
}

/** Tells whether an offset is inside a word of capitals: `PASS` in `PASSWORDS`. */
function goesOn(text: string, at: number): boolean {
  return wordSort(codeAt(text, at - 1)) === UPPER && wordSort(codeAt(text, at)) === UPPER;
}

/** Returns the first such value on the line of a word that ends at an offset. */
export function nearbySecret(text: string, at: number, kind: string): Secret | null {
  const place = generatedIn(text, lineAround(text, at))[0] ?? longBehind(text, at);
  return place ? { ...place, kind } : null;
}

/** A long word of small letters and digits in turn at the end of a line. */
function longBehind(text: string, at: number): Range | null {
  const place = firstGroup(text, at, /[^\n]{0,120}?[\s:=]([a-z\d]{24,90})(?=["'`.]?\s*(?:\n|$))/y);
  return place && isLowerCase(text.slice(place.start, place.end)) ? place : null;
}

/** Returns the line around an offset, up to the maximum distance. */
function lineAround(text: string, at: number): Range {
  const before = text.slice(Math.max(0, at - BACK), at);
  const behind = text.slice(at, at + AHEAD).indexOf("\n");
  return {
    start: at - before.length + before.lastIndexOf("\n") + 1,
    end: behind < 0 ? Math.min(text.length, at + AHEAD) : at + behind,
  };
}

/** Words for a hex number other than a secret. */
const HASH =
  /hash|digest|sha\d?|md5|commit|checksum|(?:\b|_)id\b|trace|revision|etag|fingerprint|public|address|contract|image|cache|version|request|\btx\b|block|index|object|tree|merge|head|token [a-z]/i;
const MIN_HEX = 32;

const HEX = /(?<=[\s"'`:=(](?:0x)?)(?=\d*[A-Fa-f])(?:[\da-f]{32,128}|[\dA-F]{32,128})(?![\w.@/-])/g;

/** Returns a long hex number on the line after a name, unless a word before it makes it a hash, an id or an address. */
function hexBehind(text: string, at: number, lineEnd: number): Range | null {
  if (lineEnd - at < MIN_HEX || isWordChar(codeAt(text, at))) return null;
  const line = text.slice(at, lineEnd);
  const match = line.match(HEX)?.[0];
  if (match === undefined) return null;
  const start = at + line.indexOf(match);
  const isOther = HASH.test(text.slice(Math.max(0, at - 60), start)) || isCommit(text, start, match);
  return isOther ? null : { start, end: start + match.length };
}

/** Possible text between a line and the value below it: blank lines, rules, and the start of a code block. */
const GAP =
  /(?:[ \t]{0,80}\r?\n[\w.-]{1,20}: (?:\S{1,7}|[^\n]{0,30} [^\n]{0,30})(?=\r?\n[\w.-]{1,20}: )){0,2}(?:[ \t]{0,80}\r?\n[ \t|]{0,40}(?:[-=+─]{1,120}|```\w{0,12})?[ \t|+-]{0,120}(?=\r?\n|$)){0,3}[ \t]{0,80}\r?\n[ \t>|*"'`-]{0,120}(?:\[?\d\d:\d\d\]? )?(?:[\w.-]{1,20}: )?/y;
const LONE = /[!-~]{8,90}?(?=["'`,]{0,2}[ \t|]*(?:\r?\n|$))/y;

/** Returns a value alone on a line below the one that ends at an offset. */
function generatedBelow(text: string, lineEnd: number, isValue: IsValue): Range | null {
  GAP.lastIndex = lineEnd;
  if (!GAP.test(text) || GAP.lastIndex > lineEnd + BELOW) return null;
  LONE.lastIndex = GAP.lastIndex;
  if (!LONE.test(text)) return null;
  const piece = stripped(text, { start: GAP.lastIndex, end: LONE.lastIndex });
  return isValue(text, piece) ? piece : null;
}

const HEX_BELOW = /\r?\n[ \t>`]{0,8}([\da-f]{32,128})[ \t`]{0,4}(?=\r?\n|$)/y;

/** Returns a long hex number alone on a line below its announcement. */
function hexBelow(text: string, line: Range): Range | null {
  const before = text.slice(line.start, line.end);
  return /[:：][ \t]*$/.test(before) && !HASH.test(before) ? firstGroup(text, line.end, HEX_BELOW) : null;
}

/** A command after a shell prompt that shows something. */
const SHOWS =
  /^\s{0,8}(?:(?:[$#%>❯]|PS[^>\n]{0,60}>|[\w.@-]{1,60}[:~][^\s$#]{0,60}[$#]) |(?=[a-z]+ [^\n]*--(?:reveal|fields?)\b))(?!(?:git|grep|rg|ls|find|npm)\b)[^\n]*\b(?:get|show|read|view|reveal|print\w*|output|lookup|access|decrypt|fields?|plain|export|cat|echo)\b/i;
/** The whole output of a command: a value, or a user before it. */
const PRINTED =
  /\r?\n["']?(?:[\w.@-]{1,60},)?([^\s"',]{8,300}|\p{Ll}{2,14}(?: \p{L}{1,14}){2,11})["']?[ \t]*(?=\r?\n|$)/uy;

/** Returns the output of a command that names a secret and shows it. */
function printedBelow(text: string, line: Range): Range | null {
  const place = SHOWS.test(text.slice(line.start, line.end)) ? firstGroup(text, line.end, PRINTED) : null;
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  const isLikely =
    isTelling(value) || isMadeUp(value) || isCoupled(value) || isCamelPhrase(value) || isLooseLine(value);
  return isLikely && !isStandIn(value) && !isCode(value) ? place : null;
}

/** The end of a line that opens a list or a block. */
const OPENS = /^S?["'`\]]{0,2}\s{0,4}(?:[:=]|=>|:=)?\s{0,4}(?:[\w.]{1,20})?[[({]{0,2}[ \t]*$/;
const MAX_LINES = 12;

/** Adds the values in the indented lines below the line of a name. */
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
  /(?:api|secret|access|private|deploy|auth|authentication|recovery|security|signing|encryption|licen[cs]e|master|shared)[ _-]key$/i;
const [LOGIN, PASSWORD_KIND] = ["login", "password"];
/** Names without an announced value after them, but possibly one nearby. */
const ALSO = /(?:^|_)(?:login|creds?)$|^(?:(?:api|access|auth|bot)_?)?tokens$/i;
const [LETTER_Y, LETTER_K] = [121, 107];

function isKeyOfService(text: string, at: number): boolean {
  return !isWordChar(codeAt(text, at - 4)) && KEY_BEFORE.test(text.slice(Math.max(0, at - 20), at));
}

/** Returns the kind of secret of the name that ends at an offset; null when it names none. */
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
