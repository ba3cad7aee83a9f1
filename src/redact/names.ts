/** The meaning and range of a value's name, and quick checks of the text after it, which run for every name of a text. */
import { BOTH_CASES, codeAt, DIGIT, wordSort } from "./signs.ts";

/** Levels of certainty that a name belongs to a secret. */
export const NO_SECRET = 0;
/** Only a random value is a secret: `key`, `auth`, `cookie`. */
export const MAYBE = 1;
/** A value other than a word is a secret: `token`, `apiKey`, `client_secret`. */
export const SECRET = 2;
/** Any value is a secret: `password`. */
export const PASSWORD = 3;
export type Strength = typeof NO_SECRET | typeof MAYBE | typeof SECRET | typeof PASSWORD;

export interface NameMeaning {
  strength: Strength;
  kind: string;
}

const NONE: NameMeaning = { strength: NO_SECRET, kind: "secret" };
/** An action on a password, or by one: `change_password`, `enable_secret`. */
const ACTION: NameMeaning = { strength: MAYBE, kind: "password" };

/**
 * Endings of names that contain secrets; other names are skipped. A short ending that ordinary words share has the separator that
 * must precede it; the others may follow any letter.
 */
export const NAME_WORDS: readonly string[] = [
  ..."password passwords passwort kennwort passwd passwrd pswd pwd passphrase passcode pincode pin_code".split(
    " ",
  ),
  ..."pass passe psk mdp clave sifre senha parola salasana haslo heslo losenord jelszo".split(" "),
  ..."secret secrets token tokens key credential credentials creds cred auth jwt bearer".split(" "),
  ..."csrf mnemonic salt seed pepper cookie hook login team dsn otp verifier license licence".split(" "),
  ..."jsessionid ykeys tkeys ekeys epin rpin ypin npw rpw tpw otpw userpw dbpw bindpw authtok crumb csid esid ssid".split(
    " ",
  ),
  ...["_", ".", '"', " ", "&", "?"].map((mark) => `${mark}pw`),
  ...["pat", "pin", "sid", "sig"].flatMap((word) => [`_${word}`, ` ${word}`]),
  '"pin',
  ...["?sig", "&sig", "rocommunity", "rwcommunity", "snmp_community", "api_hash", "app_certificate"],
  ...["secret_id", "secret id", "secretid", "loginpas", "passkey", "plain_text_passwd"],
  ...["_keys", "recovery_code", "recovery_codes", "backup_code", "backup_codes"],
];

/** Possible text after the word for a secret. */
const SUFFIX =
  /(?:_(?:\d{1,4}|v\d|value|val|string|str|base64|b64|hex|data|base|raw|plain|plaintext|text|clear|prod|production|dev|development|staging|stage|test|live|sandbox|old|new|main|default|primary|secondary|current|previous|next|backup|eu|us|id_rsa|confirmation|confirm|again|repeat|part_?\d{1,2}|a|b|first|second))+$|\d{1,3}$/;

const PASSWORD_END =
  /(?:password|passwd|passwort|pass_?phrase|passcode|passwrd|pswd|pwd|kennwort|wachtwoord|lozinka|(?:^|_)(?:senha|passe|heslo|de_passe|contrasena|contraseña|parola|haslo|hasło|salasana|losenord|lösenord|jelszo|mdp|motdepasse|mot_de_passe|clave|sifre|şifre))$/;
/** `pass` and `pw` as words of their own, or after the owner of the password. */
const PASS_END =
  /(?:^|_)(?:(?:db|remote|local|imap|pop3|user|root|admin|mysql|pg|smtp|ftp|ssh|mail|redis|require|store|key|master|auth|sql|my|proxy|vpn|wifi|rabbitmq|mongo|bind|rpc)?(?:pass|pw)|masterauth|psk|pre_?shared_key|isakmp_key|pin_?code|auth_pass|(?:src|dest)(?:store|key)pass|rediscli_auth|rocommunity|rwcommunity|snmp_community|loginpas|password_wo|(?:default_)?authtok)$/;
const OTHER_PASS =
  /(?:by|com|sur|tres|over|under|multi|single|one|two|first|second|render|shadow|test|low|high|band)_?pass$/;

const SECRET_END =
  /(?:secret|secrets|token|credential|credentials|creds|apikey|authkey|secretkey|accesskey|privatekey|masterkey|signingkey|encryptionkey|licensekey|(?:^|_)(?:jwt|pat|bearer|secret_?id|passkey|otp_seed|totp|pepper|mnemonic|client_key|appkey|dsn_key|api_hash|app_certificate|recovery_codes?|backup_codes?|(?:signing|encryption|encrypted|encrypted_cookie|password|pwd|session|cookie)_salt))$/;
