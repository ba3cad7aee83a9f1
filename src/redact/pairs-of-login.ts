import { type Finder, finder, firstGroup } from "./finder.ts";
import { isMadeUp } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { looksMixed } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";
import { isStrong } from "./strong.ts";
import { isSecretValue } from "./values.ts";

/** Ids, files, and what calls something. */
const OTHER = /[()[\]{}\\]|:\/\/|^(?:CVE|CWE|GHSA|RFC|ISO)-|\.[a-z]{2,5}$|^\//;

/** A value that nobody takes for a word. */
function isTelling(value: string): boolean {
  if (isStandIn(value) || OTHER.test(value)) return false;
  return (
    isStrong(value) ||
    looksMixed(value) ||
    (isMadeUp(value) && /[a-z]{3}/.test(value) && /[A-Z]|[!#@*+~&]|\d\d$/.test(value))
  );
}

/** Finds what the first group of a pattern matches if nobody takes it for a word; a word of `near` stands nearby. */
function telling(words: readonly string[], pattern: RegExp, near = /^/): Finder {
  return {
    words,
    find: (text, at) => {
      const place = firstGroup(text, at, pattern);
      if (place === null) return null;
      const value = text.slice(place.start, place.end).replace(/[.,;)]+$/, "");
      const isSecret = isTelling(value) && isSecretValue(value, PASSWORD, "statement");
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

const WIRELESS = /[^\n:]{6,50}:\s{0,3}((?:\d{4}[- ]){3,4}\d{4}|\d{16,20}|[\dA-F]{16,26})(?!\d)/y;

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
      "onnect(",
      "reateUser(",
      "reate_user(",
      "redential(",
      "sernamePassword",
      "redis.Redis(",
      "Redis(",
    ],
    /\w{5,18}\((?:\s{0,8}(?:["'][^"'\n]{0,120}["']|[\w.]{1,40})\s{0,4},){1,5}\s{0,8}["']([^"'\n]{7,100})["']/y,
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
  ),
  telling(["ifi pw", "iFi pw", "i-Fi pw", "LAN pw"], /[\w-]{3,4} pw(?: is)?:? {0,3}["'`]?([^\s"'`]{7,64})/y),
  telling(["send "], /send(?:_user)? {1,4}(?:-- )?\\*"([^"\s]{7,100}?)\\{1,3}[rn]\\*"/y),
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
  ),
  telling(
    [" / "],
    /(?<=(?:^|[\n(«"'`:>!]\s?|<!-- |(?:is|are|as|with|mit|avec|con|は|を) )[\w.@+-]{2,40}) \/ ["'`]?([^\s"'`/()[\]{}]{8,64})["'`]?(?=\s?(?:-->|\(|[,.]?\s?(?:$|\n)|[で、。]|for |auf |on ))/y,
    /log ?in|ログイン|cred|user|pass|zugang|anmeld|root|admin|ssh|console|account|identif|usuario/i,
  ),
  finder(["pass phrase"], "password", /pass phrase(?: for [^\n:]{1,60})?: {0,2}([^\s]{6,200})/y),
  finder(["Pass phrase"], "password", /Pass phrase(?: for [^\n:]{1,60})?: {0,2}([^\s]{6,200})/y),
  telling(
    ["SSID: ", "ssid: ", "SSID "],
    /ssid:? [^\n]{1,40}?\b(?:key|pass\w{0,6}|pw|schlüssel|kennwort):? {0,4}(\S{8,63})/iy,
  ),
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
  telling(["radius-server host "], /radius-server host \S{1,60} [^\n]{0,40}?key (?:[07] )?(\S{6,100})/y),
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
