import type { Finder, Secret } from "./finder.ts";
import { TOKENS } from "./prefixes.ts";
import { looksRandom, wordShare } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

/** Prefixes that are common in words: what follows must look random beyond doubt. */
const COMMON = new Set([
  "sess-",
  "pa-",
  "rw_",
  "cr_",
  "ak_",
  "ls__",
  "upstash_",
  "oauth:",
  "sdk-",
  "api-",
  "fw_",
  ..."K10 p8e- PRD- SBX- mat_ mct_ unkey_ AVNS_ secret-live- secret-test-".split(" "),
  ..."live_ test_ sandbox_ prod_ production_ staging_ dev_ development_ live- test- prod-".split(" "),
  ..."apikey_ apikey- api_key_ secret_key_ as- BSA AQE 4b1d".split(" "),
]);

/** Finders of tokens that a prefix starts. */
export const TOKEN_FINDERS: readonly Finder[] = TOKENS.flatMap(([kind, prefixes, rest]) => {
  const all = prefixes === "FlyV1 " ? [prefixes] : prefixes.split(" ");
  const form = { kind, rest: new RegExp(rest, "y"), isCommon: all.some((prefix) => COMMON.has(prefix)) };
  return all.map((prefix) => ({ words: [prefix], find: prefixFinder(prefix, form) }));
});

/** A long prefix that ends in a mark is a sure sign anywhere. */
export function isDistinct(prefix: string): boolean {
  return (
    prefix.length >= 4 &&
    /[^A-Za-z0-9]$/.test(prefix) &&
    !["key-", "sess-", "tfp_", "sdk-", "api-", "API-"].includes(prefix)
  );
}

/** How many characters of a token are matched, and how many are judged. Limits keep a text of repeated prefixes cheap. */
const MATCHED = 400;
const JUDGED = 120;

interface Form {
  kind: string;
  /** Matches what follows the prefix; sticky. */
  rest: RegExp;
  /** Its prefix is common in words. */
  isCommon: boolean;
}

function prefixFinder(prefix: string, { kind, rest, isCommon }: Form): Finder["find"] {
  return (text, at) => {
    const start = at + prefix.length;
    rest.lastIndex = 0;
    const token = rest.exec(text.slice(start, start + MATCHED))?.[0];
    if (isDistinct(prefix) && token === undefined) return joinedToken(text, at, prefix, kind, rest);
    const head = token?.slice(0, JUDGED);
    if (token === undefined || head === undefined || isStandIn(head) || isPhrase(head)) return null;
    if (isCommon && (!looksRandom(head) || !/\d/.test(head) || isPublic(text, at))) return null;
    if (token.length < MATCHED) return { start: at, end: wrappedEnd(text, start + token.length), kind };
    rest.lastIndex = start;
    return { start: at, end: rest.test(text) ? rest.lastIndex : start + token.length, kind };
  };
}

/** String literals that code joins: the end of one, `+` or `.`, and the next one. */
const JOINED = /([\w-]{0,100})["'`]\s{0,4}(?:\+|\.\.?|&)\s{0,4}["'`]([\w.-]{1,200})/y;

/** A token whose pieces code joins, as in `"ghp_" + "…"`. */
function joinedToken(text: string, at: number, prefix: string, kind: string, rest: RegExp): Secret | null {
  JOINED.lastIndex = at + prefix.length;
  const [, first = "", second = ""] = JOINED.exec(text) ?? [];
  rest.lastIndex = 0;
  const whole = `${first}${second}`;
  if (second === "" || !rest.test(whole) || !looksRandom(whole) || isStandIn(whole)) return null;
  return { start: at, end: JOINED.lastIndex, kind };
}

/** Whether a prefix is the second part of the prefix of a public key. */
function isPublic(text: string, at: number): boolean {
  return /(?:pk|pub|publishable|public)[_-]$/.test(text.slice(Math.max(0, at - 12), at));
}

/** Words joined by marks, or words alone: `sk-ant-` may start the name of something. */
function isPhrase(token: string): boolean {
  return (/[-_]/.test(token) || /^(?:[a-z]+|[A-Z]{6,}\d{0,4})$/.test(token)) && wordShare(token) > 0.75;
}

/** A token that a line's end cut in two goes on at the next line's start. */
const WRAP = /\\?\r?\n[ \t]{0,12}(?=[A-Za-z0-9_-]*\d)([A-Za-z0-9_-]{10,})(?=["'`]?\s*(?:$|\n|[,;)]))/y;

function wrappedEnd(text: string, end: number): number {
  if (text[end] !== "\n" && text[end] !== "\r" && text[end] !== "\\") return end;
  WRAP.lastIndex = end;
  const rest = WRAP.exec(text)?.[1];
  return rest !== undefined && looksRandom(rest) && !isStandIn(rest) ? WRAP.lastIndex : end;
}
