import { type Finder, finder, type Secret } from "./finder.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

/** Cookies that count visits or store a preference. */
const HARMLESS =
  /^_{0,2}(?:ga|gid|gat|gcl|fbp|fbc|hj|utm|clck|clsk|uetsid|uetvid|mkto|ajs|amp|optanon|cookie_?consent|consent|intercom-device|lang|language|locale|theme|color|timezone|tz|country|currency|AWSALB|BIGip|cf_bm|ab_|variant|experiment|_?dd_s|datr|fr|sb|wd|dpr|NID|CONSENT)/i;
/** Session ids that look less random than others. */
const IDS =
  /^(?:[0-9a-f]{16,128}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=\D{0,19}\d)[a-z0-9]{20,64})$/i;
const MIN_COOKIE = 14;

function isCookie(name: string, value: string): boolean {
  if (value.length < MIN_COOKIE || HARMLESS.test(name) || isStandIn(value)) return false;
  return looksRandom(value.slice(0, 200)) || IDS.test(value);
}

/** A cookie in a header: name, value and separator. */
const PAIR = /([\w.$!*-]{1,100})=\\?"?([^;,\s"'\\`<>]{1,4000})\\?"?(?:;\s{0,2}|(?=["'`\s\\<,)]|$))/y;
const MAX_PAIRS = 40;

/** Returns the first secret among the cookies from an offset; a pattern's first group is a name, its second the value. */
export function cookieIn(text: string, from: number, pattern: RegExp): Secret | null {
  pattern.lastIndex = from;
  for (let count = 0; count < MAX_PAIRS; count++) {
    const match = pattern.exec(text);
    if (!match) return null;
    const [whole, name = "", value = ""] = match;
    if (!isCookie(name, value)) continue;
    const start = match.index + whole.lastIndexOf(value);
    return { start, end: start + value.length, kind: "cookie" };
  }
  return null;
}

/** Returns the first secret in the list of cookies after a pattern. */
export function cookieAfter(text: string, at: number, lead: RegExp): Secret | null {
  lead.lastIndex = at;
  return lead.test(text) ? cookieIn(text, lead.lastIndex, PAIR) : null;
}

/** Maximum length of a list that an end closes. */
const WINDOW = 3_000;

/** Returns the first secret among the cookies between an offset and an end. */
export function cookieUpTo(text: string, at: number, pattern: RegExp, end: string): Secret | null {
  const window = text.slice(at, at + WINDOW);
  const length = window.indexOf(end);
  const secret = cookieIn(length < 0 ? window : window.slice(0, length), 0, pattern);
  return secret && { ...secret, start: at + secret.start, end: at + secret.end };
}

const SELECT = /moz_cookies|from cookies|FROM cookies/;
/** Rows of a query on a browser's cookie file. */
const ROWS =
  /cookies[^\n]{0,200}\n(?:[^\n]{0,300}\n){0,20}?(?:[\w.:/-]{0,100}\|){0,3}?([\w.$-]{1,100})\|([^\s|]{14,4000})(?=[|\n]|$)/y;
/** A row in a browser's developer tools: name, value, domain or path. */
const TOOL_ROW =
  /(?:^|\n)([\w.$-]{1,100})\t([^\t\n]{14,4000})\t(?:[\w.-]{1,100}\t)?\/[^\t\n]{0,100}(?=\t|\n|$)/y;

/** Maximum length of a cookie's value. */
const MAX_COOKIE = 4_100;
/** Returns the value of a cookie before its domain, as browsers export it. */
function exportedBefore(text: string, at: number): Secret | null {
  const mark = /",\s{0,20}$/.exec(text.slice(Math.max(0, at - 24), at));
  if (mark === null) return null;
  const end = at - mark[0].length;
  const start = text.lastIndexOf('"', end - 1) + 1;
  const value = text.slice(start, end);
  if (value.length < 20 || value.length > MAX_COOKIE || isStandIn(value) || !looksRandom(value)) return null;
  const isValue = /"value"\s?:\s?"$/.test(text.slice(Math.max(0, start - 12), start));
  return isValue ? { start, end, kind: "cookie" } : null;
}

/** Finders for cookies in tables, in sentences, and as browsers export them. */
export const COOKIE_FINDERS: readonly Finder[] = [
  { words: ['"domain":'], startsWord: true, find: exportedBefore },
  {
    words: ["cookies;", "cookies where", "cookies WHERE", "cookies LIMIT", "cookies limit", 'cookies"'],
    find: (text, at) =>
      SELECT.test(text.slice(Math.max(0, at - 40), at + 8)) ? cookieIn(text, at, ROWS) : null,
  },
  {
    words: ["\t/\t"],
    find: (text, at) => cookieIn(text, Math.max(0, text.lastIndexOf("\n", at - 1)), TOOL_ROW),
  },
  finder(
    ["cookie is ", "Cookie is ", "cookie value is "],
    "cookie",
    /[cC]ookie (?:value )?is ["'`]?([^\s"'`,;=]{20,4000})/y,
    (value) => isCookie("session", value),
  ),
];
