import { atWordStarts, type Finder, finder, firstGroup, found, type Secret } from "./finder.ts";
import { isRegular, looksMixed, looksRandom } from "./randomness.ts";

/** Starts of keys in the wallet import format: `5` and 50 more characters, or `K` or `L` and 51. */
const STARTS = "5H 5J 5K Kw Kx Ky Kz L1 L2 L3 L4 L5".split(" ");
const WIF =
  /(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|K[w-z][1-9A-HJ-NP-Za-km-z]{50}|L[1-5][1-9A-HJ-NP-Za-km-z]{50})(?![A-Za-z0-9])/y;

/** Returns the private key of a wallet without a name. */
function walletKey(text: string, at: number): Secret | null {
  WIF.lastIndex = at;
  const key = WIF.exec(text)?.[0];
  return key !== undefined && looksMixed(key)
    ? { start: at, end: at + key.length, kind: "private-key" }
    : null;
}

const GROUPS =
  "(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}(?![A-Za-z0-9])|(?:[a-z\\d]{4} ){3,15}[a-z\\d]{4}(?![A-Za-z0-9]| [a-z])";
/** The secret of an authenticator, on the line of a word for it or on the next one. */
const SETUP_KEY = new RegExp(
  `[^\\n]{0,90}?(?:\\n[^\\n]{0,24}?)?(?<![\\w+/=-])(${GROUPS}|[A-Z2-7]{16,64}(?![\\w+/-]))`,
  "y",
);

const NUMBERED = /1\.\s{0,3}([a-z]{3,8}(?:,?\s{1,4}\d{1,2}\.\s{0,3}[a-z]{3,8}){11,23})/y;
/** Maximum distance from the first to the twelfth word of a numbered phrase. */
const MAX_NUMBERED = 300;

/** Returns the words of a numbered seed phrase, given the position of its twelfth number. */
function numberedSeed(text: string, at: number): Secret | null {
  const first = text.lastIndexOf("1. ", at - 60);
  if (first < 0 || at - first > MAX_NUMBERED) return null;
  NUMBERED.lastIndex = first;
  const words = NUMBERED.exec(text)?.[1];
  if (words === undefined || isProse(words)) return null;
  return { start: NUMBERED.lastIndex - words.length, end: NUMBERED.lastIndex, kind: "seed-phrase" };
}

/** Words that every sentence needs and that wallet word lists hardly contain. */
const FUNCTION_WORDS =
  /\b(?:the|and|for|are|was|not|but|from|has|had|our|its|his|her|been|were|which|would|should|could|does|did|may|than|them|these|those|also|some|more|each|used|using|here|because|now|get|set|new|see)\b/g;

function isProse(words: string): boolean {
  return (words.match(FUNCTION_WORDS) ?? []).length > 0 || new Set(words.match(/\p{Ll}+/gu)).size < 10;
}