/** Secrets chosen by people, for which any value counts, as for a password. */
const CHOSEN =
  /(?:^|_)(?:session|jwt|cookie|app|auth|nextauth|csrf|hmac|express|flask|django|rails|laravel|signing|encryption|hash|token|internal|shared|master|server|refresh|access)_secret(?:_key)?$/;
const KEY_END =
  /(?:^|_)(?:api|security|access|account|private|priv|secret|auth|authentication|authorization|encryption|encrypt|encrypted|decryption|crypto|cipher|signing|sign|signature|master|service|role|webhook|client|app|application|admin|license|licence|session|cookie|hmac|aes|rsa|ssh|gpg|pgp|jwt|storage|shared|subscription|deploy|write|read|ingest|ingestion|project|integration|server|rest|root|sas|consumer|instrumentation|publish|functions?|host|monitor|bot|user|personal|team|org|organization|restricted|live|prod|fernet|salt|token|wallet|rpc|node|gateway|management|search|openai|anthropic|stripe|sendgrid|datadog|dd|algolia|mailgun|maps?|sentry|twilio|firebase|supabase|pusher|push|vapid_private|secret_access|wifi|wlan|wpa2?|unseal|recovery|certificate|wrapping)_?keys?$/;
const PUBLIC =
  /(?:^|_)(?:public|publishable|pub|primary|foreign|sort|partition|cache|hot|shortcut|row|object|bucket|dictionary|translation|i18n|locale|index|group|react|query|lookup|map|data|entry|field|column|unique|composite|natural|surrogate|idempotency|dedupe|registry|message|config|option|settings|theme|site|label|event|item|tab|menu|nav|sorting|order|parent|child|node|tree|feature|flag|socket)_?key(?:s)?$/;
const MAYBE_END =
  /(?:^|_)(?:key|csrf|auth|authorization|cookie|session|sid|sessid|crumb|jsessionid|phpsessid|sig|salt|seed|pepper|webhook|login|team|dsn|connection_string|code_verifier|verifier|nonce_secret|hook|license|licence|serial|activation|pin|otp|cred|aspxauth)$/;

/** Names that end like that of a secret but have harmless values, such as `next_token`. */
const OTHER_NAMES =
  /(?:(?:^|_)(?:next|page|continuation|sync|cancel|cancellation|start|end|reserved|special|pad|eos|bos|unk|sep|mask|cls|num|forgot|forgotten|confirm|show|hide|has|is|max|min|total|count|input|output|prompt|completion|invalid|missing|expired|no|wrong|lost|bad|change|update|require|requires|enable|disable|use|without|get|parse|lexer|syntax|keyword|last|first|pagination|css|design|theme|color|erc20|erc721|nft|symbol)|_with)_(?:token|password|secret|passwd|pwd|key)$|(?:^|_)(?:json_?web|public_?key)_?tokens?$/;

/** Splits `camelCase` and turns every separator into `_`. */
function normalName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase();
}

const KNOWN = new Map<string, NameMeaning>();
const MAX_KNOWN = 5_000;

/** Returns the meaning of a name for its value. Cached, because the same few names recur in a text. */
export function meaningOf(name: string): NameMeaning {
  let meaning = KNOWN.get(name);
  if (meaning === undefined) {
    if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
    meaning = meaningOfNormal(normalName(name), /^[A-Z][A-Z0-9_]*$/.test(name));
    KNOWN.set(name, meaning);
  }
  return meaning;
}

function meaningOfNormal(normal: string, isConstant: boolean): NameMeaning {
  const name = normal.replace(SUFFIX, "");
  if (OTHER_NAMES.test(name)) return /(?:password|passwd|pwd|secret)$/.test(name) ? ACTION : NONE;
  if (PASSWORD_END.test(name)) return { strength: PASSWORD, kind: "password" };
  if (PASS_END.test(name) && !OTHER_PASS.test(name)) return { strength: PASSWORD, kind: "password" };
  if (CHOSEN.test(name)) return { strength: PASSWORD, kind: "secret" };
  if (KEY_END.test(name) && !PUBLIC.test(name)) return { strength: SECRET, kind: "api-key" };
  if (SECRET_END.test(name)) return { strength: SECRET, kind: secretKind(name) };
  if (PUBLIC.test(name) && !isConstant) return NONE;
  if (MAYBE_END.test(name) && !PUBLIC.test(name)) return { strength: MAYBE, kind: secretKind(name) };
  return NONE;
}

function secretKind(name: string): string {
  if (name.endsWith("key")) return "api-key";
  return /(?:token|jwt|pat|bearer|auth)$/.test(name) ? "token" : "secret";
}

