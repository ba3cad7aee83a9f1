import { type Finder, finder, firstGroup, found } from "./finder.ts";
import { PASSWORD } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

const SEED_PHRASE =
  /(?:mnemonic|(?:seed|recovery) phrase|(?:twelve|twenty-four|12|24|seed|recovery) words)(?:[_ ]?(?:phrase|words))?["']?(?: (?:we|I) \w{2,10})?\s{0,3}(?:[:=]|is|are|was|were)?\s{0,3}\\*["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/iy;
const XML_KEY = /<[A-Za-z]{1,8}>\s{0,20}([A-Za-z0-9+/]{40,4000}={0,2})/y;
const JSON_KEY = /"\w{1,2}"\s?:\s?"([\w-]{40,2000})"/y;
/** A link that gives access to anyone who has it. */
const LINK = /[a-z/-]{5,20}\/(?:[A-Za-z0-9]{1,12}\/)?([\w.-]{24,300})/y;
const CODE = /(?<=[?&])code=([\w.%/-]{24,400})/y;
const CONVEX = /\w{3,7}:[a-z]{2,20}-[a-z]{2,20}-\d{1,4}\|([\w+/=]{32,200})/y;
/** An address that was read as a path has lost one of its slashes. */
const CUT_ADDRESS = /https?:\/(?!\/)[^\s/:@]{1,60}:([^\s/@]{4,200})@/y;

/** `machine host login user password secret`, as in .netrc. */
const NETRC = /login\s{1,3}\S{1,100}\s{1,3}(?:password|passwd)\s{1,3}(?!is\b|for\b|to\b)([^\s"']{4,200})/y;
/** A list of backup codes, which replace a second factor. */
const CODES =
  /(?:recovery|backup) codes?\b[^\n\d]{0,90}[:\n]\s{0,20}((?:(?:[ \t>*-]|\d{1,2}[.)]){0,40}(?:[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){1,4}|\d{8,12}|\d{4,5} \d{4,5}|[a-z]*\d[a-z0-9]{7,12})[ \t,;`"']*\n?){1,24})/iy;
const AUTH =
  /AUTH[ \t]{1,3}(?:(?!PLAIN|LOGIN|CRAM|XOAUTH|NTLM|TLS)\w{1,30}[ \t]{1,3}(?=\S))?["']?([^\s"']{7,200})["']?[ \t]*(?=\r?\n|$)/y;

/** The password of Redis's `AUTH password` and `AUTH user password`, at the end of a line. */
function redisPassword(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, AUTH);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  return isSecretValue(value, PASSWORD, "statement") ? { ...place, kind: "password" } : null;
}
const EXPECT = /send(?:_user)?\s{1,20}(?:--\s{1,20})?\\*"([^"\n]{5,100}?)\\{1,3}[rn]\\*"/y;

/** Secrets after telling words: logins, codes, phrases, keys in XML and JSON, links that give access. */
export const PHRASE_FINDERS: readonly Finder[] = [
  finder(["login "], "password", NETRC),
  finder(["recovery code", "Recovery code", "backup code", "Backup code"], "recovery-codes", CODES),
  { words: ["AUTH "], find: redisPassword },
  finder(["AUTH "], "password", /AUTH\s{1,3}(?:\w{1,30}\s)?([^\s"']{8,200})/y, true),
  finder(
    [
      "mnemonic",
      "Mnemonic",
      "MNEMONIC",
      "seed phrase",
      "Seed phrase",
      "recovery phrase",
      "Recovery phrase",
      "twelve words",
      "twenty-four words",
      "12 words",
      "24 words",
      "seed words",
      "recovery words",
    ],
    "seed-phrase",
    SEED_PHRASE,
  ),
  finder(["<D>", "<DP>", "<DQ>", "<P>", "<Q>", "<InverseQ>"], "private-key", XML_KEY, true),
  finder(['"d":', '"d" :', '"k":', '"dp":', '"dq":', '"qi":'], "private-key", JSON_KEY),
  finder(
    [
      "reset-password/",
      "password-reset/",
      "password/reset/",
      "reset/",
      "verify/",
      "magic-link/",
      "magic/",
      "invite/",
      "invitation/",
      "verify-email/",
      "confirm-email/",
      "unsubscribe/",
    ],
    "token",
    LINK,
    true,
  ),
  finder(["code="], "token", CODE, true),
  finder(["prod:", "dev:", "preview:"], "convex-key", CONVEX),
  finder(["https:/", "http:/"], "password", CUT_ADDRESS),
  finder(["send "], "password", EXPECT, true),
];

const PGPASS = /[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?!\/)([^\s:"']{5,200})/y;
/** Lines of .pgpass: `host:port:database:user:password`; `colon` is the first of a line. */
export function pgpassSecret(text: string, colon: number): Secret | null {
  let at = colon;
  while (at > 0 && colon - at < 100 && /[\w.*-]/.test(text[at - 1] ?? "")) at--;
  return found(text, at, PGPASS, "password", false);
}