const SEED_LINE =
  /[>"'`\s]{0,4}(?:[A-Za-z ]{1,40}(?:[:=]|\b(?:are|is))\s{0,2})?["'`]?((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){12})?[a-z]{3,8})["'`.]?[ \t\r]*(?=\n|$)/y;
const GROUPS_LINE =
  /[>"'`\s]{0,4}["'`]?((?:[A-Z2-7]{4} ){7}(?:(?:[A-Z2-7]{4} ){8})?[A-Z2-7]{4})["'`.]?[ \t\r]*(?=\n|$)/y;
/** The code of a sync folder: at least half of its words, with or without the prefix. */
const FOLDER_CODE =
  /(?:[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][\s.,-]{1,3}){7,16}(?:[bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz](?![a-z])/iy;
/** Tells whether words start with the code of a folder. */
function isFolderCode(words: string): boolean {
  FOLDER_CODE.lastIndex = 0;
  return FOLDER_CODE.test(words);
}
const CODE_LINE = new RegExp(`[>"'\`\\s]{0,4}(?:[A-Za-z ]{1,40}[:=]\\s{0,2})?(${FOLDER_CODE.source})`, "iy");

/** Returns the words of a folder's code after its prefix, which ends at an offset. */
function folderCode(text: string, at: number): Secret | null {
  const from = at + "memkey".length + (/^[\s:.,-]{0,3}/.exec(text.slice(at + 6, at + 9))?.[0].length ?? 0);
  FOLDER_CODE.lastIndex = from;
  return FOLDER_CODE.test(text) ? { start: from, end: FOLDER_CODE.lastIndex, kind: "sync-code" } : null;
}

/** Code of the quotation mark. */
const QUOTE = 62;
/** Line lengths that may contain twelve words or eight groups. */
const LINE = { min: 39, max: 260 };
/** Characters that may start a line of words or groups. */
const PLAIN = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz123456789 \"'`>:")
  PLAIN[char.charCodeAt(0)] = 1;
const PLAIN_START = 22;

/**
 * Adds seed phrases and keys alone on a line, without a word for them: twelve or twenty-four words, eight or sixteen groups of
 * four letters and digits, and the key of a wallet. Reads little more than the starts and ends of lines. Returns true when later
 * lines are quoted.
 */
export function addLoneSecrets(text: string, secrets: Secret[]): boolean {
  if (text.length < LINE.min) return text.includes("\n>");
  let isQuoted = false;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    if (end - start >= LINE.min && end - start <= LINE.max && isPlain(text, start)) {
      const secret = loneSecret(text, start);
      if (secret) secrets.push(secret);
    }
    start = end + 1;
    if (text.charCodeAt(start) === QUOTE) isQuoted = true;
  }
  return isQuoted;
}

/** Tells quickly whether a line may start with words or groups. */
function isPlain(text: string, start: number): boolean {
  for (let i = start; i < start + PLAIN_START; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 || PLAIN[code] === 0) return false;
  }
  return true;
}

function loneSecret(text: string, start: number): Secret | null {
  return (
    walletKey(text, start) ??
    found(text, start, SEED_LINE, "seed-phrase", (words) => !isProse(words)) ??
    found(text, start, CODE_LINE, "sync-code", () => true) ??
    found(text, start, GROUPS_LINE, "totp-secret", (groups) => /\d/.test(groups))
  );
}

const BITLOCKER = /\d{6}(?:-\d{6}){7}(?!\d|-\d)/y;

/** Returns a BitLocker recovery key, eight groups of six digits; `dash` is the first dash between them. */
export function recoveryKey(text: string, dash: number): Secret | null {
  BITLOCKER.lastIndex = dash - 6;
  if (dash < 6 || !BITLOCKER.test(text)) return null;
  return { start: dash - 6, end: BITLOCKER.lastIndex, kind: "recovery-key" };
}

/** Possible separators between the words of a seed phrase: quotes, commas, line ends, numbers. */
const BETWEEN =
  "[\"'`]?(?:\\s{0,3},\\s{0,12}|\\s{1,12}|\\s{0,3}[·|]\\s{0,3})(?:[-*] )?(?:\\d{1,2}[.):]?\\s{1,4})?[\"'`]?";
const SEED = new RegExp(
  `[^\\n]{0,90}?(?:\\s{1,16}|[:=[("'\`]{1,4}\\s{0,16})(?:1[.):]?\\s{1,4})?["'\`]?(?<!\\p{L})(?!(?:are|was|were|sind|sont|ist|son)\\b)(\\p{Ll}{3,9}(?:${BETWEEN}\\p{Ll}{3,9}){11,23})(?![\\p{L}])`,
  "uy",
);

/** Returns the words of a seed phrase on the line of a word for it or below, with any separators. */
function seedPhrase(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, SEED);
  if (place === null) return null;
  const words = text.slice(place.start, place.end);
  if (isFolderCode(words)) return { ...place, kind: "sync-code" };
  return isProse(words) ? null : { ...place, kind: "seed-phrase" };
}

