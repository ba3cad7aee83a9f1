import { type Finder, finder } from "./finder.ts";
import type { Secret } from "./spans.ts";

const CONTENT = /(?:content|value)="([^"{}<>$\s]{16,400})"\s{1,4}$/;

/** The token of a page when its name follows it. */
function contentBefore(text: string, at: number): Secret | null {
  const content = CONTENT.exec(text.slice(Math.max(0, at - 420), at));
  if (content?.[1] === undefined) return null;
  const start = at - content[0].length + content[0].indexOf(content[1]);
  return { start, end: start + content[1].length, kind: "token" };
}

/** Cookies and tokens of forms, as browsers and pages keep them. */
export const PAGE_FINDERS: readonly Finder[] = [
  // The first cookie of a header whose value is long and random.
  finder(
    ["Cookie:", "cookie:", "Cookie':", "cookie':", 'Cookie":', 'cookie":'],
    "cookie",
    /[cC]ookie["']?\s{0,3}:\s{0,3}["']?(?:[^;\n"']{0,300};\s?){0,12}?[\w.-]{1,80}=([^;\s"'[]{20,4000})/y,
    true,
  ),
  finder(["wordpress_logged_in_", "wordpress_sec_"], "cookie", /wordpress_\w{1,60}=([^\s;"']{40,400})/y),
  finder(
    ["document.cookie"],
    "cookie",
    /document\.cookie\s{0,4}=\s{0,4}["'`][\w.-]{1,80}=([^"'`;\s]{16,4000})/y,
    true,
  ),
  finder(
    ['name="csrf', 'name="_csrf', "name='csrf", 'name="xsrf'],
    "token",
    /name=["']_?[cx]srf[\w-]{0,20}["']\s{1,4}(?:content|value)=["']([^"'{}<>$\s]{16,400})["']/y,
  ),
  { words: ['name="csrf', 'name="_csrf', 'name="xsrf'], find: contentBefore },
];

/** A sign inside a word: a line of Netscape's cookies.txt has domain, subdomains, path, secure, expiry, name, value. */
export const COOKIE_LINE: Finder = finder(
  ["E\t/\t"],
  "cookie",
  /(?<=TRU|FALS)E\t\/\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\n]{1,200}\t([^\s]{16,4000})/y,
  true,
);
