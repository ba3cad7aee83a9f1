import type { Secret } from "./finder.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

/** A backslash counts between the domain and the name of a user. */
const ADDRESS_REST = /(?:[\w-]{1,40}\\(?=[\w.-]{1,40}:[^\s:]{1,100}@))?[^\s"'`<>\\]{1,1000}/y;
const HOST =
  /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\]|\$?\{[^}]*\}|\$\w+|%[\w-]+)(?::(?:\d{1,5}|\$\{?\w+\}?))?(?:[/?#,;:)\].]|$)/;

/** The password in an address, `scheme://user:password@host`, or a token in the user's place; `at` is that of `://`. */
export function addressSecret(text: string, at: number): Secret | null {
  const start = at + 3;
  ADDRESS_REST.lastIndex = start;
  const rest = ADDRESS_REST.exec(text)?.[0];
  if (rest === undefined || !rest.includes("@")) return null;
  const info = userInfo(rest);
  if (info === null) return null;
  const colon = info.indexOf(":");
  if (colon < 0) return user(info, start);
  const password = info.slice(colon + 1);
  // The key is the user's name, and the password is nothing or says so.
  if (NO_PASSWORD.test(password)) return user(info.slice(0, colon), start);
  if (password.length < 3 || isStandIn(password) || isUserPair(info.slice(0, colon), password)) return null;
  // Both halves of an old address of Sentry are keys.
  const isPair = /^[0-9a-f]{32}:[0-9a-f]{32}$/.test(info);
  return { start: isPair ? start : start + colon + 1, end: start + info.length, kind: "password" };
}

/** Returns what precedes the host: all up to the last `@` that a host follows. A port and a path are not part of it. */
function userInfo(rest: string): string | null {
  for (let at = rest.lastIndexOf("@"); at > 0; at = rest.lastIndexOf("@", at - 1)) {
    const info = rest.slice(0, at);
    if (!HOST.test(rest.slice(at + 1))) continue;
    const slash = info.search(/[/?#]/);
    if (slash < 0) return info;
    const colon = info.indexOf(":");
    if (colon < 0 || colon > slash || /^\d{0,5}$/.test(info.slice(colon + 1, slash))) continue;
    // A password may contain a slash. Without a colon, it is a host with a path that contains an `@`.
    return info;
  }
  return null;
}

const NO_PASSWORD = /^(?:.{0,2}|x-oauth-basic|unused|ignored|password|pass|none|api_?token|token)$/i;

function user(info: string, start: number): Secret | null {
  if (info.length < 16 || /[/?#]/.test(info) || isStandIn(info) || !looksRandom(info)) return null;
  return { start, end: start + info.length, kind: "token" };
}

/** True for a pair from an example, such as `app:app@`. */
function isUserPair(name: string, password: string): boolean {
  return name === password && password.length < 16;
}

const [DOUBLE_QUOTE, SINGLE_QUOTE, COLON, AT] = [34, 39, 58, 64];
const PAIR = /(?<![\w.:/@-])([\w.+-]{1,40}):([^\s:@"'`<>/,;()]{8,100})$/;
const HOST_AFTER =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|(?:tcp|udp|unix)\([\w./:-]+|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d{2,5}(?!\w)))(?![\w@])/;

/** A quick check: at least eight characters of a password, and a colon before them, precede the `@`. */
export function mayBePair(text: string, at: number): boolean {
  const limit = Math.max(0, at - 101);
  for (let i = at - 1; i >= limit; i--) {
    const code = text.charCodeAt(i);
    if (code === COLON) return at - i > 8;
    if (code <= 32 || code === AT || code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return false;
  }
  return false;
}

/** The password of `user:password@host` without a scheme; `at` is that of `@`. */
export function pairSecret(text: string, at: number): Secret | null {
  if (!HOST_AFTER.test(text.slice(at + 1, at + 80))) return null;
  const before = text.slice(Math.max(0, at - 150), at);
  const password = PAIR.exec(before)?.[2];
  if (password === undefined || isStandIn(password)) return null;
  const isProtocol = /^(?:tcp|udp|unix)\(/.test(text.slice(at + 1, at + 6));
  const isLikely = isProtocol || (/\d/.test(password) && (looksRandom(password) || /[^\w.-]/.test(password)));
  return isLikely ? { start: at - password.length, end: at, kind: "password" } : null;
}
