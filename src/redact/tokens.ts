import type { Finder, Secret } from "./finder.ts";
import { looksMixed, looksRandom, wordShare } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

/** Tells whether a prefix is long and ends in a symbol, which identifies a token anywhere. */
function isDistinct(prefix: string): boolean {
  return (
    prefix.length >= 4 &&
    /[^A-Za-z0-9]$/.test(prefix) &&
    !["key-", "sess-", "tfp_", "sdk-", "api-", "API-"].includes(prefix)
  );
}

/** Characters of a token to match and to judge. The limits keep a text of repeated prefixes cheap. */
const MATCHED = 400;
const JUDGED = 120;

interface Prefix {
  prefix: string;
  kind: string;
  /** Sticky pattern of the text after the prefix. */
  rest: RegExp;
  /** True for a prefix that is common in words, so that the rest must look clearly random. */
  isCommon: boolean;
}

/** Returns a finder for tokens with a prefix; `rest` is the pattern of the text after it. */
export function tokenFinder(prefix: string, kind: string, rest: string, isCommon: boolean): Finder {
  let made: RegExp | undefined;
  const find = (text: string, at: number) => {
    made ??= new RegExp(rest, "y");
    return tokenAt(text, at, { prefix, kind, rest: made, isCommon });
  };
  return { words: [prefix], startsWord: !isDistinct(prefix), find };
}

function tokenAt(text: string, at: number, { prefix, kind, rest, isCommon }: Prefix): Secret | null {
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
}

