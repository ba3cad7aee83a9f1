import { type Finder, finder, firstGroup, found, type Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { hasWordOfCode, isCoupled, isMadeUp } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

/** Finds what the first group of a pattern matches if nobody takes it for a word; a word of `near` stands nearby. */
function telling(words: readonly string[], pattern: RegExp, near = /^/, isValue = isTelling): Finder {
  return {
    words,
    find: (text, at) => {
      const place = firstGroup(text, at, pattern);
      if (place === null) return null;
      const value = text.slice(place.start, place.end).replace(/[.,;)]+$/, "");
      const isSecret =
        isValue(value) &&
        (isSecretValue(value, PASSWORD, "statement") || (isCoupled(value) && !isStandIn(value)));
      if (isSecret && !near.test(text.slice(Math.max(0, at - 80), place.end + 80))) return null;
      return isSecret ? { start: place.start, end: place.start + value.length, kind: "password" } : null;
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

/** Users whom everybody has. */
const USERS =
  "admin|administrator|root|test|tester|demo|guest|user|ops|sa|postgres|pi|ubuntu|sysadmin|superuser|support|service|deploy|operator|backup";
/** A word up to its end, or that of its sentence. */
const PASSWORD_WORD = "([^\\s\"'`/()[\\]{}]{8,64}?)(?=[.,;!?]?(?:[\\s\"'`)]|$))";
/** A user before a password. */
const WITH_USER = "(?:[\\w.@+-]{2,60}(?: / |:| and | und | et | y | e |, ))?";

function isMadeUpOrTelling(value: string): boolean {
  return isTellingOrCoupled(value) || (isMadeUp(value) && !hasWordOfCode(value));
}

function isTellingOrCoupled(value: string): boolean {
  return isTelling(value) || isCoupled(value);
}

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

const WIRELESS = /[^\n:]{6,50}:\s{0,3}((?:\d{4}[- ]){3,4}\d{4}|\d{16,20}|[\dA-F]{16,26})(?!\d)/y;

const USED = /(?:use|try|with|utilise|nimm|usa) ["'`]?([^\s"'`]{8,100})["'`]? to $/i;

/** The value that a sentence says to log in with, before a word that ends it. */
function usedBefore(text: string, at: number): Secret | null {
  const value = USED.exec(text.slice(Math.max(0, at - 130), at))?.[1];
  if (value === undefined || !isTelling(value) || !isSecretValue(value, PASSWORD, "statement")) return null;
  const start = text.lastIndexOf(value, at);
  return { start, end: start + value.length, kind: "password" };
}

/** Words of a login, without the first letter, which may be a capital. */
const LOGIN_WORDS =
  "reds|redential|ogin|og in|ogging in|ogged in|ign in|igned in|ccount|ccess to|ccess: |uthentication|uthenticate|ugang|nmeld|dentifiant|redencial|redenzial|onnexion|onnecte|cceso|ccès|ccedi|esión|elépés|elde dich|et in|anel|nlog is".split(
    "|",
  );
/** A user and a password, on the line of such a word. */
const PAIR = new RegExp(
  `[^\\n]{0,80}?(?:\\n[ \\t>*-]{0,12})?(?<![\\w./@+=-])(?!https?:)(?:[A-Z]?[a-z][a-z\\d.+_-]{1,40}|[A-Z]{2,12})(?:@[\\w.-]{3,60})?(?: / |:|/|(?:,| and| und| y| et| e| en) (?=\\S*\\d))["'\`]?${PASSWORD_WORD}`,
  "y",
);

/** The password behind a user's name, on a line that speaks of a login. */
export const LOGIN_PAIR: Finder = telling(LOGIN_WORDS, PAIR, undefined, isTellingOrCoupled);

/** The next user of a list, below one whose password was taken out. */
const NEXT_PAIR = new RegExp(
  `\\[redacted:password\\]\\n[ \\t>*-]{0,12}[\\w.@+-]{2,60}(?: / |:|/)["'\`]?${PASSWORD_WORD}`,
  "y",
);

/** Passwords behind the name of a user, where nothing says what they are. */
export const LOGIN_PAIR_FINDERS: readonly Finder[] = [
  telling(["[redacted:password]"], NEXT_PAIR, undefined, isTellingOrCoupled),
  // Commands and consoles that log a user in.
  telling(
    ["net user ", "> user ", "rasdial "],
    /(?:net user|> user|rasdial \S{1,40}) [\w.@\\-]{2,60} ["']?([^\s"']{8,64})["']?(?=\s|$)/y,
    undefined,
    isMadeUpOrTelling,
  ),
  // A row of a table of people.
  telling(
    ["NTO ", "nto "],
    /nto ["`]?\w{0,20}(?:user|account|cred|login|member|admin)\w{0,20}["`]? values\s?\([^()\n]{0,200}?'([^'\n\s]{8,64})'/iy,
  ),
  telling(
    [
      ...[
        "auth: [",
        "auth: (",
        "auth = [",
        "auth=[",
        "login = (",
        "login = [",
        "login: [",
        'credentials": [',
      ],
      ...["credentials = (", "credentials = [", "credentials: [", "creds = (", "creds = [", "creds: ["],
    ],
    /[\w"]{4,12}\s?[:=]\s?[[(]\s{0,4}["'][^"'\n]{1,80}["']\s{0,4},\s{0,4}["']([^"'\n]{6,100})["']/y,
  ),
  telling(
    [
      "lient(",
      "asic(",
      " Open(",
      ".Open(",
      "ataSource(",
      "ithPassword(",
      "ecipher(",
      "onnect(",
      "onnection(",
      "construct(",
      "ogin(",
      "reateUser(",
      "reate_user(",
      "redential(",
      "sernamePassword",
      "redis.Redis(",
      "Redis(",
    ],
    /\w{5,18}\((?:\s{0,8}(?:["'][^"'\n]{0,120}["']|[\w.]{1,40}|\{[^{}\n]{0,60}\})\s{0,4},){1,5}\s{0,8}["']([^"'\n]{7,100})["']/y,
    undefined,
    isTellingOrCoupled,
  ),
  telling(["sp_addlinkedsrvlogin "], /sp_\w+\s(?:[^,\n]{1,60},){4}\s{0,4}N?'([^'\n]{6,100})'/y),
  telling(
    ["changePassword(", "resetPassword(", "setInitialPassword("],
    /\w+\((?:["'][^"'\n]{1,80}["'],\s{0,4})?["']([^"'\n]{6,100})["']\)/y,
  ),
  // A user's name and a password in one string.
  telling(
    ["httpauth", "sst_auth", "http_auth", "USERPWD", "userpwd", "basicauth", "basicAuth", "basic_auth"],
    /\w{6,10}["']?\s{0,4}(?:=>|[:=,])\s{0,4}["']?[\w.@-]{1,60}:([^\s"',:]{6,100})/y,
  ),
  telling(
    ["basicAuth:", "basicAuth(", "basic_auth:"],
    /[\w]{5,10}\s?[:=(]\s?\{?\s{0,8}(?:users:\s?\{\s{0,8})?["']?[\w.@-]{1,60}["']?\s?:\s{0,4}["']([^"'\n]{6,100})["']/y,
  ),
  // What logs in.
  telling(
    ["root:", "admin:", "postgres:", "ubuntu:"],
    /\w{4,8}:(?!\/)([^\s"'`:,]{8,100})(?=["'`]?[\s,.]|["'`]?$)/y,
    undefined,
    isTellingOrCoupled,
  ),
  telling(
    ["ifi ", "iFi ", "i-Fi ", "LAN ", "lan ", "SSID", "ssid", "WPA", "Key Content", "WLAN-"],
    /[^\n]{0,60}?(?:key|pw|pass(?:word|phrase|wort)?|kennwort|schlüssel|content|code|(?<=wi-?fi)\s?(?=[:=]))(?:\s{0,14}[:=]|\s(?:is|ist))?\s{1,3}["'`]?([^\s"'`,;]{8,63})/iy,
    undefined,
    isMadeUpOrTelling,
  ),
  telling(["send "], /send(?:_user)? {1,4}(?:-- )?\\{0,15}"([^"\s]{7,100}?)\\{1,3}[rn]\\{0,15}"/y),
  {
    words: ["log in", "sign in"],
    find: usedBefore,
  },
  telling(
    [
      "reds -> ",
      "reds → ",
      "reds = ",
      "ogin -> ",
      "redentials for ",
      "nmeldung mit ",
      "ogin with ",
      "og in with ",
    ],
    /\w{3,10} (?:->|→|=|mit|with|for [^\n:]{1,40}? (?:are|is)) ["'`]?[\w.@+-]{2,60}(?::| \/ | and | und )["'`]?([^\s"'`]{7,100})/y,
    undefined,
    isTellingOrCoupled,
  ),
  telling(
    [" / "],
    /(?<=(?:^|[\n(«"'`:>!]\s?|<!-- |(?:is|are|as|with|use|mit|avec|con|は|を) )[\w.@+-]{2,40}) \/ ["'`]?([^\s"'`/()[\]{}]{8,64})["'`]?(?=\s?(?:-->|\(|[で、。])|[\s,.;!?)]|$)/y,
    /logg?(?:ing|ed)? ?in|connect|connexion|wi-?fi|wlan|ssid|ログイン|cred|user|pass|zugang|anmeld|root|admin|ssh|console|account|identif|usuario|bel[ée]p|acceso|acc[eè]s/i,
    isTellingOrCoupled,
  ),
  // Users whom everybody has, and addresses of mail.
  telling(
    [" / "],
    new RegExp(
      `(?<=(?:^|[^\\w./-])(?:${USERS}|[\\w.+-]{1,40}@[\\w.-]{3,60})) / ["'\`]?${PASSWORD_WORD}`,
      "y",
    ),
    undefined,
    isTellingOrCoupled,
  ),
  telling(
    ["admin/", "root/", "administrator/", "demo/", "guest/", "ops/"],
    new RegExp(`(?<![\\w./-])[a-z]{3,13}/["'\`]?(?![^\\s.]*[.:])${PASSWORD_WORD}`, "y"),
    /log|cred|panel|zugang|anmeld|acc[eè]s|identif|pass|sign/i,
  ),
  // A user and a password behind words for a login.
  telling(
    ["ugang", "ugangsdaten", "ccount: ", "ogin: ", "redentials", "Creds ", "creds ", "elépési adatok"],
    new RegExp(
      `\\p{L}{4,12}(?: adatok)?(?: (?:für|for|zum|on|of|al|du)[^\\n:]{1,40})?: [\\w.@+-]{2,60}(?:, | und | and | y | et )["'\`]?${PASSWORD_WORD}`,
      "uy",
    ),
    undefined,
    isTellingOrCoupled,
  ),
  // What somebody is told to type.
  telling(
    [
      "ogging in ",
      "og in ",
      "ogged in ",
      "ign in ",
      "igned in ",
      "mpted ",
      "mpted, ",
      "asks ",
      "asked ",
      "typed ",
    ],
    new RegExp(
      `(?:\\w{2,6} in (?:with|as|using)|nlock the \\w{2,12} with|(?:mpted|asks?|asked)(?: for it)?,? (?:just )?(?:type|enter|use|give it)|typed(?: in)?) ${WITH_USER}["'\`]?${PASSWORD_WORD}`,
      "y",
    ),
  ),
  telling(
    [
      "elde dich mit ",
      "nmelden mit ",
      "onnecte-toi avec ",
      "onnectez-vous avec ",
      "ntra con ",
      "esión con ",
      "ccedi con ",
    ],
    new RegExp(`[\\p{L} -]{4,16} (?:mit|avec|con) ${WITH_USER}["'\`]?${PASSWORD_WORD}`, "uy"),
    undefined,
    isTellingOrCoupled,
  ),
  { words: ["it from "], find: changedFrom },
  telling(
    ["pens with "],
    new RegExp(`\\w{3,7} with ["'\`]?${PASSWORD_WORD}`, "y"),
    NEAR_DOOR,
    isTellingOrCoupled,
  ),
  finder(
    ["og in as ", "ign in as ", "ogged in as "],
    "password",
    /\w{2,5} in as [\w.+-]{1,40}@[\w.-]{3,60} (?:with|using|and) ["'`]?((?:[a-z]{3,12}-){2,4}[a-z]{3,12})(?![\w-])/y,
  ),
  finder(["pass phrase"], "password", /pass phrase(?: for [^\n:]{1,60})?: {0,2}([^\s]{6,200})/y),
  finder(["Pass phrase"], "password", /Pass phrase(?: for [^\n:]{1,60})?: {0,2}([^\s]{6,200})/y),
  {
    words: [
      "WLAN-Key",
      "WLAN-Schlüssel",
      "WLAN-Netzwerkschlüssel",
      "WLAN key",
      "Wi-Fi key",
      "WiFi key",
      "WPA key",
      "WPA2 key",
    ],
    find: (text, at) => {
      const place = firstGroup(text, at, WIRELESS);
      return place && { ...place, kind: "password" };
    },
  },
  // Secrets of point-to-point connections: user, server, secret.
  telling(
    ["ap-secrets"],
    /ap-secrets(?:\s<<<\s["']|[^\n]{0,40}\n(?:\s{0,8}#[^\n]{0,100}\n){0,3}\s{0,8})["']?[\w.@-]{1,60}["']?\s{1,20}\S{1,60}\s{1,20}["']?([^\s"']{6,100})/y,
  ),
  telling(
    ["radius-server host ", "tacacs-server host ", "isakmp key "],
    /(?:\w{6,7}-server host \S{1,60} [^\n]{0,40}?|isakmp )key (?:[0-7] )?(\S{6,100})/y,
    undefined,
    isMadeUp,
  ),
  telling(["auth-user-pass"], /auth-user-pass[^\n]{0,60}\n(?:#[^\n]{0,60}\n)?[\w.@-]{1,60}\n(\S{6,100})/y),
  finder(["s%3A", "=s:"], "cookie", /(?:=s:|s%3A)([\w-]{20,64}\.[\w%+/=-]{27,90})/y),
  finder(
    ["vmess://", "ss://"],
    "vpn-link",
    /\w{2,5}:\/\/([A-Za-z0-9+/_-]{30,4000}={0,2})(?=[@#\s"']|$)/y,
    true,
  ),
  finder(
    ["mega.nz/", "/send/#", "/send#"],
    "link",
    /(?:mega\.nz\/(?:file|folder)\/[\w-]{6,12}#|\/send\/?#(?:\/?send\/)?[\w-]{2,40}\/)([\w-]{20,60})/y,
    true,
  ),
  finder(
    [
      "ecurity key: ",
      "ecovery key: ",
      "ecurity key is ",
      "ecovery key is ",
      "ecovery passphrase: ",
      "ackup passphrase: ",
    ],
    "recovery-key",
    /\w{5,8} \w{3,10}(?:: | is )((?=[^\n]{0,80}\d)(?:[A-Za-z0-9]{4,6}[ -]){4,15}[A-Za-z0-9]{4,6})(?![\w-]| [a-z])/y,
  ),
  finder(["macaroon"], "token", /macaroon[^\n:=]{0,30}[:=]\s{0,3}["']?([0-9a-fA-F]{80,4000})/y),
  finder(
    ["cookie for ", "cookie of "],
    "cookie",
    /cookie (?:for|of) [^\n:=]{1,40}[:=]\s{0,3}["'`]?([0-9a-f]{32,200}|[\w-]{32,400})(?![\w-])/y,
  ),
];

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
const AUTH =
  /AUTH[ \t]{1,3}(?:(?!PLAIN|LOGIN|CRAM|XOAUTH|NTLM|TLS)\w{1,30}[ \t]{1,3}(?=\S))?["']?([^\s"']{7,200})["']?[ \t]*(?=\r?\n|$)/y;

/** The password of Redis's `AUTH password` and `AUTH user password`, at the end of a line. */
function redisPassword(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, AUTH);
  if (place === null) return null;
  const value = text.slice(place.start, place.end);
  return isSecretValue(value, PASSWORD, "statement") ? { ...place, kind: "password" } : null;
}
const EXPECT = /send(?:_user)?\s{1,20}(?:--\s{1,20})?\\{0,15}"([^"\n]{5,100}?)\\{1,3}[rn]\\{0,15}"/y;
/** The same right behind the question for a password. */
const ASKED = new RegExp(
  `(?<=(?:assword|assphrase|asscode)[^\\n]{0,12}\\s{0,4}\\{?\\s{0,8})${EXPECT.source}`,
  "y",
);

/** Secrets after telling words: logins, codes, phrases, keys in XML and JSON, links that give access. */
export const PHRASE_FINDERS: readonly Finder[] = [
  finder(["login "], "password", NETRC),
  { words: ["AUTH "], find: redisPassword },
  finder(["AUTH "], "password", /AUTH\s{1,3}(?:\w{1,30}\s)?([^\s"']{8,200})/y, true),
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
  finder(["send "], "password", ASKED),
];

const PGPASS = /[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?!\/)([^\s:"']{5,200})/y;
/** Lines of .pgpass: `host:port:database:user:password`; `colon` is the first of a line. */
export function pgpassSecret(text: string, colon: number): Secret | null {
  let at = colon;
  while (at > 0 && colon - at < 100 && /[\w.*-]/.test(text[at - 1] ?? "")) at--;
  return found(text, at, PGPASS, "password", false);
}