const CREDENTIAL = /(?:^|_)(?:auth|cred|creds|credentials?|login|key)$/;

/** Tells whether a name identifies a made-up value, or a user with one: `REDIS_AUTH`, `CRED`. */
export function isCredential(name: string): boolean {
  const normal = normalName(name);
  return CREDENTIAL.test(normal) && !PUBLIC.test(normal);
}

const KNOWN_BENIGN = new Map<string, boolean>();

/** Names whose long random values are not secrets. */
const BENIGN =
  /(?:^|_)(?:gclid|fbclid|msclkid|site_verification|code_challenge|websocket_accept|sec_web_socket_accept|websocket_key|challenge|kid|kty|list|n|x|y|signature|ids?|uuid|guid|oid|gid|uid|hash|hashes|sha\d*|md5|crc\d*|checksum|sum|digest|integrity|etag|commit|rev|revision|sri|fingerprint|thumbprint|public|pub|publishable|cursor|nonce|version|src|href|url|uri|image|img|picture|photo|avatar|icon|font|svg|png|jpe?g|gif|blob|thumbnail|base64|b64|content|class|classname|css|style|path|file|filename|name|slug|title|text|body|message|description|trace|span|request|address|addr|cid|tx|txid|block|build|chunk|module|resolved|color|query|alphabet|chars|charset|characters|letters|pattern|regex|regexp|h1|parent|tree|object|ref|branch|tag|link|page|doc|document|video|thread|channel|conversation|call|run|job|s256|mappings|sources|code|diff|patch|data|lock|narhash|tarball|nar|vendor|cargo|out)$/;

/** Tells whether a long random value of such a name is known not to be a secret. */
export function isBenign(name: string): boolean {
  let benign = KNOWN_BENIGN.get(name);
  if (benign === undefined) {
    if (KNOWN_BENIGN.size >= MAX_KNOWN) KNOWN_BENIGN.clear();
    benign = hasBenignWord(name);
    KNOWN_BENIGN.set(name, benign);
  }
  return benign;
}

function hasBenignWord(name: string): boolean {
  const normal = normalName(name);
  return (
    BENIGN.test(normal) ||
    BENIGN.test(normal.replace(/_?\d+$/, "")) ||
    (PUBLIC.test(normal) && !/(?:primary|secondary)_key$/.test(normal)) ||
    OTHER_NAMES.test(normal)
  );
}

/** Returns a name together with its adjective: `API key`, `access key` and `Secret ID` are names of two words. */
export function withAdjective(name: string, text: string, start: number): string {
  if (name.length !== 3 && name !== "ID") return name;
  const word = /([A-Za-z]{2,20})[ -]$/.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  return word === undefined ? name : `${word}_${name}`;
}

const [OPEN, COMMA, DOT, COLON, EQUALS] = [40, 44, 46, 58, 61];
/** Maximum length of a name. */
const MAX_NAME = 90;
/** Maximum length of a value that counts as a secret without a telling name. */
export const MAX_KEY = 400;

