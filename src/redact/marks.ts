import { assignedSecret } from "./assignments.ts";
import type { Secret } from "./finder.ts";
import { mayBeAssigned } from "./names.ts";
import { keyBeforeEnd } from "./private-keys.ts";
import { looksRandom } from "./randomness.ts";
import { recoveryKey } from "./second-factors.ts";
import { hashesBefore, pgpassSecret } from "./sentences.ts";
import { BOTH_CASES, codeAt, isDigit, isWordChar, wordSort } from "./signs.ts";
import { isStandIn } from "./stand-ins.ts";
import { genericToken, shapedSecret } from "./tokens.ts";

const [DASH, DOT, SLASH, COLON, EQUALS, AT, LOW_LINE] = [45, 46, 47, 58, 61, 64, 95];
const [DIGIT_1, ASTERISK] = [49, 42];
const [LETTER_A, LETTER_E, LETTER_P, LETTER_S] = [65, 69, 112, 115];

/** Tells quickly whether a mark may be more than punctuation. */
export function isPromisingMark(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  // Only a word continues after these marks, and most end a word or a sentence.
  if ((mark === DOT || mark === DASH || mark === LOW_LINE) && !goesOn(codeAt(text, at + 1))) return false;
  switch (mark) {
    case DOT:
      return codeAt(text, at + 7) === DOT || isDottedToken(text, at);
    case LOW_LINE:
    case DASH:
      return isDash(text, at);
    case EQUALS:
      return mayBeAssigned(text, at);
    case COLON:
      return isPromisingColon(text, at);
    default:
      return mark === AT && mayBePair(text, at);
  }
}

function goesOn(code: number): boolean {
  return isWordChar(code) || code === DASH || code === LOW_LINE;
}

function isPromisingColon(text: string, at: number): boolean {
  const next = codeAt(text, at + 1);
  if (next === SLASH) return codeAt(text, at + 2) === SLASH;
  if (next === COLON && codeAt(text, at + 2) === COLON) return isWordChar(codeAt(text, at - 1));
  return (
    (next === LETTER_A && codeAt(text, at + 2) === LETTER_A) ||
    isPairOfIds(text, at) ||
    isPort(text, at + 1) ||
    mayBeAssigned(text, at)
  );
}

/** Tells whether a colon may stand between a UUID and 32 characters, or two short words and a long one. */
function isPairOfIds(text: string, at: number): boolean {
  return (codeAt(text, at - 13) === DASH && isRun(text, at + 1, at + 33)) || codeAt(text, at - 7) === DOT;
}

/** Tells whether a long word follows, or another dash and a possible end of a key. */
function isDash(text: string, at: number): boolean {
  const next = codeAt(text, at + 1);
  if (isDigit(next) && isSixDigits(text, at)) return true;
  if (next === DASH) return codeAt(text, at + 5) === LETTER_E;
  return isLongWord(text, at) || isMailgun(text, at);
}

/** Tells whether six digits and another dash follow, as in a recovery key. */
function isSixDigits(text: string, at: number): boolean {
  return codeAt(text, at + 7) === DASH && isDigit(codeAt(text, at + 6)) && isDigit(codeAt(text, at - 6));
}

/** Tells whether groups of 32, 8 and 8 hex digits surround a dash. */
function isMailgun(text: string, at: number): boolean {
  return codeAt(text, at + 9) === DASH && isRun(text, at - 32, at) && isRun(text, at + 10, at + 18);
}

/** Tells quickly whether a word may start at one offset and end at the other. */
function isRun(text: string, start: number, end: number): boolean {
  return (
    start >= 0 &&
    isWordChar(codeAt(text, start)) &&
    isWordChar(codeAt(text, end - 1)) &&
    !isWordChar(codeAt(text, start - 1)) &&
    !isWordChar(codeAt(text, end))
  );
}

/**
 * Tells whether a dot may belong to a token. Airtable: `pat`, 14 characters and a dot. Zoho: starts with `1000.`. Old Vault: `s.`
 * and 24 characters. Zhipu: 32 characters, a dot and 16 characters.
 */
function isDottedToken(text: string, at: number): boolean {
  return (
    codeAt(text, at - 17) === LETTER_P ||
    (codeAt(text, at - 4) === DIGIT_1 && text.startsWith("000", at - 3)) ||
    isOldVault(text, at) ||
    isOldZhipu(text, at)
  );
}

function isOldVault(text: string, at: number): boolean {
  return codeAt(text, at - 1) === LETTER_S && isRun(text, at - 1, at) && isRun(text, at + 1, at + 25);
}

function isOldZhipu(text: string, at: number): boolean {
  return isWordChar(codeAt(text, at + 10)) && isRun(text, at + 1, at + 17) && isRun(text, at - 32, at);
}

/** Returns the secret that contains the mark or follows it. `done` is the end of the previous secret. */
export function markedSecret(text: string, at: number, done: number): Secret | null {
  switch (text.charCodeAt(at)) {
    case EQUALS:
      return assignedSecret(text, at);
    case COLON:
      return colonSecret(text, at);
    case DOT:
      return dotSecret(text, at);
    case AT:
      return pairSecret(text, at);
    case DASH:
      if (text.charCodeAt(at + 1) === DASH && text.startsWith("---END ", at + 2))
        return keyBeforeEnd(text, at, done);
      if (isSixDigits(text, at)) return recoveryKey(text, at);
      if (isMailgun(text, at)) return shapedSecret(text, at, "mailgun-key");
      return isLongWord(text, at) ? genericToken(text, at) : null;
    case LOW_LINE:
      return isLongWord(text, at) ? genericToken(text, at) : null;
    default:
      return null;
  }
}

