import { type Finder, finder } from "./finder.ts";
import { looksRandom } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";

/** The longest value of a cookie. */
const MAX_COOKIE = 4_100;
const CONTENT = /(?:content|value)="([^"{}<>$\s]{16,400})"\s{1,4}$/;

/** The token of a page when its name follows it. */
function contentBefore(text: string, at: number): Secret | null {
  const content = CONTENT.exec(text.slice(Math.max(0, at - 420), at));
  if (content?.[1] === undefined) return null;
  const start = at - content[0].length + content[0].indexOf(content[1]);
  return { start, end: start + content[1].length, kind: "token" };
}

/** The value of a cookie before its domain, as browsers export it. */
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

/** How the names of the tokens of forms start. */
const FORM_TOKENS = ["csrf", "_csrf", "xsrf", "_token", "authenticity_token", "__RequestVerificationToken"];

/** Cookies and tokens of forms, as browsers and pages keep them. */
export const PAGE_FINDERS: readonly Finder[] = [
  finder(["wordpress_logged_in_", "wordpress_sec_"], "cookie", /wordpress_\w{1,60}=([^\s;"']{40,400})/y),
  finder(
    [...FORM_TOKENS.map((name) => `name="${name}`), ...FORM_TOKENS.map((name) => `name='${name}`)],
    "token",
    /name=["']_{0,2}(?:[cx]srf(?!-param)[\w-]{0,20}|token|authenticity_token|RequestVerificationToken)["']\s{1,4}(?:id=["'][^"']{0,60}["']\s{1,4})?(?:content|value)=["']([^"'{}<>$\s]{16,400})["']/y,
  ),
  { words: ['"domain":'], find: exportedBefore },
  { words: ['name="csrf', 'name="_csrf', 'name="xsrf'], find: contentBefore },
];

/** A sign inside a word: a line of Netscape's cookies.txt has domain, subdomains, path, secure, expiry, name, value. */
export const COOKIE_LINE: Finder = finder(
  ["E\t/\t"],
  "cookie",
  /(?<=TRU|FALS)E\t\/\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\n]{1,200}\t([^\s]{16,4000})/y,
  true,
);