const NEXT_VALUE =
  /^(?:\s+#[^\n]{0,40}\n)?\s+\\{0,15}["'`]?(?:parameter)?(?:value|val|default|string_value)\b|^\s+- ["'`]?[^\s-]/i;

/** Kinds of text after a name: no value, a word of a sentence, words that may lead to a value or be one, or anything else. */
export const [NOTHING, WORD, PHRASE, OTHER] = [0, 1, 2, 3];

/** Returns quickly what follows a name and its closing quotes or brackets. */
export function whatFollows(text: string, end: number): number {
  let at = end;
  while (at - end < 4 && isCloser(codeAt(text, at)) && !isBlank(codeAt(text, at))) at++;
  const code = codeAt(text, at);
  if (code === 10 || code === 13) return NEXT_VALUE.test(text.slice(at, at + 60)) ? OTHER : NOTHING;
  if (isBlank(code)) return wordsBehind(text, at);
  if (code === COMMA || code === OPEN) return isArgument(text, at + 1) ? OTHER : NOTHING;
  return code > 127 || OPERATORS[code] === 1 ? OTHER : NOTHING;
}

function wordsBehind(text: string, from: number): number {
  let at = from;
  while (isBlank(codeAt(text, at))) at++;
  const start = at;
  while (at - start < 40 && (wordSort(codeAt(text, at)) & BOTH_CASES) !== 0) at++;
  const length = at - start;
  if (length === 0) return OTHER;
  const code = codeAt(text, at);
  if ((code !== 32 && !isWordEnd(text, at, code)) || isAssigned(text, at + 1)) return OTHER;
  return length >= 12 || LINKS.has(text.slice(start, at)) ? PHRASE : WORD;
}

/** Tells quickly whether `=` or `:=` follows the type after a name. */
function isAssigned(text: string, at: number): boolean {
  const code = codeAt(text, at);
  return code === EQUALS || (code === COLON && codeAt(text, at + 1) === EQUALS);
}

/** Tells whether a mark ends a word of a sentence and is not part of a value. */
function isWordEnd(text: string, at: number, code: number): boolean {
  return code === 0 || ((code === COMMA || code === DOT) && codeAt(text, at + 1) <= 32);
}

/** Tells quickly whether a string literal or a named value may follow `(` or `,`. */
function isArgument(text: string, from: number): boolean {
  let at = from;
  while (at - from < 20 && codeAt(text, at) <= 32 && codeAt(text, at) > 0) at++;
  return ARGUMENTS[codeAt(text, at)] === 1;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Words between a name and its value, or the first of several: see `OPERATOR`. */
const LINKS = new Set(
  "use enter try take as CONSTANT constant is ist est es e er je este was war era are to be or set should must equals lautet for of on at von zu de del du do della per you we I they that which heißt c'est".split(
    " ",
  ),
);

/** Returns the end of the name before a mark, skipping blanks, quotes, `]` and backslashes in between. */
export function nameEnd(text: string, mark: number): number {
  const limit = Math.max(0, mark - 24);
  let end = mark;
  while (end > limit && isCloser(text.charCodeAt(end - 1))) end--;
  return end;
}

const CLOSERS = charTable(" \t\"'`])*\\%");

function isCloser(code: number): boolean {
  return code < 128 && CLOSERS[code] === 1;
}

/** Returns the name that ends at an offset. */
export function nameBefore(text: string, end: number): string | null {
  let start = end;
  const limit = Math.max(0, end - MAX_NAME);
  while (start > limit && isNameChar(text.charCodeAt(start - 1))) start--;
  while (start < end && !isNameStart(text.charCodeAt(start))) start++;
  return start < end ? text.slice(start, end) : null;
}

function isNameStart(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || code === 36 || code === 95 || code >= 192;
}

/** Tells whether a character is a letter, a digit, `$`, `-`, `.` or `_`. */
export function isNameChar(code: number): boolean {
  return isNameStart(code) || (code >= 48 && code <= 57) || code === 45 || code === 46;
}

/** Tells quickly whether at least twenty value characters follow the mark, after blanks and quotes. */
export function mayBeAssigned(text: string, mark: number): boolean {
  const limit = Math.min(mark + 9, text.length - 20);
  let at = mark + 1;
  if (at > limit || (text.charCodeAt(mark) === COLON && !isFiller(text.charCodeAt(at)))) return false;
  while (at < limit && isFiller(text.charCodeAt(at))) at++;
  const end = at + 20;
  while (at < end && isValueChar(text.charCodeAt(at))) at++;
  return at === end && !isPlainWord(text, end - 20);
}

/** Tells quickly whether a word ends its line or literal and has too few classes of characters for a key. */
function isPlainWord(text: string, from: number): boolean {
  const limit = Math.min(from + MAX_KEY, text.length);
  let at = from;
  let seen = 0;
  for (; at < limit && (isValueChar(text.charCodeAt(at)) || text[at] === "="); at++)
    seen |= wordSort(text.charCodeAt(at));
  const isMixed = (seen & BOTH_CASES) === BOTH_CASES && (seen & DIGIT) !== 0;
  return !isMixed && isEnd(codeAt(text, at));
}

/** Tells whether an unquoted value follows a name at once. */
export function isTight(text: string, end: number): boolean {
  return codeAt(text, end) === EQUALS && isValueChar(codeAt(text, end + 1));
}

const FILLERS = charTable(" \t\"'\\`=>[");
const VALUE_CHARS = charTable("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$-._+/~");

function charTable(chars: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

/** Characters that separate a name from its value, or start the value. */
const OPERATORS = charTable("=:?|+->[</{&~!");
/** Characters that start a string literal or the word `value`. */
const ARGUMENTS = charTable("\"'`\\bBrRuU@vVdsS{-");
const ENDS = charTable("\0\n\r\"'`,;)]}");

function isEnd(code: number): boolean {
  return code < 128 && ENDS[code] === 1;
}

/** Tells whether a character is a blank, a quote, a backslash, `=` or `>`. */
function isFiller(code: number): boolean {
  return code < 128 && FILLERS[code] === 1;
}

/** Tells whether a character is a letter, a digit, `$`, `+`, `-`, `.`, `/`, `_` or `~`. */
function isValueChar(code: number): boolean {
  return code < 128 ? VALUE_CHARS[code] === 1 : code >= 192;
}

export function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}
