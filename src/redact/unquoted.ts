/** Values without quotes, whose end depends on the line that they stand in. */
import { bare, MAX_VALUE, matched, type Name, past, trimmed, type Value } from "./literals.ts";
import { isPhrase } from "./made-up.ts";
import { meaningOf } from "./names.ts";
import { isGrouped, type Place } from "./values.ts";

/** A part of a connection string before a name, and a value in one. */
const DSN_PART = /[\w ]=[^;\n"']*;\s?(?:\w+ )?$|;\s?(?:\w+ )?$/;
/** A pair or a host before a name, without a blank, and a value with a number in such a list: `user:ada,password:…`. */
const LIST_PART = /[\w.-][:=][^\s,;:=("'`]{1,80},$/;
const LISTED =
  /(?=[^\s,;(){}"'`]{0,60}\d)(?=[^\s,;(){}"'`]{0,60}[A-Za-z])[^\s,;(){}"'`$]{6,100}(?=[,;)}\s"'`]|$)/y;
const DSN_VALUE = /[^;\n"'`<]{1,300}/y;
/** A word that is all the rest of a line. */
const LONE_WORD = /[a-z]{2,20}(?:-[a-z]{2,20}){0,4}\d{0,6}[ \t]*(?=\r?\n|$)/y;
/** What precedes a name within the braces of another name, as in YAML's `db: {user: ada, password: x}`. */
const IN_BRACES = /[\w"']:[ \t]{0,4}\{[^{}()\n]{0,70}$/;
/** What may stand before a name that starts a line: marks of lists, quotes, differences, line numbers, and commands. */
const LINE_START =
  /^(?:[ \t>*+#$%[-]|\d{1,6}(?:→|[.:|)\t]|(?=[ \t])))*(?:(?:export|set|setenv|declare(?: -\w+)?|local|readonly|ENV|ARG|env|-e|--env|set -\w+|\$env:)[ \t]*)*\\*["']?$/;

/** Words before a name at the start of a line, as in `Admin password: …`. */
const LABEL =
  /(?:^|\n)[ \t>*#-]*(?:[\p{L}']{1,20}[ \t]{1,3}){1,6}$|(?:[ \t]#|\/\/|\/\*|[ \t]--)[ \t]*(?:[\p{L}']{1,20}[ \t]{1,3}){0,4}$/u;

/** True behind a flag whose argument is a pair: `-var db_password=…`, `--set auth.password=…`. */
function isOption(before: string): boolean {
  return /[ \t]-{1,2}[A-Za-z][\w-]{0,20}[ \t]$/.test(before.slice(-24));
}

/** True for a name that starts a line of settings: not one of code. */
export function startsLine(before: string): boolean {
  return (
    LINE_START.test(before.slice(before.lastIndexOf("\n") + 1)) &&
    !/^\s*(?:const|let|var)\b/.test(before.slice(-10))
  );
}

/** True for a name after other words of its line, or within braces as in YAML. */
function isLabelled(before: string): boolean {
  return LABEL.test(before.slice(-60)) || IN_BRACES.test(before);
}

const REST = /[^\n#;"'`]{8,100}(?=\r?\n|$)/y;

/** Several words with a number behind `=`, as files of settings have them without quotes. */
function phraseOfLine(source: string, at: number, operator: string): Value | null {
  const rest = operator === "=" ? matched(REST, source, at)?.[0].trim() : undefined;
  return rest !== undefined && /\d/.test(rest) && /\s/.test(rest) && isPhrase(rest)
    ? { start: at, end: at + rest.length, place: "quoted" }
    : null;
}

/** A value without quotes: to the end of the line in settings, else up to the next mark. */
export function unquoted(name: Name, source: string, at: number, operator: string): Value | null {
  if (/[\r\n]/.test(source[at] ?? "\n")) return null;
  const isTight = operator === "=" && source[at - 1] === "=";
  if (source[name.start - 1] === "-" && operator === "=") return bare(source, at, "flag");
  const before = source.slice(Math.max(0, name.start - 80), name.start);
  if (isTight && DSN_PART.test(before.slice(-40))) return part(source, at);
  if (LIST_PART.test(before) && meaningOf(name.text).kind === "password" && past(LISTED, source, at) > at)
    return bare(source, at, "environment");
  const isConstant = /^[A-Z_][A-Z0-9_]*$/.test(name.text);
  const around = before.slice(-1);
  if (/["'`]/.test(around) && source[name.end] !== around) return upTo(name, source, at);
  const isPassword = meaningOf(name.text).kind === "password";
  if (startsLine(before))
    return (
      phraseOfLine(source, at, operator) ??
      wholeLine(source, at, placeOfLine(name.text, source, at, { operator, isTight, isPassword }))
    );
  return inLine({ before, isTight, isPassword, isConstant }, name.text, source, { at, operator });
}

/** A value without quotes behind a name that other words of its line precede. */
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
  if (isTight && (isParameter || isOption(before))) return bare(source, at, "environment");
  const isVariable = isConstant && (operator === "=" || name.includes("_"));
  return bare(source, at, placeInLine(before, operator, { isVariable, isTight }));
}

/** Where the value of a name is that starts its line. One plain word may be a password in a file of settings. */
function placeOfLine(
  name: string,
  source: string,
  at: number,
  { operator, isTight, isPassword }: { operator: string; isTight: boolean; isPassword: boolean },
): Place {
  if (/^[A-Z_][A-Z0-9_]*$/.test(name) && operator !== ":") return "environment";
  const mayBeWord = isPassword && (isTight || (operator === ":" && name.includes("_")));
  return mayBeWord && past(LONE_WORD, source, at) > at ? "environment" : "setting";
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

/** The value of a part of a connection string, which ends at a semicolon alone. */
function part(source: string, at: number): Value | null {
  const match = matched(DSN_VALUE, source, at);
  // What goes on behind a blank is a sentence about it.
  if (match && /\s[a-z]+\s/.test(match[0])) return bare(source, at, "environment");
  return match ? trimmed(source, at, at + match[0].length, "environment") : null;
}

/** The value of an assignment with quotes around all of it: `"NAME=value"`. */
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

/** The rest of a line, without a comment behind it. */
export function wholeLine(source: string, at: number, place: Place): Value | null {
  const head = source.slice(at, at + MAX_VALUE);
  const length = head.indexOf("\n");
  const line = length < 0 ? head : head.slice(0, length);
  const comment = /\s+(?:#|\/\/)\s.*$|\s+\\?$|\\[nrt"'`].*$|\s*<\/.*$/.exec(line);
  const value = trimmed(source, at, at + (comment ? comment.index : line.length), place);
  if (!value) return null;
  // When other words or pairs follow on the line, the value is the first word.
  const rest = source.slice(value.start, value.end);
  if (isGrouped(rest)) return value;
  const goesOn = /[\s;&|]/.exec(rest);
  const isBody = place !== "environment" && /^[\w.%~+/=-]+&\w+=/.test(rest);
  return goesOn && (isBody || /\s[\w.-]+[=:]|\s(?:&&|\|\||[|>;])|;\s|^\S+\s+[a-z][\w.-]*(?:\s|$)/.test(rest))
    ? (bare(source, at, place) ?? value)
    : value;
}