/** The joint of two string literals: the end of one, `+` or `.`, and the next one. */
const JOINED = /([\w-]{0,100})["'`]\s{0,4}(?:\+|\.\.?|&)\s{0,4}["'`]([\w.-]{1,200})/y;

/** Returns a token that code joins from pieces, as in `"ghp_" + "…"`. */
function joinedToken(text: string, at: number, prefix: string, kind: string, rest: RegExp): Secret | null {
  JOINED.lastIndex = at + prefix.length;
  const [, first = "", second = ""] = JOINED.exec(text) ?? [];
  rest.lastIndex = 0;
  const whole = `${first}${second}`;
  if (second === "" || !rest.test(whole) || !looksRandom(whole) || isStandIn(whole)) return null;
  return { start: at, end: JOINED.lastIndex, kind };
}

/** Tells whether a prefix is the second part of a public key's prefix. */
function isPublic(text: string, at: number): boolean {
  return /(?:pk|pub|publishable|public)[_-]$/.test(text.slice(Math.max(0, at - 12), at));
}

/** Tells whether a token is words, joined or not: `sk-ant-` may start an ordinary name. */
function isPhrase(token: string): boolean {
  return (/[-_]/.test(token) || /^(?:[a-z]+|[A-Z]{6,}\d{0,4})$/.test(token)) && wordShare(token) > 0.75;
}

/** A token that a line break cuts in two. */
const WRAP = /\\?\r?\n[ \t]{0,12}(?=[A-Za-z0-9_-]*\d)([A-Za-z0-9_-]{10,})(?=["'`]?\s*(?:$|\n|[,;)]))/y;

function wrappedEnd(text: string, end: number): number {
  if (text[end] !== "\n" && text[end] !== "\r" && text[end] !== "\\") return end;
  WRAP.lastIndex = end;
  const rest = WRAP.exec(text)?.[1];
  return rest !== undefined && looksRandom(rest) && !isStandIn(rest) ? WRAP.lastIndex : end;
}

/**
 * Token forms with a telling sign in their middle, by kind: the maximum distance from the start to the sign, the pattern, and the
 * signs. Where `marks.ts` looks for the sign itself, there are none.
 */
const SHAPES: Readonly<Record<string, readonly [back: number, pattern: RegExp, ...signs: string[]]>> = {
  "telegram-token": [12, /(?<!\d)\d{7,12}:AA[\w-]{24,33}/g, ":AA"],
  "discord-token": [30, /(?<![\w.-])[MNO][A-Za-z\d_-]{21,28}\.[\w-]{6}\.[\w-]{20,40}/g],
  "airtable-token": [17, /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{30,64}/g],
  "azure-client-secret": [
    5,
    /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{24,34}(?![\w~-])/g,
    ...Array.from("0123456789", (digit) => `${digit}Q~`),
  ],
  "terraform-token": [14, /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}/g, ".atlasv1."],
  "mailchimp-key": [
    32,
    /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)/g,
    ...Array.from("0123456789", (digit) => `-us${digit}`),
  ],
  "newrelic-key": [46, /(?<![A-Za-z0-9])(?:eu01xx)?[0-9a-f]{24,36}(?:FFFF)?NRAL(?![A-Za-z0-9])/g, "NRAL"],
  "azure-key": [
    80,
    /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,80}(?:AZDO|JQQJ9|\+ASt|\+AIoT|\+AEh|\+ARm|\+ACR|APIM|AzSe|AzCa|AzFu|ACDb)[A-Za-z0-9+/]{4,48}={0,2}/g,
    ..."AZDO JQQJ9 +ASt +AIoT +AEh +ARm +ACR APIM AzSe AzCa AzFu ACDb".split(" "),
  ],
  "firebase-key": [11, /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{20,}/g, ":APA91b"],
  "zoho-token": [4, /(?<![\w.])1000\.[0-9a-f]{32}\.[0-9a-f]{32}/g],
  "maxmind-key": [36, /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/g, "_mmk"],
  signature: [
    24,
    /(?<=[?&;](?:sig|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature)=)[A-Za-z0-9%+/=_-]{24,}/g,
    "Signature=",
  ],
  "deepl-key": [36, /(?<![0-9a-f-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}:fx(?!\w)/g, ":fx"],
  "mailgun-key": [32, /(?<![A-Za-z0-9])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/g],
  "fal-key": [36, /(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}:[0-9a-f]{32}(?!\w)/g],
  "ably-key": [
    13,
    /(?<![\w.-])(?=[\w.-]{0,12}\d)[\w-]{6}\.[\w-]{6}:(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Z])[\w-]{20,60}(?![\w-]|\.\w)/g,
  ],
  "vault-token": [
    1,
    /(?<![\w$.])s\.(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*\d)[A-Za-z0-9]{24}(?![\w(]|\.\w)/g,
  ],
  "zhipu-key": [
    32,
    /(?<![\w.-])[0-9a-f]{32}\.(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{16}(?!\w|\.\w)/g,
  ],
  password: [40, /(?<=(?:thin|oci8?):[\w.-]{1,30}\/)[^\s/@"'$<{]{5,60}(?=@)/g, "thin:"],
};

/** Returns the secret of a form, given the offset of its sign; null when the rest does not match. */
export function shapedSecret(text: string, at: number, kind: string): Secret | null {
  const [back = 0, pattern] = SHAPES[kind] ?? [];
  if (!pattern) return null;
  // More characters before the start show whether the form touches a word.
  const from = Math.max(0, at - back - 60);
  const window = text.slice(from, at + 400);
  pattern.lastIndex = Math.max(0, at - back) - from;
  const match = pattern.exec(window);
  if (!match || from + match.index > at + 40 || isStandIn(match[0])) return null;
  return { start: from + match.index, end: from + match.index + match[0].length, kind };
}

/** A JSON Web Token, encrypted or not, even if truncated. */
const JWT = /eyJ[\w-]{8,1000}(?:\.[\w-]{0,8000}){1,4}/y;
const SAMPLE = "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI";

function jsonWebToken(text: string, at: number): Secret | null {
  JWT.lastIndex = at;
  const token = JWT.exec(text)?.[0].replace(/\.+$/, "");
  if (token === undefined || token.length < 30 || !token.includes(".") || token.includes(SAMPLE)) return null;
  return { start: at, end: at + token.length, kind: "jwt" };
}

/** Finders for tokens by a sign in their middle, and for JSON Web Tokens. */
export const TOKEN_FINDERS: readonly Finder[] = [
  ...Object.entries(SHAPES).map(
    ([kind, [, , ...words]]): Finder => ({ words, find: (text, at) => shapedSecret(text, at, kind) }),
  ),
  { words: ["eyJ"], startsWord: true, find: jsonWebToken },
];

/** Prefixes of identifiers that look like tokens but are not secret. */
const IDENTIFIER =
  /^(?:toolu|msg|req|call|chatcmpl|cmpl|file|asst|run|thread|resp|step|batch|ft|ftjob|org|proj|project|user|usr|acct|cus|sub|evt|price|prod|prd|in|pi|pm|ch|seti|cs|bpc|il|si|sess|session|conv|conversation|event|task|job|srvtoolu|vs|vsf|item|msgbatch|pk|id|cid|doc|page|img|image|video|chunk|module|index|main|vendor|app|style|styles|css|jss|sc|svelte|data|hash|sha|sha256|sha512|md5|h1|commit|build|deploy|dpl|dep|prj|team|env|cache|node|tmp|temp|test|uuid|ref|rev|v\d|trace|span|gen|rs|ws|fc|ctx|cntr|container|skill|wrkspc|apikey|invite|tool|message|request|response|entry|folder|session_id|agent|block|blob|asset|font|icon|part|token_id|cld|layer|snap|vol|vpc|sg|ami|subnet|eni|igw|rtb|arn|price)$/i;
const GENERIC =
  /(?<![A-Za-z0-9/.#@+_-])([A-Za-z][A-Za-z0-9]{1,11}(?:[_-][a-z0-9]{1,8}){0,2})[_-]([A-Za-z0-9]{30,200})(?![A-Za-z0-9/@]|\.\w)/g;

/** URL parameters that track visits or name a list, and members of public keys. */
const TRACKER =
  /(?:[?&](?:\w{0,5}clid|utm_\w{1,20}|code_challenge|list)=|(?:public|PUBLIC|Public)_?(?:key|KEY|Key)["']?\s?[=:]\s?["']?|["'](?:n|x|y|kid|x5t|x5t#S256)["']\s?:\s?["'])$/;

function isTracker(text: string, start: number): boolean {
  return TRACKER.test(text.slice(Math.max(0, start - 32), start));
}

/** Returns a token of an unknown service: a short word, a mark, and a long random value. `at` is the offset of the mark. */
export function genericToken(text: string, at: number): Secret | null {
  const from = Math.max(0, at - 31);
  GENERIC.lastIndex = at - from;
  const window = text.slice(from, at + 240);
  for (let start = Math.max(0, at - from - 30); start <= at - from; start++) {
    if (start > 0 && /[\w-]/.test(window[start - 1] ?? "")) continue;
    GENERIC.lastIndex = start;
    const match = GENERIC.exec(window);
    if (!match || match.index > at - from) return null;
    const [whole, prefix = "", rest = ""] = match;
    const first = prefix.split(/[_-]/)[0] ?? "";
    if (IDENTIFIER.test(prefix) || IDENTIFIER.test(first)) return null;
    if (!looksMixed(rest) || isStandIn(whole) || isTracker(text, from + match.index)) return null;
    return { start: from + match.index, end: from + match.index + whole.length, kind: "token" };
  }
  return null;
}
