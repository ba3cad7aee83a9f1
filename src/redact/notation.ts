import { isPhrase } from "./made-up.ts";
import { meaningOf } from "./names.ts";
import { isGrouped, isSpoken, type Place } from "./values.ts";

/** A value that a name announces: where it is, and how it is written. */
interface Value {
  start: number;
  end: number;
  place: Place;
  /** It is the first line of a block. */
  isBlock?: boolean;
}

/** The longest value that is judged. What is taken out may be longer. */
const MAX_VALUE = 600;

const QUOTE = /\\*(?:"""|'''|["'`])/y;
const BARE = /(?:\[redacted:[\w-]{1,30}\]|[^\s"'`,;&|()[\]{}<>\\]|\\(?![nrtu"'`\\])){1,600}/y;
/** A `<` or `>` may be a part of it, but no tag. */
const WORD =
  /(?:[^\s"'`<>]|(?<=\w)<(?![\w/!])|(?<=[\w!-/:-@])>(?=[\w!-/]))(?:[^\s"'`<>]|<(?![\w/!])|>(?=[\w!-/])){0,600}/y;

/** Returns the inside of a string literal. A literal without an end goes to the end of its line. */
function literal(source: string, at: number): Value | null {
  const quote = matched(QUOTE, source, at)?.[0];
  if (quote === undefined) return null;
  const start = at + quote.length;
  const mark = quote.replace(/^\\+/, "");
  const escapes = quote.length - mark.length;
  const limit = Math.min(source.length, start + 4_000);
  const isLong = mark.length === 3 || mark === "`";
  for (let i = start; i < limit; i++) {
    const char = source[i];
    if (char === "\n" && !isLong) return { start, end: i, place: "quoted" };
    if (char !== mark[0] || !source.startsWith(mark, i)) continue;
    const before = backslashesBefore(source, i, start);
    if (before > escapes || (before > 0 && before < escapes)) continue;
    return { start, end: i - before, place: "quoted" };
  }
  return { start, end: limit, place: "quoted" };
}

function backslashesBefore(source: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && source[at - count - 1] === "\\") count++;
  return count;
}

/** Returns the value without quotes that starts at a position. */
function bare(source: string, at: number, place: Place): Value | null {
  const match = matched(isSpoken(place) ? WORD : BARE, source, at);
  return match ? trimmed(source, at, at + match[0].length, place) : null;
}

/** A value without the blanks and quotes around it, and in a sentence without its full stop; null when nothing is left. */
function trimmed(source: string, from: number, to: number, place: Place): Value | null {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(source[start] ?? "")) start++;
  while (end > start && /[\s,;"'`]/.test(source[end - 1] ?? "")) end--;
  if (isSpoken(place) || place === "code") while (end > start && /[.!?:]/.test(source[end - 1] ?? "")) end--;
  return end > start ? { start, end, place } : null;
}

/** Matches a sticky pattern at a position. */
function matched(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** Returns the end of a match; the position itself when the sticky pattern does not match. */
function past(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

/** What precedes a name within the braces of another name, as in YAML's `db: {user: ada, password: x}`. */
const IN_BRACES = /[\w"']:[ \t]{0,4}\{[^{}()\n]{0,70}$/;
/** What may stand before a name that starts a line: marks of lists, quotes, differences, line numbers, and commands. */
const LINE_START =
  /^(?:[ \t>*+#$%[-]|\d{1,6}(?:→|[.:|)\t]|(?=[ \t])))*(?:(?:export|set|setenv|declare(?: -\w+)?|local|readonly|ENV|ARG|env|-e|--env|set -\w+|\$env:)[ \t]*)*\\*["']?$/;

/** Words before a name at the start of a line, as in `Admin password: …`. */
const LABEL =
  /(?:^|\n)[ \t>*#-]*(?:[\p{L}']{1,20}[ \t]{1,3}){1,6}$|(?:[ \t]#|\/\/|\/\*|[ \t]--)[ \t]*(?:[\p{L}']{1,20}[ \t]{1,3}){0,4}$/u;

/** Words before a name that its value follows at once: `with the password x`. */
const NAMING =
  /(?:[,;/(]|\b(?:with|using|try|use|enter|and|mit|und|dem|als|avec|et|con|y|com|e|met|en))(?: (?:the|my|our|dem|das|le|la|el|il))? $/i;

/** True behind a flag whose argument is a pair: `-var db_password=…`, `--set auth.password=…`. */
function isOption(before: string): boolean {
  return /[ \t]-{1,2}[A-Za-z][\w-]{0,20}[ \t]$/.test(before.slice(-24));
}

/** True for a name that starts a line of settings: not one of code. */
function startsLine(before: string): boolean {
  return (
    LINE_START.test(before.slice(before.lastIndexOf("\n") + 1)) &&
    !/^\s*(?:const|let|var)\b/.test(before.slice(-10))
  );
}

/** True for a name after other words of its line, or within braces as in YAML. */
function isLabelled(before: string): boolean {
  return LABEL.test(before.slice(-60)) || IN_BRACES.test(before);
}

const BLANKS = /[ \t]{0,40}(?:\*\*|__(?=\s)|\\\r?\n)?[ \t]{0,40}/y;
/** What may stand around the value of a cell. */
const OPENING = /[ \t]{0,40}["'`*]{0,3}/y;
const LAST_CELL = /[ \t]{0,20}[^\s|│┃║]{5,300}[ \t]*(?=\r?\n|$)/y;

/** True behind an open `{{`: what follows a name there is a filter, not a cell. */
function inTemplate(source: string, at: number): boolean {
  return /\{\{[^}\n]*$/.test(source.slice(Math.max(0, at - 80), at));
}

/** True for a mark between cells. */
function isCellMark(char: string | undefined): boolean {
  return char === "|" || char === "│" || char === "┃" || char === "║";
}

/** The value in the cell that starts at a place. */
function tableCell(source: string, at: number): Value | null {
  const length = source.slice(at, at + MAX_VALUE).search(/[|│┃║\n]/);
  if (length >= 0 && isCellMark(source[at + length]))
    return trimmed(source, past(OPENING, source, at), at + length, "quoted");
  if (past(LAST_CELL, source, at) > at) return bare(source, past(BLANKS, source, at), "setting");
  return bare(source, past(BLANKS, source, at), "sentence");
}

const REST = /[^\n#;"'`]{8,100}(?=\r?\n|$)/y;

/** Several words with a number behind `=`, as files of settings have them without quotes. */
function phraseOfLine(source: string, at: number, operator: string): Value | null {
  const rest = operator === "=" ? matched(REST, source, at)?.[0].trim() : undefined;
  return rest !== undefined && /\d/.test(rest) && /\s/.test(rest) && isPhrase(rest)
    ? { start: at, end: at + rest.length, place: "quoted" }
    : null;
}

/** True for a name of several words, or one behind `#define`, that a value in quotes follows: `storePassword "…"`. */
function isDirective(name: string, start: number, source: string): boolean {
  return /[a-z][A-Z]|\w_\w/.test(name) || /#define[ \t]+$/.test(source.slice(Math.max(0, start - 12), start));
}

/** The next cell or element behind one that holds the name: `<td>Password</td><td>…`. */
const HTML_VALUE =
  /[ \t]?[:：]?[ \t]?<\/(?:td|dt|label|b|strong|span|em|i|code|div|p|a|h\d)>[ \t]{0,4}[:：]?\s{0,40}(?:<(?:td|dd|span|code|div|p|b|kbd|pre|samp|strong)(?:\s[^<>\n]{0,80})?>\s{0,20}){0,3}([^<>\s]{5,300})(?=\s{0,20}(?:<|$|\n))/y;
const XML_VALUE = /<\/(?:key|name|Name|Key)>\s{0,60}<(?:string|value|Value|data)>([^<>\n]{1,600})/y;

/** The text of an element whose attribute is the name. */
const ATTRIBUTE_TEXT =
  /["'](?:\s[\w:-]{1,30}=["'][^"'<>\n]{0,60}["']){0,3}\s?>\s{0,20}(?:<[vV]alue>\s{0,20})?([^<>\n]{5,600})(?=<\/)/y;

const TAG_TEXT = /\s{0,20}(?:<[vV]alue>\s{0,20})?(?:<!\[CDATA\[)?([^<>\n]{1,600})/y;

interface ElementPlace {
  start: number;
  end: number;
}

/**
 * The value of a name in XML or HTML: the text of an element, or of the next one; `closed` is behind the marks that close the name.
 * Undefined where no markup stands; null where an element has no text.
 */
function markupValue(source: string, { start, end }: ElementPlace, closed: number): Value | null | undefined {
  const tag = source[start - 1] === "<" || source[start - 1] === ":" || source.startsWith("</", closed);
  if (tag && source[end] === ">") return tagText(source, end + 1);
  return nextElement(source, end) ?? attributeText(source, { start, end });
}

/** A quick check: a tag follows the name at once. */
function closesSoon(source: string, end: number): boolean {
  for (let at = end; at < end + 5; at++) if (source[at] === "<") return true;
  return false;
}

function nextElement(source: string, end: number): Value | undefined {
  if (!closesSoon(source, end)) return undefined;
  const xml = matched(XML_VALUE, source, end)?.[1];
  if (xml !== undefined)
    return { start: XML_VALUE.lastIndex - xml.length, end: XML_VALUE.lastIndex, place: "quoted" };
  const html = matched(HTML_VALUE, source, end)?.[1];
  return html === undefined
    ? undefined
    : { start: HTML_VALUE.lastIndex - html.length, end: HTML_VALUE.lastIndex, place: "setting" };
}

function attributeText(source: string, { start, end }: ElementPlace): Value | undefined {
  if (!/(?:key|name|id)=["']$/i.test(source.slice(Math.max(0, start - 6), start))) return undefined;
  const text = matched(ATTRIBUTE_TEXT, source, end)?.[1];
  if (text === undefined) return undefined;
  const { lastIndex } = ATTRIBUTE_TEXT;
  return { start: lastIndex - text.length, end: lastIndex, place: /\d/.test(text) ? "quoted" : "setting" };
}

/** The text of an element that starts at a place. */
function tagText(source: string, at: number): Value | null {
  const match = matched(TAG_TEXT, source, at);
  if (!match) return null;
  const end = at + match[0].length;
  const closes = source.startsWith("</", end) || source.startsWith("]]>", end);
  const place = closes || /^\s*\n\s*<\//.test(source.slice(end, end + 40)) ? "quoted" : "code";
  return trimmed(source, end - (match[1]?.length ?? 0), end, place);
}

const CLOSE =
  /(?:[ \t]\((?:hex|base64|b64|base32|raw|LTK|AES(?:-\d{3})?|[A-Z]{2,5})\)|[ \t]\([^()\n]{1,40}\)(?=:))?%?\\*["'`]?(?:\\*["'`]|\*\*)?(?:\[\d{0,5}\])?[\])]?\??[ \t]{0,40}/y;
const OPERATOR =
  /(?:=>|::?=(?!=)|=(?![=>]|~\s)|=(?==[^=\s"'`])|\?\?=|\|\|=|[+?.]=|:-|::(?=[ \t])|:\??(?!:)|：|\|\||\?\?|\?:|or(?=\s{1,20}["'])|,(?=\s{0,20}\\*["'])|\((?=\s{0,20}[bBrRuU@]?\\*["'`])|->(?=\s)|(?<=[ \t])[–—-](?=[ \t]{1,4}[^\s[("'`/-][^\s[("'`/]{5,100}(?:\s|$))|[→⇒]|<<?-(?=\s{0,4}["'])|(?:[=!~]==?|<>)(?=\s{0,4}["'`])|(?:(?:for|of|on|at|für|von|zu|de|del|du|do|della|per)[ \t](?:[^\s.,;:]{1,30}[ \t]){1,4}?)?(?:(?:(?:should|must|has to|needs to) be|is|was)(?: now)? set to|is now|is still|(?:use|enter|try|take)(?=[ \t])|is|ist|est|es|é|è|e|er|är|je|este|was|war|era|était|lautet|heißt|equals|set to|to|to be|should be|must be|is now|are)(?=[ \t:]):?|(?:you|we|I|they|that|which)(?:['’]re|['’]ve)?[ \t](?:[\w'’-]{1,14}[ \t]){1,10}?(?:is|was)(?=[ \t:]):?)/y;
/** A type behind a name, up to the `=`: `: string =`, `: &'static str =`, `: Optional[str] =`. */
const TYPE =
  /[ \t]{0,8}&?(?:'\w+\s)?[A-Za-z_][\w.:]{0,60}\??(?:<[^<>\n=]{0,60}>|\[[^\]\n=]{0,60}\])?!?(?:\s?\|\s?[\w.]{1,40}){0,4}\s{0,8}=(?=[ \t]+\S|\\*["'`]|[\w$@([{])/y;
/** A type behind a name without a colon, before a string: `pw nvarchar(64) = N'…'`, `v_pw text := '…'`. */
const PLAIN_TYPE =
  /[ \t]{1,4}(?:(?:as|constant)[ \t]{1,4})?[a-z]\w{1,20}(?:[ \t]?\([\w, ]{1,12}\))?[ \t]{0,4}(?::=|=(?!=))[ \t]{0,4}[NE]?(?=\\*["'])/iy;
/** What a value may be wrapped in: constructors, conversions, prefixes of strings. */
const WRAPPER =
  /(?:(?:await|new|return|static|const|final)\s{1,4})?(?:(?:[A-Za-z_$][\w$.:!]{0,60}(?:\(\)[\w$.:!]{1,60})?\s?\(\s{0,20}){1,3}|ConvertTo-SecureString\s+(?:-String\s+)?|\[\]byte\(|string\(\d+\)\s|\(\w{0,20}\)\s?=>\s?|[bBrRfFuULN@$]{1,2}|!!\w+\s+|\(\s{0,20}|\[\s{0,20})(?=\\*["'`])/y;
/** Operators that only a value in quotes may follow. */
const NEEDS_QUOTES = /^(?:[,(o<!~]|\|\|$|\?[?:]$)/;
/** Functions that are given the name of a value, not the value. */
const LOOKUP =
  /query|select|find|get(?!_?bytes)|require|import|transl|\bt\s?\(|i18n|path|join|fetch|read|load|open|element|parse|prompt|ask|input|test|match|error|includes|has|env/i;
/** The first line of a text that goes on to a word of its own. */
const HEREDOC = /[ \t]{0,8}<<[~-]?["']?\w{1,20}["']?[ \t]*\r?\n[ \t]{0,40}/y;
const NEXT_LINE = /[ \t]{0,20}\r?\n[ \t]{0,60}(?=(?:string\(\d+\)\s)?\\*["'`])/y;
/** The next item of a list of arguments, as YAML has it. */
const NEXT_ITEM = /\r?\n[ \t]{0,40}- (?=["'`]?[^\s-])/y;
/** The first item of a list below a name, as long as a key. */
const FIRST_ITEM = /[ \t]*\r?\n[ \t]{0,40}- (?=["'`]?[^\s"'`:]{16,400}["'`]?[ \t]*(?:\r?\n|$))/y;
/** A value that stands alone on a line below its name, in a block of code too. */
const LONE_LINE =
  /[ \t*]{0,20}(?:\r?\n){1,2}(?:[ \t]*```\w*\r?\n)?[ \t]{0,20}(?=[^\s`]{6,200}[ \t]*(?:\r?\n|$))/y;
/** Four groups of four letters, as passwords of apps are written. */
const GROUPS = /(?:[a-z]{4} ){3}[a-z]{4}(?![\w-]| [a-z])/y;
/** A value that is written letter by letter, or byte by byte. */
const SPELLED = /(?:[!-~] ){7,60}[!-~](?=\s|$)|(?:[0-9a-fA-F]{2} ){9,80}[0-9a-fA-F]{2}(?![\w:])/y;
const BLOCK = /[ \t]{0,4}(?:!!\w{1,12}[ \t]{1,4})?[|>][+-]?\d?[ \t]{0,40}\r?\n[ \t]{1,80}/y;
/** A word that is all the rest of a line. */
const LONE_WORD = /[a-z]{2,20}(?:-[a-z]{2,20}){0,4}\d{0,6}[ \t]*(?=\r?\n|$)/y;
/** A part of a connection string before a name, and a value in one. */
const DSN_PART = /[\w ]=[^;\n"']*;\s?(?:\w+ )?$|;\s?(?:\w+ )?$/;
/** A pair or a host before a name, without a blank, and a value with a number in such a list: `user:ada,password:…`. */
const LIST_PART = /[\w.-][:=][^\s,;:=("'`]{1,80},$/;
const LISTED =
  /(?=[^\s,;(){}"'`]{0,60}\d)(?=[^\s,;(){}"'`]{0,60}[A-Za-z])[^\s,;(){}"'`$]{6,100}(?=[,;)}\s"'`]|$)/y;
const DSN_VALUE = /[^;\n"'`<]{1,300}/y;
/** The value of a pair whose name is a value itself: `name: X, value: Y`, `key="X" value="Y"`, `<string>`. */
const PAIR_VALUE =
  /\\*["'`]?[ \t]{0,8}(?:,|;|:?[ \t]{0,4}\r?\n|:?[ \t]{0,4}\{[^{}]{0,120}?)?[\s{-]{0,60}\\*["'`]?(?:value|Value|val|default|string_value|secretString|SecretString|ParameterValue)\\*["'`]?[ \t]{0,8}[:=]>?[ \t]{0,8}/y;
interface Name {
  text: string;
  start: number;
  end: number;
}

/** Where the value of a name is; null when none follows. */
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
  // A thing to do, as in `Pass to …`.
  if (operator === "to" && /^pass$/i.test(name)) return null;
  if (operator === undefined) return withoutOperator({ text: name, start, end }, source, closed);
  return behindOperator({ text: name, start, end }, source, closed + operator.length, operator);
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

/** A value on lines of its own, as in YAML's `password: |` and a shell's `<<EOF`. */
function blockValue(source: string, at: number, operator: string): Value | null {
  const block = operator === ":" ? past(BLOCK, source, at) : at;
  const start = block > at ? block : past(HEREDOC, source, at);
  const line = start > at ? wholeLine(source, start, "environment") : null;
  return line && block > at ? { ...line, isBlock: true } : line;
}

/** A value with a telling form or position: four groups of letters, or alone on the next line. */
function loneValue(source: string, at: number, operator: string): Value | null {
  const groups = Math.max(past(GROUPS, source, at), past(SPELLED, source, at));
  if (groups > at) return { start: at, end: groups, place: "quoted" };
  const item = operator === ":" ? past(FIRST_ITEM, source, at) : at;
  if (item > at) return literal(source, item) ?? bare(source, item, "setting");
  const lone = operator === ":" ? past(LONE_LINE, source, at) : at;
  return lone > at && !/["'`]/.test(source[lone] ?? "") ? bare(source, lone, "sentence") : null;
}

const COMPARES = /^(?:[=!~]=|<>)/;
/** How a value without quotes is read after an operator; null where it must have quotes. */
const BEHIND: readonly (readonly [operator: RegExp, place: Place | null])[] = [
  [/^(?:->|→|⇒|[–—-])$/, "sentence"],
  [NEEDS_QUOTES, null],
  [/^to$/, "sentence"],
  [/^[a-zéèI]/, "statement"],
  [/^:-$/, "environment"],
];

/** A value in quotes, which may be wrapped in a call, or without. */
function inlineValue(name: Name, source: string, at: number, operator: string): Value | null {
  const inside = past(WRAPPER, source, at);
  if (inside > at && LOOKUP.test(source.slice(at, inside))) return null;
  const quoted = literal(source, inside);
  if (quoted) return COMPARES.test(operator) ? { ...quoted, place: "sentence" } : quoted;
  const known = BEHIND.find(([form]) => form.test(operator));
  if (known === undefined) return unquoted(name, source, at, operator);
  const [, place] = known;
  return place === null ? null : bare(source, at, place);
}

/** A value without quotes: to the end of the line in settings, else up to the next mark. */
function unquoted(name: Name, source: string, at: number, operator: string): Value | null {
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

/** A value behind a name and blanks alone: of a flag, of a command, or in a sentence. */
function withoutOperator({ text, start, end }: Name, source: string, at: number): Value | null {
  const hasBlanks = at > end && /[ \t]/.test(source[at - 1] ?? "");
  // In `--pwd` the flag is named, and what follows is a sentence.
  const isNamed = source[end] === "`";
  if (source[start - 1] === "-") return flagValue(source, at, hasBlanks, isNamed ? "sentence" : "flag");
  if (!hasBlanks) return null;
  const from = past(BLANKS, source, at);
  const quoted = literal(source, from);
  if (quoted) return { ...quoted, place: placeOfQuoted({ text, start, end }, source, quoted) };
  if (isCellMark(source[from]))
    return isWholeCell(source, { start, end }, at) ? tableCell(source, from + 1) : null;
  if (/^(?:requirepass|masterauth|authtoken|rocommunity|rwcommunity)$/i.test(text))
    return bare(source, from, "flag");
  const cell = past(COLUMN, source, end);
  const isFirst = startsLine(source.slice(Math.max(0, start - 80), start));
  if (isFirst && cell > end) return bare(source, cell, "setting");
  if (isFirst && past(LAST_WORD, source, from) > from) return bare(source, from, "statement");
  return behindBlanks({ text, start, end }, source, from);
}

/**
 * False for a name in a template, for a word in quotes, as types list them, and for one in brackets that close behind it: the last
 * argument of a call in a row of calls.
 */
function isWholeCell(source: string, { start, end }: Pick<Name, "start" | "end">, at: number): boolean {
  const behind = source.slice(end, at);
  return !inTemplate(source, start) && !/^['"]|^[^([]*[)\]]/.test(behind);
}

/** A word that follows a name at once. */
function behindBlanks({ text, start }: Name, source: string, from: number): Value | null {
  const before = source.slice(Math.max(0, start - 24), start);
  if (/(?:^|\n)\s*(?:ENV|ARG|setx|setenv|set -[a-zA-Z]+)\s+$/.test(before))
    return wholeLine(source, from, "environment");
  return bare(source, from, !/^pass$/i.test(text) && NAMING.test(before) ? "statement" : "sentence");
}

/** Blanks before the last word of a line, as between the columns of what a program lists. */
const COLUMN =
  /[ \t]{2,40}(?=[^\s|│()]{5,300}[ \t]*(?:\r?\n|$))|\t{1,4}(?=[^\s|│()]{5,300}[ \t]*(?:\r?\n|$))/y;

const LAST_WORD = /[^\s|│"'`]{5,100}[ \t]*(?=\r?\n|$)/y;

/** A phrase with a number in quotes is a value; another text may be a part of a sentence. */
function placeOfQuoted(name: Name, source: string, { start, end }: Value): Place {
  const value = source.slice(start, end);
  const isPhrase = /\s/.test(value) && /\d/.test(value);
  return isPhrase || isDirective(name.text, name.start, source) ? "quoted" : "statement";
}

/** What a flag is for, in the text that a program prints of its flags; blanks precede it. */
const HELP = /(?<=[ \t]{2})[A-Za-z][a-z]*[ \t]+[A-Za-z(<[]/y;

/** A value behind a flag: in the next item of a list, or behind blanks. */
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
function wholeLine(source: string, at: number, place: Place): Value | null {
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