/** Words for one-time codes and recovery codes. */
const CODE_OF =
  "verification confirmation security login log-in sign-in access authentication authenticator authorization auth sms two-factor 2fa mfa otp door gate garage alarm disarm entry lock safe pairing unlock one-time passcode revocation reset setup".split(
    " ",
  );
const RECOVERY_OF = "recovery backup scratch rescue emergency".split(" ");
/** The same words in other languages, without the first letter, which may be a capital. */
const CODES_OF =
  "estätigungscode|icherheitscode|inmalcode|inmalpasswort|ugangscode|ürcode|ode für d|ode de la p|ódigo de la p|odice della p|reischaltcode|ode à usage unique|ode de v|ode du c|ode du p|ode de l|ódigo del|ode de s|ode de conf|ode d'acc|ódigo de verif|ódigo de segu|ódigo de conf|ódigo de acc|odice di verif|odice di sicu|odice di acc|ódigo de acess|erificatiecode|oegangscode".split(
    "|",
  );
const RECOVERIES_OF =
  "ackup verification code|iederherstellungscode|icherungscode|odes de récup|odes de secours|ódigos de re|odici di |erstelcode|ackup-code".split(
    "|",
  );
/** Text that leads to a number: a mark, a verb, or the name of the code. */
const LINKED =
  "(?:[:?→][ \\t*\"'`]{1,4}|=\\s{0,3}[\"'`]?|\\s(?:is|are|was|lautet|ist|c'est|est|es|è|é|jest|är|er|on|теперь|сейчас|most|kódja|type|enter|use)(?:(?: now| jetzt| maintenant| ahora| ora)?:?\\s)[\"'`*]{0,3}|(?<=(?:code|otp|pin|tan|puk|kód)s?)[ =])";
/** Words that give a number another meaning. */
const COUNTS =
  "(?![\\w:/%]|[.,-]\\w| (?:bytes|ms|seconds|minutes|hours|days|digits|chars|characters|times|requests|lines))";
/** A number after its name, as a flag or in a sentence. */
const ONE_TIME = new RegExp(
  `[^\\n]{2,90}?${LINKED}((?:[A-Z]{1,2}-?)?(?:\\d{5,8}#?|\\d{3}[ -]\\d{3}|\\d{4}[ -]\\d{4}|\\d\\d(?: \\d\\d){2}|\\d\\d(?:-\\d\\d){2}|\\d{3}-\\d\\d-\\d{3}|\\d(?: \\d){5}|(?!(?:19|20)\\d\\d)\\d{4}[#A-Z]?|(?!\\d{4}-\\d\\d-\\d\\d)(?-i:(?=[A-Z-]*\\d)[A-Z\\d]{2,6}(?:-[A-Z\\d]{2,6}){2,5})|(?=\\S*\\d)(?=\\S*[A-Z])(?=\\S*[$#!%*])[^\\s=&?/<>(){}]{6,20}))${COUNTS}`,
  "iuy",
);
const CODE =
  "(?:[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){1,4}|\\d{8,12}|\\d{3,6} \\d{3,6}|[a-z]*\\d[a-z0-9]{7,12}|(?=[a-z\\d]{6,16}(?![\\w-]))(?!v\\d)[a-z]*\\d+[a-z]+\\d[a-z\\d]*|[A-Z0-9]{3,12}(?:-[A-Z0-9]{2,12}){1,7}|(?:[a-z0-9]{4} ){7}[a-z0-9]{4})(?![\\w-])";
/** A list of codes, one per line or separated by commas. */
const CODES = new RegExp(
  `[^\\n\\d]{4,90}?(?:[:=,(\\n]|\\sis|(?<=codes?)(?= \\S{0,12}\\d))\\s{0,20}((?:(?:[ \\t>*"'\`•☐☑✓✗-]|\\[[ xX]?\\]|\\(?\\d{1,2}[.)]){0,40}(?=[\\w -]{0,30}\\d)${CODE}[ \\t,;\`"')]*\\n?){1,24})`,
  "y",
);