function colonSecret(text: string, at: number): Secret | null {
  if (text.startsWith("//", at + 1)) return addressSecret(text, at);
  if (text.startsWith("::", at + 1)) return hashesBefore(text, at);
  if (text.startsWith("AA", at + 1)) return shapedSecret(text, at, "telegram-token");
  if (isPairOfIds(text, at)) {
    const secret = shapedSecret(text, at, "fal-key") ?? shapedSecret(text, at, "ably-key");
    if (secret) return secret;
  }
  if (isPort(text, at + 1)) {
    const secret = pgpassSecret(text, at);
    if (secret) return secret;
  }
  return assignedSecret(text, at);
}

/** Tells whether a port, or `*` for any, and a name between two colons follow. */
function isPort(text: string, at: number): boolean {
  let end = at;
  if (codeAt(text, at) === ASTERISK) end++;
  else while (end - at < 6 && isDigit(codeAt(text, end))) end++;
  if (end === at || codeAt(text, end) !== COLON) return false;
  const limit = Math.min(end + 62, text.length);
  for (let i = end + 1; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === COLON) return true;
    if (!isWordChar(code) && code !== LOW_LINE && code !== DOT && code !== ASTERISK && code !== DASH)
      return false;
  }
  return false;
}

function dotSecret(text: string, at: number): Secret | null {
  // The second part of a Discord token has six characters.
  if (text.charCodeAt(at + 7) === DOT) {
    const secret = shapedSecret(text, at, "discord-token");
    if (secret) return secret;
  }
  if (text.startsWith("pat", at - 17)) return shapedSecret(text, at, "airtable-token");
  if (text.startsWith("1000", at - 4)) return shapedSecret(text, at, "zoho-token");
  if (isOldVault(text, at)) return shapedSecret(text, at, "vault-token");
  return isOldZhipu(text, at) ? shapedSecret(text, at, "zhipu-key") : null;
}

/** Tells quickly whether a mark is followed by thirty word characters with letters of both cases. */
function isLongWord(text: string, at: number): boolean {
  const end = at + 31;
  if (end > text.length) return false;
  let seen = 0;
  for (let i = at + 1; i < end; i++) {
    const sort = wordSort(text.charCodeAt(i));
    if (sort === 0) return false;
    seen |= sort;
  }
  return (seen & BOTH_CASES) === BOTH_CASES;
}

/** The rest of a URL after `://`. A backslash may occur only in `DOMAIN\user:password@`. */
const ADDRESS_REST = /(?:[\w-]{1,40}\\(?=[\w.-]{1,40}:[^\s:]{1,100}@))?[^\s"'`<>\\]{1,1000}/y;
const HOST =
  /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\]|\$?\{[^}]*\}|\$\w+|%[\w-]+)(?::(?:\d{1,5}|\$\{?\w+\}?))?(?:[/?#,;:)\].]|$)/;

/** Returns the password in a URL, `scheme://user:password@host`, or a token in the user's place; `at` is the offset of `://`. */
function addressSecret(text: string, at: number): Secret | null {
  const start = at + 3;
  ADDRESS_REST.lastIndex = start;
  const rest = ADDRESS_REST.exec(text)?.[0];
  if (rest === undefined || !rest.includes("@")) return null;
  const info = userInfo(rest);
  if (info === null) return null;
  const colon = info.indexOf(":");
  if (colon < 0) return user(info, start);
  const password = info.slice(colon + 1);
  // The key is in the user's place, and the password is empty or a placeholder.
  if (NO_PASSWORD.test(password)) return user(info.slice(0, colon), start);
  if (password.length < 3 || isStandIn(password) || isUserPair(info.slice(0, colon), password)) return null;
  // Both halves of an old Sentry URL are keys.
  const isPair = /^[0-9a-f]{32}:[0-9a-f]{32}$/.test(info);
  return { start: isPair ? start : start + colon + 1, end: start + info.length, kind: "password" };
}

/** Returns the part before the host: everything up to the last `@` before a host, without port and path. */
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

/** Tells whether a pair comes from an example, such as `app:app@`. */
function isUserPair(name: string, password: string): boolean {
  return name === password && password.length < 16;
}

const [DOUBLE_QUOTE, SINGLE_QUOTE] = [34, 39];
const PAIR = /(?<![\w.:/@-])([\w.+-]{1,40}):([^\s:@"'`<>/,;()]{8,100})$/;
const HOST_AFTER =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|(?:tcp|udp|unix)\([\w./:-]+|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d{2,5}(?!\w)))(?![\w@])/;

/** Tells quickly whether a colon and at least eight password characters precede the `@`. */
function mayBePair(text: string, at: number): boolean {
  const limit = Math.max(0, at - 101);
  for (let i = at - 1; i >= limit; i--) {
    const code = text.charCodeAt(i);
    if (code === COLON) return at - i > 8;
    if (code <= 32 || code === AT || code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return false;
  }
  return false;
}

/** Returns the password of `user:password@host` without a scheme; `at` is the offset of `@`. */
function pairSecret(text: string, at: number): Secret | null {
  if (!HOST_AFTER.test(text.slice(at + 1, at + 80))) return null;
  const before = text.slice(Math.max(0, at - 150), at);
  const password = PAIR.exec(before)?.[2];
  if (password === undefined || isStandIn(password)) return null;
  const isProtocol = /^(?:tcp|udp|unix)\(/.test(text.slice(at + 1, at + 6));
  const isLikely = isProtocol || (/\d/.test(password) && (looksRandom(password) || /[^\w.-]/.test(password)));
  return isLikely ? { start: at - password.length, end: at, kind: "password" } : null;
}
