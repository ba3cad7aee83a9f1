import {
  bare,
  literal,
  MAX_VALUE,
  markupValue,
  matched,
  type Name,
  past,
  trimmed,
  type Value,
} from "./literals.ts";
import { isCamelPhrase } from "./made-up.ts";
import { isBesideLogin, startsLine, unquoted, wholeLine } from "./unquoted.ts";
import type { Place } from "./values.ts";

/** Words before a name that its value follows at once: `with the password x`. */
const NAMING =
  /(?:[,;/(]|\b(?:with|using|try|use|enter|and|mit|und|dem|als|avec|et|con|y|com|e|met|en))(?: (?:the|my|our|dem|das|le|la|el|il))? $/i;

const BLANKS = /[ \t]{0,40}(?:\*\*|__(?=\s)|\\\r?\n)?[ \t]{0,40}/y;
/** Possible characters around the value of a cell. */
const OPENING = /[ \t]{0,40}["'`*]{0,3}/y;
const LAST_CELL = /[ \t]{0,20}[^\s|│┃║]{5,300}[ \t]*(?=\r?\n|$)/y;

/** Tells whether an offset is after an open `{{`, where a filter follows a name instead of a cell. */
function inTemplate(source: string, at: number): boolean {
  return /\{\{[^}\n]*$/.test(source.slice(Math.max(0, at - 80), at));
}

/** Tells whether a character separates cells. */
function isCellMark(char: string | undefined): boolean {
  return char === "|" || char === "│" || char === "┃" || char === "║";
}

/** Returns the value in the cell that starts at an offset. */
function tableCell(source: string, at: number): Value | null {
  const length = source.slice(at, at + MAX_VALUE).search(/[|│┃║\n]/);
  if (length >= 0 && isCellMark(source[at + length]))
    return trimmed(source, past(OPENING, source, at), at + length, "quoted");
  if (past(LAST_CELL, source, at) > at) return bare(source, past(BLANKS, source, at), "setting");
  return bare(source, past(BLANKS, source, at), "sentence");
}

/** Tells whether a name of several words, or after `#define`, is followed by a quoted value: `storePassword "…"`. */
function isDirective(name: string, start: number, source: string): boolean {
  return /[a-z][A-Z]|\w_\w/.test(name) || /#define[ \t]+$/.test(source.slice(Math.max(0, start - 12), start));
}

const CLOSE =
  /(?:[ \t]\((?:hex|base64|b64|base32|raw|LTK|AES(?:-\d{3})?|[A-Z]{2,5})\)|[ \t]\([^()\n]{1,40}\)(?=:))?%?\\{0,15}["'`]?(?:\\{0,15}["'`]|\*\*)?(?:\[\d{0,5}\])?[\])]?\??[ \t]{0,40}/y;
const OPERATOR =
  /(?:[.·]{3,40}(?=\s)|=>|::?=(?!=)|=(?![=>]|~\s)|=(?==[^=\s"'`])|\?\?=|\|\|=|[+?.]=|:-|::(?=[ \t])|:\??(?!:)|：|\|\||\?\?|\?:|or(?=\s{1,20}["'])|,(?=\s{0,20}\\{0,15}["'])|\((?=\s{0,20}[bBrRuU@]?\\{0,15}["'`])|->(?=\s)|(?<=[ \t])[–—-](?=[ \t]{1,4}[^\s[("'`/-][^\s[("'`/]{5,100}(?:\s|$))|[→⇒]|<<?-(?=\s{0,4}["'])|(?:[=!~]==?|<>)(?=\s{0,4}["'`])|(?:(?:for|of|on|at|to|für|von|zu|de|del|du|do|della|per)[ \t](?:[^\s.,;:]{1,30}[ \t]){1,4}?)?(?:(?:(?:should|must|has to|needs to) be|is|was)(?: now)? set to|is now|is still|(?:use|enter|try|take)(?=[ \t])|is|ist|est|es|é|è|e|er|är|je|este|was|war|era|était|lautet|heißt|equals|set to|to|to be|should be|must be|is now|are)(?=[ \t:]):?|(?:you|we|I|they|that|which)(?:['’]re|['’]ve)?[ \t](?:[\w'’-]{1,14}[ \t]){1,10}?(?:is|was)(?=[ \t:]):?)/y;
/** A type after a name, up to the `=`: `: string =`, `: &'static str =`, `: Optional[str] =`. */
const TYPE =
  /[ \t]{0,8}&?(?:'\w+\s)?[A-Za-z_][\w.:]{0,60}\??(?:<[^<>\n=]{0,60}>|\[[^\]\n=]{0,60}\])?!?(?:\s?\|\s?[\w.]{1,40}){0,4}\s{0,8}=(?=[ \t]+\S|\\{0,15}["'`]|[\w$@([{])/y;
/** A type after a name without a colon, before a string: `pw nvarchar(64) = N'…'`, `v_pw text := '…'`. */
const PLAIN_TYPE =
  /[ \t]{1,4}(?:(?:as|constant)[ \t]{1,4})?[a-z]\w{1,20}(?:[ \t]?\([\w, ]{1,12}\))?[ \t]{0,4}(?::=|=(?!=))[ \t]{0,4}[NE]?(?=\\{0,15}["'])/iy;
/** Possible wrappers of a value: constructors, conversions, string prefixes. */
const WRAPPER =
  /(?:(?:await|new|return|static|const|final)\s{1,4})?(?:(?:[A-Za-z_$][\w$.:!]{0,60}(?:\(\)[\w$.:!]{1,60})?\s?\(\s{0,20}){1,3}|ConvertTo-SecureString\s+(?:-String\s+)?|\[\]byte\(|string\(\d+\)\s|\(\w{0,20}\)\s?=>\s?|[bBrRfFuULN@$]{1,2}|0x[\da-f]{1,16}\s|!!\w+\s+|\(\s{0,20}|\[\s{0,20})(?=\\{0,15}["'`])/y;
/** Operators that only a quoted value may follow. */
const NEEDS_QUOTES = /^(?:[,(o<!~]|\|\|$|\?[?:]$)/;
/** Functions that take the name of a value instead of the value. */
const LOOKUP =
  /query|select|find|get(?!_?bytes)|require|import|transl|\bt\s?\(|i18n|path|join|fetch|read|load|open|element|parse|prompt|ask|input|test|match|error|includes|has|env/i;
/** The first line of a here-document. */
const HEREDOC = /[ \t]{0,8}<<[~-]?["']?\w{1,20}["']?[ \t]*\r?\n[ \t]{0,40}/y;
const NEXT_LINE = /[ \t]{0,20}\r?\n[ \t]{0,60}(?=(?:string\(\d+\)\s)?\\{0,15}["'`])/y;
/** The next item of a YAML list of arguments. */
const NEXT_ITEM = /\r?\n[ \t]{0,40}- (?=["'`]?[^\s-])/y;
/** The first item of a list below a name, as long as a key. */
const FIRST_ITEM = /[ \t]*\r?\n[ \t]{0,40}- (?=["'`]?[^\s"'`:]{16,400}["'`]?[ \t]*(?:\r?\n|$))/y;
/** A value alone on a line below its name, also in a code block. */
const LONE_LINE =
  /[ \t*]{0,20}(?:\r?\n){1,2}(?:[ \t]*```\w*\r?\n)?[ \t]{0,20}(?=[^\s`]{6,200}[ \t]*(?:\r?\n|$))/y;
/** Four groups of four letters, as in app passwords. */
const GROUPS = /(?:[a-z]{4} ){3}[a-z]{4}(?![\w-]| [a-z])/y;
/** A value spelled letter by letter, or byte by byte. */
const SPELLED = /(?:[!-~] ){7,60}[!-~](?=\s|$)|(?:[0-9a-fA-F]{2} ){9,80}[0-9a-fA-F]{2}(?![\w:])/y;
const BLOCK = /[ \t]{0,4}(?:!!\w{1,12}[ \t]{1,4})?[|>][+-]?\d?[ \t]{0,40}\r?\n[ \t]{1,80}/y;
/** The value of a pair whose name is itself a value: `name: X, value: Y`, `key="X" value="Y"`, `<string>`. */
const PAIR_VALUE =
  /\\{0,15}["'`]?[ \t]{0,8}(?:,|;|:?[ \t]{0,4}\r?\n|:?[ \t]{0,4}\{[^{}]{0,120}?)?[\s{-]{0,60}\\{0,15}["'`]?(?:\w{1,12}:)?(?:value|Value|val|default|string_value|secretString|SecretString|ParameterValue)\\{0,15}["'`]?[ \t]{0,8}[:=]>?[ \t]{0,8}/y;
/** The result of a check, and the commit, branch or path that may follow it: "PASS (`feat/a23136d`)". */
const RESULT = /^P(?:ASS|ass)$/;
const COMMIT = /^[(["'`]{0,3}(?:(?:[\w.-]{1,40}\/){1,5}[\w.-]{1,40}|[\da-f]{7,40})[)\]"'`]{0,3}$/;

/** Returns the range of the value of a name; null when none follows. */
export function announcedValue({ text: name, start, end }: Name, source: string): Value | null {
  const closed = past(CLOSE, source, end);
  const markup = markupValue(source, { start, end }, closed);
  if (markup !== undefined) return markup;
  const pair = past(PAIR_VALUE, source, end);
  const isConstant = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(name);
  if (pair > end) return literal(source, pair) ?? bare(source, pair, isConstant ? "environment" : "setting");
  const typed = past(PLAIN_TYPE, source, end);
  if (typed > end) return literal(source, typed);
  const operator = matched(OPERATOR, source, closed)?.[0];
  // An action, as in `Pass to …`.
  if (operator === "to" && /^pass$/i.test(name)) return null;
  const value =
    operator === undefined
      ? withoutOperator({ text: name, start, end }, source, closed)
      : behindOperator({ text: name, start, end }, source, closed + operator.length, operator);
  const isResult = (operator === undefined || operator === "(") && RESULT.test(name);
  return isResult && value !== null && COMMIT.test(source.slice(value.start, value.end)) ? null : value;
}

function behindOperator(name: Name, source: string, from: number, operator: string): Value | null {
  if (operator === "," && !/["'`]-{0,2}$/.test(source.slice(Math.max(0, name.start - 3), name.start)))
    return null;
  const typed = operator.startsWith(":") ? past(TYPE, source, from) : from;
  const block = blockValue(source, typed, operator);
  if (block !== null) return block;
  const at = past(BLANKS, source, typed);
  return loneValue(source, at, operator) ?? inlineValue(name, source, past(NEXT_LINE, source, at), operator);
}

/** Returns a value on separate lines, as in YAML's `password: |` and a shell's `<<EOF`. */
function blockValue(source: string, at: number, operator: string): Value | null {
  const block = operator === ":" ? past(BLOCK, source, at) : at;
  const start = block > at ? block : past(HEREDOC, source, at);
  const line = start > at ? wholeLine(source, start, "environment") : null;
  return line && block > at ? { ...line, isBlock: true } : line;
}

/** Returns a value with a telling form or position: four groups of letters, or alone on the next line. */
function loneValue(source: string, at: number, operator: string): Value | null {
  const groups = Math.max(past(GROUPS, source, at), past(SPELLED, source, at));
  if (groups > at) return { start: at, end: groups, place: "quoted" };
  const item = operator === ":" ? past(FIRST_ITEM, source, at) : at;
  if (item > at) return literal(source, item) ?? bare(source, item, "setting");
  const lone = operator === ":" ? past(LONE_LINE, source, at) : at;
  return lone > at && !/["'`]/.test(source[lone] ?? "") ? bare(source, lone, "sentence") : null;
}

const COMPARES = /^(?:[=!~]=|<>)/;
/** Places of unquoted values by operator; null for operators that require quotes. */
const BEHIND: readonly (readonly [operator: RegExp, place: Place | null])[] = [
  [/^(?:->|→|⇒|[–—-])$/, "sentence"],
  [NEEDS_QUOTES, null],
  [/^to$/, "sentence"],
  [/^[a-zéèI]/, "statement"],
  [/^:-$/, "environment"],
];

/** A YAML variable before its default value. */
const FALLBACK = /!env_var[ \t]+\w{1,60}[ \t]+/y;

/** Returns a quoted value, possibly wrapped in a call, or an unquoted one. */
function inlineValue(name: Name, source: string, at: number, operator: string): Value | null {
  const inside = past(WRAPPER, source, at);
  if (inside > at && LOOKUP.test(source.slice(at, inside))) return null;
  const quoted = literal(source, inside);
  if (quoted && source[name.start - 1] === "-" && operator === "=") return { ...quoted, place: "flag" };
  if (quoted)
    return COMPARES.test(operator) && !isCamelPhrase(source.slice(quoted.start, quoted.end))
      ? { ...quoted, place: "statement" }
      : quoted;
  const known = BEHIND.find(([form]) => form.test(operator));
  if (known === undefined) return unquoted(name, source, past(FALLBACK, source, at), operator);
  const [, place] = known;
  return place === null ? null : bare(source, at, place);
}

/** Returns a value after a name and blanks: of a flag, of a command, or in a sentence. */
function withoutOperator({ text, start, end }: Name, source: string, at: number): Value | null {
  const hasBlanks = at > end && /[ \t]/.test(source[at - 1] ?? "");
  // In `` `--pwd` ``, the flag is only mentioned, and a sentence follows.
  const isNamed = source[end] === "`";
  if (source[start - 1] === "-") return flagValue(source, at, hasBlanks, isNamed ? "sentence" : "flag");
  if (source[end] === "|" && /^[A-Z][A-Z\d]*_[A-Z\d_]+$|^(?:PASS|PASSWORD|PW|PWD|TOKEN|SECRET)$/.test(text))
    return bare(source, end + 1, "code");
  if (!hasBlanks) return null;
  const from = past(BLANKS, source, at);
  const quoted = literal(source, from);
  if (quoted) return { ...quoted, place: placeOfQuoted({ text, start, end }, source, quoted) };
  if (isCellMark(source[from]))
    return isWholeCell(source, { start, end }, at) ? tableCell(source, from + 1) : null;
  return behindBlanks({ text, start, end }, source, from);
}

/** Returns a value that only blanks separate from its name. */
function behindBlanks({ text, start, end }: Name, source: string, from: number): Value | null {
  if (/^(?:requirepass|masterauth|authtoken|rocommunity|rwcommunity)$/i.test(text))
    return bare(source, from, "flag");
  if (SETS.test(source.slice(Math.max(0, start - 24), start))) return wholeLine(source, from, "environment");
  const cell = past(COLUMN, source, end);
  const isFirst = startsLine(source.slice(Math.max(0, start - 80), start));
  if (isFirst && cell > end) return bare(source, cell, "setting");
  if (/\b(?:[Uu]ser(?:name)?|[Ll]ogin) [\w.@+-]{2,40} $/.test(source.slice(Math.max(0, start - 60), start)))
    return bare(source, from, "environment");
  if (isFirst && isBesideLogin(source, start, from)) return bare(source, from, "environment");
  if (isFirst && past(LAST_WORD, source, from) > from) return bare(source, from, "statement");
  const before = source.slice(Math.max(0, start - 24), start);
  return bare(source, from, !/^pass$/i.test(text) && NAMING.test(before) ? "statement" : "sentence");
}

/**
 * Tells whether a cell is complete. False for a name in a template, for a quoted word, as types list them, and for the last
 * bracketed argument in a row of calls.
 */
function isWholeCell(source: string, { start, end }: Pick<Name, "start" | "end">, at: number): boolean {
  const behind = source.slice(end, at);
  return !inTemplate(source, start) && !/^['"]|^[^([]*[)\]]/.test(behind);
}

/** A command that sets the variable after it. */
const SETS = /(?:^|\n)[\s>$]*(?:ENV|ARG|setx|setenv|set -[a-zA-Z]+)\s+$/;

/** Blanks before the last word of a line, as between columns of a listing. */
const COLUMN =
  /[ \t]{2,40}(?=[^\s|│()]{5,300}[ \t]*(?:\r?\n|$))|\t{1,4}(?=[^\s|│()]{5,300}[ \t]*(?:\r?\n|$))/y;

const LAST_WORD = /[^\s|│"'`]{5,100}[ \t]*(?=\r?\n|$)/y;

/** Returns the place of a quoted value. A phrase with a number is a value; other text may be part of a sentence. */
function placeOfQuoted(name: Name, source: string, { start, end }: Value): Place {
  const value = source.slice(start, end);
  const isPhrase = /\s/.test(value) && /\d/.test(value);
  return isPhrase || isDirective(name.text, name.start, source) ? "quoted" : "statement";
}

/** The description of a flag in a program's help, after blanks. */
const HELP = /(?<=[ \t]{2})[A-Za-z][a-z]*[ \t]+[A-Za-z(<[]/y;

/** Returns a value after a flag: in the next item of a list, or after blanks. */
function flagValue(source: string, at: number, hasBlanks: boolean, place: Place): Value | null {
  const item = past(NEXT_ITEM, source, at);
  if (item > at) return literal(source, item) ?? bare(source, item, place);
  if (!hasBlanks || past(HELP, source, at) > at) return null;
  const from = past(BLANKS, source, at);
  const quoted = literal(source, from);
  if (quoted) return { ...quoted, place: "flag" };
  if (isCellMark(source[from])) return tableCell(source, from + 1);
  return source[from] === "-" ? null : bare(source, from, place);
}
