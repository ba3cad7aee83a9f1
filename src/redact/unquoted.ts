/** Unquoted values, whose end depends on their line. */
import { bare, MAX_VALUE, matched, type Name, past, trimmed, type Value } from "./literals.ts";
import {
  hasWordOfCode,
  isCamelPhrase,
  isJoined,
  isMessage,
  isNumberedType,
  isPhrase,
  isQuality,
} from "./made-up.ts";
import { meaningOf, PASSWORD } from "./names.ts";
import { isAppPassword } from "./password-forms.ts";
import type { Place } from "./values.ts";

/** A part of a connection string before a name, and a value in one. */
const DSN_PART = /[\w ]=[^;\n"']*;\s?(?:\w+ )?$|;\s?(?:\w+ )?$/;
/** A pair or a host before a name, without a blank, and a value with a number in such a list: `user:ada,password:…`. */
const LIST_PART = /[\w.-][:=][^\s,;:=("'`]{1,80},$/;
/** A printed Go map before a name. */
const IN_MAP = /map\[(?:[\w.-]{1,40}:[^\s\]]{0,80} )*$/;
const LISTED =
  /(?!\w+\[)(?=[^\s,;(){}"'`]{0,60}\d)(?=[^\s,;(){}"'`]{0,60}[A-Za-z])[^\s,;(){}"'`$]{6,100}(?=[,;)}\s"'`]|$)/y;
const LAST_WORD = /[^\s,;(){}"'`]{6,100}[ \t]*(?=\r?\n|$)/y;
const LISTED_WORD = /[^\s,;|(){}"'`$]{6,60}/y;
const DSN_VALUE = /[^;\n"'`<]{1,300}/y;
/** A word that is the whole rest of a line. */
const LONE_WORD =
  /(?![a-z]+(?:ed|ing)[ \t]*\r?(?:\n|$))[A-Z]?[a-z]{2,20}(?:-[a-z]{2,20}|[A-Z][a-z]{2,12}){0,4}\d{0,6}[ \t]*(?=\r?\n|$)/y;
/** A lower-case word that is longer than those of settings. */
const LONG_WORD = /[a-z-]{12,60}[ \t]*(?=\r?\n|$)/y;
/** Text before a name inside the braces of another name, as in YAML's `db: {user: ada, password: x}`. */
const IN_BRACES = /[\w"']:[ \t]{0,4}\{[^{}()\n]{0,70}$/;
/** Possible text before a name that starts a line: list markers, quotes, diff signs, line numbers, and commands. */
const LINE_START =
  /^(?:[ \t>*+#$%[-]|\d{1,6}(?:→|[.:|)\t]|(?=[ \t])))*(?:(?:export|set|setenv|declare(?: -\w+)?|local|readonly|ENV|ARG|env|-e|--env|set -\w+|\$env:)[ \t]*)*\\{0,15}["']?$/;

/** Pairs that indicate a login: on the line before or after a name, and in a list before it. */
const LOGIN =
  "(?:\\w{1,20}[_.-])?(?:user|username|user_?name|login|uid|usr|host|hostname|server|port|db|database|dbname|adapter|email|account|ssid|id|name|benutzer|benutzername|anmeldename|utilisateur|identifiant|usuario|utente|gebruiker|usuário|correo|servidor|serveur)";
const LOGIN_LINE = new RegExp(
  `^[\\s>*-]*["']?${LOGIN}["']?[ \\t]*[:=]>?[ \\t]*(?:[^\\s,;{}()]+|["'][^"'\\n]{1,60}["'],)[ \\t]*$`,
  "i",
);
const LOGIN_LIST = new RegExp(
  `(?:^|[\\s,;|{(&、，])["':]?${LOGIN}["']?(?:\\s?=>\\s?|=|:[ \\t]?)[^\\s,;|{}()]{1,80}(?: /|[,;| \\t])[ \\t]?$`,
  "i",
);
/** Prompts for a password at a terminal. */
const ASKS =
  /^[\s>]*(?:\[sudo\] |(?:Enter|New|Current|Old|Your) |\S{1,40}@\S{1,60}'s |BECOME )(?:new |current )?(?:[A-Z]{2,5} )?$/i;
const PROMPT =
  /(?:^|\n)[\s>]*(?:[$#%❯] \S[^\n]*|(?:user(?:name)?|login|[\w.-]+ login|name):[^\n]*(?<!,))\n[^\n]*$/i;
const ONE_WORD = /[^\s,;{}()[\]<>"'`]{5,100}[ \t]*(?=\r?\n|$)/y;

/** A login on the previous line in a file of blank-separated pairs: `user ada`. */
const LOGIN_WORDS = new RegExp(
  `(?:^|\\n)[ \\t]*(?:${LOGIN}|machine)[ \\t]+[^\\s:=]{1,60}[ \\t]*\\r?\\n[ \\t]*$`,
  "i",
);
/** A single word as the rest of a line. */
const LAST = /(?![a-z]+(?:ed|ing)\b)[^\s"'`(){}]{5,100}[ \t]*(?=\r?\n|$)/y;

/** Tells whether a name and a word form a line below a login. */
export function isBesideLogin(source: string, start: number, at: number): boolean {
  return past(LAST, source, at) > at && LOGIN_WORDS.test(source.slice(Math.max(0, start - 100), start));
}

/** Tells whether the pairs around a name with a quoted value indicate a login: `{"user": "ada", "password": "…`. */
export function isNearLogin({ start, end }: Name, source: string): boolean {
  const quote = /["']/.test(source[start - 1] ?? "") ? 1 : 0;
  const before = source.slice(Math.max(0, start - quote - 100), start - quote);
  return LOGIN_LIST.test(before) || isAmongLogins(source, start, end);
}

/** Tells whether a pair on the line before or after a name indicates a login. */
function isAmongLogins(source: string, start: number, at: number): boolean {
  const line = source.lastIndexOf("\n", start - 1);
  const before =
    line < 0 ? "" : source.slice(Math.max(source.lastIndexOf("\n", line - 1) + 1, line - 120), line);
  const end = source.indexOf("\n", at);
  const next = end < 0 ? "" : (/^[^\n]{0,120}/.exec(source.slice(end + 1, end + 121))?.[0] ?? "");
  return LOGIN_LINE.test(before) || LOGIN_LINE.test(next);
}

/** Tells whether a terminal prompt asked for the value of a name, or it is among the pairs of a login. */
function isLoneValue(name: Name, source: string, at: number): boolean {
  const value = matched(ONE_WORD, source, at)?.[0].trim();
  if (value === undefined || isMessage(value)) return false;
  const before = source.slice(Math.max(0, name.start - 200), name.start);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (ASKS.test(line) || (/^[\s>]*$/.test(line) && /^[A-Z]/.test(name.text) && PROMPT.test(before)))
    return true;
  return isAmongLogins(source, name.start, at) || isBelowParent(before);
}

/** Tells whether the line before a name opens a YAML mapping. */
function isBelowParent(before: string): boolean {
  return /(?:^|\n)[\s>-]*[\w.-]{2,40}:[ \t]*\n[ \t>-]*$/.test(before);
}

/** Words before a name at the start of a line, as in `Admin password: …`. */
const LABEL =
  /(?:^|\n)[ \t>*#-]*(?:[\p{L}']{1,20}[ \t]{1,3}){1,6}\(?$|(?:[ \t]#|\/\/|\/\*|[ \t]--)[ \t]*(?:[\p{L}']{1,20}[ \t]{1,3}){0,4}$/u;

/** Tells whether a name follows a flag whose argument is a pair: `-var db_password=…`, `--set auth.password=…`. */
function isOption(before: string): boolean {
  return /[ \t]-{1,2}[A-Za-z][\w-]{0,20}[ \t]$/.test(before.slice(-24));
}

/** Tells whether a name starts a line of settings, not of code. */
export function startsLine(before: string): boolean {
  return (
    LINE_START.test(before.slice(before.lastIndexOf("\n") + 1)) &&
    !/^\s*(?:const|let|var)\b/.test(before.slice(-10))
  );
}

/** Tells whether a name follows other words of its line, or is within braces as in YAML. */
function isLabelled(before: string): boolean {
  return LABEL.test(before.slice(-60)) || IN_BRACES.test(before);
}

const REST = /[^\n#;"'`]{8,100}(?=\r?\n|$)/y;

/** Returns several words with a number after `=`, unquoted as in files of settings. */
function phraseOfLine(
  { text: name, start }: Name,
  source: string,
  at: number,
  operator: string,
): Value | null {
  const isPair = operator === "=" || (operator === ":" && isAmongLogins(source, start, at));
  const rest = isPair ? matched(REST, source, at)?.[0].trim() : undefined;
  const isPhraseOfWords = isPhrase(rest ?? "") && /(?:password|secret)$/i.test(name);
  const isNamed = (isPhraseOfWords || /pass_?phrase$/i.test(name)) && /^[\p{L} ]+$/u.test(rest ?? "");
  return rest !== undefined && /\s/.test(rest) && (isNamed || (/\d/.test(rest) && isPhrase(rest)))
    ? { start: at, end: at + rest.length, place: isNamed ? "environment" : "quoted" }
    : null;
}

/** Tells whether a name belongs to a password, or to another chosen secret with a long word after it. */
function mayBePassword(name: string, source: string, at: number): boolean {
  const { kind, strength } = meaningOf(name);
  if (kind === "password") return true;
  const word = strength === PASSWORD ? matched(LONG_WORD, source, at)?.[0] : undefined;
  return word !== undefined && !hasWordOfCode(word);
}

function isJoinedWord(value: string): boolean {
  return isJoined(value) || isCamelPhrase(value);
}

/** Tells whether a value follows the pairs of a login in one list. */
function isInList(before: string, source: string, at: number): boolean {
  if (!LIST_PART.test(before) && !LOGIN_LIST.test(before) && !IN_MAP.test(before)) return false;
  const word = matched(LISTED_WORD, source, at)?.[0] ?? "";
  // A plain word that ends a quoted list, after a blank: `"user=app password=snowowl"`, or one with a capital among pairs.
  const isLast =
    / $/.test(before) && /^[a-z]{6,20}$/.test(word) && /["'`]/.test(source[at + word.length] ?? "");
  const isName =
    source[at - 1] === "=" && /^[A-Z][a-z]{5,20}$/.test(word) && !isMessage(word) && !isQuality(word);
  return !isNumberedType(word) && (isLast || isName || past(LISTED, source, at) > at || isJoinedWord(word));
}

/** Returns an unquoted value: to the end of the line in settings, else up to the next mark. */
export function unquoted(name: Name, source: string, at: number, operator: string): Value | null {
  if (/[\r\n]/.test(source[at] ?? "\n")) return null;
  const isTight = operator === "=" && source[at - 1] === "=";
  if (source[name.start - 1] === "-" && operator === "=") return bare(source, at, "flag");
  const before = source.slice(Math.max(0, name.start - 80), name.start);
  if (isTight && DSN_PART.test(before.slice(-40))) return part(source, at);
  const isPassword = mayBePassword(name.text, source, at);
  if (isPassword && isInList(before, source, at)) return bare(source, at, "environment");
  const isConstant = /^[A-Z_][A-Z0-9_]*$/.test(name.text);
  const around = before.slice(-1);
  if (/["'`]/.test(around) && source[name.end] !== around) return upTo(name, source, at);
  if (isPassword && operator === ":" && isLoneValue(name, source, at)) return bare(source, at, "environment");
  if (startsLine(before))
    return (
      phraseOfLine(name, source, at, operator) ??
      wholeLine(source, at, placeOfLine(name, source, at, { operator, isTight, isPassword }))
    );
  return inLine({ before, isTight, isPassword, isConstant }, name.text, source, { at, operator });
}

/** Returns an unquoted value after a name that other words of its line precede. */
function inLine(
  {
    before,
    isTight,
    isPassword,
    isConstant,
  }: Record<"isTight" | "isPassword" | "isConstant", boolean> & { before: string },
  name: string,
  source: string,
  { at, operator }: { at: number; operator: string },
): Value | null {
  const isParameter = /[?&]$/.test(before) && isPassword;
  const isLast = isTight && isPassword && past(LONE_WORD, source, at) > at;
  if (isTight && (isParameter || isLast || isOption(before))) return bare(source, at, "environment");
  const word = operator === ":" && isPassword ? matched(LAST_WORD, source, at)?.[0].trim() : undefined;
  if (word !== undefined && !word.includes(".") && isJoinedWord(word))
    return { start: at, end: at + word.length, place: "setting" };
  const isVariable = isConstant && (operator === "=" || name.includes("_"));
  return bare(source, at, placeInLine(before, operator, { isVariable, isTight }));
}

/** Returns the place of the value of a name that starts its line. One plain word may be a password in a file of settings. */
function placeOfLine(
  { text: name, start }: Name,
  source: string,
  at: number,
  { operator, isTight, isPassword }: { operator: string; isTight: boolean; isPassword: boolean },
): Place {
  if (/^[A-Z_][A-Z0-9_]*$/.test(name) && operator !== ":") return "environment";
  const mayBeWord = isPassword && (isTight || (operator === ":" && name.includes("_")));
  if (mayBeWord && past(LONE_WORD, source, at) > at) return "environment";
  return isPassword && isAmongLogins(source, start, at) && past(LAST, source, at) > at
    ? "environment"
    : "setting";
}

function placeInLine(
  before: string,
  operator: string,
  { isVariable, isTight }: { isVariable: boolean; isTight: boolean },
): Place {
  if (operator === ":" && isLabelled(before)) return "setting";
  if (isVariable) return "environment";
  return isTight ? "setting" : "code";
}

/** Returns the value in a connection string, which only a semicolon ends. */
function part(source: string, at: number): Value | null {
  const match = matched(DSN_VALUE, source, at);
  // Text after a blank is a sentence about the value.
  if (match && /\s[a-z]+\s/.test(match[0])) return bare(source, at, "environment");
  return match
    ? trimmed(source, at, at + match[0].length, /\w\s\w/.test(match[0]) ? "flag" : "environment")
    : null;
}

/** Returns the value of an assignment that is quoted as a whole: `"NAME=value"`. */
function upTo(name: Name, source: string, at: number): Value | null {
  const { start, text } = name;
  const quote = source[start - 1] ?? "";
  const isConstant = /^[A-Z_][A-Z0-9_]*$/.test(text);
  const length = source.slice(at, at + MAX_VALUE).search(/[\n"'`]/);
  const isClosed = length >= 0 && source[at + length] === quote;
  const isArgument = / -{1,2}[\w-]{1,20}[ =]["'`]$/.test(source.slice(Math.max(0, start - 24), start));
  const place: Place = isConstant || isArgument ? "environment" : "setting";
  // Other pairs may follow in the same quotes.
  const isOne = isClosed && !/\s\w+=/.test(source.slice(at, at + length));
  return isOne ? trimmed(source, at, at + length, place) : bare(source, at, place);
}

/** Returns the rest of a line without a comment at its end. */
export function wholeLine(source: string, at: number, place: Place): Value | null {
  const head = source.slice(at, at + MAX_VALUE);
  const length = head.indexOf("\n");
  const line = length < 0 ? head : head.slice(0, length);
  const comment = /\s+(?:#|\/\/)\s.*$|\s+\\?$|\\[nrt"'`].*$|\s*<\/.*$/.exec(line);
  const value = trimmed(source, at, at + (comment ? comment.index : line.length), place);
  if (!value) return null;
  // If other words or pairs follow on the line, the value is the first word.
  const rest = source.slice(value.start, value.end);
  if (isAppPassword(rest)) return value;
  const goesOn = /[\s;&|]/.exec(rest);
  const isBody = place !== "environment" && /^[\w.%~+/=-]+&\w+=/.test(rest);
  return goesOn &&
    (isBody || /[\s,;][\w.-]+[=:]|\s(?:&&|\|\||[|>;])|;\s|^\S+\s+[a-z][\w.-]*(?:\s|$)/.test(rest))
    ? // A brace starts a placeholder; separate rules read ODBC values in braces.
      (bare(source, at, place) ?? (rest.startsWith("{") ? null : value))
    : value;
}
