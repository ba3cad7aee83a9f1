import { isSpoken, type Place } from "./values.ts";

/** An announced value, with its range and notation. */
export interface Value {
  start: number;
  end: number;
  place: Place;
  /** True for the first line of a block. */
  isBlock?: boolean;
}

/** Maximum length of a value to judge. A removed value may be longer. */
export const MAX_VALUE = 600;

const QUOTE = /\\{0,15}(?:"""|'''|["'`])/y;
const BARE = /(?:\[redacted:[\w-]{1,30}\]|[^\s"'`,;&|()[\]{}<>\\]|\\(?![nrtu"'`\\])){1,600}/y;
/** A word, which may contain `<` or `>`, but no tag. */
const WORD =
  /(?:[^\s"'`<>]|(?<=\w)<(?![\w/!])|(?<=[\w!-/:-@])>(?=[\w!-/]))(?:[^\s"'`<>]|<(?![\w/!])|>(?=[\w!-/])){0,600}/y;

/** Returns the inside of a string literal. An unclosed literal ends with its line. */
export function literal(source: string, at: number): Value | null {
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

/** Returns the unquoted value at an offset. */
export function bare(source: string, at: number, place: Place): Value | null {
  const match = matched(isSpoken(place) ? WORD : BARE, source, at);
  return match ? trimmed(source, at, at + match[0].length, place) : null;
}

/** Returns a value without surrounding blanks and quotes and, in a sentence, without its full stop; null when nothing is left. */
export function trimmed(source: string, from: number, to: number, place: Place): Value | null {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(source[start] ?? "")) start++;
  while (end > start && /[\s,;"'`]/.test(source[end - 1] ?? "")) end--;
  if (isSpoken(place) || place === "code") while (end > start && /[.!?:]/.test(source[end - 1] ?? "")) end--;
  return end > start ? { start, end, place } : null;
}

/** Matches a sticky pattern at an offset. */
export function matched(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** Returns the end of a match; the offset itself when the sticky pattern does not match. */
export function past(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

/** A name with its range. */
export interface Name {
  text: string;
  start: number;
  end: number;
}

/** The next cell or element after one with the name: `<td>Password</td><td>…`. */
const HTML_VALUE =
  /[ \t]?[:：]?[ \t]?<\/(?:td|dt|label|b|strong|span|em|i|code|div|p|a|h\d)>[ \t]{0,4}[:：]?\s{0,40}(?:<(?:td|dd|span|code|div|p|b|kbd|pre|samp|strong)(?:\s[^<>\n]{0,80})?>\s{0,20}){0,3}([^<>\s]{5,300})(?=\s{0,20}(?:<|$|\n))/y;
const XML_VALUE =
  /<\/(?:key|name|Name|Key)>\s{0,60}<(?:string|value|Value|data)(?:\s[^<>\n]{0,60})?>([^<>\n]{1,600})/y;

/** The text of an element with the name as an attribute. */
const ATTRIBUTE_TEXT =
  /["'](?:\s[\w:-]{1,30}=["'][^"'<>\n]{0,60}["']){0,3}\s?>\s{0,20}(?:<[vV]alue>\s{0,20})?([^<>\n]{5,600})(?=<\/)/y;

const TAG_TEXT =
  /(?:\s[\w:-]{1,30}=["'][^"'<>\n]{0,90}["']){0,3}>\s{0,20}(?:<[vV]alue>\s{0,20})?(?:<!\[CDATA\[)?((?:(?!\]\]>)[^<>\n]){1,600})/y;

interface ElementPlace {
  start: number;
  end: number;
}

/**
 * Returns the value of a name in XML or HTML: the text of its element, or of the next one; `closed` is the offset after the
 * name's closing characters. Undefined without markup; null for an element without text.
 */
export function markupValue(
  source: string,
  { start, end }: ElementPlace,
  closed: number,
): Value | null | undefined {
  const tag = source[start - 1] === "<" || source[start - 1] === ":" || source.startsWith("</", closed);
  if (tag && (source[end] === ">" || source[end] === " ")) {
    const text = tagText(source, end);
    if (text || source[end] === ">") return text;
  }
  return nextElement(source, end) ?? attributeText(source, { start, end });
}

/** Tells quickly whether a tag follows the name at once. */
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

/** Returns the text of an element that starts at an offset. */
function tagText(source: string, at: number): Value | null {
  const match = matched(TAG_TEXT, source, at);
  if (!match) return null;
  const end = at + match[0].length;
  const closes = source.startsWith("</", end) || source.startsWith("]]>", end);
  const place = closes || /^\s*\n\s*<\//.test(source.slice(end, end + 40)) ? "quoted" : "code";
  return trimmed(source, end - (match[1]?.length ?? 0), end, place);
}
