import { type Finder, found, type Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { PASSWORD } from "./names.ts";
import { isTellingOrCoupled, judged } from "./rules.ts";
import { isSecretValue } from "./values.ts";

/** Finds a password that tells of itself, if a word of `near` stands nearby. */
function telling(words: readonly string[], pattern: RegExp, near: RegExp, isValue = isTelling): Finder {
  return {
    words,
    find: (text, at) => {
      const secret = judged(text, at, pattern, { kind: "password", isValue });
      return secret && near.test(text.slice(Math.max(0, at - 80), secret.end + 80)) ? secret : null;
    },
  };
}

const LINES_END =
  /([\w.$-]{1,60}):(?:\d{1,10}:([0-9a-fA-F]{32}):([0-9a-fA-F]{32})|([./A-Za-z0-9]{13}|\$[^:\s]{8,200}|[^:\s]{6,60}):\d{4,6}:\d{0,6}:\d{0,6}:\d{0,6})$/;

/** The hashes in a line of `/etc/shadow` or of what is dumped from a domain controller; `at` is that of its last colons. */
export function hashesBefore(text: string, at: number): Secret | null {
  const before = text.slice(Math.max(0, at - 300), at);
  const match = LINES_END.exec(before);
  if (match === null) return null;
  const start = at - match[0].length + (match[1]?.length ?? 0) + 1;
  return { start, end: at, kind: "password-hash" };
}

/** A word up to its end, or that of its sentence. */
const PASSWORD_WORD = "([^\\s\"'`/()[\\]{}]{8,64}?)(?=[.,;!?]?(?:[\\s\"'`)]|$))";
/** What a password opens. */
const NEAR_DOOR = /page|door|router|safe|vault|portal|panel|box|account|login|console|locker|archive/i;

const CHANGED =
  /(?<=(?:chang|rotat|reset|switch|updat)\w{0,4} )\w{2,4} from ["'`]?([^\s"'`]{7,64})["'`]? to ["'`]?([^\s"'`]{7,64}?)["'`]?(?=[.,;!?]?(?:\s|$))/y;

/** What was changed, where only both values show that they are passwords. */
function changedFrom(text: string, at: number): Secret | null {
  CHANGED.lastIndex = at;
  const [, value = "", next = ""] = CHANGED.exec(text) ?? [];
  if (
    ![value, next].every(
      (word) => /[a-z][^a-z]*[A-Z].*\d\d|[-_.]\w*\d\d|[!#$%&*]/.test(word) && isTelling(word),
    )
  )
    return null;
  const start = text.indexOf(value, at);
  return { start, end: start + value.length, kind: "password" };
}

const USED = /(?:use|try|with|utilise|nimm|usa) ["'`]?([^\s"'`]{8,100})["'`]? to $/i;

/** The value that a sentence says to log in with, before a word that ends it. */
function usedBefore(text: string, at: number): Secret | null {
  const value = USED.exec(text.slice(Math.max(0, at - 130), at))?.[1];
  if (value === undefined || !isTelling(value) || !isSecretValue(value, PASSWORD, "statement")) return null;
  const start = text.lastIndexOf(value, at);
  return { start, end: start + value.length, kind: "password" };
}

/** Passwords behind the name of a user, where nothing says what they are. */
export const LOGIN_PAIR_FINDERS: readonly Finder[] = [
  {
    words: ["log in", "sign in"],
    find: usedBefore,
  },
  telling(
    [" / "],
    /(?<=(?:^|[\n(«"'`:>!]\s?|<!-- |(?:is|are|as|with|use|mit|avec|con|は|を) )[\w.@+-]{2,40}) \/ ["'`]?([^\s"'`/()[\]{}]{8,64})["'`]?(?=\s?(?:-->|\(|[で、。])|[\s,.;!?)]|$)/y,
    /logg?(?:ing|ed)? ?in|connect|connexion|wi-?fi|wlan|ssid|ログイン|cred|user|pass|zugang|anmeld|root|admin|ssh|console|account|identif|usuario|bel[ée]p|acceso|acc[eè]s/i,
    isTellingOrCoupled,
  ),
  telling(
    ["admin/", "root/", "administrator/", "demo/", "guest/", "ops/"],
    new RegExp(`(?<![\\w./-])[a-z]{3,13}/["'\`]?(?![^\\s.]*[.:])${PASSWORD_WORD}`, "y"),
    /log|cred|panel|zugang|anmeld|acc[eè]s|identif|pass|sign/i,
  ),
  { words: ["it from "], find: changedFrom },
  telling(
    ["pens with "],
    new RegExp(`\\w{3,7} with ["'\`]?${PASSWORD_WORD}`, "y"),
    NEAR_DOOR,
    isTellingOrCoupled,
  ),
];

const PGPASS = /[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?!\/)([^\s:"']{5,200})/y;
/** Lines of .pgpass: `host:port:database:user:password`; `colon` is the first of a line. */
export function pgpassSecret(text: string, colon: number): Secret | null {
  let at = colon;
  while (at > 0 && colon - at < 100 && /[\w.*-]/.test(text[at - 1] ?? "")) at--;
  return found(text, at, PGPASS, "password", false);
}