function oneTimeCode(text: string, at: number): Secret | null {
  return found(text, at, ONE_TIME, "one-time-code", (code) => !isRegular(code));
}

/** Returns the codes in a list, without the text after the last one. */
export function recoveryCodes(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, CODES);
  if (place === null) return oneTimeCode(text, at);
  const list = text.slice(place.start, place.end).replace(/[\s,;`"')]+$/, "");
  return isRegular(list)
    ? null
    : { start: place.start, end: place.start + list.length, kind: "recovery-codes" };
}

/** A number before its name: `739204 is your code`. */
const CODE_BEFORE = /(?:^|[^\w.-])((?:[A-Z]-)?(?:\d{6,8}|\d{3}[ -]\d{3}|\d\d(?:[ -]\d\d){2}))$/;
const IS_CODE = / is (?:your|the) [^\n.]{0,40}?\b(?:code|otp|pin|passcode)\b/iy;

function codeBefore(text: string, at: number): Secret | null {
  IS_CODE.lastIndex = at;
  const code = IS_CODE.test(text) ? CODE_BEFORE.exec(text.slice(Math.max(0, at - 12), at))?.[1] : undefined;
  return code === undefined ? null : { start: at - code.length, end: at, kind: "one-time-code" };
}

/** Finders for access codes, and for secrets of second factors and wallets in telling places. */
export const FACTOR_FINDERS: readonly Finder[] = [
  // The character before a wallet's key belongs to the sign, because two characters alone are too common.
  {
    words: Array.from(" \t\"'`(:=", (mark) => STARTS.map((start) => mark + start)).flat(),
    find: (text, at) => walletKey(text, at + 1),
  },
  ...atWordStarts([
    finder(
      "setup key|Setup key|Setup Key|set-up key|TOTP|totp|2FA|2fa|MFA|mfa|secret key|Secret key|Secret Key|seed for |secret for |seed of |manually|manual entry|Manual entry|authenticator|Authenticator|gauth|QR code|can't scan|Can't scan|type this key|this key instead|accounts add |or type|Einrichtungsschlüssel".split(
        "|",
      ),
      "totp-secret",
      SETUP_KEY,
      (key) => looksRandom(key.replace(/[ -]/g, "").toUpperCase()),
    ),
    { words: ["12. "], find: numberedSeed },
    { words: ["memkey", "Memkey"], find: folderCode },
    {
      words:
        "seed|Seed|SEED|words|Words|mnemonic|Mnemonic|MNEMONIC|phrase|Phrase|frase semilla|Frase semilla|frase de recuperaci|frase di recupero|frase-semente|Wiederherstellungsphrase|herstelzin".split(
          "|",
        ),
      find: seedPhrase,
    },
    {
      words:
        "pin del|PIN del|pin de |PIN de |OTP|otp|TOTP|totp|PIN |PIN: |PIN-Code |PIN-k|TAN |pin for |pin is |PUK |PUK: |mTAN |TAN: |pin code |code pin |code PIN |pincode |HomeKit ".split(
          "|",
        ),
      find: oneTimeCode,
    },
  ]),
  {
    words: [
      ...CODE_OF.flatMap((of) => [`${of.slice(1)} code`, `${of.slice(1)}_code`]),
      ...CODES_OF,
      ..."FA code|FA: |our code: |Your code is |ogin-Code|MS-Code|ne-time p|token-code|se code |nter code |nter the code |inkod|PIN k|erify code".split(
        "|",
      ),
    ],
    find: oneTimeCode,
  },
  {
    words: [...RECOVERY_OF.flatMap((of) => [`${of.slice(1)} code`, `${of.slice(1)}_code`]), ...RECOVERIES_OF],
    find: recoveryCodes,
  },
  { words: [" is your ", " is the "], find: codeBefore },
];
