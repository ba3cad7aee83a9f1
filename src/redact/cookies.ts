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

/** Returns the first secret among the cookies that start at an offset. */
function pairSecret(text: string, from: number): Secret | null {
  PAIR.lastIndex = from;
  for (let count = 0; count < MAX_PAIRS; count++) {
    const at = PAIR.lastIndex;
    const [, name = "", value = ""] = PAIR.exec(text) ?? [];
    if (name === "") return null;
    const start = at + name.length + 1 + (/^\\?"?/.exec(text.slice(at + name.length + 1))?.[0].length ?? 0);
    if (isCookie(name, value)) return { start, end: start + value.length, kind: "cookie" };
  }
  return null;
}

/** Returns a finder for the first secret in a list of cookies after a word. */
function list(words: readonly string[], lead: RegExp): Finder {
  return {
    words,
    find: (text, at) => {
      lead.lastIndex = at;
      return lead.test(text) ? pairSecret(text, lead.lastIndex) : null;
    },
  };
}

/** Returns a finder for a cookie's value: a pattern's first group is the name, its second the value. */
function named(words: readonly string[], pattern: RegExp): Finder {
  return {
    words,
    find: (text, at) => {
      pattern.lastIndex = at;
      const [, name = "", value = ""] = pattern.exec(text) ?? [];
      if (value === "" || !isCookie(name, value)) return null;
      const start = text.lastIndexOf(value, pattern.lastIndex);
      return { start, end: start + value.length, kind: "cookie" };
    },
  };
}

/** Returns a finder for the first secret among the pairs that a pattern matches after a word, up to an end. */
function within(words: readonly string[], pattern: RegExp, end: string): Finder {
  return {
    words,
    find: (text, at) => {
      const window = text.slice(at, at + WINDOW);
      const length = window.indexOf(end);
      for (const match of (length < 0 ? window : window.slice(0, length)).matchAll(pattern)) {
        const [whole, name = "", value = ""] = match;
        if (!isCookie(name, value)) continue;
        const start = at + match.index + whole.lastIndexOf(value);
        return { start, end: start + value.length, kind: "cookie" };
      }
      return null;
    },
  };
}

const WINDOW = 3_000;
const NAME = `\\\\{0,15}["'\`]?([\\w.$-]{1,100})\\\\{0,15}["'\`]?`;
const VALUE = `\\\\{0,15}["'\`]([^"'\`\\s\\\\]{14,4000})\\\\{0,15}["'\`]`;
/** A member of a map, a member of an object, and an object with other members between name and value. */
const MEMBER = new RegExp(`(?<![\\w.$-])${NAME}\\s?[:=]\\s?${VALUE}`, "g");
const OBJECT = new RegExp(
  `[nN]ame(?: raw)?["']?\\s{0,4}[:=]\\s{0,4}${NAME},[^{}]{0,200}?(?:[vV]alue|Content raw)["']?\\s{0,4}[:=]\\s{0,4}${VALUE}`,
  "g",
);

/** Finders for lists of cookies in headers, flags and code, and for single cookies set in code. */
export const COOKIE_FINDERS: readonly Finder[] = [
  list(
    ["Cookie:", "cookie:", "Cookie':", "cookie':", 'Cookie":', 'cookie":', "COOKIE:"],
    /[cC](?:ookie|OOKIE)\\?["']?\s{0,3}:\s{0,3}\\?["']?/y,
  ),
  list(["--cookie", "--cookies"], /--cookies?[ =]\s{0,3}\\?["']?/y),
  list(
    ["document.cookie"],
    /document\.cookie\s{0,4}(?:[;)]{0,2}\s{0,4}[\n<·]{1,4}|\+?=)\s{0,4}\\?["'`]?(?=[\w.-]{1,80}=)/y,
  ),
  list(
    ["ookie_string", "ookieString", "ookie_header", "ookieHeader", "ookie_jar =", "ookies_str"],
    /\w{5,16}["']?\s{0,3}[:=]\s{0,3}["'`](?=[\w.$-]{1,80}=[^=\s])/y,
  ),
  // Server settings write a header without a colon.
  list(
    ['ookie "', "ookie '", 'ookie = "', "ookie = '"],
    /ookie\s{1,3}(?:=\s{1,3})?["'](?=[\w.$-]{1,80}=[^=\s])/y,
  ),
  // A cookie whose name ends like that of a session.
  named(
    ["_session=", "_session:", "sessionid=", "sessionid:"],
    /(_?session(?:id)?)["']?\s{0,3}[=:]\s{0,3}["']?((?=[^\s"';,]{0,60}\d)(?![0-9a-f]{8}-)[\w%.+/=-]{20,2000})(?=[\s"';,&]|$)/y,
  ),
  // A browser saves the header of a request as a pair.
  list(
    ['"Cookie"', '"cookie"', "'Cookie'", "'cookie'"],
    /["'][cC]ookie["']\s{0,4},\s{0,20}(?:["']value["']\s{0,4}:\s{0,4})?["']/y,
  ),
  list(
    ["ookie: ", "ookies: ", "ookie is ", "ookie is: ", "ookie: `"],
    /ookies?(?: is)?:? {0,2}["'`]?(?=[\w.$-]{1,80}=[^=\s])/y,
  ),
  // A map of cookies, with other pairs before the secret.
  within(
    [
      "cookies={",
      "cookies = {",
      "cookies: {",
      'cookies": {',
      "cookies.update({",
      "cookies=dict(",
      "cookies = dict(",
      "cookie jar: {",
    ],
    MEMBER,
    "}",
  ),
  named(
    [
      "cookies.set(",
      "Cookies.set(",
      "ookies().set(",
      "etCookie(",
      "etcookie(",
      "et_cookie(",
      "create_cookie(",
      ".cookie(",
      "ew Cookie(",
      "ookie.set(",
      "ookies.add(",
      "ithCookie(",
      "pCookie(",
      "CookieHeaderValue(",
      "torage.setItem(",
    ],
    new RegExp(`[\\w.()]{1,16}\\(\\s{0,4}${NAME}\\s{0,4},\\s{0,4}${VALUE}`, "y"),
  ),
  named(
    ["cookies['", 'cookies["', "COOKIE['", "cookies[:", "cookie['", 'cookie["'],
    new RegExp(`(?:cookies?|COOKIE)\\[[:"']([\\w.$-]{1,100})["']?\\]\\s{0,4}=\\s{0,4}${VALUE}`, "y"),
  ),
  // Objects with a name and a value.
  within(["add_cookie(", "addCookie(", "AddCookie(", "etCookie({", "http.Cookie{"], OBJECT, ")"),
  within(
    ["addCookies([", "cookies: [", "cookies = [", 'cookies":', '"cookies" :', '"hostOnly":', '"Host raw":'],
    OBJECT,
    "]",
  ),
  within(['"domain":', '"Domain":', '"expirationDate":'], OBJECT, "}"),
];

const SELECT = /moz_cookies|from cookies|FROM cookies/;
/** Rows of a query on a browser's cookie file. */
const ROWS =
  /cookies[^\n]{0,200}\n(?:[^\n]{0,300}\n){0,20}?(?:[\w.:/-]{0,100}\|){0,3}?([\w.$-]{1,100})\|([^\s|]{14,4000})(?=[|\n]|$)/y;
/** A row in a browser's developer tools: name, value, domain or path. */
const TOOL_ROW =
  /(?:^|\n)([\w.$-]{1,100})\t([^\t\n]{14,4000})\t(?:[\w.-]{1,100}\t)?\/[^\t\n]{0,100}(?=\t|\n|$)/y;

function queried(text: string, at: number): Secret | null {
  if (!SELECT.test(text.slice(Math.max(0, at - 40), at + 8))) return null;
  ROWS.lastIndex = at;
  const [, name = "", value = ""] = ROWS.exec(text) ?? [];
  if (value === "" || !isCookie(name, value)) return null;
  return { start: ROWS.lastIndex - value.length, end: ROWS.lastIndex, kind: "cookie" };
}

function listed(text: string, at: number): Secret | null {
  const line = text.lastIndexOf("\n", at - 1);
  TOOL_ROW.lastIndex = Math.max(0, line);
  const [, name = "", value = ""] = TOOL_ROW.exec(text) ?? [];
  if (value === "" || !isCookie(name, value)) return null;
  const start = text.indexOf(value, line + 1 + name.length);
  return { start, end: start + value.length, kind: "cookie" };
}

/** Finders for cookies in tables, by signs before or inside them. */
export const COOKIE_TABLES: readonly Finder[] = [
  {
    words: ["cookies;", "cookies where", "cookies WHERE", "cookies LIMIT", "cookies limit", 'cookies"'],
    find: queried,
  },
  { words: ["\t/\t"], find: listed },
  finder(
    ["cookie is ", "Cookie is ", "cookie value is "],
    "cookie",
    /[cC]ookie (?:value )?is ["'`]?([^\s"'`,;=]{20,4000})/y,
    (value) => isCookie("session", value),
  ),
];

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

/** Finders for cookies and form tokens stored by browsers and pages. */
export const PAGE_FINDERS: readonly Finder[] = [{ words: ['"domain":'], find: exportedBefore }];
